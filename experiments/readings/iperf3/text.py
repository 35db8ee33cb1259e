"""The text that iperf3 prints, of a client or a server, as on a terminal or with ``--logfile``.

The forms of its lines: iperf_locale.c of iperf3 3.0 to 3.21. What stands before a line
(``--timestamps``, ``--title``, ``ts``) is skipped, and so are lines of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ..texts import quoted, whole_lines, wrong
from .model import (
    Amount,
    Endpoint,
    Flow,
    Interval,
    Iperf3,
    RunFailedError,
    Stream,
    flow_of,
    notes_of,
)
from .rows import BEGIN_OF_ROW, ENDS, NUMBER, PEER, ROW, Row, is_fragment, row_of, unwrapped

TOOL = "iperf3"

_HEADER = re.compile(
    r"\[ ID\](?:\[Role\])?\s+Interval\s+Transfer\s+(?:Bandwidth|Bitrate)(?P<rest>.*)"
)
_CONNECTING = re.compile(r"\bConnecting to host \S+, port \d+")
_ACCEPTED = re.compile(r"\bAccepted connection from \S+, port \d+")
_LISTENING = re.compile(r"\bServer listening on \S+")
_REVERSE = re.compile(r"\bReverse mode, remote host \S+ is sending")
_VERSION = re.compile(r"(?:^|\s)(iperf 3\.\d\S*)(?:\s+\(.*\))?\s*$")
_TIME = re.compile(r"\bTime: \w{3}, (\d+ \w{3} \d{4} \d\d:\d\d:\d\d) (?:GMT|UTC)")
_TEST = re.compile(
    r"\bStarting Test: protocol: (?P<protocol>\w+), (?P<count>\d+) streams, (?P<size>\d+) byte"
    r"(?: blocks, omitting (?P<omit>\d{1,9}) seconds)?"
)
_COOKIE = re.compile(r"\bCookie: (\S+)")
_MSS = re.compile(r"\bTCP MSS: (\d+)")
_TARGET = re.compile(r"\bTarget Bitrate: (\d+)")
_CPU = re.compile(
    rf"\bCPU Utilization: local/(?P<own>\w+) (?P<a>{NUMBER})% .*remote/\w+ (?P<b>{NUMBER})%"
)
_CONGESTION = re.compile(r"\bsnd_tcp_congestion (\S+)")
# What a shell prints, "sudo: iperf3: command not found", is of no run.
_ERROR = re.compile(
    r"\biperf3(?:\.exe)?: ((?:(?:parameter )?error|interrupt|getsockopt|setsockopt) - .+"
    r"|(?:the (?:client|server) (?:has|is)|(?:control|stream) socket has|unable to) .+)"
)
_MISSING = re.compile(r"\((sender|receiver) statistics not available\)")
_SERVER_OUTPUT = re.compile(r"\bServer (?:JSON )?output:\s*$")
_DONE = re.compile(r"\biperf Done\.")

_IPERF2 = re.compile(
    r"Client connecting to \S+, (?:TCP|UDP) port|Server listening on (?:TCP|UDP) port"
    r"|\bTCP window size:|^\d{14}(?:[-+.\d]*)?,[^,\n]*,\d+,[^,\n]*,\d+,\d+,\d+\.\d+-\d+\.\d+,",
    re.MULTILINE,
)
_ROW_OF_2 = re.compile(
    r"\[\s*\d+\]\s+\d+\.(?:\d|\d{4})-\s*\d+\.(?:\d|\d{4}) sec\s+\S+ [KMGT]?Bytes"
)


@dataclass
class _Run:
    """The lines of one run so far."""

    line: int
    is_client: bool | None
    version: str
    start_s: float | None
    omit_s: int = 0
    has_heading: bool = False
    is_reverse: bool = False
    peers: list[tuple[str, str]] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    call_bytes: int | None = None
    count: int | None = None
    cookie: str = ""
    mss_bytes: int | None = None
    target_bps: int = 0
    cpu: tuple[str, float, float] | None = None
    congestion: list[str] = field(default_factory=list)
    failure: str = ""
    failure_line: int = 0
    sums: set[tuple[int | None, str, str]] = field(default_factory=set)

    @property
    def has_sums(self) -> bool:
        return bool(self.sums)

    def is_over(self, row: Row) -> bool:
        """Return whether a row is of a later run: of one run the sums stand last, and once."""
        return self.has_sums and (row.what not in ENDS or row.identity in self.sums)

    def add(self, row: Row) -> None:
        self.rows.append(row)
        if row.what in ENDS:
            self.sums.add(row.identity)


def is_iperf2(text: str) -> bool:
    """Return whether a text is of iperf 2, whose tables look much as those of iperf3."""
    return _IPERF2.search(text) is not None or (
        _ROW_OF_2.search(text) is not None and _ROW_3.search(text) is None
    )


_ROW_3 = re.compile(r"\[\s*(?:\d+|SUM)\](?:\[[TR]X-[CS]\])?\s+\d+\.\d\d-\d+\.\d\d\s+sec\b")


def is_iperf3_table(text: str) -> bool:
    """Return whether a text has lines of a run of iperf3."""
    return any(pattern.search(text) for pattern in (_CONNECTING, _ACCEPTED, _HEADER, _ROW_3))


def is_iperf3_text(text: str) -> bool:
    """Return whether a text has lines of a run of iperf3, or an error of it."""
    return is_iperf3_table(text) or _ERROR.search(text) is not None


def text_runs(path: Path, text: str) -> list[Iperf3 | RunFailedError]:
    """Return each run of a text in order; of one in which nothing was measured its error.

    Raises:
        UserError: a row is damaged, a run is not of TCP, or there is no run.
    """
    runs = _Scan(path).runs(_lines(path, text))
    if not runs:
        raise wrong(path, 1, f"has no run of iperf3; allowed: the output of {TOOL} -c or -s")
    return [_finished(path, run) for run in runs]


def _lines(path: Path, text: str) -> list[str]:
    """Return the lines of a text, whose last one may lack its line feed, as in a copy."""
    has_again = "Retr" in text
    return whole_lines(path, text, lambda last: is_fragment(last, has_again))


class _Scan:
    """One walk over the lines of a text, which finds where runs begin."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._runs: list[_Run] = []
        self._is_open = False
        self._is_skipped = False
        self._version = ""
        self._start_s: float | None = None

    def runs(self, lines: Sequence[str]) -> list[_Run]:
        for number, line in unwrapped(lines):
            if _CONNECTING.search(line) or _DONE.search(line):
                self._is_skipped = False
            if not self._is_skipped:
                self._line(number, line)
        return self._runs

    def _line(self, number: int, line: str) -> None:
        if found := _VERSION.search(line):
            self._version, self._is_open = found[1], False
        elif found := _TIME.search(line):
            self._start_s = _seconds(found[1])
        elif _CONNECTING.search(line):
            self._begin(number, True)
        elif _ACCEPTED.search(line):
            self._begin(number, False)
        elif _LISTENING.search(line) or _DONE.search(line):
            self._is_open = False
        elif _SERVER_OUTPUT.search(line):
            # What the server printed of the same run (--get-server-output).
            self._is_skipped = True
        elif found := _HEADER.search(line):
            if "Datagrams" in found["rest"]:
                self._refuse_protocol(number, "UDP")
            run = self._run(number, is_new=self._is_open and self._runs[-1].has_sums)
            run.has_heading = True
        elif PEER.search(line) or BEGIN_OF_ROW.search(line):
            self._table(number, line)
        elif found := _ERROR.search(line):
            run = self._run(number, is_new=self._is_open and self._runs[-1].failure != "")
            run.failure, run.failure_line = found[1].strip(), number
        elif self._is_open:
            self._about(number, line)

    def _begin(self, number: int, is_client: bool | None) -> _Run:
        self._runs.append(_Run(number, is_client, self._version, self._start_s))
        self._start_s = None
        self._is_open = True
        return self._runs[-1]

    def _run(self, number: int, is_new: bool = False) -> _Run:
        """Return the run that a line is of: a new one where the lines before its table are gone."""
        return self._runs[-1] if self._is_open and not is_new else self._begin(number, None)

    def _table(self, number: int, line: str) -> None:
        if found := PEER.search(line):
            run = self._run(number, is_new=self._is_open and self._runs[-1].has_sums)
            run.peers.append((found["local"], found["remote"]))
            return
        found = ROW.search(line)
        if found is None:
            what = f"{quoted(line.strip())} is not a row of iperf3's table of a TCP run"
            raise wrong(self._path, number, f"{what}; allowed: the complete output of {TOOL}")
        row = row_of(found)
        self._run(number, is_new=self._is_open and self._runs[-1].is_over(row)).add(row)

    def _about(self, number: int, line: str) -> None:
        """Read a line of -V, and which way the data go."""
        run = self._runs[-1]
        if _REVERSE.search(line):
            run.is_reverse = True
        elif found := _TEST.search(line):
            if found["protocol"] != "TCP":
                self._refuse_protocol(number, found["protocol"])
            run.count, run.call_bytes = int(found["count"]), int(found["size"]) or None
            run.omit_s = int(found["omit"] or 0)
        elif found := _COOKIE.search(line):
            run.cookie = found[1]
        elif found := _MSS.search(line):
            run.mss_bytes = int(found[1]) or None
        elif found := _TARGET.search(line):
            run.target_bps = int(found[1])
        elif found := _CPU.search(line):
            run.cpu = run.cpu or (found["own"], float(found["a"]) / 100, float(found["b"]) / 100)
        elif found := _CONGESTION.search(line):
            run.congestion.append(found[1])

    def _refuse_protocol(self, number: int, protocol: str) -> None:
        raise wrong(self._path, number, f"the run uses {protocol}; allowed: TCP")


