"""Goodput per MiB of receive buffer over the size of the file (Figures 10 and 14)."""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from papers.gardner.figures.panels import Plot, draw

_64, _512 = 64 * 2**20, 512 * 2**20

_PLOT = Plot(
    "file_size_bytes",
    "mbps_per_mib",
    1,
    "Size of the file",
    "Mbit/s per MiB of receive buffer",
    {
        "upload": [("drs-ftp", _64, 10.1), ("fixed, 16 MiB", _64, 2.2)],
        "third-party": [("drs-gridftp", _512, 36.4), ("fixed, 1.68 MiB", _512, 23.0)],
    },
    log_y=True,
)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    return draw(runs, _PLOT)


FIGURE = Kind("Goodput per MiB of buffer over the size of the file", _draw, unit="Mbit/s per MiB")
