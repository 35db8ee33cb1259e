"""`./gridftp test --mutants`: tries mutants, and says which ones the tests do not notice.

Those of mutants.toml are always tried; more are drawn. Verdicts are kept in build/mutants, so what
was interrupted goes on. The exit status is 1 if a mutant lives that mutants.toml does not call
equivalent.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Container, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path

from launcher import sources

from . import cplusplus, python
from .ledger import Ledger, ListError, read_list, read_times, state_of, write_times
from .mutant import Mutant
from .worker import (
    ENGINES,
    INVALID,
    LIVED,
    PACKAGES,
    SLOW,
    UNNOTICED,
    Limits,
    TreeError,
    Worker,
)

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("mutants.toml")
PLACE = ROOT / "build/mutants"
PYTHON = ("experiments", "analysis")
GOLDEN = ROOT / "tests/golden"


class Trial:
    """Mutants on their way through the workers."""

    def __init__(
        self,
        workers: list[Worker],
        ledger: Ledger,
        suites_alone: bool,
        equivalent: Container[str],
    ) -> None:
        self._free = list(workers)
        self._suites_alone = suites_alone
        self._ledger = ledger
        self._equivalent = equivalent
        self._lock = threading.Lock()
        self.stopped = False

    def judge(self, mutant: Mutant) -> str:
        """Return a verdict, from the ledger or by trying."""
        known = self._ledger.get(mutant)
        if known and (known != UNNOTICED or self._suites_alone or mutant.key in self._equivalent):
            return known
        if self.stopped:
            raise KeyboardInterrupt
        with self._lock:
            worker = self._free.pop()
        try:
            verdict, seconds = worker.judge(mutant, self._suites_alone, known == UNNOTICED)
        finally:
            with self._lock:
                self._free.append(worker)
        with self._lock:
            self._ledger.add(mutant, verdict, seconds)
            tell(mutant, f"{verdict}, {seconds:.0f} s")
        return verdict


def tell(mutant: Mutant, text: str) -> None:
    """Print one line of a mutant."""
    before, after = mutant.before.strip(), mutant.after.strip()
    print(f"{text}: {mutant.file}:{mutant.line}: {before}  ->  {after}", flush=True)


def some_of(trial: Trial, waiting: Iterator[Mutant], count: int) -> Iterator[tuple[Mutant, str]]:
    """Yield the first `count` that compile, with their verdicts."""
    found = 0
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        while found < count:
            batch = list(islice(waiting, count - found))
            if not batch:
                return
            for mutant, verdict in zip(batch, pool.map(trial.judge, batch), strict=True):
                if verdict != INVALID:
                    found += 1
                    yield mutant, verdict


def report(verdicts: dict[Mutant, str], reasons: dict[str, str]) -> int:
    """Print the score and who lives; return how many of these are not equivalent."""
    lived = [mutant for mutant, verdict in verdicts.items() if verdict in (LIVED, UNNOTICED)]
    unexplained = [mutant for mutant in lived if mutant.key not in reasons]
    print()
    for mutant in lived:
        tell(mutant, f"equivalent ({reasons[mutant.key]})" if mutant.key in reasons else "LIVES")
    for language in (".py", ""):
        those = [v for m, v in verdicts.items() if m.file.endswith(".py") == bool(language)]
        if those:
            by = ", ".join(
                f"{n} by {who}"
                for who, n in Counter(those).most_common()
                if who not in (LIVED, UNNOTICED)
            )
            noticed = sum(v not in (LIVED, UNNOTICED) for v in those)
            name = "Python" if language else "C++"
            share = 100 * noticed / len(those)
            print(f"{name}: {noticed} of {len(those)} mutants noticed ({share:.1f} %): {by}")
    print(f"mutants: {len(verdicts) - len(unexplained)} passed, {len(unexplained)} failed")
    return len(unexplained)


def main(words: list[str]) -> int:
    """Try mutants."""
    parser = argparse.ArgumentParser(prog="gridftp test --mutants --")
    parser.add_argument("--cpp", type=int, default=150, metavar="N", help="of core (150)")
    parser.add_argument("--python", type=int, default=50, metavar="N", help="of Python (50)")
    parser.add_argument("--only", default="", metavar="TEXT", help="of files whose name has TEXT")
    parser.add_argument("--suites", action="store_true", help="ask the module's suites alone")
    options = parser.parse_args(words)
    try:
        listed, reasons = read_list(ROOT, LIST)
    except ListError as error:
        print(f"gridftp: test: {error}", file=sys.stderr)
        return 1
    core = sources.files(sources.folders("core"))
    packages = [file for name in PYTHON for file in sorted((ROOT / name).rglob("*.py"))]
    drawn = [[file for file in files if options.only in str(file)] for files in (core, packages)]
    recorded = [file for ending in ("jsonl", "tsv") for file in GOLDEN.rglob(f"*.{ending}")]
    tests = list((ROOT / "tests").rglob("*.py")) + sources.files(sources.folders("test"))
    PLACE.mkdir(parents=True, exist_ok=True)
    state = state_of([*core, *packages, *tests, *recorded])
    ledger = Ledger(PLACE / "ledger.jsonl", state, reasons)
    ns3 = Path(os.environ["GRIDFTP_NS3"])
    count = len(os.sched_getaffinity(0))
    files = read_times(PLACE / "times.json", state)
    workers = [Worker(ROOT, PLACE / str(i), ns3, Limits(files=files)) for i in range(count)]
    started = time.monotonic()
    with ThreadPoolExecutor(count) as pool:
        list(pool.map(Worker.prepare, workers))
        if not options.suites and not files:
            list(pool.map(Worker.check, cycle(workers), (PACKAGES, ENGINES)))
            workers[0].check_golden(SLOW)
            write_times(PLACE / "times.json", state, files)
    print(f"{count} copies built and tried in {time.monotonic() - started:.0f} s", flush=True)
    trial = Trial(workers, ledger, options.suites, reasons)

    verdicts: dict[Mutant, str] = {}
    try:
        with ThreadPoolExecutor(count) as pool:
            own = [mutant for mutant in listed if options.only in mutant.file]
            verdicts.update(zip(own, pool.map(trial.judge, own), strict=True))
        verdicts.update(some_of(trial, cplusplus.draw(ROOT, drawn[0]), options.cpp))
        if not options.suites:
            verdicts.update(some_of(trial, python.draw(ROOT, drawn[1]), options.python))
    except KeyboardInterrupt:
        trial.stopped = True
        raise
    return 1 if report(verdicts, reasons) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except TreeError as error:
        print(f"gridftp: test: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
