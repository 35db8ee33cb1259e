"""Whether runs that are put together are of one scenario."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd


def difference(
    runs: pd.DataFrame, by: Sequence[str], columns: Iterable[str]
) -> tuple[tuple[Any, ...], str] | None:
    """Return the first point whose runs differ in a column, and the first such column; or None.

    Args:
        runs: one row per run.
        by: columns that tell the points apart; points come in their order, and
            runs that lack one of them are of none.
        columns: those that are to have one value at each point; none at all is a value, too.
    """
    grouped = runs.groupby(list(by), sort=True)
    point = grouped.ngroup().to_numpy()
    known, first = np.unique(point, return_index=True)
    if len(known) == len(runs):
        return None
    # All points at once: a look at each column of each point takes longer than all statistics
    same_as = first[np.searchsorted(known, point)]
    found: tuple[int, str] | None = None
    for column in columns:
        values = pd.factorize(runs[column], use_na_sentinel=False)[0]
        differing = point[(values != values[same_as]) & (point >= 0)]
        if len(differing) and (found is None or differing.min() < found[0]):
            found = differing.min(), column
    if found is None:
        return None
    row = first[np.searchsorted(known, found[0])]
    return tuple(runs[key].iloc[row] for key in by), found[1]
