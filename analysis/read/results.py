"""Kept results: load, validate, turn into tables.

A result is the one JSON object a simulation program prints. Units are in the names: ``_s`` seconds
of simulated time, ``_bps`` bits per second, ``_bytes`` bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .result_schema import SCHEMA, fault, kinds
from .result_schema_1 import converted

if TYPE_CHECKING:
    import pandas as pd  # imported where a table is made: a sweep needs none, and starts without it

CHUNK_KINDS = kinds("chunk")
"""What a chunk has, and as what each of its values is read."""

CHUNK = tuple(CHUNK_KINDS)
"""What a chunk has."""

_PARTS = {
    "session": None, "gridftp": "gridftp", "tcp": "tcp", "buffers": "buffers",
    "processing": "processing",
}  # fmt: skip
"""The parts of a session that a table has, and under which key each of them is."""

# Texts, and what the scenario tells under the same name or, of a session that is done, as its size.
_NOT_MEASURED = {
    "tool", "status", "reason", "bytes", "start_s", "window_bytes", "restart_marker",
}  # fmt: skip

_ENDS = {"storage": ("storage_use", ("read", "write")), "host": ("cpu_use", ("sender", "receiver"))}
"""Parts of a session with an own part for each of its ends, and what these are; what they tell is
called after the end, as ``write_seeks``."""

SESSION_KINDS = {
    key: kind for part in _PARTS for key, kind in kinds(part).items() if key not in _NOT_MEASURED
} | {
    f"{end}_{key}": kind
    for use, ends in _ENDS.values()
    for end in ends
    for key, kind in kinds(use).items()
}
"""What is measured of a session, the parts in one row, and as what each value is read."""

SESSION = tuple(SESSION_KINDS)
"""What is measured of a session."""

LINK_KINDS = {key: kind for key, kind in kinds("link").items() if key != "name"}
"""What tables tell of the first link, and as what each value is read."""

LINK = tuple(LINK_KINDS)
"""What tables tell of the first link."""

MAIN_SESSION = 0
"""The session that stands for a run where only one can, as in a figure of one transfer: the first,
which the scenario's plain values describe."""


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
        """The tuning mode of `MAIN_SESSION`."""
        return self.scenario["mode"]

    @property
    def engine(self) -> str:
        """The engine that simulated it."""
        return self.data["engine"]

    def chunks(self) -> pd.DataFrame:
        """Return one row per chunk and session.

        Columns: ``session`` (from 0), those of the result's chunks, and ``completed_s``, the
        chunk's completion in seconds after the start of its session's first chunk. Sessions that
        have no chunks have no rows.
        """
        import pandas as pd

        rows = []
        for number, chunks in enumerate(chunks_of(self.data)):
            for chunk in chunks:
                completed = chunk["end_s"] - chunks[0]["start_s"]
                rows.append({"session": number, **chunk, "completed_s": completed})
        return pd.DataFrame(rows, columns=["session", *CHUNK, "completed_s"])

    def sessions(self) -> pd.DataFrame:
        """Return one row per session: its number, mode and engine, and what is measured of it."""
        import pandas as pd

        declared = self.scenario["sessions"]
        rows = [
            {"session": number, "mode": declared[number]["mode"], "engine": self.engine, **one}
            for number, one in enumerate(measured(self.data))
        ]
        return pd.DataFrame(rows)


def measured(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return `SESSION` of each session of a result; None where a tool does not tell it."""
    rows = []
    for session in data["sessions"]:
        parts = [session if key is None else session.get(key, {}) for key in _PARTS.values()]
        told = {key: value for part in reversed(parts) for key, value in part.items()}
        for part, (_, ends) in _ENDS.items():
            for end in ends:
                own = session.get(part, {}).get(end, {})
                told |= {f"{end}_{key}": value for key, value in own.items()}
        rows.append({key: told.get(key) for key in SESSION})
    return rows


def chunks_of(data: Mapping[str, Any]) -> list[Sequence[Mapping[str, Any]]]:
    """Return the chunks of each session of a result, none where its tool has none."""
    return [session.get("gridftp", {}).get("chunks", ()) for session in data["sessions"]]


def main_chunks(chunks: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `MAIN_SESSION` of a table of chunks."""
    return chunks[chunks["session"] == MAIN_SESSION]


def total_goodput_bps(data: Mapping[str, Any]) -> float:
    """Return the goodput of a run: the sum of its sessions', each over its own time."""
    return sum(session["goodput_bps"] for session in data["sessions"])


def upgraded(data: Any, source: str) -> Any:
    """Return data as of the newest schema: a result of schema 1 is converted, all else is kept.

    Raises:
        ResultError: of schema 1, and not complete; the text begins with ``source``.
    """
    if not isinstance(data, dict) or data.get("schema") is True or data.get("schema") != 1:
        return data
    try:
        return converted(data)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        text = f"{type(error).__name__} {_first_line(error)}"
        raise ResultError(f"{source}: of schema 1 and not complete ({text})") from None


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
    return read(data, source)


def read(data: Any, source: str) -> Result:
    """Return a result from the object that it is, of this schema or an older one.

    Raises:
        ResultError: as for `parse`.
    """
    data = upgraded(data, source)
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
    """Check that a result of the newest schema is done, complete and consistent.

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
    status = data.get("status")
    if status == "failed":
        raise ResultError(f"the run failed: {data.get('reason') or 'no reason given'}")
    if wrong := fault(data):
        raise ResultError(wrong)
    sessions, declared = data["sessions"], data["scenario"]["sessions"]
    if len(sessions) != len(declared):
        raise ResultError(f"{len(sessions)} sessions, but the scenario has {len(declared)}")
    for number, (session, fields) in enumerate(zip(sessions, declared, strict=True)):
        _validate_session(session, fields, f"sessions[{number}].")


def _validate_session(session: Mapping[str, Any], declared: Mapping[str, Any], where: str) -> None:
    if session["status"] != "done":
        raise ResultError(f"{where}status is 'failed', but that of the run 'done'")
    size = declared.get("file_size_bytes")
    if size is None:
        raise ResultError(f"scenario.{where}file_size_bytes is missing")
    if "files" in session:
        size = sum(file["size_bytes"] for file in session["files"])
    elif session["bytes"] == 0 and not where.endswith(f"[{declared.get('files_of')}]."):
        return  # others have taken all files of the data set before it
    if session["bytes"] != size:
        raise ResultError(f"{where}bytes is {session['bytes']}, the file has {size}")
    if "gridftp" in session:
        _validate_chunks(session["gridftp"]["chunks"], size, f"{where}gridftp.")


def _validate_chunks(chunks: Sequence[Mapping[str, Any]], size: int, where: str) -> None:
    if not chunks:
        raise ResultError(f"{where}chunks is empty")
    previous = None
    for number, chunk in enumerate(chunks):
        place = f"{where}chunks[{number}]."
        if chunk["end_s"] <= chunk["start_s"]:
            raise ResultError(f"{place}end_s is not after start_s")
        if previous is not None and (
            chunk["index"] <= previous["index"] or chunk["start_s"] < previous["end_s"]
        ):
            raise ResultError(f"{place}index or start_s is out of order")
        previous = chunk
    moved = sum(chunk["bytes"] for chunk in chunks)
    if moved != size:
        raise ResultError(f"{where}chunks add up to {moved} bytes, the file has {size}")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
