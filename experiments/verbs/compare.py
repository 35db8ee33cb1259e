"""``gridftp compare``: check on a grid of paths that both engines agree.

Without losses, one run of each engine is compared. With losses, goodput depends on the times at
which connections start. Both engines then simulate the same random start times, and the mean ratio
of their goodputs and its confidence interval are compared.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from rich.console import Console

from analysis.figures import agreement
from analysis.files import write_atomically
from analysis.statistics.interval import Interval, mean_interval

from ..errors import ProgramError
from ..programs.batch import run_lines
from ..programs.program import Program, locate
from ..terminal import present
from ..terminal.arguments import Parser, add_jobs, add_results, positive, results_of
from ..terminal.progress import CostProgress

PROGRAM = "gridftp-transfer"

ENGINES = ("segment", "ns3")
"""The one that is judged, and the reference."""

START_JITTER = "1ms"
REPLICATIONS = 20

LOSSLESS_TOLERANCE = 0.01
LOSSY_TOLERANCE = 0.05
GRID_TOLERANCE = 0.02
"""How far a point's goodput without losses, a point's interval with losses, and the mean of all
points may be from the reference's."""


class Place(NamedTuple):
    """A point of the grid, as options say it."""

    parallelism: int
    bandwidth: str
    delay: str
    window: str
    queue: str

    def __str__(self) -> str:
        """Return it for people."""
        return ", ".join(f"{name}={value}" for name, value in self._asdict().items())


GRID = tuple(
    itertools.starmap(
        Place,
        itertools.product(
            (1, 2, 4, 8, 16, 32),
            ("10Mbps", "100Mbps", "622Mbps"),
            ("1ms", "10ms", "50ms"),
            ("64KiB", "1MiB"),
            ("20p", "100p", "1000p"),
        ),
    )
)
FILE_SIZE = "100MB"

PART = tuple(
    place
    for place in GRID
    if place[0] in (1, 4, 32)
    and place[1:]
    in (
        ("10Mbps", "50ms", "64KiB", "100p"),
        ("100Mbps", "10ms", "64KiB", "100p"),
        ("100Mbps", "1ms", "1MiB", "20p"),
        ("622Mbps", "50ms", "64KiB", "1000p"),
        ("622Mbps", "10ms", "1MiB", "1000p"),
    )
)
PART_FILE_SIZE = "20MB"
"""What --part compares, in under a minute on two cores: with and without losses, the paper's path
among them."""


