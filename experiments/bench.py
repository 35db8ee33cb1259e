"""``gridftp bench``: what a delivered segment costs in wall time, as ratios measured in one go.

To add a contender, add it to `CONTENDERS`; the first is the baseline.
"""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table

from analysis.figures import bench as bench_figure
from analysis.files import write_atomically
from analysis.results import Result, ResultError, parse

from . import present
from .arguments import Parser, add_results, positive
from .errors import ProgramError
from .programs import Program, locate

PARALLELISM = (1, 4, 8)


@dataclass(frozen=True)
class Measurement:
    """One run of one contender."""

    segments: int
    wall_s: float
    goodput_bps: float
    scenario: Mapping[str, Any]

    @property
    def cost_ns(self) -> float:
        """Wall time per delivered segment in nanoseconds."""
        return self.wall_s * 1e9 / self.segments


def _from_result(text: bytes, name: str) -> Measurement:
    """Read a measurement from a result."""
    result: Result = parse(text, name)
    summary = result.summary().iloc[0]
    return Measurement(
        int(summary["segments"]),
        float(result.data["cost"]["wall_s"]),
        float(summary["goodput_bps"]),
        result.scenario,
    )


@dataclass(frozen=True)
class Contender:
    """Something that moves a file over N connections of the same dumbbell.

    Attributes:
        name, label: in files; for people.
        program: the program's name.
        options: its options besides the file's size and the parallelism.
        read: from what it printed to a measurement.
    """

    name: str
    label: str
    program: str
    options: tuple[str, ...] = ()
    read: Callable[[bytes, str], Measurement] = _from_result

    def measure(self, program: Program, parallelism: int, size: tuple[str, ...]) -> Measurement:
        """Run it once.

        Raises:
            UserError: it refuses its options.
            ProgramError: it fails, or delivers nothing.
        """
        text = program.call(*self.options, f"--parallelism={parallelism}", *size, "--json")
        try:
            measured = self.read(text, self.name)
        except ResultError as error:
            raise ProgramError(str(error)) from None
        if measured.segments < 1 or measured.wall_s <= 0:
            raise ProgramError(f"{self.name}: no segments or no wall time to measure")
        return measured


CONTENDERS = (
    Contender("bulk", "BulkSend to PacketSink", "gridftp-bulk-baseline"),
    Contender("gridftp", "GridFTP", "gridftp-transfer", ("--mode=fixed",)),
)

# Keys of the scenario in which contenders may differ: what they are, not what they run on.
_OWN_KEYS = {"mode", "engine", "sessions", "background", "chunk_size_bytes", "block_size_bytes",
             "layout", "data_channels", "parallelism"}  # fmt: skip


