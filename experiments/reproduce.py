"""``gridftp reproduce``: simulate what the paper shows, draw its figures, judge its claims."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from analysis import study
from analysis.figures import sweep_registry

from . import present
from .arguments import ROOT, Parser, add_figures, add_jobs, add_results
from .display import display_for, duration
from .errors import UserError
from .evidence import load_evidence
from .keep import Folder, Key
from .pool import Limits
from .programs import Program, locate
from .report import write_page
from .runner import Job, Outcome, run_all
from .specs import FIGURES, PROGRAM, Spec, specs_for
from .sweep import Sweep, load_sweeps, run_sweeps

SPECS = ROOT / "experiments" / "figures"
"""Where the sweeps of the figures are declared."""


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status: 0, or 1 if a simulation failed."""
    parser = Parser("reproduce", __doc__.split(": ", 1)[1].strip().capitalize())
    known = sorted([*FIGURES, *sweep_registry()])
    add_figures(parser, known)
    parser.add_argument(
        "--engine", metavar="NAME", help="simulate with this engine; Figures 3 and 4 alone"
    )
    parser.add_argument(
        "--file-size",
        metavar="SIZE",
        help="a smaller file for a quick trial, e.g. 1GB; goes to a folder of its own; Figures 3 "
        "and 4 alone",
    )
    add_jobs(parser)
    add_results(parser)
    options = parser.parse_args(arguments)
    trial = options.engine is not None or options.file_size is not None
    figures = sorted(set(options.figure or (FIGURES if trial else known)))
    single = [number for number in figures if number in FIGURES]
    if trial and single != figures:
        raise UserError(
            "gridftp reproduce: --engine and --file-size are for Figures 3 and 4; allowed: a copy "
            f"of experiments/figures/fig{figures[-1]:02}.toml with other values"
        )
    program = locate(PROGRAM)
    engine = () if options.engine is None else (f"--engine={options.engine}",)
    size = () if options.file_size is None else (f"--file-size={options.file_size}",)
    jobs = [_job(spec, program, (*engine, *size)) for spec in specs_for(single)]
    folder = options.results
    if options.file_size is not None:
        folder = _folder(folder, jobs[0], program, (*engine,), options.file_size)
    sweeps = _sweeps(figures, options.figure is None and not trial, program)
    return _reproduce(figures, jobs, sweeps, folder, options.jobs, program)


def _sweeps(figures: list[int], whole: bool, program: Program) -> list[Sweep]:
    """Return the sweeps of the figures and, where all is reproduced, the study of assumptions."""
    known = sweep_registry()
    names = [known[number].spec for number in figures if number in known]
    paths = [SPECS / f"{name}.toml" for name in [*names, *[study.SWEEP] * whole]]
    return load_sweeps(paths, program) if paths else []


def _job(spec: Spec, program: Program, more: tuple[str, ...]) -> Job:
    options = (*spec.options, *more)
    scenario = program.resolve(*options)
    key = Key(scenario, scenario.get("engine"), program.name, program.fingerprint)
    return Job(spec.name, program, options, key)


def _folder(
    results: Path, job: Job, program: Program, without: tuple[str, ...], file_size: str
) -> Path:
    """Return the folder of results: one of its own for another file size than the paper's.

    So a quick trial never replaces the results of a long one.
    """
    usual = program.resolve(job.options[0], *without)
    if usual == job.key.scenario:
        return results
    return results / f"file-size-{re.sub(r'[^0-9A-Za-z.]', '_', file_size)}"


def _reproduce(
    figures: list[int],
    jobs: list[Job],
    sweeps: list[Sweep],
    folder: Path,
    at_once: int,
    program: Program,
) -> int:
    out, err = present.standard_output(), present.standard_error()
    runs = Folder(folder / "runs")
    begun = time.monotonic()
    kept = {job.name: runs.find(job.name, job.key) for job in jobs}
    outcomes = [Outcome(job.name, kept[job.name], reused=True) for job in jobs if kept[job.name]]
    missing = [job for job in jobs if not kept[job.name]]
    if missing:
        outcomes += _simulate(missing, runs, min(at_once, len(missing)), err)
    store = folder / "store.sqlite"
    swept = not sweeps or run_sweeps(sweeps, store, program, at_once, Limits())
    simulated = time.monotonic()
    outcomes.sort(key=lambda outcome: [job.name for job in jobs].index(outcome.name))
    results = {outcome.name: outcome.result for outcome in outcomes if outcome.result}
    kept = replace(load_evidence(folder, store), results=results)
    written, judged, problems = present.draw_and_judge(figures, results, folder, kept.frames)
    written += write_page(kept, judged, figures, folder)
    present.print_claims(out, judged, results, kept.frames)
    present.say(out, "Files:")
    present.print_files(out, [runs.file(name) for name in results])
    present.print_files(out, written)
    _print_times(out, outcomes, simulated - begun, time.monotonic() - simulated)
    for problem in problems:
        present.say(err, problem)
    failed = [outcome for outcome in outcomes if not outcome.result]
    for outcome in failed:
        present.say(err, f"{outcome.name}: failed: {outcome.reason} ({outcome.record})")
    return 1 if failed or problems or not swept else 0


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
