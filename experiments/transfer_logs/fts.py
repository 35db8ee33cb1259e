"""FTS records: what the File Transfer Service reports of each transfer, as JSON.

Read are

- *transfer complete* messages, as FTS3 sends them to ActiveMQ (``CO {...}``), as they are stored by
  MONIT (``{"data": {...}, "metadata": {...}}``) and as Elasticsearch returns them
  (``{"hits": {"hits": [{"_source": ...}]}}``). Numbers may be texts. Source: ``MsgIfce::
  SendTransferFinishMessage()`` of ``src/monitoring/msg-ifce.cpp`` in cern-fts/fts3;
- jobs with their ``files``, and lists of files alone, as the REST interface returns them and
  ``fts-rest-transfer-status -j`` prints them. ``throughput`` of a file is in MiB/s.

``timestamp_tr_st`` and ``timestamp_tr_comp`` are the times of the transfer alone, in milliseconds;
``tr_timestamp_start`` and ``tr_timestamp_complete`` include SRM calls and checksums, and are used
if the others are missing.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TextIO
from urllib.parse import urlsplit

from ..readings.texts import quoted
from .records import NO_ADDRESS, UNKNOWN, Record, Setting

KIND = "FTS records"

CHUNK = 1 << 20
"""Characters that are read at a time."""

LARGEST_RECORD = 64 << 20
"""Characters of one record; an answer of Elasticsearch with all of its hits is one."""

MIB = 1 << 20

_LARGEST_WHOLE = 10**18
_MILLISECONDS = 10**11
"""Times since 1970 from here on are in milliseconds: in seconds, it would be the year 5138."""

_SEPARATOR = re.compile(r"(?:[\s,\[\]\x00-\x1f]+|(?:CO|ST|SS|OP)(?=[ \t]*\{))+")
_COMPLETED = "FINISHED"
_FAILED = frozenset({"FAILED", "CANCELED"})
"""The states of a file that are final, together with `_COMPLETED`: ``FileTerminalStates`` of
the REST service, cern-fts/fts-rest. Any other file waits, moves, is staged or archived, or is
a spare replica."""
_PARAMETER = re.compile(r'"?(nostreams|buffersize|buffer_size)"?\s*[:=]\s*"?(\d{1,15})')

Object = Mapping[str, Any]


def objects(stream: TextIO) -> Iterator[tuple[int, Object | str]]:
    """Yield each JSON object of a stream with the line on which it begins.

    Objects may be one to a line, span lines, be in a list, or follow the two letters of an FTS
    message. A damaged object is yielded as a text that names its fault; reading goes on with the
    next line. Memory is bounded by the largest object, and by `LARGEST_RECORD`.
    """
    text = _Window(stream)
    while text.begin():
        line, found = text.line, text.decode()
        if found is not None:
            yield line, found if isinstance(found, dict | str) else (
                f"is {quoted(str(found))}, which is not a record"
            )  # fmt: skip


class _Window:
    """The part of a stream that is being decoded."""

    def __init__(self, stream: TextIO) -> None:
        self.line = 1
        self._stream = stream
        self._buffer, self._at, self._ended = "", 0, False
        self._wanted = CHUNK
        self._decoder = json.JSONDecoder()

    def begin(self) -> bool:
        """Skip what is between objects; return whether something follows."""
        while True:
            # Two more characters distinguish CO from the beginning of something else.
            if separator := _SEPARATOR.match(self._buffer, self._at):
                self.line += separator[0].count("\n")
                self._at = separator.end()
            if self._at + 4 < len(self._buffer) or not self._more():
                return self._at < len(self._buffer)

    def decode(self) -> Any:
        """Return the value that begins here, or as a text what is wrong; None: read more first."""
        try:
            value, end = self._decoder.raw_decode(self._buffer, self._at)
        except json.JSONDecodeError as error:
            is_open = error.msg.startswith("Unterminated")
            is_short = is_open or error.pos + 16 >= len(self._buffer)
            if is_short and len(self._buffer) - self._at < LARGEST_RECORD and self._more():
                return None
            is_cut = self._ended and (is_open or not self._buffer[error.pos :].strip())
            self._skip_line()
            return "the JSON is truncated" if is_cut else f"is not valid JSON: {error.msg}"
        except (RecursionError, ValueError):
            self._skip_line()
            return "is nested too deeply, or has an invalid number"
        self.line += self._buffer.count("\n", self._at, end)
        self._at, self._wanted = end, CHUNK
        return value if value is not None else "is null, which is not a record"

    def _more(self) -> bool:
        """Read more; return whether there was more. What is decoded is dropped."""
        if self._ended:
            return False
        more = self._stream.read(self._wanted)
        self._wanted = min(2 * self._wanted, LARGEST_RECORD)
        self._buffer, self._at = self._buffer[self._at :] + more, 0
        self._ended = not more
        return bool(more)

    def _skip_line(self) -> None:
        while (end := self._buffer.find("\n", self._at)) < 0:
            self._at = len(self._buffer)
            self._wanted = CHUNK
            if not self._more():
                return
        self._at = end + 1
        self.line += 1


def records(value: Object) -> Iterator[Record | str | None]:
    """Yield what a JSON object reports.

    Yields:
        A transfer; None for something else than a transfer that has ended; the fault of a damaged
        record as a text.
    """
    if isinstance(hits := value.get("hits"), dict) and isinstance(hits.get("hits"), list):
        for hit in hits["hits"]:
            yield from _inner(hit)
    elif isinstance(value.get("_source"), dict):
        yield from _inner(value["_source"])
    elif isinstance(value.get("data"), dict):
        yield from _inner(value["data"])
    elif isinstance(value.get("files"), list) or isinstance(value.get("job"), list):
        for one in [*(value.get("files") or []), *(value.get("job") or [])]:
            if isinstance(one, dict) and isinstance(one.get("files"), list):
                yield from records(one)
            else:
                yield _checked(_of_file, one, value)
    elif "t_final_transfer_state" in value or "tr_timestamp_complete" in value:
        yield _checked(_of_message, value, {})
    elif "file_state" in value and ("tx_duration" in value or "finish_time" in value):
        yield _checked(_of_file, value, {})
    else:
        yield None


def _inner(value: Any) -> Iterator[Record | str | None]:
    if isinstance(value, dict):
        yield from records(value)
    else:
        yield "is only a part of a record"


def _checked(read: Any, value: Any, around: Object) -> Record | str | None:
    if not isinstance(value, dict):
        return "is only a part of a record"
    try:
        return read(value, around)
    except ValueError as error:
        return str(error)


def _of_message(value: Object, around: Object) -> Record:
    """Return the transfer of a *transfer complete* message."""
    del around
    times = (_time_us(value, "timestamp_tr_st"), _time_us(value, "timestamp_tr_comp"))
    is_whole = not (times[0] and times[1])
    if is_whole:
        times = (_time_us(value, "tr_timestamp_start"), _time_us(value, "tr_timestamp_complete"))
    start, end = times
    if not start or not end:
        raise ValueError("has neither timestamp_tr_st nor tr_timestamp_start")
    if end < start:
        raise ValueError("ends before it starts")
    state = str(value.get("t_final_transfer_state") or "")
    flag = value.get("t_final_transfer_state_flag")
    if not state and flag is not None:
        state = "Ok" if str(flag) == "1" else "Error"
    streams = _whole(value, "nstreams") or 0
    buffer = _whole(value, "tcp_buf_size", "buf_size")
    setting = Setting(
        _endpoint(value, "src_hostname", "src_url", "src_se"),
        _endpoint(value, "dst_hostname", "dst_url", "dst_se"),
        max(streams, 1),
        1,
        UNKNOWN if buffer is None else buffer,
    )
    size = _whole(value, "file_size", "f_size") or _whole(value, "tr_bt_transfered")
    failure = "" if state.lower() in ("ok", "finished") else state or "no state"
    if size is None and not failure:
        raise ValueError("has no file_size, f_size or tr_bt_transfered")
    return Record(
        setting, size or 0, start, end, failure, is_whole_operation=is_whole,
        lacks_streams=streams < 1,
    )  # fmt: skip


def _of_file(value: Object, job: Object) -> Record | None:
    """Return the transfer of a file of a job; None where it has not ended."""
    state = str(value.get("file_state") or value.get("state") or "").upper()
    if not state:
        raise ValueError("is not a file of a job: it has no file_state")
    if state != _COMPLETED and state not in _FAILED:
        return None
    parameters = _parameters(job, value)
    streams = parameters.get("nostreams", 0)
    buffer = parameters.get("buffersize", parameters.get("buffer_size", UNKNOWN))
    setting = Setting(
        _endpoint(value, "source_surl", "src_url", "source", or_of=(job, "source_se")),
        _endpoint(value, "dest_surl", "dst_url", "destination", or_of=(job, "dest_se")),
        max(streams, 1),
        1,
        buffer,
    )
    if state in _FAILED:
        return Record(setting, 0, 0, 0, state)
    size = _whole(value, "filesize", "file_size", "user_filesize")
    if size is None:
        raise ValueError("has no filesize")
    start, end, is_whole = _times_of_file(value, size)
    return Record(setting, size, start, end, is_whole_operation=is_whole, lacks_streams=streams < 1)


def _times_of_file(value: Object, size: int) -> tuple[int, int, bool]:
    """Return start and end of a file's transfer, and whether they include more than that."""
    start, end = (_iso_us(value.get(key)) for key in ("start_time", "finish_time"))
    seconds = _real(value, "tx_duration", "duration")
    rate = _real(value, "throughput")
    if not seconds and rate:
        seconds = size / (rate * MIB)
    if seconds:
        last = end or (start or 0) + round(seconds * 1e6)
        return last - round(seconds * 1e6), last, False
    if start is None or end is None:
        raise ValueError("has no tx_duration, no throughput, and no start_time with finish_time")
    if end < start:
        raise ValueError("finishes before it starts")
    return start, end, True


