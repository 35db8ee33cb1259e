"""``gridftp sweep``: simulate the runs that specs declare, and store their results.

Stored simulations are not repeated, so an interrupted sweep continues where it stopped.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from ..errors import UserError
from ..programs.option_table import OptionTable
from ..programs.pool import Limits, Pool, run_pool
from ..programs.program import Program, locate
from ..programs.resolve import resolve_lines, without_files
from ..programs.sources import engine_hash
from ..run.simulate import simulate
from ..run.until import further
from ..spec.blocks import Planned
from ..spec.load import AS_WRITTEN, Changes, Spec, load_spec
from ..spec.pointless import Declared, unmoved, warnings
from ..spec.values import second_of_a_kind
from ..store.costs import Costs
from ..store.store import DONE, FAILED, QUEUED, RUNNING, TIMED_OUT, Run, Store
from ..terminal import present
from ..terminal.arguments import Parser, add_jobs, add_store, store_of, user_path
from ..terminal.progress import duration

PROGRAM = "gridftp-transfer"

Sweep = tuple[Spec, list[tuple[str, Run]]]
"""A spec with its labelled runs."""

Grow = Callable[[Store, Sweep], Sweep]
"""Returns a sweep with what its results so far ask for; the sweep itself if that is nothing."""

MOST_FAILURES = 10
"""Failures that are printed one by one."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status: 0, or 1 if a simulation failed."""
    parser = Parser("sweep", __doc__.split(": ", 1)[1].split("\n")[0].strip().capitalize())
    parser.add_argument(
        "specs", nargs="+", type=user_path, metavar="SPEC.toml", help="declares the runs"
    )
    add_store(parser)
    add_running(parser)
    parser.add_argument(
        "--crossed",
        action="store_true",
        help="simulate every combination of the settings with crossed = true, as a separate sweep, "
        "NAME-crossed",
    )
    options = parser.parse_args(arguments)
    program = locate(PROGRAM)
    sweeps = load_sweeps(options.specs, program, Changes(crossed=options.crossed))
    tell_pointless(sweeps, program, present.standard_error())
    if options.dry_run:
        return tell(sweeps, store_of(options), options.jobs, present.standard_output())
    how = how_to_run(options, program, sweeps)
    done = run_sweeps(sweeps, store_of(options), program, how)
    tell_unmoved(sweeps, store_of(options), program, present.standard_error())
    return 0 if done else 1


@dataclass(frozen=True)
class How:
    """How sweeps are simulated.

    Attributes:
        jobs: simulations at a time.
        limits: of each of them.
        retry: try again what has failed or timed out.
        pool: simulates it.
        wants: whether the set of this label of a sweep is simulated now; the others stay planned.
    """

    jobs: int
    limits: Limits = field(default_factory=Limits)
    retry: bool = False
    pool: Pool = run_pool
    wants: Callable[[str, str], bool] = lambda sweep, label: True


def add_running(parser: Parser) -> None:
    """Add the options that say how sweeps are simulated; `how_to_run` reads them."""
    add_jobs(parser)
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="print the number of simulations, their time and disk space, and stop",
    )
    parser.add_argument(
        "--retry", action="store_true", help="simulate failed and timed-out runs again"
    )
    parser.add_argument(
        "--time-limit",
        type=_seconds,
        metavar="S",
        help="longest wall time of a simulation in seconds (default: no limit)",
    )
    parser.add_argument(
        "--memory-limit",
        type=_megabytes,
        metavar="MB",
        help="most memory for the process of a simulation in megabytes (default: no limit)",
    )
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="simulate on the workers of this Dask scheduler, e.g. tcp://127.0.0.1:8786, one "
        "simulation for each of their threads; local: start N workers here (--jobs N)",
    )


def how_to_run(options: argparse.Namespace, program: Program, sweeps: Sequence[Sweep]) -> How:
    """Return how the arguments say that sweeps are simulated.

    Raises:
        UserError: as for `_dask_pool`.
    """
    pool = run_pool if options.dask is None else _dask_pool(options.dask, program, sweeps)
    limits = Limits(options.time_limit, options.memory_limit)
    return How(options.jobs, limits, options.retry, pool)


def _dask_pool(address: str, program: Program, sweeps: Sequence[Sweep]) -> Pool:
    """Return what simulates on the workers of a Dask scheduler.

    Raises:
        UserError: Dask is not installed, or `DaskPool.check` refuses.
    """
    try:
        from ..cluster.distributed import DaskPool  # it is there only where it was asked for
    except ModuleNotFoundError as error:
        raise UserError(
            f"gridftp sweep: --dask: {error.name} is not installed: use ./gridftp sweep, "
            "which installs it"
        ) from None
    pool = DaskPool(address)
    pool.check(program, {run.engine: run.sources for _, runs in sweeps for _, run in runs})
    return pool


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return value


