"""``iperf3 -J`` and ``--json-stream``: runs of iperf3 as JSON.

What is where: iperf_api.c of iperf3 3.0 to 3.21. Up to 3.6 no entry has "sender"; from 3.7 on
each has it. With --bidir 3.7 to 3.10 print "sum_sent" and "sum_received" twice under one key,
later versions name the data of the server "sum_sent_bidir_reverse"; "test_start" has "bidir" from
3.13 on. The streams are right in all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import UserError
from ...spec.places import Keys, Place
from ..json_nodes import Node, parse_json_values
from ..texts import quoted, wrong
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

TOOL = "iperf3 -J"

_VERSION = re.compile(r"iperf 3\.\d+.*")
_NEVER_BEGAN = re.compile(r"unable to connect|server is busy|parameter error")
_JSON = re.compile(r"\s*(?=\{|\[\s*[{\]])")
# Of a line that begins otherwise: a time before an event, as ``ts`` writes it.
_OBJECT = re.compile(r"^[^\n{\"]*(?=\{)", re.MULTILINE)
_NO_LINE_END = re.compile(r"[^\n]")
_DECODER = json.JSONDecoder()
_EVENT = "event"


@dataclass
class _Streamed:
    """The events of a run of ``--json-stream`` so far."""

    start: Node
    intervals: list[Node] = field(default_factory=list)
    end: Node | None = None
    error: Node | None = None

    def add(self, name: str, data: Node) -> None:
        """Add the data of an event; those of other names have nothing of the run's numbers."""
        if name == "interval":
            self.intervals.append(data)
        elif name == "end":
            self.end = data
        elif name == "error":
            self.error = data

    def top(self) -> Node:
        """Return the run as ``iperf3 -J`` would print it, each value with its line."""
        value: dict[str, Any] = {"start": self.start.value, "intervals": []}
        lines: dict[Keys, int] = {(): self.start.at.line, ("start",): self.start.at.line}
        for number, node in enumerate(self.intervals):
            value["intervals"].append(node.value)
            lines["intervals", number] = node.at.line
        for name, node in (("end", self.end), ("error", self.error)):
            if node is not None:
                value[name] = node.value
                lines[name,] = node.at.line
        if self.end is None:
            value["end"] = {}
            value.setdefault("error", "the file ends before the run")
        return Node(value, Place(self.start.at.file, lines))


def json_runs(path: Path, text: str) -> list[Node]:
    """Return each run in a text: documents of ``iperf3 -J``, or events of ``--json-stream``.

    Args:
        path: where it comes from.
        text: one or more documents, also with other lines between them.

    Raises:
        UserError: a document is no JSON, or the text has none of iperf3.
    """
    runs: list[Node | _Streamed] = []
    for node in _documents(path, text):
        if not isinstance(node.value, dict):
            continue
        if _EVENT in node:
            _add_event(runs, node)
        elif "start" in node or "error" in node:
            # --json-stream-full-output prints the whole run once more behind its events.
            if runs and isinstance(runs[-1], _Streamed) and runs[-1].end is not None:
                runs.pop()
            runs.append(node)
    if not runs:
        raise wrong(path, 1, f"has no run of iperf3; allowed: the output of {TOOL}")
    return [one.top() if isinstance(one, _Streamed) else one for one in runs]


def _add_event(runs: list[Node | _Streamed], event: Node) -> None:
    """Add an event to the run that it is of, a new one where it begins that."""
    name, data = event[_EVENT].text(), event["data"]
    last = runs[-1] if runs else None
    if name == "start":
        runs.append(_Streamed(data))
    elif isinstance(last, _Streamed) and last.end is None:
        last.add(name, data)
    elif name == "error":
        runs.append(_Streamed(Node({}, event.at), error=data))
    else:
        what = f'the event {quoted(name)} belongs to no run; allowed: an event "start" before it'
        raise event.at.error(what)


def _documents(path: Path, text: str) -> Iterator[Node]:
    """Yield the objects of a text and those of its lists (as ``jq -s`` prints them)."""
    for value in parse_json_values(path, without_other_lines(text), TOOL):
        yield from value.node.items() if isinstance(value.node.value, list) else (value.node,)


