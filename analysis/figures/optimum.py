"""The goodput over the parallelism, simulated or by the fluid model, and the best parallelism."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ..drawing import style


def curve_table(data: Mapping[str, Any]) -> pd.DataFrame:
    """Return the curve, one row per parallelism; empty cells are outside the model's domain.

    With random loss there is a column for each model of a path that loses packets.
    """
    table = pd.DataFrame(data["curve"])
    for model in _with_loss(data):
        column = [point["goodput_bps"] for point in model["curve"]]
        table[f"{model['name']}_goodput_bps"] = column
    return table


def _with_loss(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the models of a path with random loss that are for several connections."""
    return [model for model in data.get("loss_models", []) if "curve" in model]


_LOSSY = (("black", (1, 1)), ("vermilion", (6, 1, 1, 1)))
"""Colour and dashes of models of a path with random loss."""


def _numbers(best: Mapping[str, Any]) -> str:
    """Return the best parallelism of a model and its goodput in three digits."""
    goodput = float(f"{best['goodput_bps'] / 1e6:.3g}")
    return f"N = {best['parallelism']}: {goodput:g} Mbit/s"


def _mark(axes: Axes, best: Mapping[str, Any], color: str) -> tuple[float, float]:
    """Mark the best parallelism of a model with a point, and return its coordinates."""
    x, y = best["parallelism"], best["goodput_bps"] / 1e6
    axes.plot([x], [y], "o", markersize=6, color=style.INK[color], zorder=5)
    return x, y


def is_simulated(data: Mapping[str, Any]) -> bool:
    """Whether the curve is of simulated transfers, not of the fluid model."""
    return "stack" in data["scenario"]


def draw(data: Mapping[str, Any]) -> Figure:
    """Return the figure; to be called and saved inside `style.styled`."""
    figure = style.new_figure(5.2, 3.4)
    axes = figure.subplots()
    if is_simulated(data):
        _draw_simulated(axes, data)
    else:
        _draw_model(axes, data)
    limit = data["scenario"]["bandwidth_bps"] / 1e6
    style.limit_line(axes, limit, f"bottleneck, {limit:g} Mbit/s")
    axes.set_xscale("log", base=2)
    x = [point["parallelism"] for point in data["curve"]]
    # A margin on a logarithmic axis is a factor.
    axes.set_xlim(min(x) / 1.08, max(*x, 2) * 1.08)
    axes.xaxis.set_major_locator(LogLocator(base=2, numticks=12))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_ylim(0, limit * 1.15)
    axes.set_xlabel("Parallelism N")
    axes.set_ylabel("Goodput (Mbit/s)")
    figure.legend(
        loc="outside upper center", ncols=2 if _with_loss(data) else 3, handlelength=2.4, fontsize=8
    )
    figure.supxlabel(_caption(data), fontsize=7, color=style.GREY)
    return figure


def _caption(data: Mapping[str, Any]) -> str:
    """Return the path, and what answers, in a line."""
    scenario = data["scenario"]
    window = scenario.get("window_bytes")
    size = "tunes itself" if window is None else f"= {style.binary_bytes(window)}"
    path = (
        f"B = {scenario['bandwidth_bps'] / 1e6:g} Mbit/s, R = {scenario['rtt_s'] * 1e3:g} ms, "
        f"W {size}, packet {scenario['packet_size_bytes']:g} bytes; "
    )
    if not is_simulated(data):
        return path + "fluid model"
    loss = f", loss of {scenario['loss']:g}" if scenario["loss"] else ""
    return (
        path + f"{scenario['tcp']} of Linux, queue of {scenario['queue_packets']} packets{loss}, "
        f"{scenario['file_size_bytes'] / 1e9:g} GB, {scenario['repeats']} runs"
    )


def _draw_simulated(axes: Axes, data: Mapping[str, Any]) -> None:
    """Draw medians of simulated transfers, and their range."""
    table = curve_table(data)
    x = table["parallelism"]
    low, high, goodput = (table[key] / 1e6 for key in ("least_bps", "most_bps", "goodput_bps"))
    axes.plot(x, goodput, "o-", markersize=3, color=style.INK["blue"], label="simulated, median")
    axes.vlines(x, low, high, color=style.INK["blue"], linewidth=3, alpha=0.4, label="range")
    best = data["optimum"]
    axes.annotate(
        _numbers(best), _mark(axes, best, "black"), xytext=(6, -13), textcoords="offset points"
    )


def _draw_model(axes: Axes, data: Mapping[str, Any]) -> None:
    """Draw the fluid model's goodput and limits, and the models of a path with random loss."""
    table = curve_table(data)
    scenario, best = data["scenario"], data["optimum"]
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
    axes.annotate(
        _numbers(best), _mark(axes, best, "black"), xytext=(6, -13), textcoords="offset points"
    )
    for model, (color, dashes) in zip(_with_loss(data), _LOSSY, strict=False):
        values = table[f"{model['name']}_goodput_bps"] / 1e6
        label = f"{model['name']}, loss of {scenario['loss']:g}; {_numbers(model['optimum'])}"
        axes.plot(x, values, color=style.INK[color], linestyle=(0, dashes), label=label)
        _mark(axes, model["optimum"], color)
