"""How much N swings in a transfer: its range over the second half of the chunks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from ..read import stored
from ..read.results import Result, chunks_of

MEASURED = ("n_low", "n_high", "n_mean", "swing")
"""What `swing_table` adds to the runs."""


def swing(parallelism: list[int]) -> dict[str, float]:
    """Return the range of N over the later half of a transfer, once it has found its level.

    Args:
        parallelism: N of each chunk, at least one.

    Returns:
        `MEASURED`: smallest, largest and mean N, and largest less smallest.
    """
    later = parallelism[len(parallelism) // 2 :]
    low, high = min(later), max(later)
    told = (low, high, sum(later) / len(later), high - low)
    return dict(zip(MEASURED, told, strict=True))


def swing_table(store: Path, sweep: str) -> pd.DataFrame:
    """Return one row per session of a sweep: `stored.session_table` with `MEASURED`.

    These are nan where a run is not done, or a session's tool has no chunks.

    Raises:
        ResultError: the store cannot be read.
    """
    runs = stored.session_table(store, sweep)
    found = [
        one
        for _, scenario, result in stored.declared(store, sweep)
        for one in _of(scenario, result)
    ]
    return runs.assign(**pd.DataFrame(found, columns=MEASURED, dtype=float))


def _of(scenario: Mapping[str, Any], result: Result | None) -> list[dict[str, float]]:
    """Return `MEASURED` of each session, nothing of one without chunks."""
    if result is None:
        return [{}] * len(scenario["sessions"])
    return [
        swing([chunk["parallelism"] for chunk in chunks]) if chunks else {}
        for chunks in chunks_of(result.data)
    ]
