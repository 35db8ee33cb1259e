"""Comparison of tuners: which is fastest, how soon has it found its N, and what do others pay?

Sets, by their labels: ``tuned``, tuners over paths and files, alone and beside one plain TCP
connection; ``fixed``, numbers of connections that do not change, over the same; ``ns3`` and
``ns3-twin``, a path of the first on both engines. What is measured is in `race_measures`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.drawing import heatmap, style
from analysis.drawing.words import missing, replications
from analysis.figures import Drawn, Kind
from analysis.read import tuners
from analysis.read.results import ResultError
from analysis.read.sets import require
from analysis.statistics.pairs import agreement_in
from papers.anglano.figures import race_measures as race
from papers.anglano.figures.race_answer import answer

Panel = tuple[str, bool, str, float, tuple[float, float]]
"""What a panel shows: column, beside plain TCP or alone, title, scale, lightest and darkest."""

Words = Callable[[str], str]
"""From a contender to its name."""

PANELS: tuple[Panel, ...] = (
    ("regret", False, "Regret alone, %", 100.0, (0, 60)),
    ("regret", True, "Regret next to plain TCP, %", 100.0, (0, 60)),
    ("reach_s", False, "Time to within 5 %, alone, s", 1.0, (0, 120)),
    ("harm", True, "Harm to plain TCP, %", 100.0, (0, 100)),
)
"""The parts of the figure."""

_COLUMNS = (*race.SETTING, *race.CONTENDER, "mode")
"""What differs between runs, and is not told as a condition of all of them."""


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    return race.rows_of(store, sweep)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    for label in (race.TUNED, race.FIXED):
        require(runs, [label])
    table = race.table_of(runs)
    if table.empty:
        raise ResultError("no path has runs of a tuner and of a fixed N that are done")
    figure = style.new_figure(7.2, 8.4)
    panels = figure.subplots(2, 2, sharey=True)
    for axes, shown in zip(panels.flat, PANELS, strict=True):
        panel(axes, table, shown)
    figure.supxlabel(_caption(table, runs), fontsize=7, color=style.GREY)
    return figure, table


def panel(
    axes: Axes,
    rows: pd.DataFrame,
    shown: Panel,
    table: pd.DataFrame | None = None,
    names: Words | None = None,
) -> None:
    """Draw one heat map.

    Args:
        axes: to draw on.
        rows: of `race.table_of`.
        shown: which of their columns, one of `PANELS`.
        table: has the paths and contenders of the axes, where several panels share them; None:
            those of the rows.
        names: what readers call contenders; None: by their modes.
    """
    column, beside, title, scale, bounds = shown
    own = rows[rows["beside"] == beside]
    table = rows if table is None else table
    values = _grid(own, table, column) * scale
    heatmap.draw(axes, values, lambda value: f"{round(value):d}", bounds, 5.2)
    if column == "regret":
        heatmap.ring(axes, _grid(own, table, "wins") == 1)
    heatmap.label(axes, values, names or name_of, _where)
    axes.tick_params(axis="x", rotation=90, labelsize=6.5)
    axes.tick_params(axis="y", labelsize=5.8)
    axes.set_title(title, fontsize=8)


def _grid(own: pd.DataFrame, table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column over settings (rows) and contenders (columns), nan where there is none."""
    rows = sorted({_path(row) for row in table.to_dict("records")}, reverse=True)
    columns = race.contenders(table)
    known = {(_path(row), row["contender"]): row[column] for row in own.to_dict("records")}
    numbers = [[float(known.get((row, name), np.nan)) for name in columns] for row in rows]
    return pd.DataFrame(numbers, index=pd.Index(rows, tupleize_cols=False), columns=columns)


def _path(row: Mapping[Hashable, Any]) -> tuple[float, ...]:
    """Return which row of the figure a row of the table is in."""
    return tuple(row[key] for key in race.PATH)


def name_of(contender: str) -> str:
    """Return what a column of the figure is called."""
    if contender == race.FIXED:
        return "best fixed N"
    mode, _, search = contender.partition(" ")
    return tuners.label(mode) + (f",\n{search}" if search else "")


def _where(point: tuple[float, ...]) -> str:
    rate, delay, loss, size = point
    return (
        f"{rate / 1e6:g} Mbit/s, {2e3 * delay:g} ms, {loss * 100:g} %, {style.decimal_bytes(size)}"
    )


def _caption(table: pd.DataFrame, runs: pd.DataFrame) -> str:
    first = runs[(runs["label"] == race.TUNED) & runs["goodput_bps"].notna()].iloc[0]
    lines = [
        style.conditions(first, first["engine"], _COLUMNS),
        replications(table, first),
        "rows: bottleneck, round trip, random loss, file; rings: least regret of the row",
        "time: only of runs that have a chunk with 95 % of the best fixed N's goodput; hatched: "
        "no such run",
        "harm: goodput that the connection loses, as a share of its goodput next to "
        "a single connection",
    ]
    if said := agreement_in(runs, race.MEASURED).told():
        lines.append(said)
    return "\n".join([*lines, *missing([], runs)])


FIGURE = Kind(
    "Comparison of tuners",
    _draw,
    rows=_rows,
    question="Which tuner transfers a file fastest, how soon does it find its N, and how much do "
    "competing flows lose?",
    answer=answer,
)
