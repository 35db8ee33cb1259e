"""Goodput of each chunk, at its completion (Figure 3 of Ito et al.)."""

from __future__ import annotations

import pandas as pd

from ..drawing import style
from . import Drawn, Kind, timeline

_MBIT = 1e-6
_COLUMN = "goodput_bps"


def _draw(rows: pd.DataFrame, predictions: pd.DataFrame | None) -> Drawn:
    line = timeline.read(rows, _COLUMN, predictions)
    lines = line.rows[line.rows["label"] == timeline.LINE]
    figure, start, whole = timeline.two_panels(lines)
    limit = lines["bandwidth_bps"].iloc[0] * _MBIT
    for axes, scale in ((start, 1.0), (whole, timeline.DENSE)):
        for mode in line.modes:
            chunks = line.of(timeline.LINE, mode)
            look = timeline.look_of(mode, scale)
            axes.plot(chunks["completed_s"], chunks[_COLUMN] * _MBIT, **look)
            timeline.band(axes, line, mode, _MBIT)
        axes.axhline(limit, **style.LIMIT)
        if line.predictions is not None:
            axes.axhline(line.predictions[_COLUMN].iloc[0] * _MBIT, **timeline.MODEL)
    timeline.variants(start, line, _COLUMN, _MBIT, "default")
    for mode in line.modes:
        timeline.reference(start, line, mode, _COLUMN, _MBIT)
    style.limit_line(whole, limit, f"bottleneck, {limit:g} Mbit/s")
    start.set_ylim(0, max(limit, lines[_COLUMN].max() * _MBIT) * 1.1)
    start.set_ylabel("Goodput G of the chunk (Mbit/s)")
    columns = ["completed_s", _COLUMN, "parallelism", "valid"]
    return timeline.finish(figure, line, columns, _model)


def _model(best: pd.Series) -> str:
    return f"fluid model, N = {best['parallelism']:g}"


FIGURE = Kind(
    "Goodput of each chunk over time", _draw, timeline.chunks_of, "bandwidth_bps", unit="bit/s"
)  # the key has one value: all modes have the same path
