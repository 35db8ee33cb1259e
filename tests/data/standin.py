"""Stands in for the simulation programs in tests: prints made-up results at once.

What it does in a mode is told by the environment: STANDIN is JSON, mode to one of the words below;
without a word it prints a valid result. STANDIN_LOG names a file that gets one line per simulation.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
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


def progress(fraction: float) -> None:
    """Report progress as a simulation does."""
    told = {"sim_s": 9.5, "chunk": 1, "chunks": 10, "parallelism": 1, "fraction": fraction}
    print(json.dumps({"progress": told}), file=sys.stderr, flush=True)


def main() -> None:
    """Do what the options and the environment say."""
    options = read(sys.argv[1:])
    made = result(options)
    if "resolve" in options:
        print(json.dumps(made["scenario"]))
        return
    mode = made["scenario"]["mode"]
    if "STANDIN_LOG" in os.environ:
        with Path(os.environ["STANDIN_LOG"]).open("a") as log:
            log.write(f"{mode} {os.getpid()}\n")
    progress(0.5)
    behaviour = json.loads(os.environ.get("STANDIN", "{}")).get(mode, "good")
    if behaviour == "crash":
        print("about to crash", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if behaviour == "hang":
        time.sleep(60)
    if behaviour == "rubbish":
        print("goodput: very good")
        return
    if behaviour == "failed":
        made |= {"status": "failed", "reason": "425 data connection refused"}
    if behaviour == "newer":
        made["schema"] = 2
    if behaviour == "short":
        made["sessions"][0]["chunks"][0]["bytes"] -= 1
    if behaviour == "other scenario":
        made["scenario"]["delay_s"] = 0.02
    if behaviour == "talk":
        print("the queue is small", file=sys.stderr)
    print(json.dumps(made))
    if behaviour == "failed":
        sys.exit(1)


if __name__ == "__main__":
    main()
