"""Rate of the bottleneck over time (Figure 1)."""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from papers.gardner.figures.path import Quantity, draw

_QUANTITY = Quantity(
    "rate_bps",
    "Rate of the bottleneck (Mbit/s)",
    1e-6,
    "Mbit/s",
    "mean 17.2, standard deviation 26.3, 0.026 to 285 Mbit/s",
)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    return draw(runs, _QUANTITY)


FIGURE = Kind("Rate of the bottleneck over time", _draw)
