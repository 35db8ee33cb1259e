"""How many clients a server has over time, and what becomes of them (Figure 12).

Sets, by their labels: ``segment``, a run for each rate of the server's disk; ``ns3`` and
``ns3-twin``, a few clients on both engines.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.figures import Drawn, Kind
from analysis.read import stored
from analysis.read.sets import require
from analysis.statistics.load import load_of, transfers
from papers.allcock.judges import AVERAGE_S, MEAN_OFF

_STEP_S = 30.0
_RATE = "source_rate_bps"
_LOOKS = (("#D55E00", "-"), ("#000000", "--"), ("#0072B2", "-."), ("#009E73", ":"))
_PANELS = (
    ("clients", 1, "Clients"),
    ("memory_bytes", 1 / 1024**2, "Memory (MiB)"),
    ("response_s", 1, "Response time (s)"),
    ("throughput_bps", 1e-6 / 8, "Throughput (Mbyte/s)"),
    ("cpu", 100, "Server's CPU (%)"),
)


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    """Return a row for each time of each run; one with nothing measured of a run not done."""
    parts = []
    for label, scenario, result in stored.declared(store, sweep):
        plain = {k: v for k, v in scenario.items() if not isinstance(v, list | dict)}
        table = pd.DataFrame({"goodput_bps": [np.nan], "transfers": 0})
        if result is not None:
            moved = transfers(result.data)
            table = load_of(result.data, AVERAGE_S, _STEP_S)
            bits = moved["size_bytes"].sum() * 8
            table = table.assign(goodput_bps=bits / moved["end_s"].max(), transfers=len(moved))
        # All at once: one by one hundreds of columns leave the table in as many pieces
        of_run = pd.DataFrame({"label": label, **plain}, index=table.index)
        parts.append(pd.concat([table, of_run], axis=1))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _draw(rows: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(rows, ["segment"])
    done = rows[rows["label"].eq("segment") & rows["goodput_bps"].notna()]
    measured = ["clients", "response_s", "throughput_bps", "memory_bytes", "cpu", "transfers"]
    columns = [_RATE, "time_s", *measured]
    table = done[columns].sort_values(columns[:2], ignore_index=True)
    figure = style.new_figure(6.4, 7.9)
    panels = figure.subplots(len(_PANELS), 1, sharex=True)
    for (rate, own), (color, dashes) in zip(table.groupby(_RATE), _LOOKS, strict=False):
        name = f"disk of {rate / 8e6:g} Mbyte/s"
        for axes, (column, scale, _name) in zip(panels, _PANELS, strict=True):
            line = {"color": color, "linestyle": dashes, "label": name}
            axes.plot(own["time_s"], own[column] * scale, **line)
    for axes, (_column, _scale, name) in zip(panels, _PANELS, strict=True):
        axes.set_ylabel(name)
        axes.set_ylim(bottom=0)
    if limit := done["host_memory_bytes"].max():
        style.limit_line(panels[1], limit / 1024**2, "physical")
    panels[-1].set_xlabel("Time since the first client (s)")
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=3)
    figure.supxlabel(_caption(rows, done.iloc[0]), fontsize=7, color=style.GREY)
    return figure, table


def _caption(rows: pd.DataFrame, first: pd.Series) -> str:
    apart = ("eta", "window_bytes", "chunk_size_bytes")
    return "\n".join([
        style.conditions(first, first["engine"], apart),
        f"running averages over {AVERAGE_S:g} s; memory: "
        f"{style.binary_bytes(first['server_memory_bytes'])} for each connected client, paging "
        "takes no time; one run for each disk rate",
        *_cpu(first),
        *missing([], rows),
    ])  # fmt: skip


def _cpu(scenario: pd.Series) -> list[str]:
    """Return what is to be known of the CPU; nothing where it costs no time."""
    rate = scenario["cpu_rate_bps"]
    said = (
        f"CPU: {rate / 8e6:.1f} Mbyte/s use all of it, nothing else uses it; plotted values are up "
        "to 5 % too high while the throughput grows"
    )
    return [said] if rate else []


def _answer(table: pd.DataFrame) -> list[str]:
    return [
        f"With a disk of {rate / 8e6:g} Mbyte/s {own['transfers'].iloc[0]} files are transferred; "
        f"there are at most {own['clients'].max():.0f} clients, the longest response time is "
        f"{own['response_s'].max():.0f} s, the largest memory "
        f"{own['memory_bytes'].max() / 1024**2:.0f} MiB{_cpu_told(own)}."
        for rate, own in table.groupby(_RATE)
    ]


def _cpu_told(own: pd.DataFrame) -> str:
    """Return what is told of the CPU; nothing where it costs no time."""
    cpu = own.loc[own["clients"] >= own["clients"].max() - MEAN_OFF, "cpu"].mean()
    return "" if np.isnan(cpu) else f"; with that many clients the CPU load is {cpu * 100:.0f} %"


FIGURE = Kind("Load of a server with many clients, over time", _draw, rows=_rows, answer=_answer)
