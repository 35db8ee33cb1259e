"""Rates between pairs of hosts by the buffer asked for (Figures 2 and 3).

Sets, by their labels: those that begin with ``old`` and ``new``, before and after a host's settings
were raised; ``ns3`` and ``ns3-twin``, points of them.
"""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from papers.luu.figures import cells, paths, tables

_SETTINGS = {"old": "old settings", "new": "new settings"}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["old default", "new default"])
    table = cells.summarised(tables.buffers(cells.done(runs)))
    drawn = []
    for settings, name in _SETTINGS.items():
        if (table["label"] == settings).any():
            series = {asked: (settings, asked) for asked in paths.BUFFERS}
            panel = cells.Panel(f"Rate (MB/s), {name}", series, 1 / paths.MB_PER_S)
            drawn.append((table, panel))
    figure = cells.draw(drawn)
    cells.caption(figure, runs, ["pairs: sender-receiver; old and new are settings of Breadboard"])
    return figure, table


def _answer(table: pd.DataFrame) -> list[str]:
    told = []
    for settings, name in _SETTINGS.items():
        own = table[(table["label"] == settings) & (table["column"] == tables.SPREAD)]
        if len(own):
            most = own.loc[own["mean"].idxmax()]
            few = int((own["mean"] <= _LITTLE).sum())
            told.append(
                f"With Breadboard's {name} the buffer changes the rate by at most 10 % on {few} of "
                f"{len(own)} pairs, and most from {most['row'].replace('-', ' to ')}: "
                f"{most['mean']:.3g} times."
            )
    return told


_LITTLE = 1.1

FIGURE = Kind(
    "Rates by requested buffer size",
    _draw,
    question="Does the requested buffer size matter?",
    answer=_answer,
    unit=tables.UNITS,
)
