"""How far the simulations are: live on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from .runner import Outcome

PLAIN_INTERVAL_S = 10.0
"""Shortest time between two plain lines about progress."""


class Estimate:
    """When everything will be done, from how far each run is."""

    def __init__(self, names: Sequence[str], at_once: int) -> None:
        self._at_once = at_once
        self._begun: dict[str, float] = {}
        self._fraction = dict.fromkeys(names, 0.0)
        self._took: list[float] = []

    def started(self, name: str, now: float) -> None:
        """A run started at the monotonic time."""
        self._begun[name] = now

    def progressed(self, name: str, fraction: float) -> None:
        """A run is so far."""
        self._fraction[name] = min(max(fraction, 0.0), 1.0)

    def finished(self, name: str, now: float) -> None:
        """A run ended."""
        self._took.append(now - self._begun.pop(name))
        self._fraction[name] = 1.0

    def fraction(self, name: str) -> float:
        """How far one run is."""
        return self._fraction[name]

    def overall(self) -> float:
        """How far all runs are, each counting the same."""
        return sum(self._fraction.values()) / len(self._fraction)

    def left_s(self, now: float) -> float | None:
        """Seconds until the last run ends, None while no run says how fast it is.

        A run goes on at its mean speed so far; one that waits takes as long as the others on
        average.
        """
        running = {}
        whole = list(self._took)
        for name, begun in self._begun.items():
            fraction = self._fraction[name]
            if fraction <= 0:
                return None
            running[name] = (now - begun) * (1 - fraction) / fraction
            whole.append((now - begun) / fraction)
        if not whole:
            return None
        waiting = [
            name
            for name, fraction in self._fraction.items()
            if fraction < 1 and name not in self._begun
        ]
        free = sorted([*running.values(), *[0.0] * (self._at_once - len(running))])
        for _ in waiting:
            free.append(free.pop(0) + sum(whole) / len(whole))
            free.sort()
        return max(free)


class LiveDisplay(AbstractContextManager):
    """A bar per run, and an overall one with the estimated time left."""

    def __init__(self, names: Sequence[str], at_once: int, console: Console) -> None:
        self._estimate = Estimate(names, at_once)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.fields[said]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            refresh_per_second=4,
        )
        self._tasks: dict[str, TaskID] = {
            name: self._bars.add_task(name, total=1.0, start=False, said="waiting")
            for name in names
        }
        self._all = self._bars.add_task("all", total=1.0, said="") if len(names) > 1 else None

    def __enter__(self) -> LiveDisplay:
        """Show the bars."""
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bars off the terminal again."""
        self._bars.stop()

    def started(self, name: str) -> None:
        """Tell that a run starts."""
        self._estimate.started(name, time.monotonic())
        self._bars.start_task(self._tasks[name])
        self._bars.update(self._tasks[name], said="starting")

    def progressed(self, name: str, progress: dict[str, Any]) -> None:
        """Tell how far a run is."""
        self._estimate.progressed(name, float(progress["fraction"]))
        said = describe(progress)
        if self._all is None:
            said += f"  {left_text(self._estimate.left_s(time.monotonic()))}"
        self._bars.update(self._tasks[name], completed=self._estimate.fraction(name), said=said)
        self._overall()

    def finished(self, outcome: Outcome) -> None:
        """Tell that a run ended."""
        self._estimate.finished(outcome.name, time.monotonic())
        task = self._tasks[outcome.name]
        if outcome.result is None:
            self._bars.update(task, said="failed")
        else:
            self._bars.update(task, completed=1.0, said="done")
        self._bars.stop_task(task)
        self._overall()

    def _overall(self) -> None:
        if self._all is not None:
            self._bars.update(
                self._all,
                completed=self._estimate.overall(),
                said=left_text(self._estimate.left_s(time.monotonic())),
            )


class PlainDisplay(AbstractContextManager):
    """Lines for a log: starts, ends and, at most every ten seconds, how far all runs are."""

    def __init__(self, names: Sequence[str], at_once: int, console: Console) -> None:
        self._estimate = Estimate(names, at_once)
        self._console = console
        self._running: list[str] = []
        self._last = time.monotonic()

    def __exit__(self, *_: object) -> None:
        """Nothing is left to do."""

    def started(self, name: str) -> None:
        """Tell that a run starts."""
        self._estimate.started(name, time.monotonic())
        self._running.append(name)
        self._print(f"{name}: started")

    def progressed(self, name: str, progress: dict[str, Any]) -> None:
        """Tell how far a run is."""
        self._estimate.progressed(name, float(progress["fraction"]))
        now = time.monotonic()
        if now - self._last < PLAIN_INTERVAL_S:
            return
        self._last = now
        percent = {run: self._estimate.fraction(run) * 100 for run in self._running}
        told = ", ".join(f"{run} {value:.0f} %" for run, value in percent.items())
        self._print(f"{told}; {left_text(self._estimate.left_s(now))}")

    def finished(self, outcome: Outcome) -> None:
        """Tell that a run ended."""
        self._estimate.finished(outcome.name, time.monotonic())
        self._running.remove(outcome.name)
        how = "failed" if outcome.result is None else "done"
        self._print(f"{outcome.name}: {how} after {duration(outcome.wall_s)}")

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


def display_for(names: Sequence[str], at_once: int, console: Console) -> LiveDisplay | PlainDisplay:
    """Return the display that suits the console."""
    kind = LiveDisplay if console.is_terminal and not console.is_dumb_terminal else PlainDisplay
    return kind(names, at_once, console)


def describe(progress: dict[str, Any]) -> str:
    """Return what a run's progress says, short."""
    parts = []
    if "chunk" in progress and "chunks" in progress:
        parts.append(f"chunk {progress['chunk']}/{progress['chunks']}")
    if "parallelism" in progress:
        parts.append(f"N = {progress['parallelism']}")
    if "sim_s" in progress:
        parts.append(f"{float(progress['sim_s']):.0f} s simulated")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """Return a time span for people: 0.4 s, 12 s, 3 min 20 s, 1 h 05 min."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"


def left_text(seconds: float | None) -> str:
    """Return the estimate of the time left in words."""
    return f"about {duration(seconds)} left" if seconds else ""
