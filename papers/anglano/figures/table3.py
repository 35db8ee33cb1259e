"""The paper's Table 3 beside ours: which run belongs to which of its rows and columns."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

PUBLISHED = Path(__file__).resolve().parents[1] / "published" / "table3.csv"
"""What the paper has."""

COLUMNS = ("label", "row", "column", "run", "value", "published", "deviation")
"""Of `table_of`: set, path, tool, number of the run, and bit/s."""

_MBPS = 1e6

_LINUX = "-linux"
"""Ends the labels of sets of bbFTP on hosts with Linux, which belong to those without it."""

FOBS_OFF, FOBS_CLOCK = "FOBS without control", "FOBS on a 10 ms clock"
"""What FOBS is called without its congestion control, and so on a host that sleeps."""

GRIDFTP = "GridFTP "
"""Before the mode, of GridFTP."""

_UDT4 = "UDT 4"


def tool_of(scenario: Mapping[str, Any]) -> str:
    """Return the tool of a run as the paper calls it, or, where it has no such one, as we do."""
    tool = scenario["tool"]
    if tool == "bbftp":
        return f"bbFTP-{scenario['tool_streams']}"
    if tool == "udt":
        return "UDT" if scenario["tool_udt_loss_gate"] == "rate" else _UDT4
    if tool == "fobs":
        if scenario["tool_fobs_control"] == "on":
            return "FOBS"
        return FOBS_CLOCK if scenario["tool_fobs_period_s"] > 0 else FOBS_OFF
    return f"{GRIDFTP}{scenario['mode']}" if tool == "gridftp" else str(tool).upper()


def published() -> pd.DataFrame:
    """Return the paper's table: ``row``, its path as client-server, its tools, and what is told."""
    table = pd.read_csv(PUBLISHED, comment="#")
    return table.assign(row=table["client"] + "-" + table["server"])


def table_of(runs: Iterable[tuple[str, Mapping[str, Any], float]]) -> pd.DataFrame:
    """Return what runs are in the table.

    Args:
        runs: label of the set, scenario and goodput, bit/s, of each.

    Returns:
        `COLUMNS`. Two rows that are one path with client and server exchanged share their runs.
    """
    known = published()
    paths = known.drop_duplicates("row").to_dict("records")
    cells = {(cell["row"], cell["tool"]): cell for cell in known.to_dict("records")}
    rows = []
    for label, scenario, goodput in runs:
        column = tool_of(scenario)
        for row in _rows_of(paths, scenario):
            told = cells.get((row, column), _UNTOLD)
            mean, deviation = told["mean_mbps"] * _MBPS, told["deviation_mbps"] * _MBPS
            rows.append(
                (label.removesuffix(_LINUX), row, column, scenario["run"], goodput, mean, deviation)
            )
    return pd.DataFrame(rows, columns=list(COLUMNS))


_UNTOLD: Mapping[Hashable, Any] = {"mean_mbps": math.nan, "deviation_mbps": math.nan}


def _rows_of(paths: Iterable[Mapping[Hashable, Any]], scenario: Mapping[str, Any]) -> list[str]:
    """Return the rows whose path a scenario has."""
    limited = scenario["limit_rate_bps"] > 0
    return [
        path["row"]
        for path in paths
        if math.isclose(scenario["bandwidth_bps"], path["capacity_mbps"] * _MBPS)
        and math.isclose(2e3 * scenario["delay_s"], path["round_trip_ms"])
        and limited == ("Taiwan" in (path["client"], path["server"]))
        and (not limited or path[scenario["limit_at"]] == "Taiwan")
    ]
