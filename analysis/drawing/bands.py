"""Bands of 95 % intervals: drawn, and told of as what a reader can see of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from . import style
from .axes import height_of

OPACITY = 0.25

_SEEN_PT = 5
"""A narrower band is hidden by the line and the markers in its middle."""


@dataclass
class Bands:
    """The bands of one figure.

    Attributes:
        drawn: axes, lower and upper bounds of each, in the axes' units.
    """

    drawn: list[tuple[Axes, np.ndarray, np.ndarray]] = field(default_factory=list)

    def draw(self, axes: Axes, x: Any, low: Any, high: Any, **look: Any) -> None:
        """Draw one; nan is no interval."""
        axes.fill_between(x, low, high, alpha=OPACITY, linewidth=0, **look)
        self.drawn.append((axes, np.asarray(low, float), np.asarray(high, float)))

    def seen(self) -> bool:
        """Return whether any is wider than its line; to be asked when all limits are set."""
        return any(_width_pt(*band) > _SEEN_PT for band in self.drawn)


def _width_pt(axes: Axes, low: np.ndarray, high: np.ndarray) -> float:
    """Return how wide a band is at most, in points; 0 without an interval."""
    known = ~(np.isnan(low) | np.isnan(high))
    if not known.any():
        return 0.0
    axes.get_ylim()  # Brings the limits up to date
    place = axes.transScale + axes.transLimits
    ends = [place.transform(np.column_stack([np.ones(known.sum()), y[known]]))[:, 1]
            for y in (low, high)]  # fmt: skip
    return float(np.max(ends[1] - ends[0])) * height_of(axes)


def handle() -> Patch:
    """Return what stands for bands in a legend."""
    return Patch(color=style.GREY, alpha=OPACITY, linewidth=0, label="95 % interval of the mean")


def told(runs: Iterable[int], half_widths: pd.Series, seen: bool) -> str:
    """Return a caption's words on means and their intervals.

    Args:
        runs: how many each mean is of.
        half_widths: half of each interval, as a share of the mean; nan for none.
        seen: whether a band can be seen.
    """
    counts = sorted(set(runs))
    few, many = counts[0], counts[-1]
    if many == 1:
        return "a single run at each point, no interval"
    count = f"{few}" if few == many else f"{few} to {many}"
    lines = f"lines: means of {count} runs"
    widest = half_widths.max()
    if pd.isna(widest):
        return f"{lines}, no interval"
    most = f"at most \u00b1{widest * 100:.2g} %"
    if widest == 0:
        return f"{lines} that are equal"
    if seen:
        return f"{lines}; bands: 95 % intervals of the means (Student's t), {most}"
    return f"{lines}; their 95 % intervals (Student's t), {most}, are narrower than the lines"
