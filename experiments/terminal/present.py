"""Prints tables and messages of the commands on the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from .arguments import USER_CWD

if TYPE_CHECKING:
    from analysis.claims import Judged

LOG_WIDTH = 120
"""Columns of a table that does not go to a terminal."""

_COLORS = {"holds": "green", "fails": "red", "cannot be judged": "yellow"}


def standard_output() -> Console:
    """Return the console results go to."""
    return _console(sys.stdout)


def standard_error() -> Console:
    """Return the console progress and messages go to."""
    return _console(sys.stderr)


def _console(stream: object) -> Console:
    console = Console(file=stream, highlight=False)
    if not console.is_terminal:
        console.width = LOG_WIDTH
    return console


def say(console: Console, text: str) -> None:
    """Print text as it is."""
    console.print(text, markup=False, soft_wrap=True)


def print_claims(console: Console, judged: list[Judged], basis: Iterable[str], paper: str) -> None:
    """Print the table of a paper's claims, and the simulations that the verdicts are based on."""
    table = Table(title=f"Claims of the paper ({paper})", title_justify="left", show_lines=True)
    for heading, share in (("claim", 4), ("simulated", 3), ("verdict", 1)):
        table.add_column(heading, ratio=share, overflow="fold")
    table.add_column("reason", ratio=5, overflow="fold")
    for item in judged:
        color = _COLORS[item.verdict]
        verdict = f"[bold {color}]{item.verdict}[/]"
        plain = [text.replace("[", r"\[") for text in (item.claimed, item.told, item.reason)]
        where = f"[dim]{item.where} ({item.id})[/]"
        table.add_row(f"{plain[0]}\n{where}", plain[1], verdict, plain[2])
    console.print(table)
    say(console, "\n".join(basis))


def print_files(console: Console, files: Iterable[Path]) -> None:
    """Print where the files are, those that differ in their suffix on one line."""
    stems: dict[Path, list[str]] = {}
    for path in files:
        stems.setdefault(path.with_suffix(""), []).append(path.suffix.removeprefix("."))
    for stem, kinds in stems.items():
        suffix = kinds[0] if len(kinds) == 1 else "{" + ",".join(kinds) + "}"
        say(console, f"  {_short(stem)}.{suffix}")


def _short(path: Path) -> str:
    """Return a path as the user would write it."""
    here = os.environ.get(USER_CWD) or Path.cwd()
    relative = os.path.relpath(path, here)
    return str(path) if relative.startswith("..") else relative
