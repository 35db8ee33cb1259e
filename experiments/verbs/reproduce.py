"""``gridftp reproduce``: simulate what is not kept yet, draw the figures, judge the claims."""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

import pandas as pd
from rich.console import Console

from analysis import check
from analysis.claims import Judged, write
from analysis.read.results import ResultError

from ..draw import shipped
from ..draw.draw import Drawings, basis, draw_all, judge_all
from ..draw.evidence import Evidence, load_evidence
from ..programs.pool import Limits
from ..programs.program import Program, locate
from ..spec.load import Changes
from ..terminal import present
from ..terminal.arguments import Parser, add_figures, add_jobs, add_results
from ..terminal.progress import duration
from .report import write_page
from .sweep import PROGRAM, load_sweeps, run_sweeps


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status: 0, or 1 if something failed or differs."""
    parser = _parser()
    options = parser.parse_args(arguments)
    asked = "--check" if options.check else "--write-reference" if options.write_reference else ""
    if asked and options.file_size is not None:
        parser.error(f"{asked}: the shipped numbers are those of the usual file size; allowed: "
                     "without --file-size")  # fmt: skip
    if options.check and options.write_reference:
        parser.error("--check: numbers agree with themselves; allowed: without --write-reference")
    program = locate(PROGRAM)
    changes, folder = _changes(options, program)
    figures = sorted(set(options.figure or []))
    names = [shipped.name_of(number) for number in figures] or shipped.names()
    sweeps = load_sweeps([shipped.path_of(name) for name in names], program, changes)
    out, err = present.standard_output(), present.standard_error()
    begun = time.monotonic()
    store = folder / "store.sqlite"
    complete = run_sweeps(sweeps, store, program, options.jobs, Limits())
    simulated = time.monotonic()
    kept = load_evidence(store)
    drawn = draw_all(kept, names, folder)
    judged = _judge(kept, drawn, folder)
    if not options.figure:
        drawn.files += write_page(kept, judged, drawn, folder)
    if judged:
        present.print_claims(out, judged, basis(kept))
    present.say(out, "Files:")
    present.print_files(out, drawn.files)
    present.say(
        out,
        f"Time: simulations {duration(simulated - begun)}, "
        f"figures and claims {duration(time.monotonic() - simulated)}",
    )
    for problem in drawn.problems:
        present.say(err, problem)
    good = complete and not drawn.problems
    tables = _tables(drawn, judged, not options.figure)
    if options.write_reference and good:
        present.print_files(out, check.write(tables))
    return 0 if (_check(tables, out) if options.check else True) and good else 1


def _parser() -> Parser:
    parser = Parser("reproduce", __doc__.split(": ", 1)[1].strip().capitalize())
    add_figures(parser, shipped.numbers())
    parser.add_argument(
        "--engine",
        metavar="NAME",
        help="simulate with this engine what is simulated with the default one, too; tells how "
        "long it will take; goes to a folder of its own",
    )
    parser.add_argument(
        "--file-size",
        metavar="SIZE",
        help="another file where a spec names none, e.g. 1GB for a quick trial of Figures 3 to 7; "
        "goes to a folder of its own",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help=f"compare with the shipped numbers: at most {check.TOLERANCE:g} away, verdicts equal",
    )
    parser.add_argument(
        "--write-reference",
        action="store_true",
        help="make what comes out the shipped numbers (after a change of an engine or a spec)",
    )
    add_jobs(parser)
    add_results(parser)
    return parser


def _changes(options: argparse.Namespace, program: Program) -> tuple[Changes, Path]:
    """Return what is to be otherwise than the specs say, and the folder of the results.

    What differs from the paper's goes to a folder of its own, so that a quick trial never replaces
    the results of a long one.

    Raises:
        UserError: the program refuses an option.
    """
    usual = program.resolve()
    asked = {"engine": options.engine, "file-size": options.file_size}
    other = {
        name: value
        for name, value in asked.items()
        if value is not None and program.resolve(f"--{name}={value}") != usual
    }
    words = [f"{name}-{re.sub(r'[^0-9A-Za-z.]', '_', value)}" for name, value in other.items()]
    folder = options.results / "-".join(words) if words else options.results
    engine = other.pop("engine", None)
    return Changes(engine, other), folder


def _judge(kept: Evidence, drawn: Drawings, folder: Path) -> list[Judged]:
    judged = judge_all(kept)
    if judged:
        drawn.files += write(judged, basis(kept), folder)
    return judged


def _tables(drawn: Drawings, judged: list[Judged], claims: bool) -> dict[str, pd.DataFrame]:
    """Return what can be compared with shipped numbers, by name."""
    if not claims:
        return drawn.tables
    verdicts = pd.DataFrame([(item.id, item.verdict) for item in judged], columns=["id", "verdict"])
    return {**drawn.tables, "claims": verdicts}


def _check(tables: dict[str, pd.DataFrame], out: Console) -> bool:
    """Compare with the shipped numbers, and tell; return whether all are as shipped."""
    good = True
    for name, table in tables.items():
        try:
            found = check.check(name, table)
        except ResultError as error:
            present.say(out, f"differs  {error}: ./gridftp reproduce --write-reference ships them")
            good = False
            continue
        word = "differs" if found.wrong else "as shipped"
        present.say(
            out,
            f"{word}  {name}: {found.compared} values, {len(found.wrong)} of them away by more "
            f"than {check.TOLERANCE:g}, at most {found.largest:.1g}",
        )
        for line in found.wrong[:5]:
            present.say(out, f"  {line}")
        good &= not found.wrong
    return good
