"""How to see again what a report shows: commands, and the same scenario in the lab."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from analysis import papers
from analysis.claims.conditions import fits
from analysis.claims.sources import Basis
from analysis.read.stored import plain
from analysis.report.parts import Again

from ..errors import ProgramError
from ..programs.draft import USUAL_LAB, Draft, command_line, draft_of, lab_address
from ..programs.option_table import OptionTable
from ..programs.program import Program, locate
from ..programs.resolve import answers_to, refused
from ..store.store import Store
from ..terminal.arguments import ROOT
from .evidence import Evidence

ENGINE = "segment"
"""The engine that the lab has."""

LONGEST = 2000
"""Letters of an address, or of a command, that a reader can be given."""

_Key = TypeVar("_Key", bound=Hashable)


def again(kept: Evidence, wanted: Mapping[_Key, Basis], lab: str = USUAL_LAB) -> dict[_Key, Again]:
    """Return how to see each of several things again.

    Of the runs that a thing is made of the middle one on the lab's engine stands for all. It is
    told only where its options, flat, resolve to the very scenario that was simulated.

    Args:
        kept: what they are made of.
        wanted: which runs each is made of, by any key.
        lab: address of the lab.

    Raises:
        ProgramError: the store cannot be read.
    """
    drafts = _drafts(kept, wanted)
    found = {}
    for key, basis in wanted.items():
        sweep = next((name for name in basis.sweeps if name in kept.about), basis.sweeps[0])
        run = shown = ""
        if key in drafts:
            run, shown = command_line(drafts[key]), lab_address(drafts[key], lab)
        fits_in = max(len(run), len(shown)) <= LONGEST
        found[key] = Again(commands_of(sweep), run if fits_in else "", shown if fits_in else "")
    return found


def commands_of(sweep: str) -> tuple[str, ...]:
    """Return the commands that make a sweep's figure, and judge what is judged on it."""
    paper, number = papers.of_sweep(sweep), papers.figure_number(sweep)
    if paper is None:
        return (f"./gridftp plot {sweep}",)
    if number is not None:
        return (f"./gridftp reproduce --paper {paper.name} --figure {number}",)
    spec = paper.spec(sweep)
    path = spec.relative_to(ROOT) if spec.is_relative_to(ROOT) else spec
    return (f"./gridftp sweep {path}", "./gridftp report")


def _drafts(kept: Evidence, wanted: Mapping[_Key, Basis]) -> dict[_Key, Draft]:
    """Return a scenario for each thing; none where no options say the same."""
    try:
        program = locate("gridftp-transfer")
        table = OptionTable.read(program.object("--describe"))
    except ProgramError:
        return {}  # not built: a report needs nothing but what is kept
    with Store(kept.store) as store:
        return drafts_of(program, table, wanted, lambda sweep: _runs(store, sweep))


def drafts_of(
    program: Program,
    table: OptionTable,
    wanted: Mapping[_Key, Basis],
    runs_of: Callable[[str], Sequence[Run]],
) -> dict[_Key, Draft]:
    """Return a scenario that stands for each of several things; none where no options say the same.

    Args:
        program: gridftp-transfer.
        table: its options.
        wanted: which runs each is made of, by any key.
        runs_of: the runs of a sweep on the lab's engine, in its order.

    Raises:
        ProgramError: the program does not answer.
    """
    lines = _lines(wanted, runs_of)
    drafts = {key: draft_of(line, table) for key, line in lines.items()}
    told = {key: draft for key, draft in drafts.items() if draft is not None}
    return dict(_same(program, lines, told))


def _same(
    program: Program, lines: Mapping[_Key, Mapping[str, Any]], drafts: Mapping[_Key, Draft]
) -> Iterator[tuple[_Key, Draft]]:
    """Yield those that resolve to the same as the line that they are made of."""
    asked = [line for key, draft in drafts.items() for line in (lines[key], draft.line())]
    answers = answers_to(program, asked)
    for (key, draft), line, flat in zip(drafts.items(), answers[::2], answers[1::2], strict=True):
        if line == flat and not refused(flat):
            yield key, draft


Run = tuple[str, str, Mapping[str, Any]]
"""Label, line of a batch as JSON, and the plain values of the scenario."""


def _lines(
    wanted: Mapping[_Key, Basis], runs_of: Callable[[str], Sequence[Run]]
) -> dict[_Key, dict[str, Any]]:
    """Return the line of one run of each thing, of none where no run is on the lab's engine."""
    sweeps = {name for basis in wanted.values() for name in basis.sweeps}
    found = {}
    for sweep in sorted(sweeps):  # one after the other: all of them would fill the memory
        runs = runs_of(sweep)
        for key, basis in wanted.items():
            if sweep in basis.sweeps and runs:
                found[key] = json.loads(_amid([run for run in runs if _is(run, basis)] or runs))
    return found


def _runs(store: Store, sweep: str) -> list[Run]:
    rows = store.query(
        "SELECT label, line, scenario FROM plan JOIN run USING (key) "
        "WHERE sweep = ? AND engine = ? AND json_valid(scenario) ORDER BY place",
        (sweep, ENGINE),
    )
    return [(label, line, plain(json.loads(scenario))) for label, line, scenario in rows]


def _is(run: Run, basis: Basis) -> bool:
    label, _, scenario = run
    return basis.label in (None, label) and all(
        fits(scenario.get(key), value) for key, value in basis.runs.items()
    )


def _amid(runs: Sequence[Run]) -> str:
    """Return the line in the middle, of first replications: ends of a sweep are extremes."""
    first = min(scenario["run"] for _, _, scenario in runs)
    lines = [line for _, line, scenario in runs if scenario["run"] == first]
    return lines[len(lines) // 2]
