"""What the verbs print for people."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from analysis.claims import Judged
from experiments.terminal.arguments import USER_CWD
from experiments.terminal.present import print_claims, print_files


@pytest.fixture
def console() -> Console:
    return Console(file=io.StringIO(), width=120, highlight=False)


def lines(console: Console) -> list[str]:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_a_claim_is_a_row_in_the_papers_words(console: Console) -> None:
    judged = Judged("n-grows", "Fig. 4", "N = [4]", "N = 5", "fails", "5 is not 4 [of 4]")
    print_claims(console, [judged], ["measured", "on engine segment"], "ito")
    told = lines(console)
    assert told[0].rstrip() == "Claims of the paper (ito)"
    (head,) = (line for line in told if "verdict" in line)
    (row,) = (line for line in told if "N = [4]" in line)
    (below,) = (line for line in told if "n-grows" in line)
    cells = [[cell.strip() for cell in line[1:-1].split("┃│"["│" in line])] for line in (head, row)]
    assert cells == [
        ["claim", "simulated", "verdict", "reason"],
        ["N = [4]", "N = 5", "fails", "5 is not 4 [of 4]"],
    ]
    assert "Fig. 4 (n-grows)" in below
    assert told[-2:] == ["measured", "on engine segment"]


def test_files_that_differ_in_their_suffix_are_one_line(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(USER_CWD, str(tmp_path / "here"))
    files = [tmp_path / "here/fig.png", tmp_path / "here/fig.svg", tmp_path / "other/table.csv"]
    print_files(console, files)
    assert lines(console) == ["  fig.{png,svg}", f"  {tmp_path}/other/table.csv"]
