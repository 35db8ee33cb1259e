"""``gridftp bench --instructions``: what a delivered segment costs engine segment, without noise.

Counted by callgrind, of Debian's package valgrind: the instructions (callgrind's Ir) of the whole
process, from the dynamic linker to the last line of the result, over the segments delivered for the
first time by all sessions and background connections. The same program on the same scenario gives
the same number but for what a digit more or less in its printed wall time takes. Two builds of the
same code do not: gcc chooses other registers where declarations stand in another order, some 3 %
have been seen.

Start-up is included. A column of its own shows it: the instructions of the same scenario with files
of one byte, which reads the options, opens the connections, moves next to nothing and prints the
result. With files of 1 GB it is some 4 instructions a segment.

To add a transfer, add it to `POINTS`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from analysis.drawing.style import decimal_bytes
from analysis.files import write_atomically

from ..errors import ProgramError
from ..programs.program import Program, locate
from ..terminal import present
from ..terminal.arguments import Parser, add_results, results_of, user_path
from ..terminal.progress import CostProgress

SCHEMA = 1

_GB, _MB = 10**9, 10**6

_STARTS_ANOTHER = ("--session=", "--background=")


@dataclass(frozen=True)
class Point:
    """A transfer whose instructions are counted.

    Attributes:
        name, label: in files; for people.
        file_size_bytes: of the file of each session.
        options: of ``gridftp-transfer``.
    """

    name: str
    label: str
    file_size_bytes: int
    options: tuple[str, ...] = ()

    def words(self, file_size_bytes: int) -> list[str]:
        """Return the words behind the program's name, for files of that size."""
        return [f"--file-size={file_size_bytes}B", *self.options, "--json"]

    @property
    def cost(self) -> float:
        """What has to be delivered, for the progress: bytes, of all who start."""
        others = [option for option in self.options if option.startswith(_STARTS_ANOTHER)]
        return self.file_size_bytes * (1 + len(others))


def _one_chunk(parallelism: int) -> Point:
    options = ("--mode=fixed", "--chunk-size=1GB", f"--parallelism={parallelism}")
    return Point(f"n{parallelism}", f"N = {parallelism}, one chunk", _GB, options)


_FIXED = ("--mode=fixed", "--parallelism=1")
POINTS = (
    _one_chunk(1),
    _one_chunk(4),
    _one_chunk(8),
    Point("mi", "MI", _GB),
    Point(
        "sessions",
        "four sessions, N = 1; delays of 10, 10, 12 and 15 ms",
        100 * _MB,
        (*_FIXED, "--session=delay=10ms", "--session=delay=12ms", "--session=delay=15ms"),
    ),
    Point(
        "background",
        "N = 1, 10 ms; background connection, 12 ms",
        100 * _MB,
        (*_FIXED, "--background=delay=12ms"),
    ),
    Point(
        "linux",
        "Linux hosts, CUBIC, N = 4",
        _GB,
        ("--stack=linux", "--mode=fixed", "--chunk-size=1GB", "--parallelism=4"),
    ),
    Point("files", "1,000 files of 1 kB, N = 1", 1000, ("--files=1000", *_FIXED)),
    Point(
        "blocks",
        "blocks of 1,000 bytes, N = 4",
        100 * _MB,
        ("--block-size=1KB", "--mode=fixed", "--chunk-size=100MB", "--parallelism=4"),
    ),
    Point("rbudp", "RBUDP at 90 Mbit/s", 100 * _MB, ("--tool=rbudp", "--tool-rate=90Mbps")),
    Point("udt", "UDT", 100 * _MB, ("--tool=udt",)),
)
"""One route; several routes that merge; hosts of today; commands and headers; datagrams."""


