"""``gridftp plot``: figures and claims again, from kept results alone."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from analysis import stored
from analysis.figures import bench, registry, sweep_registry
from analysis.results import Result, ResultError, load_folder

from . import present
from .arguments import Parser, add_figures, add_results, add_store
from .errors import ProgramError


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status: 0, or 1 if something is not kept."""
    known = sorted([*registry(), *sweep_registry()])
    parser = Parser("plot", __doc__.split(": ", 1)[1].strip().capitalize())
    add_figures(parser, known)
    add_results(parser)
    add_store(parser)
    options = parser.parse_args(arguments)
    folder = options.results
    results, frames = _kept(folder), _swept(options.store)
    measured = folder / "bench.json"
    if not results and not frames and (options.figure or not measured.exists()):
        raise ProgramError(f"{folder / 'runs'}: no kept results: run ./gridftp reproduce first")
    out, err = present.standard_output(), present.standard_error()
    written: list[Path] = []
    problems: list[str] = []
    numbers = sorted(set(options.figure or _drawable(results, frames)))
    if numbers:
        written, judged, problems = present.draw_and_judge(numbers, results, folder, frames)
        present.print_claims(out, judged, results, frames)
    if measured.exists() and not options.figure:
        written += _bench(folder, problems)
    present.say(out, "Files:")
    present.print_files(out, written)
    for problem in problems:
        present.say(err, problem)
    return 1 if problems else 0


def _kept(folder: Path) -> dict[str, Result]:
    try:
        return load_folder(folder / "runs")
    except ResultError as error:
        raise ProgramError(str(error)) from None


def _swept(store: Path) -> dict[str, pd.DataFrame]:
    """Return the runs of those sweeps of the store that figures are drawn from."""
    if not store.exists():
        return {}
    names = [figure.spec for figure in sweep_registry().values()]
    there = stored.sweeps(store)
    return {name: stored.run_table(store, name) for name in names if name in there}


def _drawable(results: dict[str, Result], frames: dict[str, pd.DataFrame]) -> list[int]:
    """Return the figures that something is kept for."""
    single = list(registry()) if results else []
    swept = [number for number, figure in sweep_registry().items() if figure.spec in frames]
    return [*single, *swept]


def _bench(folder: Path, problems: list[str]) -> list[Path]:
    try:
        return bench.draw(bench.load(folder / "bench.json"), folder / "figures" / "bench")
    except ResultError as error:
        problems.append(f"not drawn: {error}")
        return []