@dataclass
class Case:
    """All measurements at one parallelism, by contender, in the order taken."""

    parallelism: int
    taken: dict[str, list[Measurement]] = field(default_factory=dict)

    def ratios(self, name: str, baseline: str) -> list[float]:
        """Return the cost of each run over that of the baseline's run just before it."""
        pairs = zip(self.taken[name], self.taken[baseline], strict=True)
        return [own.cost_ns / base.cost_ns for own, base in pairs]

    def plain(self, contenders: Sequence[Contender]) -> dict[str, Any]:
        """Return it as JSON data."""
        baseline, *others = [contender.name for contender in contenders]
        told = {}
        for name, runs in self.taken.items():
            costs = [run.cost_ns for run in runs]
            told[name] = {
                "segments": runs[0].segments,
                "goodput_bps": runs[0].goodput_bps,
                "wall_s": [run.wall_s for run in runs],
                "cost_ns_per_segment": costs,
                "median_cost_ns_per_segment": statistics.median(costs),
            }
        ratios = {}
        for name in others:
            pairs = self.ratios(name, baseline)
            ratios[name] = {"pairs": pairs, "median": statistics.median(pairs)}
        return {"parallelism": self.parallelism, "contenders": told, "ratios": ratios}


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status."""
    parser = Parser("bench", "What a delivered segment costs in wall time, as a ratio.")
    parser.add_argument(
        "--repeat", type=positive, default=7, metavar="N", help="runs of each (default: 7)"
    )
    parser.add_argument(
        "--file-size", default="200MB", metavar="SIZE", help="file of a run (default: 200MB)"
    )
    add_results(parser)
    options = parser.parse_args(arguments)
    programs = {contender.name: locate(contender.program) for contender in CONTENDERS}
    size = (f"--file-size={options.file_size}",)
    cases = _measure(programs, size, options.repeat)
    data = _report(cases, options.repeat)
    path = options.results / "bench.json"
    write_atomically({path: (json.dumps(data, indent=1) + "\n").encode()})
    pictures = bench_figure.draw(data, options.results / "figures" / "bench")
    out = present.standard_output()
    _print(data, out)
    present.say(out, "Files:")
    present.print_files(out, [path, *pictures])
    return 0


def _measure(programs: Mapping[str, Program], size: tuple[str, ...], repeat: int) -> list[Case]:
    """Run all contenders in turn, A B A B ..., one at a time, at each parallelism.

    Raises:
        ProgramError: one fails, or they do not run on the same dumbbell.
    """
    err = present.standard_error()
    cases = []
    bars = Progress(
        TextColumn("{task.description}"), BarColumn(), console=err, transient=True,
        disable=not err.is_terminal,
    )  # fmt: skip
    with bars:
        task = bars.add_task("", total=len(PARALLELISM) * repeat * len(CONTENDERS))
        for parallelism in PARALLELISM:
            case = Case(parallelism, {contender.name: [] for contender in CONTENDERS})
            for _ in range(repeat):
                for contender in CONTENDERS:
                    bars.update(task, description=f"N = {parallelism}, {contender.label}")
                    measured = contender.measure(programs[contender.name], parallelism, size)
                    case.taken[contender.name].append(measured)
                    bars.advance(task)
            _check_same_path(case)
            cases.append(case)
    return cases


def _check_same_path(case: Case) -> None:
    """Refuse to compare contenders whose scenarios differ in what they run on."""
    scenarios = {name: runs[0].scenario for name, runs in case.taken.items()}
    common = set.intersection(*(set(scenario) for scenario in scenarios.values())) - _OWN_KEYS
    first, *others = scenarios.values()
    for key in sorted(common):
        if any(other[key] != first[key] for other in others):
            told = ", ".join(f"{name} {scenario[key]}" for name, scenario in scenarios.items())
            raise ProgramError(f"not the same dumbbell: {key} is {told}")


def _report(cases: list[Case], repeat: int) -> dict[str, Any]:
    told = [case.plain(CONTENDERS) for case in cases]
    baseline, *others = CONTENDERS
    medians = {
        other.name: statistics.median(
            ratio for case in cases for ratio in case.ratios(other.name, baseline.name)
        )
        for other in others
    }
    scenario = cases[0].taken[baseline.name][0].scenario
    return {
        "schema": bench_figure.SCHEMA,
        "contenders": [{"name": c.name, "label": c.label} for c in CONTENDERS],
        "file_size_bytes": scenario["file_size_bytes"],
        "repeat": repeat,
        "machine": {"processor": _processor(), "cores": len(os.sched_getaffinity(0))},
        "cases": told,
        "ratio_median": medians,
    }


def _processor() -> str:
    """Return the processor's name."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1] if found else platform.machine()


def _print(data: Mapping[str, Any], out: Any) -> None:
    labels = {contender["name"]: contender["label"] for contender in data["contenders"]}
    baseline = data["contenders"][0]["name"]
    table = Table(title="Wall time per delivered segment", title_justify="left")
    for heading in ("N", "contender", "goodput Mbit/s", "segments", "\N{MICRO SIGN}s per segment",
                    "ratio", "lowest to highest"):  # fmt: skip
        table.add_column(heading, justify="left" if heading == "contender" else "right")
    for case in data["cases"]:
        for name, told in case["contenders"].items():
            pairs = case["ratios"].get(name, {"pairs": []})["pairs"]
            table.add_row(
                str(case["parallelism"]),
                labels[name],
                f"{told['goodput_bps'] / 1e6:.2f}",
                str(told["segments"]),
                f"{told['median_cost_ns_per_segment'] / 1e3:.3f}",
                f"{case['ratios'][name]['median']:.3f}" if pairs else "1",
                f"{min(pairs):.3f} to {max(pairs):.3f}" if pairs else "",
            )
        table.add_section()
    out.print(table)
    for name, ratio in data["ratio_median"].items():
        present.say(
            out,
            f"{labels[name]} over {labels[baseline]}: {ratio:.3f}, the median of the ratios of "
            f"neighbouring runs ({data['repeat']} repetitions of each N)",
        )