@dataclass
class Point:
    """What both engines made of a place.

    Attributes:
        scenario: in SI numbers, as the engines echo it.
        lossy: whether packets are lost without jitter.
        runs: by run, then by engine.
    """

    place: Place
    scenario: Mapping[str, Any] = field(default_factory=dict)
    lossy: bool = False
    cost: int = 0
    runs: dict[int, dict[str, dict[str, Any]]] = field(default_factory=dict)

    def failures(self) -> list[str]:
        """Return the reasons of runs that moved no file."""
        return [
            f"run {run}, engine {engine}: {made['reason']}"
            for run, made_by in self.runs.items()
            for engine, made in made_by.items()
            if made["reason"]
        ]

    def ratio(self) -> Interval:
        """Return the ratio of the goodputs: its mean, and the interval if there are losses."""
        own, reference = ENGINES
        ratios = [
            made[own]["goodput_bps"] / made[reference]["goodput_bps"] for made in self.runs.values()
        ]
        return mean_interval(ratios) if self.lossy else Interval(ratios[0], ratios[0], ratios[0])

    def is_equal(self) -> bool:
        """Whether nothing at all differs."""
        own, reference = ENGINES
        return all(made[own] == made[reference] for made in self.runs.values())

    def plain(self) -> dict[str, Any]:
        """Return it as JSON data, judged."""
        failures = self.failures()
        ratio = None if failures else self.ratio()
        tolerance = LOSSY_TOLERANCE if self.lossy else LOSSLESS_TOLERANCE
        keys = ("parallelism", "bandwidth_bps", "delay_s", "window_bytes", "queue_packets")
        return {
            **{key: self.scenario[key] for key in keys},
            "lossy": self.lossy,
            "ratio": ratio and asdict(ratio),
            "holds": ratio is not None
            and 1 - tolerance <= ratio.low
            and ratio.high <= 1 + tolerance,
            "equal": not failures and self.is_equal(),
            "failures": failures,
            "runs": [{"run": run, **made} for run, made in self.runs.items()],
        }


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status: 0, or 1 if the engines disagree."""
    parser = Parser("compare", "Check on a grid of paths that the two engines agree.")
    parser.add_argument(
        "--part",
        action="store_true",
        help=f"compare {len(PART)} of the {len(GRID)} points, with files of {PART_FILE_SIZE}",
    )
    parser.add_argument(
        "--replications",
        type=_several,
        default=REPLICATIONS,
        metavar="N",
        help=f"runs of each point at which packets are lost (default: {REPLICATIONS})",
    )
    parser.add_argument(
        "--file-size",
        metavar="SIZE",
        help=f"size of the file, which is one chunk (default: {FILE_SIZE})",
    )
    add_jobs(parser)
    add_results(parser)
    options = parser.parse_args(arguments)
    program = locate(PROGRAM)
    size = options.file_size or (PART_FILE_SIZE if options.part else FILE_SIZE)
    program.resolve(f"--file-size={size}")  # tells what is wrong with it
    begun = time.monotonic()
    points = _compare(program, PART if options.part else GRID, size, options)
    data = _report(points, options.replications)
    path = results_of(options) / "compare.json"
    write_atomically({path: (json.dumps(data, indent=1) + "\n").encode()})
    pictures = agreement.draw(data, results_of(options) / "figures" / "compare")
    out = present.standard_output()
    _print(points, data, out)
    present.say(out, f"Time: {time.monotonic() - begun:.0f} s. Files:")
    present.print_files(out, [path, *pictures])
    return 0 if data["holds"] else 1


def _several(text: str) -> int:
    """Read a number of replications: an interval needs two."""
    if text == "1":
        raise argparse.ArgumentTypeError("'1' is not a whole number from 2 to 10000")
    return positive(text)


# ---- Simulate -------------------------------------------------------------------------------


def _line(place: Place, engine: str, size: str, run: int, jitter: str) -> dict[str, Any]:
    """Return a scenario as a batch takes it."""
    return {
        **{key: str(value) for key, value in place._asdict().items()},
        "mode": "fixed",
        "engine": engine,
        "file-size": size,
        "chunk-size": size,
        "start-jitter": jitter,
        "run": str(run),
    }


def _compare(program: Program, places: tuple[Place, ...], size: str, options: Any) -> list[Point]:
    """Find out which points lose packets, then simulate all of them on both engines."""
    points = [Point(place) for place in places]

    def surveyed(number: int, result: dict[str, Any]) -> None:
        point, (session,), (link,) = points[number], result["sessions"], result["links"]
        tcp = session["tcp"]
        point.lossy = link["drops"] + tcp["retransmissions"] > 0
        # What an engine has to do grows with the segments; 1, so that nothing is for free.
        point.cost = tcp["segments"] + tcp["retransmissions"] + 1

    own, reference = ENGINES
    survey = [_line(place, own, size, 1, "0ms") for place in places]
    run_lines(program, survey, options.jobs, surveyed)
    err = present.standard_error()
    lossy = sum(point.lossy for point in points)
    jobs = [
        (point, run, engine)
        for point in points
        for run in range(1, (options.replications if point.lossy else 1) + 1)
        for engine in (own, reference)
    ]
    present.say(
        err,
        f"{len(points)} points, {lossy} with losses; {len(jobs) // 2} transfers of {size} on "
        f"each engine, {options.jobs} at a time",
    )
    lines = [
        _line(point.place, engine, size, run, START_JITTER if point.lossy else "0ms")
        for point, run, engine in jobs
    ]
    total = sum(point.cost for point, _, engine in jobs if engine == reference)
    with CostProgress(err, total) as shown:

        def answered(number: int, result: dict[str, Any]) -> None:
            point, run, engine = jobs[number]
            _take(point, run, engine, result)
            if engine == reference:
                shown.advance(point.cost, str(point.place))

        run_lines(program, lines, options.jobs, answered)
    for point in points:
        # answers come in any order
        point.runs = {run: point.runs[run] for run in sorted(point.runs)}
    return points


def _take(point: Point, run: int, engine: str, result: Mapping[str, Any]) -> None:
    """Keep a run.

    Raises:
        ProgramError: it is not one of the same scenario as the point's other ones.
    """
    asked = {key: result["scenario"][key] for key in result["scenario"] if key not in _OWN_KEYS}
    point.scenario = point.scenario or asked
    if asked != point.scenario:
        wrong = sorted(key for key in asked if asked[key] != point.scenario.get(key))
        raise ProgramError(
            f"{point.place}: the runs have different scenarios: {', '.join(wrong)} differ"
        )
    (session,), (link,) = result["sessions"], result["links"]
    point.runs.setdefault(run, {})[engine] = {
        **{key: session[key] for key in ("goodput_bps", "duration_s")},
        **{key: session["tcp"][key] for key in ("segments", "retransmissions", "timeouts")},
        **{key: link[key] for key in ("drops", "max_queue_packets")},
        "reason": result["reason"],
    }


_OWN_KEYS = {"engine", "run"}
"""Keys of the scenario in which the runs of a point differ."""


# ---- Judge and tell -------------------------------------------------------------------------


def _report(points: list[Point], replications: int) -> dict[str, Any]:
    told = [point.plain() for point in points]
    ratios = [point["ratio"]["mean"] for point in told if point["ratio"]]
    mean = statistics.fmean(ratios) if ratios else None
    first = points[0].scenario
    return {
        "schema": agreement.SCHEMA,
        "engines": list(ENGINES),
        "file_size_bytes": first["file_size_bytes"],
        "replications": replications,
        "tolerances": {
            "lossless": LOSSLESS_TOLERANCE,
            "lossy": LOSSY_TOLERANCE,
            "mean": GRID_TOLERANCE,
        },
        "mean_ratio": mean,
        "holds": mean is not None
        and abs(mean - 1) <= GRID_TOLERANCE
        and all(point["holds"] for point in told),
        "points": told,
    }


def _print(points: list[Point], data: Mapping[str, Any], out: Console) -> None:
    for line in _differing(points, data):
        present.say(out, line)
    told = data["points"]
    lossy = sum(point["lossy"] for point in told)
    for name, kind, count in (("without", False, len(told) - lossy), ("with", True, lossy)):
        good = sum(point["holds"] for point in told if point["lossy"] == kind)
        equal = sum(point["equal"] for point in told if point["lossy"] == kind)
        present.say(
            out,
            f"{count} points {name} losses: {good} within the tolerance, {equal} equal in every "
            "digit",
        )
    mean = "none" if data["mean_ratio"] is None else f"{data['mean_ratio']:.8g}"
    verdict = "the engines agree" if data["holds"] else "the engines DISAGREE"
    present.say(out, f"mean goodput ratio of {' to '.join(data['engines'])}: {mean}; {verdict}")


def _differing(points: list[Point], data: Mapping[str, Any]) -> Iterator[str]:
    """One line for each point in which anything differs."""
    for point, told in zip(points, data["points"], strict=True):
        if told["equal"]:
            continue
        verdict = "differs" if told["holds"] else "FAILS"
        if told["failures"]:
            yield f"{point.place}: {verdict}: {told['failures'][0]}"
            continue
        ratio = told["ratio"]
        within = f" ({ratio['low']:.8g} to {ratio['high']:.8g})" if told["lossy"] else ""
        yield f"{point.place}: {verdict}: goodput ratio {ratio['mean']:.8g}{within}"
