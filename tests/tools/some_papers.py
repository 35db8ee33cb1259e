"""Folders of papers for tests, in place of the repository's own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from analysis import papers

ITO = papers.papers()["ito"]


def use_papers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the papers of this folder, which is made if it is not there, and no others."""
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr(papers, "FOLDER", folder)
    monkeypatch.syspath_prepend(folder.parent)
    return folder


def ito_without_sweeps(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the paper of Ito and others alone, with its claims and figures; return its folder.

    Its folder of sweeps is empty, and there are no numbers to compare with.
    """
    paper = use_papers(folder, monkeypatch) / "ito"
    shutil.copytree(ITO.folder, paper, ignore=shutil.ignore_patterns("*.csv", "__pycache__"))
    for spec in (paper / "sweeps").glob("*.toml"):
        spec.unlink()
    return paper


def changed(paper: papers.Paper, folder: Path, before: str, after: str) -> papers.Paper:
    """Return a paper whose claims are those of another with one text replaced."""
    text = (paper.folder / "claims.toml").read_text(encoding="utf-8")
    assert before in text
    (folder / "claims.toml").write_text(text.replace(before, after), encoding="utf-8")
    return papers.Paper(paper.name, folder, paper.title, paper.heading)
