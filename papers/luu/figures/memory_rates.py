"""Rates from memory to memory beside Table 4.

Sets, by their labels: ``segment``, an auto-tuned stream; ``16 streams``, so many of them; ``32 MB
asked``; ``loss``, as the first on paths with loss; each with ``, 10 Gbit/s`` behind it, those of
pairs that have as much; ``ns3`` and ``ns3-twin``, points of the first.
"""

from __future__ import annotations

import pandas as pd

from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from papers.luu.figures import cells, paths, tables

_NAMES = {
    "segment": "a stream",
    "16 streams": "16 streams",
    "32 MB asked": "32 MB requested",
    "loss": "with loss",
}
"""Labels, and how readers are told of them."""


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    table = cells.summarised(tables.memory(cells.done(runs)))
    series = {name: (label, "rate") for label, name in _NAMES.items()}
    panel = cells.Panel("Rate (MB/s)", series, 1 / paths.MB_PER_S)
    fast = table["row"].isin(_FAST)
    figure = cells.draw([(table[~fast], panel), (table[fast], panel)])
    cells.caption(figure, runs, [f"pairs: sender-receiver; {cells.HOW_TOLD} (Table 4)"])
    return figure, table


_FAST = ("Abe-Ranger", "Ranger-Abe")
"""Pairs with 10 Gbit/s."""


def _answer(table: pd.DataFrame) -> list[str]:
    told = []
    for label, name in _NAMES.items():
        off = cells.off_by(table[table["label"] == label])
        near = int((off.abs() <= _NEAR).sum())
        told.append(
            f"With {name.removeprefix('with ')}, {near} of {len(off)} rates are within "
            f"{_NEAR:.0%} of Table 4."
        )
    return told


_NEAR = 0.1

FIGURE = Kind(
    "Rates from memory to memory",
    _draw,
    question="What limits hosts with 10 Gbit/s: the network, the hosts or the windows?",
    answer=_answer,
    unit=tables.UNITS,
)
