"""What ``gridftp bench`` prints of what it measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from analysis.drawing.style import decimal_bytes

from ..terminal import present


def show(data: Mapping[str, Any], out: Console) -> None:
    """Print the tables and the ratios."""
    labels = {contender["name"]: contender["label"] for contender in data["contenders"]}
    out.print(_costs(data, labels))
    present.say(out, _paths(data))
    out.print(_goodputs(data, labels))
    out.print(_transfers(data["segment_engine"]))
    present.say(out, _ratios(data, labels))


def _table(title: str, left: tuple[str, ...], right: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in left:
        table.add_column(heading)
    for heading in right:
        table.add_column(heading, justify="right")
    return table


def _costs(data: Mapping[str, Any], labels: Mapping[str, str]) -> Table:
    """Return the cost of each contender at each N."""
    table = _table(
        "Cost per delivered segment, whole processes, medians",
        ("N", "contender"),
        (
            "file",
            "segments",
            "CPU ns",
            "wall ns",
            "wall ns, no set-up",
            "CPU ratio",
            "lowest to highest",
        ),
    )
    baseline = data["contenders"][0]["name"]
    for case in data["cases"]:
        ratios = {each["of"]: each for each in case["ratios"] if each["to"] == baseline}
        for name, told in case["contenders"].items():
            pairs = ratios[name]["pairs"] if name in ratios else []
            table.add_row(
                str(case["parallelism"]),
                labels[name],
                decimal_bytes(told["file_size_bytes"]),
                str(told["segments"]),
                f"{told['median_cpu_ns_per_segment']:.1f}",
                f"{told['median_wall_ns_per_segment']:.1f}",
                f"{told['median_simulation_wall_ns_per_segment']:.1f}",
                f"{ratios[name]['median']:.4g}" if pairs else "1",
                f"{min(pairs):.4g} to {max(pairs):.4g}" if pairs else "",
            )
        table.add_section()
    return table


def _paths(data: Mapping[str, Any]) -> str:
    """Return which path each N ran on."""
    lines = []
    for case in data["cases"]:
        path = case["path"]
        lines.append(
            f"N = {case['parallelism']}: {path['bandwidth_bps'] / 1e6:g} Mbit/s, "
            f"{path['delay_s'] * 1e3:g} ms, queue {path['queue_packets']:g} packets, "
            f"chunk {decimal_bytes(case['file_size_bytes'])}"
        )
    return "\n".join(lines)


def _goodputs(data: Mapping[str, Any], labels: Mapping[str, str]) -> Table:
    """Return the goodputs side by side, all at the same size."""
    table = _table("Goodput of one chunk, Mbit/s", ("N",), ("chunk", *labels.values()))
    for case in data["cases"]:
        goodputs = [case["contenders"][name]["same_size_goodput_bps"] for name in labels]
        table.add_row(
            str(case["parallelism"]),
            decimal_bytes(case["file_size_bytes"]),
            *(f"{goodput / 1e6:.2f}" for goodput in goodputs),
        )
    return table


def _transfers(data: Mapping[str, Any]) -> Table:
    """Return what the segment engine took for transfers of its own."""
    table = _table(
        "Engine segment alone, whole processes, medians",
        ("transfer",),
        ("segments", "CPU ns per segment", "lowest to highest", "peak memory"),
    )
    for told in data["transfers"].values():
        costs = told["cpu_ns_per_segment"]
        table.add_row(
            told["label"],
            str(told["segments"]),
            f"{told['median_cpu_ns_per_segment']:.2f}",
            f"{min(costs):.2f} to {max(costs):.2f}",
            f"{told['peak_rss_bytes'] / 1e6:.1f} MB",
        )
    return table


def _ratios(data: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """Return the ratios in words."""
    lines = ["CPU time per delivered segment, median ratio of two runs in the same round:"]
    for each in data["ratios"]:
        lines.append(
            f"  {labels[each['of']]} over {labels[each['to']]}: {each['median']:.4g} "
            f"(medians of each N: {each['least']:.4g} to {each['largest']:.4g})"
        )
    transfers = data["segment_engine"]["transfers"]
    for each in data["segment_engine"]["ratios"]:
        of, to = (transfers[each[side]]["label"] for side in ("of", "to"))
        lines.append(f"  engine segment, {of} over {to}: {each['median']:.4g}")
    machine = data["machine"]
    lines.append(
        f"{data['repeat']} runs of each contender; {machine['cores']} cores, {machine['processor']}"
    )
    return "\n".join(lines)
