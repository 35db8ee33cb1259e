"""What figures of the paper's tables share: rows side by side, our points and the paper's lines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.statistics.means import summary
from analysis.statistics.pairs import agreement_in

KEYS = ["label", "row", "column"]
"""What tells cells apart."""

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P")

_WIDTH = 0.8
"""Of a row, in which its series stand, of the distance between two."""

_HEIGHT_IN = 2.2


@dataclass(frozen=True)
class Panel:
    """A part of a figure.

    Attributes:
        name: of its vertical axis, with the unit.
        series: label and column of the cells of each series, by what readers call it.
        scale: what the cells' own unit is multiplied by.
        most: end of the vertical axis, where what is beyond is told as a number; None: no such end.
    """

    name: str
    series: Mapping[str, tuple[str, str]]
    scale: float = 1.0
    most: float | None = None


def done(runs: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the runs that are done, as `tables` take them."""
    rows = runs.dropna(subset="goodput_bps")
    return [{str(key): value for key, value in row.items()} for row in rows.to_dict("records")]


def summarised(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each cell of a table: mean and 95 % interval of ours, and what is published.

    Cells that nothing was measured of are left out.
    """
    rows = []
    for where, same in table.dropna(subset="value").groupby(KEYS, sort=False):
        told = dict(zip(KEYS, where, strict=True))
        rows.append(
            {**told, **summary(list(same["value"])), "published": same["published"].iloc[0]}
        )
    columns = [*KEYS, "runs", "mean", "low", "high", "error", "published"]
    return pd.DataFrame(rows, columns=columns)


def draw(drawn: Sequence[tuple[pd.DataFrame, Panel]]) -> Figure:
    """Draw panels below each other, each over the rows of its cells."""
    figure = style.new_figure(7.2, 1.0 + _HEIGHT_IN * len(drawn))
    parts = figure.subplots(len(drawn), 1, squeeze=False)[:, 0]
    for axes, (cells, panel) in zip(parts, drawn, strict=True):
        _panel(axes, cells, panel)
    handles = {
        name: handle
        for axes in parts
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if len(handles) > 1:
        columns = min(len(handles), 6)
        figure.legend(
            list(handles.values()), list(handles), loc="outside upper center", ncols=columns,
            fontsize=8,
        )  # fmt: skip
    return figure


def _panel(axes: Axes, cells: pd.DataFrame, panel: Panel) -> None:
    own = [
        cells[(cells["label"] == label) & (cells["column"] == column)].set_index("row")
        for label, column in panel.series.values()
    ]
    order = list(dict.fromkeys(row for rows in own for row in rows.index))
    width = _WIDTH / len(own)
    top = panel.most or _top(own, panel.scale)
    for place, (name, rows) in enumerate(zip(panel.series, own, strict=True)):
        color, marker = COLORS[place], MARKERS[place]
        shift = (place - (len(own) - 1) / 2) * width
        x = pd.Series([order.index(row) + shift for row in rows.index], rows.index, dtype=float)
        look: dict[str, Any] = {"color": color, "marker": marker, "linestyle": "", "markersize": 4}
        half = ((rows["high"] - rows["low"]) / 2).fillna(0) * panel.scale
        values = rows["mean"] * panel.scale
        axes.errorbar(x, values, yerr=half, elinewidth=0.8, label=name, **look)
        told = rows["published"].dropna() * panel.scale
        at = x[told.index]
        axes.hlines(told, at - width / 2, at + width / 2, color=color, linewidth=1.2)
        for where, value in values[values > top].items():
            axes.annotate(
                f"{value:.0f}", (x[where], top), color=color, fontsize=7, ha="center", va="top"
            )
    axes.set_xticks(range(len(order)), [_broken(row) for row in order], fontsize=6.5)
    axes.set_xlim(-0.5, max(len(order), 1) - 0.5)
    axes.set_ylabel(panel.name, fontsize=8)
    axes.set_ylim(0, top)
    for between in range(1, len(order)):
        axes.axvline(between - 0.5, color=style.GREY, linewidth=0.4)


def _top(own: Sequence[pd.DataFrame], scale: float) -> float:
    """Return an end of the axis above all means and published numbers, not above all intervals."""
    values = [rows[column].max() * scale for rows in own for column in ("mean", "published")]
    return 1.15 * max((value for value in values if value > 0), default=1.0)


def _broken(row: str) -> str:
    """Return a row's name in lines."""
    return row.replace("-", "-\n").replace(" to ", " to\n").replace(", ", ",\n")


HOW_TOLD = "points: simulated means with 95 % intervals; lines: the paper's values"
"""Of a caption."""


def caption(figure: Figure, runs: pd.DataFrame, lines: Sequence[str]) -> None:
    """Write the lines of a caption, how the engines agree and what is missing under a figure."""
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    told = [
        f"files of {style.decimal_bytes(first['file_size_bytes'])}, TCP {first['tcp']}, packets of "
        f"{first['packet_size_bytes']:g} bytes; MB are $2^{{20}}$ bytes",
        *lines,
    ]
    if said := agreement_in(runs).told():
        told.append(said)
    figure.supxlabel("\n".join([*told, *missing([], runs)]), fontsize=7, color=style.GREY)


def off_by(cells: pd.DataFrame) -> pd.Series:
    """Return by what share each cell is off the published one, where there is one."""
    known = cells[cells["published"] > 0]
    return known["mean"] / known["published"] - 1


def typical(off: pd.Series) -> float:
    """Return the mean of how far off cells are, whichever way; nan of none."""
    return float(off.abs().mean()) if len(off) else math.nan
