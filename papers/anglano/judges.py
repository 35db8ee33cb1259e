"""The tables of the paper, computed from simulated runs."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from analysis.read.results import Result
from papers.anglano.figures import table3


def goodputs(kept: Iterable[tuple[str, Result]]) -> pd.DataFrame:
    """Return Table 3: the goodput of each tool over each path, bit/s."""
    return table3.table_of(
        (label, result.scenario, result.data["sessions"][0]["goodput_bps"])
        for label, result in kept
    )


TABLES = {"goodputs": goodputs}
