"""Round-trip time of the path over time (Figure 2)."""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from papers.gardner.figures.path import Quantity, draw

_QUANTITY = Quantity(
    "rtt_s",
    "Round-trip time (ms)",
    1e3,
    "ms",
    "mean 157, 119 to 475 ms",
)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    return draw(runs, _QUANTITY)


FIGURE = Kind("Round-trip time of the path over time", _draw)
