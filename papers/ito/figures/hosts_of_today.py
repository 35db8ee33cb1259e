"""Figures 5 to 7 with hosts of today: how MI, MI+ and AIMD tune N where the kernel tunes windows.

Sets, by their labels: ``windows of the kernel``, the tuning modes with receive buffers that tune
themselves; ``windows of the kernel, W = 64 KiB``, the same where the tuner computes with this W;
``windows of 64 KiB``, buffers that the program asks for; ``fixed N``, connections whose number does
not change. One row of panels for each congestion control; bandwidth, delay or eta is swept.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.drawing import style, tcps
from analysis.drawing.words import each, give_or_take, missing, replications
from analysis.figures import Drawn, Kind
from analysis.figures.curves import plain_ticks
from analysis.read import tuners
from analysis.read.sets import require
from analysis.statistics import curve, swing
from analysis.statistics.means import means

KERNEL, ASSUMED = "windows of the kernel", "windows of the kernel, W = 64 KiB"
ASKED, FIXED = "windows of 64 KiB", "fixed N"
"""Labels of the sets."""

ENOUGH = 0.99
"""Share of the highest goodput of fixed N with which fewer connections count as best."""

_LINES = {KERNEL: "-", ASSUMED: (0, (6, 1.5, 1, 1.5)), ASKED: (0, (4, 2))}
_SWEPT = {
    "bandwidth_bps": (1e-6, "Bottleneck bandwidth B (Mbit/s)", "{:g} Mbit/s"),
    "delay_s": (1e3, "Bottleneck delay $\\tau$ (ms)", "{:g} ms"),
    "eta": (1, "Control parameter $\\eta$", "eta = {:g}"),
}
"""Of each key that may be swept: the factor to its axis, the axis' title, a value in words."""

