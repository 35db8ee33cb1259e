"""Transfers in which a tuner chooses N after each chunk, on Linux's TCP and on the engines."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table

from ..errors import ProgramError
from ..programs.batch import run_lines
from ..programs.processes import run_interruptibly
from ..programs.program import Program
from ..terminal import present
from ..terminal.progress import CostProgress
from .transfer import Setting, transfer

SCHEMA = 1
"""Number of the format of the JSON data of `report`."""

LINUX = "linux"
"""Name of the real transfers, among those of the engines."""


@dataclass
class Mode:
    """Results of one tuning mode, as JSON data.

    Attributes:
        name: of the mode.
        runs: of Linux and of each engine, a list of transfers; each has ``chunks`` with
            ``parallelism`` and ``goodput_bps``, and ``goodput_bps`` and ``duration_s``.
    """

    name: str
    runs: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def expected_s(self) -> float:
        """Return how long a transfer takes the engines."""
        return max(run["duration_s"] for runs in self.runs.values() for run in runs)


def simulate(
    program: Program,
    options: Mapping[str, str],
    modes: Sequence[Mode],
    engines: Sequence[str],
    jobs: int,
    repeat: int,
) -> None:
    """Simulate the transfers of each mode on each engine.

    Args:
        program: gridftp-transfer.
        options: of the scenario, by name.
        modes: get the results.
        engines: that model its hosts.
        jobs: simulations at a time.
        repeat: runs with random starts, of each mode and engine.

    Raises:
        ProgramError: a program or a transfer fails.
    """
    places = [(mode, engine) for mode in modes for engine in engines for _ in range(repeat)]
    lines = [
        {**options, "mode": mode.name, "engine": engine, "run": str(place % repeat + 1)}
        for place, (mode, engine) in enumerate(places)
    ]
    with CostProgress(present.standard_error(), max(1, len(lines))) as shown:

        def answered(place: int, result: dict[str, Any]) -> None:
            mode, engine = places[place]
            if result["reason"]:
                raise ProgramError(f"{program.name}: {result['reason']}, in {lines[place]}")
            (session,) = result["sessions"]
            run = {key: session[key] for key in ("goodput_bps", "duration_s")}
            run["chunks"] = session["gridftp"]["chunks"]
            mode.runs.setdefault(engine, []).append(run)
            shown.advance(1, f"engine {engine}, {mode.name}")

        run_lines(program, lines, jobs, answered)


def measure(
    setting: Setting, options: Mapping[str, str], modes: Sequence[Mode], repeat: int
) -> None:
    """Move the file for real, with each mode in turn.

    Args:
        setting: of all transfers, with our client.
        options: of the client, by name.
        modes: get the results.
        repeat: transfers with each mode.

    Raises:
        ProgramError: a transfer fails.
        KeyboardInterrupt: interrupted; nothing is left.
    """
    total = repeat * sum(mode.expected_s() for mode in modes)
    words = [f"--{name}={value}" for name, value in options.items()]

    async def all_of_them(shown: CostProgress) -> None:
        for run in range(1, repeat + 1):
            for mode in modes:
                limit_s = 5.0 * mode.expected_s() + 30.0
                own = [*words, f"--mode={mode.name}"]
                mode.runs.setdefault(LINUX, []).append(
                    await transfer(setting, 1, run, limit_s, own)
                )
                shown.advance(mode.expected_s(), f"real programs, {mode.name}")

    with CostProgress(present.standard_error(), total) as shown:
        run_interruptibly(all_of_them(shown))


def medians(runs: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    """Return the median of a value of each chunk, over transfers of equally many chunks."""
    return [
        statistics.median(chunk[key] for chunk in chunks)
        for chunks in zip(*(run["chunks"] for run in runs), strict=True)
    ]


def late_s(modes: Sequence[Mode]) -> float:
    """Return how late the path was in 99 % of the milliseconds, the largest of all transfers."""
    return max(float(run["late"]["p99_s"]) for mode in modes for run in mode.runs[LINUX])


def show(modes: Sequence[Mode], out: Console) -> None:
    """Print N and G chunk by chunk, and G of the whole transfer."""
    for mode in modes:
        names = list(mode.runs)
        table = Table(
            title=f"{mode.name}: N and goodput (Mbit/s) of each chunk, medians",
            title_justify="left",
        )
        for heading in ("chunk", *(f"{name}\n{what}" for name in names for what in ("N", "G"))):
            table.add_column(heading, justify="right", no_wrap=True)
        columns = [
            [f"{value:{form}}" for value in medians(mode.runs[name], key)]
            for name in names
            for key, form in (("parallelism", ".3g"), ("megabits", ".1f"))
        ]
        for index, cells in enumerate(zip(*columns, strict=True)):
            table.add_row(str(index), *cells)
        table.add_section()
        table.add_row("all", *(cell for name in names for cell in ("", _total(mode.runs[name]))))
        out.print(table)


def add_megabits(modes: Sequence[Mode]) -> None:
    """Add goodput in Mbit/s to each chunk, for tables."""
    for mode in modes:
        for runs in mode.runs.values():
            for run in runs:
                for chunk in run["chunks"]:
                    chunk["megabits"] = chunk["goodput_bps"] / 1e6


def _total(runs: Sequence[Mapping[str, Any]]) -> str:
    values = sorted(run["goodput_bps"] / 1e6 for run in runs)
    return f"{statistics.median(values):.1f} ({values[0]:.1f} to {values[-1]:.1f})"
