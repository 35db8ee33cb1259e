"""What ``gridftp twin`` prints of what it measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from analysis.figures.twin import (
    HIGHEST,
    LOWEST,
    NS3,
    REFERENCE,
    WITH_WINDOW,
    simulators,
    summary,
)

from ..terminal import present
from .needs import is_of_today

BOTH = (
    "N", "real", "lowest\nto highest", "ns3", "lowest\nto highest", "segment", "real\n/ ns3",
    "segment,\nW seen", "real\n/ that", "W seen",
)  # fmt: skip
"""Columns where both engines simulate, and the segment engine with the window seen, too."""

TODAY = (
    "N", "real", "lowest\nto highest", "segment", "lowest\nto highest", "real\n/ segment",
    "in\nrange", "W seen",
)  # fmt: skip
"""Columns where hosts are those of today, which the segment engine alone models."""

LATE = 0.1
"""Share of the round-trip time by which the path may be late before a reader is warned."""


def show(data: Mapping[str, Any], out: Console) -> None:
    """Print the tables, and what their numbers are."""
    rows = summary(data)
    today = is_of_today(data["scenario"])
    table = _table(
        "Goodput in Mbit/s, medians: real programs over the emulated path, and "
        + ("the segment engine" if today else "both engines"),
        TODAY if today else BOTH,
    )
    for row in rows.to_dict("records"):
        table.add_row(*(_cells_today(row) if today else _cells(row)))
    out.print(table)
    out.print(_losses(rows, simulators(data)))
    _explain(data, float(rows["late_p99_s"].max()), out)


def _table(title: str, headings: tuple[str, ...]) -> Table:
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _losses(rows: pd.DataFrame, names: list[str]) -> Table:
    """Return the table of what was sent again, and why, for the twin and each engine."""
    heads = {"twin": "real", WITH_WINDOW: "segment,\nW seen"}
    columns = [
        f"{heads.get(name, name)}\n{what}"
        for name in ("twin", *names)
        for what in ("resent", "range", "timeouts")
    ]
    table = _table("Retransmitted segments and retransmission timeouts, medians", ("N", *columns))
    for row in rows.to_dict("records"):
        table.add_row(str(row["parallelism"]), *_lost(row, ("twin", *names)))
    return table


def _lost(row: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    cells = []
    for name in names:
        if pd.isna(row.get(f"{name}_retransmissions", float("nan"))):
            cells += ["?", "?", "?"]
            continue
        low, high = (row[f"{name}_retransmissions_{kind}"] for kind in ("low", "high"))
        cells += [
            f"{row[f'{name}_retransmissions']:.0f}",
            f"{low:.0f} to {high:.0f}",
            f"{row[f'{name}_timeouts']:.0f}",
        ]
    return cells


def _explain(data: Mapping[str, Any], late_s: float, out: Console) -> None:
    """Print how many runs there were, what the columns are, and how late the path was."""
    scenario, first = data["scenario"], data["points"][0]
    today = is_of_today(scenario)
    runs = len(first["engines"][REFERENCE])
    asked = f"where the programs asked for {scenario['window_bytes']:.0f} B"
    if scenario.get("buffers", "fixed") != "fixed":
        asked = "which it sizes itself"
    lines = [
        f"real: {len(first['twin'])} transfers of real programs for each N; engines: {runs} runs "
        "with random start times of connections;",
        f"W seen: the window that Linux offered, {asked}; resent: retransmitted segments.",
    ]
    if today:
        lines.append(
            f"in range: the engine's median is between {LOWEST:g} times the lowest and "
            f"{HIGHEST:g} times the highest of the real transfers."
        )
    present.say(out, "\n".join(lines))
    warn_if_late(scenario, late_s, out)


def warn_if_late(scenario: Mapping[str, Any], late_s: float, out: Console) -> None:
    """Print how late the path was, and whether the numbers can be used.

    Args:
        scenario: resolved.
        late_s: lateness in 99 % of the milliseconds, the largest of all transfers, in seconds.
        out: where to.
    """
    present.say(
        out, f"The path was at most {late_s * 1e3:.1f} ms late in 99 % of the milliseconds."
    )
    path_s = scenario["delay_s"] + scenario.get("reverse_delay_s", scenario["delay_s"])
    if late_s > LATE * path_s:
        present.say(
            out,
            f"The machine was too busy: the path was late by {late_s * 1e3:.1f} ms, more than a "
            f"tenth of its round trip of {path_s * 1e3:g} ms. Measure again while nothing else "
            "runs.",
        )


def _cells(row: Mapping[str, Any]) -> list[str]:
    seen = not pd.isna(row["window_bytes"])
    return [
        str(row["parallelism"]),
        _mbps(row, "twin"),
        _range(row, "twin"),
        _mbps(row, NS3),
        _range(row, NS3),
        _mbps(row, REFERENCE),
        f"{row[f'twin_over_{NS3}']:.3f}",
        _mbps(row, WITH_WINDOW) if seen else "?",
        f"{row[f'twin_over_{WITH_WINDOW}']:.3f}" if seen else "?",
        _window(row),
    ]


def _cells_today(row: Mapping[str, Any]) -> list[str]:
    return [
        str(row["parallelism"]),
        _mbps(row, "twin"),
        _range(row, "twin"),
        _mbps(row, REFERENCE),
        _range(row, REFERENCE),
        f"{row[f'twin_over_{REFERENCE}']:.3f}",
        "yes" if row[f"{REFERENCE}_in_range"] else "no",
        _window(row),
    ]


def _window(row: Mapping[str, Any]) -> str:
    return "?" if pd.isna(row["window_bytes"]) else f"{row['window_bytes']:.0f} B"


def _range(row: Mapping[str, Any], name: str) -> str:
    return f"{_mbps(row, name, 'low')} to {_mbps(row, name, 'high')}"


def _mbps(row: Mapping[str, Any], name: str, kind: str = "median") -> str:
    return f"{row[f'{name}_{kind}_bps'] / 1e6:.2f}"
