"""What was promised to stay is there (doc/promises.md of the module)."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.programs.program import BUILD_DIR
from release import promised


def test_nothing_promised_has_gone_or_changed() -> None:
    listed = promised.FILE.read_text(encoding="utf-8").splitlines()
    assert len(listed) > 300
    kinds = {line.split()[0] for line in listed}
    assert kinds == {"option", "key", "verb"}
    gone = sorted({*listed} - {*promised.lines()})
    assert gone == [], "see 'A release' of doc/adding.md"


def test_a_key_is_listed_with_where_it_is_and_its_unit() -> None:
    assert {"key provenance.commit", "key chunk:goodput_bps bit/s", "verb run"} <= {
        *promised.lines()
    }


def test_the_list_is_renewed_by_the_command_of_the_manual(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without ./gridftp, which says where the programs are."""
    monkeypatch.delenv(BUILD_DIR)
    monkeypatch.setattr(promised, "ROOT", tmp_path)
    monkeypatch.setattr(promised, "FILE", tmp_path / "list")
    (tmp_path / "build/current").mkdir(parents=True)
    (tmp_path / "build/current/bin").symlink_to(programs.resolve())
    promised.main()
    assert promised.FILE.read_text(encoding="utf-8").splitlines() == promised.lines()
