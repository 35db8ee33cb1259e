"""What becomes of the tuning of N when buffers move: fixed ones, and right-sized ones.

Sets, by their labels: ``fixed buffers``; ``right-sized``, by which W the tuner reads. A row of
panels for each queue of the routers.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from matplotlib.axes import Axes

from analysis.drawing import style
from analysis.drawing.words import give_or_take, listed, missing, replications
from analysis.figures import Drawn, Kind
from analysis.read import tuners
from analysis.read.sets import require
from analysis.statistics import curve, swing
from analysis.statistics.means import means

FIXED, SIZED = "fixed buffers", "right-sized"
"""Labels of the sets."""

_QUEUE = "queue_packets"
_WAY = "way"
_LOOKS = {
    FIXED: ("#000000", "o"),
    "right-sized, W as asked": ("#009E73", "^"),
    "right-sized, W of the buffers": ("#D55E00", "D"),
}
_WORDS = {"asked": "right-sized, W as asked", "buffer": "right-sized, W of the buffers"}
_SHOWN = {"right-sized, W as asked": "right-sized, W as requested"}
"""Names for readers where they differ from those in the table."""
_PANELS = {"goodput_bps": (1e-6, "Goodput (Mbit/s)"), "n_mean": (1, "Mean N, later half")}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, [FIXED])
    ways = [
        FIXED if label == FIXED else _WORDS[window]
        for label, window in zip(runs["label"], runs["tuner_window"], strict=True)
    ]
    runs = runs.assign(**{_WAY: ways})
    by, measured = [_QUEUE, "mode", _WAY], {*curve.MEASURED, *swing.MEASURED}
    tables = {value: means(runs, by, value, measured) for value in _PANELS}
    queues = sorted(runs[_QUEUE].unique())
    modes = tuners.ordered(runs["mode"])
    figure = style.new_figure(7.2, 1.4 + 2.2 * len(queues))
    panels = figure.subplots(len(queues), len(_PANELS), sharex=True, sharey="col", squeeze=False)
    for row, queue in zip(panels, queues, strict=True):
        for axes, (value, (scale, name)) in zip(row, _PANELS.items(), strict=True):
            table = tables[value]
            _panel(axes, table[table[_QUEUE] == queue], modes, scale)
            axes.set_ylabel(name)
            axes.set_title(f"queue of {queue:g} packets")
    for axes in panels[0]:
        axes.set_ylim(bottom=0)  # when all is drawn, as it ends autoscaling
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize=8)
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    lines = [
        f"{first['direction']}, {style.conditions(first, first['engine'], ('eta', _QUEUE))}",
        f"{replications(tables['goodput_bps'], first)}; bars: 95 % intervals",
    ]
    gaps = [f"set {label}" for label in (FIXED, SIZED) if label not in set(runs["label"])]
    figure.supxlabel("\n".join([*lines, *missing(gaps, runs)]), fontsize=7, color=style.GREY)
    n = tables["n_mean"][[*by, "mean"]].rename(columns={"mean": "n_mean"})
    return figure, tables["goodput_bps"].merge(n, how="left", on=by)


def _panel(axes: Axes, table: pd.DataFrame, modes: list[str], scale: float) -> None:
    for place, (way, (color, marker)) in enumerate(_LOOKS.items()):
        rows = table[table[_WAY] == way]
        if not len(rows):
            continue
        x = [modes.index(mode) + (place - 1) * 0.18 for mode in rows["mode"]]
        half = [(rows["mean"] - rows["low"]) * scale, (rows["high"] - rows["mean"]) * scale]
        axes.errorbar(x, rows["mean"] * scale, yerr=half, linestyle="", capsize=2, color=color,
                      marker=marker, markerfacecolor="white",
                      label=_SHOWN.get(way, way))  # fmt: skip
    axes.set_xticks(range(len(modes)), [tuners.label(mode) for mode in modes])
    axes.set_xlim(-0.5, len(modes) - 0.5)
    axes.grid(axis="x", visible=False)


def _answer(table: pd.DataFrame) -> list[str]:
    return list(_sentences(table))


def _sentences(table: pd.DataFrame) -> Iterator[str]:
    for queue, rows in table.groupby(_QUEUE):
        told = []
        for way in _LOOKS:
            own = rows[rows[_WAY] == way].set_index("mode")
            if len(own):
                each = listed(
                    f"{tuners.label(mode)} {give_or_take(own.loc[mode], 1e-6)} "
                    f"(N = {own.loc[mode, 'n_mean']:.1f})"
                    for mode in tuners.ordered(own.index)
                )
                told.append(f"{_SHOWN.get(way, way)}: {each}")
        yield f"Queue of {queue:g} packets, Mbit/s. {'. '.join(told)}."


FIGURE = Kind(
    "Tuning of N with dynamic buffers",
    _draw,
    swing.swing_table,
    question="How do MI, MI+ and AIMD tune N with dynamic windows, and with which W do they "
    "tune it well?",
    answer=_answer,
    unit="bit/s",
)
