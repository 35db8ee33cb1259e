"""Which sources these are: the version, and the commit, of a clone or of an archive."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from .messages import UserError
from .places import ROOT

CITATION = "CITATION.cff"
ARCHIVED = "launcher/archived-commit.txt"
"""Where `git archive`, and so `./gridftp release`, writes the commit."""

UNKNOWN = "unknown"

_DIGITS = 12
"""Of a commit: the same in every clone, where git's own choice depends on how much is in it."""


def version(root: Path = ROOT) -> str:
    """The version, from the one file that says it.

    Raises:
        UserError: it does not.
    """
    text = (root / CITATION).read_text(encoding="utf-8")
    found = re.search(r"^version: ([0-9]+\.[0-9]+\.[0-9]+)$", text, re.M)
    if not found:
        raise UserError(f"{CITATION} has no line 'version: NUMBER.NUMBER.NUMBER'")
    return found.group(1)


def commit(root: Path = ROOT) -> str:
    """The commit that results are stamped with; with -dirty where the sources are not as in it.

    Without git, in an archive, it is the one that the archive was made of.
    """
    if not (root / ".git").exists():
        return _archived(root)
    # No tag's name: the version says as much, and a tag may be missing in a clone.
    words = ["describe", "--always", "--exclude=*", f"--abbrev={_DIGITS}", "--dirty"]
    return _git(root, *words) or UNKNOWN


def clean_commit(root: Path = ROOT) -> str:
    """The commit that is checked out, whole.

    Raises:
        UserError: this is no clone, or something in it is in no commit.
    """
    found = _git(root, "rev-parse", "HEAD") if (root / ".git").exists() else None
    if not found:
        raise UserError("release: a release is made from a clone, with git; this is none", 2)
    changes = (_git(root, "status", "--porcelain") or "").splitlines()
    if changes:
        more = f" and {len(changes) - 1} more" if len(changes) > 1 else ""
        name = changes[0].split(maxsplit=1)[1]
        raise UserError(f"release: in no commit: {name}{more}; commit or remove it first", 2)
    return found


def _archived(root: Path) -> str:
    try:
        text = (root / ARCHIVED).read_text(encoding="utf-8").strip()
    except OSError:
        return UNKNOWN
    # In files that git has not archived the place of the commit is still to be filled.
    return text[:_DIGITS] if re.fullmatch("[0-9a-f]{40,64}", text) else UNKNOWN


def _git(root: Path, *words: str) -> str | None:
    """What git answers; None where it fails or is not there."""
    command = ["git", "-C", str(root), *words]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return answer.stdout.strip()
