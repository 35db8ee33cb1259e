"""The list of mutants: each names a line that there is, else none of them is tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.ledger import ListError, read_list


def test_every_listed_mutant_is_of_a_line_that_there_is(root: Path) -> None:
    mutants, reasons = read_list(root, root / "tests/mutants/mutants.toml")
    assert len(mutants) > 30
    assert 0 < len(reasons) < len(mutants)


def test_a_line_that_is_no_more_is_told(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "mutants.toml"
    path.write_text(
        '[[mutant]]\nfile = "gridftp"\nbefore = "a line that is not there"\nafter = "x"\n'
    )
    with pytest.raises(ListError, match="'a line that is not there' is not in gridftp"):
        read_list(root, path)
