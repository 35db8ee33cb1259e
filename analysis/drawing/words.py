"""Numbers and lists as sentences and captions have them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd

_WIDTH = 125  # characters of a line below the panels
_NOISE = 1e-6  # of a last digit: what is not rounded up


def listed(items: Iterable[str]) -> str:
    """Return "a, b and c"."""
    texts = list(items)
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def give_or_take(row: Mapping[str, Any], scale: float = 1, unit: str = "", digits: int = 1) -> str:
    """Return a mean with half its 95 % interval, such as "88.2 ± 0.1 Mbit/s".

    Where its ends are not equally far from the mean they are told: "0.98 (0.91 to 0.99)".

    Args:
        row: with ``mean`` and ``high``, and ``low`` where that does not follow from them; ``high``
            is nan for no interval.
        scale: factor from the mean to what is told.
        unit: behind the number.
        digits: behind the point; one more where the interval is narrow. It is rounded up.
    """
    half = (row["high"] - row["mean"]) * scale
    known = not math.isnan(half)
    if known and 0 < half < 0.5 / 10**digits:
        digits += 1
    told = f"{row['mean'] * scale:.{digits}f}"
    below = (row["mean"] - row.get("low", math.nan)) * scale
    if known and abs(half - below) >= 0.5 / 10**digits:
        ends = f"{row['low'] * scale:.{digits}f} to {row['high'] * scale:.{digits}f}"
        return f"{told} {unit} ({ends} {unit})" if unit else f"{told} ({ends})"
    if known:
        told += f" \u00b1 {math.ceil(half * 10**digits - _NOISE) / 10**digits:.{digits}f}"
    return f"{told} {unit}" if unit else told


def each(names: Mapping[str, str], said: Callable[[str], str]) -> str:
    """Return what is said of each of several, those together of which the same is said.

    Such as "never (AIMD) and from 10 MB on (MI and MI+)"; without names where it is one text.

    Args:
        names: what readers call them, by what ``said`` takes.
        said: the text about one.
    """
    texts: dict[str, list[str]] = {}
    for key, name in names.items():
        texts.setdefault(said(key), []).append(name)
    if len(texts) == 1:
        return next(iter(texts))
    return listed(f"{text} ({listed(named)})" for text, named in texts.items())


def share(value: float) -> str:
    """Return a share in per cent, with at least two digits: 0.1234 is "12 %", 0.0123 "1.2 %"."""
    percent = value * 100
    return f"{percent:.0f} %" if abs(percent) >= 9.95 else f"{percent:.1f} %"


def replications(table: pd.DataFrame, scenario: Mapping[str, Any], of: str = "runs") -> str:
    """Return how many runs the means of a table are of, and what differs between them.

    Args:
        table: of the means.
        scenario: of one of the runs.
        of: what is counted, in the column of that name.
    """
    few, many = int(table[of].min()), int(table[of].max())
    jitter = scenario["start_jitter_s"] * 1e3
    late = f", connections starting up to {jitter:g} ms late" if jitter else ""
    if many == 1:
        return f"single {of}{late}"
    count = f"{few}" if few == many else f"{few} to {many}"
    return f"means of {count} {of}{late}"


def missing(gaps: Iterable[str], runs: pd.DataFrame) -> list[str]:
    """Return the caption's lines of what is missing; none if nothing is.

    Args:
        gaps: what the figure lacks.
        runs: what it is drawn from; without ``goodput_bps`` where a run is not done.
    """
    undone = int(runs["goodput_bps"].isna().sum())
    return missing_lines([*gaps, *([f"{undone} of {len(runs)} runs"] if undone else [])])


def missing_lines(gaps: Iterable[str]) -> list[str]:
    """Return what is missing as lines of a caption; none if nothing is."""
    told = "; ".join(gaps)
    return textwrap.wrap(f"Missing: {told}", _WIDTH) if told else []
