"""The processor time of one delivered segment, of each contender, and its ratio to the first's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..drawing import style
from ..read.results import ResultError

SCHEMA = 2
"""Schema of bench.json understood here."""

LABEL_OFFSETS = {"ns2": 5, "ns3-lean": -10, "ns3-ns3": 6}
"""Whose ratios are given as numbers, and how many points above the marker."""


def load(path: Path) -> Mapping[str, Any]:
    """Read the kept measurements.

    Raises:
        ResultError: not readable, not such a file, or of another schema.
    """
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from None
    except ValueError:
        raise ResultError(f"{path}: not JSON") from None
    if not isinstance(data, dict) or not isinstance(data.get("schema"), int):
        raise ResultError(f"{path}: not a bench result: there is no 'schema'")
    if data["schema"] > SCHEMA:
        raise ResultError(f"{path}: schema {data['schema']} is newer than {SCHEMA}")
    if data["schema"] < SCHEMA:
        raise ResultError(f"{path}: schema {data['schema']} is older than {SCHEMA}: measure again")
    return data


def draw(data: Mapping[str, Any], stem: Path) -> list[Path]:
    """Draw the costs of every repetition and the median ratios; save as PNG, SVG and CSV.

    Raises:
        OSError: a file cannot be written.
    """
    with style.styled():
        figure, table = _draw(data)
        return style.save(figure, table, stem, ("png", "svg"))


def _draw(data: Mapping[str, Any]) -> tuple[Figure, pd.DataFrame]:
    figure = style.new_figure(7.2, 3.7)
    costs, ratios = figure.subplots(1, 2)
    looks = zip(data["contenders"], style.INK.values(), "soD^v", strict=False)
    for place, (contender, color, marker) in enumerate(looks):
        # Hollow and larger at the end: what it coincides with stays visible.
        hollow = {"markerfacecolor": "none", "markersize": 7} if place == 3 else {"markersize": 4}
        ink = {"color": color, "marker": marker, "linewidth": 1, **hollow}
        _cost(costs, data, contender, ink)
        if place > 0:
            _ratio(ratios, data, contender["name"], ink)
    levels = [str(case["parallelism"]) for case in data["cases"]]
    for axes in (costs, ratios):
        axes.set_xticks(range(len(levels)), levels)
        axes.set_xlim(-0.4, len(levels) - 0.6)
        axes.set_xlabel("Parallelism N")
        axes.grid(axis="x", visible=False)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(_plain)
    low, high = costs.get_ylim()
    costs.set_ylim(min(10, low), high)
    costs.set_title("(a) cost")
    costs.set_ylabel("CPU time per delivered segment (ns)")
    ratios.set_title("(b) ratio of runs in the same round")
    ratios.set_ylabel(f"Ratio to {data['contenders'][0]['label']}")
    ratios.axhline(1, **style.LIMIT)
    low, high = ratios.get_ylim()
    ratios.set_ylim(min(0.8, low), high * 1.6)
    figure.legend(loc="outside upper center", ncols=3, handlelength=1.6)
    figure.supxlabel(_caption(data), fontsize=7, color=style.GREY)
    return figure, _table(data)


def _plain(value: float, _: int) -> str:
    """Return a tick's label: the number itself."""
    return f"{value:,g}"


def _cost(axes: Axes, data: Mapping[str, Any], contender: Mapping[str, str], ink: Any) -> None:
    """Draw every run of a contender, and a line through the medians."""
    runs = [case["contenders"][contender["name"]] for case in data["cases"]]
    for place, told in enumerate(runs):
        _points(axes, place, told["cpu_ns_per_segment"], ink)
    medians = [told["median_cpu_ns_per_segment"] for told in runs]
    axes.plot(medians, label=contender["label"], **ink)


def _ratio(axes: Axes, data: Mapping[str, Any], name: str, ink: Any) -> None:
    """Draw a contender's ratios to the baseline, with the medians as numbers."""
    baseline = data["contenders"][0]["name"]
    medians = []
    for place, case in enumerate(data["cases"]):
        (ratio,) = (r for r in case["ratios"] if (r["of"], r["to"]) == (name, baseline))
        _points(axes, place, ratio["pairs"], ink)
        medians.append(ratio["median"])
        if name in LABEL_OFFSETS:
            _number(axes, (place, ratio["median"]), LABEL_OFFSETS[name], ink["color"])
    axes.plot(medians, **ink)


def _number(axes: Axes, at: tuple[float, float], offset: float, color: str) -> None:
    """Write a point's value above or below it."""
    text = f"{at[1]:,.0f}" if at[1] >= 100 else f"{at[1]:.1f}"
    how = {"textcoords": "offset points", "ha": "center", "fontsize": 7, "color": color}
    axes.annotate(text, at, xytext=(0, offset), **how)


def _points(axes: Axes, x: float, values: list[float], ink: Any) -> None:
    """Draw a column of values."""
    look = {"color": ink["color"], "marker": ink["marker"]}
    axes.scatter([x] * len(values), values, s=12, alpha=0.4, linewidths=0, **look)


def _caption(data: Mapping[str, Any]) -> str:
    """Return the conditions, from the data."""
    paths: dict[str, list[str]] = {}
    for case in data["cases"]:
        path = case["path"]
        text = f"{path['bandwidth_bps'] / 1e9:g} Gbit/s, {path['queue_packets']:g} packets"
        paths.setdefault(text, []).append(str(case["parallelism"]))
    told = "; ".join(f"N = {', '.join(levels)}: {text}" for text, levels in paths.items())
    return (
        f"time of whole processes including their start; lines: medians of {data['repeat']} "
        "runs in alternating order\n"
        f"bottleneck and its queue: {told}"
    )


def _table(data: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row per run."""
    return pd.DataFrame(
        {
            "parallelism": case["parallelism"],
            "contender": name,
            "repetition": repetition,
            "file_size_bytes": told["file_size_bytes"],
            "segments": told["segments"],
            "cpu_ns_per_segment": cpu,
            "wall_ns_per_segment": wall,
            "same_size_goodput_bps": told["same_size_goodput_bps"],
        }
        for case in data["cases"]
        for name, told in case["contenders"].items()
        for repetition, (cpu, wall) in enumerate(
            zip(told["cpu_ns_per_segment"], told["wall_ns_per_segment"], strict=True)
        )
    )
