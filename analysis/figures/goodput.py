"""Goodput over whatever a sweep sweeps: the figure of a spec of one's own.

The horizontal axis is the key with the most values; every combination of the rest that differs,
sets, modes and sessions among them, is a line, with the 95 % interval of its mean where
replications are.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd

from ..drawing import style
from ..read import stored, tuners
from ..read.results import MAIN_SESSION, ResultError
from ..statistics.curve import MEASURED
from ..statistics.interval import mean_interval
from . import Drawn, Kind

MOST_LINES = 12
"""Lines that can be told apart."""

_NO_LINE = {"run", "seed", *MEASURED}
"""Columns that set no line apart."""

_UNITS = {
    "_bps": (1e-6, "Mbit/s"),
    "_s": (1e3, "ms"),
    "_bytes": (1, "bytes"),
    "_packets": (1, "packets"),
}
_LOG_FROM = 25
"""Values that far apart are drawn on a logarithmic axis."""

_DASHES = ("-", (0, (4, 2)), (0, (1.2, 1.4)), (0, (3, 1.2, 1, 1.2)))
_MARKERS = "osD^vP<>X*hp"


@dataclass(frozen=True)
class _Axis:
    """The swept key on the horizontal axis: factor and unit of what is shown."""

    key: str
    scale: float
    text: str


def _draw(rows: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    done = rows.dropna(subset="goodput_bps") if len(rows) else rows
    if not len(done):
        raise ResultError("no run of the sweep is done")
    varying = _varying(done)
    if not varying:
        raise ResultError("nothing that can be on an axis differs between its runs")
    key = max(varying, key=lambda name: done[name].nunique())
    table = _means(done, key)
    lines = list(table.groupby("line", sort=False))
    if len(lines) > MOST_LINES:
        raise ResultError(f"it has {len(lines)} lines; allowed: at most {MOST_LINES}")
    figure = style.new_figure(5.6, 3.7)
    axes = figure.subplots()
    axis = _axis(key)
    for number, (name, points) in enumerate(lines):
        look = _look(points["mode"].iloc[0], number)
        x = points[key] * axis.scale
        axes.plot(x, points["goodput_bps"] / 1e6, label=name, **look)
        low, high = points["low_bps"] / 1e6, points["high_bps"] / 1e6
        axes.fill_between(x, low, high, color=look["color"], alpha=0.25, linewidth=0)
    values = done[key] * axis.scale
    if values.min() > 0 and values.max() / values.min() >= _LOG_FROM:
        axes.set_xscale("log")
    axes.set_xlabel(axis.text)
    axes.set_ylabel("Goodput G (Mbit/s)")
    axes.set_ylim(bottom=0)
    if len(lines) > 1:
        figure.legend(loc="outside upper center", ncols=2, fontsize=8)
    figure.supxlabel(_caption(rows, done, key), fontsize=7, color=style.GREY)
    return figure, table


def _varying(done: pd.DataFrame) -> list[str]:
    """Return the numeric keys of the scenario that differ between runs; sessions are lines."""
    numbers = done.select_dtypes("number", exclude="bool")
    no_axis = {*_NO_LINE, "session"}
    return [key for key in numbers if key not in no_axis and done[key].nunique() > 1]


def _means(done: pd.DataFrame, key: str) -> pd.DataFrame:
    """Return the mean goodput at each value of the key, for each line."""
    first = ("label", "engine", "mode")
    others = [*first, *(name for name in done if name not in {key, *first, *_NO_LINE})]
    # What follows from the key is no line of its own.
    follows = [name for name in others if done.groupby(key)[name].nunique().max() == 1]
    apart = [name for name in others if name not in follows and done[name].nunique() > 1]
    rows = []
    for values, runs in done.groupby([*apart, key], sort=True, dropna=False):
        *of, x = values
        low, high = math.nan, math.nan
        if len(runs) > 1:
            interval = mean_interval(runs["goodput_bps"].tolist())
            low, high = interval.low, interval.high
        rows.append(
            {
                "line": ", ".join(_told(dict(zip(apart, of, strict=True)))) or "goodput",
                "mode": runs["mode"].iloc[0],
                key: x,
                "runs": len(runs),
                "goodput_bps": runs["goodput_bps"].mean(),
                "low_bps": low,
                "high_bps": high,
            }
        )
    return pd.DataFrame(rows)


def _told(values: Mapping[str, Any]) -> list[str]:
    """Return what sets a line apart, in words."""
    told = []
    for name, value in values.items():
        if name == "mode":
            told.append(tuners.label(value))
        elif name == "beside":
            told.append(_company(value))
        elif isinstance(value, bool):
            told.append(f"{_words(name).lower()} {'on' if value else 'off'}")
        elif isinstance(value, str):
            told.append(value if name in ("label", "engine") else f"{_words(name).lower()} {value}")
        elif name.endswith("_bytes"):
            size = style.binary_bytes if value % 1024 == 0 else style.decimal_bytes
            told.append(f"{_words(name.removesuffix('_bytes')).lower()} {size(value)}")
        else:
            axis = _axis(name)
            word, _, unit = axis.text.lower().partition(" (")
            told.append(f"{word} {value * axis.scale:g} {unit.rstrip(')')}".rstrip())
    return told


def _company(beside: str) -> str:
    """Return what shares the bottleneck with a session, short: how many, and a name for which."""
    if not beside:
        return "alone"
    return f"{len(json.loads(beside))} beside it ({zlib.crc32(beside.encode()):08x})"


def _axis(key: str) -> _Axis:
    for suffix, (scale, unit) in _UNITS.items():
        if key.endswith(suffix):
            return _Axis(key, scale, f"{_words(key.removesuffix(suffix))} ({unit})")
    return _Axis(key, 1, _words(key))


def _words(key: str) -> str:
    text = key.replace("_", " ")
    return text[0].upper() + text[1:]


def _look(mode: str, number: int) -> dict[str, Any]:
    """Return how a line is drawn: in its mode's colour, set apart by dashes and marker."""
    known = style.LOOKS.get(mode)
    color = known.color if known else matplotlib.color_sequences["tab10"][number % 10]
    return {
        "color": color,
        "linestyle": _DASHES[number % len(_DASHES)],
        "marker": _MARKERS[number % len(_MARKERS)],
        "markersize": 3.6,
    }


def _caption(rows: pd.DataFrame, done: pd.DataFrame, key: str) -> str:
    first = done.iloc[0]
    apart = [name for name in done if done[name].nunique() > 1]
    told = style.conditions(first, first["engine"], [*apart, key])
    runs = rows[rows["session"] == MAIN_SESSION]
    undone = int(runs["goodput_bps"].isna().sum())
    return f"{told}\nMissing: {undone} of {len(runs)} runs are not done" if undone else told


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    return stored.session_table(store, sweep, beside=True)


FIGURE = Kind("Goodput over what is swept", _draw, _rows)
