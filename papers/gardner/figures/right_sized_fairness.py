"""How right-sized and stock flows share what the network gives them.

Sets, by their labels, one a panel: ``random loss``, ``full bottleneck``. The flows are the
background connections of a run, half of them with fixed buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from analysis.drawing import style
from analysis.drawing.words import give_or_take, missing
from analysis.figures import Drawn, Kind
from analysis.read import stored
from analysis.read.results import Result
from analysis.read.sets import require
from analysis.statistics.fairness import jain
from analysis.statistics.means import means
from papers.gardner.figures.policies import look

SETS = ("random loss", "full bottleneck")
"""Labels of the sets."""

FAIR = 0.1
"""Share by which a share may be missed, of the paper's claim as it is judged."""

_WHAT = {"stock": "fixed, 64 KiB", "right-sized": "drs-kernel"}
_MEASURED = (*_WHAT, "jain", "goodput_bps")


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    """Return one row per run: flows, their starts, and what each kind got of an equal share."""
    return pd.DataFrame(
        [
            {"label": label, **_declared(scenario), **_shares(scenario, result)}
            for label, scenario, result in stored.declared(store, sweep)
        ]
    )


def _declared(scenario: Mapping[str, Any]) -> dict[str, Any]:
    flows = scenario["background"]
    told = {key: value for key, value in scenario.items() if not isinstance(value, list | dict)}
    starts = ", ".join(f"{flow['start_s']:g}" for flow in flows)
    return {**told, "flows": len(flows), "starts": starts}


def _shares(scenario: Mapping[str, Any], result: Result | None) -> dict[str, float]:
    if result is None:
        return dict.fromkeys(_MEASURED, float("nan"))
    rates = [flow["goodput_bps"] for flow in result.data["background"]]
    fixed = [flow["buffers"] == "fixed" for flow in scenario["background"]]
    equal = sum(rates) / len(rates)
    of = {True: [], False: []}
    for rate, stock in zip(rates, fixed, strict=True):
        of[stock].append(rate / equal)
    return {
        "stock": sum(of[True]) / len(of[True]),
        "right-sized": sum(of[False]) / len(of[False]),
        "jain": jain(rates),
        "goodput_bps": sum(rates),
    }


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, SETS[:1])
    parts = [
        means(runs, ["label", "flows"], what, _MEASURED, draw="starts").assign(what=what)
        for what in (*_WHAT, "jain")
    ]
    table = pd.concat(parts, ignore_index=True)[["what", "label", "flows", "runs", "mean", "low",
                                                 "high"]]  # fmt: skip
    figure = style.new_figure(7.2, 3.5)
    for axes, label in zip(figure.subplots(1, 2, sharey=True), SETS, strict=True):
        _panel(axes, table[table["label"] == label])
        axes.set_title(label)
    figure.axes[0].set_ylabel("Goodput of a flow over an equal share")
    handles = [
        Line2D([], [], **{**look(name).line(), "label": what}) for what, name in _WHAT.items()
    ]
    handles.append(Line2D([], [], color=style.GREY, alpha=0.3, linewidth=6, label="within 10 %"))
    figure.legend(handles=handles, loc="outside upper center", ncols=3, fontsize=8)
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    gaps = [f"set {label}" for label in SETS if label not in set(table["label"])]
    lines = [
        f"$\\tau$ = {first['delay_s'] * 1e3:g} ms, engine {first['engine']}; means of "
        f"{table['runs'].min()} runs with random start times, bars: 95 % intervals",
    ]
    figure.supxlabel("\n".join([*lines, *missing(gaps, runs)]), fontsize=7, color=style.GREY)
    return figure, table


def _panel(axes: Axes, table: pd.DataFrame) -> None:
    counts = sorted(table["flows"].unique())
    for shift, (what, name) in zip((-0.06, 0.06), _WHAT.items(), strict=True):
        rows = table[table["what"] == what]
        places = [counts.index(count) + shift for count in rows["flows"]]
        half = [rows["mean"] - rows["low"], rows["high"] - rows["mean"]]
        axes.errorbar(places, rows["mean"], yerr=half, capsize=2, **look(name).line())
    axes.axhspan(1 - FAIR, 1 + FAIR, color=style.GREY, alpha=0.12, linewidth=0)
    axes.axhline(1, **style.LIMIT)
    axes.set_xticks(range(len(counts)), [f"{count // 2:g} + {count // 2:g}" for count in counts])
    axes.set_ylim(0, 2)
    axes.set_xlabel("Right-sized and stock flows")


def _answer(table: pd.DataFrame) -> list[str]:
    return list(_sentences(table))


def _sentences(table: pd.DataFrame) -> Iterator[str]:
    for label in SETS:
        rows = table[table["label"] == label]
        if not len(rows):
            continue
        sized = rows[rows["what"] == "right-sized"]
        far = sized.loc[(sized["mean"] - 1).abs().idxmax()]
        least = rows.loc[rows[rows["what"] == "jain"]["mean"].idxmin()]
        within = (sized["mean"] - 1).abs() <= FAIR
        yield (
            f"{label[0].upper()}{label[1:]}: right-sized flows get their share within {FAIR:.0%} "
            f"with {within.sum()} of {len(sized)} numbers of flows, at worst "
            f"{give_or_take(far, digits=2)} of it with {far['flows']:g} flows; Jain's index of all "
            f"flows is at least {give_or_take(least, digits=3)}."
        )


FIGURE = Kind(
    "How right-sized and stock flows share a network",
    _draw,
    _rows,
    question="Is right-sizing fair to stock flows where the network is the limit?",
    answer=_answer,
    unit="1",
)
