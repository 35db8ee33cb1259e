"""Goodput over the number of parallel streams between two hosts (Figures 5 to 7).

Sets, by their labels: ``segment``, buffers as the paper asks for them; ``linux``, the windows that
Linux makes of these; ``ns3`` and ``ns3-twin``, points of the first on both engines.
"""

from __future__ import annotations

import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means
from analysis.statistics.pairs import agreement_in

SETS = {
    "segment": ("buffers as requested", {"color": "#000000", "marker": "o"}),
    "linux": (
        "windows that Linux derives from them",
        {"color": "#0072B2", "marker": "s", "linestyle": (0, (3, 2))},
    ),
}
"""How the sets that are drawn are told, and drawn."""

_STREAMS = "parallelism"


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    chosen = runs[runs["label"].isin(list(SETS))]
    table = means(chosen, ["label", _STREAMS, "window_bytes"], "goodput_bps")
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    limit = min(first["bandwidth_bps"], first["access_bandwidth_bps"])
    figure = style.new_figure(5.4, 3.6)
    axes = figure.subplots()
    for label, (name, look) in SETS.items():
        rows = table[table["label"] == label]
        axes.plot(rows[_STREAMS], rows["mean"] / 1e6, label=name, markerfacecolor="white", **look)
    style.limit_line(axes, limit / 1e6, "narrowest link")
    axes.set_xscale("log", base=2)
    counts = sorted(table[_STREAMS].unique())
    axes.set_xticks(counts, [f"{count}" for count in counts])
    axes.minorticks_off()
    axes.set_ylim(0, limit / 1e6 * 1.1)
    axes.set_xlabel("Streams N, each with a buffer of the bandwidth-delay product over N")
    axes.set_ylabel("Goodput (Mbit/s)")
    figure.legend(loc="outside upper center", ncols=2)
    figure.supxlabel(_caption(runs, first), fontsize=7, color=style.GREY)
    return figure, table


def _caption(runs: pd.DataFrame, first: pd.Series) -> str:
    apart = ("eta", "window_bytes", "chunk_size_bytes", _STREAMS)
    lines = [style.conditions(first, first["engine"], apart)]
    if said := agreement_in(runs).told():
        lines.append(said)
    return "\n".join([*lines, *missing([], runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    told = []
    for label, (name, _) in SETS.items():
        rows = table[table["label"] == label]
        if len(rows):
            best = rows.loc[rows["mean"].idxmax()]
            told.append(
                f"With {name} the most is {best['mean'] / 1e6:.0f} Mbit/s, at N = "
                f"{best[_STREAMS]:g}; a single stream gets {rows['mean'].iloc[0] / 1e6:.0f}."
            )
    return told


FIGURE = Kind("Goodput over the number of streams", _draw, answer=_answer, unit="bit/s")
