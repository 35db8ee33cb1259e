"""What is measured of a race of tuners.

*Regret*: 1 - G / G*, with G a tuner's goodput, and G* that of the best fixed N on the same path,
with the same file, traffic, seed and run. Which N is best is told by the mean of its runs.

*Time to within 5 %*: from a transfer's first command to the end of its first chunk whose goodput is
at least 95 % of the mean of the best fixed N's whole chunks.

*Harm*: 1 - g / g1, with g the goodput of the plain TCP connection beside the tuner, and g1 that of
the same connection beside one connection that does not tune (mode fixed, N = 1), with the same seed
and run. It follows the harm of Ware, Mukerjee, Seshan, Sherry (HotNets 2019), with a single
connection in the place of an empty path.

All of them are taken run by run, then means with their 95 % intervals over the runs (Student).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.read import stored, tuners
from analysis.read.results import Result
from analysis.statistics.curve import MEASURED as SESSION_MEASURED
from analysis.statistics.interval import LOSS, mean_interval
from analysis.statistics.means import summary

TUNED, FIXED = "tuned", "fixed"
"""Labels of the sets."""

PATH = ("bandwidth_bps", "delay_s", "random_loss", "file_size_bytes")
"""What a row of the race is: a path and a file."""

SETTING = (*PATH, "beside")
"""The same, alone or beside plain TCP."""

CONTENDER = ("contender", "parallelism", "falcon_search")
"""What differs within a setting."""

OWN_MEASURED = ("background_bps", "first_parallelism", "ends_s", "chunks_bps")
"""Columns that `rows_of` adds to what is measured: goodput of the connection beside, N of the first
chunk, and of each whole chunk its end after the start, and its goodput."""

MEASURED = (*SESSION_MEASURED, *OWN_MEASURED)
"""All columns that are no part of a scenario."""

CLOSE = 0.95
"""Share of the best fixed N's goodput that is close."""


def rows_of(store: Path, sweep: str) -> pd.DataFrame:
    """Return one row per run of a sweep: its scenario's plain values, and what is measured."""
    rows = []
    for label, scenario, result in stored.declared(store, sweep):
        plain = {
            key: value for key, value in scenario.items() if not isinstance(value, dict | list)
        }
        told = {"label": label, **plain, "beside": len(scenario["background"]) > 0}
        told["contender"] = _contender(scenario)
        rows.append({**told, **_measured(result)})
    return pd.DataFrame(rows)


def _contender(scenario: Mapping[str, Any]) -> str:
    """Return the mode, with what tells two of the race with one mode apart."""
    mode = scenario["mode"]
    return f"{mode} {scenario['falcon_search']}" if mode == "falcon" else mode


def _measured(result: Result | None) -> dict[str, Any]:
    if result is None:
        return {"goodput_bps": math.nan}
    session, background = result.data["sessions"][0], result.data["background"]
    chunks = session["gridftp"]["chunks"]
    whole = [chunk for chunk in chunks if chunk["valid"]]
    return {
        "goodput_bps": session["goodput_bps"],
        "background_bps": background[0]["goodput_bps"] if background else math.nan,
        "first_parallelism": chunks[0]["parallelism"],
        "ends_s": [chunk["end_s"] - chunks[0]["start_s"] for chunk in whole],
        "chunks_bps": [chunk["goodput_bps"] for chunk in whole],
    }


def table_of(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each setting and tuner, and for the best fixed N of each setting.

    Columns: `SETTING`, ``contender``, ``best_parallelism`` and ``best_bps`` of the best fixed N,
    ``runs``, ``first_parallelism``, of ``regret``, ``reach_s`` and ``harm`` the mean and, with
    ``_low`` and ``_high`` behind, its 95 % interval, ``reached`` (share of the runs that came
    close), ``wins`` (whether it has the least regret of the setting's tuners) and ``leads``
    (whether it wins, or the interval of how much more it regrets than the winner, run by run, is
    not above 0).
    """
    done = runs[runs["label"].isin([TUNED, FIXED])].dropna(subset="goodput_bps")
    rows = []
    for setting, same in done.groupby(list(SETTING), sort=True):
        fixed, tuned = same[same["label"] == FIXED], same[same["label"] == TUNED]
        if len(fixed) and len(tuned):
            where = dict(zip(SETTING, setting, strict=True))
            rows += [{**where, **row} for row in _setting(fixed, tuned)]
    columns = [*SETTING, "contender", "best_parallelism", "best_bps", "runs", "first_parallelism"]
    columns += [f"{name}{end}" for name in ("regret", "reach_s", "harm") for end in _ENDS]
    return pd.DataFrame(rows, columns=[*columns, "reached", "wins", "leads"])


_ENDS = ("", "_low", "_high")


def contenders(table: pd.DataFrame) -> list[str]:
    """Return those of a table in the order of their modes; fixed, if it is there, last."""
    there = list(dict.fromkeys(table["contender"]))
    order = tuners.ordered({name.partition(" ")[0] for name in there})
    own = [name for mode in order for name in sorted(there) if name.partition(" ")[0] == mode]
    return sorted(own, key=lambda name: name == FIXED)


def _setting(fixed: pd.DataFrame, tuned: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of one setting."""
    best_n = fixed.groupby("parallelism")["goodput_bps"].mean().idxmax()
    best = fixed[fixed["parallelism"] == best_n].set_index("run")
    single = fixed[fixed["parallelism"] == 1].set_index("run")["background_bps"]
    whole = [value for chunks in best["chunks_bps"] for value in chunks]
    close = CLOSE * sum(whole) / len(whole) if whole else math.nan
    told, regrets = [], {}
    for contender, own in [*tuned.groupby("contender"), (FIXED, best.reset_index())]:
        own = own.set_index("run")
        regret = (1 - own["goodput_bps"] / best["goodput_bps"]).dropna()
        reach = own.apply(_reach, axis=1, args=(close,)).dropna()
        harm = (1 - own["background_bps"] / single).dropna()
        regrets[contender] = regret
        told.append(
            {
                "contender": contender,
                "best_parallelism": best_n,
                "best_bps": best["goodput_bps"].mean(),
                "runs": len(own),
                "first_parallelism": own["first_parallelism"].mean(),
                **_interval("regret", regret),
                **_interval("reach_s", reach),
                **_interval("harm", harm),
                "reached": len(reach) / len(own),
            }
        )
    del regrets[FIXED]
    winner = min(regrets, key=lambda name: regrets[name].mean())
    for row in told:
        name = row["contender"]
        row["wins"] = name == winner
        row["leads"] = name in regrets and not _is_behind(regrets[name], regrets[winner])
    return told


def _reach(run: pd.Series, close: float) -> float:
    """Return when a run first came close, s; nan if it never did."""
    pairs = zip(run["ends_s"], run["chunks_bps"], strict=True)
    return next((end for end, goodput in pairs if goodput >= close), math.nan)


_BOUNDS = {"regret": LOSS, "harm": LOSS}
"""Of what has bounds."""


def _interval(name: str, values: pd.Series) -> dict[str, float]:
    """Return a mean and its interval; nan where there is nothing."""
    if not len(values):
        return {f"{name}{end}": math.nan for end in _ENDS}
    found = summary(values.tolist(), _BOUNDS.get(name))
    return {name: found["mean"], f"{name}_low": found["low"], f"{name}_high": found["high"]}


def _is_behind(own: pd.Series, winner: pd.Series) -> bool:
    """Return whether one regrets more than the winner, by the 95 % interval of the pairs."""
    more = (own - winner).dropna().tolist()
    if len(more) < 2:
        return sum(more) > 0
    return mean_interval(more).low > 0
