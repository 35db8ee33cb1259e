"""Replicate until a confidence interval is narrow: which runs a sweep still lacks for that."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from analysis.interval import mean_interval

from .spec_blocks import Planned
from .store import DONE, Run, Store

_MOST_AT_ONCE = 2
"""No point grows by more than this factor at a time: the first intervals are rough."""


@dataclass(frozen=True)
class _Point:
    """The replications of a point so far: their plan, and the goodput of those that are done."""

    planned: list[Planned]
    goodputs_bps: list[float]

    def lacks(self) -> int:
        """Return how many more runs to make now; 0 if the interval is narrow or there are most."""
        until, have = self.planned[0].until, len(self.planned)
        if until is None or have >= until.most:
            return 0
        if len(self.goodputs_bps) < 2:
            return 1
        width = _relative_half_width(self.goodputs_bps)
        if width <= until.half_width:
            return 0
        # The width falls with the square root of the number.
        wanted = math.ceil(have * (width / until.half_width) ** 2)
        return max(1, min(wanted, _MOST_AT_ONCE * have, until.most) - have)

    def further(self) -> list[Planned]:
        """Return the runs that come next."""
        last = self.planned[-1]
        first = 1 + max(int(one.line["run"]) for one in self.planned)
        return [
            Planned(last.label, {**last.line, "run": str(run)}, last.until)
            for run in range(first, first + self.lacks())
        ]


def further(store: Store, runs: Iterable[tuple[Planned, Run]]) -> list[Planned]:
    """Return the runs to add to those there are, none if every interval is narrow enough.

    Args:
        store: has what is done of them.
        runs: all runs of a sweep so far, with what they are to be.
    """
    points: dict[str, _Point] = {}
    known = [(planned, run) for planned, run in runs if planned.until is not None]
    rows = store.query("SELECT key, goodput_bps FROM run WHERE state = ?", (DONE,)) if known else []
    goodput = dict(rows)
    for planned, run in known:
        same = {name: value for name, value in planned.line.items() if name != "run"}
        point = points.setdefault(f"{planned.label} {same}", _Point([], []))
        point.planned.append(planned)
        if run.key in goodput:
            point.goodputs_bps.append(goodput[run.key])
    return [planned for point in points.values() for planned in point.further()]


def _relative_half_width(values: list[float]) -> float:
    """Return half of the 95 % interval of the mean, over the mean."""
    interval = mean_interval(values)
    half = (interval.high - interval.low) / 2
    return half / abs(interval.mean) if half else 0.0
