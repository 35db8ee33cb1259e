"""Lines and records of transfers as servers write them, with made-up values."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

NOON = datetime(2024, 1, 7, 12, 0, 0, tzinfo=UTC)


def clock(at_s: float) -> str:
    """Return a time so many seconds after noon, as the log has it."""
    return (NOON + timedelta(microseconds=round(at_s * 1e6))).strftime("%Y%m%d%H%M%S.%f")


def log_line(start_s: float = 0, duration_s: float = 8, **fields: object) -> str:
    """Return a line of a transfer log: 100 MB in 8 s, 100 Mbit/s, unless fields differ.

    A field that is None is left out; `behind` is put behind the line.
    """
    values: dict[str, object] = {
        "DATE": clock(start_s + duration_s),
        "HOST": "dtn1.example.org",
        "PROG": "globus-gridftp-server",
        "NL.EVNT": "FTP_INFO",
        "START": clock(start_s),
        "USER": "alice",
        "FILE": "/data/a.dat",
        "BUFFER": 1048576,
        "BLOCK": 262144,
        "NBYTES": 100_000_000,
        "VOLUME": "/",
        "STREAMS": 4,
        "STRIPES": 1,
        "DEST": "[192.0.2.7]",
        "TYPE": "RETR",
        "CODE": 226,
    }
    names = {name.replace(".", "_"): name for name in values}
    values |= {names.get(name, name): value for name, value in fields.items()}
    return " ".join(f"{name}={value}" for name, value in values.items() if value is not None)


def fts_message(**fields: object) -> dict[str, Any]:
    """Return a message of a completed transfer, 100 MB in 8 s, numbers as FTS3 has them today."""
    start = 1_466_632_862_284
    return {
        "tr_id": "2016-06-22-2201__se1.example.org__se2.example.net__1__a",
        "src_url": "gsiftp://se1.example.org:2811/data/a",
        "dst_url": "gsiftp://se2.example.net/data/a",
        "src_hostname": "se1.example.org",
        "dst_hostname": "se2.example.net",
        "timestamp_tr_st": start,
        "timestamp_tr_comp": start + 8_000,
        "t_final_transfer_state": "Ok",
        "tr_bt_transfered": 100_000_000,
        "nstreams": 4,
        "buf_size": 0,
        "tcp_buf_size": 0,
        "f_size": 100_000_000,
        "tr_timestamp_start": start - 2_000,
        "tr_timestamp_complete": start + 14_000,
        "file_metadata": {"name": "{a}", "filesize": 1e8},
        "job_metadata": "",
    } | fields


def as_texts(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message as older servers wrote it: all numbers are texts."""
    return {
        name: f"{value}.000000" if name.startswith("tr_timestamp") else str(value)
        for name, value in message.items()
        if not isinstance(value, dict)
    }


def fts_file(**fields: object) -> dict[str, Any]:
    """Return a file of a job as the REST interface has it: 100 MiB in 10 s."""
    return {
        "file_id": 7,
        "file_state": "FINISHED",
        "source_surl": "gsiftp://se1.example.org:2811/data/a",
        "dest_surl": "gsiftp://se2.example.net/data/a",
        "source_se": "gsiftp://se1.example.org",
        "dest_se": "gsiftp://se2.example.net",
        "filesize": 100 << 20,
        "tx_duration": 10.0,
        "throughput": 10.0,
        "start_time": "2024-01-07T12:00:00",
        "finish_time": "2024-01-07T12:00:13",
        "internal_file_params": "nostreams:4,timeout:3600,buffersize:1048576",
    } | fields


def json_lines(*values: object) -> str:
    """Return one JSON object a line."""
    return "".join(f"{json.dumps(value)}\n" for value in values)


def event(at_s: float, what: str, session: int = 12, **rest: object) -> str:
    """Return a line of the events of stdio_ng."""
    words = " ".join(f"{name}={value}" for name, value in rest.items())
    name = f"globus-gridftp-server.transfer.{what}"
    return f"ts=2024-01-07T12:00:{at_s:09.6f}Z id={session} event={name} {words}"


def monit(message: dict[str, object]) -> dict[str, object]:
    """Return a message as MONIT stores it."""
    return {"data": message, "metadata": {"topic": "fts_raw_complete", "type": "complete"}}


FTS_FORMS = {
    "a line each": json_lines(fts_message(), fts_message()),
    "as texts": json_lines(as_texts(fts_message()), as_texts(fts_message())),
    "ActiveMQ": "".join(f"CO {json_lines(fts_message())}\x04" for _ in range(2)),
    "MONIT": json_lines(monit(fts_message()), monit(fts_message())),
    "a list": f"[{json_lines(fts_message()).strip()},\n {json_lines(fts_message()).strip()}]",
    "Elasticsearch": json_lines(
        {"took": 3, "hits": {"total": 2, "hits": [{"_source": monit(fts_message())}] * 2}}
    ),
    "with new names": json_lines(*[fts_message(f_size=None, file_size=100_000_000)] * 2),
}
"""Two messages in each form that they are stored in."""

WHOLE = {
    "gridftp.log": "\n".join(
        [log_line(), log_line(FILE="/a b"), log_line(retrans="1,2"), log_line(CODE=426), ""]
    ),
    "events.log": "\n".join([event(0, "start", file="a"), event(1, "end", bytes=1), log_line()]),
    **{f"{name}.json": text for name, text in FTS_FORMS.items()},
    "job.json": json_lines({"job_id": "j", "files": [fts_file(), fts_file()]}),
}
"""Whole logs in each form, for tests that damage them."""
