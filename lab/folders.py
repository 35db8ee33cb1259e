"""Where the lab's sources are, and where what is made of them goes."""

from __future__ import annotations

import fcntl
import hashlib
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from experiments.errors import ProgramError

ROOT = Path(__file__).resolve().parent.parent
"""The repository."""

LAB = ROOT / "lab"
"""The lab's sources."""

BUILD = ROOT / "build" / "lab"
"""What is made of them; it can be deleted at any time."""


def digest(files: Iterable[Path], *more: str) -> str:
    """Return a short name for the contents of files, and of texts."""
    state = hashlib.sha256()
    for file in files:
        state.update(f"{file.name}\0".encode() + file.read_bytes() + b"\0")
    for text in more:
        state.update(text.encode() + b"\0")
    return state.hexdigest()


@contextmanager
def only_one() -> Iterator[None]:
    """Keep another process waiting while this one makes something in `BUILD`."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # The system releases it when this process ends, however it ends.
        yield


def is_made(mark: Path, state: str) -> bool:
    """Return whether what a mark stands for was made of the same."""
    return mark.is_file() and mark.read_text(encoding="utf-8") == state


def logged(command: list[str], log: Path, what: str, **options: object) -> None:
    """Run a tool with its output in a log.

    Raises:
        ProgramError: it fails; the message has the first line that it complains with.
    """
    with log.open("w", encoding="utf-8") as file:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, **options
        )
    if done.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        told = next((line for line in lines if "error" in line.lower()), "")
        where = log.relative_to(ROOT) if log.is_relative_to(ROOT) else log
        raise ProgramError(f"{what} failed: {told.strip()[:300]} (all of it: {where})")
