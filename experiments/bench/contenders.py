"""Who takes part in ``gridftp bench``: how each is started on a case, and what it says it did.

To add a contender, add it to `contenders`; the first is the baseline.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.read.results import MAIN_SESSION, ResultError, parse

from ..errors import ProgramError
from ..programs.program import Program, Usage, locate
from ..terminal.arguments import ROOT

NS2_FOLDER = ROOT / "tests" / "ns2"

FIXED = ("--mode=fixed", "--layout=static")
"""One chunk in N equal parts, as ns-2's script and BulkSend have it."""


@dataclass(frozen=True)
class Case:
    """What all contenders move: so many connections over one path.

    Attributes:
        parallelism: connections.
        path: options of the path; none stands for the program's defaults.
        share: of ``--file-size``, so that many connections have more than a slow start to do.
    """

    parallelism: int
    path: tuple[str, ...] = ()
    share: int = 1


@dataclass(frozen=True)
class Told:
    """What a program says it did.

    Attributes:
        segments: delivered for the first time.
        goodput_bps: file bits over the time they took.
        scenario: what it ran on, complete; empty if it does not tell.
        version: of the program, as far as it tells.
        simulation_s: wall time of the simulation alone, by its own clock, without set-up.
        peak_rss_bytes: most memory it held; None if it does not tell.
    """

    segments: int
    goodput_bps: float
    simulation_s: float
    scenario: Mapping[str, Any] = field(default_factory=dict)
    version: Mapping[str, Any] = field(default_factory=dict)
    peak_rss_bytes: int | None = None


@dataclass(frozen=True)
class Run:
    """One run of one contender."""

    told: Told
    usage: Usage

    @property
    def cpu_ns(self) -> float:
        """Processor time of the whole process per delivered segment in nanoseconds."""
        return self.usage.cpu_s * 1e9 / self.told.segments

    @property
    def wall_ns(self) -> float:
        """Wall time of the whole process per delivered segment in nanoseconds."""
        return self.usage.wall_s * 1e9 / self.told.segments

    @property
    def simulation_ns(self) -> float:
        """Wall time of the simulation alone per delivered segment in nanoseconds."""
        return self.told.simulation_s * 1e9 / self.told.segments


def read_result(text: bytes, name: str) -> Told:
    """Read the result of a program of this project.

    Raises:
        ResultError: it is none.
    """
    result = parse(text, name)
    told, cost = result.sessions().iloc[MAIN_SESSION], result.data["cost"]
    version = {k: v for k, v in result.data["provenance"].items() if k != "command"}
    return Told(
        int(told["segments"]),
        float(told["goodput_bps"]),
        float(cost["wall_s"]),
        result.scenario,
        version,
        int(cost["peak_rss_bytes"]),
    )


def _read_ns2(text: bytes, name: str) -> Told:
    """Read the line that chunk.tcl prints."""
    try:
        data = json.loads(text)
        figures = float(data["goodput_bps"]), float(data["wall_s"])
        return Told(int(data["segments"]), *figures)
    except (ValueError, KeyError, TypeError):
        raise ResultError(f"{name}: the output is not a result of chunk.tcl") from None


def _options(case: Case, scenario: Mapping[str, Any], times: int) -> list[str]:
    """Return the options of the project's programs: so many chunks, each the whole case."""
    size = scenario["file_size_bytes"]
    return [
        f"--parallelism={case.parallelism}", *case.path,
        f"--chunk-size={size}B", f"--file-size={size * times}B", "--json",
    ]  # fmt: skip


def _ns2_words(case: Case, scenario: Mapping[str, Any], times: int) -> list[str]:
    """Return chunk.tcl's words: one chunk so many times as large, with the SYN exchange."""
    given = {
        "n": case.parallelism,
        "chunk": scenario["file_size_bytes"] * times,
        "bandwidth": scenario["bandwidth_bps"],
        "delay": scenario["delay_s"],
        "limit": scenario["queue_packets"] + 1,  # ns-2 counts one place more than it fills
        "access-bandwidth": scenario["access_bandwidth_bps"],
        "access-delay": scenario["access_delay_s"],
        "syn": 1,
    }
    return [f"{word}" for pair in given.items() for word in pair]


@dataclass(frozen=True)
class Contender:
    """Something that moves a file over N connections of the same dumbbell.

    Attributes:
        name, label: in files; for people.
        program: what is started.
        fixed: words that it always gets.
        times: by how much its file is larger than the others', so that it runs long enough.
        words: from the case and its scenario to further words.
        read: from what it printed to what it did.
    """

    name: str
    label: str
    program: Program
    fixed: tuple[str, ...] = FIXED
    times: int = 1
    words: Callable[[Case, Mapping[str, Any], int], list[str]] = _options
    read: Callable[[bytes, str], Told] = read_result

    def command(self, case: Case, scenario: Mapping[str, Any], times: int) -> list[str]:
        """Return the words behind the program's name for a file so many times the case's."""
        return [*self.fixed, *self.words(case, scenario, times)]

    def run(self, case: Case, scenario: Mapping[str, Any], times: int) -> Run:
        """Run it once.

        Raises:
            UserError: it refuses its options.
            ProgramError: it fails, or delivers nothing.
        """
        return measure(self.program, self.name, self.command(case, scenario, times), self.read)


def measure(
    program: Program, name: str, words: list[str], read: Callable[[bytes, str], Told] = read_result
) -> Run:
    """Run a program to its end; return what it did and what that took.

    Raises:
        UserError: it refuses its options.
        ProgramError: it fails, or delivers nothing.
    """
    text, usage = program.measure(*words)
    try:
        told = read(text, name)
    except ResultError as error:
        raise ProgramError(str(error)) from None
    if told.segments < 1 or usage.cpu_s <= 0:
        raise ProgramError(f"{name}: no segments or no time to measure")
    return Run(told, usage)


def contenders() -> list[Contender]:
    """Return who takes part: the segment engine first, ns-2 if it is installed.

    Raises:
        ProgramError: a program is not built.
    """
    transfer, bulk = locate("gridftp-transfer"), locate("gridftp-bulk-baseline")
    ns3 = (*FIXED, "--engine=ns3")
    # Its chunks are all alike, and the others simulate each of theirs
    own = (*FIXED, "--engine=segment", "--fast-forward=off")
    found = [
        Contender("segment", "engine segment", transfer, own, 100),
        Contender("ns3-lean", "ns3, lean links", transfer, (*ns3, "--links=lean")),
        Contender("ns3-ns3", "ns3, ns-3 links", transfer, (*ns3, "--links=ns3")),
        Contender("bulk", "ns-3's BulkSend", bulk, (*ns3, "--links=ns3")),
    ]
    ns = shutil.which("ns")
    if ns:
        script = (str(NS2_FOLDER / "chunk.tcl"),)
        found.append(Contender("ns2", "ns-2", Program(Path(ns)), script, 10, _ns2_words, _read_ns2))
    return found


def ns2_version() -> str:
    """Return the version of Debian's ns2, or "unknown"."""
    try:
        done = subprocess.run(
            ["dpkg-query", "--show", "--showformat=${Version}", "ns2"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    except OSError:
        return "unknown"
    return done.stdout.strip() or "unknown"
