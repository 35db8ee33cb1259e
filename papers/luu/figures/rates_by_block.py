"""Rates between pairs of hosts over the size of blocks (Figure 5).

Sets, by their labels: ``segment``; ``16 streams``; ``latency``, disks with a cost of each request;
``ns3`` and ``ns3-twin``, points of the first.
"""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from papers.luu.figures import cells, curves, tables


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    table = cells.summarised(tables.blocks(cells.done(runs)))
    sizes = sorted(runs["block_size_bytes"].unique())
    ticks = {f"{size / 1024:g} KiB": size / 1024 for size in sizes}
    lines = {"segment": "-", "16 streams": "--", "latency": ":"}
    figure = curves.draw(table, "Block (KiB)", ticks, lines)
    cells.caption(
        figure, runs, ["dashed: 16 streams; dotted: disks that need 1 ms more per request"]
    )
    return figure, table


FIGURE = Kind("Rates by the size of blocks", _draw, unit=tables.UNITS)
