"""Throughput and CPU usage of a server over the number of its clients (the paper's Section 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.statistics.load import load_of, transfers

AVERAGE_S = 60.0
"""Averaging time of the lines in the paper's Figure 12, in seconds."""

MEAN_OFF = 0.01
"""Rounding tolerance of a mean number of clients over that time."""

_STEP_S = 5.0
_FEW = 100
_MANY = (500, 700)
"""The range of clients that counts as "around 600 clients"."""


def throughput_of_few(data: Mapping[str, Any]) -> float:
    """Return the highest throughput with fewer than 100 clients, bit/s."""
    growing = _growing(load_of(data, AVERAGE_S, _STEP_S))
    return float(growing.loc[growing["clients"] < _FEW, "throughput_bps"].max())


def throughput_of_many(data: Mapping[str, Any]) -> float:
    """Return the highest throughput with around 600 clients, while their number grows, bit/s."""
    growing = _growing(load_of(data, AVERAGE_S, _STEP_S))
    return float(growing.loc[growing["clients"].between(*_MANY), "throughput_bps"].max())


def cpu_of_all(data: Mapping[str, Any]) -> float:
    """Return the mean share of its CPU that a server uses while all of its clients are active."""
    load = load_of(data, AVERAGE_S, _STEP_S)
    return float(load.loc[load["clients"] >= len(data["sessions"]) - MEAN_OFF, "cpu"].mean())


def cpu_when_paging(data: Mapping[str, Any]) -> float:
    """Return the mean CPU share of a server while memory is short, over its share before that.

    "Before" means from around 600 clients on, while their number still grows.
    """
    load = load_of(data, AVERAGE_S, _STEP_S)
    pages = load["memory_bytes"] > data["scenario"]["host_memory_bytes"]
    before = _growing(load[~pages.cummax()])
    return float(load.loc[pages, "cpu"].mean()
                 / before.loc[before["clients"] >= _MANY[0], "cpu"].mean())  # fmt: skip


def _growing(load: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a load while the number of clients grows."""
    return load[: load["clients"].idxmax()]


def transfers_complete(data: Mapping[str, Any]) -> float:
    """Return the number of files that were transferred."""
    return float(len(transfers(data)))


MEASURES = {
    function.__name__: function
    for function in (
        throughput_of_few,
        throughput_of_many,
        cpu_of_all,
        cpu_when_paging,
        transfers_complete,
    )
}
