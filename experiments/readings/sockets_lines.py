"""The lines of ``ss -ti``: which are of a connection, which of its information, which of others.

The columns of a connection: misc/ss.c of iproute2 2.6 to 6.x. ss leaves out Netid where it shows
one kind of sockets, State where it is asked for one state, the queues with ``-Q``. Between and in
front of its lines there may be times, prompts and whatever a script prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .sockets_times import Clock, split_time, time_of_line
from .texts import quoted, whole_lines, without_escapes, wrong

TOOL = "ss -tin"

STATES = (
    "ESTAB", "SYN-SENT", "SYN-RECV", "FIN-WAIT-1", "FIN-WAIT-2", "TIME-WAIT", "UNCONN",
    "CLOSE-WAIT", "LAST-ACK", "LISTEN", "CLOSING",
)  # fmt: skip

_OTHERS = (
    r"udp|udplite|raw|icmp6?|u_str|u_seq|u_dgr|nl|p_raw|p_dgr|dccp|sctp|mptcp|tipc|ti-\w+|v_str"
    r"|v_dgr|xdp|vsock|\?\?\?"
)
_NETID = rf"(?P<netid>tcp6?|{_OTHERS})"
_STATE = rf"(?P<state>{'|'.join(STATES)})"
# Possessive: a line of a million characters takes no longer than its length.
_SOCKET_PAIR = r"\s++(?P<local>(?=\S*:)\S++)\s++(?P<peer>(?=\S*:)\S++)(?P<rest>(?:\s.*)?)$"
_ENTRY = re.compile(rf"(?:(?:^|(?<=\s)){_NETID}\s+)?(?<!\w){_STATE}(?:\s+\d+\s+\d+)?{_SOCKET_PAIR}")
_WITHOUT_STATE = re.compile(rf"^\s*(?:{_NETID}\s+)?\d+\s+\d+{_SOCKET_PAIR}")
_HALF = re.compile(rf"^\s*(?:\w+\s+)?(?:{_STATE}\s+)?\d+\s+\d+(?:\s++(?=\S*:)\S++)?\s*+$")
_OTHER_KIND = re.compile(rf"^\s*(?:{_OTHERS})\s")
_HEADER = re.compile(r"\bRecv-Q\b|\bLocal Address:\s*Port\b|^State$")
_NETSTAT = re.compile(r"^(?:Active Internet connections|Proto\s+Recv-Q)|\sESTABLISHED\b", re.M)
_INFORMATION = re.compile(
    r"(?:^|\s)(?:cwnd|ssthresh|rtt|rto|ato|wscale|mss|pmtu|rcvmss|advmss|bytes_\w+|segs_\w+"
    r"|data_segs_\w+|lastsnd|lastrcv|lastack|delivered|busy|rwnd_limited|sndbuf_limited|unacked"
    r"|retrans|minrtt|rcv_\w+|snd_wnd|skmem|mem|timer|users|uid|ino|sk|cgroup|bbr|notsent)"
    r":[\d(.f]|\b(?:pacing_rate|delivery_rate|send) \d"
)
_COMMAND = re.compile(
    r"(?:^|[\s$#>%;|&/])ss\s+(?:-\w|--\w|state\b|dst\b|src\b|sport\b|dport\b)|^\S*[$#>%]\s|^#|^\+ "
)
# A line of ss begins with a kind, a state, a queue, an address, or is indented.
_FRAGMENT = re.compile(
    rf"\s|\d|\[[0-9a-f]*(?::|$)|[A-Z][A-Z0-9-]*(?:\s|$)|(?:tcp6?|{_OTHERS})(?:\s|$)"
)
_SOCKET = re.compile(r"(?:\d{1,3}(?:\.\d{1,3}){3}(?:%\w+)?|\]):(?:\d+|[a-z][\w-]*)(?!\S)")

NARROW = 40
"""Characters; no terminal that wraps lines is narrower."""


@dataclass
class Entry:
    """A connection in the text, with its information, which ss prints behind it or below.

    Attributes:
        line: of the file.
        last_line: that of the newest information.
        state: empty where ss did not print it, as of one state alone.
        local: address and port of this endpoint.
        peer: address and port of the other.
        words: the information.
        time_s: when ss ran, seconds on any clock; None where the file does not show it.
    """

    line: int
    last_line: int
    state: str
    local: str
    peer: str
    words: list[str]
    time_s: float | None = None


def is_text_of_ss(text: str) -> bool:
    """Return whether a text has lines of ss, or of netstat, which `entries` refuses by name."""
    lines = _plain(text.split("\n"))
    return any(
        _HEADER.search(line)
        or _ENTRY.search(line)
        or _WITHOUT_STATE.search(line)
        or (" rto:" in line and "cwnd:" in line)
        for _, line in lines
    )


def entries(path: Path, text: str) -> list[Entry]:
    """Return the TCP connections that a text of ss shows, in order.

    Raises:
        UserError: a line is damaged, or information has no connection, as ``FILE:LINE: what``.
    """
    if (found := _NETSTAT.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        what = "is the output of netstat, which has no information on TCP"
        raise wrong(path, line, f"{what}; allowed: the output of {TOOL}")
    lines = _plain(whole_lines(path, text, _is_fragment))
    return _Scan(path).entries(_unwrapped(lines))


Line = tuple[int, str]
"""A number, from 1, and what stands there."""


def _is_fragment(line: str) -> bool:
    """Return whether a line may be one of ss without its end: numbers may have lost digits."""
    _, line = split_time(_plain_line(line))
    return _FRAGMENT.match(line) is not None


def _plain(lines: Sequence[str]) -> list[Line]:
    """Return lines without what colours them on a terminal."""
    return [(number, _plain_line(line)) for number, line in enumerate(lines, 1)]


def _plain_line(line: str) -> str:
    return without_escapes(line).replace("\r", "")


def _begins(line: str) -> bool:
    """Return whether a line is certainly not the rest of the one before."""
    return (
        not line.strip()
        or line[0] == "\t"
        or line.startswith("  ")
        or any(one.search(line) for one in (_HEADER, _ENTRY, _WITHOUT_STATE, _COMMAND, _OTHER_KIND))
        or split_time(line)[0] is not None
        or time_of_line(line) is not None
    )


def _unwrapped(lines: Sequence[Line]) -> list[Line]:
    """Return lines in which those are whole that a terminal of some width cut at its edge."""
    width = max((len(line) for _, line in lines), default=0)
    full = [at for at, (_, line) in enumerate(lines[:-1]) if len(line) == width]
    cut = [at for at in full if not _begins(lines[at + 1][1])]
    if width < NARROW or len(cut) < 2 or len(cut) * 2 < len(full):
        return list(lines)
    found: list[Line] = []
    is_cut = False
    for at, (number, line) in enumerate(lines):
        if is_cut:
            found[-1] = (found[-1][0], found[-1][1] + line)
        else:
            found.append((number, line))
        is_cut = at in cut
    return found


class _Scan:
    """One walk over the lines of a text."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: list[Entry] = []
        self._entry: Entry | None = None
        self._is_other_kind = False
        self._clock = Clock()

    def entries(self, lines: Sequence[Line]) -> list[Entry]:
        for number, line in _with_whole_entries(lines):
            time, rest = split_time(line)
            self._clock.see(time)
            self._line(number, rest)
        return self._found

    def _line(self, number: int, line: str) -> None:
        found = _ENTRY.search(line) or _WITHOUT_STATE.search(line)
        if not line.strip():
            return
        if _OTHER_KIND.match(line):
            self._entry, self._is_other_kind = None, True
        elif found is not None and not _COMMAND.search(line[: found.start("local")]):
            self._begin(number, found)
        elif _HEADER.search(line) or _COMMAND.search(line):
            self._entry, self._is_other_kind = None, False
        elif (line[0].isspace() and self._entry is not None) or _INFORMATION.search(line):
            self._inform(number, line)
        elif self._is_damaged(line):
            what = f"{quoted(line.strip())} is not a line of ss"
            raise wrong(self._path, number, f"{what}; allowed: {TOOL}")
        elif not line[0].isspace():
            # A line of a script, such as a date.
            self._clock.see(time_of_line(line))
            self._entry, self._is_other_kind = None, False

    def _begin(self, number: int, found: re.Match[str]) -> None:
        named = found.groupdict()
        self._is_other_kind = (named["netid"] or "tcp")[:3] != "tcp"
        if self._is_other_kind:
            self._entry = None
            return
        words = _without_users(found["rest"]).split()
        self._entry = Entry(
            number, number, named.get("state") or "", found["local"], found["peer"], words,
            self._clock.time_s,
        )  # fmt: skip
        self._found.append(self._entry)

    def _inform(self, number: int, line: str) -> None:
        if self._is_other_kind:
            return
        words = _without_users(line).split()
        has_window = any(word.startswith("cwnd:") for word in words)
        entry = self._entry
        if entry is None or (has_window and any(one.startswith("cwnd:") for one in entry.words)):
            what = "is TCP information without the line of its connection before it"
            raise wrong(self._path, number, f"{what}; allowed: the complete output of {TOOL}")
        entry.words.extend(words)
        entry.last_line = number

    def _is_damaged(self, line: str) -> bool:
        """Return whether a line looks like one of ss and is none."""
        first, *rest = line.split()
        if first.upper() in STATES:
            return first in STATES or _SOCKET.search(line) is not None
        sockets = [at for at, word in enumerate(rest, 1) if _SOCKET.search(word)]
        if not sockets:
            return _SOCKET.search(first) is not None
        before = [first, *rest][1 : sockets[0]]
        return bool(before) and all(word.isdigit() for word in before)


def _without_users(line: str) -> str:
    """Return a line without the names of processes, in which there may be anything."""
    begin, end = line.find("users:(("), line.rfind("))")
    return f"{line[:begin]} {line[end + 2 :]}" if 0 <= begin < end else line


def _with_whole_entries(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield lines in which a connection whose addresses are on two lines is on one."""
    half: Line | None = None
    for number, line in lines:
        if half is not None:
            rest = line.strip()
            if rest and ":" in rest.split()[0] and not _INFORMATION.search(f" {rest.split()[0]}"):
                joined = f"{half[1].rstrip()} {rest}"
                if _HALF.match(split_time(joined)[1]):
                    half = (half[0], joined)
                    continue
                yield half[0], joined
                half = None
                continue
            yield half
            half = None
        if _HALF.match(split_time(line)[1]):
            half = (number, line)
        else:
            yield number, line
    if half is not None:
        yield half
