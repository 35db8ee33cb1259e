"""Figure 4 of Ito et al.: the parallelism as adjusted at each chunk's completion."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .. import style
from ..results import Result
from . import PaperFigure, timeline


def _draw(results: Mapping[str, Result]) -> tuple[Figure, pd.DataFrame]:
    table = timeline.chunk_table(results, ["completed_s", "parallelism", "next_parallelism"])
    figure, start, whole = timeline.two_panels(table)
    for axes, scale in ((start, 1.0), (whole, timeline.DENSE)):
        for mode in timeline.MODES:
            rows = table[table["mode"] == mode]
            times = [0.0, *rows["completed_s"]]
            adjusted = [rows["parallelism"].iloc[0], *rows["next_parallelism"]]
            # No marker at time 0: no chunk was completed there.
            look = style.LOOKS[mode].line(scale)
            axes.step(times, adjusted, where="post", markevery=slice(1, None), **look)
    top = table["next_parallelism"].max()
    start.set_ylim(0, top * 1.1)
    start.yaxis.set_major_locator(MaxNLocator(nbins=10, integer=True))
    start.set_ylabel("Parallelism N for the next chunk")
    timeline.finish(figure, start, results)
    return figure, table


FIGURE = PaperFigure(4, "Parallelism as adjusted at each chunk", timeline.MODES, _draw)
