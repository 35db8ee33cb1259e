"""Stands in for the simulation programs in tests: makes up results at once."""

from __future__ import annotations

import sys
from typing import Any

import synthetic

GOODPUT = {1: 25.4, 2: 50.5, 3: 74.0, 4: 95.5, 5: 93.0, 8: 90.0, 64: 540.0, 4096: 8800.0}
UNITS = {"GB": 1_000_000_000, "MB": 1_000_000, "B": 1}
PATHS = {
    "mi": [1, 2, 4, 8],
    "mi-plus": [1, 2, 4, 8, 4],
    "aimd": [1, 2, 3, 4, 5, *[2, 3, 4, 5] * 30],
    "fixed": [],
}


def read(arguments: list[str]) -> dict[str, str]:
    """Return the options as a table; a switch is "on"."""
    options = {}
    for word in arguments:
        name, _, value = word.removeprefix("--").partition("=")
        options[name] = value or "on"
    return options


def size_bytes(text: str) -> int:
    """Return a size in bytes, or refuse it as the programs do."""
    for unit, factor in UNITS.items():
        number = text.removesuffix(unit)
        if number != text and number.isdecimal():
            return int(number) * factor
    print(f"gridftp: --file-size={text} is not a size", file=sys.stderr)
    sys.exit(2)


def result(options: dict[str, str]) -> dict[str, Any]:
    """Return the result of the options."""
    mode = options.get("mode", "mi")
    parallelism = int(options.get("parallelism", 1))
    scenario = {"parallelism": parallelism}
    if "engine" in options:
        scenario["engine"] = options["engine"]
    if "file-size" in options:
        scenario["file_size_bytes"] = size_bytes(options["file-size"])
    chunk = synthetic.PAPER_SCENARIO["chunk_size_bytes"]
    size = scenario.get("file_size_bytes", synthetic.PAPER_SCENARIO["file_size_bytes"])
    levels = PATHS[mode] or [parallelism]
    return synthetic.make(mode, synthetic.path(levels, GOODPUT, -(-size // chunk)), **scenario)
