"""The fluid model's predictions along a sweep, as figures get them.

A table, one row per value of the swept keys and number of connections N: the keys,
``parallelism``, ``goodput_bps``, ``limited_by`` ("window" or "network") and ``best``, true where N
is the model's optimum. The numbers are the program's; this package has no formula of the model.
"""

from __future__ import annotations

import pandas as pd


def best(predictions: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the model's optimum, one per value of the keys."""
    return predictions[predictions["best"].astype(bool)]


def at(predictions: pd.DataFrame, parallelism: int) -> pd.DataFrame:
    """Return the rows of one number of connections, one per value of the keys."""
    return predictions[predictions["parallelism"] == parallelism]
