"""``gridftp plot``: draw figures from stored results, without simulating.

Without names of sweeps it draws all of them, and judges the claims of the papers.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis import papers
from analysis.figures import bench
from analysis.read.results import ResultError

from ..draw.draw import draw_all, judge_all
from ..draw.evidence import chosen, figure_numbers, load_evidence
from ..terminal import present
from ..terminal.arguments import (
    Parser,
    add_figures,
    add_results,
    add_store,
    results_of,
    store_of,
    user_path,
)


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status: 0, or 1 if something cannot be drawn."""
    parser = Parser("plot", __doc__.split(": ", 1)[1].split("\n")[0].strip().capitalize())
    parser.add_argument(
        "sweeps",
        nargs="*",
        type=_sweep,
        metavar="SWEEP",
        help="a sweep to draw: its name, such as ito/fig05 (or fig05, if only one paper has it), "
        "or its SPEC.toml (default: all stored sweeps, and the claims)",
    )
    parser.add_argument(
        "--bare",
        action="store_true",
        help="write the caption to a .txt file next to the picture instead of into it, for papers",
    )
    add_figures(parser, figure_numbers())
    add_results(parser)
    add_store(parser)
    options = parser.parse_args(arguments)
    wanted = set(options.figure or [])
    figures = [name for name in papers.shipped() if papers.figure_number(name) in wanted]
    asked = [*options.sweeps, *figures]
    out, err = present.standard_output(), present.standard_error()
    kept = load_evidence(store_of(options))
    measured = results_of(options) / "bench.json"
    alone = not asked and not kept.drawable() and measured.exists()
    names = [] if alone else chosen(kept, list(dict.fromkeys(asked)))
    drawn = draw_all(kept, names, results_of(options), options.bare)
    # Who names sweeps wants their figures: claims and their files stay as they are.
    for one in [] if asked else judge_all(kept):
        present.print_claims(out, one.judged, one.basis, one.paper.title)
        drawn.files += one.write(results_of(options))
    if measured.exists() and not asked:
        drawn.files += _bench(results_of(options), drawn.problems)
    for name in drawn.tables:
        present.say(out, f"{name}: {kept.about[name].title}")
    present.say(out, "Files:")
    present.print_files(out, drawn.files)
    for problem in drawn.problems:
        present.say(err, problem)
    return 1 if drawn.problems else 0


def _sweep(text: str) -> str:
    """Return a sweep's name from what the user calls it."""
    name = papers.name_of(user_path(text)) if text.endswith(".toml") else text
    if not name or not papers.own_name(name):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not the name of a sweep; allowed: such as ito/fig05, or a SPEC.toml"
        )
    return name


def _bench(folder: Path, problems: list[str]) -> list[Path]:
    try:
        return bench.draw(bench.load(folder / "bench.json"), folder / "figures" / "bench")
    except ResultError as error:
        problems.append(f"not drawn: {error}")
        return []
