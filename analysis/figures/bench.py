"""The cost of one delivered segment, of each contender, and its ratio to the baseline's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .. import style
from ..results import ResultError

SCHEMA = 1
"""Schema of bench.json understood here."""


def load(path: Path) -> Mapping[str, Any]:
    """Read the kept measurements.

    Raises:
        ResultError: not readable, not such a file, or of a newer schema.
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
    table = _table(data)
    figure = style.new_figure(7.2, 3.1)
    costs, ratios = figure.subplots(1, 2)
    count = len(data["contenders"])
    for place, contender in enumerate(data["contenders"]):
        ink = {"color": list(style.INK.values())[place], "marker": "sovD"[place]}
        shift = (place - (count - 1) / 2) * 0.22
        name, label = contender["name"], contender["label"]
        for number, case in enumerate(data["cases"]):
            own = [cost / 1e3 for cost in case["contenders"][name]["cost_ns_per_segment"]]
            _points(costs, number + shift, own, ink, label if number == 0 else None)
            if name in case["ratios"]:
                pairs = case["ratios"][name]
                _points(ratios, number, pairs["pairs"], ink)
                at = (number + 0.17, pairs["median"])
                ratios.annotate(f"{pairs['median']:.2f}", at, va="center", fontsize=8)
    levels = [str(case["parallelism"]) for case in data["cases"]]
    for axes in (costs, ratios):
        axes.set_xticks(range(len(levels)), levels)
        axes.set_xlim(-0.5, len(levels) - 0.5)
        axes.set_xlabel("Parallelism N")
        axes.grid(axis="x", visible=False)
    costs.set_title("(a) cost")
    costs.set_ylabel("Wall time per delivered segment (\N{MICRO SIGN}s)")
    costs.set_ylim(0, table["cost_ns_per_segment"].max() / 1e3 * 1.12)
    ratios.set_title("(b) ratio of neighbouring runs")
    ratios.set_ylabel(f"Ratio to {data['contenders'][0]['label']}")
    ratios.axhline(1, **style.LIMIT)
    low, high = ratios.get_ylim()
    ratios.set_ylim(min(0.9, low), max(1.15, high))
    figure.legend(loc="outside upper center", ncols=count, handlelength=1)
    figure.supxlabel(
        f"each point one transfer of {style.decimal_bytes(data['file_size_bytes'])}, "
        f"{data['repeat']} of each in turn; bars are medians",
        fontsize=7,
        color=style.GREY,
    )
    return figure, table


def _table(data: Mapping[str, Any]) -> pd.DataFrame:
    """Return one row per run."""
    return pd.DataFrame(
        {
            "parallelism": case["parallelism"],
            "contender": name,
            "repetition": repetition,
            "cost_ns_per_segment": cost,
            "goodput_bps": told["goodput_bps"],
        }
        for case in data["cases"]
        for name, told in case["contenders"].items()
        for repetition, cost in enumerate(told["cost_ns_per_segment"])
    )


def _points(
    axes: Axes, x: float, values: list[float], ink: dict[str, Any], label: str | None = None
) -> None:
    """Draw a column of values and a bar at their median."""
    axes.scatter([x] * len(values), values, s=14, alpha=0.55, linewidths=0, label=label, **ink)
    axes.hlines(median(values), x - 0.1, x + 0.1, color=ink["color"], linewidth=1.6)
