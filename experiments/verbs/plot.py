"""``gridftp plot``: figures and claims again, from kept results alone."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.claims import write
from analysis.figures import bench
from analysis.read.results import ResultError

from ..draw import shipped
from ..draw.draw import basis, draw_all, judge_all
from ..draw.evidence import chosen, load_evidence
from ..terminal import present
from ..terminal.arguments import Parser, add_figures, add_results, add_store, store_of


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status: 0, or 1 if something cannot be drawn."""
    parser = Parser("plot", __doc__.split(": ", 1)[1].strip().capitalize())
    parser.add_argument(
        "sweeps",
        nargs="*",
        type=_sweep,
        metavar="SWEEP",
        help="name of a sweep, or its SPEC.toml (default: all that are kept)",
    )
    add_figures(parser, shipped.numbers())
    add_results(parser)
    add_store(parser)
    options = parser.parse_args(arguments)
    asked = [*options.sweeps, *map(shipped.name_of, sorted(set(options.figure or [])))]
    out, err = present.standard_output(), present.standard_error()
    kept = load_evidence(store_of(options))
    measured = options.results / "bench.json"
    alone = not asked and not kept.drawable() and measured.exists()
    names = [] if alone else chosen(kept, list(dict.fromkeys(asked)))
    drawn = draw_all(kept, names, options.results)
    if judged := judge_all(kept):
        present.print_claims(out, judged, basis(kept))
        drawn.files += write(judged, basis(kept), options.results)
    if measured.exists() and not asked:
        drawn.files += _bench(options.results, drawn.problems)
    present.say(out, "Files:")
    present.print_files(out, drawn.files)
    for problem in drawn.problems:
        present.say(err, problem)
    return 1 if drawn.problems else 0


def _sweep(text: str) -> str:
    """Return a sweep's name from what the user calls it."""
    name = Path(text).name.removesuffix(".toml")
    if not name:
        raise argparse.ArgumentTypeError(f"{text!r} is no sweep's name")
    return name


def _bench(folder: Path, problems: list[str]) -> list[Path]:
    try:
        return bench.draw(bench.load(folder / "bench.json"), folder / "figures" / "bench")
    except ResultError as error:
        problems.append(f"not drawn: {error}")
        return []
