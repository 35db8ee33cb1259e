"""Small functions that measure what a claim about curves speaks of and judge it.

A judge is a `Rule`: a few measures of each mode's curve, each with a bound. The claim holds where
every mode's curve keeps every bound. Judged is on the means; intervals are told beside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..papers import Paper
from ..read import tuners
from ..statistics.curve import Curve, propagated
from ..statistics.interval import SEEN, Interval


@dataclass(frozen=True)
class Axis:
    """How readers are told of a swept key.

    Attributes:
        letter: that the paper has for it; else the key.
        scale: the unit that readers see, in the key's own.
        unit: its name behind a number.
    """

    letter: str = ""
    scale: float = 1
    unit: str = ""

    @classmethod
    def of(cls, sweep: Mapping[str, Any]) -> Axis:
        """Return what ``[sweeps.<name>]`` says of its key: ``letter``, ``scale``, ``unit``."""
        unit = sweep.get("unit", "")
        return cls(sweep.get("letter", sweep["key"]), sweep.get("scale", 1), unit and f" {unit}")


@dataclass(frozen=True)
class Measure:
    """One number of a curve and its bound.

    Attributes:
        name: what readers call it.
        statistic: from the curve to the number.
        bound: the word of the claim's parameters that is the bound, or the bound itself.
        least: whether the bound is the least allowed; else it must not be exceeded.
        strict: whether the bound itself is out.
        percent: whether the number is a share to be told in percent.
    """

    name: str
    statistic: Callable[[Curve], float]
    bound: str | float
    least: bool
    strict: bool = False
    percent: bool = False

    def limit(self, parameters: Mapping[str, Any]) -> float:
        """Return the bound."""
        return float(parameters[self.bound] if isinstance(self.bound, str) else self.bound)

    def keeps(self, value: float, limit: float) -> bool:
        """Return whether a value is within the bound; nan is not."""
        if value == limit:
            return not self.strict
        return value > limit if self.least else value < limit

    def asks(self, limit: float) -> str:
        """Return the bound in words."""
        words = ("above", "under") if self.strict else ("at least", "at most")
        return f"{words[0] if self.least else words[1]} {self.told(limit)}"

    def told(self, value: float) -> str:
        """Return a value for readers."""
        return f"{value * 100:.3g} %" if self.percent else f"{value:.4g}"

    def with_interval(self, found: Interval) -> str:
        """Return a value and half its 95 % interval for readers, where the digits show it."""
        half = found.high - found.mean
        # Replications differ in the starts of connections alone: what is less than the last digit
        # says that the simulation is deterministic, and nothing of how sure a number is.
        if math.isnan(half) or half < abs(found.mean) * SEEN:
            return self.told(found.mean)
        scale, unit = (100, " %") if self.percent else (1, "")
        half *= scale
        return f"{found.mean * scale:.4g} \u00b1 {half:.1g}{unit}"


@dataclass(frozen=True)
class Rule:
    """What a claim asks of each curve.

    Attributes:
        measures: all must keep their bounds.
        points: fewest points of a range on which that means anything.
        of_bottleneck: whether the curve is of goodput over the bottleneck's rate.
        everywhere: asked of a range in place of the measures, for the widest range; a claim about
            the end of the curve would else hold on any range with the same end.
    """

    measures: tuple[Measure, ...]
    points: int
    of_bottleneck: bool = False
    everywhere: tuple[Measure, ...] = ()

    def holds_on(self, part: Curve, parameters: Mapping[str, Any]) -> bool:
        """Return whether a range of a curve, judged by itself, keeps the bounds."""
        measures = self.everywhere or self.measures
        return all(m.keeps(m.statistic(part), m.limit(parameters)) for m in measures)


def slope(curve: Curve) -> float:
    """Return the slope of the least-squares line: y per SI unit of the swept key."""
    away = curve.x - curve.x.mean()
    return float((away * curve.y).sum() / (away**2).sum())


def fall(curve: Curve) -> float:
    """Return by what share the lowest value is below the value at the smallest key."""
    return 1 - lowest_to_first(curve)


def lowest_to_first(curve: Curve) -> float:
    """Return the lowest value over the value at the smallest key."""
    return float(curve.y.min() / curve.y[0])


def linearity(curve: Curve) -> float:
    """Return R^2 of the least-squares line; nan of a constant."""
    total = ((curve.y - curve.y.mean()) ** 2).sum()
    away = curve.x - curve.x.mean()
    return float((slope(curve) * away).dot(curve.y) / total) if total > 0 else math.nan


def spread(curve: Curve) -> float:
    """Return the largest value over the smallest."""
    return float(curve.y.max() / curve.y.min())


def _lowest(curve: Curve) -> float:
    return float(curve.y.min())


def _highest(curve: Curve) -> float:
    return float(curve.y.max())


def _last(curve: Curve) -> float:
    return float(curve.y[-1])


_SLOPE = Measure("slope", slope, 0.0, least=False, strict=True)
_FALL = Measure("fall in all", fall, "slightly", least=False, percent=True)

RULES: dict[str, Rule] = {
    "fully_used": Rule(
        (Measure("smallest G/B", _lowest, "almost_fully", least=True),), 1, of_bottleneck=True
    ),
    "slightly_less_used": Rule((_SLOPE, _FALL), 3, of_bottleneck=True),
    "poorly_used_at_the_end": Rule(
        (Measure("G/B at the largest B", _last, "poor", least=False, strict=True),),
        1,
        of_bottleneck=True,
        everywhere=(Measure("largest G/B", _highest, "poor", least=False, strict=True),),
    ),
    "hardly_lower": Rule(
        (Measure("lowest over first value", lowest_to_first, "hardly", least=True),), 2
    ),
    "almost_linearly_lower": Rule(
        (_SLOPE, Measure("R^2", linearity, "almost_linearly", least=True)), 3
    ),
    "almost_independent": Rule(
        (Measure("largest over smallest value", spread, "almost_independent", least=False),), 2
    ),
    "slightly_lower": Rule((_SLOPE, _FALL), 3),
}


def rules_of(paper: Paper) -> Mapping[str, Rule]:
    """Return the rules that a paper's claims may name: these, and those in its ``judges.py``."""
    own = (getattr(module, "RULES", {}) for module in paper.modules(""))
    return {name: rule for some in (RULES, *own) for name, rule in some.items()}


