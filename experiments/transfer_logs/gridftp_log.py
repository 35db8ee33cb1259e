"""The transfer log of ``globus-gridftp-server`` (``-log-transfer``), one line a transfer.

A line is ``DATE=<end> HOST= PROG= NL.EVNT=FTP_INFO START=<start> USER= FILE= BUFFER= BLOCK=
NBYTES= VOLUME= STREAMS= STRIPES= DEST=[<peer>] TYPE= CODE= TASKID= retrans=``; the last two came
with later servers. Source: ``globus_i_gfs_log_transfer()`` of ``gridftp/server/src/
globus_i_gfs_log.c`` in the Grid Community Toolkit. What that function, and its caller in
``globus_i_gfs_data.c``, imply:

- Times are UTC. Early servers printed the microseconds without leading zeros (``%d``): a fraction
  of fewer than six digits is a whole number of microseconds, ``.2102`` is 2.102 ms.
- FILE and VOLUME are not escaped: a file name may have spaces, and even ``NBYTES=1`` in it.
- STREAMS counts the connections of one stripe.
- NBYTES are the bytes of this transfer, not of the file: ERET and ESTO move a part.
- The same line follows ``Transfer stats:`` in the server's own log (log level TRANSFER), among
  other messages. With ``-log-module stdio_ng`` that log has a ``transfer.start`` and a
  ``transfer.end`` event in its place.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from ipaddress import ip_address

from ..readings.texts import quoted
from .records import NO_ADDRESS, UNKNOWN, Record, Setting

KIND = "GridFTP transfer log"

SECOND = 1_000_000
"""Microseconds."""

LISTINGS = frozenset({"LIST", "NLST", "MLSD", "MLSR", "MLSC"})
"""TYPE of a directory listing."""

TO_THE_SERVER = frozenset({"STOR", "ESTO", "APPE", "STOU"})
"""TYPE of a transfer that the logging server receives."""

FROM_THE_SERVER = frozenset({"RETR", "ERET"})
"""TYPE of a transfer that it sends."""

MOST_SESSIONS = 100_000
"""Sessions whose transfer.start is remembered until transfer.end."""

_NEEDED = ("DATE", "START", "NBYTES")
_WHOLE_LINE = re.compile(
    r"DATE=(?P<DATE>\S+) HOST=(?P<HOST>\S*) PROG=\S* NL\.EVNT=\S* START=(?P<START>\S+)"
    r" USER=\S* FILE=.* BUFFER=(?P<BUFFER>\S+) BLOCK=\S+ NBYTES=(?P<NBYTES>\S+) VOLUME=\S*"
    r" STREAMS=(?P<STREAMS>\S+) STRIPES=(?P<STRIPES>\S+) DEST=(?P<DEST>\S*) TYPE=(?P<TYPE>\S+)"
    r" CODE=(?P<CODE>\d+)(?: TASKID=\S*)?(?: retrans=(?P<retrans>\S*))?"
)
_KEY = re.compile(
    r"(?:^|[\s\"'])(DATE|HOST|PROG|NL\.EVNT|START|USER|FILE|BUFFER|BLOCK|NBYTES|VOLUME|STREAMS"
    r"|STRIPES|DEST|TYPE|CODE|TASKID|retrans)="
)
_CODE = re.compile(r"[1-6]\d\d")
_LINE_START = re.compile(r"DATE=\d{14}\S* HOST=\S* PROG=\S* NL\.EVNT=")
_BEGINNING = re.compile(r"\bDATE=\d{14}")
_TIME = re.compile(r"(\d{8})(\d\d)(\d\d)(\d\d)(?:\.(\d*))?")
_WHOLE_NUMBER = re.compile(r"-?\d{1,18}")
_EVENT = re.compile(
    r"ts=(?P<ts>\S+) id=(?P<id>\S+) event=globus-gridftp-server\.transfer\.(?P<what>\w+)"
    r"(?P<rest>.*)"
)
_EVENT_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?Z?")
_EVENT_END = re.compile(
    r" file=.* tcpbuffer=(?P<BUFFER>\S+) blocksize=\S+ bytes=(?P<NBYTES>\S+)"
    r" streams=(?P<STREAMS>\S+) stripes=(?P<STRIPES>\S+) remoteIP=(?P<DEST>\S*)"
    r" type=(?P<TYPE>\S+)(?: taskid=\S*)?(?: retrans=(?P<retrans>\S*))?"
)


class TransferLog:
    """Reads the lines of one log, in their order.

    Contract: `record` is called with each line. It returns None for a line about something else,
    and raises a `ValueError` whose text is the fault of a damaged line.
    """

    def __init__(self) -> None:
        self._begun: dict[str, int] = {}

    def record(self, line: str) -> Record | None:
        """Return the transfer that a line reports, None for a line about something else.

        Raises:
            ValueError: the line is damaged; the text says what is wrong.
        """
        if "NBYTES=" in line or "DATE=" in line:
            if line.count("NL.EVNT=") > 1 and (last := _last_of(line)):
                record = self.record(last)
                return None if record is None else replace(record, is_behind_a_cut=True)
            found = _WHOLE_LINE.search(line)
            fields = found.groupdict("") if found else _fields(line)
            return None if fields is None else _record(fields)
        if "event=globus-gridftp-server.transfer." in line:
            return self._event(line)
        return None

    def _event(self, line: str) -> Record | None:
        found = _EVENT.search(line)
        if found is None:
            raise ValueError("is an incomplete event")
        now, session, what = _event_us(found["ts"]), found["id"], found["what"]
        if what == "start":
            if len(self._begun) >= MOST_SESSIONS:
                del self._begun[next(iter(self._begun))]
            self._begun[session] = now
            return None
        started = self._begun.pop(session, None)
        if what == "error":
            at = now if started is None else started
            return Record(Setting(NO_ADDRESS, NO_ADDRESS, 1, 1, UNKNOWN), 0, at, now, "error")
        if what != "end":
            return None
        fields = _EVENT_END.search(found["rest"])
        if fields is None:
            raise ValueError("is an incomplete event: bytes, streams and stripes are missing")
        if started is None:
            raise ValueError(f"session {session} has no transfer.start before this transfer.end")
        return _of_fields({**fields.groupdict(""), "HOST": ""}, started, now)


def _last_of(line: str) -> str:
    """Return the last of several log lines on one line; empty if there is only one."""
    starts = [found.start() for found in _LINE_START.finditer(line)]
    return line[starts[-1] :] if len(starts) > 1 else ""


def _fields(line: str) -> dict[str, str] | None:
    """Return the fields of a line in any order, some of them missing; None where it is no such.

    A file name may contain any of the keys. So of a key before FILE the first occurrence counts,
    of a key behind FILE the last one.
    """
    found = list(_KEY.finditer(line))
    names = {one[1] for one in found}
    is_one = len(names & {*_NEEDED, "NL.EVNT", "STREAMS", "CODE"}) > 1
    if not is_one and not _BEGINNING.search(line):
        return None
    file = next((one.start() for one in found if one[1] == "FILE"), len(line))
    chosen: dict[str, re.Match[str]] = {}
    for one in found:
        if one.start() <= file:
            chosen.setdefault(one[1], one)
        elif one[1] not in chosen or chosen[one[1]].start() > file:
            chosen[one[1]] = one
    places = sorted(chosen.values(), key=lambda one: one.start())
    ends = [one.start() for one in places[1:]] + [len(line)]
    fields = {
        one[1]: line[one.end() : end].strip().strip("\"'")
        for one, end in zip(places, ends, strict=True)
    }
    for name in ("CODE", "retrans", "TYPE"):
        # What is behind the last field belongs to whatever has copied the line.
        if words := fields.get(name, "").split():
            fields[name] = words[0].rstrip("\"',}")
    return fields


def _record(fields: dict[str, str]) -> Record:
    code, kind = fields.get("CODE"), fields.get("TYPE", "")
    if (
        not code
        and kind not in {*LISTINGS, *TO_THE_SERVER, *FROM_THE_SERVER}
        and all(map(fields.get, _NEEDED))
    ):
        raise ValueError("is truncated: it has neither CODE nor TYPE")
    for name in _NEEDED:
        if not fields.get(name):
            raise ValueError(f"{name} is missing")
    return _of_fields(fields, _us("START", fields["START"]), _us("DATE", fields["DATE"]))


def _of_fields(fields: dict[str, str], start_us: int, end_us: int) -> Record:
    size = _number("NBYTES", fields["NBYTES"])
    if size < 0:
        raise ValueError(f"NBYTES is {size}")
    if end_us < start_us:
        raise ValueError("DATE, the end, is before START")
    kind = fields.get("TYPE", "").upper()
    server, peer = _name(fields.get("HOST")), _name(fields.get("DEST"))
    ends = (peer, server) if kind in TO_THE_SERVER else (server, peer)
    buffer = _number("BUFFER", fields["BUFFER"]) if fields.get("BUFFER") else UNKNOWN
    streams = _number("STREAMS", fields.get("STREAMS") or "1")
    stripes = _number("STRIPES", fields.get("STRIPES") or "1")
    setting = _setting(*ends, max(streams, 1), max(stripes, 1), max(buffer, UNKNOWN))
    code = fields.get("CODE") or "226"
    if _CODE.fullmatch(code) is None:
        raise ValueError(f"CODE is {quoted(code)}, which is not a reply code")
    return Record(
        setting,
        size,
        start_us,
        end_us,
        "" if code.startswith("2") else code,
        _retransmitted(fields.get("retrans", "")),
        kind in LISTINGS,
        lacks_streams=min(streams, stripes) < 1,
    )


@lru_cache(maxsize=4096)
def _setting(source: str, destination: str, streams: int, stripes: int, buffer: int) -> Setting:
    return Setting(source, destination, streams, stripes, buffer)


@lru_cache(maxsize=4096)
def _name(text: str | None) -> str:
    """Return a host, or the address within brackets; what is before them numbers the stripe.

    A server on IPv4 and IPv6 prints an address of IPv4 as ``::FFFF:192.0.2.7``; that is 192.0.2.7.
    """
    inner = (text or "").split("[", 1)[-1].rstrip("]").strip("\"'")
    try:
        address = ip_address(inner)
    except ValueError:
        return inner or NO_ADDRESS
    address = getattr(address, "ipv4_mapped", None) or address
    return NO_ADDRESS if address.is_unspecified else str(address)


def _number(name: str, text: str) -> int:
    if _WHOLE_NUMBER.fullmatch(text) is None:
        raise ValueError(f"{name} is {quoted(text)}, which is not a whole number")
    return int(text)


def _retransmitted(text: str) -> int:
    """Return the sum over all connections; `UNKNOWN` where it is not there."""
    counts = text.split(",")
    return sum(map(int, counts)) if all(map(_is_count, counts)) else UNKNOWN


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 18


def _us(name: str, text: str) -> int:
    """Return a time of the log in microseconds since 1970."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError(
            f"{name} is {quoted(text)}, which is not a time such as 20240107092754.223249"
        )
    day, hour, minute, second, fraction = found.groups()
    try:
        return _clock_us(_day_us(day), hour, minute, second) + _fraction_us(fraction or "0")
    except ValueError:
        raise ValueError(f"{name} is {quoted(text)}, a time that does not exist") from None


def _event_us(text: str) -> int:
    found = _EVENT_TIME.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        year, month, day, hour, minute, second, fraction = found.groups()
        at = _clock_us(_day_us(f"{year}{month}{day}"), hour, minute, second)
    except ValueError:
        raise ValueError(f"ts is {quoted(text)}, which is not a time") from None
    return at + int((fraction or "0").ljust(6, "0"))


@lru_cache(maxsize=1024)
def _day_us(day: str) -> int:
    if not day.isascii():
        raise ValueError
    return int(datetime.strptime(day, "%Y%m%d").replace(tzinfo=UTC).timestamp()) * SECOND


def _clock_us(day_us: int, hour: str, minute: str, second: str) -> int:
    hours, minutes, seconds = int(hour), int(minute), int(second)
    if hours > 23 or minutes > 59 or seconds > 60:  # 60: a leap second
        raise ValueError
    return day_us + (hours * 3600 + minutes * 60 + seconds) * SECOND


def _fraction_us(digits: str) -> int:
    """Return the microseconds of a fraction: up to six digits are a whole number of them."""
    return int(digits) if len(digits) <= 6 else int(digits[:6])
