"""Rate and load of the sending host over the number of parallel streams, beside Table 3.

Sets, by their labels: ``segment``; ``ns3`` and ``ns3-twin``, points of it.
"""

from __future__ import annotations

import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import listed, replications
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from papers.luu.figures import cells, paths, tables

FITTED = ("P = 1", "P = 4")
"""What costs and limits are fitted to."""

_PARTS = {
    "rate": ("Rate (MB/s)", 1 / paths.MB_PER_S),
    "peak load": ("Peak load of the sender (%)", 100.0),
    "kernel load": ("Kernel's share of its load (%)", 100.0),
}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    table = cells.summarised(tables.streams(cells.done(runs)))
    figure = style.new_figure(7.2, 3.0)
    parts = figure.subplots(1, len(_PARTS))
    for axes, (column, (name, scale)) in zip(parts, _PARTS.items(), strict=True):
        own = table[table["column"] == column]
        counts = own["row"].str.removeprefix("P = ").astype(int)
        half = ((own["high"] - own["low"]) / 2).fillna(0) * scale
        axes.errorbar(
            counts, own["mean"] * scale, yerr=half, color="#0072B2", marker="o", label="ours"
        )
        axes.plot(
            counts, own["published"] * scale, color="#D55E00", marker="s", label="Table 3",
            markerfacecolor="white", linestyle=(0, (3, 2)),
        )  # fmt: skip
        axes.set_xscale("log", base=2)
        axes.set_xticks(sorted(counts), [f"{count}" for count in sorted(counts)])
        axes.minorticks_off()
        axes.set_ylim(0, axes.get_ylim()[1] * 1.05)
        axes.set_xlabel("Streams")
        axes.set_ylabel(name, fontsize=8)
    figure.legend(*parts[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    told = replications(table, {"start_jitter_s": 0})
    line = f"fitted to {listed(FITTED)}; {told} and their 95 % intervals"
    cells.caption(figure, runs, [line])
    return figure, table


def _answer(table: pd.DataFrame) -> list[str]:
    told = []
    for column in _PARTS:
        off = cells.off_by(table[(table["column"] == column) & ~table["row"].isin(FITTED)])
        if len(off):
            each = [f"{share:+.0%} ({table.loc[at, 'row']})" for at, share in off.items()]
            told.append(f"The predicted {column} differs from Table 3 by {listed(each)}.")
    return told


FIGURE = Kind(
    "Rate and load over the number of streams",
    _draw,
    question="How much load do parallel streams cause on the sender?",
    answer=_answer,
    unit=tables.UNITS,
)
