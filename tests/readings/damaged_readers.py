"""A process that reads damaged files with some readers, and prints the outcome of each as JSON.

Each reader works in a process of its own, so that the memory is that of the reader, and a reader
that never returns can be ended. These processes are forks of the first one, so that the libraries
are imported only once: that takes longer than most readers.
"""

from __future__ import annotations

import io
import json
import os
import re
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import made_up_iperf3
import made_up_perf
import made_up_readings as made_up
import made_up_sockets
import made_up_transfers
from damage import damaged, most_kb
from made_up_readings import MadeUp
from rich.console import Console

from analysis.figures import kinds
from analysis.read import results
from analysis.read.results import ResultError
from experiments.errors import UserError
from experiments.profile import transfer_report
from experiments.programs.option_table import OptionTable
from experiments.programs.program import locate
from experiments.readings import files
from experiments.readings.content import read_content
from experiments.readings.report import describe, print_report
from experiments.spec.load import Changes, load_spec
from experiments.transfer_logs.files import are_transfer_logs, read_transfers
from experiments.transfer_logs.groups import groups_of

ROOT = Path(__file__).resolve().parents[2]
REAL = Path(__file__).parent / "samples"

SECONDS = 60
"""How long a reader may take for one file."""

FAULTS = 5
"""After so many it ends."""

Read = Callable[[Path], None]


def seeds_of(part: str) -> list[bytes]:
    """Return files that the reader of a part of a run reads: the real ones, and made-up forms."""
    found = [path.read_bytes() for path in sorted(REAL.iterdir()) if _part(path) == part]
    if part == "perf":
        found += [form.encode() for form in made_up_perf.FORMS]
    if part == "iperf3":
        found += [form.encode() for form in made_up_iperf3.FORMS]
    if part == "sockets":
        found += [form.encode() for form in made_up_sockets.FORMS.values()]
    if part == "sadf":
        found.append(json.dumps(made_up.sadf(MadeUp(cores=2)), indent=1).encode())
    return found


def _part(path: Path) -> str:
    content = read_content(path)
    return next(reader.part for reader in files.READERS if reader.recognises(content))


def _describe(paths: list[Path]) -> None:
    report = describe(paths)
    # What is printed has to be text: io.TextIOWrapper encodes as a terminal does.
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    print_report(Console(file=out, width=100), report)
    report.host_files()
    out.flush()


def _reading(part: str) -> tuple[list[bytes], Read]:
    return seeds_of(part), lambda path: _describe([path])


def _run(folder: Path) -> tuple[list[bytes], Read]:
    """Read a damaged file among the others of three runs, and fit the costs to them."""
    runs = [
        made_up.write(folder, name, made_up.DIFFERENT[name]) for name in ("plain", "calls", "two")
    ]
    others = [path for run in runs for path in run]
    first = others[:3]
    texts = {path.name: path.read_bytes() for path in first}

    def read(path: Path) -> None:
        content = path.read_bytes()
        # The file of the first run that it is most like.
        kinds = (b"sysstat", b"Overhead", b"start")
        number = next((place for place, kind in enumerate(kinds) if kind in content), 0)
        first[number].write_bytes(content)
        try:
            _describe(others)
        finally:
            first[number].write_bytes(texts[first[number].name])

    return list(texts.values()), read


def _logs(folder: Path) -> tuple[list[bytes], Read]:
    """Read and report damaged transfer logs; what is none any more goes to the other readers."""

    def read(path: Path) -> None:
        if not are_transfer_logs([path]):
            _describe([path])
            return
        transfers, tallies = read_transfers([path])
        groups = groups_of(transfers)
        shown = transfer_report.shown_of(groups, transfer_report.ROWS)
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        console = Console(file=out, width=100)
        transfer_report.print_report(console, tallies, groups, shown, [], None)
        out.write(json.dumps(transfer_report.as_json(tallies, groups, shown, [], None)))
        out.flush()

    return [text.encode() for text in made_up_transfers.WHOLE.values()], read


def _spec(folder: Path) -> tuple[list[bytes], Read]:
    table = OptionTable.read(locate("gridftp-transfer").object("--describe"))
    kinds("fig07")  # loads the drawing library, which takes seconds
    names = ("papers/allcock/sweeps/fig07.toml", "papers/ito/sweeps/fig06.toml")
    found = [(ROOT / name).read_bytes() for name in names]
    found.append((ROOT / "contrib/gridftp/examples/server.toml").read_bytes())

    def read(path: Path) -> None:
        load_spec(path, table, Changes(profiled=True))

    return found, read


def _result(folder: Path) -> tuple[list[bytes], Read]:
    text = locate("gridftp-transfer").call("--file-size=1MB", "--json")

    def read(path: Path) -> None:
        try:
            results.load(path)
        except ResultError as error:
            raise UserError(str(error)) from None

    return [text], read


READERS: dict[str, Callable[[Path], tuple[list[bytes], Read]]] = {
    **{reader.part: lambda _, part=reader.part: _reading(part) for reader in files.READERS},
    "run": _run,
    "logs": _logs,
    "spec": _spec,
    "result": _result,
}
"""Makes the seeds and the reader of each kind in a folder."""


@contextmanager
def _soon() -> Iterator[None]:
    def late(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"took more than {SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def _fault(read: Read, path: Path) -> tuple[bool, str]:
    """Read a file; return whether it was refused, and what is wrong with how."""
    try:
        with _soon():
            read(path)
    except UserError as error:
        told = str(error)
        try:
            told.encode()
        except UnicodeEncodeError:
            return True, f"cannot be printed: {told!r}"
        is_good = "\n" not in told and len(told) < 2000 and re.match(r"\S+: ?", told)
        return True, "" if is_good else f"is no line with the name of a file: {told!r}"
    except Exception:
        return False, traceback.format_exc(limit=-4)
    return False, ""


def _survive(kind: str, count: int, seed: int) -> dict[str, Any]:
    """Read so many damaged files with a reader from a seed on; return the outcome."""
    faults, refused = [], 0
    with tempfile.TemporaryDirectory() as folder:
        seeds, read = READERS[kind](Path(folder))
        path = Path(folder) / "damaged"
        for number in range(seed, seed + count):
            path.write_bytes(damaged(seeds, Random(number)))
            is_refused, fault = _fault(read, path)
            refused += is_refused
            if fault:
                faults.append(f"seed {number}: {fault}")
            if len(faults) == FAULTS:
                break
    return {"kind": kind, "refused": refused, "faults": faults, "mb": most_kb() // 1024}


def main() -> int:
    """Read COUNT damaged files from the SEED on with each reader of KIND...; print a line each."""
    count, seed, kinds = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    for kind in kinds:
        child = os.fork()
        if child == 0:
            print(json.dumps(_survive(kind, count, seed)), flush=True)
            os._exit(0)
        if status := os.waitpid(child, 0)[1]:
            print(f"the reader {kind} ended with wait status {status}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
