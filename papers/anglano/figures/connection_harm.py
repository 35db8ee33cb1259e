"""Harm of N connections to one background flow, with hosts of today.

Sets, by their labels: ``competing``, a transfer over N connections competes with the flow;
``alone``, the same flow without the transfer. The figure has a row of panels for each TCP of the
flow and a column for each queue.

*Harm*: (g1 - g) / g1, with g1 the goodput of the flow alone and g its goodput next to the transfer
(Ware, Mukerjee, Seshan, Sherry, "Beyond Jain's Fairness Index: Setting the Bar For The Deployment
of Congestion Control Algorithms", HotNets 2019). The paper's yardstick is the harm by an equal
flow: here N = 1 with the TCP of the flow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.drawing import style, tcps
from analysis.drawing.words import give_or_take, listed, missing, replications
from analysis.figures import Drawn, Kind
from analysis.figures.curves import plain_ticks
from analysis.read import stored
from analysis.read.sets import require
from analysis.statistics.fairness import harm
from analysis.statistics.interval import LOSS
from analysis.statistics.means import summary

COMPETING, ALONE = "competing", "alone"
"""Labels of the sets."""

_QUEUE = ["queue_discipline", "queue_packets"]
_FLOW = [*_QUEUE, "flow_tcp"]
_POINT = [*_FLOW, "tcp", "parallelism"]
_QUEUES = {
    "drop-tail": "DropTail",
    "red": "RED",
    "codel": "CoDel",
    "fq-codel": "FQ-CoDel",
    "pie": "PIE",
}
_COLORS = (style.INK["blue"], style.INK["vermilion"], style.INK["green"], style.INK["black"])
_EQUAL = {"color": style.GREY, "linewidth": 1.0, "linestyle": (0, (4, 2)), "zorder": 1.5}
_SHARES = {"color": "#999999", "linewidth": 1.0, "linestyle": (0, (1, 1.5)), "zorder": 1.5}


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    """Return a row a run: the scenario's plain values, and the flow's TCP and goodput."""
    rows = []
    for label, scenario, result in stored.declared(store, sweep):
        row = {**stored.plain(scenario), "label": label, "goodput_bps": math.nan}
        row["flow_tcp"] = scenario["background"][0]["tcp"]
        if result is not None:
            row["goodput_bps"] = result.data["background"][0]["goodput_bps"]
        rows.append(row)
    return pd.DataFrame(rows)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    for label in (COMPETING, ALONE):
        require(runs, [label])
    table = _table(runs)
    flows = tcps.ordered(table["flow_tcp"])
    queues = list(table.groupby(_QUEUE, sort=False).groups)
    figure = style.new_figure(7.2, 1.4 + 2.1 * len(flows))
    panels = figure.subplots(len(flows), len(queues), sharex=True, sharey=True, squeeze=False)
    for flow, row in zip(flows, panels, strict=True):
        for queue, axes in zip(queues, row, strict=True):
            _panel(axes, _chosen(table, flow, queue))
            axes.set_title(f"{tcps.name(flow)} flow, {_queue(*queue)}", fontsize=8)
    for axes in panels[:, 0]:
        axes.set_ylabel("Harm to the flow")
    for axes in panels[-1]:
        axes.set_xlabel("Connections N of the transfer")
    panels[0][0].set_xscale("log", base=2)
    plain_ticks(panels[0][0], sorted(table["parallelism"].unique()))
    panels[0][0].set_ylim(min(0.0, table["mean"].min() - 0.05), 1.02)
    _legend(figure, table)
    figure.supxlabel(_caption(table, runs), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each queue, flow, TCP and N.

    Columns: those of `_POINT`; ``alone_bps`` and ``goodput_bps``, goodput of the flow alone and
    competing; mean and interval of the harm; ``of_equal`` and its interval ``of_equal_low``,
    ``of_equal_high``: the flow's goodput over that next to one equal flow, run by run.
    """
    done = runs.dropna(subset="goodput_bps")
    alone = done[done["label"] == ALONE].groupby(_FLOW)["goodput_bps"].mean()
    competing = done[done["label"] == COMPETING]
    rows = []
    for point, own in competing.groupby(_POINT, sort=False):
        where = dict(zip(_POINT, point, strict=True))
        flow = tuple(where[key] for key in _FLOW)
        if flow not in alone.index:
            continue
        goodputs = own.set_index("run")["goodput_bps"]
        harms = [harm(alone[flow], goodput) for goodput in goodputs]
        rows.append({
            **where,
            "alone_bps": alone[flow],
            "goodput_bps": goodputs.mean(),
            **summary(harms, LOSS),
            **_of_equal(goodputs, _equal(competing, where)),
        })  # fmt: skip
    return pd.DataFrame(rows)


def _equal(competing: pd.DataFrame, where: dict[str, object]) -> pd.Series:
    """Return the flow's goodput next to one equal flow, by the number of the run."""
    same = competing[competing["tcp"] == where["flow_tcp"]]
    for key in _FLOW:
        same = same[same[key] == where[key]]
    return same[same["parallelism"] == 1].set_index("run")["goodput_bps"]


