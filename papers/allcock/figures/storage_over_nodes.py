"""What a file system reads and writes over the nodes that use it at once (Figure 11).

Sets, by their labels: ``segment``, nodes that read from one file system; ``written``, that write to
one; ``disks`` and ``disks written``, the same with a disk of their own each; ``ns3`` and
``ns3-twin``, points of the first on both engines.
"""

from __future__ import annotations

import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means
from analysis.statistics.pairs import agreement_in

_NODES = "nodes"
_TOTAL = "total_rate_bps"
_SEEK = "total_seek_s"
_BUSY = "busy"
_ENDS = {"segment": "source", "disks": "source", "written": "sink", "disks written": "sink"}
"""Which end of a set has the storage that is drawn."""
_USES = {"source": "read", "sink": "write"}
_TITLES = {"source": "Read at once", "sink": "Written at once"}
# Lines lie on one another: the first ones show around those that follow
_LOOKS = (("#000000", "o", 9), ("#0072B2", "s", 6), ("#D55E00", "^", 3.5))
_OWN_DISKS = {"color": "#999999", "marker": "", "linestyle": (0, (3, 2))}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    table = _table(runs)
    figure = style.new_figure(7.2, 3.8)
    panels = figure.subplots(1, len(_TITLES), sharey=True)
    for axes, (end, title) in zip(panels, _TITLES.items(), strict=True):
        looks = iter(_LOOKS)
        of_end = table[table["label"].map(_ENDS) == end]
        for (_label, total, seek), rows in of_end.groupby(["label", _TOTAL, _SEEK], sort=False):
            look = _OWN_DISKS
            if total:
                color, marker, size = next(looks)
                look = {"color": color, "marker": marker, "markersize": size}
                look["markerfacecolor"] = "white"
            axes.plot(rows[_NODES], rows["mean"] / 1e9, label=_name(total, seek), **look)
        axes.set_title(title, fontsize=9)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        counts = sorted(table[_NODES].unique())
        axes.set_xticks(counts, [f"{count}" for count in counts])
        axes.set_yticks(counts, [f"{count}" for count in counts])
        axes.minorticks_off()
        axes.set_xlabel("Nodes")
        axes.legend(loc="upper left", fontsize=7)
    panels[0].set_ylabel("All nodes together (Gbit/s)")
    figure.supxlabel(_caption(runs, table), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the rate at each point, and the share of its time in which a node's storage works."""
    parts = []
    for label, end in _ENDS.items():
        own = runs[runs["label"] == label]
        if own.empty:
            continue
        nodes = own["stripes"].str.partition("x")[0].astype(int)
        named = {_TOTAL: own[f"{end}_total_rate_bps"], _SEEK: own[f"{end}_total_seek_s"]}
        busy = own[f"{_USES[end]}_busy_s"] / (nodes * own["duration_s"])
        own = own.assign(**{_NODES: nodes, _BUSY: busy, **named})
        by = ["label", _TOTAL, _SEEK, _NODES]
        rate, share = (means(own, by, value) for value in ("goodput_bps", _BUSY))
        parts.append(rate.assign(**{_BUSY: share["mean"]}))
    return pd.concat(parts, ignore_index=True)


def _name(total: float, seek: float) -> str:
    if not total:
        return "a disk at each node"
    name = f"one of {total / 1e9:g} Gbit/s"
    return f"{name}, seeks of {seek * 1e3:g} ms" if seek else name


def _caption(runs: pd.DataFrame, table: pd.DataFrame) -> str:
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    block = style.binary_bytes(first["block_size_bytes"])
    lines = [
        f"rates and seeks are assumptions; 1 Gbit/s at a node, blocks of {block}; storage is "
        "busy for "
        f"{table[_BUSY].min() * 100:.1f} % of the time or more; engine {first['engine']}"
    ]
    if said := agreement_in(runs).told():
        lines.append(said)
    return "\n".join([*lines, *missing([], runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    told = []
    for (label, total, seek), rows in table.groupby(["label", _TOTAL, _SEEK], sort=False):
        ends = rows.sort_values(_NODES)
        many, one = ends.iloc[-1], ends.iloc[0]
        verb = "read" if _ENDS[label] == "source" else "written"
        told.append(
            f"{_name(total, seek)[0].upper()}{_name(total, seek)[1:]}: {many['mean'] / 1e9:.1f} "
            f"Gbit/s are {verb} by {many[_NODES]:g} nodes, {one['mean'] / 1e9:.2f} by "
            f"{one[_NODES]:g}."
        )
    return told


FIGURE = Kind(
    "Rate of a file system over the nodes that use it at once", _draw, answer=_answer, unit="bit/s"
)