def _seconds(text: str) -> float | None:
    try:
        time = datetime.strptime(text, "%d %b %Y %H:%M:%S")
    except ValueError:
        return None
    return time.replace(tzinfo=UTC).timestamp()


def _finished(path: Path, run: _Run) -> Iperf3 | RunFailedError:
    """Return a run from its lines."""
    failure = quoted(run.failure) if run.failure else ""
    if _is_unknown_who_sends(run):
        what = "the rows do not show which endpoint printed them: heading, retransmissions and sums"
        raise wrong(path, run.line, f"{what} are missing; allowed: the complete output of {TOOL}")
    flows = _flows(run)
    if not any(_counted(flow) for flow in flows):
        if run.failure:
            return RunFailedError(path, run.failure_line, failure)
        what = "row with more than 0 bytes" if run.rows else "row"
        return RunFailedError(path, run.line, f"its table has no {what}")
    if not failure and not run.has_sums:
        failure = "the sums at its end are missing"
    endpoint = _endpoint(run)
    return Iperf3(
        path=path,
        line=run.line,
        version=run.version,
        flows=flows,
        call_bytes=run.call_bytes,
        mss_bytes=run.mss_bytes,
        start_s=run.start_s,
        omit_s=run.omit_s,
        is_loopback=bool(run.peers) and all(own == other for own, other in run.peers),
        cpu=_cpu(run),
        target_bps=run.target_bps,
        cookie=run.cookie,
        failure=failure,
        notes=notes_of(flows, endpoint, failure),
    )


