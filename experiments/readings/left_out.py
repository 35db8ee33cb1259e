"""How well costs tell what they were not fitted to: each run is left out once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .fit import FITTED, Fit, fit
from .reading import Reading

FEWEST = 3
"""Runs of an end, below which too little is left to fit costs to."""


@dataclass(frozen=True)
class LeftOut:
    """A run that costs were not fitted to.

    Attributes:
        reading: of the run, at one end.
        fit: to the other runs.
        measured: CPU seconds per second.
        predicted: what the costs make of what happened in the run.
    """

    reading: Reading
    fit: Fit
    measured: float
    predicted: float

    @property
    def error(self) -> float:
        """What is predicted is this share of what was measured too much, or too little."""
        return self.predicted / self.measured - 1 if self.measured else 0.0


def leave_out(whole: Fit, idle: Sequence[Reading]) -> list[LeftOut]:
    """Return each run of an end as costs fitted to the others tell it; none of fewer than `FEWEST`.

    Args:
        whole: the fit to all.
        idle: readings of the same host without a transfer.
    """
    if len(whole.readings) < FEWEST:
        return []
    found = []
    for one in whole.readings:
        others = [other for other in whole.readings if other is not one]
        fitted = fit(whole.end, others, idle)
        costs = [cost for cost in fitted.costs if cost.state == FITTED]
        predicted = sum(cost.seconds * (cost.cost.rate(one.rates) or 0.0) for cost in costs)
        measured = sum(row.measured for row in whole.rows if row.reading == one.name)
        found.append(LeftOut(one, fitted, measured, predicted))
    return found
