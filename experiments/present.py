"""What the verbs tell a person on the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.table import Table

from analysis import claims, figures
from analysis.claims import Judged, sweeps
from analysis.results import Result, ResultError

from .arguments import USER_CWD
from .predictions import predictions

LOG_WIDTH = 120
"""Columns of a table that does not go to a terminal."""

PAPER = "ito"

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


def draw_and_judge(
    numbers: list[int],
    results: Mapping[str, Result],
    folder: Path,
    frames: Mapping[str, pd.DataFrame] | None = None,
) -> tuple[list[Path], list[Judged], list[str]]:
    """Draw the figures that can be drawn and judge the claims.

    Args:
        numbers: of the figures.
        results: single results by name.
        folder: where the files go.
        frames: the runs of sweeps, by the sweep's name; those that are not there are not judged.

    Returns:
        The files written, the judged claims, and why a figure was not drawn, one line each.

    Raises:
        OSError: a file cannot be written.
    """
    frames = frames or {}
    written: list[Path] = []
    problems = []
    for number in numbers:
        try:
            written += _draw(number, results, frames, folder / "figures")
        except ResultError as error:
            problems.append(f"not drawn: {error}")
    judged = claims.judge_all(PAPER, results)
    judged += [claim for claim in sweeps.judge_sweeps(PAPER, frames) if frames]
    further = (sweeps.sweep_basis(frames), *sweeps.DEFINITIONS) if frames else ()
    written += claims.write(judged, results, folder, further)
    return written, judged, problems


def _draw(
    number: int, results: Mapping[str, Result], frames: Mapping[str, pd.DataFrame], folder: Path
) -> list[Path]:
    single = figures.registry().get(number)
    if single is not None:
        return figures.draw(single, results, folder)
    figure = figures.sweep_registry()[number]
    if figure.spec not in frames:
        raise ResultError(
            f"{figure.name}: its sweep is not kept: "
            f"./gridftp sweep experiments/figures/{figure.spec}.toml"
        )
    frame = frames[figure.spec]
    return figures.draw_sweep(figure, frame, predictions(frame, figure.key), folder)


def print_claims(
    console: Console,
    judged: list[Judged],
    results: Mapping[str, Result],
    frames: Mapping[str, pd.DataFrame] | None = None,
) -> None:
    """Print the table of claims."""
    table = Table(title="What the paper claims", title_justify="left", show_lines=True)
    for heading, share in (("claim", 2), ("the paper", 3), ("measured", 3), ("verdict", 1)):
        table.add_column(heading, ratio=share, overflow="fold")
    table.add_column("why", ratio=5, overflow="fold")
    for item in judged:
        color = _COLORS[item.verdict]
        verdict = f"[bold {color}]{item.verdict}[/]"
        plain = [text.replace("[", r"\[") for text in (item.claimed, item.measured, item.reason)]
        table.add_row(f"{item.id}\n{item.where}", plain[0], plain[1], verdict, plain[2])
    console.print(table)
    told = [claims.basis(results), *claims.DEFINITIONS]
    if frames:
        told += [sweeps.sweep_basis(frames), *sweeps.DEFINITIONS]
    say(console, "\n".join(told))


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
