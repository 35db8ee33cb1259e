"""Seeks of the receiver's storage over the number of parallel streams (Figure 8).

Sets, by their labels: ``segment``, blocks as the paper's disks have them; any others, of other
block sizes; ``ns3`` and ``ns3-twin``, points of the first on both engines.
"""

from __future__ import annotations

import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means
from analysis.statistics.pairs import agreement_in

_STREAMS = "parallelism"
_BLOCK = "block_size_bytes"
_LOOKS = (("#000000", "o"), ("#0072B2", "s"), ("#D55E00", "^"), ("#009E73", "D"))


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    chosen = runs[~runs["label"].isin(["ns3", "ns3-twin"])]
    table = means(chosen, ["label", _BLOCK, _STREAMS, "window_bytes"], "write_seeks")
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    figure = style.new_figure(5.4, 3.6)
    axes = figure.subplots()
    for (block, rows), (color, marker) in zip(table.groupby(_BLOCK), _LOOKS, strict=False):
        name = f"blocks of {style.binary_bytes(block)}"
        look = {"color": color, "marker": marker, "markerfacecolor": "white"}
        axes.plot(rows[_STREAMS], rows["mean"], label=name, **look)
    axes.set_xscale("log", base=2)
    # Of a single stream there are none, and of many streams thousands.
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(0, 2 * table["mean"].max() + 1)
    counts = sorted(table[_STREAMS].unique())
    axes.set_xticks(counts, [f"{count}" for count in counts])
    axes.minorticks_off()
    axes.set_xlabel("Streams N, each with a buffer of the bandwidth-delay product over N")
    axes.set_ylabel("Seeks at the receiver")
    figure.legend(loc="outside upper center", ncols=3)
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
    for block, rows in table.groupby(_BLOCK):
        most = rows.loc[rows["mean"].idxmax()]
        last = rows.iloc[-1]
        told.append(
            f"With blocks of {style.binary_bytes(block)} the most seeks are {most['mean']:.0f}, at "
            f"N = {most[_STREAMS]:g}; at N = {last[_STREAMS]:g} there are {last['mean']:.0f}."
        )
    return told


FIGURE = Kind("Seeks over the number of streams", _draw, answer=_answer, unit="seeks")
