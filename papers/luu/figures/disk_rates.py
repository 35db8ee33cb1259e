"""The best rates from disk to disk, and as a share of memory to memory, beside Table 5.

Sets, by their labels: ``disk``, with several numbers of streams; ``memory``, from memory to memory;
``ns3`` and ``ns3-twin``, points of the first.
"""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from papers.luu.figures import cells, paths, tables

FITTED = ("Abe-Pople", "Abe-Ranger", "Pople-Abe", "Pople-Ranger", "Ranger-Abe")
"""Pairs that the rates of the disks are fitted to; the others are predicted."""


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["disk"])
    table = cells.summarised(tables.disk(cells.done(runs)))
    table = table.assign(fitted=table["row"].isin(FITTED))
    table["label"] = table["fitted"].map({True: "fitted", False: "predicted"})
    panels = [
        cells.Panel("Rate (MB/s)", _series("rate"), 1 / paths.MB_PER_S),
        cells.Panel("Share of memory to memory (%)", _series("share"), 100, most=110),
    ]
    figure = cells.draw([(table, panel) for panel in panels])
    cells.caption(figure, runs, [f"pairs: sender-receiver; {cells.HOW_TOLD} (Table 5)"])
    return figure, table


def _series(column: str) -> dict[str, tuple[str, str]]:
    return {label: (label, column) for label in ("fitted", "predicted")}


def _answer(table: pd.DataFrame) -> list[str]:
    rates = table[table["column"] == "rate"]
    told = []
    for label, rows in rates.groupby("label", sort=True):
        off = cells.off_by(rows)
        near = int((off.abs() <= _NEAR).sum())
        told.append(
            f"Of {len(off)} {label} rates {near} are within {_NEAR:.0%} of Table 5; on average "
            f"they differ by {cells.typical(off):.0%}, at most by {off.abs().max():.0%}."
        )
    return told


_NEAR = 0.1

FIGURE = Kind(
    "Rates from disk to disk",
    _draw,
    question="Is a transfer from disk to disk as fast as the slower of its two disks?",
    answer=_answer,
    unit=tables.UNITS,
)
