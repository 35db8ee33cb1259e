"""Compare what was drawn and judged with the numbers that are shipped with a paper."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from .drawing.style import table_csv
from .files import write_atomically
from .papers import own_name
from .read.results import ResultError

TOLERANCE = 1e-6
"""Largest relative difference. Engine segment gives the same digits everywhere, and so does engine
ns3 with one version of ns-3; this leaves room for how means and intervals are rounded."""

_WORDS = ("where", "claimed", "measured", "reason")
"""Columns of words, which are not numbers to reproduce; verdicts are."""


@dataclass(frozen=True)
class Checked:
    """How a table compares with the shipped one.

    Attributes:
        name: of the table.
        compared: how many values were compared.
        largest: relative difference of numbers at most.
        wrong: what is not within the tolerance, one line each.
    """

    name: str
    compared: int
    largest: float
    wrong: tuple[str, ...]


def check(name: str, table: pd.DataFrame, reference: Path, part: str | None = None) -> Checked:
    """Compare one table with the shipped one of that name.

    Args:
        name: of the table; without that of the paper it is the file's.
        table: as drawn.
        reference: folder of the shipped tables.
        part: the table is only a part of the shipped one: those rows in which this column, if there
            is such a one, has a value that the table has, too. None: it is all of it.

    Raises:
        ResultError: there is no shipped table of that name.
    """
    path = reference / f"{own_name(name)}.csv"
    try:
        shipped = pd.read_csv(path)
    except OSError:
        raise ResultError(f"{name}: no reference numbers are shipped for it") from None
    if not set(shipped) <= set(table):
        gone = ", ".join(sorted(set(shipped) - set(table)))
        return Checked(name, 0, np.nan, (f"{name}: has no column {gone}",))
    if part in shipped and part in table:
        shipped = shipped[shipped[part].isin(table[part])].reset_index(drop=True)
    if len(shipped) != len(table):
        return Checked(
            name, 0, np.nan, (f"{name}: has {len(table)} rows, shipped are {len(shipped)}",)
        )
    ours = table[list(shipped)].reset_index(drop=True)
    wrong: list[str] = []
    largest = 0.0
    for column in shipped:
        away, most = _apart(ours[column], shipped[column])
        largest = max(largest, most)
        wrong += [
            f"{name}, row {row + 1} ({_row(shipped, row)}): {column} is {ours[column][row]}, "
            f"shipped {shipped[column][row]}"
            for row in np.flatnonzero(away)
        ]
    return Checked(name, shipped.size, largest, tuple(wrong))


def _apart(ours: pd.Series, shipped: pd.Series) -> tuple[np.ndarray, float]:
    """Return where two columns differ, and the largest relative difference of numbers."""
    if not pd.api.types.is_numeric_dtype(shipped):
        return (ours.fillna("").astype(str) != shipped.fillna("").astype(str)).to_numpy(), 0.0
    left, right = (pd.to_numeric(column, errors="coerce").to_numpy(float)
                   for column in (ours, shipped))  # fmt: skip
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(same, 0.0, np.abs(left - right) / np.abs(right))
    share = np.where(np.isnan(share), np.inf, share)
    return share > TOLERANCE, float(share.max(initial=0.0))


def _row(table: pd.DataFrame, row: int) -> str:
    """Return what a row is about: its texts and its first number."""
    texts = [str(table[c][row]) for c in table if not pd.api.types.is_numeric_dtype(table[c])]
    numbers = [f"{c} {table[c][row]:g}" for c in table if pd.api.types.is_numeric_dtype(table[c])]
    return ", ".join([*texts, *numbers[:1]])


def write(tables: dict[str, pd.DataFrame], reference: Path) -> list[Path]:
    """Make tables the shipped ones; return their files.

    Raises:
        OSError: a file cannot be written.
    """
    files = {}
    for name, table in tables.items():
        numbers = table.drop(columns=list(_WORDS), errors="ignore")
        files[reference / f"{own_name(name)}.csv"] = table_csv(numbers)
    write_atomically(files)
    return list(files)
