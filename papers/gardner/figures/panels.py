"""What the figures over file sizes and streams share: two panels, without and with random loss.

Sets, by their labels: ``segment``, without loss; ``lossy``, with it; ``ns3`` and ``ns3-twin``,
points of the first on both engines. A line is a policy for buffers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.figures import Drawn
from analysis.read.sets import require
from analysis.statistics.means import means
from analysis.statistics.pairs import agreement_in
from papers.gardner.figures.policies import POLICY, look, ordered, with_policy

PANELS = {"segment": "without loss", "lossy": "with random loss"}
"""Labels of the sets that are drawn, one a panel."""

Point = tuple[str, float, float]
"""What the paper measured: a policy, the value of the swept key, the number."""


@dataclass(frozen=True)
class Plot:
    """What such a figure shows.

    Attributes:
        key: the swept key.
        value: the measured column.
        scale: factor from the column to what is drawn.
        x, y: names of the axes.
        paper: what the paper measured, in units of the column, by direction.
        log_y: whether the vertical axis is logarithmic.
    """

    key: str
    value: str
    scale: float
    x: str
    y: str
    paper: Mapping[str, Sequence[Point]]
    log_y: bool = False


def draw(runs: pd.DataFrame, plot: Plot) -> Drawn:
    """Draw a figure and return it with the table of the means.

    Raises:
        ResultError: no run without loss is done, or runs of one point differ in their scenario.
    """
    require(runs, ["segment"])
    runs = with_policy(runs)
    chosen = runs[runs["label"].isin(list(PANELS))]
    table = means(chosen, ["label", POLICY, plot.key], plot.value)
    figure = style.new_figure(7.2, 3.7)
    panels = figure.subplots(1, 2, sharey=True)
    paper = plot.paper.get(runs["direction"].iloc[0], ())
    for axes, letter, label in zip(panels, "ab", PANELS, strict=True):
        _panel(axes, table[table["label"] == label], plot, paper)
        axes.set_title(f"({letter}) {PANELS[label]}{_loss(runs, label)}")
    panels[0].set_ylabel(plot.y)
    _legend(figure, table, paper)
    figure.supxlabel(_caption(table, runs, plot), fontsize=7, color=style.GREY)
    return figure, table


def _panel(axes: Axes, table: pd.DataFrame, plot: Plot, paper: Sequence[Point]) -> None:
    for name in ordered(table[POLICY]):
        rows, line = table[table[POLICY] == name], look(name).line()
        axes.plot(rows[plot.key], rows["mean"] * plot.scale, **line, zorder=3)
        low, high = rows["low"] * plot.scale, rows["high"] * plot.scale
        axes.fill_between(rows[plot.key], low, high, color=line["color"], alpha=0.2, linewidth=0)
    for name, x, value in paper:
        axes.plot([x], [value * plot.scale], **_paper(look(name).color))
    if plot.key.endswith("_bytes"):
        sizes = sorted(table[plot.key].unique())
        axes.set_xscale("log", base=2)
        axes.set_xticks(
            sizes[::-2], [style.binary_bytes(size) for size in sizes[::-2]], minor=False
        )
        axes.tick_params(axis="x", rotation=45)
        axes.minorticks_off()
    if plot.log_y:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(plot.x)


def _paper(color: str) -> dict[str, Any]:
    return {"color": color, "linestyle": "", "marker": "x", "markersize": 8, "zorder": 6,
            "markeredgewidth": 2}  # fmt: skip


def _loss(runs: pd.DataFrame, label: str) -> str:
    rates = runs.loc[runs["label"] == label, "random_loss"].unique()
    return f", {rates[0]:g} of the packets" if len(rates) == 1 and rates[0] > 0 else ""


def _legend(figure: Figure, table: pd.DataFrame, paper: Sequence[Point]) -> None:
    handles = [Line2D([], [], **look(name).line()) for name in ordered(table[POLICY])]
    if paper:
        handles.append(Line2D([], [], label="the paper measured", **_paper(style.GREY)))
    figure.legend(handles=handles, loc="outside upper center", ncols=3, fontsize=8)


def told_conditions(scenario: Mapping[str, Any], key: str) -> str:
    """Return the conditions of a run as captions have them: sizes are powers of two."""
    apart = ("eta", "window_bytes", "chunk_size_bytes", "queue_packets", "file_size_bytes")
    told = style.conditions(scenario, scenario["engine"], apart)
    file = f"file {style.binary_bytes(scenario['file_size_bytes'])}, "
    return (file if key != "file_size_bytes" else "") + told


def _caption(table: pd.DataFrame, runs: pd.DataFrame, plot: Plot) -> str:
    first = runs[(runs["label"] == "segment") & runs["goodput_bps"].notna()].iloc[0]
    lines = [f"{first['direction']}, {told_conditions(first, plot.key)}"]
    counts = table.loc[table["label"] == "lossy", "runs"]
    if len(counts):
        few, many = counts.min(), counts.max()
        of = f"{few}" if few == many else f"{few} to {many}"
        lines.append(f"(a) single runs; (b) means of {of} runs, bands: 95 % intervals")
    if said := agreement_in(runs).told():
        lines.append(said)
    gaps = [f"runs {PANELS[label]}" for label in PANELS if label not in set(table["label"])]
    return "\n".join([*lines, *missing(gaps, runs)])
