"""Programs that stand in for real ones, in Python, in folders of any name."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path


def shell_command(*words: str | Path) -> str:
    """Return a command line that a shell splits into exactly these words."""
    return shlex.join(map(str, words))


def in_folder(folder: Path, command: str) -> str:
    """Return a command line that a shell runs in this folder."""
    return f"cd {shlex.quote(str(folder))}; {command}"


def write_program(path: Path, text: str, *flags: str) -> Path:
    """Write a Python text and an executable file that runs it; return the executable.

    The executable is a script of ``/bin/sh``: a shebang line that named the interpreter would
    break where its path has a space, or is longer than the kernel reads.

    Args:
        path: of the executable; the Python text goes next to it, with the suffix ``.py``.
        text: in Python.
        flags: of the interpreter.
    """
    source = path.with_name(f"{path.name}.py")
    source.write_text(text)
    path.write_text(f'#!/bin/sh\nexec {shell_command(sys.executable, *flags, source)} "$@"\n')
    path.chmod(0o755)
    return path


def write_bare_program(path: Path, text: str) -> Path:
    """Write a program as `write_program`, which starts at once: without site-packages."""
    return write_program(path, text, "-E", "-S")
