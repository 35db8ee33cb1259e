"""Compares the engines with their recorded results, or records them: see the package."""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import dialogues, recorded


def main(words: list[str]) -> int:
    """Run the scenarios; return 1 if a result differs and is not recorded."""
    parser = argparse.ArgumentParser(prog="tests.golden", description=__doc__)
    parser.add_argument("--write", action="store_true", help="record the results")
    parser.add_argument("--engine", choices=recorded.PROGRAMS, help="only this engine")
    options = parser.parse_args(words)
    programs = Path(os.environ.get("GRIDFTP_BUILD_DIR", "build/current/bin"))
    engines = [options.engine] if options.engine else list(recorded.PROGRAMS)
    todo = [(name, engine) for engine in engines for name in recorded.names()]
    found: list[str] = []
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = pool.map(lambda one: list(recorded.simulate(*one, programs)), todo)
        for (name, engine), rows in zip(todo, results, strict=True):
            found += recorded.differences(name, engine, rows)
            if options.write:
                recorded.write(name, engine, rows)
        if "ns3" in engines:
            talks = pool.map(
                lambda name: list(dialogues.simulate(name, programs)), recorded.names()
            )
            for name, rows in zip(recorded.names(), talks, strict=True):
                found += dialogues.differences(name, rows)
                if options.write:
                    dialogues.write(name, rows)
    print("\n".join([*found, f"{len(found)} differences"]))
    return 1 if found and not options.write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
