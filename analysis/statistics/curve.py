"""From the runs of a sweep to curves: mean goodput with its interval over the swept key, by mode.

The runs are a table, one row per session of a simulation (`stored.session_table`): ``label`` (which
set of the sweep it belongs to), the scalar keys of its resolved scenario (``mode``, ``run``,
``seed``, ``bandwidth_bps``, ...) and what was measured (`MEASURED`). A row without goodput is of a
run that was declared and is not done.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ..read.results import LINK, SESSION, ResultError
from .alike import difference
from .interval import Interval, mean_interval, t_quantile

CURVES = ("segment", "single")
"""Labels of the sets that are drawn as curves and judged: the modes, and a single connection."""

REFERENCE = ("ns3", "ns3-twin")
"""Labels of the reference engine's runs, and of the other engine's on the same scenarios."""

VARIANTS = {
    "access-1gbps": "access links of 1 Gbit/s",
    "access-bottleneck": "access links of the bottleneck's rate",
}
"""Labels of the modes' curves under other access links, and what readers call them."""

MEASURED = (*SESSION, *LINK)
"""Columns that are no part of the scenario."""

_BY_RUN = ("label", "mode", "run", "seed")


@dataclass(frozen=True)
class Curve:
    """The mean goodput of one mode over the swept key.

    Attributes:
        x: values of the swept key, SI units, ascending.
        y: the mean at each, in bits per second, or what `share_of` made of it.
        error: standard error of each mean; nan where there is a single run.
        runs: number of runs at each.
    """

    x: np.ndarray
    y: np.ndarray
    error: np.ndarray
    runs: np.ndarray

    def part(self, chosen: np.ndarray | slice) -> Curve:
        """Return the chosen points (a mask or a slice) as a curve."""
        return Curve(self.x[chosen], self.y[chosen], self.error[chosen], self.runs[chosen])

    def share_of(self, whole: np.ndarray) -> Curve:
        """Return the curve of y over another quantity, known exactly at each point."""
        return replace(self, y=self.y / whole, error=self.error / whole)


def points(frame: pd.DataFrame, key: str) -> pd.DataFrame:
    """Return one row per label, mode and value of the swept key that any run is done of.

    Columns: ``label``, ``mode``, the key, ``bandwidth_bps``, ``runs`` (how many), ``goodput_bps``
    (their mean), ``low_bps`` and ``high_bps`` (95 % interval by Student's t) and ``error_bps``
    (standard error of the mean); nan for the last three where there is a single run.

    Args:
        frame: the runs.
        key: the swept key.

    Raises:
        ResultError: a column is missing, or runs of one point differ in their scenario.
    """
    for column in (*_BY_RUN, key, "bandwidth_bps", "goodput_bps"):
        if column not in frame:
            raise ResultError(f"the runs have no column {column!r}")
    by = ["label", "mode", key]
    rows = []
    done = frame.dropna(subset="goodput_bps")
    _check_alike(done, by)
    for (label, mode, x), runs in done.groupby(by, sort=True):
        values = runs["goodput_bps"].tolist()
        mean, error = _mean(values)
        rows.append(
            {
                "label": label,
                "mode": mode,
                key: x,
                "bandwidth_bps": runs["bandwidth_bps"].iloc[0],
                "runs": len(values),
                "goodput_bps": mean.mean,
                "low_bps": mean.low,
                "high_bps": mean.high,
                "error_bps": error,
            }
        )
    columns = list(dict.fromkeys([*by, "bandwidth_bps", "runs", "goodput_bps", "low_bps",
                                  "high_bps", "error_bps"]))  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def _mean(values: list[float]) -> tuple[Interval, float]:
    """Return the mean with its interval, and its standard error; nan for those of one value."""
    if len(values) < 2:
        return Interval(values[0], math.nan, math.nan), math.nan
    return mean_interval(values), float(np.std(values, ddof=1)) / math.sqrt(len(values))


def _check_alike(runs: pd.DataFrame, by: Sequence[str]) -> None:
    """Raise if the runs of a point are of different scenarios, or one is there twice.

    Args:
        runs: those that are done.
        by: ``label``, ``mode`` and the swept key.
    """
    apart = {*_BY_RUN, *MEASURED, *by}
    differ = difference(runs, by, [column for column in runs if column not in apart])
    if differ is not None:
        point, column = differ
        raise ResultError(f"{_where(by, point)}: the runs differ in {column}")
    known = runs.dropna(subset=list(by))
    twice = known[known.duplicated([*by, "seed", "run"])]
    if len(twice):
        raise ResultError(f"{_where(by, twice[list(by)].iloc[0])}: a run is there twice")


def _where(by: Sequence[str], point: Iterable[Any]) -> str:
    """Return how a message calls a point."""
    label, mode, x = point
    return f"{label}, mode {mode}, {by[-1]} = {x:g}"


def curve_of(table: pd.DataFrame, key: str, label: str, mode: str) -> Curve:
    """Return one mode's curve from the table of `points`; empty if there is none."""
    rows = table[(table["label"] == label) & (table["mode"] == mode)].sort_values(key)
    columns = (key, "goodput_bps", "error_bps", "runs")
    return Curve(*(rows[column].to_numpy(dtype=float) for column in columns))


def declared(frame: pd.DataFrame, key: str, labels: Iterable[str]) -> list[float]:
    """Return the values of the swept key that any run of these labels has, done or not."""
    return sorted(frame.loc[frame["label"].isin(list(labels)), key].unique().tolist())


def propagated(statistic: Callable[[Curve], float], curve: Curve) -> Interval:
    """Return a statistic of the means, and its 95 % interval from the means' errors.

    The errors are taken as independent and small: var(f) is the sum of (df/dy error)^2, with
    Welch and Satterthwaite's degrees of freedom. Of a statistic that is one of the means this is
    Student's interval of that mean. The bounds are nan where a point that counts has a single run.
    """
    value = statistic(curve)
    step = 1e-6 * float(np.abs(curve.y).max())
    parts = []
    for i, error in enumerate(curve.error):
        nudge = np.where(np.arange(len(curve.y)) == i, step, 0)
        rise = statistic(replace(curve, y=curve.y + nudge)) - statistic(
            replace(curve, y=curve.y - nudge)
        )
        # A point that does not count may lack an error.
        parts.append((rise / (2 * step) * error) ** 2 if rise else 0.0)
    variance = sum(parts)
    if math.isnan(variance) or variance == 0:
        return Interval(value, value - variance, value + variance)
    spread = sum(part**2 / (runs - 1) for part, runs in zip(parts, curve.runs, strict=True) if part)
    half = t_quantile(max(1, int(variance**2 / spread)), 0.95) * math.sqrt(variance)
    return Interval(value, value - half, value + half)
