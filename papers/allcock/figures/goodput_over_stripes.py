"""Goodput over the degree of striping (Figures 9 and 10).

Sets, by their labels: ``segment``, a line for each number of streams, or for each rate of the file
system that is read; ``shallow`` and ``close``, the same with other queues; ``memory``, without
storage; ``ns3`` and ``ns3-twin``, points of the first on both engines.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means
from analysis.statistics.pairs import agreement_in

_DEGREE = "stripes_a_side"
_BY = ["label", "queue_packets", "source_total_rate_bps", "parallelism", _DEGREE]
_LOOKS = (
    ("#000000", "o"), ("#0072B2", "s"), ("#D55E00", "^"), ("#009E73", "D"), ("#CC79A7", "v"),
    ("#E69F00", "P"),
)  # fmt: skip
_STYLES = {"segment": "-", "shallow": (0, (3, 2)), "close": "", "memory": (0, (1, 1))}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    chosen = runs[runs["label"].isin(list(_STYLES))]
    degree = chosen["stripes"].str.partition("x")[0].astype(int)
    table = means(chosen.assign(**{_DEGREE: degree}), _BY, "goodput_bps")
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    varied = _varied(table)
    figure = style.new_figure(6.4, 4.2)
    axes = figure.subplots()
    looks = dict(zip(sorted(table[varied].unique()), _LOOKS, strict=False))
    for (label, key), rows in table.groupby(["label", varied], sort=False):
        color, marker = looks[key]
        fill = color if label == "close" else "white"
        axes.plot(
            rows[_DEGREE], rows["mean"] / 1e9, color=color, marker=marker, markerfacecolor=fill,
            linestyle=_STYLES[label], label=_name(label, varied, rows.iloc[0]),
        )  # fmt: skip
    limit = first["bandwidth_bps"] / 1e9
    style.limit_line(axes, limit, "bottleneck")
    axes.set_ylim(0, limit * 1.1)
    axes.set_xlim(left=0)
    axes.set_xticks(sorted(table[_DEGREE].unique())[2:])
    axes.set_xlabel("Degree of striping: number of hosts with 1 Gbit/s at each side")
    axes.set_ylabel("Goodput (Gbit/s)")
    figure.legend(loc="outside right upper")
    figure.supxlabel(_caption(runs, first, varied), fontsize=7, color=style.GREY)
    return figure, table


def _varied(table: pd.DataFrame) -> str:
    """Return what makes the lines of a set."""
    lines = table[table["label"] == "segment"]
    return "parallelism" if lines["parallelism"].nunique() > 1 else "source_total_rate_bps"


def _name(label: str, varied: str, row: pd.Series) -> str:
    if label == "memory":
        return "memory to memory"
    if varied == "parallelism":
        name = f"N = {row['parallelism']:g}"
    else:
        name = f"disks of {row['source_total_rate_bps'] / 1e9:g} Gbit/s"
    return name if label == "segment" else f"{name}, queue of {row['queue_packets']:g}"


def _caption(runs: pd.DataFrame, first: pd.Series, varied: str) -> str:
    apart: set[Any] = {"eta", "window_bytes", "file_size_bytes", "chunk_size_bytes", varied}
    lines = [style.conditions(first, first["engine"], apart)]
    if said := agreement_in(runs).told():
        lines.append(said)
    return "\n".join([*lines, *missing([], runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    varied = _varied(table)
    told = []
    for (label, _), rows in table.groupby(["label", varied], sort=False):
        best = rows.loc[rows["mean"].idxmax()]
        name = _name(label, varied, rows.iloc[0])
        most = f"{best['mean'] / 1e9:.1f} Gbit/s"
        told.append(f"With {name} the most is {most}, at a degree of {best[_DEGREE]:g}.")
    return told


FIGURE = Kind("Goodput over the degree of striping", _draw, answer=_answer, unit="bit/s")
