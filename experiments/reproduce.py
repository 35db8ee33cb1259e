"""``gridftp reproduce``: simulate what the paper shows, draw its figures, judge its claims."""

from __future__ import annotations

import re
import time
from pathlib import Path

from rich.console import Console

from . import present
from .arguments import Parser, add_figures, add_jobs, add_results
from .display import display_for, duration
from .keep import Folder, Key
from .programs import Program, locate
from .runner import Job, Outcome, run_all
from .specs import FIGURES, PROGRAM, Spec, specs_for


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status: 0, or 1 if a simulation failed."""
    parser = Parser("reproduce", __doc__.split(": ", 1)[1].strip().capitalize())
    add_figures(parser, list(FIGURES))
    parser.add_argument("--engine", metavar="NAME", help="simulate with this engine")
    parser.add_argument(
        "--file-size",
        metavar="SIZE",
        help="a smaller file for a quick trial, e.g. 1GB; goes to a folder of its own",
    )
    add_jobs(parser)
    add_results(parser)
    options = parser.parse_args(arguments)
    figures = sorted(set(options.figure or FIGURES))
    program = locate(PROGRAM)
    engine = () if options.engine is None else (f"--engine={options.engine}",)
    size = () if options.file_size is None else (f"--file-size={options.file_size}",)
    jobs = [_job(spec, program, (*engine, *size)) for spec in specs_for(figures)]
    folder = _folder(options.results, jobs[0], program, (*engine,), options.file_size)
    return _reproduce(figures, jobs, folder, options.jobs)


def _job(spec: Spec, program: Program, more: tuple[str, ...]) -> Job:
    options = (*spec.options, *more)
    scenario = program.resolve(*options)
    key = Key(scenario, scenario.get("engine"), program.name, program.fingerprint)
    return Job(spec.name, program, options, key)


def _folder(
    results: Path, job: Job, program: Program, without: tuple[str, ...], file_size: str | None
) -> Path:
    """Return the folder of results: one of its own for another file size than the paper's.

    So a quick trial never replaces the results of a long one.
    """
    if file_size is None:
        return results
    usual = program.resolve(job.options[0], *without)
    if usual == job.key.scenario:
        return results
    return results / f"file-size-{re.sub(r'[^0-9A-Za-z.]', '_', file_size)}"


def _reproduce(figures: list[int], jobs: list[Job], folder: Path, at_once: int) -> int:
    out, err = present.standard_output(), present.standard_error()
    runs = Folder(folder / "runs")
    begun = time.monotonic()
    kept = {job.name: runs.find(job.name, job.key) for job in jobs}
    outcomes = [Outcome(job.name, kept[job.name], reused=True) for job in jobs if kept[job.name]]
    missing = [job for job in jobs if not kept[job.name]]
    if missing:
        outcomes += _simulate(missing, runs, min(at_once, len(missing)), err)
    simulated = time.monotonic()
    outcomes.sort(key=lambda outcome: [job.name for job in jobs].index(outcome.name))
    results = {outcome.name: outcome.result for outcome in outcomes if outcome.result}
    written, judged, problems = present.draw_and_judge(figures, results, folder)
    present.print_claims(out, judged, results)
    present.say(out, "Files:")
    present.print_files(out, [runs.file(name) for name in results])
    present.print_files(out, written)
    _print_times(out, outcomes, simulated - begun, time.monotonic() - simulated)
    for problem in problems:
        present.say(err, problem)
    failed = [outcome for outcome in outcomes if not outcome.result]
    for outcome in failed:
        present.say(err, f"{outcome.name}: failed: {outcome.reason} ({outcome.record})")
    return 1 if failed or problems else 0


def _simulate(jobs: list[Job], runs: Folder, at_once: int, console: Console) -> list[Outcome]:
    names = [job.name for job in jobs]
    count = "1 simulation" if len(jobs) == 1 else f"{len(jobs)} simulations, {at_once} at a time"
    present.say(console, f"{jobs[0].program.name}: {count} ({', '.join(names)})")
    with display_for(names, at_once, console) as display:
        outcomes = run_all(jobs, runs, at_once, display)
    for outcome in outcomes:
        for line in outcome.messages.splitlines():
            present.say(console, f"{outcome.name}: {line}")
    return outcomes


def _print_times(out: Console, outcomes: list[Outcome], simulated: float, drawn: float) -> None:
    told = []
    for outcome in outcomes:
        if outcome.reused:
            cost = outcome.result.data["cost"]["wall_s"]
            told.append(f"{outcome.name} kept from before (took {duration(cost)})")
        else:
            told.append(f"{outcome.name} {duration(outcome.wall_s)}")
    present.say(
        out,
        f"Time: simulations {duration(simulated)} ({', '.join(told)}), "
        f"figures and claims {duration(drawn)}",
    )
