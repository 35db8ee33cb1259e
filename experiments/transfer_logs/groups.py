"""Transfers by endpoints, streams, buffer and size: how many, and their rates."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..programs.amounts import said_file
from .records import UNKNOWN, Setting, Transfers

MOST_SIZES = 12
"""Most distinct sizes, in three digits, that have a group each. With more of them, a group has the
sizes of one decade."""

SEGMENT_BYTES = 1448
"""Data bytes in a packet of 1,500 bytes with TCP timestamps. Retransmissions are reported as a
share of segments of this size."""


@dataclass(frozen=True)
class Group:
    """Transfers with the same setting, and of one size or decade of sizes.

    Attributes:
        setting: of all of them.
        sizes: their size or decade, for people.
        size: median size in bytes; of an even number of transfers, the lower of the middle two.
        count: how many.
        low_bps: first quartile of their rates.
        median_bps: their median.
        high_bps: third quartile.
        resent: segments sent again as a share of all data; None if the log has no counts.
        at_once: transfers between the same endpoints that were in progress on average while one
            of the group was, itself included; the median over the group.
    """

    setting: Setting
    sizes: str
    size: int
    count: int
    low_bps: float
    median_bps: float
    high_bps: float
    resent: float | None
    at_once: float

    @property
    def connections(self) -> int:
        """Data connections of one transfer."""
        return self.setting.streams * self.setting.stripes


def groups_of(transfers: Transfers) -> list[Group]:
    """Return the groups of transfers, by endpoints, streams, stripes, buffer and size."""
    if not len(transfers):
        return []
    setting = np.frombuffer(transfers.setting, dtype=np.int32)
    size = np.frombuffer(transfers.size, dtype=np.int64)
    seconds = np.frombuffer(transfers.duration_us, dtype=np.int64) / 1e6
    resent = np.frombuffer(transfers.retransmitted, dtype=np.int64)
    rate = size * 8.0 / seconds
    at_once = _at_once(transfers, setting)
    classes, names = _size_classes(size)
    key = setting.astype(np.int64) * len(names) + classes
    order = np.argsort(key, kind="stable")
    edges = np.flatnonzero(np.diff(key[order])) + 1
    found = []
    for rows in np.split(order, edges):
        place, size_class = divmod(int(key[rows[0]]), len(names))
        low, median, high = (float(one) for one in np.percentile(rate[rows], (25, 50, 75)))
        middle = np.partition(size[rows], (len(rows) - 1) // 2)[(len(rows) - 1) // 2]
        found.append(
            Group(
                transfers.settings[place],
                names[size_class],
                int(middle),
                len(rows),
                low,
                median,
                high,
                _resent(resent[rows], size[rows]),
                float(np.median(at_once[rows])),
            )
        )
    return sorted(found, key=_place)


def _place(group: Group) -> tuple[str, str, int, int, int, int]:
    one = group.setting
    return one.source, one.destination, one.stripes, one.streams, one.buffer, group.size


def _resent(resent: np.ndarray, size: np.ndarray) -> float | None:
    known = resent != UNKNOWN
    if not known.any():
        return None
    segments = np.maximum(1, np.ceil(size[known] / SEGMENT_BYTES))
    return float(resent[known].sum(dtype=float) / segments.sum())


def _size_classes(size: np.ndarray) -> tuple[np.ndarray, Sequence[str]]:
    """Return the class of each size, and the name of each class."""
    distinct = np.unique(size)
    if len(distinct) <= 1000 * MOST_SIZES:
        said = [said_file(int(one)) for one in distinct]
        names = list(dict.fromkeys(said))
        if len(names) <= MOST_SIZES:
            places = np.array([names.index(one) for one in said])
            return places[np.searchsorted(distinct, size)], names
    decades = [10**n for n in range(len(str(int(distinct[-1]))) + 1)]
    names = [f"{said_file(low)} to {said_file(high)}" for low, high in itertools.pairwise(decades)]
    return np.searchsorted(np.array(decades, dtype=np.int64), size, side="right") - 1, names


def _at_once(transfers: Transfers, setting: np.ndarray) -> np.ndarray:
    """Return how many transfers between the same endpoints were in progress while each was."""
    pairs: dict[tuple[str, str], int] = {}
    of_setting = np.array(
        [pairs.setdefault((s.source, s.destination), len(pairs)) for s in transfers.settings]
    )
    pair = of_setting[setting]
    start = np.frombuffer(transfers.start_us, dtype=np.int64)
    end = start + np.frombuffer(transfers.duration_us, dtype=np.int64)
    found = np.ones(len(start))
    order = np.argsort(pair, kind="stable")
    edges = np.flatnonzero(np.diff(pair[order])) + 1
    for rows in np.split(order, edges):
        found[rows] = _mean_active(start[rows], end[rows])
    return found


def _mean_active(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the mean number of intervals that cover each one, itself included."""
    times = np.concatenate((start, end))
    order = np.argsort(times, kind="stable")
    times = times[order]
    active = np.cumsum(np.where(order < len(start), 1, -1))
    area = np.concatenate(([0.0], np.cumsum(active[:-1] * np.diff(times).astype(float))))
    first, last = np.searchsorted(times, start), np.searchsorted(times, end)
    return (area[last] - area[first]) / (end - start)
