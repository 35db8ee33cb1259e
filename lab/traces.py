"""What the traces of a transfer (`run --trace`) say: the words that lessons have for it.

Each word is a function from the traces and a `Window` to a number.
`lab/page/lessons/lesson-traces.js` has the same words for the page, and
tests/lab/test_lab_lessons.py holds one against the other. A loss event is a row of drops with less
than `gap` seconds between one and the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

GAP_S = 0.25
"""Between two loss events, where a lesson does not say."""


@dataclass(frozen=True)
class Traces:
    """The three tables of `run --trace` (doc/gridftp-output.rst, "CSV traces")."""

    cwnd: pd.DataFrame
    queue: pd.DataFrame
    drops: pd.DataFrame


@dataclass(frozen=True)
class Window:
    """What of the traces is meant.

    Attributes:
        begin: the first moment, s.
        end: the last one, s; the moment itself for the words that end in "-at".
        gap: most seconds between drops of one loss event.
        session: only this one; None: any.
        connection: only this one (its index within the chunk); None: any.
    """

    begin: float
    end: float
    gap: float = GAP_S
    session: int | None = None
    connection: int | None = None

    def of(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of a table that are meant."""
        rows = self.mine(table)
        return rows[(rows["time_s"] >= self.begin) & (rows["time_s"] <= self.end)]

    def mine(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of the session and the connection that are meant, at any time."""
        for column in ("session", "connection"):
            wanted = getattr(self, column)
            if wanted is not None and column in table:
                table = table[table[column] == wanted]
        return table


def _connections(drops: pd.DataFrame) -> int:
    return len(drops[["session", "chunk", "connection"]].dropna().drop_duplicates())


def _events(traces: Traces, window: Window) -> list[pd.DataFrame]:
    """Return the drops of each loss event."""
    drops = window.of(traces.drops)
    number = (drops["time_s"].diff() >= window.gap).cumsum()
    return [rows for _, rows in drops.groupby(number)]


def _drops(traces: Traces, window: Window) -> float:
    return len(window.of(traces.drops))


def _first_drop(traces: Traces, window: Window) -> float:
    return window.of(traces.drops)["time_s"].min()


def _connections_with_drops(traces: Traces, window: Window) -> float:
    return _connections(window.of(traces.drops))


def _loss_events(traces: Traces, window: Window) -> float:
    return len(_events(traces, window))


def _loss_interval(traces: Traces, window: Window) -> float:
    begins = [rows["time_s"].iloc[0] for rows in _events(traces, window)]
    return pd.Series(begins, dtype=float).diff().median()


def _connections_per_loss(traces: Traces, window: Window) -> float:
    counts = [_connections(rows) for rows in _events(traces, window)]
    return pd.Series(counts, dtype=float).mean()


def _last(rows: pd.Series) -> float:
    return rows.iloc[-1] if len(rows) else float("nan")


def _cwnd_at(traces: Traces, window: Window) -> float:
    rows = window.mine(traces.cwnd)
    return _last(rows.loc[rows["time_s"] <= window.end, "cwnd_bytes"])


def _queue_at(traces: Traces, window: Window) -> float:
    rows = traces.queue
    return _last(rows.loc[rows["time_s"] <= window.end, "packets"])


def _largest_cwnd(traces: Traces, window: Window) -> float:
    return window.of(traces.cwnd)["cwnd_bytes"].max()


def _smallest_cwnd(traces: Traces, window: Window) -> float:
    return window.of(traces.cwnd)["cwnd_bytes"].min()


def _largest_queue(traces: Traces, window: Window) -> float:
    return window.of(traces.queue)["packets"].max()


def _cut_share(traces: Traces, window: Window) -> float:
    """Return the median of the new ssthresh over the cwnd at that moment."""
    rows = window.mine(traces.cwnd)
    keys = [rows["session"], rows["chunk"], rows["connection"]]
    # A row before the first ssthresh has none: NaN differs from everything, itself included.
    before = rows["ssthresh_bytes"].groupby(keys).shift()
    fresh = rows["ssthresh_bytes"].notna() & (rows["ssthresh_bytes"] != before)
    inside = (rows["time_s"] >= window.begin) & (rows["time_s"] <= window.end)
    cuts = rows[fresh & inside]
    return (cuts["ssthresh_bytes"] / cuts["cwnd_bytes"]).median()


WORDS: dict[str, Callable[[Traces, Window], float]] = {
    "drops": _drops,
    "first-drop": _first_drop,
    "connections-with-drops": _connections_with_drops,
    "loss-events": _loss_events,
    "loss-interval": _loss_interval,
    "connections-per-loss": _connections_per_loss,
    "cwnd-at": _cwnd_at,
    "queue-at": _queue_at,
    "largest-cwnd": _largest_cwnd,
    "smallest-cwnd": _smallest_cwnd,
    "largest-queue": _largest_queue,
    "cut-share": _cut_share,
}
"""What each gives, and in which unit, stands in the docstring of `lab.lessons`."""
