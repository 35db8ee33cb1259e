"""``gridftp twin``: run real GridFTP programs over the emulated path, next to the engines.

The client and the server run on Linux's TCP in two network namespaces. ns-3 simulates the path
between them in real time. With ``--stack=classic`` both engines simulate the same transfers. Linux
gives a socket a larger window than a program asks for, so the segment engine simulates each
transfer a second time, with the window that Linux offered. With ``--stack=linux`` the kernel uses
all of its TCP, which the segment engine models, windows included; engine ns3 has no such hosts.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from analysis.figures import twin as twin_figure
from analysis.files import write_atomically

from ..errors import UserError
from ..programs.processes import run_interruptibly
from ..programs.program import Program, locate
from ..terminal import present
from ..terminal.arguments import Parser, add_jobs, add_results, positive, results_of
from ..terminal.progress import CostProgress
from ..twin import engines, needs, pairs, tables, tuned
from ..twin.transfer import Setting, transfer

PARALLELISM = (1, 2, 4, 8)

FIXED = "fixed"
"""The mode in which N is given; in all others our client chooses it."""

DEFAULTS = {
    "bandwidth": "50Mbps",
    "delay": "20ms",
    "file-size": "30MB",
}
"""A path that two cores simulate in real time."""

TUNING = ("chunk-size", "initial-parallelism", "max-parallelism", "eta")
"""Options of a tuner; with fixed N the file is one chunk."""

CARRIED = (
    *DEFAULTS,
    "queue",
    "queue-discipline",
    "red-min-threshold",
    "red-max-threshold",
    "red-max-probability",
    "red-weight",
    "red-gentle",
    "codel-target",
    "codel-interval",
    "fq-codel-flows",
    "fq-codel-quantum",
    "pie-target",
    "pie-update",
    "pie-burst",
    "ecn",
    "access-bandwidth",
    "access-delay",
    "packet-size",
    "random-loss",
    "path-schedule",
    "reverse-bandwidth",
    "reverse-delay",
    "reverse-queue",
    "reverse-queue-discipline",
    "reverse-random-loss",
    "initial-window",
    "min-rto",
    "delayed-ack",
    "window",
    "block-size",
    "direction",
    "stack",
    "tcp",
    "pacing",
    "pacing-rate",
    "start-jitter",
    *TUNING,
)
"""Options of ``gridftp run`` that the testbed implements, too."""

ENGINE_RUNS = 20
"""Runs of each engine, which differ in when connections start: see `_with_starts`."""

CLOSE_STARTS_S = 0.001
"""Spread of the starts of connections on the Linux stack, in seconds."""

SLOWEST = 5.0
MARGIN_S = 30.0
"""A transfer has failed after so many times what the engines take, and so many seconds more."""


@dataclass
class Point:
    """Results for one number of connections, as JSON data.

    Attributes:
        parallelism: number of connections.
        engines: runs of each engine.
        twin: transfers of the real programs.
        cwnd: over time, of the run of the segment engine with the median goodput.
    """

    parallelism: int
    engines: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    twin: list[dict[str, Any]] = field(default_factory=list)
    cwnd: dict[str, Any] = field(default_factory=dict)

    def expected_s(self) -> float:
        """Return how long a transfer takes the engines."""
        return max(run["duration_s"] for runs in self.engines.values() for run in runs)

    def window_bytes(self) -> int | None:
        """Return the window that Linux offered, at the median transfer; None: it was not seen."""
        seen = [run["window_bytes"] for run in self.twin if run["window_bytes"] is not None]
        return int(statistics.median(seen)) if seen else None


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    options = _parser().parse_args(arguments)
    kinds = _kinds(options)
    network = needs.check_machine()
    program = locate("gridftp-transfer")
    chosen = _chosen(options)
    chosen = _with_starts(chosen, program.resolve(*_words(chosen)))
    scenario = program.resolve(*_words(chosen))
    path = _path_words(program, chosen, scenario)
    network.resolve("client", "server", *path)
    tcp = needs.check_tcp(scenario)
    with pairs.folder_with_source(scenario) as folder:
        setting = Setting(network, path, scenario, tcp, pairs.Pair(*kinds, folder))
        if options.mode != [FIXED]:
            return _tuned(program, setting, chosen, options)
        return _fixed(program, setting, chosen, options)


def _fixed(
    program: Program, setting: Setting, chosen: Mapping[str, str], options: argparse.Namespace
) -> int:
    """Transfer with each given N."""
    scenario = setting.scenario
    points = [Point(level) for level in options.parallelism]
    _simulate(program, chosen, points, engines.of(scenario), options.jobs)
    _trace(program, chosen, points)
    _measure(setting, points, options.repeat)
    if not needs.is_of_today(scenario):
        _simulate_seen(program, chosen, points, options.jobs)
    data = _report(setting, _words(chosen), points)
    path = results_of(options) / "twin.json"
    write_atomically({path: (json.dumps(data, indent=1) + "\n").encode()})
    pictures = twin_figure.draw(data, results_of(options) / "figures" / "twin")
    out = present.standard_output()
    tables.show(data, out)
    present.say(out, "Files:")
    present.print_files(out, [path, *pictures])
    return 0


def _tuned(
    program: Program, setting: Setting, chosen: Mapping[str, str], options: argparse.Namespace
) -> int:
    """Transfer with each tuner."""
    modes = [tuned.Mode(name) for name in options.mode]
    names = engines.of(setting.scenario)
    tuned.simulate(program, chosen, modes, names, options.jobs, options.repeat)
    own = {name: chosen[name] for name in TUNING if name in chosen}
    tuned.measure(setting, own, modes, options.repeat)
    data = {
        "schema": tuned.SCHEMA,
        "words": _words(chosen),
        **_circumstances(setting),
        "modes": [asdict(mode) for mode in modes],
    }
    path = results_of(options) / "twin-tuned.json"
    write_atomically({path: (json.dumps(data, indent=1) + "\n").encode()})
    out = present.standard_output()
    tuned.add_megabits(modes)
    tuned.show(modes, out)
    tables.warn_if_late(setting.scenario, tuned.late_s(modes), out)
    present.say(out, "Files:")
    present.print_files(out, [path])
    return 0


def _kinds(options: argparse.Namespace) -> tuple[str, str]:
    """Return which client and which server run.

    Raises:
        UserError: Globus's client cannot do what is asked.
    """
    is_tuned = options.mode != [FIXED]
    client = options.client or (pairs.OURS if is_tuned else pairs.GLOBUS)
    if is_tuned and client != pairs.OURS:
        raise UserError(
            f"{needs.PREFIX}--client={client} cannot choose N; allowed with --mode="
            f"{','.join(options.mode)}: ours"
        )
    given = [name for name in TUNING if getattr(options, name.replace("-", "_")) is not None]
    if given and not is_tuned:
        raise UserError(
            f"{needs.PREFIX}--{given[0]} has no effect with --mode=fixed, where the file is one "
            "chunk; allowed with it: another mode"
        )
    return client, options.server


def _modes(text: str) -> list[str]:
    """Read tuning modes."""
    modes = text.split(",")
    if FIXED in modes and len(modes) > 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} has fixed next to others; allowed: fixed alone, or modes that choose N"
        )
    return modes


def _parser() -> Parser:
    parser = Parser(
        "twin", "Run real GridFTP programs over the emulated path, next to the engines."
    )
    parser.add_argument(
        "--parallelism",
        type=_levels,
        default=list(PARALLELISM),
        metavar="N,N,...",
        help=f"numbers of connections (default: {','.join(map(str, PARALLELISM))})",
    )
    parser.add_argument(
        "--repeat",
        type=positive,
        default=5,
        metavar="N",
        help="transfers with each number of connections, or each tuner (default: 5)",
    )
    parser.add_argument(
        "--mode",
        type=_modes,
        default=[FIXED],
        metavar="MODE,...",
        help="fixed: N as given; mi, mi-plus, aimd and others: our client chooses N after each "
        "chunk (default: fixed)",
    )
    parser.add_argument(
        "--client",
        choices=pairs.KINDS,
        help="globus-url-copy or gridftp-client (default: globus; with tuners: ours)",
    )
    parser.add_argument(
        "--server",
        choices=pairs.KINDS,
        default=pairs.GLOBUS,
        help="globus-gridftp-server or gridftp-server (default: globus)",
    )
    scenario = parser.add_argument_group(
        "the scenario, as for ./gridftp run",
        f"other defaults: {' '.join(_words(DEFAULTS))}, --start-jitter of one round trip, "
        "of 1 ms with --stack=linux",
    )
    for name in CARRIED:
        scenario.add_argument(f"--{name}", metavar="VALUE")
    add_jobs(parser)
    add_results(parser)
    return parser


def _words(options: Mapping[str, str]) -> list[str]:
    return [f"--{name}={value}" for name, value in options.items()]


def _path_words(
    program: Program, options: Mapping[str, str], scenario: Mapping[str, Any]
) -> list[str]:
    """Return the words for the simulated path: it is ns-3's, which has no hosts of today.

    Args:
        program: gridftp-transfer, which describes which engine has which option.
        options: of the scenario, by name.
        scenario: that they resolve to.
    """
    if not needs.is_of_today(scenario):
        return _words(options)
    described = program.object("--describe")["options"]
    others = {row["name"] for row in described if engines.NS3 not in row["engines"].split(",")}
    return _words({name: value for name, value in options.items() if name not in others | {"tcp"}})


def _levels(text: str) -> list[int]:
    """Read numbers of connections."""
    levels = [positive(word) for word in text.split(",")]
    if len(set(levels)) < len(levels):
        raise argparse.ArgumentTypeError(f"{text!r} has a number twice; allowed: each once")
    return sorted(levels)


def _chosen(options: argparse.Namespace) -> dict[str, str]:
    """Return the options of the scenario, by name; with fixed N the file is one chunk."""
    given = {name: getattr(options, name.replace("-", "_")) for name in CARRIED}
    chosen = {**DEFAULTS, **{name: value for name, value in given.items() if value is not None}}
    if options.mode != [FIXED]:
        return {**chosen, "mode": options.mode[0]}
    return {**chosen, "chunk-size": chosen["file-size"], "mode": FIXED}


def _with_starts(chosen: Mapping[str, str], scenario: Mapping[str, Any]) -> dict[str, str]:
    """Return the options with connections of the engines that start as the real ones do.

    The real client waits until its first data connection is there, and then opens the others, some
    0.1 ms apart. The moments decide what is lost where slow start overflows a queue. The engines
    open all at once. On the classic stack connections in step behave alike to the end, so their
    starts are spread over a round-trip time; on the Linux stack they are as close as the real ones.

    Args:
        chosen: options, by name.
        scenario: that they resolve to.
    """
    spread_s = scenario["delay_s"] + scenario["reverse_delay_s"]
    if needs.is_of_today(scenario):
        spread_s = CLOSE_STARTS_S
    return {"start-jitter": f"{spread_s:.9f}s", **chosen}


# ---- Simulate and measure -------------------------------------------------------------------


def _simulate(
    program: Program,
    chosen: Mapping[str, str],
    points: Sequence[Point],
    names: Sequence[str],
    jobs: int,
) -> None:
    """Run everything on the named engines; before the twin, which needs the machine for itself."""
    places = [(point, engine) for point in points for engine in names for _ in range(ENGINE_RUNS)]
    lines = [
        engines.line(chosen, point.parallelism, engine, place % ENGINE_RUNS + 1)
        for place, (point, engine) in enumerate(places)
    ]
    for (point, engine), run in zip(places, _shown(program, lines, jobs), strict=True):
        point.engines.setdefault(engine, []).append(run)


def _trace(program: Program, chosen: Mapping[str, str], points: Sequence[Point]) -> None:
    """Record cwnd over time of the segment engine's runs with the median goodputs."""
    for point in points:
        runs = [run["goodput_bps"] for run in point.engines[engines.SEGMENT]]
        run = runs.index(statistics.median_low(runs)) + 1
        line = engines.line(chosen, point.parallelism, engines.SEGMENT, run)
        point.cwnd[engines.SEGMENT] = engines.cwnd(program, line)


