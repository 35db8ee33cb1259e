"""The paper's tables made of our runs, beside its numbers: which run is in which row and column.

Each function takes the done runs of a sweep and returns `COLUMNS`, one row per run.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from papers.luu.figures import paths

_NO_UNIT = (
    "largest over smallest", "default over the smallest", "share", "peak load", "kernel load",
)  # fmt: skip

UNITS = (
    "column",
    {**dict.fromkeys(_NO_UNIT, "1"), "packets in": "1/s", "packets out": "1/s", "": "bit/s"},
)
"""Units of the numbers of these tables, by their columns."""

COLUMNS = ("label", "row", "column", "run", "value", "published", "deviation")
"""Of a table: set, row, column, number of the run, what was measured, and what is published."""

Run = Mapping[str, Any]
"""A run: ``label`` of its set, the scenario's plain values and what is measured of its session, as
`analysis.read.stored.session_table` has them."""

Runs = Iterable[Run]

SKIPPED = ("ns3", "ns3-twin")
"""Sets that are there to compare the engines."""

Cell = tuple[str, str, str, int, float, float]
"""The first six of `COLUMNS`."""


FAST = ", 10 Gbit/s"
"""Ends the labels of sets of pairs with 10 Gbit/s, which belong to those without it."""


def memory(runs: Runs) -> pd.DataFrame:
    """Return Table 4: rates from memory to memory, bit/s."""
    told = _of_pairs("table4", "rate_mb_per_s", paths.MB_PER_S)
    return _table(
        (
            run["label"].removesuffix(FAST),
            row,
            "rate",
            run["run"],
            run["goodput_bps"],
            told.get(row, math.nan),
        )
        for row, run in _paired(runs)
    )


def disk(runs: Runs) -> pd.DataFrame:
    """Return Table 5: the best rate from disk to disk, bit/s, and as a share of memory to memory.

    The best is that of the number of streams with the largest mean; its runs are the cell's.
    """
    rates: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    memories = {}
    for row, run in _paired(runs):
        if run["label"].removesuffix(FAST) == "memory":
            memories[row] = run["goodput_bps"]
        elif run["label"] == "disk":
            rates[row][run["parallelism"]].append(run["goodput_bps"])
    best = {row: max(by.values(), key=statistics.fmean) for row, by in rates.items()}
    rate = _of_pairs("table5", "disk_rate_mb_per_s", paths.MB_PER_S)
    share = _of_pairs("table5", "share_percent", 0.01)
    cells: list[Cell] = []
    for row, values in best.items():
        for number, value in enumerate(values, 1):
            cells.append(("disk", row, "rate", number, value, rate.get(row, math.nan)))
            if row in memories:
                told = share.get(row, math.nan)
                cells.append(("disk", row, "share", number, value / memories[row], told))
    return _table(cells)


STREAM_COLUMNS = {
    "rate": ("rate_mb_per_s", paths.MB_PER_S),
    "peak load": ("peak_cpu_percent", 0.01),
    "kernel load": ("kernel_load_percent", 0.01),
}
"""Columns of Table 3, by what they are called here: their name there and its unit."""


def streams(runs: Runs) -> pd.DataFrame:
    """Return Table 3: rate, bit/s, and loads of the sending host, shares, by number of streams."""
    told = paths.published("table3").set_index("parallelism")
    cells: list[Cell] = []
    for run in _drawn(runs):
        count = run["parallelism"]
        values = {
            "rate": run["goodput_bps"],
            "peak load": _told(run, "sender_cpu_peak_load"),
            "kernel load": share(run, "sender", KERNEL),
        }
        for column, value in values.items():
            name, unit = STREAM_COLUMNS[column]
            known = told[name].get(count, math.nan) * unit
            cells.append((run["label"], f"P = {count}", column, run["run"], value, known))
    return _table(cells)


LOAD_COLUMNS = {
    "peak load": ("peak_load_percent", 0.01),
    "packets in": ("packets_in_per_s", 1.0),
    "packets out": ("packets_out_per_s", 1.0),
}
"""Columns of Table 1 that there is anything of here, likewise."""


def server(runs: Runs) -> pd.DataFrame:
    """Return Table 1: peak load, share, and packets per second of the sending host.

    Rows are the buffers asked for; labels old and new tell its settings.
    """
    told = paths.published("table1").set_index(["settings", "buffer"])
    cells: list[Cell] = []
    for run in _drawn(runs):
        settings = run["label"].split()[0]
        row = paths.buffer(run)
        values = {
            "peak load": _told(run, "sender_cpu_peak_load"),
            "packets in": _told(run, "sender_packets_in") / run["duration_s"],
            "packets out": _told(run, "sender_packets_out") / run["duration_s"],
        }
        for column, value in values.items():
            name, unit = LOAD_COLUMNS[column]
            known = float(told.loc[(settings, row), name]) * unit
            cells.append((settings, row, column, run["run"], value, known))
    return _table(cells)


MODULES = {
    "tg3": ("cpu_driver_s",),
    "nfs": ("cpu_file_system_s",),
    "sunrpc": ("cpu_rpc_s",),
}
"""Modules of Table 6 and what they are here. Of mbcache and tcp_cubic, which take a thousandth of
the load at most, there is nothing of its own."""


def modules(runs: Runs) -> pd.DataFrame:
    """Return Table 6: the share that modules of the kernel take of the load of each host."""
    told = paths.published("table6").set_index(["source", "sink", "host"])
    cells: list[Cell] = []
    for run in _drawn(runs):
        source, sink = (_medium(run[end]) for end in ("source", "sink"))
        for end in ("sender", "receiver"):
            for module, keys in MODULES.items():
                known = float(told.loc[(source, sink, end), f"{module}_percent"]) / 100
                value = share(run, end, keys)
                row = f"{source} to {sink}, {end}"
                cells.append((run["label"], row, module, run["run"], value, known))
    return _table(cells)


def _medium(storage: str) -> str:
    return "memory" if storage == "memory" else "disk"


KERNEL = ("cpu_tcp_s", "cpu_driver_s", "cpu_file_system_s", "cpu_rpc_s")
"""What a host's CPU is used for in the kernel; the rest is the server's own."""


def share(run: Run, end: str, keys: Iterable[str]) -> float:
    """Return what share of a host's CPU time some uses are; nan where nothing costs any."""
    busy = _told(run, f"{end}_cpu_busy_s")
    return sum(_told(run, f"{end}_{key}") for key in keys) / busy if busy > 0 else math.nan


