"""Goodput over whatever a sweep sweeps: the figure of a spec of one's own.

The horizontal axis is the key with the most values; every combination of the rest that differs,
sets, modes and sessions among them, is a line, with the 95 % interval of its mean where
replications are.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..drawing import bands, style
from ..drawing.axes import Axis, axis_of, is_log, name_of, told, value_ticks, width_of
from ..drawing.bands import Bands
from ..drawing.lines import looks
from ..read import stored, tuners
from ..read.results import MAIN_SESSION, ResultError
from ..statistics.curve import MEASURED
from ..statistics.interval import mean_interval
from . import Drawn, Kind

MOST_LINES = 24
"""Lines that can be told apart."""

_MOST_ABOVE = 6
"""With more lines the legend is at the side."""

_BESIDE = 0.7
"""Which part of the width is left beside a legend at the side."""

_MOST_MARKED = 25
"""Points of a line that have a marker each; of more, as many have one."""

_NO_LINE = {"run", "seed", *MEASURED}
"""Columns that set no line apart."""


def _draw(rows: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    done = rows.dropna(subset="goodput_bps") if len(rows) else rows
    if not len(done):
        raise ResultError("the results contain no run of the sweep")
    varying = _varying(done)
    if not varying:
        raise ResultError("its runs differ in no parameter that can be on an axis")
    key = max(varying, key=lambda name: done[name].nunique())
    apart = _apart(done, key)
    table, lines = _means(done, key, apart)
    if len(lines) > MOST_LINES:
        raise ResultError(
            f"the figure has {len(lines)} lines; allowed: at most {MOST_LINES}; a spec that "
            "sweeps a part "
            "of it draws that part, from what is kept"
        )
    beside = len(lines) > _MOST_ABOVE
    figure = style.new_figure(7.2 if beside else 5.6, 4.1 if beside else 3.9)
    axes = figure.subplots()
    drawn = _draw_lines(axes, table, lines, axis_of(key, done[key]))
    if len(lines) > 1:
        _legend(figure, lines, drawn.seen())
    caption = [
        _conditions(done, [*_differing(done), key]),
        _precision(table, drawn),
        *_undone(rows),
    ]
    figure.supxlabel("\n".join(caption), fontsize=7, color=style.GREY)
    return figure, table


def _draw_lines(
    axes: Axes, table: pd.DataFrame, lines: Mapping[str, Mapping[str, Any]], axis: Axis
) -> Bands:
    """Draw the lines with their bands, and both axes; return the bands."""
    drawn, unit = Bands(), axis_of("goodput_bps", [table["goodput_bps"].max()])
    values = [value * axis.scale for value in table[axis.key]]
    if is_log(values):
        axes.set_xscale("log")
    own_mode = table["mode"].iloc[0] if table["mode"].nunique() == 1 else ""
    for (name, _), look in zip(lines.items(), looks(list(lines.values()), own_mode), strict=True):
        points = table[table["line"] == name]
        x, mean = points[axis.key] * axis.scale, points["goodput_bps"] * unit.scale
        every = math.ceil(len(points) / _MOST_MARKED)
        axes.plot(x, mean, label=name, markevery=every, **look)
        low, high = points["low_bps"] * unit.scale, points["high_bps"] * unit.scale
        drawn.draw(axes, x, low, high, color=look["color"])
    axes.set_xlabel(axis.title)
    axes.set_ylabel(f"Goodput G ({unit.unit})")
    axes.set_ylim(bottom=0)
    wide = width_of(axes) * (_BESIDE if len(lines) > _MOST_ABOVE else 1)
    value_ticks(axes, values, wide, axis.text)
    return drawn


def _legend(figure: Figure, lines: Mapping[str, Mapping[str, Any]], bands_seen: bool) -> None:
    """Put the legend above the axes, at the side where it is long; tell a key of all lines once."""
    handles = figure.axes[0].get_lines()
    texts, title = list(lines), None
    keys = set().union(*(line.keys() for line in lines.values()))
    if len(keys) == 1 and isinstance(next(iter(lines.values()))[(key := keys.pop())], int | float):
        texts = [told(key, line[key]) for line in lines.values()]
        title = name_of(key)
    if bands_seen:
        handles, texts = [*handles, bands.handle()], [*texts, bands.handle().get_label()]
    beside = len(lines) > _MOST_ABOVE
    figure.legend(
        handles, texts, title=title, fontsize=8, title_fontsize=8,
        loc="outside right upper" if beside else "outside upper center", ncols=1 if beside else 2,
    )  # fmt: skip


def _varying(done: pd.DataFrame) -> list[str]:
    """Return the numeric keys of the scenario that differ between runs; sessions are lines."""
    numbers = done.select_dtypes("number", exclude="bool")
    no_axis = {*_NO_LINE, "session"}
    return [key for key in numbers if key not in no_axis and done[key].nunique() > 1]


def _differing(done: pd.DataFrame) -> list[str]:
    return [name for name in done if done[name].nunique() > 1]


def _apart(done: pd.DataFrame, key: str) -> list[str]:
    """Return the columns in which lines differ; what follows from the key sets none apart."""
    first = ("label", "engine", "mode")
    others = [*first, *(name for name in done if name not in {key, *first, *_NO_LINE})]
    follows = {name for name in others if done.groupby(key)[name].nunique().max() == 1}
    return [name for name in others if name not in follows and done[name].nunique() > 1]


def _means(
    done: pd.DataFrame, key: str, apart: Sequence[str]
) -> tuple[pd.DataFrame, dict[str, dict[str, Any]]]:
    """Return the mean goodput at each value of the key, and what sets each line apart, by name."""
    rows, lines = [], {}
    for values, runs in done.groupby([*apart, key], sort=True, dropna=False):
        *of, x = values
        own = dict(zip(apart, of, strict=True))
        name = ", ".join(_told(own)) or "goodput"
        lines.setdefault(name, own)
        low, high = math.nan, math.nan
        if len(runs) > 1:
            interval = mean_interval(runs["goodput_bps"].tolist())
            low, high = interval.low, interval.high
        rows.append(
            {
                "line": name,
                "mode": runs["mode"].iloc[0],
                key: x,
                "runs": len(runs),
                "goodput_bps": runs["goodput_bps"].mean(),
                "low_bps": low,
                "high_bps": high,
            }
        )
    return pd.DataFrame(rows), lines


def _told(values: Mapping[str, Any]) -> list[str]:
    """Return what sets a line apart, in words."""
    texts = []
    for name, value in values.items():
        word = name_of(name).lower()
        if name == "mode":
            texts.append(tuners.label(value))
        elif name == "beside":
            texts.append(_company(value))
        elif isinstance(value, bool):
            texts.append(f"{word} {'on' if value else 'off'}")
        elif isinstance(value, str):
            texts.append(value if name in ("label", "engine") else f"{word} {value}")
        else:
            texts.append(f"{word} {told(name, value)}")
    return texts


def _company(beside: str) -> str:
    """Return what shares the bottleneck with a session, short: how many, and a name for which."""
    if not beside:
        return "alone"
    return f"{len(json.loads(beside))} next to it ({zlib.crc32(beside.encode()):08x})"


def _conditions(done: pd.DataFrame, apart: Sequence[str]) -> str:
    """Return the caption's line of what is the same in all runs."""
    first = done.iloc[0]
    return style.conditions(first, first["engine"], apart, done["mode"].unique())


def _precision(table: pd.DataFrame, drawn: Bands) -> str:
    half = (table["high_bps"] - table["low_bps"]) / 2 / table["goodput_bps"]
    return bands.told(table["runs"], half, drawn.seen())


def _undone(rows: pd.DataFrame) -> list[str]:
    runs = rows[rows["session"] == MAIN_SESSION]
    undone = int(runs["goodput_bps"].isna().sum())
    return [f"Missing: {undone} of {len(runs)} runs are not simulated"] if undone else []


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    return stored.session_table(store, sweep, beside=True)


FIGURE = Kind("Goodput over the swept parameters", _draw, _rows)