def _of_equal(goodputs: pd.Series, equal: pd.Series) -> dict[str, float]:
    """Return mean and interval of the ratio of both, nan where there is no such run."""
    names = ("of_equal", "of_equal_low", "of_equal_high")
    ratios = (goodputs / equal).dropna().tolist()
    if not ratios:
        return dict.fromkeys(names, math.nan)
    found = summary(ratios)
    return dict(zip(names, (found[key] for key in ("mean", "low", "high")), strict=True))


def _chosen(table: pd.DataFrame, flow: str, queue: tuple[str, float]) -> pd.DataFrame:
    """Return the rows of one panel."""
    discipline, packets = queue
    return table[
        (table["flow_tcp"] == flow)
        & (table["queue_discipline"] == discipline)
        & (table["queue_packets"] == packets)
    ]


def _queue(discipline: str, packets: float) -> str:
    """Return what readers call a queue."""
    name = _QUEUES.get(discipline, discipline)
    return name if discipline == "fq-codel" else f"{name}, {packets:g} packets"


def _curves(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield TCP and rows of each curve of a panel."""
    for tcp in tcps.ordered(rows["tcp"]):
        yield tcp, rows[rows["tcp"] == tcp].sort_values("parallelism")


def _look(number: int) -> dict[str, object]:
    return {"color": _COLORS[number % len(_COLORS)], "marker": "os^v"[number % 4], "markersize": 4,
            "markerfacecolor": "white", "linewidth": 1.2}  # fmt: skip


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    for number, (_tcp, own) in enumerate(_curves(rows)):
        bounds = [own["mean"] - own["low"], own["high"] - own["mean"]]
        axes.errorbar(own["parallelism"], own["mean"], yerr=[one.fillna(0) for one in bounds],
                      capsize=2, **_look(number))  # fmt: skip
    equal = rows[(rows["tcp"] == rows["flow_tcp"]) & (rows["parallelism"] == 1)]
    for value in equal["mean"]:
        axes.axhline(value, **_EQUAL)
    numbers = sorted(rows["parallelism"].unique())
    axes.plot(numbers, [n / (n + 1) for n in numbers], **_SHARES)


def _legend(figure: Figure, table: pd.DataFrame) -> None:
    handles = [
        Line2D([], [], label=f"transfer with {tcps.name(tcp)}", **_look(number))
        for number, tcp in enumerate(tcps.ordered(table["tcp"]))
    ]
    handles.append(Line2D([], [], label="harm by one equal flow", **_EQUAL))
    handles.append(Line2D([], [], label="equal rates for all connections: N / (N + 1)", **_SHARES))
    figure.legend(handles=handles, loc="outside upper center", ncols=2, fontsize=8)


def _caption(table: pd.DataFrame, runs: pd.DataFrame) -> str:
    first = runs[(runs["label"] == COMPETING) & runs["goodput_bps"].notna()].iloc[0]
    differ = {*_POINT, "window_bytes", "chunk_size_bytes", "eta"}
    lines = [
        f"present-day Linux hosts (stack {first['stack']}), "
        + style.conditions(first, first["engine"], differ),
        f"{replications(table, first)}; bars: 95 % intervals",
        "harm: share of its goodput alone that the flow loses to the transfer",
    ]
    return "\n".join([*lines, *missing([], runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    """Return a sentence for each flow and queue: the harm by an equal flow, by fewest and most."""
    sentences = []
    for flow in tcps.ordered(table["flow_tcp"]):
        for queue in table.groupby(_QUEUE, sort=False).groups:
            rows = _chosen(table, flow, queue)
            if len(rows):
                sentences.append(_sentence(rows, f"A {tcps.name(flow)} flow, {_queue(*queue)}"))
    return sentences


def _sentence(rows: pd.DataFrame, where: str) -> str:
    equal = rows[(rows["tcp"] == rows["flow_tcp"]) & (rows["parallelism"] == 1)]
    parts = [f"one equal flow takes {_percent(row)} of its goodput" for _, row in equal.iterrows()]
    for tcp, own in _curves(rows.drop(equal.index)):
        ends = own.iloc[[0, -1]] if tcp not in set(equal["tcp"]) else own.iloc[[-1]]
        harms = listed(
            f"{_percent(row)} with N = {row['parallelism']:g}"
            for _, row in ends.drop_duplicates("parallelism").iterrows()
        )
        parts.append(f"a transfer with {tcps.name(tcp)} takes {harms}{_of_share(own.iloc[-1])}")
    return f"{where}: {'; '.join(parts)}."


def _percent(row: pd.Series) -> str:
    return give_or_take(row, 100, "%")


def _of_share(row: pd.Series) -> str:
    """Return how much is left of the share that the flow has next to one equal flow."""
    if math.isnan(row["of_equal"]):
        return ""
    columns = {"mean": "of_equal", "low": "of_equal_low", "high": "of_equal_high"}
    ratio = give_or_take({key: row[column] for key, column in columns.items()}, digits=2)
    return f", which leaves it {ratio} times its goodput next to an equal flow"


FIGURE = Kind(
    "Harm of N connections to one flow",
    _draw,
    rows=_rows,
    question="How much goodput does one CUBIC flow or one BBR flow lose to N connections, with "
    "present-day hosts?",
    answer=_answer,
    unit="1",
    ours=True,
)
