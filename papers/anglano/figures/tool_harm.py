"""Harm that tools do to plain TCP, and Jain's index of two transfers by one tool.

Sets, by their labels: ``beside-slow`` and any other ``beside-...``, a transfer beside a plain TCP
connection, over a path each; ``pair-...``, two transfers by the same tool over the same path;
``ns3`` and ``ns3-twin``, some of the first on both engines.

*Harm*: 1 - g / g1, with g the goodput of the plain TCP connection beside the tool and g1 that
beside one that is like it, GridFTP with N = 1, in the run with the same number
(`analysis.statistics.fairness`). *Jain's index* is of the goodputs of whole transfers: who is late
has the path alone in the end.
"""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.figures import Drawn, Kind
from analysis.read import stored
from analysis.read.sets import require
from analysis.statistics.fairness import harm, jain
from analysis.statistics.interval import LOSS, SHARE, Bounds
from analysis.statistics.means import summary
from analysis.statistics.pairs import agreement_in
from papers.anglano.figures import table3

_BESIDE, _PAIR = "beside-", "pair-"
_NEEDED = "beside-slow"
_ONE = "GridFTP, N = 1"

_COLORS = ("#0072B2", "#D55E00")
"""Of the paths, in the order of their rates."""

_MEASURED = ("background_bps", "others_bps", "goodput_bps")


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    rows = []
    for label, scenario, result in stored.declared(store, sweep):
        plain = {k: v for k, v in scenario.items() if not isinstance(v, dict | list)}
        row = {**plain, "label": label, "contender": _name(scenario)}
        row |= dict.fromkeys(_MEASURED, math.nan)
        if result is not None:
            own = [session["goodput_bps"] for session in result.data["sessions"]]
            row |= {
                "goodput_bps": own[0],
                "others_bps": own[-1],
                "background_bps": result.data["background"][0]["goodput_bps"],
            }
        rows.append(row)
    return pd.DataFrame(rows)


def _name(scenario: dict[str, object]) -> str:
    """Return what a transfer is called here."""
    if scenario["tool"] == "gridftp":
        return f"GridFTP, N = {scenario['parallelism']}"
    if scenario["tool"] == "rbudp":
        share = float(str(scenario["tool_rate_bps"])) / float(str(scenario["bandwidth_bps"]))
        return f"RBUDP at {share:g} B"
    return table3.tool_of(scenario)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, [_NEEDED])
    table = _table(runs)
    names = list(dict.fromkeys(runs["contender"]))
    figure = style.new_figure(7.2, 3.9)
    panels = figure.subplots(1, 2, sharey=True)
    titles = {"harm": "Harm to a plain TCP connection", "jain": "Jain's index of two transfers"}
    for axes, (measure, title) in zip(panels, titles.items(), strict=True):
        own = table[table["measure"] == measure]
        paths = sorted(set(zip(own["bandwidth_bps"], own["delay_s"], strict=True)))
        for place, path in enumerate(paths):
            same = own[(own["bandwidth_bps"] == path[0]) & (own["delay_s"] == path[1])]
            y = [names.index(name) + 0.24 * (place - (len(paths) - 1) / 2) for name in
                 same["contender"]]  # fmt: skip
            ends = [same["mean"] - same["low"], same["high"] - same["mean"]]
            axes.errorbar(
                same["mean"], y, xerr=[end.fillna(0) for end in ends],
                fmt="os"[place % 2], color=_COLORS[place % 2],
                markersize=4, label=f"{path[0] / 1e6:g} Mbit/s, {2e3 * path[1]:g} ms",
            )  # fmt: skip
        axes.set_title(title, fontsize=8)
        axes.set_yticks(range(len(names)), names, fontsize=7)
    panels[0].set_xlim(right=1.05)
    panels[1].set_xlim(right=1.005)
    panels[0].invert_yaxis()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2, fontsize=7)
    figure.supxlabel(_caption(runs), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each measure, path and contender: mean and interval over the runs."""
    done = runs.dropna(subset="goodput_bps")
    rows = []
    for label, same in done.groupby("label", sort=False):
        if str(label).startswith(_BESIDE):
            rows += _harms(same)
        elif str(label).startswith(_PAIR):
            rows += [
                _row("jain", own, [
                    jain([run["goodput_bps"], run["others_bps"]])
                    for run in own.to_dict("records")
                ], SHARE)
                for _, own in same.groupby("contender", sort=False)
            ]  # fmt: skip
    return pd.DataFrame(rows)


def _harms(same: pd.DataFrame) -> list[dict[str, object]]:
    """Return the rows of the runs beside plain TCP over one path."""
    alike = same[same["contender"] == _ONE].set_index("run")["background_bps"]
    rows = []
    for _, own in same.groupby("contender", sort=False):
        beside = own.set_index("run")["background_bps"]
        values = [harm(alike[run], beside[run]) for run in beside.index if run in alike.index]
        if values:
            rows.append(_row("harm", own, values, LOSS))
    return rows


def _row(measure: str, own: pd.DataFrame, values: list[float], within: Bounds) -> dict[str, object]:
    first = own.iloc[0]
    return {
        "measure": measure,
        "bandwidth_bps": first["bandwidth_bps"],
        "delay_s": first["delay_s"],
        "contender": first["contender"],
        **summary(values, within),
        "goodput_bps": own["goodput_bps"].mean(),
    }


def _caption(runs: pd.DataFrame) -> str:
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    differ = {"bandwidth_bps", "delay_s", "eta", "file_size_bytes", "chunk_size_bytes"}
    told = style.conditions(first, first["engine"], differ)
    lines = [
        told,
        "paths: bottleneck B, round trip; a twentieth of B is cross traffic; means and their 95 % "
        "intervals",
        "harm: goodput that the connection loses, as a share of its goodput next to "
        "GridFTP with N = 1",
    ]
    if said := agreement_in(runs, (*_MEASURED, "contender")).told():
        lines.append(said)
    return "\n".join([*lines, *missing([], runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    told = []
    for measure, worst, name in (("harm", "idxmax", "harm"), ("jain", "idxmin", "index")):
        for (rate, delay), own in table[table["measure"] == measure].groupby(
            ["bandwidth_bps", "delay_s"]
        ):
            most = own.loc[getattr(own["mean"], worst)()]
            path = f"{rate / 1e6:g} Mbit/s and {2e3 * delay:g} ms"
            told.append(f"With {path} {most['contender']} is the worst: {name} {most['mean']:.2f}.")
    return told


FIGURE = Kind(
    "Harm that tools do to other transfers",
    _draw,
    rows=_rows,
    question="Which tool harms a TCP connection, and which one a transfer of its own kind?",
    answer=_answer,
    unit="1",
)
