"""Progress of many runs, weighted by their cost: a bar on a terminal, else lines of text."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from . import present

PLAIN_INTERVAL_S = 10.0
"""Shortest time between two plain lines about progress."""


class CostProgress:
    """Shows how far it is while it is entered.

    Args:
        console: where.
        total: cost of all runs, in any unit.
    """

    def __init__(self, console: Console, total: float) -> None:
        self._console = console
        self._total = total
        self._done = 0.0
        self._begun = self._last = time.monotonic()
        self._plain = not console.is_terminal or console.is_dumb_terminal
        self._bars = Progress(
            TextColumn("{task.percentage:>3.0f} %"), BarColumn(), TimeElapsedColumn(),
            TextColumn("{task.description}"), console=console, transient=True, disable=self._plain,
        )  # fmt: skip
        self._task = self._bars.add_task("", total=total)

    def __enter__(self) -> CostProgress:
        """Show it."""
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take it off the terminal again."""
        self._bars.stop()

    def advance(self, cost: float, said: str) -> None:
        """Tell that something of that cost is done; what it was goes into a plain line."""
        self._done += cost
        now = time.monotonic()
        share = min(self._done / self._total, 1.0)
        left = left_text((now - self._begun) * (1 - share) / share)
        self._bars.update(self._task, completed=self._done, description=left)
        if self._plain and now - self._last >= PLAIN_INTERVAL_S:
            self._last = now
            present.say(self._console, f"{share * 100:.0f} % ({said}); {left}")


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