def without_other_lines(text: str) -> str:
    """Return a text in which all outside of JSON objects and lists is space.

    That may be a time before each line, a prompt, a line of a script between two runs. Behind an
    object that is damaged the text stays as it is.
    """
    parts: list[str] = []
    at = 0
    while True:
        begin = _JSON.match(text, at) or _OBJECT.search(text, at)
        if begin is None:
            return "".join((*parts, _NO_LINE_END.sub(" ", text[at:])))
        parts.append(_NO_LINE_END.sub(" ", text[at : begin.end()]))
        try:
            end = _DECODER.raw_decode(text, begin.end())[1]
        except (ValueError, RecursionError):
            return "".join((*parts, text[begin.end() :]))
        parts.append(text[begin.end() : end])
        at = end


def parse_json_run(path: Path, top: Node) -> Iperf3:
    """Return a run of iperf3 from its JSON.

    Raises:
        RunFailedError: it ended before anything was measured.
        UserError: anything is wrong with it, as ``FILE:LINE: what``.
    """
    failed = top.find("error")
    failure = "" if failed is None else quoted(str(failed.value))
    try:
        run = _run(path, top, failure)
    except UserError:
        if failed is None:
            raise
        run = None
    if failed is not None and (
        run is None or not _has_data(run) or _NEVER_BEGAN.search(str(failed.value))
    ):
        raise RunFailedError(path, failed.at.line, failure)
    return run


def _has_data(run: Iperf3) -> bool:
    amounts = [amount for flow in run.flows for amount in (flow.sent, flow.received)]
    return any(amount is not None and amount.bytes for amount in amounts)


def _run(path: Path, top: Node, failure: str) -> Iperf3:
    start, end = top["start"], top["end"]
    version = start["version"]
    if not _VERSION.fullmatch(version.text()):
        raise version.at.bad(version.value, "that of iperf 3")
    test = start["test_start"]
    if test["protocol"].text() != "TCP":
        raise test["protocol"].at.bad(test["protocol"].value, '"TCP"')
    is_client = _is_client(start)
    endpoint = Endpoint(is_client, not failure and _has_results(end))
    intervals = _member_items(top, "intervals")
    if _is_both_ways(test, end):
        flows = _flows_both_ways(test, end, intervals, endpoint)
    else:
        sends = is_client != bool(test["reverse"].whole())
        flows = (_flow(test, end, intervals, endpoint, sends, failure),)
    mss = start.find("tcp_mss") or start["tcp_mss_default"]
    omit = test.find("omit")
    target = test.find("target_bitrate") or start.find("target_bitrate")
    cookie = start.find("cookie")
    return Iperf3(
        path=path,
        line=start.at.line,
        version=version.text(),
        flows=flows,
        call_bytes=test["blksize"].whole(1),
        mss_bytes=mss.whole() or None,
        start_s=float(start["timestamp"]["timesecs"].whole()),
        omit_s=0 if omit is None else omit.whole(),
        is_loopback=_is_loopback(start),
        cpu=_cpu(end, flows[0].sends),
        target_bps=0 if target is None else target.whole(),
        cookie="" if cookie is None else cookie.text(),
        failure=failure,
        notes=notes_of(flows, endpoint, failure),
    )


def _is_client(start: Node) -> bool:
    if "connecting_to" in start:
        return True
    if "accepted_connection" in start:
        return False
    raise start.at.error(
        '"connecting_to" and "accepted_connection" are missing; allowed: one of them, '
        "which distinguishes client and server"
    )


def _is_loopback(start: Node) -> bool:
    pairs = _member_items(start, "connected")
    return bool(pairs) and all(
        one["local_host"].text() == one["remote_host"].text() for one in pairs
    )


def _member_items(node: Node, key: str) -> list[Node]:
    member = node.find(key)
    return [] if member is None else member.items()


