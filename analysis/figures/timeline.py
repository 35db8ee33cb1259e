"""What Figures 3 and 4 share: one quantity of every chunk over time, the start magnified."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .. import style
from ..results import Result

MODES = ("mi", "mi-plus", "aimd")
"""The tuning modes of the paper, which are the names of the kept results too."""

DENSE = 0.7
"""How much smaller lines and markers are where the whole transfer is shown."""


def chunk_table(results: Mapping[str, Result], columns: list[str]) -> pd.DataFrame:
    """Return one row per mode and chunk of the first session: mode, index and the columns."""
    tables = []
    for mode in MODES:
        chunks = results[mode].chunks().query("session == 0")
        tables.append(chunks.assign(mode=mode)[["mode", "index", *columns]])
    return pd.concat(tables, ignore_index=True)


def two_panels(table: pd.DataFrame) -> tuple[Figure, Axes, Axes]:
    """Return a figure of two panels with a common vertical axis: the start, and everything.

    The start is as long as the slowest mode needs for its first eight chunks.
    """
    figure = style.new_figure(7.2, 3.3)
    start, whole = figure.subplots(1, 2, sharey=True, width_ratios=(1, 1.7))
    first = table.groupby("mode")["completed_s"].apply(lambda times: times.iloc[:8].max()).max()
    start.set_xlim(0, first * 1.04)
    whole.set_xlim(0, table["completed_s"].max() * 1.02)
    start.set_title("(a) the start")
    whole.set_title("(b) the whole transfer")
    for axes in (start, whole):
        axes.set_xlabel("Time since the start of the transfer (s)")
    return figure, start, whole


def finish(figure: Figure, axes: Axes, results: Mapping[str, Result]) -> None:
    """Put the legend of the axes above the panels and the conditions below them."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(handles))
    first = results[MODES[0]]
    figure.supxlabel(style.conditions(first.scenario, first.engine), fontsize=7, color=style.GREY)
