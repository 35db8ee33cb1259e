"""What files of iperf3 show, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from rich.table import Table

from ..reading import Run
from ..tables import mbps, number, plain, table
from .model import Flow

Shown = tuple[str, str, Flow]
"""The name of a run, which way the data go, seen from the endpoint of the file, and the data."""


def iperf3_tables(runs: Sequence[Run]) -> list[Table]:
    """Return the tables of the runs that have a file of iperf3; none where there is no such run."""
    shown = list(_flows(runs))
    if not shown:
        return []
    several = [one for one in shown if len(one[2].streams) > 1]
    timed = [one for one in shown if len(one[2].full_intervals()) > 1]
    return [
        _runs_table(shown),
        *([_intervals_table(timed)] if timed else []),
        *([_streams_table(several)] if several else []),
    ]


def _flows(runs: Sequence[Run]) -> Iterator[Shown]:
    for run in runs:
        for flow in run.iperf3.flows if run.iperf3 else ():
            yield run.name, "sends" if flow.sends else "receives", flow


def _runs_table(shown: Sequence[Shown]) -> Table:
    made = table(
        "Runs (iperf3)", "run", "host", "streams", "seconds", "sent Mbit/s", "received Mbit/s",
        "resent", "RTT ms, min/mean/max", "congestion",
    )  # fmt: skip
    for name, way, flow in shown:
        amount = flow.received or flow.sent
        made.add_row(
            plain(name),
            way,
            str(flow.count),
            "-" if amount is None else f"{amount.seconds:.2f}",
            mbps(flow.sent.bps if flow.sent else None),
            mbps(flow.received.bps if flow.received else None),
            number(flow.retransmissions),
            _rtt(flow.rtt_s),
            flow.congestion or "-",
        )
    return made


def _rtt(rtt_s: tuple[float, float, float] | None) -> str:
    return "-" if rtt_s is None else "/".join(f"{one * 1e3:.4g}" for one in rtt_s)


def _intervals_table(shown: Sequence[Shown]) -> Table:
    made = table(
        "Intervals (iperf3), Mbit/s", "run", "host", "intervals", "of s", "min", "median", "max",
        "resent, max",
    )  # fmt: skip
    for name, way, flow in shown:
        intervals = flow.full_intervals()
        rates = [one.bps for one in intervals]
        again = [one.retransmissions for one in intervals if one.retransmissions is not None]
        made.add_row(
            plain(name),
            way,
            str(len(intervals)),
            f"{median(one.end_s - one.start_s for one in intervals):.3g}",
            mbps(min(rates)),
            mbps(median(rates)),
            mbps(max(rates)),
            number(max(again, default=None)),
        )
    return made


def _streams_table(shown: Sequence[Shown]) -> Table:
    made = table(
        "Streams (iperf3)", "run", "host", "stream", "Mbit/s received, else sent", "share",
        "resent", "RTT ms, min/mean/max", "cwnd KiB, max", "Jain's index",
    )  # fmt: skip
    for name, way, flow in shown:
        total = sum(one.amount.bps for one in flow.streams if one.amount)
        index = flow.fairness()
        for place, one in enumerate(flow.streams):
            rate = one.amount.bps if one.amount else None
            made.add_row(
                plain(name),
                way,
                str(one.number),
                mbps(rate),
                f"{rate / total:.1%}" if rate is not None and total else "-",
                number(one.retransmissions),
                _rtt(one.rtt_s),
                "-" if one.cwnd_bytes is None else f"{one.cwnd_bytes / 1024:.0f}",
                f"{index:.3f}" if index is not None and not place else "",
            )
    return made
