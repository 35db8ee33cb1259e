"""A run of iperf3 as one endpoint printed it, in whatever form: JSON, JSON stream or text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from ...errors import UserError
from ..texts import wrong

FULL = 0.5
"""An interval shorter than this share of the median one is a remainder and is left out of the
minimum, median and maximum: iperf3 prints one where a run ends between two reports."""


class RunFailedError(UserError):
    """A run of iperf3 that ended with an error before anything was measured.

    Attributes:
        line: of the file, from 1.
        reason: the error as iperf3 printed it.
    """

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: the run failed: {reason}; allowed: a run that completed")
        self.line = line
        self.reason = reason


@dataclass(frozen=True)
class Amount:
    """Bytes in a time.

    Attributes:
        bytes: of data.
        seconds: of the time, more than 0.
    """

    bytes: int
    seconds: float

    @property
    def bps(self) -> float:
        """Bits per second."""
        return self.bytes * 8 / self.seconds


@dataclass(frozen=True)
class Interval:
    """All streams of a direction in one interval of the reports, those omitted (-O) left out.

    Attributes:
        start_s: seconds since the run began.
        end_s: likewise, later than `start_s`.
        bytes: sent or received by the endpoint that printed the file.
        retransmissions: segments sent again; None where the file does not have them.
        rtt_s: smoothed round-trip times of the streams; empty where the file has none.
    """

    start_s: float
    end_s: float
    bytes: int
    retransmissions: int | None = None
    rtt_s: tuple[float, ...] = ()

    @property
    def bps(self) -> float:
        """Bits per second."""
        return self.bytes * 8 / (self.end_s - self.start_s)


@dataclass(frozen=True)
class Stream:
    """One data connection.

    Attributes:
        number: iperf3's number of it, that of its socket.
        amount: what it carried: received, or sent where only that was counted; None: unknown.
        retransmissions: segments sent again; None where the file does not have them.
        rtt_s: least, mean and largest round-trip time; None where the file has none.
        cwnd_bytes: largest congestion window; None where the file has none.
    """

    number: int
    amount: Amount | None
    retransmissions: int | None = None
    rtt_s: tuple[float, float, float] | None = None
    cwnd_bytes: int | None = None


@dataclass(frozen=True)
class Flow:
    """The data of a run in one direction.

    Attributes:
        sends: whether the endpoint that printed the file sends them.
        count: data connections.
        sent: what the sender counted; None where that is unknown.
        received: what the receiver counted; None where that is unknown.
        delivered: what arrived: `received`, or what a server sent, to which its client reports
            nothing; None where that is unknown.
        streams: each connection; empty where the file has none of them.
        intervals: in order of time.
        retransmissions: segments sent again; None where the file does not have them.
        congestion: the sender's congestion control; empty where the file does not have it.
    """

    sends: bool
    count: int
    sent: Amount | None
    received: Amount | None
    delivered: Amount | None
    streams: tuple[Stream, ...] = ()
    intervals: tuple[Interval, ...] = ()
    retransmissions: int | None = None
    congestion: str = ""

    @property
    def rtt_s(self) -> tuple[float, float, float] | None:
        """Least, mean and largest round-trip time of all streams; None where there are none."""
        known = [one.rtt_s for one in self.streams if one.rtt_s is not None]
        if known:
            least, means, most = zip(*known, strict=True)
            return min(least), sum(means) / len(means), max(most)
        samples = [rtt for one in self.intervals for rtt in one.rtt_s]
        if not samples:
            return None
        return min(samples), sum(samples) / len(samples), max(samples)

    def full_intervals(self) -> tuple[Interval, ...]:
        """Return the intervals without remainders, see `FULL`."""
        if not self.intervals:
            return ()
        usual = median(one.end_s - one.start_s for one in self.intervals)
        return tuple(one for one in self.intervals if one.end_s - one.start_s >= FULL * usual)

    def fairness(self) -> float | None:
        """Return Jain's index over the rates of the streams; None for fewer than two."""
        rates = [one.amount.bps for one in self.streams if one.amount is not None]
        squares = sum(rate * rate for rate in rates)
        if len(rates) < 2 or not squares:
            return None
        return sum(rates) ** 2 / (len(rates) * squares)


