"""Heat maps: a cell for each pair of values, with its number in it, and frames around regions.

One scale from light to dark, so that grey print shows the same; what counts is in the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import LinearSegmentedColormap, Normalize

from . import style

SHADES = LinearSegmentedColormap.from_list("shades", ["#f2f7fb", "#7fb6da", "#0072B2", "#00304d"])
"""From little to much; the lightness falls all the way."""

EMPTY = {"facecolor": "#f4f4f4", "edgecolor": "#d4d4d4", "hatch": "//////", "linewidth": 0}
"""Cells without a number."""

Words = Callable[[float], str]
"""From a cell's number to its text."""


def draw(
    axes: Axes,
    values: pd.DataFrame,
    words: Words | pd.DataFrame,
    bounds: tuple[float, float],
    size: float = 6.5,
) -> None:
    """Draw the cells.

    Args:
        axes: to draw on.
        values: of the cells: rows upwards, columns to the right; nan stays hatched.
        words: their texts, or how to make them.
        bounds: values of the lightest and the darkest shade.
        size: of the texts, in points.
    """
    norm = Normalize(*bounds, clip=True)
    numbers = values.to_numpy(dtype=float)
    axes.patch.set(**EMPTY)
    edges = [np.arange(count + 1) - 0.5 for count in reversed(numbers.shape)]
    axes.pcolormesh(
        *edges, np.ma.masked_invalid(numbers), cmap=SHADES, norm=norm,
        edgecolors="white", linewidth=0.6,
    )  # fmt: skip
    for (row, column), value in np.ndenumerate(numbers):
        if not np.isnan(value):
            text = words(value) if callable(words) else words.iat[row, column]
            ink = "white" if _lightness(SHADES(norm(value))) < 0.55 else "black"
            axes.text(column, row, text, ha="center", va="center", fontsize=size, color=ink)
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def label(axes: Axes, values: pd.DataFrame, x: Words, y: Words) -> None:
    """Write the values of columns and rows at the axes."""
    axes.set_xticks(range(values.shape[1]), [x(value) for value in values.columns])
    axes.set_yticks(range(values.shape[0]), [y(value) for value in values.index])


def frame(axes: Axes, region: pd.DataFrame) -> None:
    """Draw a line around the cells of a region: where it is true, shaped as the values."""
    lines = list(_border(region.to_numpy(dtype=bool)))
    axes.add_collection(LineCollection(lines, colors="black", linewidths=1.5, capstyle="projecting",
                                       zorder=4, clip_on=False))  # fmt: skip


def ring(axes: Axes, cells: pd.DataFrame) -> None:
    """Mark cells, where it is true, with a ring in the upper right corner."""
    rows, columns = np.nonzero(cells.to_numpy(dtype=bool))
    axes.plot(
        columns + 0.34, rows + 0.32, linestyle="", marker="o", markersize=3,
        markerfacecolor="white", markeredgecolor=style.INK["vermilion"], markeredgewidth=0.9,
        zorder=5,
    )  # fmt: skip


def _border(region: np.ndarray) -> Iterator[list[tuple[float, float]]]:
    """Yield the edges between a cell of the region and one that is not, or none."""
    padded = np.pad(region, 1)
    for row, column in np.argwhere(padded[1:-1, :-1] != padded[1:-1, 1:]):
        yield [(column - 0.5, row - 0.5), (column - 0.5, row + 0.5)]
    for row, column in np.argwhere(padded[:-1, 1:-1] != padded[1:, 1:-1]):
        yield [(column - 0.5, row - 0.5), (column + 0.5, row - 0.5)]


def _lightness(rgba: tuple[float, float, float, float]) -> float:
    """Return how light a colour is, 0 to 1, as grey print has it."""
    red, green, blue, _ = rgba
    return 0.299 * red + 0.587 * green + 0.114 * blue
