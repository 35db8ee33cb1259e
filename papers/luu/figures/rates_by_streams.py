"""Rates between pairs of hosts over the number of parallel streams (Figure 4).

Sets, by their labels: ``segment``; ``clean``, without loss; ``ns3`` and ``ns3-twin``, points of the
first.
"""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from papers.luu.figures import cells, curves, tables


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    table = cells.summarised(tables.growth(cells.done(runs)))
    counts = sorted(runs["parallelism"].unique())
    ticks = {f"P = {count}": float(count) for count in counts}
    figure = curves.draw(table, "Streams", ticks, {"segment": "-", "clean": ":"})
    cells.caption(figure, runs, ["dotted: without loss"])
    return figure, table


FIGURE = Kind("Rates by the number of parallel streams", _draw, unit=tables.UNITS)
