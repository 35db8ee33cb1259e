"""What limited the over-provisioned stream? Two things, each as large as the number needs.

Sets, by their labels: ``segment``, random loss at several rates, replicated; ``slow reader``, an
application that reads the stream at several rates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.drawing import style
from analysis.drawing.words import give_or_take, missing
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means
from papers.gardner.figures.panels import told_conditions
from papers.gardner.figures.policies import look

MEASURED_BPS = 34.5e6
"""What the paper measured, Section 6.1."""


@dataclass(frozen=True)
class _Limit:
    """What may have limited a stream: its key, and how it is told."""

    label: str
    key: str
    scale: float
    name: str
    unit: str
    digits: int


_LIMITS = (
    _Limit("segment", "random_loss", 1, "Share of packets that are lost at random", "", 1),
    _Limit("slow reader", "read_rate_bps", 1e-6, "Rate at which a stream is read (Mbit/s)",
           " Mbit/s", 2),
)  # fmt: skip


def value_for(table: pd.DataFrame, wanted_bps: float) -> float:
    """Return the value at which the mean is as wanted; nan where the table has none such.

    Between two values the mean is taken as a straight line over the logarithm of the value.

    Args:
        table: columns ``value`` and ``mean``.
        wanted_bps: the mean.
    """
    rows = table.sort_values("mean")
    if not len(rows) or not rows["mean"].min() <= wanted_bps <= rows["mean"].max():
        return math.nan
    return float(np.exp(np.interp(wanted_bps, rows["mean"], np.log(rows["value"]))))


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    table = pd.concat([_means(runs, limit) for limit in _LIMITS], ignore_index=True)
    figure = style.new_figure(7.2, 3.5)
    for axes, letter, limit in zip(figure.subplots(1, 2, sharey=True), "ab", _LIMITS, strict=True):
        _panel(axes, table[table["label"] == limit.label], limit)
        axes.set_title(f"({letter})")
    figure.axes[0].set_ylabel("Goodput (Mbit/s)")
    figure.axes[0].set_ylim(bottom=0)
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    count = table.loc[table["label"] == "segment", "runs"].min()
    lines = [
        f"over-provisioned, 16 MiB; {told_conditions(first, '')}",
        f"(a) means of {count} runs, bars: 95 % intervals; (b) single runs",
    ]
    gaps = [limit.label for limit in _LIMITS if limit.label not in set(table["label"])]
    figure.supxlabel("\n".join([*lines, *missing(gaps, runs)]), fontsize=7, color=style.GREY)
    return figure, table


def _means(runs: pd.DataFrame, limit: _Limit) -> pd.DataFrame:
    own = runs[runs["label"] == limit.label]
    if not own["goodput_bps"].notna().any():
        return pd.DataFrame()
    table = means(own, ["label", limit.key], "goodput_bps")
    return table.rename(columns={limit.key: "value"})


def _panel(axes: Axes, table: pd.DataFrame, limit: _Limit) -> None:
    line = look("fixed, 16 MiB").line()
    half = [(table["mean"] - table["low"]) * 1e-6, (table["high"] - table["mean"]) * 1e-6]
    axes.errorbar(table["value"] * limit.scale, table["mean"] * 1e-6, yerr=half, capsize=2, **line)
    style.limit_line(axes, MEASURED_BPS / 1e6, "the paper")
    value = value_for(table, MEASURED_BPS)
    if not math.isnan(value):
        axes.axvline(value * limit.scale, **style.LIMIT)
    if limit.key == "random_loss":
        axes.set_xscale("log")
        axes.set_xticks(table["value"], [f"{value:.6f}".rstrip("0") for value in table["value"]])
        axes.minorticks_off()
    axes.set_xlabel(limit.name)


def _answer(table: pd.DataFrame) -> list[str]:
    return [text for limit in _LIMITS for text in _of_limit(table, limit)]


def _of_limit(table: pd.DataFrame, limit: _Limit) -> Iterator[str]:
    """Yield what one limit has to be, and what else it would mean."""
    own = table[table["label"] == limit.label]
    if not len(own):
        return
    told = ", ".join(
        f"{give_or_take(row, 1e-6, 'Mbit/s')} at {row['value'] * limit.scale:g}{limit.unit}"
        for row in own.to_dict("records")
    )
    value = value_for(own, MEASURED_BPS)
    what = limit.name.partition(" (")[0]
    if math.isnan(value):
        yield f"{what}: no tested value gives 34.5 Mbit/s ({told})."
        return
    taken = f"{value * limit.scale:.{limit.digits}g}"
    yield (
        f"{what}: {value * limit.scale:.3g}{limit.unit} gives the over-provisioned stream the "
        f"paper's 34.5 Mbit/s on 64 MiB ({told}); other sweeps use {taken}{limit.unit}."
    )
    apart = _deviation(own, value) * 1e-6
    if apart > 0:
        yield (
            f"With this loss the runs differ widely, with a standard deviation of {apart:.0f} "
            "Mbit/s, because few "
            "packets of a file are lost; the paper's 95 % intervals are within 5 % of the means."
        )


def _deviation(table: pd.DataFrame, value: float) -> float:
    """Return the standard deviation of the runs at the value that is nearest."""
    row = table.loc[(np.log(table["value"]) - math.log(value)).abs().idxmin()]
    return row["error"] * math.sqrt(row["runs"])


FIGURE = Kind(
    "What would limit a stream to the goodput that the paper measured",
    _draw,
    answer=_answer,
    unit="bit/s",
)
