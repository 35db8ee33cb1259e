"""What figures of rates between pairs of hosts over a number share: a panel for each sender."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from analysis.drawing import style
from papers.luu.figures import cells, paths


def draw(table: pd.DataFrame, name: str, ticks: dict[str, float], sets: dict[str, str]) -> Figure:
    """Draw rates over a number, a panel for each sender and a line for each receiver.

    Args:
        table: summarised cells, whose columns are the numbers.
        name: of the horizontal axis.
        ticks: the number that each column stands for.
        sets: labels that are drawn, and the style of their lines.
    """
    figure = style.new_figure(7.2, 5.2)
    parts = figure.subplots(2, 2, sharex=True).flat
    for axes, sender in zip(parts, paths.HOSTS, strict=True):
        for place, receiver in enumerate(paths.HOSTS):
            own = table[(table["row"] == f"{sender}-{receiver}") & table["column"].isin(ticks)]
            for label, line in sets.items():
                rows = own[own["label"] == label]
                half = ((rows["high"] - rows["low"]) / 2).fillna(0) / paths.MB_PER_S
                axes.errorbar(
                    rows["column"].map(ticks), rows["mean"] / paths.MB_PER_S, yerr=half,
                    color=cells.COLORS[place], marker=cells.MARKERS[place], linestyle=line,
                    elinewidth=0.8, label=f"to {receiver}" if label == next(iter(sets)) else None,
                )  # fmt: skip
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(ticks.values()), [f"{value:g}" for value in ticks.values()])
        axes.minorticks_off()
        of = table["row"].str.startswith(f"{sender}-") & table["column"].isin(ticks)
        rate = table.loc[of, "mean"].max() / paths.MB_PER_S
        axes.set_ylim(0, 1.1 * rate if rate > 0 else 1)
        axes.set_title(f"from {sender}")
    handles = {
        name: handle
        for axes in figure.axes
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(list(handles.values()), list(handles), loc="outside upper center", ncols=4)
    for axes in figure.axes[2:]:
        axes.set_xlabel(name)
    figure.supylabel("Rate (MB/s)", fontsize=9)
    return figure