def _simulate_seen(
    program: Program, chosen: Mapping[str, str], points: Sequence[Point], jobs: int
) -> None:
    """Have the segment engine run everything with the windows that Linux offered."""
    seen = [point for point in points if point.window_bytes() is not None]
    lines = [
        engines.line(
            chosen, point.parallelism, engines.SEGMENT, run + 1, window=f"{point.window_bytes()}B"
        )
        for point in seen
        for run in range(ENGINE_RUNS)
    ]
    runs = iter(_shown(program, lines, jobs))
    for point in seen:
        point.engines["segment, window seen"] = [next(runs) for _ in range(ENGINE_RUNS)]


def _shown(program: Program, lines: list[dict[str, str]], jobs: int) -> list[dict[str, Any]]:
    with CostProgress(present.standard_error(), max(1, len(lines))) as shown:
        return engines.simulate(
            program,
            lines,
            jobs,
            lambda line: shown.advance(1, f"engine {line['engine']}, N = {line['parallelism']}"),
        )


def _measure(setting: Setting, points: Sequence[Point], repeat: int) -> None:
    """Move the file for real, all numbers of connections in turn.

    Raises:
        ProgramError: a transfer fails.
        KeyboardInterrupt: interrupted; nothing is left.
    """
    total = repeat * sum(point.expected_s() for point in points)

    async def all_of_them(shown: CostProgress) -> None:
        for run in range(1, repeat + 1):
            for point in points:
                limit_s = SLOWEST * point.expected_s() + MARGIN_S
                point.twin.append(await transfer(setting, point.parallelism, run, limit_s))
                shown.advance(point.expected_s(), f"real programs, N = {point.parallelism}")

    with CostProgress(present.standard_error(), total) as shown:
        run_interruptibly(all_of_them(shown))


