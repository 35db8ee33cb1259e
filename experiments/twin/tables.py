"""What ``gridftp twin`` prints of what it measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table

from analysis.figures.twin import NS3, REFERENCE, WITH_WINDOW, summary

from ..terminal import present

HEADINGS = (
    "N", "twin", "lowest\nto highest", "ns3", "lowest\nto highest", "segment", "twin\n/ ns3",
    "segment,\nW seen", "twin\n/ that", "W seen", "resent:\ntwin", "ns3",
)  # fmt: skip


def show(data: Mapping[str, Any], out: Console) -> None:
    """Print the table, and what its numbers are."""
    repeat = len(data["points"][0]["twin"])
    table = Table(
        title="Goodput, Mbit/s, medians: real programs over the simulated path, and both engines",
        title_justify="left",
    )
    for heading in HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    rows = summary(data)
    for row in rows.to_dict("records"):
        table.add_row(*_cells(row))
    out.print(table)
    asked = data["scenario"]["window_bytes"]
    runs = len(data["points"][0]["engines"][NS3])
    late = float(rows["late_p99_s"].max())
    present.say(
        out,
        f"twin: {repeat} transfers of each N; engines: {runs} runs, which differ in when "
        f"connections start;\nW seen: the window that Linux offered where {asked:.0f} B were asked "
        f"for; resent: segments.\nThe path was at most {late * 1e3:.1f} ms late in 99 % of the "
        "milliseconds.",
    )
    scenario = data["scenario"]
    path = scenario["delay_s"] + scenario.get("reverse_delay_s", scenario["delay_s"])
    if late > LATE * path:
        present.say(
            out,
            f"The machine was not quiet: the path was late by {late * 1e3:.1f} ms, and its round "
            f"trip takes {path * 1e3:g} ms. Measure again, with nothing else running.",
        )


LATE = 0.1
"""Share of the round-trip time by which the path may be late before a reader is warned."""


def _cells(row: Mapping[str, Any]) -> list[str]:
    seen = not pd.isna(row["window_bytes"])
    return [
        str(row["parallelism"]),
        _mbps(row, "twin"),
        f"{_mbps(row, 'twin', 'low')} to {_mbps(row, 'twin', 'high')}",
        _mbps(row, NS3),
        f"{_mbps(row, NS3, 'low')} to {_mbps(row, NS3, 'high')}",
        _mbps(row, REFERENCE),
        f"{row[f'twin_over_{NS3}']:.3f}",
        _mbps(row, WITH_WINDOW) if seen else "?",
        f"{row[f'twin_over_{WITH_WINDOW}']:.3f}" if seen else "?",
        f"{row['window_bytes']:.0f} B" if seen else "?",
        f"{row['twin_retransmissions']:.0f}",
        f"{row[f'{NS3}_retransmissions']:.0f}",
    ]


def _mbps(row: Mapping[str, Any], name: str, kind: str = "median") -> str:
    return f"{row[f'{name}_{kind}_bps'] / 1e6:.2f}"
