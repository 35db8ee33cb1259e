"""Goodput of the real programs over the simulated path, and of both engines, over N."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..drawing import style

SCHEMA = 1
"""Schema of twin.json understood here."""

NS3, REFERENCE, WITH_WINDOW = "ns3", "segment", "segment, window seen"
"""Who simulated; the last one with the window that Linux was seen to offer."""

LABELS = {
    NS3: "engine ns3",
    REFERENCE: "engine segment",
    WITH_WINDOW: "engine segment, Linux's window",
}
LOOKS: Mapping[str, Mapping[str, Any]] = {
    NS3: {"color": style.INK["blue"], "marker": "s", "markersize": 6, "markerfacecolor": "none"},
    REFERENCE: {"color": style.INK["orange"], "marker": "o", "markersize": 4, "linestyle": "--"},
    WITH_WINDOW: {"color": style.INK["green"], "marker": "D", "markersize": 4, "linestyle": ":"},
}

WITHIN = 0.1
"""How far twin and engines may be apart where windows do not matter; shown as a band."""


def summary(data: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row for each N: medians, lowest and highest, and ratios of medians.

    Columns are ``parallelism``; ``<who>_median_bps``, ``<who>_low_bps``, ``<who>_high_bps``,
    ``<who>_drops``, ``<who>_retransmissions`` and ``<who>_timeouts`` (medians) of the twin and each
    engine; ``twin_over_<engine>``; ``window_bytes``, which Linux offered; ``late_p99_s``, the most
    of all transfers. What was not measured is missing.
    """
    rows = []
    for point in data["points"]:
        twin = point["twin"]
        row = {"parallelism": point["parallelism"], **_spread("twin", twin)}
        for name in LABELS:
            runs = point["engines"].get(name)
            row |= _spread(name, runs) if runs else {}
            both = runs and row["twin_median_bps"] / row[f"{name}_median_bps"]
            row[f"twin_over_{name}"] = both or float("nan")
        windows = [run["window_bytes"] for run in twin if run["window_bytes"] is not None]
        row["window_bytes"] = statistics.median(windows) if windows else float("nan")
        row["late_p99_s"] = max(run["late"]["p99_s"] for run in twin)
        rows.append(row)
    return pd.DataFrame(rows)


def _spread(name: str, runs: list[Mapping[str, Any]]) -> dict[str, float]:
    goodputs = [run["goodput_bps"] for run in runs]
    return {
        f"{name}_median_bps": statistics.median(goodputs),
        f"{name}_low_bps": min(goodputs),
        f"{name}_high_bps": max(goodputs),
        **{
            f"{name}_{key}": statistics.median(run[key] for run in runs)
            for key in ("drops", "retransmissions", "timeouts")
        },
    }


def draw(data: Mapping[str, Any], stem: Path) -> list[Path]:
    """Draw goodputs and ratios over N; save as PNG, SVG and CSV.

    Raises:
        OSError: a file cannot be written.
    """
    with style.styled():
        return style.save(_draw(data), summary(data), stem, ("png", "svg"))


def _draw(data: Mapping[str, Any]) -> Figure:
    table = summary(data)
    figure = style.new_figure(7.2, 3.6)
    goodputs, ratios = figure.subplots(1, 2)
    places = range(len(table))
    for name in LABELS:
        if f"{name}_median_bps" in table:
            _engine(goodputs, ratios, table, name)
    for place, point in zip(places, data["points"], strict=True):
        values = [run["goodput_bps"] / 1e6 for run in point["twin"]]
        look = {"color": style.INK["black"], "marker": "_", "s": 50, "linewidths": 1, "zorder": 5}
        goodputs.scatter([place] * len(values), values, **look)
    goodputs.plot(
        table["twin_median_bps"] / 1e6, color=style.INK["black"], marker="x", markersize=6,
        linestyle="", markeredgewidth=1.6, label="twin: real programs", zorder=6,
    )  # fmt: skip
    bandwidth = data["scenario"]["bandwidth_bps"] / 1e6
    style.limit_line(goodputs, bandwidth, "bottleneck")
    goodputs.set_ylim(0, 1.12 * bandwidth)
    goodputs.set_title("(a) goodput")
    goodputs.set_ylabel("Goodput (Mbit/s)")
    ratios.axhspan(1 - WITHIN, 1 + WITHIN, color=style.GREY, alpha=0.12, linewidth=0)
    ratios.axhline(1, **style.LIMIT)
    ratios.set_title("(b) twin over engine, medians")
    ratios.set_ylabel("Ratio of goodputs")
    low, high = ratios.get_ylim()
    ratios.set_ylim(min(low, 0.85), max(high, 1.15))
    for axes in (goodputs, ratios):
        axes.set_xticks(places, [str(level) for level in table["parallelism"]])
        axes.set_xlim(-0.4, len(table) - 0.6)
        axes.set_xlabel("Parallelism N")
        axes.grid(axis="x", visible=False)
    figure.legend(loc="outside upper center", ncols=4, fontsize=8, handlelength=2)
    figure.supxlabel(_caption(data), fontsize=7, color=style.GREY)
    return figure


def _engine(goodputs: Axes, ratios: Axes, table: pd.DataFrame, name: str) -> None:
    """Draw an engine's medians with their spread, and the twin's ratio to them."""
    middle, low, high = (table[f"{name}_{kind}_bps"] / 1e6 for kind in ("median", "low", "high"))
    goodputs.errorbar(
        range(len(table)), middle, yerr=[middle - low, high - middle], capsize=3, linewidth=1,
        label=LABELS[name], **LOOKS[name],
    )  # fmt: skip
    ratios.plot(table[f"twin_over_{name}"], linewidth=1, **LOOKS[name])


def _caption(data: Mapping[str, Any]) -> str:
    """Return the conditions, from the data."""
    repeat = len(data["points"][0]["twin"])
    runs = len(data["points"][0]["engines"][NS3])
    told = style.conditions(data["scenario"], "", {"engine", "chunk_size_bytes", "parallelism"})
    return (
        f"{told}, {data['scenario']['tcp']}\n"
        f"twin: {repeat} transfers of each N, in real time; engines: {runs} runs, bars are lowest "
        f"and highest; shaded: within {WITHIN * 100:.0f} %"
    )
