"""Parallelism as adjusted at each chunk's completion (Figure 4 of Ito et al.)."""

from __future__ import annotations

import pandas as pd
from matplotlib.ticker import MaxNLocator

from . import Drawn, Kind, timeline

_COLUMN = "next_parallelism"


def _draw(rows: pd.DataFrame, predictions: pd.DataFrame | None) -> Drawn:
    line = timeline.read(rows, _COLUMN, predictions)
    lines = line.rows[line.rows["label"] == timeline.LINE]
    figure, start, whole = timeline.two_panels(lines)
    for axes, scale in ((start, 1.0), (whole, timeline.DENSE)):
        for mode in line.modes:
            chunks = line.of(timeline.LINE, mode)
            times = [0.0, *chunks["completed_s"]]
            adjusted = [chunks["parallelism"].iloc[0], *chunks[_COLUMN]]
            # No marker at time 0: no chunk was completed there.
            look = timeline.look_of(mode, scale)
            axes.step(times, adjusted, where="post", markevery=slice(1, None), **look)
            timeline.band(axes, line, mode, 1)
        if line.predictions is not None:
            axes.axhline(line.predictions["parallelism"].iloc[0], **timeline.MODEL)
    timeline.variants(start, line, _COLUMN, 1, "steps-post")
    for mode in line.modes:
        timeline.reference(start, line, mode, _COLUMN, 1)
    start.set_ylim(0, lines[_COLUMN].max() * 1.1)
    start.yaxis.set_major_locator(MaxNLocator(nbins=10, integer=True))
    start.set_ylabel("Parallelism N for the next chunk")
    return timeline.finish(figure, line, ["completed_s", "parallelism", _COLUMN], _model)


def _model(best: pd.Series) -> str:
    return f"fluid model's best N, {best['parallelism']:g}"


FIGURE = Kind(
    "Parallelism as adjusted at each chunk",
    _draw,
    timeline.chunks_of,
    "bandwidth_bps",
    unit="connections",
)
