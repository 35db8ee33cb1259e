"""Goodput over the size of the file, by buffer policy (Figures 8 and 12)."""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from papers.gardner.figures.panels import Plot, draw

_64, _512 = 64 * 2**20, 512 * 2**20

# Sections 6.1 and 6.2. Of the under-provisioned one it tells that drsFTP is 2.4 times as fast.
_PLOT = Plot(
    "file_size_bytes",
    "goodput_bps",
    1e-6,
    "Size of the file",
    "Goodput (Mbit/s)",
    {
        "upload": [
            ("fixed, 64 KiB", _64, 5e6),
            ("fixed, 212.5 KiB", _64, 0.787 * 34.5e6 / 2.4),
            ("drs-ftp", _64, 0.787 * 34.5e6),
            ("fixed, 16 MiB", _64, 34.5e6),
        ],
        "third-party": [
            ("fixed, 64 KiB", _512, 4.7e6),
            ("drs-gridftp", _512, 30.0e6),
            ("fixed, 16 MiB", _512, 38.7e6),
        ],
    },
)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    return draw(runs, _PLOT)


FIGURE = Kind("Goodput over the size of the file, by buffer policy", _draw, unit="bit/s")
