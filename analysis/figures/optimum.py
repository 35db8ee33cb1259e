"""The fluid model's goodput over the parallelism, and the best parallelism."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ..drawing import style


def curve_table(data: Mapping[str, Any]) -> pd.DataFrame:
    """Return the model's curve, one row per parallelism; empty cells are outside its domain."""
    return pd.DataFrame(data["curve"])


def draw(data: Mapping[str, Any]) -> Figure:
    """Return the figure; to be called and saved inside `style.styled`."""
    table = curve_table(data)
    scenario, best = data["scenario"], data["optimum"]
    limit = scenario["bandwidth_bps"] / 1e6
    figure = style.new_figure(5.2, 3.4)
    axes = figure.subplots()
    x = table["parallelism"]
    goodput, window, network = (
        pd.to_numeric(table[key]) / 1e6
        for key in ("goodput_bps", "window_limit_bps", "network_limit_bps")
    )
    wide = {"linewidth": 3.6, "alpha": 0.55, "solid_capstyle": "butt"}
    axes.plot(x, goodput, color=style.INK["blue"], label="predicted goodput G", **wide)
    for values, label, color, dashes in (
        (window, "window limit", "orange", (4, 2)),
        (network, "network limit", "green", (3, 1.2, 1, 1.2)),
    ):
        axes.plot(x, values, color=style.INK[color], linestyle=(0, dashes), label=label)
    axes.plot(
        [best["parallelism"]],
        [best["goodput_bps"] / 1e6],
        "o",
        markersize=6,
        color=style.INK["black"],
        zorder=5,
    )
    axes.annotate(
        f"N = {best['parallelism']}: {best['goodput_bps'] / 1e6:.3g} Mbit/s",
        (best["parallelism"], best["goodput_bps"] / 1e6),
        xytext=(6, -13),
        textcoords="offset points",
    )
    style.limit_line(axes, limit, f"bottleneck, {limit:g} Mbit/s")
    axes.set_xscale("log", base=2)
    # A margin on a logarithmic axis is a factor.
    axes.set_xlim(x.min() / 1.08, max(x.max(), 2) * 1.08)
    axes.xaxis.set_major_locator(LogLocator(base=2, numticks=12))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_ylim(0, limit * 1.15)
    axes.set_xlabel("Parallelism N")
    axes.set_ylabel("Goodput (Mbit/s)")
    figure.legend(loc="outside upper center", ncols=3, handlelength=2.4, fontsize=8)
    figure.supxlabel(
        f"B = {scenario['bandwidth_bps'] / 1e6:g} Mbit/s, R = {scenario['rtt_s'] * 1e3:g} ms, "
        f"W = {style.binary_bytes(scenario['window_bytes'])}, "
        f"packet {scenario['packet_size_bytes']:g} bytes; fluid model",
        fontsize=7,
        color=style.GREY,
    )
    return figure
