"""Confidence intervals of means."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
    """A mean and its confidence interval."""

    mean: float
    low: float
    high: float


def mean_interval(values: Sequence[float], level: float = 0.95) -> Interval:
    """Return the mean of at least two independent values and its interval by Student's t."""
    count = len(values)
    mean = statistics.fmean(values)
    half = t_quantile(count - 1, level) * statistics.stdev(values) / math.sqrt(count)
    return Interval(mean, mean - half, mean + half)


def relative_half_width(values: Sequence[float]) -> float:
    """Return half of the 95 % interval of a mean, as a share of the mean; 0 for equal values."""
    interval = mean_interval(values)
    half = (interval.high - interval.low) / 2
    return half / abs(interval.mean) if half else 0.0


def t_quantile(freedom: int, level: float) -> float:
    """Return t such that Student's t of so many degrees of freedom is within +-t at this level."""
    # The angle atan(t / sqrt(freedom)) is below a right one, and the level grows with it.
    low, high = 0.0, math.pi / 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_level(middle, freedom) < level else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _t_level(angle: float, freedom: int) -> float:
    """Return how probable it is that t is within +-t: Abramowitz and Stegun, 26.7.3 and 26.7.4."""
    odd = freedom % 2
    cosine = math.cos(angle)
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for n in range(2 + odd, freedom - 1, 2):
        term *= cosine * cosine * (n - 1) / n
        total += term
    total *= math.sin(angle)
    return (angle + total) * 2 / math.pi if odd else total
