"""Confidence intervals of means.

Where a quantity has bounds, as a share has 0 and 1, an interval by Student's t may pass them. Then
it is made of the transformed mean and transformed back: the logit where there are two bounds, the
logarithm where there is one, with the standard error by the delta method (Agresti, "Categorical
Data Analysis", 3rd ed., Sections 3.1 and 16.1; Brown, Cai and DasGupta, "Interval Estimation for a
Binomial Proportion", Statistical Science 16(2), 2001, have it for proportions). Far from the
bounds, in units of its own width, it is Student's.
"""

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


SEEN = 5e-5
"""Half of an interval, as a share of its mean, below which four digits do not show it."""

Bounds = tuple[float, float]
"""The least and the largest value that a quantity can have; infinite for none."""

SHARE: Bounds = (0.0, 1.0)
"""Of a share, and of Jain's index."""

LOSS: Bounds = (-math.inf, 1.0)
"""Of what is lost of something, as harm and regret: all of it at most, while it may gain."""


def mean_interval(
    values: Sequence[float], level: float = 0.95, within: Bounds | None = None
) -> Interval:
    """Return the mean of at least two independent values and its interval.

    Args:
        values: independent of each other.
        level: of confidence.
        within: bounds of each value, which the interval keeps; None: it is Student's.
    """
    count = len(values)
    mean = statistics.fmean(values)
    half = t_quantile(count - 1, level) * statistics.stdev(values) / math.sqrt(count)
    return bounded(mean, half, within or (-math.inf, math.inf))


def bounded(mean: float, half: float, within: Bounds) -> Interval:
    """Return the interval within bounds, from a mean and half of its interval by Student's t."""
    low, high = within
    below, above = mean - low, high - mean
    # All values are at a bound, or it is passed: nothing to transform.
    if half == 0 or not (below > 0 and above > 0) or (math.isinf(below) and math.isinf(above)):
        return Interval(mean, mean - half, mean + half)
    if math.isinf(below):
        factor = math.exp(half / above)
        return Interval(mean, high - above * factor, high - above / factor)
    if math.isinf(above):
        factor = math.exp(half / below)
        return Interval(mean, low + below / factor, low + below * factor)
    factor = math.exp(half * (high - low) / (below * above))
    ends = (below / (below + above * factor), below / (below + above / factor))
    return Interval(mean, *(low + (high - low) * end for end in ends))


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
