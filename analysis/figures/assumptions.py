"""Each claim under each setting of what the paper does not say: what holds, and how robustly."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from .. import style
from ..study import shares

NAME = "assumptions"
"""File name without suffix."""

TITLE = "Which claims hold under which assumptions"

# Told apart in grey, too: by lightness, and by the mark within.
_CELLS = {
    "holds": ("#0072B2", "white", "\u2713"),
    "fails": ("#F6D9C6", "#8A3A00", "\u00d7"),
    "cannot be judged": ("#EEEEEE", "#555555", "?"),
}


def draw(judged: pd.DataFrame, folder: Path) -> list[Path]:
    """Draw the study and save it in all formats, with its CSV.

    Args:
        judged: from `analysis.study.judge_settings`; at least one row.
        folder: where the files go.

    Returns:
        The files written.

    Raises:
        OSError: a file cannot be written.
    """
    with style.styled():
        return style.save(_draw(judged), judged, folder / NAME)


def _draw(judged: pd.DataFrame) -> Figure:
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
    return figure


def _cell(axes: Axes, column: int, row: int, verdict: str) -> None:
    fill, ink, mark = _CELLS[verdict]
    axes.add_patch(Rectangle((column - 0.46, row - 0.42), 0.92, 0.84, color=fill, linewidth=0))
    axes.text(column, row, mark, ha="center", va="center", color=ink, fontsize=8)
