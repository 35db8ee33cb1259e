"""Goodput over the number of streams and who sizes the buffers: are parallel streams needless?

Sets, by their labels, one a column: ``alone``; ``beside plain TCP``; ``random loss``.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from analysis.drawing import style
from analysis.drawing.words import give_or_take, missing, share
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means, ratio
from papers.gardner.figures.panels import told_conditions
from papers.gardner.figures.policies import POLICY, look, ordered, with_policy

SETS = ("alone", "beside plain TCP", "random loss")
"""Labels of the sets."""

_SHOWN = {"beside plain TCP": "next to plain TCP"}
"""Names of sets for readers where they differ from the labels."""

CLOSE = 0.95
"""Share of the best goodput from which on nothing more is to be had worth a stream."""

_N = "parallelism"
_ROWS = {"goodput_bps": (1e-6, "Goodput (Mbit/s)"), "mbps_per_mib": (1, "Mbit/s per MiB of buffer")}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, SETS[:1])
    runs = with_policy(runs)
    by = ["label", POLICY, _N]
    tables = {value: means(runs, by, value) for value in _ROWS}
    figure = style.new_figure(7.4, 5.2)
    panels = figure.subplots(len(_ROWS), len(SETS), sharex=True, sharey="row")
    for axes_of, (value, (scale, name)) in zip(panels, _ROWS.items(), strict=True):
        for axes, label in zip(axes_of, SETS, strict=True):
            _panel(axes, tables[value][tables[value]["label"] == label], scale)
        axes_of[0].set_ylabel(name)
    for axes, label in zip(panels[0], SETS, strict=True):
        axes.set_title(_SHOWN.get(label, label))
        axes.set_ylim(bottom=0)
    for axes in panels[1]:
        axes.set_yscale("log")
        axes.set_xlabel("Streams N")
    names = ordered(runs[POLICY])
    handles = [Line2D([], [], **look(name).line()) for name in names]
    figure.legend(handles=handles, loc="outside upper center", ncols=4, fontsize=8)
    first = runs[(runs["label"] == SETS[0]) & runs["goodput_bps"].notna()].iloc[0]
    few, many = tables["goodput_bps"]["runs"].min(), tables["goodput_bps"]["runs"].max()
    count = f"{few}" if few == many else f"{few} to {many}"
    lines = [
        f"{told_conditions(first, _N)}, queue {first['queue_packets']:g} packets",
        f"means of {count} runs, connections starting up to {first['start_jitter_s'] * 1e3:g} ms "
        "late; bars: 95 % intervals",
    ]
    gaps = [f"set {label}" for label in SETS if label not in set(runs["label"])]
    figure.supxlabel("\n".join([*lines, *missing(gaps, runs)]), fontsize=7, color=style.GREY)
    per = tables["mbps_per_mib"][[*by, "mean"]].rename(columns={"mean": "mbps_per_mib"})
    return figure, tables["goodput_bps"].merge(per, how="left", on=by)


def _panel(axes: Axes, table: pd.DataFrame, scale: float) -> None:
    for name in ordered(table[POLICY]):
        rows = table[table[POLICY] == name]
        half = [(rows["mean"] - rows["low"]) * scale, (rows["high"] - rows["mean"]) * scale]
        axes.errorbar(rows[_N], rows["mean"] * scale, yerr=half, capsize=2, elinewidth=0.9,
                      **look(name).line())  # fmt: skip
    axes.set_xscale("log", base=2)
    counts = sorted(table[_N].unique())
    axes.set_xticks(counts, [f"{count:g}" for count in counts])
    axes.minorticks_off()


def _answer(table: pd.DataFrame) -> list[str]:
    there = [label for label in SETS if label in set(table["label"])]
    return [_of_set(table[table["label"] == label], label) for label in there]


def _of_set(table: pd.DataFrame, label: str) -> str:
    """Return what parallel streams bring to each policy, in one sentence."""
    best = table.loc[table["mean"].idxmax()]
    told = [_streams(rows, name) for name, rows in _policies(table)]
    shown = _SHOWN.get(label, label)
    return (
        f"{shown[0].upper()}{shown[1:]}: {'; '.join(told)}. Highest goodput: "
        f"{look(best[POLICY]).label} with N = {best[_N]:g}, {give_or_take(best, 1e-6, 'Mbit/s')}."
    )


def _policies(table: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    for name in ordered(table[POLICY]):
        yield name, table[table[POLICY] == name].sort_values(_N, ignore_index=True)


def _streams(rows: pd.DataFrame, name: str) -> str:
    """Return what one stream of a policy gets, and how many it takes to get nearly its most."""
    best, one = rows.loc[rows["mean"].idxmax()], rows.iloc[0]
    most = f"{give_or_take(best, 1e-6, 'Mbit/s')} at N = {best[_N]:g}"
    enough = rows[rows["mean"] >= CLOSE * best["mean"]].iloc[0]
    if enough[_N] == one[_N]:
        return f"{look(name).label} needs no more than one stream ({most})"
    return (
        f"{look(name).label} gets {share(ratio(one, best).mean)} of its best goodput with N = "
        f"{one[_N]:g}, "
        f"and {CLOSE:.0%} of it from N = {enough[_N]:g} on ({most})"
    )


FIGURE = Kind(
    "Goodput over the number of streams, by buffer policy",
    _draw,
    question="Does right-sizing replace parallel streams, or are both together best?",
    answer=_answer,
    unit="bit/s",
)
