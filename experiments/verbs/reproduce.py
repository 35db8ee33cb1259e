"""``gridftp reproduce``: simulate what is not stored yet, draw all figures, judge all claims."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
from rich.console import Console

from analysis import check, papers
from analysis.claims import Judged
from analysis.claims.sources import Basis, bases_of
from analysis.papers import Paper, Quick
from analysis.read.results import ResultError

from ..draw.draw import Drawings, Judgement, draw_all, judge_all
from ..draw.evidence import figure_numbers, load_evidence
from ..errors import UserError
from ..programs.program import Program, locate
from ..spec.load import Changes
from ..terminal import present
from ..terminal.arguments import Parser, add_figures, add_jobs, add_results, results_of
from ..terminal.progress import duration
from .report import write_pages
from .sweep import PROGRAM, How, load_sweeps, run_sweeps


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status: 0, or 1 if something failed or differs."""
    of = papers.papers()
    options = _options(_parser(of), arguments)
    program = locate(PROGRAM)
    changes, folder = _changes(options, program)
    plan = _plan([of[options.paper]] if options.paper else list(of.values()), options)
    sweeps = load_sweeps(plan.specs(), program, changes)
    out, err = present.standard_output(), present.standard_error()
    begun = time.monotonic()
    store = folder / "store.sqlite"
    complete = run_sweeps(sweeps, store, program, How(options.jobs, wants=plan.wants))
    simulated = time.monotonic()
    kept = load_evidence(store)
    drawn = draw_all(kept, plan.names, folder)
    # The report's table has the claims of all papers, whichever were asked for.
    every = judge_all(kept, plan.papers if options.figure else None)
    judged = [one for one in every if one.paper in plan.papers]
    for one in judged:
        drawn.files += one.write(folder)
    if not options.figure:
        drawn.files += write_pages(kept, every, drawn, folder, plan.papers)
    for one in judged:
        present.print_claims(out, one.judged, one.basis, one.paper.title)
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
    tables = [(paper, plan.tables(paper, drawn, judged)) for paper in plan.papers]
    if options.write_reference and good:
        for paper, shown in tables:
            present.print_files(out, check.write(shown, paper.reference))
    differing = [
        paper for paper, shown in tables if options.check and not _check(shown, paper, plan, out)
    ]
    return 0 if good and not differing else 1


@dataclass(frozen=True)
class Plan:
    """What is to be done.

    Attributes:
        papers: whose figures and claims.
        names: of the sweeps.
        has_claims: whether all that claims are judged on is simulated, so that these are compared.
        quick: what is simulated of each sweep of a quick trial, by its name; empty: all of it.
    """

    papers: Sequence[Paper]
    names: Sequence[str]
    has_claims: bool
    quick: Mapping[str, Quick] = field(default_factory=dict)

    def specs(self) -> list[Path]:
        """Return where the sweeps are declared."""
        return [
            paper.spec(name)
            for paper in self.papers
            for name in paper.sweeps()
            if name in self.names
        ]

    def wants(self, sweep: str, label: str) -> bool:
        """Return whether a set of a sweep is simulated."""
        return sweep not in self.quick or self.quick[sweep].has(label)

    def part(self, name: str) -> str | None:
        """Return the column that tells which rows of a shipped table there are; None: all are."""
        if name in self.quick:
            return "label" if self.quick[name].labels is not None else None
        return "id" if self.quick else None

    def tables(
        self, paper: Paper, drawn: Drawings, judged: Sequence[Judgement]
    ) -> dict[str, pd.DataFrame]:
        """Return what can be compared with a paper's shipped numbers, by name."""
        tables = {name: t for name, t in drawn.tables.items() if papers.of_sweep(name) == paper}
        if not self.has_claims and not self.quick:
            return tables
        bases = bases_of(paper)
        verdicts = [
            (item.id, item.verdict)
            for one in judged
            if one.paper == paper
            for item in one.judged
            if self._is_comparable(bases[item.id], item)
        ]
        if not verdicts:
            return tables
        return {**tables, paper.sweep("claims"): pd.DataFrame(verdicts, columns=["id", "verdict"])}

    def _is_comparable(self, basis: Basis, item: Judged) -> bool:
        """Return whether a verdict is on the runs that the shipped one is on."""
        if not self.quick:
            return True
        cut = [self.quick[name] for name in basis.sweeps if name in self.quick]
        # What was not simulated cannot be judged; of a whole sweep that is a verdict like others.
        return any(one.labels is None for one in cut) or (
            bool(cut) and item.verdict != "cannot be judged"
        )


