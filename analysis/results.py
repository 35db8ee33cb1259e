"""Kept results: load, validate, turn into tables.

A result is the one JSON object a simulation program prints. Units are in the names: ``_s`` seconds
of simulated time, ``_bps`` bits per second, ``_bytes`` bytes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

SCHEMA = 1
"""Newest result schema understood here."""

_CHUNK_KEYS = {
    "index": int,
    "start_s": float,
    "end_s": float,
    "bytes": int,
    "parallelism": int,
    "next_parallelism": int,
    "goodput_bps": float,
    "rtt_s": float,
    "window_bytes": float,
    "valid": bool,
}
_SUMMARY_KEYS = {
    "goodput_bps": float,
    "duration_s": float,
    "final_parallelism": int,
    "settled_at_s": float,
    "segments": int,
    "retransmissions": int,
    "timeouts": int,
}
CHUNK = tuple(_CHUNK_KEYS)
"""What a chunk has."""

SUMMARY = tuple(_SUMMARY_KEYS)
"""What a session's summary has."""

# Null where there is nothing to measure: no reply yet, or a parallelism that keeps changing.
_MAY_BE_NULL = {"rtt_s", "settled_at_s"}

CHUNK_KINDS, SUMMARY_KINDS = dict(_CHUNK_KEYS), dict(_SUMMARY_KEYS)
"""As what a chunk and a session's summary have each of their values. JSON, and so a frame, does not
tell a real number that happens to be whole from a whole one."""


class ResultError(ValueError):
    """A result that is not usable; the text is one line and says what is wrong with it."""


@dataclass(frozen=True)
class Result:
    """One validated result of a simulation that was done.

    Attributes:
        data: the JSON object as printed by the program.
        source: where it was read from, for messages.
    """

    data: Mapping[str, Any]
    source: str

    @property
    def scenario(self) -> Mapping[str, Any]:
        """The complete resolved scenario, in SI numbers."""
        return self.data["scenario"]

    @property
    def mode(self) -> str:
        """The tuning mode of the (first) session."""
        return self.scenario["mode"]

    @property
    def engine(self) -> str:
        """The engine that simulated it."""
        return self.data["engine"]

    def chunks(self) -> pd.DataFrame:
        """Return one row per chunk and session.

        Columns: ``session`` (from 0), those of the result's chunks, and ``completed_s``, the
        chunk's completion in seconds after the start of its session's first chunk.
        """
        rows = []
        for number, session in enumerate(self.data["sessions"]):
            start = session["chunks"][0]["start_s"]
            for chunk in session["chunks"]:
                known = {key: chunk[key] for key in _CHUNK_KEYS}
                rows.append({"session": number, **known, "completed_s": chunk["end_s"] - start})
        return pd.DataFrame(rows)

    def summary(self) -> pd.DataFrame:
        """Return one row per session: mode, engine and the result's summary."""
        rows = []
        for number, session in enumerate(self.data["sessions"]):
            known = {key: session["summary"][key] for key in _SUMMARY_KEYS}
            rows.append({"session": number, "mode": self.mode, "engine": self.engine, **known})
        return pd.DataFrame(rows)


def parse(text: str | bytes, source: str) -> Result:
    """Parse and validate the text of one result.

    Args:
        text: what the program printed.
        source: where it comes from, for the message.

    Raises:
        ResultError: not a result, a newer schema, a failed run, or numbers that do not add up.
    """
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ResultError(f"{source}: not one JSON object ({_first_line(error)})") from None
    validate(data, source)
    return Result(data, source)


def load(path: Path) -> Result:
    """Read and validate one kept result.

    Raises:
        ResultError: as for `parse`, or the file cannot be read.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from None
    return parse(text, str(path))


def validate(data: Any, source: str = "result") -> None:
    """Check that a result is complete and consistent.

    Raises:
        ResultError: it is not; the text begins with ``source``.
    """
    try:
        _validate(data)
    except ResultError as error:
        raise ResultError(f"{source}: {error}") from None


def _validate(data: Any) -> None:
    if not isinstance(data, dict) or "schema" not in data:
        raise ResultError("not a result: there is no 'schema'")
    schema = data["schema"]
    if isinstance(schema, bool) or not isinstance(schema, int) or schema < 1:
        raise ResultError(f"schema {schema!r} is not a version number")
    if schema > SCHEMA:
        raise ResultError(
            f"schema {schema} is newer than {SCHEMA}, the newest understood here: "
            "use the version of this suite that wrote it, or a newer one"
        )
    status = _get(data, "status", str, "")
    if status == "failed":
        raise ResultError(f"the run failed: {data.get('reason') or 'no reason given'}")
    if status != "done":
        raise ResultError(f"status {status!r} is neither 'done' nor 'failed'")
    _get(data, "engine", str, "")
    for key in ("provenance", "bottleneck", "cost"):
        _get(data, key, dict, "")
    _get(data["cost"], "wall_s", float, "cost.")
    scenario = _get(data, "scenario", dict, "")
    _get(scenario, "mode", str, "scenario.")
    sessions = _get(data, "sessions", list, "")
    declared = _get(scenario, "sessions", list, "scenario.")
    if not sessions or len(sessions) != len(declared):
        raise ResultError(f"{len(sessions)} sessions, but the scenario has {len(declared)}")
    for number, (session, fields) in enumerate(zip(sessions, declared, strict=True)):
        where = f"sessions[{number}]."
        _validate_session(session, where)
        size = _get(fields, "file_size_bytes", int, f"scenario.{where}")
        moved = sum(chunk["bytes"] for chunk in session["chunks"])
        if moved != size:
            raise ResultError(f"{where}chunks add up to {moved} bytes, the file has {size}")


def _validate_session(session: Any, where: str) -> None:
    chunks = _get(session, "chunks", list, where)
    if not chunks:
        raise ResultError(f"{where}chunks is empty")
    summary = _get(session, "summary", dict, where)
    for key, kind in _SUMMARY_KEYS.items():
        _get(summary, key, kind, f"{where}summary.")
    previous = None
    for number, chunk in enumerate(chunks):
        place = f"{where}chunks[{number}]."
        for key, kind in _CHUNK_KEYS.items():
            _get(chunk, key, kind, place)
        if chunk["bytes"] < 1 or chunk["parallelism"] < 1 or chunk["next_parallelism"] < 1:
            raise ResultError(f"{place}bytes, parallelism and next_parallelism are at least 1")
        if chunk["end_s"] <= chunk["start_s"]:
            raise ResultError(f"{place}end_s is not after start_s")
        if previous is not None and (
            chunk["index"] <= previous["index"] or chunk["start_s"] < previous["end_s"]
        ):
            raise ResultError(f"{place}index or start_s is out of order")
        previous = chunk


def _get(table: Any, key: str, kind: type, where: str) -> Any:
    """Return ``table[key]``, checked to be of the kind."""
    if not isinstance(table, dict) or key not in table:
        raise ResultError(f"{where}{key} is missing")
    value = table[key]
    if value is None and key in _MAY_BE_NULL:
        return value
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    fits = number and math.isfinite(value) if kind is float else isinstance(value, kind)
    if not fits or (kind is int and isinstance(value, bool)):
        raise ResultError(f"{where}{key} is {str(value)[:40]!r}, not {_KINDS[kind]}")
    return value


_KINDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
