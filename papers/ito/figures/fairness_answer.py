"""What the figure of fairness answers, in words."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import give_or_take, listed
from analysis.read import tuners

_DIGITS = 2


def answer(table: pd.DataFrame) -> list[str]:
    """Return sentences on who is fairer, at what price, and beside whom, from what is drawn."""
    return [_fairer(table), _price(table), _beside(table)]


def _rows(table: pd.DataFrame, what: str) -> pd.DataFrame:
    return table[table["what"] == what]


def _name(mode: str) -> str:
    others = {"tcp": "another plain TCP", "fixed": "a single connection"}
    return others.get(mode) or tuners.label(mode)


def _by(rows: pd.DataFrame, column: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield what readers call each mode in a column, and its rows, in the order of legends."""
    for mode in tuners.ordered(rows[column]):
        yield _name(mode), rows[rows[column] == mode]


def _range(rows: pd.DataFrame, scale: float = 1, digits: int = _DIGITS) -> str:
    low, high = rows["mean"].min() * scale, rows["mean"].max() * scale
    return f"{low:.{digits}f} to {high:.{digits}f}"


def _counts(rows: pd.DataFrame) -> tuple[int, int]:
    """Return how many differences are above 0, and below it, by their intervals."""
    return int((rows["low"] > 0).sum()), int((rows["high"] < 0).sum())


def _fairer(table: pd.DataFrame) -> str:
    less = _rows(table, "jain less")
    if not len(less):
        return (
            "Whether AIMD is fairer cannot be determined: there are no runs of AIMD and of another "
            "mode with the same start times."
        )
    if less["low"].isna().all():
        differences = [f"{_range(rows)} ({name})" for name, rows in _by(less, "beside")]
        return (
            "Whether AIMD is fairer cannot be determined: one replication has no confidence "
            "interval; its Jain's "
            f"index is higher by {listed(differences)}."
        )
    told = []
    for name, rows in _by(less, "beside"):
        higher, lower = _counts(rows)
        told.append(
            f"above that of {name} in {_of(higher, rows)} and below it in {_of(lower, rows)} (mean "
            f"differences {_range(rows)})"
        )
    return (
        f"{_verdict(*_counts(less))}: with the same start times its Jain's index is, by the 95 % "
        f"intervals, {listed(told)}; {_case(table, less)}{_unequal(table)}."
    )


def _of(count: int, rows: pd.DataFrame) -> str:
    return f"{count} of {len(rows)} cases" if count else "none"


def _unequal(table: pd.DataFrame) -> str:
    """Return between what the indices are over unequal delays."""
    rows = _rows(table, "jain")
    rows = rows[rows["delays"] == "unequal"]
    ranges = [f"{_range(own)} ({name})" for name, own in _by(rows, "modes")]
    return f"; over unequal delays the indices are {', '.join(ranges)}" if ranges else ""


def _verdict(higher: int, lower: int) -> str:
    """Return whether what Section 5 expects holds."""
    if higher and lower:
        return "AIMD is fairer in some cases and less fair in others; Section 5 expects it fairer"
    if higher:
        return "AIMD is fairer where the difference is significant, as Section 5 expects"
    if lower:
        return "AIMD is less fair where the difference is significant; Section 5 expects it fairer"
    return "No difference in fairness is significant; Section 5 expects AIMD to be fairer"


def _case(table: pd.DataFrame, less: pd.DataFrame) -> str:
    """Return the indices of all modes in the case where they differ most."""
    case = less.loc[less["mean"].abs().idxmax()]
    rows = _rows(table, "jain")
    rows = rows[(rows["sessions"] == case["sessions"]) & (rows["delays"] == case["delays"])]
    told = (
        f"{give_or_take(own.iloc[0], digits=_DIGITS)} ({name})" for name, own in _by(rows, "modes")
    )
    return (
        f"they differ most with {case['sessions']:g} sessions over {case['delays']} delays, "
        f"{', '.join(told)}"
    )


def _price(table: pd.DataFrame) -> str:
    less = _rows(table, "used less")
    if not len(less):
        return "The cost in use of the bottleneck cannot be determined."
    told = []
    for name, rows in _by(less, "beside"):
        more, fewer = _counts(rows)
        told.append(f"less than with {name} in {_of(fewer, rows)} and more in {_of(more, rows)}")
    more, fewer = _counts(less)
    price = "It has a price" if fewer > more else "It pays" if more > fewer else "It costs nothing"
    ranges = (f"{_range(own, 100, 0)} ({name})" for name, own in _by(_rows(table, "used"), "modes"))
    return (
        f"{price} in use of the bottleneck: all sessions together get, by the 95 % intervals, "
        f"{listed(told)}; in % of B they get {', '.join(ranges)}."
    )


def _beside(table: pd.DataFrame) -> str:
    return f"{_shares(_rows(table, 'share'))}; {_harms(_rows(table, 'harm'))}."


def _shares(rows: pd.DataFrame) -> str:
    if not len(rows):
        return "The shares of modes next to each other cannot be determined: there are no runs"
    pairs = []
    for _, row in rows.iterrows():
        first, second = row["modes"].split(", ")
        pairs.append(
            f"{_name(first)} gets {give_or_take(row, 100, '%', 0)} next to {_name(second)}"
        )
    return f"Shares of the goodput of two sessions: {listed(pairs)}"


def _harms(rows: pd.DataFrame) -> str:
    if not len(rows):
        return "the loss of plain TCP next to them cannot be determined: there are no runs"
    told = []
    for window, same in rows.groupby("background_window_bytes"):
        parts = (
            f"{give_or_take(own.iloc[0], 100, '%')} next to {name}"
            for name, own in _by(same, "beside")
        )
        told.append(f"with W = {style.binary_bytes(window)} {listed(parts)}")
    return f"compared with its goodput alone, plain TCP loses {', and '.join(told)}"
