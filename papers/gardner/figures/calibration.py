"""Goodput over the rate of random loss: at which rate is it what the paper measured?

The set is labelled ``segment``: an over-provisioned stream, replicated at each rate.
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import give_or_take, missing
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means
from papers.gardner.figures.panels import told_conditions
from papers.gardner.figures.policies import look

MEASURED_BPS = 34.5e6
"""What the paper measured, Section 6.1."""

_KEY = "random_loss"


def rate_for(table: pd.DataFrame, wanted_bps: float) -> float:
    """Return the rate of loss at which the mean is as wanted; nan where the table has none such.

    Between two rates the mean is taken as a straight line over the rate's logarithm.
    """
    rows = table.sort_values("mean")
    if not rows["mean"].min() <= wanted_bps <= rows["mean"].max():
        return math.nan
    return float(np.exp(np.interp(wanted_bps, rows["mean"], np.log(rows[_KEY]))))


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    table = means(runs[runs["label"] == "segment"], [_KEY], "goodput_bps")
    figure = style.new_figure(5.2, 3.5)
    axes = figure.subplots()
    line = look("fixed, 16 MiB").line()
    half = [(table["mean"] - table["low"]) * 1e-6, (table["high"] - table["mean"]) * 1e-6]
    axes.errorbar(table[_KEY], table["mean"] * 1e-6, yerr=half, capsize=2, **line)
    style.limit_line(axes, MEASURED_BPS / 1e6, "the paper's 34.5 Mbit/s")
    rate = rate_for(table, MEASURED_BPS)
    if not math.isnan(rate):
        axes.axvline(rate, **style.LIMIT)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Share of packets that are lost at random")
    axes.set_ylabel("Goodput (Mbit/s)")
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    lines = [
        told_conditions(first, _KEY),
        f"means of {table['runs'].min()} runs, bars: 95 % intervals",
    ]
    text = "\n".join([*lines, *missing([], runs)])
    figure.supxlabel(text, fontsize=7, color=style.GREY)
    return figure, table


def _answer(table: pd.DataFrame) -> list[str]:
    rate = rate_for(table, MEASURED_BPS)
    told = ", ".join(
        f"{give_or_take(row, 1e-6)} with {row[_KEY]:g}" for row in table.to_dict("records")
    )
    if math.isnan(rate):
        return [f"No rate that was tried gives 34.5 Mbit/s: {told}."]
    return [
        f"A loss of {rate:.2g} of the packets gives the over-provisioned stream the paper's "
        f"34.5 Mbit/s on a file of 64 MiB ({told} Mbit/s); to one digit {rate:.1g}, which the "
        "other sweeps take.",
        f"Runs are far apart: their standard deviation is {_deviation(table, rate) * 1e-6:.0f} "
        "Mbit/s, as few packets of a file are lost. The paper's 95 % intervals are within 5 %: its "
        "runs were limited by something steadier.",
    ]


def _deviation(table: pd.DataFrame, rate: float) -> float:
    """Return the standard deviation of the runs at the rate that is nearest."""
    row = table.loc[(np.log(table[_KEY]) - math.log(rate)).abs().idxmin()]
    return row["error"] * math.sqrt(row["runs"])


FIGURE = Kind("The random loss that gives what the paper measured", _draw, answer=_answer)
