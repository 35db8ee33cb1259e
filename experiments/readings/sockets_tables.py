"""What files of ss show, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from rich.table import Table

from .reading import Run
from .sockets import Connection
from .tables import mbps, number, plain, table


def sockets_tables(runs: Sequence[Run]) -> list[Table]:
    """Return the tables of the runs that have a file of ss; none where there is no such run."""
    shown = list(_connections(runs))
    if not shown:
        return []
    sampled = [one for one in shown if len(one[1]) > 1]
    return [
        _newest_table(shown),
        _counters_table(shown),
        *([_samples_table(sampled)] if sampled else []),
    ]


Shown = tuple[str, tuple[Connection, ...]]
"""The name of a run, and what ss showed of a connection, in order."""


def _connections(runs: Sequence[Run]) -> Iterator[Shown]:
    for run in runs:
        for one in run.sockets.data() if run.sockets else ():
            yield run.name, run.sockets.samples_of(one)


def _newest_table(shown: Sequence[Shown]) -> Table:
    made = table(
        "Data connections (ss)", "run", "RTT ms", "cwnd", "MSS", "rcv_space", "rwnd limited",
        "sndbuf limited", "delivery Mbit/s",
    )  # fmt: skip
    for name, samples in shown:
        one = samples[-1]
        made.add_row(
            plain(name),
            "-" if one.rtt_s is None else f"{one.rtt_s * 1e3:g}",
            str(one.cwnd),
            number(one.mss),
            str(one.rcv_space) if one.rcv_space else "-",
            _share(one.rwnd_limited_s, one.busy_s),
            _share(one.sndbuf_limited_s, one.busy_s),
            "-" if one.delivery_rate_bps is None else f"{one.delivery_rate_bps / 1e6:.1f}",
        )
    return made


def _counters_table(shown: Sequence[Shown]) -> Table:
    made = table(
        "What they carried (ss)", "run", "peer", "congestion", "min RTT ms", "sent MB",
        "received MB", "resent",
    )  # fmt: skip
    for name, samples in shown:
        one = samples[-1]
        made.add_row(
            plain(name),
            plain(one.peer),
            one.congestion or "-",
            "-" if one.min_rtt_s is None else f"{one.min_rtt_s * 1e3:g}",
            f"{one.bytes_acked / 1e6:.4g}" if one.moved else "-",
            f"{one.bytes_received / 1e6:.4g}" if one.moved else "-",
            str(one.retransmissions),
        )
    return made


def _share(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "-"


def _samples_table(shown: Sequence[Shown]) -> Table:
    made = table(
        "Over time (ss)", "run", "samples", "seconds", "Mbit/s", "RTT ms, min/median/max",
        "cwnd, min/median/max", "resent", "peer",
    )  # fmt: skip
    for name, samples in shown:
        first, last = samples[0], samples[-1]
        seconds = _between(first, last)
        moved = max(
            last.bytes_acked - first.bytes_acked, last.bytes_received - first.bytes_received
        )
        rtts = [one.rtt_s * 1e3 for one in samples if one.rtt_s is not None]
        made.add_row(
            plain(name),
            str(len(samples)),
            "-" if seconds is None else f"{seconds:.3g}",
            mbps(moved * 8 / seconds if seconds and moved > 0 else None),
            _spread(rtts),
            _spread([one.cwnd for one in samples]),
            str(max(0, last.retransmissions - first.retransmissions)),
            plain(last.peer),
        )
    return made


def _between(first: Connection, last: Connection) -> float | None:
    """Return the seconds between two samples; None where the file does not show their times."""
    if first.time_s is None or last.time_s is None or last.time_s <= first.time_s:
        return None
    return last.time_s - first.time_s


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "-"
    return "/".join(f"{one:g}" for one in (min(values), median(values), max(values)))