def _parameters(*holders: Object) -> dict[str, int]:
    """Return streams and buffer as a job and its file specify them; the last one counts."""
    keys = ("params", "job_params", "internal_job_params", "internal_file_params")
    found: dict[str, int] = {}
    for holder in holders:
        for key in keys:
            value = holder.get(key)
            text = json.dumps(value) if isinstance(value, dict) else str(value or "")
            found |= {name: int(number) for name, number in _PARAMETER.findall(text[:4096])}
    return found


def _real(value: Object, *keys: str) -> float | None:
    """Return the first of several numbers that is present and at least 0."""
    for key in keys:
        given = value.get(key)
        if given is None or given == "" or isinstance(given, bool):
            continue
        if not isinstance(given, int | float | str):
            raise ValueError(f"{key} is {quoted(json.dumps(given))}, which is not a number")
        try:
            number = float(given)
        except (ValueError, OverflowError):
            raise ValueError(f"{key} is {quoted(str(given)[:70])}, which is not a number") from None
        if not math.isfinite(number) or abs(number) > _LARGEST_WHOLE:
            raise ValueError(f"{key} is {quoted(str(given)[:70])}, which is out of range")
        if number >= 0:
            return number
    return None


def _whole(value: Object, *keys: str) -> int | None:
    number = _real(value, *keys)
    return None if number is None else int(number)


def _time_us(value: Object, key: str) -> int | None:
    """Return a time since 1970; None where it is missing, or 0."""
    number = _real(value, key)
    if not number:
        return None
    return round(number * (1e3 if number >= _MILLISECONDS else 1e6))


def _iso_us(text: Any) -> int | None:
    """Return a time such as 2014-04-13T23:31:37, in UTC unless it has a zone of its own."""
    if text in (None, ""):
        return None
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        raise ValueError(f"{quoted(str(text)[:70])} is not a time") from None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return round((at - _EPOCH).total_seconds() * 1e6)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _endpoint(value: Object, *keys: str, or_of: tuple[Object, str] | None = None) -> str:
    texts = [value.get(key) for key in keys]
    if or_of is not None:
        texts.append(or_of[0].get(or_of[1]))
    text = next((one for one in texts if isinstance(one, str) and one), NO_ADDRESS)
    return _host(text)


@lru_cache(maxsize=4096)
def _host(text: str) -> str:
    """Return the host of a URL, or the name itself."""
    if "://" not in text:
        return text
    try:
        return urlsplit(text).hostname or text
    except ValueError:
        return text
