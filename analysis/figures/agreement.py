"""How the goodputs of the two engines compare, point by point of a grid of paths."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..drawing import style

SCHEMA = 1
"""Schema of compare.json understood here."""

_MARKERS = "ovsD^"


def draw(data: Mapping[str, Any], stem: Path) -> list[Path]:
    """Draw the ratio of every point with its interval; save as PNG, SVG and CSV.

    Raises:
        OSError: a file cannot be written.
    """
    with style.styled():
        table = _table(data)
        return style.save(_draw(data, table), table, stem, ("png", "svg"))


def _table(data: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row per point; without a ratio where a run failed."""
    rows = []
    for point in data["points"]:
        ratio = point["ratio"] or dict.fromkeys(("mean", "low", "high"))
        known = {key: value for key, value in point.items() if not isinstance(value, dict | list)}
        told = {"ratio": ratio["mean"], "ratio_low": ratio["low"], "ratio_high": ratio["high"]}
        rows.append({**{k: v for k, v in known.items() if k != "ratio"}, **told})
    return pd.DataFrame(rows).astype(dict.fromkeys(("ratio", "ratio_low", "ratio_high"), float))


def _draw(data: Mapping[str, Any], table: pd.DataFrame) -> Figure:
    windows = sorted(table["window_bytes"].unique())
    queues = sorted(table["queue_packets"].unique())
    levels = sorted(table["parallelism"].unique())
    colors = dict(zip(sorted(table["bandwidth_bps"].unique()), style.INK.values(), strict=False))
    markers = dict(zip(sorted(table["delay_s"].unique()), _MARKERS, strict=False))
    kinds = [(color, marker) for color in colors for marker in markers]
    figure = style.new_figure(7.2, 1.2 + 1.9 * len(windows))
    panels = figure.subplots(len(windows), len(queues), sharex=True, sharey=True, squeeze=False)
    for row, window in enumerate(windows):
        for column, queue in enumerate(queues):
            axes = panels[row][column]
            chosen = table[(table["window_bytes"] == window) & (table["queue_packets"] == queue)]
            for point in chosen.dropna(subset="ratio").itertuples():
                place = kinds.index((point.bandwidth_bps, point.delay_s))
                shift = (place - (len(kinds) - 1) / 2) * 0.8 / len(kinds)
                ink = {"color": colors[point.bandwidth_bps], "marker": markers[point.delay_s]}
                _point(axes, levels.index(point.parallelism) + shift, point, ink)
            axes.set_title(f"W = {style.binary_bytes(window)}, queue {queue} packets")
            _frame(axes, [str(level) for level in levels], data["tolerances"])
    figure.supylabel(f"Goodput, {' over '.join(data['engines'])}", fontsize=9)
    figure.supxlabel(_caption(data, table), fontsize=7, color=style.GREY)
    figure.legend(handles=_legend(colors, markers), loc="outside upper center", ncols=6,
                  handlelength=1, columnspacing=1.2, fontsize=8)  # fmt: skip
    for axes in panels[-1]:
        axes.set_xlabel("Parallelism N")
    return figure


def _point(axes: Axes, x: float, point: Any, ink: dict[str, Any]) -> None:
    """Draw a ratio: filled where packets are lost, with its interval."""
    axes.vlines(x, point.ratio_low, point.ratio_high, color=ink["color"], linewidth=1)
    inside = ink["color"] if point.lossy else "white"
    axes.plot(x, point.ratio, linestyle="", markersize=3, markeredgewidth=0.7,
              markerfacecolor=inside, zorder=3, **ink)  # fmt: skip


def _frame(axes: Axes, levels: list[str], tolerances: Mapping[str, float]) -> None:
    """Show the bounds, and enough around them."""
    axes.axhline(1, color=style.GREY, linewidth=0.6)
    for name in ("lossy", "lossless"):
        for sign in (-1, 1):
            axes.axhline(1 + sign * tolerances[name], **style.LIMIT)
    axes.set_xticks(range(len(levels)), levels)
    axes.set_xlim(-0.5, len(levels) - 0.5)
    axes.grid(axis="x", visible=False)
    beyond = 1.2 * tolerances["lossy"]
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 1 - beyond), max(high, 1 + beyond))


def _legend(colors: Mapping[float, str], markers: Mapping[float, str]) -> list[Line2D]:
    rates = [
        Line2D([], [], linestyle="", marker="s", color=color, label=f"{rate / 1e6:g} Mbit/s")
        for rate, color in colors.items()
    ]
    delays = [
        Line2D([], [], linestyle="", marker=marker, color=style.GREY, label=f"{delay * 1e3:g} ms")
        for delay, marker in markers.items()
    ]
    return rates + delays


def _caption(data: Mapping[str, Any], table: pd.DataFrame) -> str:
    far = (table["ratio"] - 1).abs().max()
    return (
        f"one chunk of {style.decimal_bytes(data['file_size_bytes'])}; filled: with losses, "
        f"{data['replications']} runs, 95 % interval; hollow: without losses, one run; dotted: "
        "allowed difference\n"
        f"{table['equal'].sum()} of {len(table)} points are equal in every digit, "
        f"the largest difference of means is {far * 100:.2g} %"
    )
