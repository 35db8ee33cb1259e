"""What a transfer does in each second, as sar samples a host: from the traces of one transfer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from .drawing import style

WINDOWS, QUEUE, DROPS = "congestion windows, MB", "packets in the queue", "packets dropped"


def per_second(folder: Path) -> pd.DataFrame:
    """Return one row a second: the second's number, as ``second``, and what is known of it.

    Columns: `WINDOWS`, of all connections together, and `QUEUE`, both as means over the second;
    `DROPS`, how many.

    Args:
        folder: of the traces, as ``--trace`` writes them.
    """
    cwnd, queue, drops = (
        pd.read_csv(folder / f"{name}.csv") for name in ("cwnd", "queue", "drops")
    )
    last = max((table["time_s"].max() for table in (cwnd, queue) if len(table)), default=0.0)
    seconds = np.arange(int(np.ceil(last)))
    dropped = np.bincount(drops["time_s"].astype(int), minlength=len(seconds))[: len(seconds)]
    return pd.DataFrame(
        {
            "second": seconds,
            WINDOWS: _means(_all_windows(cwnd), last) / 1e6,
            QUEUE: _means(queue.set_index("time_s")["packets"], last),
            DROPS: dropped,
        }
    )


def _all_windows(cwnd: pd.DataFrame) -> pd.Series:
    """Return the windows of all connections together, by the time from which on they are so much.

    A connection's counts until the next chunk has one.
    """
    keys = ["session", "chunk", "connection"]
    change = cwnd.groupby(keys)["cwnd_bytes"].diff().fillna(cwnd["cwnd_bytes"])
    begins = cwnd.groupby(["session", "chunk"])["time_s"].transform("min")
    before = cwnd.groupby(keys)["cwnd_bytes"].last().groupby(["session", "chunk"]).sum()
    starts = cwnd.assign(begins=begins).groupby(["session", "chunk"])["begins"].first()
    ended = before.groupby("session").shift(1)
    gone = pd.Series(-ended.to_numpy(), index=starts.to_numpy()).dropna()
    steps = pd.concat([gone, pd.Series(change.to_numpy(), index=cwnd["time_s"].to_numpy())])
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
    """Return samples, from `per_second`, as an SVG with a panel for each column."""
    columns = [name for name in table.columns if name != "second"]
    with style.styled():
        figure = style.new_figure(7.5, 1.35 * len(columns) + 0.3)
        for axes, name in zip(figure.subplots(len(columns), 1, sharex=True), columns, strict=True):
            axes.step(table["second"], table[name], where="post", color=style.INK["blue"])
            axes.set_title(name)
            axes.set_ylim(bottom=0)
        axes.set_xlabel("second")
        return style.render(figure, "svg")
