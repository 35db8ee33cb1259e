"""``iperf3 -J``: what one end of a run of iperf3 tells."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .json_nodes import Node, read_json
from .texts import told

TOOL = "iperf3 -J"

_VERSION = re.compile(r"iperf 3\.\d+.*")


@dataclass(frozen=True)
class Iperf3:
    """One run of iperf3 at one end of it.

    Attributes:
        path: the file.
        version: of iperf3.
        sends: whether this end sends the data.
        streams: how many connections carry data.
        call_bytes: what each call of write or read moves.
        mss_bytes: payload of a full segment; None where this end does not know, as a server.
        start_s: seconds since 1970 UTC, whole ones.
        duration_s: from the first byte to the last.
        bytes: what the receiver got.
        retransmissions: segments sent again; None where this end does not know.
        congestion: the sender's congestion control, empty where it is not told.
        is_loopback: whether both ends are one host.
        cpu: share of a core that the processes of the sender and of the receiver took, the
            kernel's work for them included; None where they are not told.
        target_bps: what each connection was held to; 0: as much as it could get.
        rtt_s: the least round-trip time of any connection; None where it is not told.
        cookie: of the run, the same at both ends.
    """

    path: Path
    version: str
    sends: bool
    streams: int
    call_bytes: int
    mss_bytes: int | None
    start_s: float
    duration_s: float
    bytes: int
    retransmissions: int | None
    congestion: str
    is_loopback: bool = False
    cpu: tuple[float, float] | None = None
    target_bps: int = 0
    rtt_s: float | None = None
    cookie: str = ""

    @property
    def goodput_bps(self) -> float:
        """Bits that the receiver got per second."""
        return self.bytes * 8 / self.duration_s


def read_iperf3(path: Path) -> Iperf3:
    """Read a file that ``iperf3 -J`` printed, as client or as server.

    Raises:
        UserError: anything is wrong with it, as ``FILE:LINE: what``.
    """
    return parse_iperf3(path, read_json(path, TOOL))


def parse_iperf3(path: Path, top: Node) -> Iperf3:
    """Return what `read_iperf3` does from the JSON itself."""
    failed = top.find("error")
    if failed is not None:
        raise failed.at.error(f"the run failed: {told(str(failed.value))}; allowed: one that ended")
    start, end = top["start"], top["end"]
    version = start["version"]
    if not _VERSION.fullmatch(version.text()):
        raise version.at.bad(version.value, "that of iperf 3")
    test = start["test_start"]
    if test["protocol"].text() != "TCP":
        raise test["protocol"].at.bad(test["protocol"].value, '"TCP"')
    if "bidir" in test and test["bidir"].whole():
        raise test["bidir"].at.bad(test["bidir"].value, "0, data in one direction")
    received, sent = end["sum_received"], end["sum_sent"]
    mss = start.find("tcp_mss") or start["tcp_mss_default"]
    again = sent.find("retransmits")
    congestion = end.find("sender_tcp_congestion")
    sends = _is_client(start) != bool(test["reverse"].whole())
    target = test.find("target_bitrate") or start.find("target_bitrate")
    cookie = start.find("cookie")
    return Iperf3(
        path=path,
        version=version.text(),
        sends=sends,
        streams=test["num_streams"].whole(1),
        call_bytes=test["blksize"].whole(1),
        mss_bytes=mss.whole() or None,
        start_s=float(start["timestamp"]["timesecs"].whole()),
        duration_s=_duration(received),
        bytes=_bytes(received, sent),
        retransmissions=None if again is None else again.whole(),
        congestion="" if congestion is None else congestion.text(),
        is_loopback=_is_loopback(start),
        cpu=_cpu(end, sends),
        target_bps=0 if target is None else target.whole(),
        rtt_s=_rtt(end),
        cookie="" if cookie is None else cookie.text(),
    )


def _is_client(start: Node) -> bool:
    if "connecting_to" in start:
        return True
    if "accepted_connection" in start:
        return False
    raise start.at.error(
        '"connecting_to" and "accepted_connection" are missing; allowed: one of them, '
        "by which client and server differ"
    )


def _is_loopback(start: Node) -> bool:
    connected = start.find("connected")
    pairs = connected.items() if connected is not None else []
    return bool(pairs) and all(
        one["local_host"].text() == one["remote_host"].text() for one in pairs
    )


def _cpu(end: Node, sends: bool) -> tuple[float, float] | None:
    told = end.find("cpu_utilization_percent")
    if told is None:
        return None
    own, other = told["host_total"].number() / 100, told["remote_total"].number() / 100
    return (own, other) if sends else (other, own)


def _rtt(end: Node) -> float | None:
    streams = end.find("streams")
    told = [one.find("sender") for one in streams.items()] if streams is not None else []
    least = [one.find("min_rtt") for one in told if one is not None]
    times = [one.number() * 1e-6 for one in least if one is not None and one.number() > 0]
    return min(times, default=None)


def _duration(total: Node) -> float:
    seconds = total["seconds"]
    if not seconds.number():
        raise seconds.at.bad(seconds.value, "a number above 0")
    return seconds.number()


def _bytes(received: Node, sent: Node) -> int:
    # The JSON of a server that sends has 0 for what its client got.
    got = received["bytes"].whole() or sent["bytes"].whole()
    if not got:
        raise received["bytes"].at.bad(got, "more than 0 bytes")
    return got
