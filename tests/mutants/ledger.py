"""What is known of mutants: those of the repository's own list, and what earlier trials gave."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Container, Iterable
from pathlib import Path

from .mutant import Mutant
from .worker import LIVED, UNNOTICED


class ListError(Exception):
    """An entry of mutants.toml fits no line; the message is one line."""


def read_list(root: Path, file: Path) -> tuple[list[Mutant], dict[str, str]]:
    """Return the mutants of the list, and by key why some of them are equivalent.

    Raises:
        ListError: an entry's line is not in its file.
    """
    with file.open("rb") as opened:
        entries = tomllib.load(opened).get("mutant", [])
    found = [_find(root, entry) for entry in entries]
    reasons = {
        mutant.key: entry["equivalent"]
        for mutant, entry in zip(found, entries, strict=True)
        if "equivalent" in entry
    }
    return found, reasons


def _find(root: Path, entry: dict[str, str]) -> Mutant:
    lines = (root / entry["file"]).read_text(encoding="utf-8").split("\n")
    nth = int(entry.get("nth", 0))
    places = [i for i, line in enumerate(lines) if line.strip() == entry["before"]]
    if len(places) <= nth:
        raise ListError(f"mutants.toml: '{entry['before']}' is not in {entry['file']}")
    line = lines[places[nth]]
    indent = line[: len(line) - len(line.lstrip())]
    return Mutant(entry["file"], places[nth] + 1, line, indent + entry["after"], nth)


def state_of(files: Iterable[Path]) -> str:
    """Return a name for the content of files."""
    state = hashlib.sha256()
    for file in sorted(files):
        state.update(f"{file}\0".encode() + file.read_bytes())
    return state.hexdigest()


def read_times(path: Path, state: str) -> dict[str, float]:
    """Return what each file of pytest takes (s), as of a run that passed; of another state nothing.

    Args:
        path: where that is kept.
        state: of sources and tests.
    """
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept["files"] if kept["state"] == state else {}


def write_times(path: Path, state: str, files: dict[str, float]) -> None:
    """Keep what `read_times` returns."""
    path.write_text(json.dumps({"state": state, "files": files}, indent=1), encoding="utf-8")


class Ledger:
    """Verdicts that were reached, kept in a file as they come.

    One that was noticed stays so: tests are added, seldom taken away. One that lived is tried again
    once any source or test has changed, but for those that are known to be equivalent.

    Args:
        file: where verdicts are kept.
        state: of sources and tests.
        equivalent: keys of mutants that no test can notice.
    """

    def __init__(self, file: Path, state: str, equivalent: Container[str] = ()) -> None:
        self._file = file
        self._state = state
        self._known: dict[str, str] = {}
        if file.is_file():
            for line in file.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self._known.pop(row["key"], None)
                lived = row["verdict"] in (LIVED, UNNOTICED)
                if not lived or row["state"] == state or row["key"] in equivalent:
                    self._known[row["key"]] = row["verdict"]

    def get(self, mutant: Mutant) -> str | None:
        """Return the verdict of a mutant, or None."""
        return self._known.get(mutant.key)

    def add(self, mutant: Mutant, verdict: str, seconds: float) -> None:
        """Keep a verdict, and how long it took, s."""
        self._known[mutant.key] = verdict
        row = {
            "key": mutant.key,
            "state": self._state,
            "verdict": verdict,
            "seconds": round(seconds, 1),
            "place": f"{mutant.file}:{mutant.line}",
            "before": mutant.before.strip(),
            "after": mutant.after.strip(),
        }
        with self._file.open("a", encoding="utf-8") as opened:
            opened.write(json.dumps(row) + "\n")