_BEST = {"color": "#555555", "linewidth": 1.0, "marker": "s", "markersize": 3.5}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, [KERNEL, ASSUMED, ASKED])
    table = _table(runs)
    key = _key(table)
    scale, title, _where = _SWEPT[key]
    shown = tcps.ordered(table["tcp"])
    figure = style.new_figure(7.2, 1.6 + 2.3 * len(shown))
    panels = figure.subplots(len(shown), 2, sharex=True, sharey="col", squeeze=False)
    for (goodput, connections), tcp in zip(panels, shown, strict=True):
        rows = table[table["tcp"] == tcp]
        _goodput(goodput, rows, key, scale)
        _connections(connections, rows, key, scale)
        for axes in (goodput, connections):
            axes.set_title(tcps.name(tcp))
            if key != "eta":
                axes.set_xscale("log")
            plain_ticks(axes, [round(x * scale, 9) for x in sorted(table[key].unique())])
    for axes in panels[-1]:
        axes.set_xlabel(title)
    panels[0][0].set_ylim(0, 1.1)
    panels[0][1].set_yscale("log", base=2)
    panels[0][1].set_ylim(bottom=0.8)
    panels[0][1].yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    _legend(figure, table)
    figure.supxlabel(_caption(table, runs, key), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the means of goodput, its share of the bottleneck, and N of the later half."""
    by = ["label", "tcp", "mode", "parallelism", "bandwidth_bps", "delay_s", "eta"]
    # Of a tuned transfer `parallelism` says nothing.
    runs = runs.assign(parallelism=runs["parallelism"].where(runs["label"] == FIXED, 1))
    measured = {*curve.MEASURED, *swing.MEASURED}
    table = means(runs, by, "goodput_bps", measured)
    n = means(runs, by, "n_mean", measured)[[*by, "mean"]].rename(columns={"mean": "n_mean"})
    return table.merge(n, how="left", on=by).assign(
        share=lambda rows: rows["mean"] / rows["bandwidth_bps"]
    )


def _key(table: pd.DataFrame) -> str:
    """Return which column is swept: the one of those known that has most values."""
    return max(_SWEPT, key=lambda key: table[key].nunique())


def _best(rows: pd.DataFrame, key: str) -> pd.DataFrame:
    """Return the row of the best fixed N at each value of the swept key, none without such runs.

    That is the least N whose goodput is at most 1 % below the highest. Runs of fixed N do not
    depend on eta: they count at each of its values.
    """
    fixed = rows[rows["label"] == FIXED]
    if key == "eta":
        values = rows.loc[rows["label"] != FIXED, [key]].drop_duplicates()
        fixed = fixed.drop(columns=key).merge(values, how="cross")
    near = fixed[fixed["mean"] >= ENOUGH * fixed.groupby(key)["mean"].transform("max")]
    return near.sort_values([key, "parallelism"]).drop_duplicates(key)


def _curves(rows: pd.DataFrame, key: str) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield set, mode and rows of each curve of the tuning modes."""
    for label in _LINES:
        own = rows[rows["label"] == label]
        for mode in tuners.ordered(own["mode"]):
            yield label, mode, own[own["mode"] == mode].sort_values(key)


def _look(label: str, mode: str) -> dict[str, object]:
    look = style.LOOKS[mode]
    return {"color": look.color, "marker": look.marker, "markersize": look.size * 0.5 + 2,
            "markerfacecolor": "white", "linewidth": 1.2, "linestyle": _LINES[label]}  # fmt: skip


def _goodput(axes: Axes, rows: pd.DataFrame, key: str, scale: float) -> None:
    for label, mode, own in _curves(rows, key):
        bounds = [(own["mean"] - own["low"]), (own["high"] - own["mean"])]
        axes.errorbar(own[key] * scale, own["share"], capsize=2,
                      yerr=[one / own["bandwidth_bps"] for one in bounds],
                      **_look(label, mode))  # fmt: skip
    best = _best(rows, key)
    axes.plot(best[key] * scale, best["share"], linestyle=":", **_BEST)
    axes.axhline(1, **style.LIMIT)
    axes.set_ylabel("Share of the bottleneck")


def _connections(axes: Axes, rows: pd.DataFrame, key: str, scale: float) -> None:
    for label, mode, own in _curves(rows, key):
        axes.plot(own[key] * scale, own["n_mean"], **_look(label, mode))
    best = _best(rows, key)
    axes.plot(best[key] * scale, best["parallelism"], linestyle=":", **_BEST)
    axes.set_ylabel("Mean N, later half")


def _legend(figure: Figure, table: pd.DataFrame) -> None:
    """Explain colors, which are of modes, and lines, which are of sets."""
    modes = tuners.ordered(table.loc[table["label"] != FIXED, "mode"])
    handles = [
        Line2D([], [], label=tuners.label(mode), **{**_look(KERNEL, mode), "linestyle": ""})
        for mode in modes
    ]
    for label, line in _LINES.items():
        if label in set(table["label"]):
            handles.append(Line2D([], [], label=label, color="black", linestyle=line))
    if (table["label"] == FIXED).any():
        handles.append(Line2D([], [], label="best fixed N", linestyle=":", **_BEST))
    figure.legend(handles=handles, loc="outside upper center", ncols=3, fontsize=8)


def _caption(table: pd.DataFrame, runs: pd.DataFrame, key: str) -> str:
    first = runs[runs["goodput_bps"].notna() & (runs["label"] != FIXED)].iloc[0]
    numbers = sorted(table.loc[table["label"] == FIXED, "parallelism"].unique())
    tried = ", ".join(f"{n:g}" for n in numbers)
    best = f"best fixed N: the least of {tried} within 1 % of the highest goodput"
    lines = [
        f"present-day Linux hosts (stack {first['stack']}), "
        + style.conditions(first, first["engine"], (key, "window_bytes")),
        f"{replications(table, first)}; bars: 95 % intervals",
        *([best] if numbers else []),
    ]
    gaps = [f"set {label}" for label in (*_LINES, FIXED) if label not in set(table["label"])]
    return "\n".join([*lines, *missing(gaps, runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    """Return the sentences for each congestion control, of eta both for its least and largest."""
    key = _key(table)
    swept = table.loc[table["label"] != FIXED, key]
    values = [swept.min(), swept.max()] if key == "eta" else [swept.max()]
    return [
        _said(table[table["tcp"] == tcp], key, value, tcps.name(tcp))
        for tcp in tcps.ordered(table["tcp"])
        for value in values
    ]


def _said(rows: pd.DataFrame, key: str, value: float, tcp: str) -> str:
    """Return N and goodput of one congestion control, at a value of the swept key."""
    scale, _, where = _SWEPT[key]
    best = _best(rows, key)
    tuned = rows[(rows["label"] != FIXED) & (rows[key] == value)]
    answers = [f"{label}: {_of_set(own)}" for label in _LINES if len(own := _set(tuned, label))]
    answers += [f"best fixed N: {row['parallelism']:g}, {_rate(row)}"
             for _, row in best[best[key] == value].iterrows()]  # fmt: skip
    shown = where.format(value * scale)
    return f"{tcp} at {shown}. {'. '.join(_capital(one) for one in answers)}."


def _set(rows: pd.DataFrame, label: str) -> pd.DataFrame:
    return rows[rows["label"] == label].set_index("mode")


def _of_set(own: pd.DataFrame) -> str:
    """Return N and goodput of each mode, from one row a mode."""
    names = {mode: tuners.label(mode) for mode in tuners.ordered(own.index)}
    numbers = each(names, lambda mode: f"N = {own.loc[mode, 'n_mean']:.1f}")
    return f"{numbers}; {each(names, lambda mode: _rate(own.loc[mode]))}"


def _rate(row: pd.Series) -> str:
    return give_or_take(row, 1e-6, "Mbit/s")


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


FIGURE = Kind(
    "Tuning of N on hosts whose kernel tunes the windows",
    _draw,
    swing.swing_table,
    question="Do MI, MI+ and AIMD still find N with present-day hosts, whose kernel tunes the "
    "windows?",
    answer=_answer,
    unit="bit/s",
    ours=True,
)
