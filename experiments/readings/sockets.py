"""``ss -ti``: what a host's TCP shows of its connections (iproute2)."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import UserError
from .content import Content
from .other_tools import other_tool
from .sockets_lines import TOOL, Entry, entries, is_text_of_ss
from .texts import quoted, read_text, wrong

_UNITS = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_NUMBER = r"\d+(?:\.\d+)?(?:[eE][-+]?\d\d?)?"
_RATE = re.compile(rf"({_NUMBER})([KMGT]?)bps")
_TIME = re.compile(rf"({_NUMBER})ms(?:\({_NUMBER}%\))?")
_PAIR = re.compile(rf"({_NUMBER})/({_NUMBER})")
_TRIES = re.compile(r"\d+/(\d+)")
_MILLISECONDS = re.compile(_NUMBER)
_WHOLE = re.compile(r"\d{1,20}")

# Printed as two words, where all else has a colon.
_TWO_WORDS = ("delivery_rate", "pacing_rate", "send")

_FLAGS = {"ts", "usec_ts", "sack", "ecn", "ecnseen", "accecn", "fastopen", "bidir", "app_limited"}
_ALGORITHM = re.compile(r"[a-z][a-z0-9_-]*")
_TCP = ("cwnd", "rto", "rtt", "wscale", "mss", "bytes_acked", "bytes_received")

ESTABLISHED = "ESTAB"


@dataclass(frozen=True)
class Connection:
    """A connection when ss ran.

    ss leaves out what the kernel has counted none of: such a counter is 0 here.

    Attributes:
        line: of the file.
        local: address and port of this endpoint.
        peer: address and port of the other.
        cwnd: congestion window, segments.
        mss: payload of a segment as sent, bytes; None with kernels or an ss that do not show it.
        rtt_s: smoothed round-trip time; None before the first one is measured.
        min_rtt_s: least round-trip time; None where ss does not show it.
        rcv_space: what the receiving application takes in a round trip, bytes (DRS).
        bytes_acked: sent and acknowledged.
        bytes_received: with data, in order.
        segs_in: segments received.
        segs_out: segments sent.
        data_segs_in: those received that had data.
        data_segs_out: those sent that had data.
        retransmissions: segments sent again.
        busy_s: time in which there was something to send.
        rwnd_limited_s: the part of it in which the receiver's window did not let go on.
        sndbuf_limited_s: the part of it in which the send buffer was too small.
        delivery_rate_bps: newest measured rate of delivery; None where ss does not show it.
        congestion: congestion control, empty where ss does not show it.
        time_s: when ss ran, seconds on any clock; None where the file does not show it.
    """

    line: int
    local: str
    peer: str
    cwnd: int
    mss: int | None
    rtt_s: float | None
    min_rtt_s: float | None
    rcv_space: int
    bytes_acked: int
    bytes_received: int
    segs_in: int
    segs_out: int
    data_segs_in: int
    data_segs_out: int
    retransmissions: int
    busy_s: float
    rwnd_limited_s: float
    sndbuf_limited_s: float
    delivery_rate_bps: float | None
    congestion: str
    time_s: float | None

    @property
    def moved(self) -> int:
        """Bytes in the direction that has more."""
        return max(self.bytes_acked, self.bytes_received)


@dataclass(frozen=True)
class Sockets:
    """What ss showed, once or several times.

    Attributes:
        path: the file.
        connections: each one as ss showed it last.
        samples: of each of these what ss showed, in order, the last one included.
    """

    path: Path
    connections: tuple[Connection, ...]
    samples: tuple[tuple[Connection, ...], ...]

    @property
    def has_counters(self) -> bool:
        """Whether ss shows how many bytes a connection has carried."""
        return any(one.moved for one in self.connections)

    def data(self) -> tuple[Connection, ...]:
        """Return the connections that carried data: a hundredth of the largest, or more.

        Where ss does not show how many bytes that were (kernels before 4.1), all are returned.
        """
        most = max(one.moved for one in self.connections)
        return tuple(one for one in self.connections if not most or one.moved >= most / 100)

    def samples_of(self, connection: Connection) -> tuple[Connection, ...]:
        """Return what ss showed of one of `connections`, in order."""
        return self.samples[self.connections.index(connection)]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of the numbers, sentences."""
        data = self.data()
        missing = []
        if not self.has_counters:
            missing.append("bytes_acked and bytes_received (Linux 4.1, iproute2 4.2)")
        if all(one.mss is None for one in data):
            missing.append("mss (iproute2 3.5)")
        sends = [one for one in data if one.bytes_acked >= one.bytes_received]
        if sends and not any(one.busy_s for one in sends):
            missing.append("busy, rwnd_limited and sndbuf_limited (Linux and iproute2 4.10)")
        if sends and all(one.delivery_rate_bps is None for one in sends):
            missing.append("delivery_rate (Linux 4.9, iproute2 4.10)")
        if not missing:
            return ()
        shown = "" if self.has_counters else f"; all {len(data)} connections are shown"
        return (f"ss did not print {', '.join(missing)}{shown}",)