def _has_results(end: Node) -> bool:
    """Return whether a client has its server's results, without which that has taken no CPU."""
    cpu = end.find("cpu_utilization_percent", "remote_total")
    received = end.find("sum_received", "bytes")
    return cpu is None or cpu.number() > 0 or (received is not None and received.number() > 0)


def _cpu(end: Node, sends: bool) -> tuple[float, float] | None:
    cpu = end.find("cpu_utilization_percent")
    if cpu is None:
        return None
    own, other = cpu["host_total"].number() / 100, cpu["remote_total"].number() / 100
    if not other:
        return None
    return (own, other) if sends else (other, own)


def _is_both_ways(test: Node, end: Node) -> bool:
    bidir = test.find("bidir")
    if bidir is not None and bidir.whole():
        return True
    if any("bidir_reverse" in key for key, _ in end.members()):
        return True
    return len({_sends(one) for one in _pairs(end)} - {None}) > 1


def _pairs(end: Node) -> list[Node]:
    """Return the entry of each stream, with what its sender and its receiver counted."""
    return [one for one in _member_items(end, "streams") if "sender" in one]


def _sends(pair: Node) -> bool | None:
    """Return whether the endpoint sends a stream; None in files of iperf3 before 3.7."""
    flag = pair.find("sender", "sender")
    return None if flag is None else flag.value is True


def _flow(
    test: Node, end: Node, intervals: Sequence[Node], endpoint: Endpoint, sends: bool, failure: str
) -> Flow:
    """Return the data of a run in one direction."""
    own = _intervals(intervals, None)
    if failure and "sum_received" not in end:
        counted = _counted(own)
        sums = (counted, None) if sends else (None, counted)
        again = None
    else:
        received, sent = end["sum_received"], end["sum_sent"]
        if not received["bytes"].whole() and not sent["bytes"].whole() and not failure:
            raise received["bytes"].at.bad(0, "more than 0 bytes")
        again = sent.find("retransmits")
        sums = _amount(sent, "seconds"), _amount(received, "seconds")
    return flow_of(
        endpoint,
        sends=sends,
        count=test["num_streams"].whole(1),
        sent=sums[0],
        received=sums[1],
        streams=[_stream(one) for one in _pairs(end)],
        intervals=own,
        retransmissions=None if again is None else again.whole(),
        congestion=_congestion(end, False),
    )


def _congestion(end: Node, is_second: bool) -> str:
    """Return the congestion control of a direction, empty where it is not there.

    With --bidir "sender" is the sender of the direction that iperf3 prints last: on the client
    that of the server's data, on the server that of its own.
    """
    found = end.find(f"{'receiver' if is_second else 'sender'}_tcp_congestion")
    return "" if found is None else found.text()


def _flows_both_ways(
    test: Node, end: Node, intervals: Sequence[Node], endpoint: Endpoint
) -> tuple[Flow, ...]:
    """Return the data of both directions of a run, those that the endpoint sends first."""
    flows = []
    for sends in (True, False):
        pairs = [one for one in _pairs(end) if _sends(one) is sends]
        name = "" if sends == endpoint.is_client else "_bidir_reverse"
        if not pairs and f"sum_sent{name}" in end and "sum_sent_bidir_reverse" in end:
            flows.append(_flow_of_sums(test, end, name, intervals, endpoint, sends))
            continue
        if not pairs:
            way = "sends" if sends else "receives"
            rest = f'data in one direction: "streams" has none that this endpoint {way}'
            flag = test.find("bidir")
            if flag is not None:
                raise flag.at.bad(flag.value, f"0, {rest}")
            raise end.at.error(f"the run has --bidir; allowed: {rest}")
        again = [one["sender"].find("retransmits") for one in pairs]
        flows.append(
            flow_of(
                endpoint,
                sends=sends,
                count=len(pairs),
                sent=_sum(_amount(one["sender"], "end") for one in pairs),
                received=_sum(_amount(one["receiver"], "end") for one in pairs),
                streams=[_stream(one) for one in pairs],
                intervals=_intervals(intervals, sends),
                retransmissions=None if None in again else sum(one.whole() for one in again),
                congestion=_congestion(end, sends == bool(endpoint.is_client)),
            )
        )
    if not any(amount and amount.bytes for flow in flows for amount in (flow.sent, flow.received)):
        raise end.at.error("the run has 0 bytes in both directions; allowed: more than 0 bytes")
    return tuple(flows)


