"""Figure 3 of Ito et al.: the goodput of each chunk, at its completion."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from .. import style
from ..results import Result
from . import PaperFigure, timeline


def _draw(results: Mapping[str, Result]) -> tuple[Figure, pd.DataFrame]:
    table = timeline.chunk_table(results, ["completed_s", "goodput_bps", "parallelism", "valid"])
    figure, start, whole = timeline.two_panels(table)
    limit = results["mi"].scenario["bandwidth_bps"] / 1e6
    for axes, scale in ((start, 1.0), (whole, timeline.DENSE)):
        for mode in timeline.MODES:
            rows = table[table["mode"] == mode]
            axes.plot(
                rows["completed_s"], rows["goodput_bps"] / 1e6, **style.LOOKS[mode].line(scale)
            )
        axes.axhline(limit, **style.LIMIT)
    style.limit_line(whole, limit, f"bottleneck, {limit:g} Mbit/s")
    start.set_ylim(0, max(limit, table["goodput_bps"].max() / 1e6) * 1.1)
    start.set_ylabel("Goodput G of the chunk (Mbit/s)")
    timeline.finish(figure, start, results)
    return figure, table


FIGURE = PaperFigure(3, "Goodput of each chunk over time", timeline.MODES, _draw)
