"""What the paper says of a server with many clients: its throughput and CPU, by how many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.statistics.load import load_of, transfers

AVERAGE_S = 60.0
"""Over which the lines of the paper's Figure 12 are averages."""

MEAN_OFF = 0.01
"""By so many clients a mean over that time may be off by rounding."""

_STEP_S = 5.0
_FEW = 100
_MANY = (500, 700)
"""What is taken as "around 600 clients"."""


def throughput_of_few(data: Mapping[str, Any]) -> float:
    """Return the most that is reached with less than 100 clients, bit/s."""
    growing = _growing(load_of(data, AVERAGE_S, _STEP_S))
    return float(growing.loc[growing["clients"] < _FEW, "throughput_bps"].max())


def throughput_of_many(data: Mapping[str, Any]) -> float:
    """Return the most that is reached with around 600 clients while they get more, bit/s."""
    growing = _growing(load_of(data, AVERAGE_S, _STEP_S))
    return float(growing.loc[growing["clients"].between(*_MANY), "throughput_bps"].max())


def cpu_of_all(data: Mapping[str, Any]) -> float:
    """Return the mean share of its CPU that a server uses while all of its clients are there."""
    load = load_of(data, AVERAGE_S, _STEP_S)
    return float(load.loc[load["clients"] >= len(data["sessions"]) - MEAN_OFF, "cpu"].mean())


def cpu_when_paging(data: Mapping[str, Any]) -> float:
    """Return the mean share of its CPU that a server uses when memory is short, over that before.

    Before is with around 600 clients and more, and while there are ever more.
    """
    load = load_of(data, AVERAGE_S, _STEP_S)
    pages = load["memory_bytes"] > data["scenario"]["host_memory_bytes"]
    before = _growing(load[~pages.cummax()])
    return float(load.loc[pages, "cpu"].mean()
                 / before.loc[before["clients"] >= _MANY[0], "cpu"].mean())  # fmt: skip


def _growing(load: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a load while there are ever more clients."""
    return load[: load["clients"].idxmax()]


def transfers_complete(data: Mapping[str, Any]) -> float:
    """Return how many files were moved."""
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
