"""What is promised to stay: options, keys of results and verbs, as they are now.

`.venv/bin/python -m release.promised` writes them to the list of what was promised, for whoever
makes a release; a test holds what is there against it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.read import result_schema
from experiments.programs.program import BUILD_DIR, locate
from experiments.terminal.arguments import ROOT
from launcher.commands import COMMANDS

FILE = Path(__file__).with_name("promised.txt")
"""A line for each."""


def lines() -> list[str]:
    """Return a line for each option, each key of a result and each verb that there is.

    An option with its key in results, its unit and its default; a key with its unit.

    Raises:
        ProgramError: the program does not tell its options.
    """
    described = locate("gridftp-transfer").object("--describe")["options"]
    options = {
        _words("option", one["name"], one["key"], one["unit"], one["default"]) for one in described
    }
    form = json.loads(result_schema.PATH.read_text(encoding="utf-8"))
    keys = {*_keys(form, "")}
    for name, part in form["$defs"].items():
        keys |= {*_keys(part, f"{name}:")}
    return sorted({*options, *keys, *(_words("verb", name) for name in COMMANDS)})


def _keys(part: Mapping[str, Any], place: str) -> Iterator[str]:
    """The keys of an object, or of those in a list, and of what is within."""
    for name, about in part.get("properties", {}).items():
        yield _words("key", f"{place}{name}", about.get("unit", ""))
        yield from _keys(about, f"{place}{name}.")
    if isinstance(part.get("items"), dict):
        yield from _keys(part["items"], place)


def _words(*words: str) -> str:
    return " ".join(word for word in words if word)


def main() -> None:
    """Write the list, by the programs that ./gridftp built last unless it is told of others."""
    os.environ.setdefault(BUILD_DIR, str(ROOT / "build/current/bin"))
    FILE.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")


if __name__ == "__main__":
    main()
