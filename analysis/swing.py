"""How much N swings in a transfer: its range over the second half of the chunks."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from . import stored
from .results import Result

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
    """Return one row per run of a sweep: `stored.run_table` with `MEASURED`, nan if it is not done.

    Raises:
        ResultError: the store cannot be read.
    """
    runs = stored.run_table(store, sweep)
    found = [_of(result) for _, _, result in stored.declared(store, sweep)]
    return runs.assign(**pd.DataFrame(found, columns=MEASURED, dtype=float))


def _of(result: Result | None) -> dict[str, float]:
    if result is None:
        return {}
    return swing([chunk["parallelism"] for chunk in result.data["sessions"][0]["chunks"]])
