"""The sets of a sweep that a figure is drawn from, by their labels: is there what it needs?"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from .results import ResultError

_MOST = 6  # labels that a message names


def require(rows: pd.DataFrame, labels: Sequence[str], measured: str = "goodput_bps") -> None:
    """Raise if no run of any of these sets is done, saying why.

    Args:
        rows: of the sweep, with ``label``.
        labels: what the figure calls the sets, one of which it needs.
        measured: column that a row lacks if its run is not done.

    Raises:
        ResultError: no run of the sweep is done, no set has such a label, or none of these is done.
    """
    if not len(rows):
        raise ResultError("no run of the sweep is done")
    wanted = " or ".join(f'"{label}"' for label in labels)
    chosen = rows["label"].isin(list(labels))
    if not chosen.any():
        raise ResultError(f"no set is labelled {wanted} (found: {_named(rows)})")
    done = rows[measured].notna()
    if not done.any():
        raise ResultError("no run of the sweep is done")
    if not (done & chosen).any():
        raise ResultError(f"no run of set {wanted} is done")


def _named(rows: pd.DataFrame) -> str:
    """Return the labels there are, the first of them if they are many."""
    labels = sorted(rows["label"].unique())
    told = ", ".join(f'"{label}"' for label in labels[:_MOST])
    more = len(labels) - _MOST
    return f"{told} and {more} more" if more > 0 else told
