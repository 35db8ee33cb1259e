"""Means over replications with their 95 % intervals, and ratios of them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from ..read.results import ResultError
from .alike import difference
from .curve import MEASURED, Curve, propagated
from .interval import Bounds, Interval, mean_interval

COLUMNS = ("runs", "mean", "low", "high", "error")
"""What `means` adds: how many runs, their mean, its interval, its standard error."""


def summary(values: Sequence[float], within: Bounds | None = None) -> dict[str, float]:
    """Return `COLUMNS` of at least one value; of a single one, interval and error are nan.

    Args:
        values: independent of each other.
        within: bounds that they have, as `mean_interval` takes them.
    """
    if len(values) < 2:
        return dict(zip(COLUMNS, (1, values[0], math.nan, math.nan, math.nan), strict=True))
    found = mean_interval(values, within=within)
    error = statistics.stdev(values) / math.sqrt(len(values))
    told = (len(values), found.mean, found.low, found.high, error)
    return dict(zip(COLUMNS, told, strict=True))


def means(
    runs: pd.DataFrame,
    by: Sequence[str],
    value: str,
    measured: Iterable[str] = MEASURED,
    draw: str | None = None,
    within: Bounds | None = None,
) -> pd.DataFrame:
    """Return the mean of a column at each point that any run is done of.

    Args:
        runs: one row per run; without the value where it is not done.
        by: columns that tell the points apart.
        value: the column.
        measured: columns that are no part of the scenario; all others but the number of the run
            are to be the same at a point.
        draw: column that tells what was drawn, such as when sessions start. Runs of one draw are
            not independent: each draw counts once, with their mean; where a point has a single
            draw, each ``run`` and ``seed`` counts once. None: every row does.
        within: bounds that the value has, as `mean_interval` takes them.

    Returns:
        One row per point, sorted: the columns ``by``, and `COLUMNS`, ``runs`` being what counts.

    Raises:
        ResultError: runs of a point are of different scenarios.
    """
    apart = {*by, *measured, value, draw, "run", "seed"}
    done = runs.dropna(subset=value)
    _check_alike(done, by, [column for column in runs if column not in apart])
    rows = []
    for point, same in done.groupby(list(by), sort=True):
        values = _independent(same, value, draw)
        rows.append({**dict(zip(by, point, strict=True)), **summary(values, within)})
    return pd.DataFrame(rows, columns=[*by, *COLUMNS])


def _check_alike(runs: pd.DataFrame, by: Sequence[str], columns: Iterable[str]) -> None:
    """Raise if the runs of a point differ in one of these columns."""
    differ = difference(runs, by, columns)
    if differ is not None:
        point, column = differ
        where = ", ".join(f"{key} = {x}" for key, x in zip(by, point, strict=True))
        raise ResultError(f"{where}: the runs differ in {column}")


def _independent(same: pd.DataFrame, value: str, draw: str | None) -> list[float]:
    """Return the values that are independent of each other, as `means` tells."""
    if draw is None:
        return same[value].tolist()
    unit = [draw] if same[draw].nunique() > 1 else ["seed", "run"]
    return [statistics.fmean(own) for _, own in same.groupby(unit)[value]]


def with_common(
    table: pd.DataFrame, runs: pd.DataFrame, by: Sequence[str], column: str
) -> pd.DataFrame:
    """Return a table of means with a value of the scenario that all runs beside each other share.

    Args:
        table: of `means`; the column is put before `COLUMNS`.
        runs: those that are drawn or predicted together, done or not.
        by: columns that tell what is beside each other apart.
        column: the value's.

    Raises:
        ResultError: runs that are beside each other differ in it.
    """
    _check_alike(runs, by, [column])
    common = runs[[*by, column]].drop_duplicates()
    told = table.merge(common, how="left", on=list(by))
    told.insert(told.columns.get_loc(COLUMNS[0]), column, told.pop(column))
    return told


def ratio(one: pd.Series, other: pd.Series) -> Interval:
    """Return the ratio of two rows of `means`, and its 95 % interval from both errors.

    Of a mean and itself it is 1, exactly. The bounds are nan where one of them has a single run.
    """
    if one is other:
        return Interval(1.0, 1.0, 1.0)
    columns = (np.array([one[key], other[key]], dtype=float) for key in ("mean", "error", "runs"))
    curve = Curve(np.arange(2.0), *columns)
    return propagated(lambda pair: float(pair.y[0] / pair.y[1]), curve)
