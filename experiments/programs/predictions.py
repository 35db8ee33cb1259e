"""What the fluid model predicts along a sweep: the program ``gridftp-optimum`` at each point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..errors import ProgramError
from .path import round_trip_s
from .program import Program, locate

PROGRAM = "gridftp-optimum"

COLUMNS = ["parallelism", "goodput_bps", "limited_by", "best"]
"""What is predicted at each value of the swept keys."""


def predictions(
    frame: pd.DataFrame, key: str | Sequence[str], program: Program | None = None
) -> pd.DataFrame:
    """Return the fluid model's goodput over N at each value of the swept key.

    R is the round-trip time of the path when its queue is empty: twice the delays of the bottleneck
    and of the two access links.

    Args:
        frame: runs with the scalar keys of their resolved scenarios, as figures take them.
        key: the swept key, or several; of the other keys, each point's first run has the say.
        program: `PROGRAM`; None takes the built one.

    Returns:
        One row per value of the key and N, from 1 to the program's last, and to the largest
        ``parallelism`` of the point's runs as far as the model's domain goes: the key,
        ``parallelism``, ``goodput_bps``, ``limited_by`` ("window" or "network") and ``best``, true
        in one row of each value, the model's optimum.

    Raises:
        UserError: the program refuses a point.
        ProgramError: the program is missing or does not do what it should.
    """
    ask = _Asker(program or locate(PROGRAM))
    keys = [key] if isinstance(key, str) else list(key)
    tables = []
    for values, runs in frame.groupby(keys, sort=True):
        curve = _curve(ask, runs.iloc[0], runs["parallelism"].max())
        tables.append(curve.assign(**dict(zip(keys, values, strict=True))))
    columns = [*keys, *COLUMNS]
    if not tables:
        return pd.DataFrame(columns=columns)
    return pd.concat(tables, ignore_index=True)[columns]


class _Asker:
    """Asks the program, the same question once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[str, ...], dict[str, Any]] = {}

    def __call__(self, options: tuple[str, ...]) -> dict[str, Any]:
        if options not in self._known:
            self._known[options] = self._program.object(*options, "--json")
        return self._known[options]


def _curve(ask: _Asker, scenario: pd.Series, last: float) -> pd.DataFrame:
    """Return the curve of one scenario, if it can be had as far as N = `last`."""
    answer = ask(_options(scenario))
    curve = pd.DataFrame(answer["curve"])
    within = curve["goodput_bps"] < curve["window_limit_bps"]
    curve["limited_by"] = np.where(within, "network", "window")
    if curve["parallelism"].iloc[-1] < min(last, scenario["max_parallelism"]):
        curve = _longer(ask, scenario, curve)
    return curve.assign(best=curve["parallelism"] == answer["optimum"]["parallelism"])


def _longer(ask: _Asker, scenario: pd.Series, curve: pd.DataFrame) -> pd.DataFrame:
    """Return a curve that goes on where the program's ends, at four times the optimum.

    There the network is the limit, which is the same for every window; with windows of a packet the
    optimum is so far away that the program tells the limit for all N.
    """
    end = curve.iloc[-1]
    if pd.isna(end["network_limit_bps"]):
        return curve
    smallest = scenario.copy()
    smallest["window_bytes"] = scenario["packet_size_bytes"]
    network = pd.DataFrame(ask(_options(smallest))["curve"]).dropna(subset="network_limit_bps")
    same = network.loc[network["parallelism"] == end["parallelism"], "network_limit_bps"].tolist()
    if same != [end["goodput_bps"]]:
        raise ProgramError(
            f"{PROGRAM}: at N = {end['parallelism']} the goodput is {end['goodput_bps']} and the "
            f"network's limit {same}; they should be equal"
        )
    rest = network[network["parallelism"] > end["parallelism"]]
    rest = rest.assign(goodput_bps=rest["network_limit_bps"], limited_by="network")
    return pd.concat([curve, rest], ignore_index=True)


def _options(scenario: pd.Series) -> tuple[str, ...]:
    """Return the program's options for the path and the session of a run."""
    return (
        "--stack=classic",  # the fluid model
        f"--bandwidth={_plain(scenario['bandwidth_bps'])}bps",
        f"--rtt={_plain(round(round_trip_s(scenario), 9))}s",
        f"--window={_plain(scenario['window_bytes'])}B",
        f"--packet-size={_plain(scenario['packet_size_bytes'])}B",
        f"--max-parallelism={_plain(scenario['max_parallelism'])}",
    )


def _plain(value: float) -> str:
    """Return a number without an exponent."""
    return np.format_float_positional(float(value), trim="-")
