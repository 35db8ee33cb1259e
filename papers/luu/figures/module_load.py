"""What modules of the kernel take of the load of two hosts, beside Table 6.

Sets, by their labels: ``segment``, between memory and disk; ``ns3`` and ``ns3-twin``, points of it.
"""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from papers.luu.figures import cells, tables


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    table = cells.summarised(tables.modules(cells.done(runs)))
    series = {module: ("segment", module) for module in tables.MODULES}
    figure = cells.draw([(table, cells.Panel("Share of the host's load (%)", series, 100.0))])
    cells.caption(figure, runs, [f"{cells.HOW_TOLD} (Table 6)"])
    return figure, table


FIGURE = Kind("Load of modules between two hosts", _draw, unit="1")
