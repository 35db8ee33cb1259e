"""``gridftp bench``: measure the CPU time per delivered segment, and print it as ratios.

The contenders are both engines, ns-3's own applications and ns-2; `experiments.bench.contenders`
lists them. Their cost is the CPU time (user and system) of whole processes, including start and
set-up. All contenders run in turn, so that a machine that is slow for a while slows all alike.
"""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TextColumn

from analysis.figures import bench as bench_figure
from analysis.files import write_atomically

from ..bench import tables as bench_tables
from ..bench.contenders import FIXED, Case, Contender, Run, contenders, measure, ns2_version
from ..errors import ProgramError
from ..programs.program import locate
from ..terminal import present
from ..terminal.arguments import Parser, add_results, positive, results_of

CASES = (
    Case(1),
    Case(4),
    Case(8),
    Case(64, ("--bandwidth=1Gbps", "--queue=1000p")),
    Case(1024, ("--bandwidth=10Gbps", "--queue=10000p"), 2),
)
"""Where many connections would starve on the default path, the path grows with them."""


@dataclass(frozen=True)
class Single:
    """A transfer of the segment engine alone.

    Attributes:
        name, label: in files; for people.
        options: of ``gridftp-transfer``.
    """

    name: str
    label: str
    options: tuple[str, ...] = ()


_WIDE = (*FIXED, "--bandwidth=10Gbps", "--queue=10000p", "--chunk-size=10GB")
SINGLES = (
    Single("mi-1GB", "MI, 1 GB", ("--file-size=1GB",)),
    Single("mi-10GB", "MI, 10 GB, default options"),
    Single("mi-100GB", "MI, 100 GB", ("--file-size=100GB",)),
    Single("n4", "N = 4, 10 Gbit/s, one chunk of 10 GB", (*_WIDE, "--parallelism=4")),
    Single("n4096", "N = 4096, 10 Gbit/s, one chunk of 10 GB", (*_WIDE, "--parallelism=4096")),
)
SINGLE_RATIOS = (("mi-1GB", "mi-10GB"), ("mi-100GB", "mi-10GB"), ("n4096", "n4"))

# Keys of the scenario in which contenders may differ: what they are, not what they run on.
_OWN_KEYS = {"mode", "engine", "links", "sessions", "background", "chunk_size_bytes",
             "block_size_bytes", "layout", "data_channels", "parallelism",
             "file_size_bytes"}  # fmt: skip


@dataclass
class Taken:
    """All runs of some contenders that took turns.

    Attributes:
        runs: by name, in the order taken.
        commands: by name.
    """

    runs: dict[str, list[Run]] = field(default_factory=dict)
    commands: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, command: list[str], run: Run) -> None:
        """Add a run."""
        self.runs.setdefault(name, []).append(run)
        self.commands[name] = command

    def told(self, name: str) -> dict[str, Any]:
        """Return the runs of one contender as JSON data."""
        runs = self.runs[name]
        cpu, wall = [run.cpu_ns for run in runs], [run.wall_ns for run in runs]
        alone = [run.simulation_ns for run in runs]
        peaks = [run.told.peak_rss_bytes for run in runs if run.told.peak_rss_bytes is not None]
        return {
            "command": self.commands[name],
            "segments": runs[0].told.segments,
            "goodput_bps": runs[0].told.goodput_bps,
            "peak_rss_bytes": max(peaks, default=None),
            "cpu_s": [run.usage.cpu_s for run in runs],
            "wall_s": [run.usage.wall_s for run in runs],
            "cpu_ns_per_segment": cpu,
            "wall_ns_per_segment": wall,
            "median_cpu_ns_per_segment": statistics.median(cpu),
            "simulation_wall_ns_per_segment": alone,
            "median_wall_ns_per_segment": statistics.median(wall),
            "median_simulation_wall_ns_per_segment": statistics.median(alone),
        }

    def ratio(self, of: str, to: str) -> dict[str, Any]:
        """Return the cost of each run of one over that of the other's run in the same round."""
        rounds = zip(self.runs[of], self.runs[to], strict=True)
        pairs = [own.cpu_ns / other.cpu_ns for own, other in rounds]
        return {"of": of, "to": to, "pairs": pairs, "median": statistics.median(pairs)}