@dataclass(frozen=True)
class Found:
    """One measure of one mode's curve, and whether it keeps its bound."""

    mode: str
    measure: Measure
    value: Interval
    limit: float
    holds: bool

    @property
    def straddles(self) -> bool:
        """Whether the bound lies within the 95 % interval."""
        return self.value.low < self.limit < self.value.high

    def values(self) -> dict[str, Any]:
        """Return it as plain data."""
        known = (self.value.mean, self.value.low, self.value.high)
        value, low, high = (None if math.isnan(number) else number for number in known)
        return {"value": value, "low": low, "high": high, "bound": self.limit, "holds": self.holds}


def measure(rule: Rule, curves: Mapping[str, Curve], parameters: Mapping[str, Any]) -> list[Found]:
    """Measure what the rule asks of each mode's curve."""
    found = []
    for one in rule.measures:
        limit = one.limit(parameters)
        for mode, curve in curves.items():
            value = propagated(one.statistic, curve)
            found.append(Found(mode, one, value, limit, one.keeps(value.mean, limit)))
    return found


def widest(
    rule: Rule, curves: Mapping[str, Curve], parameters: Mapping[str, Any]
) -> np.ndarray | None:
    """Return the longest run of the curves' common points on which all keep the bounds.

    Of equally long runs the first. None if there is none of enough points.
    """
    common = sorted(set.intersection(*(set(curve.x) for curve in curves.values())))
    for length in range(len(common), rule.points - 1, -1):
        for first in range(len(common) - length + 1):
            xs = common[first : first + length]
            parts = [curve.part(np.isin(curve.x, xs)) for curve in curves.values()]
            if all(rule.holds_on(part, parameters) for part in parts):
                return np.array(xs)
    return None


def told_range(xs: np.ndarray | None, axis: Axis, of: int) -> str:
    """Return a range of the swept key for readers."""
    if xs is None:
        return f"on no range of {axis.letter}"
    ends = [f"{x / axis.scale:.4g}" for x in (xs[0], xs[-1])]
    if len(xs) == 1:
        return f"at {axis.letter} = {ends[0]}{axis.unit} alone"
    return f"for {axis.letter} from {ends[0]} to {ends[1]}{axis.unit} ({len(xs)} of {of} points)"


def told_measures(found: list[Found], axis: Axis, of_bottleneck: bool) -> str:
    """Return what was measured: each measure, mode by mode, with half its 95 % interval."""
    texts: dict[str, list[str]] = {}
    for item in found:
        value, name = item.value, item.measure.name
        if item.measure.statistic is slope:
            # From SI units to those that readers see.
            scale = axis.scale * (1 if of_bottleneck else 1e-6)
            value = Interval(value.mean * scale, value.low * scale, value.high * scale)
            name = f"slope{_slope_unit(axis, of_bottleneck)}"
        mode = "" if item.mode == "fixed" else f"{tuners.label(item.mode)} "
        texts.setdefault(name, []).append(f"{mode}{item.measure.with_interval(value)}")
    return "; ".join(f"{name}: {', '.join(values)}" for name, values in texts.items())


def _slope_unit(axis: Axis, of_bottleneck: bool) -> str:
    """Return the unit of a slope as readers see it, in brackets."""
    own = "" if of_bottleneck else "Mbit/s "
    return f" ({own}per {axis.unit.strip() or f'1 of {axis.letter}'})"
