"""The same scenarios on both engines, run by run: do they agree?

A sweep has engine ns3's runs in a set labelled ``ns3``, and engine segment's of the same scenarios
in one labelled ``ns3-twin``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ..read import stored
from ..read.results import Result
from .curve import MEASURED, REFERENCE


@dataclass(frozen=True)
class Agreement:
    """How the runs of both engines compare in one sweep.

    Attributes:
        compared: pairs of runs of the same scenario.
        equal: pairs whose goodputs are the same to the last digit.
        largest: relative difference of goodputs at most; 0 if nothing is compared.
        undone: declared runs of engine ns3 that lack a pair, as one of the two is not done.
        alone: those of them that are done themselves.
    """

    compared: int
    equal: int
    largest: float
    undone: int
    alone: int = 0

    def told(self) -> str:
        """Return it as a caption has it, "" if nothing is declared."""
        if not self.compared:
            if self.alone:
                return f"no run of engine segment to compare with {self.alone} of engine ns3"
            return "no run of engine ns3 is stored" if self.undone else ""
        runs = f"{self.compared} run{'s' if self.compared > 1 else ''} of engine ns3"
        how = (
            "equal in every digit"
            if not self.largest
            else f"at most {self.largest * 100:.2g} % different"
        )
        return f"{runs}: those of engine segment are {how}{self._lacking()}"

    def _lacking(self) -> str:
        """Return how many runs more there would be to compare."""
        undone = self.undone - self.alone
        told = f", {undone} more are not simulated" if undone else ""
        return told + (
            f", {self.alone} more of engine ns3 have no counterpart" if self.alone else ""
        )


def agreement(store: Path, sweep: str) -> Agreement:
    """Return how the engines compare in a sweep: goodputs of all sessions and of the background.

    Raises:
        ResultError: the store cannot be read.
    """
    found: dict[str, dict[str, Result | None]] = {}
    for label, scenario, result in stored.declared(store, sweep, REFERENCE):
        others = {key: value for key, value in scenario.items() if key != "engine"}
        found.setdefault(json.dumps(others, sort_keys=True), {})[label] = result
    ns3, twin = REFERENCE
    wanted = [(labels[ns3], labels.get(twin)) for labels in found.values() if ns3 in labels]
    done = [(one, other) for one, other in wanted if one is not None]
    away = [_largest(one, other) for one, other in done if other is not None]
    return _told(away, len(wanted), len(done))


def agreement_in(runs: pd.DataFrame, measured: Iterable[str] = MEASURED) -> Agreement:
    """Return how the engines compare in a table of runs, as figures get them.

    Args:
        runs: one a row, with ``label`` and ``goodput_bps``, nan where it is not done.
        measured: columns that are no part of the scenario.
    """
    apart = {"label", "engine", *measured}
    keys = [column for column in runs if column not in apart]
    ns3, twin = (runs[runs["label"] == label] for label in REFERENCE)
    both = ns3.merge(twin, on=keys, suffixes=("", "_twin")).dropna(
        subset=["goodput_bps", "goodput_bps_twin"]
    )
    found = map(_apart, both["goodput_bps"], both["goodput_bps_twin"])
    return _told(list(found), len(ns3), int(ns3["goodput_bps"].notna().sum()))


def agreement_table(store: Path, sweeps: Iterable[str]) -> pd.DataFrame:
    """Return how the engines compare, one row per sweep that has runs of both.

    Columns: ``sweep``, ``compared``, ``equal``, ``largest``, as in `Agreement`.

    Raises:
        ResultError: the store cannot be read.
    """
    found = {name: agreement(store, name) for name in sweeps}
    rows = [(name, a.compared, a.equal, a.largest) for name, a in found.items() if a.compared]
    return pd.DataFrame(rows, columns=["sweep", "compared", "equal", "largest"])


def _told(away: list[float], wanted: int, done: int) -> Agreement:
    equal, compared = sum(one == 0 for one in away), len(away)
    return Agreement(compared, equal, max(away, default=0.0), wanted - compared, done - compared)


def _largest(one: Result, other: Result) -> float:
    """Return the largest relative difference of two runs' goodputs."""
    both = zip(_goodputs(one), _goodputs(other), strict=True)
    return max(_apart(a, b) for a, b in both)


def _apart(a: float, b: float) -> float:
    return abs(a - b) / max(a, b) if a != b else 0.0


def _goodputs(result: Result) -> list[float]:
    flows = [*result.data["sessions"], *result.data["background"]]
    return [flow["goodput_bps"] for flow in flows]
