"""papers.json: the papers, and of each the claims of which the lab can show a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from analysis.papers import FOLDER, Paper, papers
from experiments.programs.draft import lab_state
from experiments.programs.option_table import OptionTable
from experiments.programs.program import Program
from experiments.programs.resolve import resolve_lines, without_files
from experiments.spec.load import load_spec

from . import folders

_MADE = folders.BUILD / "papers.json"


def make(program: Program, engine: Path) -> Path:
    """Return the file, made anew only where the papers or the engine have changed.

    Args:
        program: gridftp-transfer, which resolves scenarios.
        engine: the lab's, made of the same sources.

    Raises:
        ResultError: the ``claims.toml`` of a paper is wrong.
        UserError: a spec is.
        ProgramError: the program does not answer.
    """
    told = ("*.toml", "*.topology", "*.conf")
    sources = sorted(file for pattern in told for file in FOLDER.rglob(pattern))
    mark = folders.BUILD / "papers.made-of"
    state = folders.digest([*sources, Path(__file__), engine])
    if not (_MADE.is_file() and folders.is_made(mark, state)):
        _MADE.write_text(json.dumps(papers_json(program), separators=(",", ":")), encoding="utf-8")
        mark.write_text(state, encoding="utf-8")
    return _MADE


def papers_json(program: Program) -> list[dict[str, Any]]:
    """Return what the file holds: ``{name, authors, title, citation, claims: [{text, state}]}``.

    ``state`` is the part of an address behind the page's: of the runs that a claim is judged on the
    middle one. Claims that no address can show are left out.
    """
    table = OptionTable.read(program.object("--describe"))
    return [
        {"name": paper.name, "citation": paper.citation, **_named(paper.title),
         "claims": list(_claims(paper, program, table))}
        for paper in papers().values()
    ]  # fmt: skip


def _named(title: str) -> dict[str, str]:
    """Return authors and title, which a paper's title has with a colon between."""
    authors, _, rest = title.partition(": ")
    return {"authors": authors, "title": rest}


def _claims(paper: Paper, program: Program, table: OptionTable) -> Iterator[dict[str, str]]:
    # Only where they are made: to load what judges claims takes longer than all else here
    from analysis.claims.sources import bases_of, texts_of
    from experiments.draw.again import LONGEST, drafts_of

    texts = texts_of(paper)
    drafts = drafts_of(
        program, table, bases_of(paper), lambda sweep: list(_runs(paper, sweep, program, table))
    )
    for key, draft in drafts.items():
        # Of the defaults an address has to say at least the moment: one of nothing is the entry's
        state = lab_state(draft, **({} if [*draft.given()] else {"t": "0"}))
        if len(state) <= LONGEST:
            yield {"text": texts[key], "state": state}


def _runs(
    paper: Paper, sweep: str, program: Program, table: OptionTable
) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield the planned runs of a sweep on the lab's engine, in the order of its spec."""
    from analysis.read.stored import plain
    from experiments.draw.again import ENGINE

    planned = load_spec(paper.spec(sweep), table).planned
    scenarios = resolve_lines(program, [one.line for one in planned])
    for one, scenario in zip(planned, scenarios, strict=True):
        if scenario["engine"] == ENGINE:
            line = without_files(table, one.line, scenario)
            yield one.label, json.dumps(line), plain(scenario)
