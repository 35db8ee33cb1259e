"""Goodput, losses and cwnd of the real programs over the simulated path, and of the engines."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from ..drawing import style

SCHEMA = 1
"""Schema of twin.json understood here."""

NS3, REFERENCE, WITH_WINDOW = "ns3", "segment", "segment, window seen"
"""Simulators; the last one with the window that Linux offered."""

LABELS = {
    NS3: "engine ns3",
    REFERENCE: "engine segment",
    WITH_WINDOW: "engine segment with Linux's window",
}
LOOKS: Mapping[str, Mapping[str, Any]] = {
    NS3: {"color": style.INK["blue"], "marker": "s", "markersize": 6, "markerfacecolor": "none"},
    REFERENCE: {"color": style.INK["orange"], "marker": "o", "markersize": 4, "linestyle": "--"},
    WITH_WINDOW: {"color": style.INK["green"], "marker": "D", "markersize": 4, "linestyle": ":"},
}

WITHIN = 0.1
"""How far twin and engines may be apart where windows do not matter; shown as a band."""

LOWEST, HIGHEST = 0.9, 1.1
"""Range of an engine's median: times the lowest and times the highest goodput of the twin."""

TWIN_LOOK: Mapping[str, Any] = {"color": style.INK["black"], "linewidth": 1.0}
COLUMNS = 4
"""Panels of cwnd in one row."""


def simulators(data: Mapping[str, Any]) -> list[str]:
    """Return which of the engines in `LABELS` have simulated anything, in their order."""
    return [name for name in LABELS if any(point["engines"].get(name) for point in data["points"])]


def summary(data: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row for each N: medians, lowest and highest, and ratios of medians.

    Columns are ``parallelism``; ``<who>_median_bps``, ``<who>_low_bps``, ``<who>_high_bps``,
    ``<who>_drops``, ``<who>_retransmissions`` and ``<who>_timeouts`` (medians) of the twin and each
    engine, ``<who>_retransmissions_low`` and ``_high``; ``twin_over_<engine>`` and
    ``<engine>_in_range`` (see `LOWEST`); ``window_bytes``, which Linux offered; ``late_p99_s``, the
    most of all transfers. What was not measured is missing.
    """
    rows = []
    for point in data["points"]:
        twin = point["twin"]
        row = {"parallelism": point["parallelism"], **_spread("twin", twin)}
        for name in simulators(data):
            row |= _compared(name, point["engines"].get(name), row)
        windows = [run["window_bytes"] for run in twin if run["window_bytes"] is not None]
        row["window_bytes"] = statistics.median(windows) if windows else float("nan")
        row["late_p99_s"] = max(run["late"]["p99_s"] for run in twin)
        rows.append(row)
    return pd.DataFrame(rows)


def _compared(
    name: str, runs: list[Mapping[str, Any]] | None, twin: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the columns of an engine at one N; ``twin`` has those of the twin."""
    if not runs:
        return {f"twin_over_{name}": float("nan")}
    own = _spread(name, runs)
    median = own[f"{name}_median_bps"]
    return {
        **own,
        f"twin_over_{name}": twin["twin_median_bps"] / median,
        f"{name}_in_range": (
            LOWEST * twin["twin_low_bps"] <= median <= HIGHEST * twin["twin_high_bps"]
        ),
    }


def _spread(name: str, runs: list[Mapping[str, Any]]) -> dict[str, float]:
    goodputs = [run["goodput_bps"] for run in runs]
    resent = [run["retransmissions"] for run in runs]
    return {
        f"{name}_median_bps": statistics.median(goodputs),
        f"{name}_low_bps": min(goodputs),
        f"{name}_high_bps": max(goodputs),
        **{
            f"{name}_{key}": statistics.median(run[key] for run in runs)
            for key in ("drops", "retransmissions", "timeouts")
        },
        f"{name}_retransmissions_low": min(resent),
        f"{name}_retransmissions_high": max(resent),
    }


def draw(data: Mapping[str, Any], stem: Path) -> list[Path]:
    """Draw goodputs, ratios and losses over N, and cwnd over time; save as PNG, SVG and CSV.

    Raises:
        OSError: a file cannot be written.
    """
    with style.styled():
        return style.save(_draw(data), summary(data), stem, ("png", "svg"))


def _draw(data: Mapping[str, Any]) -> Figure:
    traced = [point for point in data["points"] if _windows(point)]
    rows = math.ceil(len(traced) / COLUMNS)
    figure = style.new_figure(9.2, 3.6 + 2.1 * rows)
    above: Figure | SubFigure = figure
    if traced:
        above, below = figure.subfigures(2, 1, height_ratios=[3.2, 2.1 * rows])
        _draw_windows(below, traced, rows)
    _draw_over_n(above, data)
    figure.supxlabel(_caption(data, bool(traced)), fontsize=7, color=style.GREY)
    return figure


def _draw_over_n(figure: Figure | SubFigure, data: Mapping[str, Any]) -> None:
    """Draw the panels whose horizontal axis is N."""
    table = summary(data)
    goodputs, ratios, resent = figure.subplots(1, 3)
    places = range(len(table))
    for name in simulators(data):
        _engine(goodputs, ratios, table, name)
        _resent(resent, table, name, LOOKS[name])
    for place, point in zip(places, data["points"], strict=True):
        values = [run["goodput_bps"] / 1e6 for run in point["twin"]]
        look = {"color": style.INK["black"], "marker": "_", "s": 50, "linewidths": 1, "zorder": 5}
        goodputs.scatter([place] * len(values), values, **look)
    goodputs.plot(
        table["twin_median_bps"] / 1e6, color=style.INK["black"], marker="x", markersize=6,
        linestyle="", markeredgewidth=1.6, label="testbed: real programs", zorder=6,
    )  # fmt: skip
    bandwidth = data["scenario"]["bandwidth_bps"] / 1e6
    style.limit_line(goodputs, bandwidth, "bottleneck")
    goodputs.set_ylim(0, 1.12 * bandwidth)
    goodputs.set_title("(a) goodput")
    goodputs.set_ylabel("Goodput (Mbit/s)")
    ratios.axhspan(1 - WITHIN, 1 + WITHIN, color=style.GREY, alpha=0.12, linewidth=0)
    ratios.axhline(1, **style.LIMIT)
    ratios.set_title("(b) testbed / engine, medians")
    ratios.set_ylabel("Ratio of goodputs")
    low, high = ratios.get_ylim()
    ratios.set_ylim(min(low, 0.85), max(high, 1.15))
    _resent(resent, table, "twin", {"color": style.INK["black"], "marker": "x", "linestyle": ""})
    resent.set_title("(c) retransmitted segments")
    resent.set_ylabel("Segments")
    resent.set_yscale("symlog", linthresh=10)
    resent.set_ylim(bottom=0)
    for axes in (goodputs, ratios, resent):
        axes.set_xticks(places, [str(level) for level in table["parallelism"]])
        axes.set_xlim(-0.4, len(table) - 0.6)
        axes.set_xlabel("Parallelism N")
        axes.grid(axis="x", visible=False)
    handles, labels = goodputs.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, fontsize=8, handlelength=2)


