"""Peak load and packets of a server by the buffer asked for, beside Table 1.

Sets, by their labels: those that begin with ``old`` and ``new``, before and after its settings were
raised; ``ns3`` and ``ns3-twin``, points of them.
"""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from papers.luu.figures import cells, tables

_PARTS = {
    "peak load": ("Peak load (%)", 100.0),
    "packets in": ("Packets in (1000/s)", 1e-3),
    "packets out": ("Packets out (1000/s)", 1e-3),
}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["old default"])
    table = cells.summarised(tables.server(cells.done(runs)))
    figure = cells.draw(
        [
            (table, cells.Panel(name, {s: (s, column) for s in ("old", "new")}, scale))
            for column, (name, scale) in _PARTS.items()
        ]
    )
    cells.caption(figure, runs, [f"old, new: settings of the server; {cells.HOW_TOLD} (Table 1)"])
    return figure, table


FIGURE = Kind("Load and packets of a server by requested buffer size", _draw, unit=tables.UNITS)
