"""Each claim under each setting of what the paper does not say: what holds, and how robustly."""

from __future__ import annotations

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from ..claims.study import effects, judge_settings, shares, summary
from ..drawing import style
from ..read.results import ResultError
from . import Drawn, Kind

_MOST_ROWS = 60
"""Settings that are drawn a row each."""

# Told apart in grey, too: by lightness, and by the mark within.
_CELLS = {
    "holds": ("#0072B2", "white", "\u2713"),
    "fails": ("#F6D9C6", "#8A3A00", "\u00d7"),
    "cannot be judged": ("#EEEEEE", "#555555", "?"),
}


def _draw(judged: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    if not len(judged):
        raise ResultError("the results contain no run of the sweep")
    if judged["setting"].nunique() > _MOST_ROWS:
        return _draw_effects(judged)
    verdicts = judged.pivot_table(
        index="setting", columns="claim", values="verdict", aggfunc="first", sort=False
    )
    rows = len(verdicts)
    figure = style.new_figure(_width(len(verdicts.columns)), 1.9 + 0.21 * rows)
    axes = figure.subplots()
    for row, setting in enumerate(verdicts.index):
        for column, claim in enumerate(verdicts.columns):
            _cell(axes, column, row, verdicts.loc[setting, claim])
    table = shares(judged).set_index("claim")
    for column, claim in enumerate(verdicts.columns):
        holds, known = table.loc[claim, ["holds", "judged"]]
        told = f"{holds}" if known == rows else f"{holds} of {known}"
        axes.text(column, rows + 0.15, told, ha="center", va="center", fontsize=7.5)
    axes.set_ylim(rows + 0.6, -0.5)
    axes.set_yticks(
        [*range(rows), rows + 0.15], [*verdicts.index, f"settings, of {rows}, under which it holds"]
    )
    _finish(axes, list(verdicts.columns))
    figure.supxlabel(
        "\u2713 holds, \u00d7 fails, ? cannot be judged; first row: assumptions as shipped; "
        "other rows: one assumption changed, or two",
        fontsize=7,
        color=style.GREY,
    )
    return figure, judged


def _draw_effects(judged: pd.DataFrame) -> Drawn:
    """Draw how often each claim holds with each assumption, too many settings to draw each."""
    table = effects(judged)
    assumptions = list(table["assumption"].unique())
    names = list(judged["claim"].unique())
    figure = style.new_figure(_width(len(names)), 2.1 + 0.26 * len(assumptions))
    axes = figure.subplots()
    overall = shares(judged).set_index("claim")
    for column, claim in enumerate(names):
        holds, known = overall.loc[claim, ["holds", "judged"]]
        _share(axes, column, 0, holds / known if known else math.nan)
    rows = table.set_index(["assumption", "claim"])
    for row, assumption in enumerate(assumptions, 1):
        for column, claim in enumerate(names):
            _share(axes, column, row, rows.loc[(assumption, claim), "with"])
    axes.set_ylim(len(assumptions) + 0.5, -0.5)
    labels = ["under all settings", *(f"with {name}" for name in assumptions)]
    axes.set_yticks(range(len(labels)), labels)
    _finish(axes, names)
    figure.supxlabel(
        f"share of {judged['setting'].nunique()} settings, all combinations of the assumptions, "
        "under which a claim holds, in %",
        fontsize=7,
        color=style.GREY,
    )
    return figure, table


def _width(claims: int) -> float:
    """Return how wide a figure is, in inches: room for the settings' names and a column a claim."""
    return max(7.6, 4 + 0.36 * claims)


def _share(axes: Axes, column: int, row: int, share: float) -> None:
    known = 0.0 if math.isnan(share) else share
    fill = tuple(1 - known * (1 - part) for part in to_rgb(_CELLS["holds"][0]))
    axes.add_patch(Rectangle((column - 0.46, row - 0.42), 0.92, 0.84, color=fill, linewidth=0))
    ink = "white" if known > 0.6 else "black"
    told = "?" if math.isnan(share) else f"{share * 100:.0f}"
    axes.text(column, row, told, ha="center", va="center", color=ink, fontsize=7.5)


def _finish(axes: Axes, names: list[str]) -> None:
    """Put the claims above the columns, and leave away what a matrix does not need."""
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_xticks(range(len(names)), names, rotation=40, ha="left")
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=7.5)
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _cell(axes: Axes, column: int, row: int, verdict: str) -> None:
    fill, ink, mark = _CELLS[verdict]
    axes.add_patch(Rectangle((column - 0.46, row - 0.42), 0.92, 0.84, color=fill, linewidth=0))
    axes.text(column, row, mark, ha="center", va="center", color=ink, fontsize=8)


FIGURE = Kind("Which claims hold under which assumptions", _draw, judge_settings, answer=summary)