def _plan(chosen: Sequence[Paper], options: argparse.Namespace) -> Plan:
    """Return what is asked for.

    Raises:
        UserError: no paper that was chosen has a figure of that number.
    """
    if options.quick:
        quick = {one.sweep: one for paper in chosen if (one := papers.quick_of(paper))}
        return Plan(chosen, list(quick), False, quick)
    names = papers.shipped(chosen)
    if not options.figure:
        return Plan(chosen, names, True)
    numbers = {number for name in names if (number := papers.figure_number(name)) is not None}
    for number in options.figure:
        if number not in numbers:
            known = ", ".join(map(str, sorted(numbers))) or "none"
            raise UserError(
                f"gridftp reproduce: --figure: {options.paper} has no figure {number}; "
                f"allowed: {known}"
            )
    names = [name for name in names if papers.figure_number(name) in options.figure]
    return Plan(chosen, names, False)


def _options(parser: Parser, arguments: list[str]) -> argparse.Namespace:
    """Read the arguments.

    Raises:
        UserError: one is none, or two contradict each other.
    """
    options = parser.parse_args(arguments)
    asked = "--check" if options.check else "--write-reference" if options.write_reference else ""
    if asked and options.file_size is not None:
        parser.error(f"{asked}: the shipped numbers are for the default file size; allowed: "
                     "without --file-size")  # fmt: skip
    if options.check and options.write_reference:
        parser.error(
            "--check: would compare the numbers with themselves; allowed: without --write-reference"
        )
    if options.quick and options.figure:
        parser.error("--quick: selects one figure of each paper; allowed: without --figure")
    if options.quick and options.write_reference:
        parser.error("--quick: simulates a part of the figures, and the shipped numbers cover all; "
                     "allowed: without --write-reference")  # fmt: skip
    return options


def _parser(of: Mapping[str, Paper]) -> Parser:
    parser = Parser("reproduce", __doc__.split(": ", 1)[1].strip().capitalize())
    parser.add_argument(
        "--paper", choices=list(of), help=f"only this paper (default: all: {', '.join(of)})"
    )
    add_figures(parser, figure_numbers())
    parser.add_argument(
        "--quick",
        action="store_true",
        help="simulate only the first figure of each paper, or a quick part of it: about two "
        "minutes on two cores. Without --quick, the stored simulations are used again",
    )
    parser.add_argument(
        "--engine",
        metavar="NAME",
        help="engine if a spec does not set one; prints an estimate of the duration. The results "
        "go to a separate folder",
    )
    parser.add_argument(
        "--file-size",
        metavar="SIZE",
        help="size of the file if a spec does not set one, e.g. 1GB for a quick trial of Figures 3 "
        "to 7. The results go to a separate folder",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare with the shipped numbers: the relative difference is at most "
        f"{check.TOLERANCE:g}, and verdicts are equal",
    )
    parser.add_argument(
        "--write-reference",
        action="store_true",
        help="replace the shipped numbers by the results (after a change of an engine or a spec)",
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
    folder = results_of(options) / "-".join(words) if words else results_of(options)
    engine = other.pop("engine", None)
    return Changes(engine, other), folder


def _check(tables: dict[str, pd.DataFrame], paper: Paper, plan: Plan, out: Console) -> bool:
    """Compare with the shipped numbers, and tell; return whether all are as shipped."""
    good = True
    for name, table in tables.items():
        try:
            found = check.check(name, table, paper.reference, plan.part(name))
        except ResultError as error:
            present.say(
                out, f"differs  {error}; to ship them: ./gridftp reproduce --write-reference"
            )
            good = False
            continue
        word = "differs" if found.wrong else "as shipped"
        present.say(
            out,
            f"{word}  {name}: {found.compared} values, {len(found.wrong)} of them differ by more "
            f"than {check.TOLERANCE:g}; largest difference {found.largest:.1g}",
        )
        for line in found.wrong[:5]:
            present.say(out, f"  {line}")
        good &= not found.wrong
    return good
