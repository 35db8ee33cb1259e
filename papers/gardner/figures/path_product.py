"""Bandwidth-delay product of the path over time (Figure 3)."""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from papers.gardner.figures.path import Quantity, draw

_QUANTITY = Quantity(
    "product_bytes",
    "Bandwidth-delay product (MB)",
    1e-6,
    "MB",
    "up to 61 Mbit, which are 7.6 MB; median 0.143 MB, and 0.2125 MB in the 66th percentile",
)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    return draw(runs, _QUANTITY)


FIGURE = Kind("Bandwidth-delay product of the path over time", _draw)
