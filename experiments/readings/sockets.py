"""``ss -ti``: what a host's TCP tells of its connections (iproute2)."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import UserError
from .texts import read_text, told, whole_lines, wrong

TOOL = "ss -tin"

STATES = (
    "ESTAB", "SYN-SENT", "SYN-RECV", "FIN-WAIT-1", "FIN-WAIT-2", "TIME-WAIT", "UNCONN",
    "CLOSE-WAIT", "LAST-ACK", "LISTEN", "CLOSING",
)  # fmt: skip

_UNITS = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_NUMBER = r"\d+(?:\.\d+)?"
_RATE = re.compile(rf"({_NUMBER})([KMGT]?)bps")
_TIME = re.compile(rf"({_NUMBER})ms(?:\({_NUMBER}%\))?")
_PAIR = re.compile(rf"({_NUMBER})/({_NUMBER})")
_WHOLE = re.compile(r"\d+")

# Told as two words, where all else has a colon.
_TWO_WORDS = ("delivery_rate", "pacing_rate", "send")


@dataclass(frozen=True)
class Connection:
    """A connection at the moment that ss looked.

    What the kernel has counted none of, ss does not name; it is 0 here.

    Attributes:
        line: of the file.
        local: address and port of this end.
        peer: address and port of the other.
        cwnd: congestion window, segments.
        mss: payload of a segment as sent, bytes.
        rtt_s: smoothed round-trip time; None before the first one is measured.
        rcv_space: what the receiving application takes in a round trip, bytes (DRS).
        bytes_acked: sent and acknowledged.
        bytes_received: with data, in order.
        segs_in: segments received.
        segs_out: segments sent.
        data_segs_in: those received that had data.
        data_segs_out: those sent that had data.
        busy_s: time in which there was something to send.
        rwnd_limited_s: the part of it in which the receiver's window did not let go on.
        sndbuf_limited_s: the part of it in which the send buffer was too small.
        delivery_rate_bps: newest measured rate of delivery.
    """

    line: int
    local: str
    peer: str
    cwnd: int
    mss: int
    rtt_s: float | None
    rcv_space: int
    bytes_acked: int
    bytes_received: int
    segs_in: int
    segs_out: int
    data_segs_in: int
    data_segs_out: int
    busy_s: float
    rwnd_limited_s: float
    sndbuf_limited_s: float
    delivery_rate_bps: float

    @property
    def moved(self) -> int:
        """Bytes in the direction that has more."""
        return max(self.bytes_acked, self.bytes_received)


@dataclass(frozen=True)
class Sockets:
    """What ss showed; of several looks at a connection the last one."""

    path: Path
    connections: tuple[Connection, ...]

    def data(self) -> tuple[Connection, ...]:
        """Return the connections that carried data: a hundredth of the largest, or more."""
        most = max(one.moved for one in self.connections)
        return tuple(one for one in self.connections if one.moved >= max(1, most / 100))


def read_sockets(path: Path) -> Sockets:
    """Read a file that ``ss -ti`` printed, once or several times.

    Raises:
        UserError: anything is wrong with it, as ``FILE:LINE: what``.
    """
    return parse_sockets(path, read_text(path))


def parse_sockets(path: Path, text: str) -> Sockets:
    """Return what `read_sockets` does from the text itself."""
    found: dict[tuple[str, str], Connection] = {}
    for entry in _entries(path, whole_lines(path, text)):
        if entry.state == "ESTAB":
            found[entry.local, entry.peer] = _connection(path, entry)
    if not found:
        raise wrong(path, 1, "has no connection in state ESTAB; allowed: ss -tin while data flow")
    return Sockets(path, tuple(found.values()))


@dataclass
class _Entry:
    """A connection as it stands in the text; its information is on a line of its own, or not."""

    line: int
    last_line: int
    state: str
    local: str
    peer: str
    words: list[str]


def _entries(path: Path, lines: list[str]) -> list[_Entry]:
    entries: list[_Entry] = []
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0] == "State":
            continue
        if line[0].isspace() and entries:
            entries[-1].words.extend(words)
            entries[-1].last_line = number
        elif words[0] in STATES and len(words) >= 5:
            # What may follow is the process, and with -O the information.
            entries.append(_Entry(number, number, words[0], words[3], words[4], words[5:]))
        else:
            raise wrong(path, number, f"{told(line.strip())} is no line of ss; allowed: {TOOL}")
    return entries


def _connection(path: Path, entry: _Entry) -> Connection:
    reader = _Reader(path, entry.last_line, _named(entry.words))
    return Connection(
        line=entry.line,
        local=entry.local,
        peer=entry.peer,
        cwnd=reader.whole("cwnd", needed=True),
        mss=reader.whole("mss", needed=True),
        rtt_s=reader.rtt_s(),
        rcv_space=reader.whole("rcv_space"),
        bytes_acked=reader.whole("bytes_acked"),
        bytes_received=reader.whole("bytes_received"),
        segs_in=reader.whole("segs_in"),
        segs_out=reader.whole("segs_out"),
        data_segs_in=reader.whole("data_segs_in"),
        data_segs_out=reader.whole("data_segs_out"),
        busy_s=reader.time_s("busy"),
        rwnd_limited_s=reader.time_s("rwnd_limited"),
        sndbuf_limited_s=reader.time_s("sndbuf_limited"),
        delivery_rate_bps=reader.rate_bps("delivery_rate"),
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


@dataclass(frozen=True)
class _Reader:
    """Reads the words of one connection."""

    path: Path
    line: int
    named: dict[str, str]

    def whole(self, name: str, needed: bool = False) -> int:
        if needed and name not in self.named:
            what = f'"{name}" is missing; allowed: the information of ss -ti, complete'
            raise wrong(self.path, self.line, what)
        found = self._match(name, _WHOLE, "a whole number")
        return 0 if found is None else int(found[0])

    def time_s(self, name: str) -> float:
        found = self._match(name, _TIME, "milliseconds, such as 4ms(5.9%)")
        return 0.0 if found is None else float(found[1]) / 1e3

    def rate_bps(self, name: str) -> float:
        found = self._match(name, _RATE, "a rate, such as 940Mbps")
        return 0.0 if found is None else float(found[1]) * _UNITS[found[2]]

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
        what = f'"{name}": {told(self.named[name])} is not allowed; allowed: {allowed}'
        return wrong(self.path, self.line, what)
