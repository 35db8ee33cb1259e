"""Keep results as files: only valid ones, whole ones, and know what each was made from.

``runs/NAME.json`` is the result, byte for byte as the program printed it; ``NAME.key.json`` says
what it was made from; ``NAME.failed.json`` is there if the last attempt failed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.files import write_atomically
from analysis.results import FAILED_SUFFIX, KEY_SUFFIX, Result, ResultError, load, parse

KEY_SCHEMA = 1


@dataclass(frozen=True)
class Key:
    """What a result is made from: with an equal key, simulating again would give the same."""

    scenario: Mapping[str, Any]
    engine: str | None
    program: str
    fingerprint: str

    def plain(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "key_schema": KEY_SCHEMA,
            "program": self.program,
            "program_sha256": self.fingerprint,
            "engine": self.engine,
            "scenario": dict(self.scenario),
        }


@dataclass(frozen=True)
class Folder:
    """A folder of kept results."""

    path: Path

    def file(self, name: str) -> Path:
        """Return where the result of that name is kept."""
        return self.path / f"{name}.json"

    def failure_file(self, name: str) -> Path:
        """Return where the record of that name's failure is kept."""
        return self.path / f"{name}{FAILED_SUFFIX}"

    def find(self, name: str, key: Key) -> Result | None:
        """Return the kept result if it was made from exactly this key and is still valid."""
        try:
            text = self.file(name).read_bytes()
            about = json.loads((self.path / f"{name}{KEY_SUFFIX}").read_bytes())
            if about != {**key.plain(), "result_sha256": _sha256(text)}:
                return None
            return parse(text, str(self.file(name)))
        except (OSError, ValueError):
            return None

    def store(self, name: str, key: Key, text: bytes) -> Result:
        """Validate what a program printed and keep it.

        Raises:
            ResultError: it is not a valid result of this key's scenario; nothing is kept.
            OSError: it cannot be written.
        """
        result = parse(text, name)
        _check_scenario(result, key)
        about = {**key.plain(), "result_sha256": _sha256(text)}
        write_atomically(
            {
                self.file(name): text,
                self.path / f"{name}{KEY_SUFFIX}": (json.dumps(about, indent=1) + "\n").encode(),
            }
        )
        self.failure_file(name).unlink(missing_ok=True)
        return result

    def store_failure(
        self, name: str, command: Sequence[str], status: int, reason: str, said: Mapping[str, str]
    ) -> Path:
        """Keep the record of a failed run: command, exit status, reason and what it printed.

        An earlier good result of that name stays.
        """
        path = self.failure_file(name)
        record = {"command": list(command), "exit_status": status, "reason": reason, **said}
        write_atomically({path: (json.dumps(record, indent=1) + "\n").encode()})
        return path

    def last_cost(self, name: str) -> float | None:
        """Return the wall time of the kept result in seconds, made from whatever; None if none."""
        try:
            return float(load(self.file(name)).data["cost"]["wall_s"])
        except ResultError:
            return None


def _check_scenario(result: Result, key: Key) -> None:
    """Refuse a result of another scenario than the options resolved to."""
    if result.scenario != key.scenario:
        keys = result.scenario.keys() | key.scenario.keys()
        wrong = sorted(k for k in keys if result.scenario.get(k) != key.scenario.get(k))
        raise ResultError(f"{result.source}: not the scenario asked for: {', '.join(wrong)} differ")


def _sha256(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()
