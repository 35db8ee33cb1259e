"""``gridftp report``: figures, claims and how they came about on one page, from what is kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis import figures, papers, report
from analysis.claims import Judged
from analysis.files import write_atomically
from analysis.papers import Paper
from analysis.read import stored
from analysis.statistics import pairs

from ..draw.draw import Drawings, Judgement, draw_all, judge_all
from ..draw.evidence import Evidence, chosen, load_evidence
from ..store.store import Store
from ..terminal import present
from ..terminal.arguments import Parser, add_results, add_store, store_of


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status: 0, or 1 if something cannot be drawn."""
    parser = Parser("report", __doc__.split(": ", 1)[1].strip().capitalize())
    add_results(parser)
    add_store(parser)
    options = parser.parse_args(arguments)
    folder = options.results
    kept = load_evidence(store_of(options))
    drawn = draw_all(kept, chosen(kept, []), folder)
    judged = judge_all(kept)
    for one in judged:
        drawn.files += one.write(folder)
    drawn.files += write_page(kept, judged, drawn, folder)
    out, err = present.standard_output(), present.standard_error()
    present.say(out, "Files:")
    present.print_files(out, drawn.files)
    for problem in drawn.problems:
        present.say(err, problem)
    return 1 if drawn.problems else 0


def write_page(
    kept: Evidence, judged: Sequence[Judgement], drawn: Drawings, folder: Path
) -> list[Path]:
    """Write ``report.html``.

    Args:
        kept: what it is made of.
        judged: what is said of the papers.
        drawn: the figures, where `analysis.papers.figures_folder` has them.
        folder: of results.

    Returns:
        The files written.

    Raises:
        OSError: a file cannot be written.
    """
    claims = [item for one in judged for item in one.judged]
    shown = {name: _picture(kept, drawn, name, folder, claims) for name in drawn.tables}
    of = {name: papers.of_sweep(name) for name in shown}
    page = report.build(
        report.Page(
            [_part(kept, paper, judged, [shown[n] for n in shown if of[n] == paper])
             for paper in kept.papers()],
            [shown[name] for name in shown if of[name] is None],
            drawn.problems,
            pairs.agreement_table(kept.store, kept.about),
            stored.provenance(kept.store),
        )
    )  # fmt: skip
    path = folder / "report.html"
    write_atomically({path: page.encode()})
    return [path]


def _part(
    kept: Evidence, paper: Paper, judged: Sequence[Judgement], pictures: list[report.Picture]
) -> report.Part:
    """Return what the report has of one paper."""
    of = [one for one in judged if one.paper == paper]
    return report.Part(
        paper.heading,
        paper.citation,
        [item for one in of for item in one.judged],
        [sentence for one in of for sentence in one.basis],
        pictures,
        paper.toml("assumptions.toml").get("assumption", []),
        _scenario(kept, paper),
    )


def _picture(
    kept: Evidence, drawn: Drawings, name: str, folder: Path, judged: Sequence[Judged]
) -> report.Picture:
    kinds = figures.kinds(name)
    kind = kinds[kept.about[name].figure]
    number = papers.figure_number(name)
    if kind.question is not None:
        section = report.OPEN
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