def is_sockets(content: Content) -> bool:
    """Return whether a file is of ss."""
    if content.is_json or other_tool(content) is not None:
        return False
    return is_text_of_ss(content.text)


def read_sockets(path: Path) -> Sockets:
    """Read a file that ``ss -ti`` printed, once or several times.

    Raises:
        UserError: anything is wrong with it, as ``FILE:LINE: what``.
    """
    return parse_sockets(path, read_text(path))


def parse_sockets(path: Path, text: str) -> Sockets:
    """Return what `read_sockets` does from the text itself."""
    # Of one state alone ss prints no state; one without information is not open.
    found = [one for one in entries(path, text) if one.state in ("", ESTABLISHED)]
    known = [one for one in found if one.state or _has_information(one)]
    if not found:
        what = "has no connection in state ESTAB"
        raise wrong(path, 1, f"{what}; allowed: {TOOL} during a transfer")
    if not any(_has_information(one) for one in found):
        what = f"has no TCP information on its connections ({len(found)})"
        raise wrong(path, found[0].line, f"{what}; allowed: {TOOL}, whose option -i prints it")
    samples: dict[tuple[str, str], list[Connection]] = {}
    for entry in known:
        one = _connection(path, entry)
        samples.setdefault((one.local, one.peer), []).append(one)
    last = tuple(ones[-1] for ones in samples.values())
    return Sockets(path, last, tuple(tuple(ones) for ones in samples.values()))


def _has_information(entry: Entry) -> bool:
    return any(word.partition(":")[0] in _TCP and ":" in word for word in entry.words)


def _connection(path: Path, entry: Entry) -> Connection:
    reader = _Reader(path, entry.last_line, _named(entry.words))
    return Connection(
        line=entry.line,
        local=entry.local,
        peer=entry.peer,
        cwnd=reader.whole("cwnd", needed=True),
        mss=reader.whole("mss") or None,
        rtt_s=reader.rtt_s(),
        min_rtt_s=reader.number_ms("minrtt"),
        rcv_space=reader.whole("rcv_space"),
        bytes_acked=reader.whole("bytes_acked"),
        bytes_received=reader.whole("bytes_received"),
        segs_in=reader.whole("segs_in"),
        segs_out=reader.whole("segs_out"),
        data_segs_in=reader.whole("data_segs_in"),
        data_segs_out=reader.whole("data_segs_out"),
        retransmissions=reader.retransmissions(),
        busy_s=reader.time_s("busy"),
        rwnd_limited_s=reader.time_s("rwnd_limited"),
        sndbuf_limited_s=reader.time_s("sndbuf_limited"),
        delivery_rate_bps=reader.rate_bps("delivery_rate"),
        congestion=_congestion(entry.words),
        time_s=entry.time_s,
    )


def _named(words: list[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    for word, after in itertools.pairwise([*words, ""]):
        name, colon, value = word.partition(":")
        if colon:
            named.setdefault(name, value)
        elif word in _TWO_WORDS:
            named[word] = after
    return named


def _congestion(words: list[str]) -> str:
    """Return the congestion control, which stands in front of the first number of TCP."""
    before = itertools.takewhile(lambda word: not word.startswith(("wscale:", "rto:")), words)
    plain = [word for word in before if _ALGORITHM.fullmatch(word) and word not in _FLAGS]
    return plain[-1] if plain else ""


@dataclass(frozen=True)
class _Reader:
    """Reads the words of one connection."""

    path: Path
    line: int
    named: dict[str, str]

    def whole(self, name: str, needed: bool = False) -> int:
        if needed and name not in self.named:
            what = f'"{name}" is missing; allowed: the complete output of ss -ti'
            raise wrong(self.path, self.line, what)
        found = self._match(name, _WHOLE, "a whole number")
        return 0 if found is None else int(found[0])

    def time_s(self, name: str) -> float:
        found = self._match(name, _TIME, "milliseconds, such as 4ms(5.9%)")
        return 0.0 if found is None else float(found[1]) / 1e3

    def rate_bps(self, name: str) -> float | None:
        found = self._match(name, _RATE, "a rate, such as 940Mbps")
        return None if found is None else float(found[1]) * _UNITS[found[2]]

    def number_ms(self, name: str) -> float | None:
        found = self._match(name, _MILLISECONDS, "a number of milliseconds")
        return None if found is None else float(found[0]) / 1e3

    def retransmissions(self) -> int:
        found = self._match("retrans", _TRIES, "two whole numbers, such as 0/3")
        return 0 if found is None else int(found[1])

    def rtt_s(self) -> float | None:
        found = self._match("rtt", _PAIR, "two numbers, such as 0.12/0.05")
        return None if found is None else float(found[1]) / 1e3

    def _match(self, name: str, pattern: re.Pattern[str], allowed: str) -> re.Match[str] | None:
        if name not in self.named:
            return None
        found = pattern.fullmatch(self.named[name])
        if found is None:
            raise self._bad(name, allowed)
        return found

    def _bad(self, name: str, allowed: str) -> UserError:
        what = f'"{name}": {quoted(self.named[name])} is not allowed; allowed: {allowed}'
        return wrong(self.path, self.line, what)