@dataclass(frozen=True)
class Iperf3:
    """One run of iperf3 as one endpoint printed it.

    Attributes:
        path: the file.
        line: where the run begins in it, from 1.
        version: of iperf3, empty where the file does not have it.
        flows: one direction, or two with --bidir, that of the endpoint's own data first; none
            where the run failed.
        call_bytes: what each call of write or read moves; None where the file does not have it.
        mss_bytes: payload of a full segment; None where this endpoint does not know, as a server.
        start_s: seconds since 1970 UTC, whole ones; None where the file does not have the time.
        omit_s: seconds from there on whose data are not counted (-O).
        is_loopback: whether both endpoints are one host.
        cpu: share of a core that the processes of the sender and of the receiver took, the
            kernel's work for them included; None where one of them is unknown.
        target_bps: what each connection was held to; 0: as much as it could get.
        cookie: of the run, the same at both endpoints.
        failure: the error that ended the run, empty where there was none.
        notes: what a reader has to know of the numbers, sentences.
    """

    path: Path
    line: int
    version: str
    flows: tuple[Flow, ...]
    call_bytes: int | None = None
    mss_bytes: int | None = None
    start_s: float | None = None
    omit_s: int = 0
    is_loopback: bool = False
    cpu: tuple[float, float] | None = None
    target_bps: int = 0
    cookie: str = ""
    failure: str = ""
    notes: tuple[str, ...] = ()

    @property
    def sends(self) -> bool:
        """Whether this endpoint sends the data, of a run in one direction."""
        return self.flows[0].sends

    @property
    def streams(self) -> int:
        """How many connections carry data in a direction."""
        return self.flows[0].count

    @property
    def bytes(self) -> int:
        """What the receiver got, of a run that `refuse_unfit` lets pass."""
        return self._delivered.bytes

    @property
    def duration_s(self) -> float:
        """From the first byte to the last, of a run that `refuse_unfit` lets pass."""
        return self._delivered.seconds

    @property
    def goodput_bps(self) -> float:
        """Bits that the receiver got per second, of a run that `refuse_unfit` lets pass."""
        return self._delivered.bps

    @property
    def retransmissions(self) -> int | None:
        """Segments sent again; None where this endpoint does not know."""
        return self.flows[0].retransmissions

    @property
    def congestion(self) -> str:
        """The sender's congestion control, empty where the file does not have it."""
        return self.flows[0].congestion

    @property
    def rtt_s(self) -> float | None:
        """The least round-trip time of any connection; None where the file has none."""
        rtt = self.flows[0].rtt_s
        return None if rtt is None else rtt[0]

    @property
    def _delivered(self) -> Amount:
        delivered = self.flows[0].delivered
        if delivered is None:
            raise ValueError(f"{self.path} does not contain the received bytes")
        return delivered


def refuse_unfit(run: Iperf3) -> None:
    """Refuse a run to which no costs of a host can be fitted.

    Raises:
        UserError: it failed, it has data in both directions, or what arrived is unknown.
    """
    if not run.flows:
        what = f"the run failed: {run.failure}; allowed: a run that completed"
    elif len(run.flows) > 1:
        what = (
            "the run has data in both directions (--bidir), and a host has the costs of a sender "
            "or of a receiver; allowed: a run in one direction, with or without -R; or this file "
            "alone, which is then printed"
        )
    elif run.flows[0].delivered is None or not run.flows[0].delivered.bytes:
        what = (
            "the file does not contain the received bytes; allowed: a run that completed, or the "
            "output of its receiver"
        )
    else:
        return
    raise wrong(run.path, run.line, what)


@dataclass(frozen=True)
class Endpoint:
    """Which endpoint printed a file, and whether it got the results of the other one.

    Attributes:
        is_client: None where the file does not show it.
        has_results: whether the run ended without an error, so that a client has the results of
            its server; a server prints before the results are exchanged.
    """

    is_client: bool | None
    has_results: bool


def flow_of(
    endpoint: Endpoint,
    *,
    sends: bool,
    count: int,
    sent: Amount | None,
    received: Amount | None,
    streams: Sequence[Stream] = (),
    intervals: Sequence[Interval] = (),
    retransmissions: int | None = None,
    congestion: str = "",
) -> Flow:
    """Return a flow in which only what was measured is known.

    iperf3 prints 0 for what the other endpoint counted where it does not know it: a server always
    (it prints before the results are exchanged), a client whose run did not end.

    Args:
        endpoint: which printed the file.
        sends: whether that endpoint sends.
        count: data connections.
        sent: as printed; None where nothing is.
        received: likewise.
        streams: see `Flow`.
        intervals: likewise.
        retransmissions: likewise.
        congestion: likewise.
    """
    others = received if sends else sent
    is_blank = others is not None and others.bytes == 0
    if is_blank and (not endpoint.has_results or endpoint.is_client is not True or not sends):
        sent, received = (sent, None) if sends else (None, received)
    delivered = received
    if received is None and sends and endpoint.is_client is False:
        delivered = sent
    return Flow(
        sends=sends,
        count=count,
        sent=sent,
        received=received,
        delivered=delivered,
        streams=tuple(streams),
        intervals=tuple(intervals),
        retransmissions=retransmissions,
        congestion=congestion,
    )


def notes_of(flows: Sequence[Flow], endpoint: Endpoint, failure: str) -> tuple[str, ...]:
    """Return what a reader has to know of the numbers of a run, sentences."""
    notes = []
    if failure:
        notes.append(f"the run did not end as planned: {failure}")
    for flow in flows:
        if flow.delivered is None:
            notes.append(
                "the file does not contain the received bytes (the server's results are missing); "
                "sent bytes are not goodput"
            )
        elif flow.received is not None and not flow.received.bytes and flow.sent is not None:
            notes.append("the receiver counted 0 of the sent bytes; sent bytes are not goodput")
        elif flow.received is None:
            notes.append(
                "a sending server does not know the received bytes: the rate is the sent one"
            )
        elif flow.sends and endpoint.is_client is None:
            notes.append("the file does not show whether the client or the server printed it")
    return tuple(dict.fromkeys(notes))
