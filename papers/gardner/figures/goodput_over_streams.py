"""Goodput over the number of parallel streams, by buffer policy (Figure 13)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.drawing.words import listed
from analysis.figures import Drawn, Kind
from papers.gardner.figures.panels import PANELS, Plot, draw
from papers.gardner.figures.policies import POLICY, look, ordered

_STOCK, _FOUR = "fixed, 64 KiB", 4

_PLOT = Plot(
    "parallelism",
    "goodput_bps",
    1e-6,
    "Streams N",
    "Goodput (Mbit/s)",
    {
        "third-party": [
            (_STOCK, _FOUR, 25.9e6),
            ("drs-gridftp", _FOUR, 79.3e6),
            ("fixed, 16 MiB", _FOUR, 84.8e6),
        ]
    },
)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    return draw(runs, _PLOT)


def needed(streams: pd.Series, goodput: pd.Series, wanted: float) -> float:
    """Return how many streams give a goodput, between two counts in proportion; nan where none do.

    Args:
        streams: the counts, ascending.
        goodput: of each.
        wanted: the goodput.
    """
    n, g = streams.to_numpy(float), goodput.to_numpy(float)
    enough = np.flatnonzero(g >= wanted)
    if not len(enough):
        return float("nan")
    first = enough[0]
    if first == 0:
        return float(n[0])
    share = (wanted - g[first - 1]) / (g[first] - g[first - 1])
    return float(n[first - 1] + share * (n[first] - n[first - 1]))


def _answer(table: pd.DataFrame) -> list[str]:
    return [text for label in PANELS for text in _of_panel(table[table["label"] == label], label)]


def _of_panel(table: pd.DataFrame, label: str) -> Iterator[str]:
    """Yield a sentence on how many stock streams what others get with four needs."""
    stock = table[table[POLICY] == _STOCK].sort_values("parallelism")
    four = (
        table[table["parallelism"] == _FOUR].set_index(POLICY)["mean"].drop(_STOCK, errors="ignore")
    )
    if not len(stock) or not len(four):
        return
    told = []
    for name in ordered(four.index):
        count = needed(stock["parallelism"], stock["mean"], four[name])
        many = f"more than {stock['parallelism'].max():g}" if np.isnan(count) else f"{count:.1f}"
        told.append(f"{many} for {look(name).label}'s {four[name] / 1e6:.1f} Mbit/s")
    yield (
        f"To match the goodput of the other policies with {_FOUR} streams, {PANELS[label]}, "
        f"stock buffers need this many streams: {listed(told)}."
    )


FIGURE = Kind(
    "Goodput over the number of streams, by buffer policy",
    _draw,
    answer=_answer,
    unit="bit/s",
)