def _engine(goodputs: Axes, ratios: Axes, table: pd.DataFrame, name: str) -> None:
    """Draw an engine's medians with their spread, and the twin's ratio to them."""
    middle, low, high = (table[f"{name}_{kind}_bps"] / 1e6 for kind in ("median", "low", "high"))
    goodputs.errorbar(
        range(len(table)), middle, yerr=[middle - low, high - middle], capsize=3, linewidth=1,
        label=LABELS[name], **LOOKS[name],
    )  # fmt: skip
    ratios.plot(table[f"twin_over_{name}"], linewidth=1, **LOOKS[name])


def _resent(axes: Axes, table: pd.DataFrame, name: str, look: Mapping[str, Any]) -> None:
    """Draw how many segments were sent again: medians, lowest and highest."""
    middle, low, high = (table[f"{name}_retransmissions{kind}"] for kind in ("", "_low", "_high"))
    axes.errorbar(
        range(len(table)), middle, yerr=[middle - low, high - middle], capsize=3, linewidth=1,
        **look,
    )  # fmt: skip


def _windows(point: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return cwnd over time at one N: of the twin's transfer of median goodput, and of engines."""
    runs = [run for run in point["twin"] if run.get("cwnd", {}).get("bytes")]
    if not runs:
        return {}
    middle = statistics.median_low(run["goodput_bps"] for run in runs)
    chosen = next(run for run in runs if run["goodput_bps"] == middle)
    return {"twin": chosen["cwnd"], **point.get("cwnd", {})}


def _draw_windows(figure: SubFigure, points: list[Mapping[str, Any]], rows: int) -> None:
    """Draw a panel of cwnd over time for each N."""
    columns = min(COLUMNS, len(points))
    grid = figure.subplots(rows, columns, squeeze=False)
    for place, axes in enumerate(grid.flat):
        if place >= len(points):
            axes.set_axis_off()
            continue
        _draw_window(axes, points[place])
        axes.set_title(f"({chr(ord('d') + place)}) cwnd, N = {points[place]['parallelism']}")
        axes.set_xlabel("Time (s)")
        if place % columns == 0:
            axes.set_ylabel("All connections (KB)")


def _draw_window(axes: Axes, point: Mapping[str, Any]) -> None:
    windows = _windows(point)
    for name, series in windows.items():
        look = TWIN_LOOK
        if name != "twin":
            look = {"color": LOOKS[name]["color"], "linewidth": 1.0}
        values = [size / 1e3 for size in series["bytes"]]
        axes.plot(series["time_s"], values, **look)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)


def _caption(data: Mapping[str, Any], traced: bool) -> str:
    """Return the conditions, from the data."""
    scenario, first = data["scenario"], data["points"][0]
    runs = len(first["engines"][REFERENCE])
    apart = {"engine", "chunk_size_bytes", "parallelism"}
    if scenario.get("buffers", "fixed") != "fixed":
        apart.add("window_bytes")
    words = [style.conditions(scenario, "", apart), scenario["tcp"]]
    if scenario.get("random_loss"):
        words.append(f"random loss {scenario['random_loss'] * 100:g} %")
    lines = [
        ", ".join(words),
        f"testbed: {len(first['twin'])} transfers of each N, in real time; engines: {runs} "
        "runs; bars: "
        f"lowest and highest; shaded: within {WITHIN * 100:.0f} %",
    ]
    if traced:
        lines.append(
            "cwnd: sum over the connections, of the transfer and the run with median goodput"
        )
    return "\n".join(lines)
