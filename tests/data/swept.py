"""Made-up runs of a sweep, with the columns that stored runs have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

SCENARIO: dict[str, Any] = {
    "bandwidth_bps": 100_000_000,
    "delay_s": 0.01,
    "access_delay_s": 1e-05,
    "queue_packets": 100,
    "packet_size_bytes": 1500,
    "window_bytes": 65536,
    "rtt_samples": 10,
    "initial_parallelism": 1,
    "max_parallelism": 1024,
    "parallelism": 1,
    "chunk_size_bytes": 100_000_000,
    "file_size_bytes": 10_000_000_000,
    "eta": 0.8,
    "gamma": 2,
    "alpha": 1,
    "beta": 0.5,
    "start_jitter_s": 0.001,
    "seed": 1,
}
"""The conditions of the paper."""

Values = Mapping[float, Sequence[float | None]]
"""Goodput of each replication in Mbit/s at each value of the swept key; None is not done."""


def runs(label: str, mode: str, key: str, values: Values, **scenario: Any) -> pd.DataFrame:
    """Return the runs of one curve, a row each; another session's are its ``assign(session=1)``."""
    engine = "ns3" if label == "ns3" else "segment"
    if label.startswith("ns3"):
        scenario = {"file_size_bytes": 1_000_000_000, **scenario}
    rows = [
        {
            **SCENARIO,
            **scenario,
            "label": label,
            "session": 0,
            "engine": engine,
            "mode": mode,
            key: x,
            "run": run,
            "goodput_bps": None if mbps is None else mbps * 1e6,
            "duration_s": 900.0,
            "final_parallelism": 4,
            "utilisation": 0.9,
            "drops": 7 * run,
        }
        for x, replications in values.items()
        for run, mbps in enumerate(replications, 1)
    ]
    return pd.DataFrame(rows).astype({"goodput_bps": float})


def frame(*parts: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of several curves as one table."""
    return pd.concat(parts, ignore_index=True)
