"""A figure that no other paper draws: drops over the queue, a line for each direction."""

from __future__ import annotations

import pandas as pd

from analysis.drawing import style
from analysis.figures import Drawn, Kind
from analysis.read.sets import require


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["queues"])
    table = runs.groupby(["direction", "queue_packets"], as_index=False)["drops"].mean()
    figure = style.new_figure(4, 3)
    axes = figure.subplots()
    for direction, line in table.groupby("direction"):
        axes.plot(line["queue_packets"], line["drops"], label=direction)
    axes.legend()
    return figure, table


FIGURE = Kind("Drops over the queue", _draw)
