"""``gridftp plot``: figures and claims again, from kept results alone."""

from __future__ import annotations

from pathlib import Path

from analysis.figures import bench, registry
from analysis.results import ResultError, load_folder

from . import present
from .arguments import Parser, add_figures, add_results
from .errors import ProgramError


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status: 0, or 1 if something is not kept."""
    known = list(registry())
    parser = Parser("plot", __doc__.split(": ", 1)[1].strip().capitalize())
    add_figures(parser, known)
    add_results(parser)
    options = parser.parse_args(arguments)
    folder = options.results
    out, err = present.standard_output(), present.standard_error()
    try:
        results = load_folder(folder / "runs")
    except ResultError as error:
        raise ProgramError(str(error)) from None
    measured = folder / "bench.json"
    if not results and (options.figure or not measured.exists()):
        raise ProgramError(f"{folder / 'runs'}: no kept results: run ./gridftp reproduce first")
    written, problems = [], []
    if results:
        numbers = sorted(set(options.figure or known))
        written, judged, problems = present.draw_and_judge(numbers, results, folder)
        present.print_claims(out, judged, results)
    if measured.exists() and not options.figure:
        written += _bench(folder, problems)
    present.say(out, "Files:")
    present.print_files(out, written)
    for problem in problems:
        present.say(err, problem)
    return 1 if problems else 0


def _bench(folder: Path, problems: list[str]) -> list[Path]:
    try:
        return bench.draw(bench.load(folder / "bench.json"), folder / "figures" / "bench")
    except ResultError as error:
        problems.append(f"not drawn: {error}")
        return []