def _flow_of_sums(
    test: Node, end: Node, name: str, intervals: Sequence[Node], endpoint: Endpoint, sends: bool
) -> Flow:
    """Return the data of one of two directions by its sums, where the streams are missing."""
    sent = end[f"sum_sent{name}"]
    again = sent.find("retransmits")
    return flow_of(
        endpoint,
        sends=sends,
        count=test["num_streams"].whole(1),
        sent=_amount(sent, "seconds"),
        received=_amount(end[f"sum_received{name}"], "seconds"),
        intervals=_intervals(intervals, sends),
        retransmissions=None if again is None else again.whole(),
        congestion=_congestion(end, sends == bool(endpoint.is_client)),
    )


def _amount(total: Node, time: str) -> Amount:
    seconds = total[time]
    if not seconds.number():
        raise seconds.at.bad(seconds.value, "a number above 0")
    return Amount(total["bytes"].whole(), seconds.number())


def _amount_or_none(total: Node) -> Amount | None:
    """Return what a stream carried; None where its entry lacks that, as a run cut short has it."""
    seconds = total.find("end")
    if "bytes" not in total or seconds is None or not seconds.number():
        return None
    return _amount(total, "end")


def _sum(amounts: Iterable[Amount]) -> Amount:
    """Return the sum over streams, which are of one time."""
    known = list(amounts)
    return Amount(sum(one.bytes for one in known), max(one.seconds for one in known))


def _counted(intervals: Sequence[Interval]) -> Amount | None:
    """Return the sum over intervals, where a run that was cut short has no other."""
    if not intervals:
        return None
    seconds = sum(one.end_s - one.start_s for one in intervals)
    return Amount(sum(one.bytes for one in intervals), seconds)


def _stream(pair: Node) -> Stream:
    sender, receiver = pair["sender"], pair.find("receiver")
    sent = _amount_or_none(sender)
    received = None if receiver is None else _amount_or_none(receiver)
    rtt = [sender.find(key) for key in ("min_rtt", "mean_rtt", "max_rtt")]
    times = [one.number() * 1e-6 for one in rtt if one is not None]
    again, cwnd = sender.find("retransmits"), sender.find("max_snd_cwnd")
    number = sender.find("socket")
    return Stream(
        number=0 if number is None else number.whole(),
        amount=next((one for one in (received, sent) if one is not None and one.bytes), None),
        retransmissions=None if again is None else again.whole(),
        rtt_s=(times[0], times[1], times[2]) if len(times) == 3 and times[0] > 0 else None,
        cwnd_bytes=cwnd.whole() or None if cwnd is not None else None,
    )


def _intervals(intervals: Sequence[Node], sends: bool | None) -> list[Interval]:
    """Return the sums over the streams of a direction; of the only one where `sends` is None."""
    found = []
    for one in intervals:
        streams = [
            stream
            for stream in _member_items(one, "streams")
            if sends is None or _is_true(stream, "sender") == sends
        ]
        if not streams or any(_is_true(stream, "omitted") for stream in streams):
            continue
        start = min(stream["start"].number() for stream in streams)
        end = max(stream["end"].number() for stream in streams)
        if end <= start:
            continue
        again = [stream.find("retransmits") for stream in streams]
        rtts = [stream.find("rtt") for stream in streams]
        found.append(
            Interval(
                start_s=start,
                end_s=end,
                bytes=sum(stream["bytes"].whole() for stream in streams),
                retransmissions=None if None in again else sum(one.whole() for one in again),
                rtt_s=tuple(
                    rtt.number() * 1e-6 for rtt in rtts if rtt is not None and rtt.number() > 0
                ),
            )
        )
    return found


def _is_true(node: Node, key: str) -> bool:
    flag = node.find(key)
    return flag is not None and flag.value is True