@dataclass
class CaseTaken:
    """A case's runs, and the goodput of everyone at the same size."""

    case: Case
    scenario: Mapping[str, Any]
    taken: Taken = field(default_factory=Taken)
    same_size: dict[str, Run] = field(default_factory=dict)

    def plain(self, field_of: Sequence[Contender]) -> dict[str, Any]:
        """Return it as JSON data."""
        told = {}
        for contender in field_of:
            name = contender.name
            told[name] = {
                "file_size_bytes": self.scenario["file_size_bytes"] * contender.times,
                **self.taken.told(name),
                "same_size_goodput_bps": self.same_size[name].told.goodput_bps,
            }
        keys = ("bandwidth_bps", "delay_s", "queue_packets", "window_bytes")
        return {
            "parallelism": self.case.parallelism,
            "path": {key: self.scenario[key] for key in keys},
            "file_size_bytes": self.scenario["file_size_bytes"],
            "contenders": told,
            "ratios": [self.taken.ratio(of, to) for of, to in _pairs(field_of)],
        }


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = Parser("bench", "Measure the CPU time per delivered segment, and print it as ratios.")
    parser.add_argument(
        "--repeat",
        type=positive,
        default=3,
        metavar="N",
        help="runs of each contender (default: 3)",
    )
    parser.add_argument(
        "--file-size",
        default="100MB",
        metavar="SIZE",
        help="size of the file that engine ns3 transfers; engine segment transfers 100 times as "
        "much, ns-2 10 times (default: 100MB)",
    )
    add_results(parser)
    options = parser.parse_args(arguments)
    field_of = contenders()
    cases = [_case_taken(case, options.file_size) for case in CASES]
    with _bars(options.repeat, field_of) as step:
        for taken in cases:
            _measure_case(taken, field_of, options.repeat, step)
        singles = _measure_singles(options.repeat, step)
    data = _report(cases, singles, field_of, options.repeat)
    path = results_of(options) / "bench.json"
    write_atomically({path: (json.dumps(data, indent=1) + "\n").encode()})
    pictures = bench_figure.draw(data, results_of(options) / "figures" / "bench")
    out = present.standard_output()
    bench_tables.show(data, out)
    present.say(out, "Files:")
    present.print_files(out, [path, *pictures])
    return 0


def _case_taken(case: Case, file_size: str) -> CaseTaken:
    """Return a case that nobody has run yet, with its scenario.

    Raises:
        UserError: the program refuses the size.
    """
    transfer = locate("gridftp-transfer")
    scenario = transfer.resolve(f"--file-size={file_size}", *case.path)
    return CaseTaken(
        case, {**scenario, "file_size_bytes": int(scenario["file_size_bytes"]) * case.share}
    )


def _pairs(field_of: Sequence[Contender]) -> list[tuple[str, str]]:
    """Return whose costs are divided: everyone's by the first one's, and the two kinds of links."""
    first, *others = field_of
    return [(other.name, first.name) for other in others] + [("ns3-lean", "ns3-ns3")]


@contextmanager
def _bars(repeat: int, field_of: Sequence[Contender]) -> Iterator[Callable[[str], None]]:
    """Show how far it is, on a terminal; gives what is called before each run."""
    err = present.standard_error()
    bars = Progress(
        TextColumn("{task.description}"), BarColumn(), console=err, transient=True,
        disable=not err.is_terminal,
    )  # fmt: skip
    again = sum(contender.times > 1 for contender in field_of)
    total = len(CASES) * (repeat * len(field_of) + again) + repeat * len(SINGLES)
    with bars:
        task = bars.add_task("", total=total, completed=-1)

        def step(text: str) -> None:
            bars.update(task, description=text, advance=1)

        yield step


