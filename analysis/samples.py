"""What a transfer does in each second, as sar samples a host: from the traces of one transfer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from .drawing import style

WINDOWS, QUEUE, DROPS = "congestion windows, MB", "packets in the queue", "packets dropped"

MOST_NAMED = 8
"""More lines than these in a panel have no names: what they show is how far apart they are."""


FULL_LOAD = 105
"""Where the axis of a load in percent ends, so that a core that is always busy is seen."""


def per_second(folder: Path) -> pd.DataFrame:
    """Return one row a second: the second's number, as ``second``, and what is known of it.

    Columns: `WINDOWS`, of all connections together, and `QUEUE`, both as means over the second;
    `DROPS`, how many. Then, of the hosts of the first session that cost something or whose storage
    takes time, columns ``END, WHAT`` or ``END, WHAT: PART``, as ``receiver, CPU busy, %: core 0``:

    - ``packets: in`` and ``packets: out``, ``interrupts``, ``packets refused by the backlog``;
    - ``CPU busy, %``, by core;
    - ``storage requests``, ``storage, MB``;
    - ``socket buffers, MB``, as means: of the receiver ``size`` and ``unread``, of the sender
      ``size`` and ``unsent``.

    What hosts of stripes do is added up, but for cores, which are apart.

    Args:
        folder: of the traces, as ``--trace`` writes them.
    """
    cwnd, queue, drops, buffers = (
        pd.read_csv(folder / f"{name}.csv") for name in ("cwnd", "queue", "drops", "buffers")
    )
    last = max((table["time_s"].max() for table in (cwnd, queue) if len(table)), default=0.0)
    seconds = np.arange(int(np.ceil(last)))
    dropped = np.bincount(drops["time_s"].astype(int), minlength=len(seconds))[: len(seconds)]
    table = pd.DataFrame(
        {
            "second": seconds,
            WINDOWS: _means(_all_of(cwnd, "cwnd_bytes"), last) / 1e6,
            QUEUE: _means(queue.set_index("time_s")["packets"], last),
            DROPS: dropped,
        }
    )
    hosts = _hosts(folder, len(seconds))
    ends = {name.partition(",")[0] for name in hosts}
    return table.assign(**hosts, **_buffers(buffers, last) if ends else {})


def _hosts(folder: Path, count: int) -> dict[str, np.ndarray]:
    """Return by column what hosts and storages do in each of `count` seconds."""
    hosts, cores = (
        table[(table["session"] == 0) & (table["time_s"] < count)]
        for table in (pd.read_csv(folder / f"{name}.csv") for name in ("hosts", "cores"))
    )
    found: dict[str, np.ndarray] = {}
    for end in ("sender", "receiver"):
        mine = hosts[hosts["end"] == end]
        for column, name, unit in (
            ("packets_in", "packets: in", 1),
            ("packets_out", "packets: out", 1),
            ("interrupts", "interrupts", 1),
            ("backlog_drops", "packets refused by the backlog", 1),
            ("storage_requests", "storage requests", 1),
            ("storage_bytes", "storage, MB", 1e6),
        ):
            known = mine.dropna(subset=[column])
            if len(known):
                found[f"{end}, {name}"] = _sums(known, column, count) / unit
        own = cores[cores["end"] == end]
        several = own["host"].nunique() > 1
        for (host, core), busy in own.groupby(["host", "core"]):
            which = f"host {host}, core {core}" if several else f"core {core}"
            found[f"{end}, CPU busy, %: {which}"] = 100 * _sums(busy, "busy_s", count)
    return found


def _sums(rows: pd.DataFrame, column: str, count: int) -> np.ndarray:
    """Return the sum of a column over the rows of each of `count` seconds."""
    return np.bincount(rows["time_s"].astype(int), rows[column], minlength=count)


def _buffers(buffers: pd.DataFrame, last: float) -> dict[str, np.ndarray]:
    """Return by column what socket buffers take in each second, of all connections together."""
    return {
        f"{end}, socket buffers, MB: {name}": _means(_all_of(buffers.fillna(0), column), last) / 1e6
        for end, name, column in (
            ("sender", "size", "send_buffer_bytes"),
            ("sender", "unsent", "unsent_bytes"),
            ("receiver", "size", "receive_buffer_bytes"),
            ("receiver", "unread", "unread_bytes"),
        )
    }


def _all_of(rows: pd.DataFrame, column: str) -> pd.Series:
    """Return a column of all connections together, by the time from which on they are so much.

    A connection's counts until the next chunk has one.
    """
    keys = ["session", "chunk", "connection"]
    change = rows.groupby(keys)[column].diff().fillna(rows[column])
    begins = rows.groupby(["session", "chunk"])["time_s"].transform("min")
    before = rows.groupby(keys)[column].last().groupby(["session", "chunk"]).sum()
    starts = rows.assign(begins=begins).groupby(["session", "chunk"])["begins"].first()
    ended = before.groupby("session").shift(1)
    gone = pd.Series(-ended.to_numpy(), index=starts.to_numpy()).dropna()
    steps = pd.concat([gone, pd.Series(change.to_numpy(), index=rows["time_s"].to_numpy())])
    return steps.sort_index(kind="stable").cumsum()


def _means(values: pd.Series, last: float) -> np.ndarray:
    """Return the mean over each second of what keeps a value from each time to the next.

    Args:
        values: by their times, in order; 0 before the first one.
        last: the end.
    """
    edges = np.arange(int(np.ceil(last)) + 1, dtype=float)
    times = np.concatenate([[0.0], values.index.to_numpy(dtype=float), [edges[-1]]])
    level = np.concatenate([[0.0], values.to_numpy(dtype=float)])
    area = np.concatenate([[0.0], np.cumsum(level * np.diff(times))])
    return np.diff(np.interp(edges, times, area))


def draw(table: pd.DataFrame) -> bytes:
    """Return samples, from `per_second`, as an SVG with a panel for all columns of a name.

    What hosts never did has none.
    """
    panels: dict[str, list[str]] = {}
    for column in table.columns[1:]:
        if column in (WINDOWS, QUEUE, DROPS) or table[column].any():
            panels.setdefault(column.partition(": ")[0], []).append(column)
    with style.styled():
        figure = style.new_figure(7.5, 1.35 * len(panels) + 0.3)
        drawn = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for axes, (title, columns) in zip(drawn, panels.items(), strict=True):
            _draw_panel(axes, table, title, columns)
        drawn[-1].set_xlabel("second")
        return style.render(figure, "svg")


def _draw_panel(axes: Axes, table: pd.DataFrame, title: str, columns: Sequence[str]) -> None:
    """Draw some columns, told apart by line and colour."""
    inks = list(style.INK.values())
    for index, name in enumerate(columns):
        axes.stairs(
            table[name],
            np.arange(len(table) + 1),
            baseline=None,
            color=style.INK["blue"] if len(columns) == 1 else inks[index % len(inks)],
            linewidth=1.3,
            linestyle=("-", "--", ":", "-.")[index % 4],
            label=name.partition(": ")[2],
        )
    axes.set_title(title)
    axes.set_ylim(0, FULL_LOAD if title.endswith("%") else None)
    if ": " in columns[0] and len(columns) <= MOST_NAMED:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
