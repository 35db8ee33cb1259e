"""Runs the recorded scenarios, and what is recorded of a result."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
SCENARIOS = FOLDER / "scenarios"
RESULTS = FOLDER / "results"

PROGRAMS = {"segment": "gridftp-transfer", "ns3": "gridftp-transfer-ns3"}
"""Engines, and the program of each."""

_NOT_RECORDED = frozenset({"scenario", "cost", "provenance", "schema", "reason", "notes"})
"""Keys of a result that say what was asked, what it cost, or something in words."""


@dataclass(frozen=True)
class Row:
    """A line of a file of results.

    Attributes:
        digest: of the whole result, but for `_NOT_RECORDED`.
        status: of the run.
        duration_s: of its sessions, the longest.
        data_bytes: that all sessions delivered.
        segments, retransmissions: of the TCP of all sessions.
    """

    digest: str
    status: str
    duration_s: str
    data_bytes: str
    segments: str
    retransmissions: str

    @classmethod
    def of(cls, result: dict[str, Any]) -> Row:
        """Return the line for a result as the program prints it."""
        sessions = result.get("sessions", [])
        tcp = [session.get("tcp") or {} for session in sessions]
        return cls(
            digest_of(result),
            result["status"],
            repr(max((session["duration_s"] or 0 for session in sessions), default=0)),
            str(sum(session["bytes"] for session in sessions)),
            str(sum(one.get("segments") or 0 for one in tcp)),
            str(sum(one.get("retransmissions") or 0 for one in tcp)),
        )


HEADING = "\t".join(field.name for field in fields(Row))


def digest_of(result: dict[str, Any]) -> str:
    """Return a digest of a result but for `_NOT_RECORDED`; numbers count in full precision."""
    text = json.dumps(_stripped(result), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _stripped(v) for k, v in value.items() if k not in _NOT_RECORDED}
    return [_stripped(one) for one in value] if isinstance(value, list) else value


def names() -> list[str]:
    """Return what the scenarios are about: the names of their files."""
    return sorted(file.stem for file in SCENARIOS.glob("*.jsonl"))


def scenarios(name: str, engine: str) -> list[str]:
    """Return the scenarios of a file as lines of a batch for an engine."""
    lines = (SCENARIOS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.dumps({**json.loads(line), "engine": engine}) for line in lines]


def simulate(name: str, engine: str, programs: Path, most: int | None = None) -> Iterator[Row]:
    """Run the scenarios of a file, one after the other in one process.

    Args:
        name: of the file.
        engine: that runs them.
        programs: the folder of the built programs.
        most: how many of them, from the first on; None: all.

    Raises:
        RuntimeError: the program ended before it had answered each of them.
    """
    lines = scenarios(name, engine)[:most]
    done = subprocess.run(
        [programs / PROGRAMS[engine], "--batch=-"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    answers = done.stdout.splitlines()
    if len(answers) != len(lines):
        raise RuntimeError(f"{name}: {len(answers)} of {len(lines)} answers; {done.stderr[-300:]}")
    yield from (Row.of(json.loads(answer)) for answer in answers)


def read(name: str, engine: str) -> list[Row]:
    """Return what is recorded for the scenarios of a file, [] if nothing is."""
    file = RESULTS / engine / f"{name}.tsv"
    if not file.exists():
        return []
    return [Row(*line.split("\t")) for line in file.read_text(encoding="utf-8").splitlines()[1:]]


def write(name: str, engine: str, rows: list[Row]) -> None:
    """Record the results of the scenarios of a file."""
    file = RESULTS / engine / f"{name}.tsv"
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [HEADING, *("\t".join(astuple(row)) for row in rows)]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences(name: str, engine: str, rows: list[Row], most: int | None = None) -> list[str]:
    """Return a line for each result that is not the recorded one, of the first `most`."""
    recorded = read(name, engine)[:most]
    if len(recorded) != len(rows):
        return [f"{engine} {name}: {len(rows)} results; recorded: {len(recorded)}"]
    found = []
    for number, (old, new) in enumerate(zip(recorded, rows, strict=True), 1):
        if old == new:
            continue
        moved = [
            f"{field.name} {getattr(old, field.name)} -> {getattr(new, field.name)}"
            for field in fields(Row)[1:]
            if getattr(old, field.name) != getattr(new, field.name)
        ]
        found.append(f"{engine} {name}:{number}: {', '.join(moved) or 'other numbers'}")
    return found