def _report(setting: Setting, words: Sequence[str], points: Sequence[Point]) -> dict[str, Any]:
    """Return everything measured as JSON data."""
    return {
        "schema": twin_figure.SCHEMA,
        "words": list(words),
        **_circumstances(setting),
        "points": [asdict(point) for point in points],
    }


def _circumstances(setting: Setting) -> dict[str, Any]:
    """Return scenario, versions and machine as JSON data."""
    return {
        "scenario": setting.scenario,
        "programs": {"client": setting.pair.client_name, "server": setting.pair.server_name},
        "versions": {
            **{name: _version(name) for name in ("globus-gridftp-server", "globus-url-copy")},
            "kernel": platform.release(),
            "linux_tcp": setting.tcp,
            **locate("gridftp-transfer").provenance,
        },
        "machine": {
            "cores": len(os.sched_getaffinity(0)),
            "load_1min": os.getloadavg()[0],
            **needs.buffer_limits(),
        },
    }


def _version(name: str) -> str:
    """Return what a program says of its version.

    Raises:
        UserError: it cannot be started.
    """
    try:
        done = subprocess.run(
            [str(needs.find(name)), "-version"], capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise UserError(f"{needs.PREFIX}{name}: {error.strerror}") from None
    return (done.stdout + done.stderr).strip().split("\n")[0]
