"""What is in an archive: the files of a commit, and of folders that were made of it."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path
from typing import NamedTuple

from experiments.errors import ProgramError

# Whoever archives may have told git to change ends of lines, or more.
_AS_COMMITTED = ("-c", "core.autocrlf=false", "-c", "core.eol=lf", "-c", "core.attributesFile=")


class Entry(NamedTuple):
    """A file of an archive."""

    path: str
    """Within the archive, with slashes."""
    data: bytes
    executable: bool = False

    def moved(self, folder: str) -> Entry:
        """Return it as a file of a folder."""
        return self._replace(path=f"{folder}/{self.path}")


def committed(root: Path, commit: str, folder: str = "") -> list[Entry]:
    """Return the files of a commit, or those of a folder of it, as `git archive` has them.

    Args:
        root: the clone.
        commit: its name.
        folder: relative to the clone; what is returned is relative to this folder.

    Raises:
        ProgramError: git fails, or something in the commit is no plain file.
    """
    tree = f"{commit}:{folder}" if folder else commit
    entries = []
    with tarfile.open(fileobj=io.BytesIO(_git(root, "archive", "--format=tar", tree))) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isreg() else None
            if content is not None:
                entries.append(Entry(member.name, content.read(), bool(member.mode & 0o100)))
            elif not member.isdir():
                raise ProgramError(
                    f"{member.name} is not a regular file; allowed: regular files and folders"
                )
    return entries


def made(folder: Path) -> list[Entry]:
    """Return the files of a folder that was made, none of them executable."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return [Entry(file.relative_to(folder).as_posix(), file.read_bytes()) for file in files]


def commit_time(root: Path, commit: str) -> int:
    """Return when a commit was made, in seconds since 1970."""
    return int(_git(root, "show", "--no-patch", "--format=%ct", commit))


def _git(root: Path, *words: str) -> bytes:
    command = ["git", "-C", str(root), *_AS_COMMITTED, *words]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "TZ": "UTC"})
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines()
        raise ProgramError(f"git {words[0]} failed: {told[-1] if told else 'without a message'}")
    return done.stdout