def _megabytes(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 10**9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of megabytes above 0")
    return int(text) * 10**6


def load_sweeps(
    paths: Sequence[Path], program: Program, changes: Changes = AS_WRITTEN
) -> list[Sweep]:
    """Return specs with their labelled runs.

    Args:
        paths: of the specs.
        program: that is to simulate.
        changes: what is to be otherwise than they say.

    Raises:
        UserError: something is wrong in a spec, or the program refuses a run.
    """
    table = OptionTable.read(program.object("--describe"))
    specs = [load_spec(path, table, changes) for path in paths]
    second = second_of_a_kind(spec.name for spec in specs)
    if second is not None:
        raise UserError(
            f"{specs[second].path}: another of the specs is called {specs[second].name!r}, too; "
            "allowed: each name once, as a sweep is named after its file"
        )
    return [(spec, plan_of(spec, program)) for spec in specs]


def run_sweeps(
    sweeps: Sequence[Sweep],
    path: Path,
    program: Program,
    how: How,
    grow: Grow | None = None,
) -> bool:
    """Simulate what is not stored yet, and print the state of the sweeps.

    Args:
        sweeps: what to simulate.
        path: the store; it is made if it is not there.
        program: that simulates.
        how: it is done.
        grow: what is to be simulated besides, as soon as there are results; None: the replications
            that `until` asks for.

    Returns:
        Whether all that was to be simulated is done.

    Raises:
        UserError: another sweep is at work on the store.
        ProgramError: the program cannot be started, or the store cannot be written.
        KeyboardInterrupt: interrupted; completed runs are stored.
    """
    out, err = present.standard_output(), present.standard_error()
    with Store(path, create=True) as store, store.claim():
        _tell_replaced(store, sweeps, err)
        # With what is there already: what an earlier sweep has added stays in the plan.
        retry = how.retry
        for grown in growing(store, sweeps, grow or replicated(program)):
            for spec, runs in grown:
                store.plan(spec.name, runs, spec.title, spec.figure)
                if retry:
                    store.retry(spec.name)
            retry = False
            every = [
                run for spec, runs in grown for label, run in runs if how.wants(spec.name, label)
            ]
            simulate(store, program, every, how.jobs, how.limits, err, how.pool)
        for spec, _ in sweeps:
            report(store, spec.name, out)
        return not any(_undone(store, spec.name, how) for spec, _ in sweeps)


def _undone(store: Store, sweep: str, how: How) -> bool:
    """Return whether a run of a sweep that was to be simulated is not done."""
    rows = store.query(
        "SELECT DISTINCT label FROM plan JOIN run USING (key) WHERE sweep = ? AND state != ?",
        (sweep, DONE),
    )
    return any(how.wants(sweep, label) for (label,) in rows)


def _tell_replaced(store: Store, sweeps: Sequence[Sweep], err: Console) -> None:
    """Tell which sweeps take the name of another one; its runs are kept."""
    kept = dict(store.query("SELECT name, title FROM sweep"))
    for spec, _ in sweeps:
        if kept.get(spec.name, spec.title) != spec.title:
            present.say(
                err, f"{spec.name}: replaces the stored sweep of that name: {kept[spec.name]}"
            )


def growing(store: Store, sweeps: Sequence[Sweep], grow: Grow) -> Iterator[Sequence[Sweep]]:
    """Yield the sweeps with all runs that are known to be needed, as long as some are new.

    Whoever takes them simulates them before asking for more.
    """
    done: Sequence[Sweep] = []
    while True:
        while (grown := [grow(store, sweep) for sweep in sweeps]) != list(sweeps):
            sweeps = grown
        if sweeps == done:
            return
        yield sweeps
        done = sweeps


def replicated(program: Program) -> Grow:
    """Return what gives a sweep the replications that its intervals still lack."""

    def grow(store: Store, sweep: Sweep) -> Sweep:
        spec, runs = sweep
        more = further(store, zip(spec.planned, (run for _, run in runs), strict=True))
        return with_more(sweep, more, program) if more else sweep

    return grow


def with_more(sweep: Sweep, more: Sequence[Planned], program: Program) -> Sweep:
    """Return a sweep with more runs."""
    spec, runs = sweep
    added = replace(spec, planned=tuple(more))
    return replace(spec, planned=(*spec.planned, *more)), [*runs, *plan_of(added, program)]


def plan_of(spec: Spec, program: Program) -> list[tuple[str, Run]]:
    """Return a spec's runs with their labels.

    Raises:
        UserError: the program refuses one of them.
    """
    try:
        scenarios = resolve_lines(program, [planned.line for planned in spec.planned])
    except UserError as error:
        raise UserError(f"{spec.path}: {error}") from None
    table = OptionTable.read(program.object("--describe"))
    return [
        (
            planned.label,
            Run(
                without_files(table, planned.line, scenario),
                scenario,
                engine_hash(program, scenario["engine"]),
            ),
        )
        for planned, scenario in zip(spec.planned, scenarios, strict=True)
    ]


# ---- Tell -----------------------------------------------------------------------------------


def tell_pointless(sweeps: Sequence[Sweep], program: Program, err: Console) -> None:
    """Print what of sweeps cannot change a result, a line for each."""
    table = OptionTable.read(program.object("--describe"))
    for sweep in sweeps:
        for warning in warnings(_declared(sweep), table):
            present.say(err, f"{sweep[0].name}: warning: {warning}")


def _declared(sweep: Sweep) -> Iterator[Declared]:
    spec, runs = sweep
    for planned, (label, run) in zip(spec.planned, runs, strict=True):
        yield Declared(label, planned.line, run.scenario, run.key)


def tell_unmoved(sweeps: Sequence[Sweep], path: Path, program: Program, err: Console) -> None:
    """Print which swept options have changed no result, a line for each."""
    table = OptionTable.read(program.object("--describe"))
    with Store(path) as store:
        for sweep in sweeps:
            name = sweep[0].name
            digests = store.digests(name)
            for warning in unmoved(_declared(sweep), table, digests, store.measured):
                present.say(err, f"{name}: warning: {warning}")


def report(store: Store, sweep: str, out: Console) -> None:
    """Print the state of a sweep."""
    counts = dict(
        store.query(
            "SELECT state, COUNT(*) FROM (SELECT DISTINCT key, state FROM run "
            "JOIN plan USING (key) WHERE sweep = ?) GROUP BY state",
            (sweep,),
        )
    )
    states = ", ".join(f"{count} {state}" for state, count in counts.items())
    present.say(out, f"{sweep}: {states} ({store.path})")
    failures = store.query(
        "SELECT DISTINCT line, reason FROM run JOIN plan USING (key) "
        "WHERE sweep = ? AND state IN (?, ?) LIMIT ?",
        (sweep, FAILED, TIMED_OUT, MOST_FAILURES),
    )
    for line, reason in failures:
        present.say(out, f"  {reason}: {line}")
    lost = counts.get(FAILED, 0) + counts.get(TIMED_OUT, 0)
    if lost > len(failures):
        present.say(out, f"  and {lost - len(failures)} more: ./gridftp store list --state=failed")
    if twins := store.twins(sweep):
        present.say(
            out,
            f"  warning: {twins} points have identical replications; only "
            "start-jitter, random-loss and other random values make runs differ",
        )


def tell(sweeps: Sequence[Sweep], path: Path, jobs: int, out: Console) -> int:
    """Print what sweeps would take; return the exit status."""
    if path.is_file():
        with Store(path) as store:
            states = store.states(run.key for _, runs in sweeps for _, run in runs)
            costs = Costs.of(store)
    else:
        states, costs = {}, Costs({}, {}, None)
    for spec, runs in sweeps:
        by_key = {run.key: run for _, run in runs}
        todo = [run for key, run in by_key.items() if states.get(key, QUEUED) in (QUEUED, RUNNING)]
        lost = sum(states.get(key) in (FAILED, TIMED_OUT) for key in by_key)
        done = len(by_key) - len(todo) - lost
        failed = f", {lost} failed (--retry)" if lost else ""
        present.say(
            out, f"{spec.name}: {len(by_key)} simulations, {done} done{failed}, {len(todo)} to do"
        )
        if any(planned.until for planned in spec.planned):
            present.say(
                out, "  then more replications of points with wide confidence intervals (until)"
            )
        present.say(out, f"  time: {_time(todo, costs, jobs)}")
        size = "unknown (nothing is stored yet)" if costs.row_bytes is None else (
            f"about {costs.row_bytes * len(todo) / 1e6:.1f} MB"
        )  # fmt: skip
        present.say(out, f"  disk: {size}")
    return 0


def _time(todo: Sequence[Run], costs: Costs, jobs: int) -> str:
    """Return how long runs will take, from measured costs."""
    measured: dict[str, list[Any]] = {}
    for run in todo:
        measured.setdefault(run.engine, []).append(costs.measured_s(run))
    times_by_engine = []
    for engine, times in measured.items():
        if None in times:
            times_by_engine.append(f"{engine} unknown (nothing is measured yet)")
        else:
            times_by_engine.append(f"{engine} about {duration(sum(times) / min(jobs, len(times)))}")
    return f"{', '.join(times_by_engine) or 'none'} ({jobs} at a time)"
