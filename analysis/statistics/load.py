"""The load of a server over time, from the files that its clients have moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

TRANSFERS = ("session", "memory_bytes", "size_bytes", "start_s", "end_s")
"""Columns of `transfers`."""


def transfers(data: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row per complete file of each session of a result, columns `TRANSFERS`.

    The memory is what the session's server allocates for it, as the scenario says. There are none
    of sessions that move a single file without a data set.
    """
    declared = data["scenario"]["sessions"]
    rows = [
        (number, asked["server_memory_bytes"], file["size_bytes"], file["start_s"], file["end_s"])
        for number, (asked, session) in enumerate(zip(declared, data["sessions"], strict=True))
        for file in session.get("files", ())
    ]
    return pd.DataFrame(rows, columns=list(TRANSFERS))


def load_of(data: Mapping[str, Any], average_s: float, step_s: float) -> pd.DataFrame:
    """Return what `load_over_time` does of a result, and its server's CPU.

    Returns:
        ``cpu``, too: which share of the time the CPU of the server's host is busy, nan where
        nothing costs CPU time. What it was asked for in all is spread as the files' bytes are, also
        what transfer commands cost, of which a result has no times.
    """
    moved = transfers(data)
    load = load_over_time(moved, average_s, step_s)
    # With server-host=shared the first session's is that of all
    host = data["sessions"][0].get("host")
    busy_s = host["sender"]["cpu_busy_s"] if host else np.nan
    return load.assign(cpu=load["throughput_bps"] / 8 * busy_s / moved["size_bytes"].sum())


def load_over_time(table: pd.DataFrame, average_s: float, step_s: float) -> pd.DataFrame:
    """Return running averages of a server's load, each over the time before it.

    A client counts from the start of its first file to the end of its last one. The bytes of a file
    are spread evenly over its transfer.

    Args:
        table: as from `transfers`, times from 0 s on.
        average_s: over how long each average is.
        step_s: between two rows.

    Returns:
        ``time_s`` (multiples of ``step_s`` until the last file has ended), ``clients``,
        ``response_s`` (mean of the transfers that end within the average's time; nan where none
        does), ``throughput_bps`` (bit/s; of the files' bytes) and ``memory_bytes`` (of the clients'
        servers).
    """
    last = table["end_s"].max() if len(table) else 0.0
    times = np.arange(0.0, last + step_s, step_s)
    clients = table.groupby("session").agg(
        start=("start_s", "min"), end=("end_s", "max"), memory=("memory_bytes", "first")
    )
    stays = clients["end"] - clients["start"]
    present = _so_far(clients["start"], clients["end"], stays)
    allocated = _so_far(clients["start"], clients["end"], stays * clients["memory"])
    moved = _so_far(table["start_s"], table["end_s"], table["size_bytes"] * 8.0)
    within = [table["end_s"].gt(t - average_s) & table["end_s"].le(t) for t in times]
    spent = table["end_s"] - table["start_s"]
    return pd.DataFrame(
        {
            "time_s": times,
            "clients": _average(present, times, average_s),
            "response_s": [spent[chosen].mean() for chosen in within],
            "throughput_bps": _average(moved, times, average_s),
            "memory_bytes": _average(allocated, times, average_s),
        }
    )


Course = tuple[np.ndarray, np.ndarray]
"""Times, and a sum up to each of them."""


def _so_far(starts: pd.Series, ends: pd.Series, amounts: pd.Series) -> Course:
    """Return how much there has been up to each start or end, each amount spread evenly."""
    begun, ended, whole = (column.to_numpy(float) for column in (starts, ends, amounts))
    rates = whole / (ended - begun)
    events = np.concatenate([[0.0], begun, ended])
    order = np.argsort(events, kind="stable")
    steps = np.concatenate([[0.0], rates, -rates])[order]
    times = events[order]
    return times, np.concatenate([[0.0], np.cumsum(np.cumsum(steps)[:-1] * np.diff(times))])


def _average(course: Course, times: np.ndarray, average_s: float) -> np.ndarray:
    """Return by how much a sum grows in the time before each time, a second."""
    upto = np.interp(times, *course)
    before = np.interp(times - average_s, *course)
    return (upto - before) / average_s
