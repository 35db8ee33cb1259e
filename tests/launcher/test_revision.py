"""The version and the commit, in a clone and in what git archives of it."""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from conftest import Runner
from launcher_sandbox import Sandbox

from launcher import messages, revision

PLACE = "$Format:%H$\n"
"""What git archive writes the commit in place of."""


def git(folder: Path, *words: str) -> bytes:
    """What git prints."""
    who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    return subprocess.run(
        ["git", "-C", folder, *who, *words], check=True, capture_output=True
    ).stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of a repository with a version, one commit and a tag, in a path with a space."""
    root = tmp_path / "a clone"
    (root / "launcher").mkdir(parents=True)
    for name in (".gitattributes", revision.CITATION):
        (root / name).write_bytes((revision.ROOT / name).read_bytes())
    (root / revision.ARCHIVED).write_text(PLACE, encoding="utf-8")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=all")
    git(root, "tag", "v9.9.9")
    return root


def test_an_archive_knows_its_commit_without_git(clone: Path, tmp_path: Path) -> None:
    commit = git(clone, "rev-parse", "HEAD").decode().strip()
    assert revision.commit(clone) == commit[:12]
    unpacked = tmp_path / "unpacked"
    with tarfile.open(fileobj=io.BytesIO(git(clone, "archive", "HEAD"))) as archive:
        archive.extractall(unpacked, filter="data")
    assert revision.commit(unpacked) == commit[:12]
    assert revision.version(unpacked) == revision.version()


def test_the_place_of_the_commit_is_there_or_filled() -> None:
    text = (revision.ROOT / revision.ARCHIVED).read_text(encoding="utf-8")
    assert text == PLACE or re.fullmatch(r"[0-9a-f]{40,64}\n", text)


def test_sources_of_no_commit_say_so(clone: Path, tmp_path: Path) -> None:
    (clone / revision.CITATION).write_text("version: 1.2.3\n", encoding="utf-8")
    assert revision.commit(clone).endswith("-dirty")
    # A copy that no git has archived
    git(clone, "checkout", "--quiet", ".")
    (clone / ".git").rename(tmp_path / "git")
    assert revision.commit(clone) == "unknown"
    (clone / revision.ARCHIVED).unlink()
    assert revision.commit(clone) == "unknown"


def test_programs_tell_the_version(run_program: Runner) -> None:
    done = run_program("gridftp-transfer", "--file-size=1B", "--json")
    assert json.loads(done.stdout)["provenance"]["version"] == revision.version()


def test_a_version_that_is_none_is_refused(clone: Path) -> None:
    (clone / revision.CITATION).write_text("version: next\n", encoding="utf-8")
    with pytest.raises(messages.UserError, match=r"CITATION\.cff has no line"):
        revision.version(clone)


def test_a_new_version_and_a_new_commit_of_an_archive_are_built(ready: Sandbox) -> None:
    (ready.root / revision.CITATION).write_text("version: 1.0.0\n", encoding="utf-8")
    ready.launch("run")
    assert ready.builds() == 2
    (ready.root / revision.ARCHIVED).write_text(f"{'a1' * 20}\n", encoding="utf-8")
    ready.launch("run")
    assert ready.builds() == 3
