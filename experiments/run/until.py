"""Replicate until a confidence interval is narrow: which runs a sweep still lacks for that."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from analysis.statistics.interval import relative_half_width

from ..spec.blocks import Planned
from ..store.store import QUEUED, RUNNING, Run, Store

_MOST_AT_ONCE = 2
"""No point grows by more than this factor at a time: the first intervals are rough."""


@dataclass(frozen=True)
class _Point:
    """The replications of a point so far.

    Attributes:
        planned: what they are to be.
        goodputs_bps: of those that are done.
        ended: how many are done or have failed.
    """

    planned: list[Planned]
    goodputs_bps: list[float]
    ended: int

    def lacks(self) -> int:
        """Return how many more runs to make now; 0 if the interval is narrow or there are most."""
        until, have = self.planned[0].until, len(self.planned)
        if until is None or have >= until.most or self.ended < have:
            return 0
        if len(self.goodputs_bps) < 2:
            return 0  # all but one have failed, and so would others
        width = relative_half_width(self.goodputs_bps)
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
    points: dict[str, list[tuple[Planned, Run]]] = {}
    for planned, run in runs:
        if planned.until is not None:
            same = {name: value for name, value in planned.line.items() if name != "run"}
            points.setdefault(f"{planned.label} {same}", []).append((planned, run))
    ended: dict[str, float | None] = {}
    if points:
        rows = store.query(
            "SELECT key, goodput_bps FROM run WHERE state NOT IN (?, ?)", (QUEUED, RUNNING)
        )
        ended = dict(rows)
    return [planned for point in points.values() for planned in _point(point, ended).further()]


def _point(runs: list[tuple[Planned, Run]], ended: Mapping[str, float | None]) -> _Point:
    """Return what is known of a point.

    Args:
        runs: of it.
        ended: goodput of each run that has ended, None if it has failed, by key.
    """
    known = [ended[run.key] for _, run in runs if run.key in ended]
    done = [value for value in known if value is not None]
    return _Point([planned for planned, _ in runs], done, len(known))