def _told(run: Run, key: str) -> float:
    """Return a number that a run may not have, then nan."""
    value = run.get(key)
    return math.nan if value is None else float(value)


def buffers(runs: Runs) -> pd.DataFrame:
    """Return what Figures 2 and 3 say: rates by the buffer asked for, bit/s; and ratios of them.

    Labels are the first words of those of the sets, as old and new. Columns of ratios of means are
    `SPREAD` and ``default over the smallest``.
    """
    cells: list[Cell] = []
    means: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row, run in _paired(runs):
        asked, settings = paths.buffer(run), run["label"].split()[0]
        cells.append((settings, row, asked, run["run"], run["goodput_bps"], math.nan))
        means[settings, row][asked].append(run["goodput_bps"])
    for (settings, row), by in means.items():
        found = {asked: statistics.fmean(values) for asked, values in by.items()}
        least = min(found.values())
        cells.append((settings, row, SPREAD, 1, max(found.values()) / least, math.nan))
        if "default" in found:
            ratio = found["default"] / least
            cells.append((settings, row, "default over the smallest", 1, ratio, math.nan))
    return _table(cells)


SPREAD = "largest over smallest"
"""Column of the ratio of the largest mean of a row to the smallest."""


def speedups(runs: Runs) -> pd.DataFrame:
    """Return how many times the rates of old settings those of the new ones are, by buffer."""
    table = buffers(runs)
    rates = table[table["column"].isin(paths.BUFFERS)]
    means = rates.groupby(["label", "row", "column"])["value"].mean()
    old, new = (means[label] for label in ("old", "new"))
    return _table(
        ("new over old", row, column, 1, new[row, column] / old[row, column], math.nan)
        for row, column in new.index.intersection(old.index)
    )


def growth(runs: Runs) -> pd.DataFrame:
    """Return what Figure 4 says: rates by number of streams, bit/s, columns ``P = ...``."""
    return _by(runs, "parallelism", lambda count: f"P = {count}")


def blocks(runs: Runs) -> pd.DataFrame:
    """Return what Figure 5 says: rates by size of blocks, bit/s, and their spread, as `buffers`."""
    return _by(runs, "block_size_bytes", lambda size: f"{size / 1024:g} KiB")


def _by(runs: Runs, key: str, name: Callable[[float], str]) -> pd.DataFrame:
    cells: list[Cell] = []
    means: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row, run in _paired(runs):
        column = name(run[key])
        cells.append((run["label"], row, column, run["run"], run["goodput_bps"], math.nan))
        means[run["label"], row][column].append(run["goodput_bps"])
    for (label, row), by in means.items():
        found = [statistics.fmean(values) for values in by.values()]
        cells.append((label, row, SPREAD, 1, max(found) / min(found), math.nan))
    return _table(cells)


def _drawn(runs: Runs) -> Iterator[Run]:
    return (run for run in runs if run["label"] not in SKIPPED)


def _paired(runs: Runs) -> Iterator[tuple[str, Run]]:
    return ((paths.pair(run), run) for run in _drawn(runs))


def _of_pairs(table: str, column: str, unit: float) -> dict[str, float]:
    rows = paths.published(table)
    return {
        f"{a}-{b}": float(value) * unit
        for a, b, value in zip(rows["sender"], rows["receiver"], rows[column], strict=True)
    }


def _table(cells: Iterable[Cell]) -> pd.DataFrame:
    return pd.DataFrame([(*cell, math.nan) for cell in cells], columns=list(COLUMNS))
