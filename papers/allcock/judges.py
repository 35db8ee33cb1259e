"""What the paper says of a server with many clients: its throughput, by how many there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.statistics.load import load_over_time, transfers

AVERAGE_S = 60.0
"""Over which the lines of the paper's Figure 12 are averages."""

_STEP_S = 5.0
_FEW = 100
_MANY = (500, 700)
"""What is taken as "around 600 clients"."""


def throughput_of_few(data: Mapping[str, Any]) -> float:
    """Return the most that is reached with less than 100 clients, bit/s."""
    load = load_over_time(transfers(data), AVERAGE_S, _STEP_S)
    growing = load[: load["clients"].idxmax()]
    return float(growing.loc[growing["clients"] < _FEW, "throughput_bps"].max())


def throughput_of_many(data: Mapping[str, Any]) -> float:
    """Return the most that is reached with around 600 clients while they get more, bit/s."""
    load = load_over_time(transfers(data), AVERAGE_S, _STEP_S)
    growing = load[: load["clients"].idxmax()]
    return float(growing.loc[growing["clients"].between(*_MANY), "throughput_bps"].max())


def transfers_complete(data: Mapping[str, Any]) -> float:
    """Return how many files were moved."""
    return float(len(transfers(data)))


MEASURES = {
    function.__name__: function
    for function in (throughput_of_few, throughput_of_many, transfers_complete)
}
