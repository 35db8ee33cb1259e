"""Runs in which several sessions and plain TCP share the bottleneck: what each of them gets.

A set of such a sweep is told by what its runs have: sessions of one mode or of several, background
connections or none. Chance is above all when they start: runs of the same starts, whoever has
which, are one draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ..read import stored
from ..read.results import Result, chunks_of, total_goodput_bps
from .fairness import common_period, goodput_within, jain

MEASURED = ("goodput_bps", "period_s", "jain", "used", "share", "background_bps")
"""Columns of `sharing_table` that are measured."""


def sharing_table(store: Path, sweep: str) -> pd.DataFrame:
    """Return one row per run of a sweep, in the sweep's order.

    Columns: ``label``, ``engine``, the scenario's plain values; ``modes`` (those of the sessions,
    each once, as "mi, aimd"), ``sessions`` (how many), ``delays`` ("equal" or "unequal"),
    ``background_window_bytes`` and ``background_start_s`` (of the first background connection, 0
    for none), ``starts`` and ``paths`` (starts and delays of all), ``draw`` (the starts, sorted);
    and what is measured, nan where the run is not done or there is no such thing:

    - ``goodput_bps``: the sum of the sessions', each over its own time;
    - ``period_s``: length of the common period (`fairness`), in which are taken
    - ``jain``: Jain's index of the sessions' goodputs,
    - ``used``: all of them over the bottleneck's rate,
    - ``share``: the first session's of the sum;
    - ``background_bps``: the first background connection's goodput, over its own time; nan, too,
      where the sessions ended before its stop.

    Raises:
        ResultError: the store cannot be read.
    """
    rows = [
        {"label": label, **_declared(scenario), **_measured(scenario, result)}
        for label, scenario, result in stored.declared(store, sweep)
    ]
    return pd.DataFrame(rows)


def _declared(scenario: Mapping[str, Any]) -> dict[str, Any]:
    sessions, background = scenario["sessions"], scenario["background"]
    every = [*sessions, *background]
    plain = {key: value for key, value in scenario.items() if not isinstance(value, list | dict)}
    return {
        **plain,
        "modes": ", ".join(dict.fromkeys(session["mode"] for session in sessions)),
        "sessions": len(sessions),
        "delays": "equal" if len({flow["delay_s"] for flow in every}) == 1 else "unequal",
        "background": len(background),
        "background_window_bytes": background[0]["window_bytes"] if background else 0,
        "background_start_s": background[0]["start_s"] if background else 0,
        "starts": _joined(flow["start_s"] for flow in every),
        "paths": _joined(flow["delay_s"] for flow in every),
        "draw": _joined(sorted(flow["start_s"] for flow in every)),
    }


def _joined(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _background(scenario: Mapping[str, Any], result: Result) -> float:
    flow, declared = result.data["background"][0], scenario["background"][0]
    cut_short = flow["end_s"] < declared["stop_s"]
    return math.nan if cut_short else flow["goodput_bps"]


def _measured(scenario: Mapping[str, Any], result: Result | None) -> dict[str, float]:
    told = dict.fromkeys(MEASURED, math.nan)
    if result is None:
        return told
    told["goodput_bps"] = total_goodput_bps(result.data)
    if scenario["background"]:
        told["background_bps"] = _background(scenario, result)
    chunks = chunks_of(result.data)
    period = common_period(chunks)
    if len(chunks) > 1 and period is not None:
        goodputs = [goodput_within(one, *period) for one in chunks]
        told["period_s"] = period[1] - period[0]
        told["jain"] = jain(goodputs)
        told["used"] = sum(goodputs) / scenario["bandwidth_bps"]
        told["share"] = goodputs[0] / sum(goodputs)
    return told
