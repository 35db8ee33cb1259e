"""``gridftp plot``: figures and claims again, from kept results alone."""

from __future__ import annotations

from pathlib import Path

from analysis.figures import assumptions, bench, registry, sweep_registry
from analysis.results import ResultError

from . import present
from .arguments import Parser, add_figures, add_results, add_store, store_of
from .evidence import load_evidence, nothing_kept


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status: 0, or 1 if something is not kept."""
    known = sorted([*registry(), *sweep_registry()])
    parser = Parser("plot", __doc__.split(": ", 1)[1].strip().capitalize())
    add_figures(parser, known)
    add_results(parser)
    add_store(parser)
    options = parser.parse_args(arguments)
    folder = options.results
    kept = load_evidence(folder, store_of(options))
    measured = folder / "bench.json"
    numbers = sorted(set(options.figure or kept.drawable()))
    if kept.is_empty() and (options.figure or not measured.exists()):
        raise nothing_kept(folder)
    out, err = present.standard_output(), present.standard_error()
    written: list[Path] = []
    problems: list[str] = []
    if numbers:
        written, judged, problems = present.draw_and_judge(
            numbers, kept.results, folder, kept.frames
        )
        present.print_claims(out, judged, kept.results, kept.frames)
    if kept.has_study and not options.figure:
        written += assumptions.draw(kept.study, folder / "figures")
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
