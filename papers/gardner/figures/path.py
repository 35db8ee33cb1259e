"""What the figures of a path over time share (Figures 1 to 3): its rows, from a run on it.

The set is labelled ``segment``: one run, whose scenario has the path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pandas as pd

from analysis.drawing import style
from analysis.figures import Drawn
from analysis.read.results import ResultError
from analysis.read.sets import require

_ROW = re.compile(r"([\d.]+)s:(\d+)bps:(\d+)ns")


@dataclass(frozen=True)
class Quantity:
    """What is drawn over time.

    Attributes:
        column: of the table of `rows_of`.
        name: of the vertical axis, with the unit.
        scale: factor to that unit.
        unit: its name.
        paper: what the paper tells of it.
    """

    column: str
    name: str
    scale: float
    unit: str
    paper: str


def rows_of(schedule: str, access_delay_s: float) -> pd.DataFrame:
    """Return the rows of a resolved path.

    Columns: ``time_s``, ``rate_bps``, ``rtt_s`` (without queues) and ``product_bytes``.

    Args:
        schedule: as the scenario of a result has it, ``0s:20000000bps:50000000ns,20s:...``.
        access_delay_s: one way, of each of the two access links.

    Raises:
        ResultError: it has no rows.
    """
    found = [_ROW.fullmatch(row) for row in schedule.split(",")]
    numbers = [tuple(map(float, row.groups())) for row in found if row is not None]
    if not numbers:
        raise ResultError("its runs are on no path that changes: path_schedule has no rows")
    table = pd.DataFrame(numbers, columns=["time_s", "rate_bps", "rtt_s"])
    table["rtt_s"] = 2 * (table["rtt_s"] * 1e-9 + 2 * access_delay_s)
    return table.assign(product_bytes=table["rate_bps"] * table["rtt_s"] / 8)


def draw(runs: pd.DataFrame, quantity: Quantity) -> Drawn:
    """Draw a quantity of the path over time, and how often it is at most so large.

    Raises:
        ResultError: there is no run on such a path.
    """
    require(runs, ["segment"])
    first = runs[runs["label"].eq("segment") & runs["goodput_bps"].notna()].iloc[0]
    table = rows_of(first["path_schedule"] or "", first["access_delay_s"])
    values = table[quantity.column] * quantity.scale
    figure = style.new_figure(7.2, 3.3)
    over, shares = figure.subplots(1, 2, sharey=True, width_ratios=(3, 1))
    ink = style.INK["blue"]
    over.plot(table["time_s"] / 3600, values, linestyle="", marker=".", markersize=1.6, color=ink)
    over.set_xlabel("Time (h)")
    over.set_ylabel(quantity.name)
    over.set_xlim(0, table["time_s"].max() / 3600)
    over.set_ylim(bottom=0)
    ranked = values.sort_values()
    shares.plot((ranked.rank(method="first")) / len(ranked) * 100, ranked, color=ink)
    shares.set_xlabel("% of the time at most")
    shares.set_xlim(0, 100)
    figure.supxlabel(
        f"{_told(values, quantity.unit)}, every {table['time_s'].diff().median():g} s\n"
        f"the paper: {quantity.paper}",
        fontsize=7,
        color=style.GREY,
    )
    return figure, table[["time_s", quantity.column]]


def _told(values: pd.Series, unit: str) -> str:
    numbers = {
        "mean": values.mean(),
        "standard deviation": values.std(),
        "least": values.min(),
        "median": values.median(),
        "most": values.max(),
    }
    return ", ".join(f"{name} {value:.3g} {unit}" for name, value in numbers.items())