def _counted(flow: Flow) -> bool:
    return any(one is not None and one.bytes for one in (flow.sent, flow.received))


def _endpoint(run: _Run) -> Endpoint:
    return Endpoint(run.is_client, not run.failure and run.has_sums)


def _cpu(run: _Run) -> tuple[float, float] | None:
    if run.cpu is None or not run.cpu[2]:
        return None
    what, own, other = run.cpu
    return (own, other) if what == "sender" else (other, own)


def _flows(run: _Run) -> tuple[Flow, ...]:
    roles = {row.role for row in run.rows if row.role}
    if not roles:
        return (_flow(run, run.rows, _sends(run)),)
    both = [(role == "TX", [row for row in run.rows if row.role == role]) for role in ("TX", "RX")]
    return tuple(_flow(run, rows, sends) for sends, rows in both if rows)


def _is_unknown_who_sends(run: _Run) -> bool:
    """Return whether nothing shows the direction: intervals alone look the same at both ends."""
    if run.is_client is not None or run.has_heading or run.has_sums or not run.rows:
        return False
    return all(row.retransmissions is None and not row.role for row in run.rows)


def _sends(run: _Run) -> bool:
    """Return whether the endpoint sends.

    A client shows it. A server has retransmissions in its intervals where it sends, or (on systems
    that do not count these) its sum is that of a sender.
    """
    if run.is_client:
        return not run.is_reverse
    if any(row.retransmissions is not None and not row.what for row in run.rows):
        return True
    sums = {what: sum(row.bytes for row in run.rows if row.what == what) for what in ENDS}
    if run.is_client is None and all(sums.values()):
        return any(row.retransmissions is not None for row in run.rows)
    return sums["sender"] > 0 and not sums["receiver"]