@dataclass(frozen=True)
class Count:
    """What a program took for a point.

    Attributes:
        segments: delivered for the first time.
        instructions: of the whole process.
        startup_instructions: of the whole process with files of one byte.
        version: of the program, as its result tells.
    """

    segments: int
    instructions: int
    startup_instructions: int
    version: Mapping[str, Any]

    @property
    def per_segment(self) -> float:
        """Instructions of the whole process per delivered segment."""
        return self.instructions / self.segments

    @property
    def startup_per_segment(self) -> float:
        """The part of `per_segment` that a file of one byte costs too."""
        return self.startup_instructions / self.segments

    def plain(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "segments": self.segments,
            "instructions": self.instructions,
            "startup_instructions": self.startup_instructions,
            "instructions_per_segment": self.per_segment,
            "startup_instructions_per_segment": self.startup_per_segment,
        }


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status.

    Raises:
        UserError: the baseline is no program.
        ProgramError: there is no valgrind, or a program fails.
    """
    parser = Parser(
        "bench --instructions",
        "Count the CPU instructions of engine segment per delivered segment with callgrind. The "
        "count has no noise. The command needs Debian's package valgrind.",
    )
    parser.add_argument(
        "--baseline",
        type=_executable,
        metavar="PROGRAM",
        help="gridftp-transfer of another build: count its instructions, too, and print the ratio",
    )
    add_results(parser)
    options = parser.parse_args(arguments)
    valgrind = _find_valgrind()
    programs = {"this": locate("gridftp-transfer")}
    if options.baseline:
        programs["baseline"] = Program(options.baseline)
    counts = _count_all(valgrind, programs)
    data = _report(valgrind, counts)
    path = results_of(options) / "bench-instructions.json"
    write_atomically({path: (json.dumps(data, indent=1) + "\n").encode()})
    out = present.standard_output()
    out.print(_table(counts))
    present.say(out, _told(data))
    present.print_files(out, [path])
    return 0


def _executable(text: str) -> Path:
    """Read the path of a program."""
    path = user_path(text)
    if not path.is_file() or not os.access(path, os.X_OK):
        raise argparse.ArgumentTypeError(f"{text!r} is not a program; allowed: an executable file")
    return path


def _find_valgrind() -> Program:
    """Return valgrind.

    Raises:
        ProgramError: it is not installed.
    """
    found = shutil.which("valgrind")
    if not found:
        raise ProgramError("valgrind is not installed; to install it: sudo apt install valgrind")
    return Program(Path(found))


# ---- Count ----------------------------------------------------------------------------------

Counts = Mapping[str, Mapping[str, Count]]
"""By point, then by program: "this", "baseline"."""


def _count_all(valgrind: Program, programs: Mapping[str, Program]) -> Counts:
    """Count every point with every program."""
    counts: dict[str, dict[str, Count]] = {}
    total = len(programs) * sum(point.cost for point in POINTS)
    with CostProgress(present.standard_error(), total) as shown:
        for point in POINTS:
            for name, program in programs.items():
                counts.setdefault(point.name, {})[name] = _count(valgrind, program, point)
                shown.advance(point.cost, f"{point.label}: {name}")
    return counts


def _count(valgrind: Program, program: Program, point: Point) -> Count:
    """Count a point with a program.

    Raises:
        ProgramError: it delivers nothing, or prints something else than a result.
    """
    text, instructions = run_counted(valgrind, program, point.words(point.file_size_bytes))
    _, startup = run_counted(valgrind, program, point.words(1))
    try:
        result = json.loads(text)
        segments = delivered(result)
        version = {key: result["provenance"][key] for key in ("version", "commit", "compiler")}
    except (ValueError, KeyError, TypeError):
        raise ProgramError(f"{program.path} printed no result of gridftp-transfer") from None
    if segments < 1:
        raise ProgramError(f"{program.path}: {point.label}: no segment was delivered")
    return Count(segments, instructions, startup, version)


def run_counted(valgrind: Program, program: Program, words: list[str]) -> tuple[bytes, int]:
    """Run a program under callgrind; return what it printed and its instructions.

    Raises:
        UserError: the program refuses its options.
        ProgramError: it fails, or nothing was counted.
    """
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "profile")
        # --quiet, so that the last line on standard error is the program's.
        options = ("--quiet", "--tool=callgrind", f"--callgrind-out-file={profile}")
        text = valgrind.call(*options, str(program.path), *words)
        try:
            found = re.search(r"^totals: (\d+)", profile.read_text("utf-8"), re.MULTILINE)
        except FileNotFoundError:
            found = None
    if not found:
        raise ProgramError(f"{valgrind.path} counted no instructions of {program.path}")
    return text, int(found[1])


def delivered(result: Mapping[str, Any]) -> int:
    """Return the segments that all sessions and background connections delivered.

    Of a tool that moves the file by datagrams, the packets that were not sent before.

    A baseline's result may be of another schema than this build's: the counters of a connection's
    end are in "tcp", in "summary" or stand alone.
    """
    total = 0
    for end in [*result["sessions"], *result["background"]]:
        if "udp" in end:
            total += int(end["udp"]["packets"]) - int(end["udp"]["retransmissions"])
        else:
            total += int(end.get("tcp", end.get("summary", end))["segments"])
    return total


# ---- Tell -----------------------------------------------------------------------------------


def _report(valgrind: Program, counts: Counts) -> dict[str, Any]:
    """Return everything counted as JSON data."""
    first = next(iter(counts.values()))
    return {
        "schema": SCHEMA,
        "valgrind": valgrind.call("--version").decode().strip(),
        "programs": {name: dict(count.version) for name, count in first.items()},
        "points": {
            point.name: {
                "label": point.label,
                "command": ["gridftp-transfer", *point.words(point.file_size_bytes)],
                "counts": {name: count.plain() for name, count in counts[point.name].items()},
            }
            for point in POINTS
        },
    }


def _table(counts: Counts) -> Table:
    """Return the counts for people, the baseline's first: before and after."""
    table = Table(title="Instructions of engine segment per delivered segment, whole processes",
                  title_justify="left")  # fmt: skip
    table.add_column("transfer")
    both = any("baseline" in by_program for by_program in counts.values())
    headings = ("baseline", "this build", "ratio") if both else ("instructions",)
    for heading in ("file", "segments", *headings, "of which start-up"):
        table.add_column(heading, justify="right")
    for point in POINTS:
        by_program = counts[point.name]
        this, baseline = by_program["this"], by_program.get("baseline")
        shown = [f"{this.per_segment:.1f}"]
        if baseline:
            ratio = this.per_segment / baseline.per_segment
            shown = [f"{baseline.per_segment:.1f}", *shown, f"{ratio:.3f}"]
        table.add_row(
            point.label,
            decimal_bytes(point.file_size_bytes),
            str(this.segments),
            *shown,
            f"{this.startup_per_segment:.1f}",
        )
    return table


def _told(data: Mapping[str, Any]) -> str:
    """Return which programs they are, and what counted."""
    names = {"this": "this build", "baseline": "baseline"}
    lines = [
        f"{names[name]}: {version['version']}, commit {version['commit']}, {version['compiler']}"
        for name, version in data["programs"].items()
    ]
    return "\n".join([*lines, f"counted with {data['valgrind']}, callgrind"])
