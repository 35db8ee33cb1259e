"""Each claim under each setting of what the paper does not say: what holds, and how robustly."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from .. import style
from ..results import ResultError
from ..study import judge_settings, shares
from . import Drawn, Kind

# Told apart in grey, too: by lightness, and by the mark within.
_CELLS = {
    "holds": ("#0072B2", "white", "\u2713"),
    "fails": ("#F6D9C6", "#8A3A00", "\u00d7"),
    "cannot be judged": ("#EEEEEE", "#555555", "?"),
}


def _draw(judged: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    if not len(judged):
        raise ResultError("no run of the sweep is done")
    verdicts = judged.pivot_table(
        index="setting", columns="claim", values="verdict", aggfunc="first", sort=False
    )
    rows, columns = verdicts.shape
    figure = style.new_figure(7.6, 1.9 + 0.21 * rows)
    axes = figure.subplots()
    for row, setting in enumerate(verdicts.index):
        for column, claim in enumerate(verdicts.columns):
            _cell(axes, column, row, verdicts.loc[setting, claim])
    table = shares(judged).set_index("claim")
    for column, claim in enumerate(verdicts.columns):
        holds, known = table.loc[claim, ["holds", "judged"]]
        told = f"{holds}" if known == rows else f"{holds} of {known}"
        axes.text(column, rows + 0.15, told, ha="center", va="center", fontsize=7.5)
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows + 0.6, -0.5)
    axes.set_yticks(
        [*range(rows), rows + 0.15], [*verdicts.index, f"holds under so many of {rows}"]
    )
    axes.set_xticks(range(columns), verdicts.columns, rotation=40, ha="left")
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=7.5)
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    figure.supxlabel(
        "\u2713 holds, \u00d7 fails, ? cannot be judged; all but the first row: one other "
        "assumption, or a pair",
        fontsize=7,
        color=style.GREY,
    )
    return figure, judged


def _cell(axes: Axes, column: int, row: int, verdict: str) -> None:
    fill, ink, mark = _CELLS[verdict]
    axes.add_patch(Rectangle((column - 0.46, row - 0.42), 0.92, 0.84, color=fill, linewidth=0))
    axes.text(column, row, mark, ha="center", va="center", color=ink, fontsize=8)


FIGURE = Kind("Which claims hold under which assumptions", _draw, judge_settings)