def _flow(run: _Run, rows: Sequence[Row], sends: bool) -> Flow:
    """Return the data of one direction."""
    intervals = list(_intervals(rows))
    sent, received = (_sum(rows, what) for what in ENDS)
    if sent is None and received is None and intervals:
        seconds = sum(one.end_s - one.start_s for one in intervals)
        own = Amount(sum(one.bytes for one in intervals), seconds)
        sent, received = (own, None) if sends else (None, own)
    streams = _streams(rows)
    again = [row.retransmissions for row in _of_all(rows, "sender")]
    if not again and sends:
        again = [one.retransmissions for one in intervals]
    count = len({row.number for row in rows if row.number is not None}) or run.count or 1
    return flow_of(
        _endpoint(run),
        sends=sends,
        count=count,
        sent=sent,
        received=received,
        streams=streams,
        intervals=intervals,
        retransmissions=sum(again) if again and None not in again else None,
        congestion=_congestion(run, sends),
    )


def _congestion(run: _Run, sends: bool) -> str:
    """Return the congestion control of a direction, empty where -V did not print it.

    Of two directions a client prints that of its own data first, a server only that.
    """
    is_both = any(row.role for row in run.rows)
    if is_both and not sends:
        return run.congestion[1] if run.is_client and len(run.congestion) > 1 else ""
    return run.congestion[0] if run.congestion else ""


def _of_all(rows: Sequence[Row], what: str) -> list[Row]:
    """Return the row of the sum over all streams, or where there is none those of the streams."""
    of_kind = [row for row in rows if row.what == what]
    return [row for row in of_kind if row.number is None][-1:] or of_kind


def _sum(rows: Sequence[Row], what: str) -> Amount | None:
    amounts = [row.amount for row in _of_all(rows, what) if row.amount is not None]
    if not amounts:
        return None
    return Amount(sum(one.bytes for one in amounts), max(one.seconds for one in amounts))


def _intervals(rows: Sequence[Row]) -> Iterator[Interval]:
    """Yield the sums over all streams in each interval."""
    groups: dict[tuple[float, float], list[Row]] = {}
    is_summed = any(row.number is None and not row.what for row in rows)
    for row in rows:
        if not row.what and row.amount is not None and (row.number is None) == is_summed:
            groups.setdefault((row.start_s, row.end_s), []).append(row)
    for (start, end), group in groups.items():
        again = [row.retransmissions for row in group]
        yield Interval(
            start_s=start,
            end_s=end,
            bytes=sum(row.bytes for row in group),
            retransmissions=None if None in again else sum(again),
        )


def _streams(rows: Sequence[Row]) -> list[Stream]:
    """Return what each stream carried: as received, or where that is 0 or not printed as sent."""
    found = []
    for number in dict.fromkeys(row.number for row in rows if row.number is not None):
        own = [row for row in rows if row.number == number]
        sums = {row.what: row for row in own if row.what in ENDS}
        known = [sums[what] for what in reversed(ENDS) if what in sums and sums[what].bytes]
        cwnds = [row.cwnd_bytes for row in own if row.cwnd_bytes is not None]
        sender = sums.get("sender")
        found.append(
            Stream(
                number=number,
                amount=known[0].amount if known else None,
                retransmissions=None if sender is None else sender.retransmissions,
                cwnd_bytes=max(cwnds, default=None),
            )
        )
    return found