def _measure_case(
    all_of: CaseTaken, field_of: Sequence[Contender], repeat: int, step: Callable[[str], None]
) -> None:
    """Run all contenders in turn, A B C A B C ..., one at a time.

    Raises:
        ProgramError: one fails, or they do not run on the same dumbbell.
    """
    case, scenario = all_of.case, all_of.scenario
    for _ in range(repeat):
        for contender in field_of:
            step(f"N = {case.parallelism}, {contender.label}")
            command = [contender.program.name, *contender.command(case, scenario, contender.times)]
            run = contender.run(case, scenario, contender.times)
            all_of.taken.add(contender.name, command, run)
    for contender in field_of:
        if contender.times == 1:
            all_of.same_size[contender.name] = all_of.taken.runs[contender.name][0]
        else:
            step(f"N = {case.parallelism}, {contender.label}, same size")
            all_of.same_size[contender.name] = contender.run(case, scenario, 1)
    _check_same_path(all_of.same_size)


def _measure_singles(repeat: int, step: Callable[[str], None]) -> Taken:
    """Run the segment engine alone, on one transfer after the other."""
    transfer = locate("gridftp-transfer")
    taken = Taken()
    for _ in range(repeat):
        for single in SINGLES:
            step(single.label)
            words = [*single.options, "--json"]
            run = measure(transfer, single.name, words)
            taken.add(single.name, [transfer.name, *words], run)
    return taken


def _check_same_path(runs: Mapping[str, Run]) -> None:
    """Refuse to compare contenders whose scenarios differ in what they run on."""
    scenarios = {name: run.told.scenario for name, run in runs.items() if run.told.scenario}
    common = set.intersection(*(set(scenario) for scenario in scenarios.values())) - _OWN_KEYS
    first, *others = scenarios.values()
    for key in sorted(common):
        if any(other[key] != first[key] for other in others):
            values = ", ".join(f"{name} {scenario[key]}" for name, scenario in scenarios.items())
            raise ProgramError(f"the contenders ran on different paths: {key} is {values}")


def _report(
    cases: list[CaseTaken], singles: Taken, field_of: Sequence[Contender], repeat: int
) -> dict[str, Any]:
    """Return everything measured as JSON data."""
    return {
        "schema": bench_figure.SCHEMA,
        "contenders": [{"name": c.name, "label": c.label} for c in field_of],
        "repeat": repeat,
        "machine": _machine(),
        "versions": _versions(cases[0], field_of),
        "cases": [case.plain(field_of) for case in cases],
        "ratios": [_overall(cases, of, to) for of, to in _pairs(field_of)],
        "segment_engine": {
            "transfers": {s.name: {"label": s.label, **singles.told(s.name)} for s in SINGLES},
            "ratios": [singles.ratio(of, to) for of, to in SINGLE_RATIOS],
        },
    }


def _overall(cases: list[CaseTaken], of: str, to: str) -> dict[str, Any]:
    """Return a ratio over all N: its median, and the least and largest of the N's medians."""
    ratios = [case.taken.ratio(of, to) for case in cases]
    medians = [ratio["median"] for ratio in ratios]
    pairs = [pair for ratio in ratios for pair in ratio["pairs"]]
    median = statistics.median(pairs)
    return {"of": of, "to": to, "median": median, "least": min(medians), "largest": max(medians)}


def _versions(case: CaseTaken, field_of: Sequence[Contender]) -> dict[str, Any]:
    """Return what the contenders are built from."""
    told = {name: dict(run.told.version) for name, run in case.same_size.items()}
    if any(contender.name == "ns2" for contender in field_of):
        told["ns2"] = {"debian_package": ns2_version()}
    return told


def _machine() -> dict[str, Any]:
    """Return what it ran on."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return {
        "processor": found[1] if found else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()}",
        "load_1min": os.getloadavg()[0],
    }
