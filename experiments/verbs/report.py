"""``gridftp report``: write figures, claims and their commands as web pages from stored results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis import figures, papers, report
from analysis.claims import Judged
from analysis.claims.sources import Basis, bases_of
from analysis.files import write_atomically
from analysis.papers import Paper
from analysis.read import stored
from analysis.statistics import pairs

from ..draw.again import again
from ..draw.draw import Drawings, Judgement, draw_all, judge_all
from ..draw.evidence import Evidence, chosen, load_evidence
from ..programs.draft import USUAL_LAB
from ..store.store import Store
from ..terminal import present
from ..terminal.arguments import Parser, add_results, add_store, page_address, results_of, store_of

FIRST_SET = "segment"
"""Label of what figures of papers show; where there is no such set, a sweep's first run will do."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status: 0, or 1 if something cannot be drawn."""
    parser = Parser("report", __doc__.split(": ", 1)[1].strip().capitalize())
    add_results(parser)
    add_store(parser)
    parser.add_argument(
        "--lab",
        type=page_address,
        metavar="ADDRESS",
        help="address of the lab that the report links to: the folder of an exported lab, relative "
        f"to report.html, or https://... (default: {USUAL_LAB}, where ./gridftp lab serves it)",
    )
    options = parser.parse_args(arguments)
    folder = results_of(options)
    kept = load_evidence(store_of(options))
    drawn = draw_all(kept, chosen(kept, []), folder)
    judged = judge_all(kept)
    for one in judged:
        drawn.files += one.write(folder)
    drawn.files += write_pages(kept, judged, drawn, folder, lab=options.lab or USUAL_LAB)
    out, err = present.standard_output(), present.standard_error()
    present.say(out, "Files:")
    present.print_files(out, drawn.files)
    for problem in drawn.problems:
        present.say(err, problem)
    return 1 if drawn.problems else 0


def write_pages(
    kept: Evidence,
    judged: Sequence[Judgement],
    drawn: Drawings,
    folder: Path,
    chosen_papers: Sequence[Paper] | None = None,
    lab: str = USUAL_LAB,
) -> list[Path]:
    """Write ``report.html`` and the pages beside it.

    Args:
        kept: what they are made of.
        judged: what is said of all papers of which something is kept.
        drawn: the figures, where `analysis.papers.figures_folder` has them.
        folder: of results.
        chosen_papers: whose figures were drawn; the pages of others stay as they are. None: all.
        lab: address of the lab, from ``report.html``.

    Returns:
        The files written.

    Raises:
        OSError: a file cannot be written.
    """
    known = kept.papers()
    written = [paper for paper in known if chosen_papers is None or paper in chosen_papers]
    claims = [item for one in judged for item in one.judged]
    shown = _pictures(kept, drawn, folder, claims, lab)
    of = {name: papers.of_sweep(name) for name in shown}
    origin = report.Origin(
        pairs.agreement_table(kept.store, kept.about), stored.provenance(kept.store)
    )
    own = {name for name in kept.about if papers.of_sweep(name) is None}
    pages = report.build(
        report.Report(
            [_part(kept, paper, judged, [shown[n] for n in shown if of[n] == paper], origin,
                   lab)
             for paper in known],
            [paper.name for paper in written],
            [p.name for p in known if (folder / "report" / f"{p.name}.html").exists()],
            [shown[name] for name in shown if of[name] is None],
            origin.of(own),
            drawn.problems,
            "" if lab == USUAL_LAB else lab,
        )
    )  # fmt: skip
    files = {folder / name: page.encode() for name, page in pages.items()}
    write_atomically(files)
    return list(files)


def _part(
    kept: Evidence,
    paper: Paper,
    judged: Sequence[Judgement],
    pictures: list[report.Picture],
    origin: report.Origin,
    lab: str,
) -> report.Part:
    """Return what the report has of one paper."""
    of = [one for one in judged if one.paper == paper]
    items = [item for one in of for item in one.judged]
    bases = bases_of(paper)
    return report.Part(
        paper.name,
        paper.heading,
        paper.citation,
        items,
        [sentence for one in of for sentence in one.basis],
        pictures,
        paper.toml("assumptions.toml").get("assumption", []),
        _scenario(kept, paper),
        again(kept, {item.id: bases[item.id] for item in items}, lab),
        origin.of({name for name in kept.about if papers.of_sweep(name) == paper}),
    )


def _pictures(
    kept: Evidence, drawn: Drawings, folder: Path, claims: Sequence[Judged], lab: str
) -> dict[str, report.Picture]:
    """Return what was drawn, by the sweep's name."""
    seen = again(kept, {name: Basis((name,), FIRST_SET) for name in drawn.tables}, lab)
    return {name: _picture(kept, drawn, name, folder, claims, seen[name]) for name in drawn.tables}


def _picture(
    kept: Evidence,
    drawn: Drawings,
    name: str,
    folder: Path,
    judged: Sequence[Judged],
    seen: report.Again,
) -> report.Picture:
    kinds = figures.kinds(name)
    kind = kinds[kept.about[name].figure]
    number = papers.figure_number(name)
    if kind.question is not None:
        section = report.OURS if kind.ours else report.OPEN
    elif number is not None:
        section = report.PAPER
    else:
        section = report.STUDY if kind is kinds["assumptions"] else report.OTHER
    answers = kind.answer(drawn.tables[name]) if kind.answer else []
    own, place = papers.own_name(name), papers.figures_folder(folder, name)
    return report.Picture(
        section,
        own if number is None else f"Figure {number}",
        kept.about[name].title,
        (place / f"{own}.svg").read_bytes(),
        (place / f"{own}.csv").relative_to(folder).as_posix(),
        kind.question,
        [report.in_words(text, judged) for text in answers],
        seen,
    )


def _scenario(kept: Evidence, paper: Paper) -> dict[str, Any]:
    """Return the scenario that the assumptions are told of.

    It is the first of the sweep that they name, or else, or where it is not kept, of the first one.
    """
    own = [name for name in kept.about if name.startswith(paper.sweep(""))]
    named = paper.sweep(paper.toml("assumptions.toml").get("sweep", ""))
    name = named if named in own else own[0]
    with Store(kept.store) as store:
        ((text,),) = store.query(
            "SELECT scenario FROM plan JOIN run USING (key) WHERE sweep = ? ORDER BY place LIMIT 1",
            (name,),
        )
    return json.loads(text)
