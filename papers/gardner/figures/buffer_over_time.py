"""How the receive buffer grows during a transfer (Figure 9).

A point is a transfer that ends there: its file is the beginning of the longest one's, and all else,
what is drawn at random included, is the same. Sets, by their labels: ``segment``, without loss;
``lossy``, with it; ``ns3`` and ``ns3-twin``, points of the first on both engines.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.lines import Line2D

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.pairs import agreement_in
from papers.gardner.figures.panels import PANELS, told_conditions
from papers.gardner.figures.policies import POLICY, look, ordered, with_policy

_MIB = 2**20
_ENDS = (1.9, 3.1)
"""Between which the paper's three transfers ended, MiB."""

_COLUMNS = ["label", POLICY, "run", "file_size_bytes", "duration_s", "receive_peak_bytes"]


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    runs = with_policy(runs)
    done = runs[runs["label"].isin(list(PANELS))].dropna(subset="goodput_bps")
    table = done[_COLUMNS].sort_values(_COLUMNS[:4], ignore_index=True)
    figure = style.new_figure(7.2, 3.7)
    panels = figure.subplots(1, 2, sharey=True)
    first = done.iloc[0]
    product = first["bandwidth_bps"] / 8 * 2 * (first["delay_s"] + 2 * first["access_delay_s"])
    for axes, letter, label in zip(panels, "ab", PANELS, strict=True):
        for name in ordered(table[POLICY]):
            own = table[(table["label"] == label) & (table[POLICY] == name)]
            for _, rows in own.groupby("run"):
                sizes = rows["receive_peak_bytes"] / _MIB
                axes.step(rows["duration_s"], sizes, where="post", **_line(name))
        axes.axhspan(*_ENDS, color=style.GREY, alpha=0.12, linewidth=0)
        axes.axhline(product / _MIB, **style.LIMIT)
        axes.set_xscale("log")
        axes.set_xlabel("Time since the start of the transfer (s)")
        axes.set_title(f"({letter}) {PANELS[label]}")
    panels[0].set_ylim(bottom=0)  # when all is drawn, as it ends autoscaling
    panels[0].set_ylabel("Receive buffer (MiB)")
    handles = [Line2D([], [], **_line(name)) for name in ordered(table[POLICY])]
    handles += [
        Line2D([], [], label="bandwidth-delay product", **style.LIMIT),
        Line2D([], [], label="final sizes in the paper", color=style.GREY, alpha=0.3, linewidth=6),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=4, fontsize=8)
    figure.supxlabel(_caption(table, runs), fontsize=7, color=style.GREY)
    return figure, table


def _line(name: str) -> dict[str, Any]:
    # Steps as short as a dash would not be seen.
    return {**look(name).line(), "marker": "", "linewidth": 1.1, "linestyle": "-"}


def _caption(table: pd.DataFrame, runs: pd.DataFrame) -> str:
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    most = style.binary_bytes(table["file_size_bytes"].max())
    count = table.loc[table["label"] == "lossy", "run"].nunique()
    lines = [
        f"files of up to {most}, {told_conditions(first, 'file_size_bytes')}",
        f"(a) a single run, nothing is random; (b) {count} runs",
    ]
    if said := agreement_in(runs).told():
        lines.append(said)
    return "\n".join([*lines, *missing([], runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    last = table.loc[table.groupby(["label", POLICY, "run"])["file_size_bytes"].idxmax()]
    return [
        f"{look(name).label}, {PANELS[label]}: the buffer ends at {_told(rows)} MiB."
        for label in PANELS
        for name in ordered(last[POLICY])
        if len(rows := last[(last["label"] == label) & (last[POLICY] == name)])
    ]


def _told(rows: pd.DataFrame) -> str:
    sizes = rows["receive_peak_bytes"] / _MIB
    return f"{sizes.min():.1f}" + (f" to {sizes.max():.1f}" if len(sizes) > 1 else "")


FIGURE = Kind("Receive buffer over time", _draw, answer=_answer)
