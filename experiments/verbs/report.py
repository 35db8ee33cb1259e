"""``gridftp report``: figures, claims and how they came about on one page, from what is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analysis import figures, report
from analysis.claims import Judged, write
from analysis.files import write_atomically
from analysis.read import stored
from analysis.statistics import pairs

from ..draw import shipped
from ..draw.draw import Drawings, basis, draw_all, judge_all
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
    if judged:
        drawn.files += write(judged, basis(kept), folder)
    drawn.files += write_page(kept, judged, drawn, folder)
    out, err = present.standard_output(), present.standard_error()
    present.say(out, "Files:")
    present.print_files(out, drawn.files)
    for problem in drawn.problems:
        present.say(err, problem)
    return 1 if drawn.problems else 0


def write_page(kept: Evidence, judged: list[Judged], drawn: Drawings, folder: Path) -> list[Path]:
    """Write ``report.html``.

    Args:
        kept: what it is made of.
        judged: the claims.
        drawn: the figures, in the folder's ``figures``.
        folder: of results.

    Returns:
        The files written.

    Raises:
        OSError: a file cannot be written.
    """
    page = report.build(
        report.Page(
            judged,
            basis(kept),
            [_picture(kept, drawn, name, folder / "figures") for name in drawn.tables],
            drawn.problems,
            pairs.agreement_table(kept.store, kept.about),
            stored.provenance(kept.store),
            _scenario(kept),
        )
    )
    path = folder / "report.html"
    write_atomically({path: page.encode()})
    return [path]


def _picture(kept: Evidence, drawn: Drawings, name: str, folder: Path) -> report.Picture:
    kind = figures.kinds()[kept.about[name].figure]
    number = next((n for n in shipped.numbers() if shipped.name_of(n) == name), None)
    if kind.question is not None:
        section = report.OPEN
    elif number is not None:
        section = report.PAPER
    else:
        section = report.STUDY if kind is figures.kinds()["assumptions"] else report.OTHER
    return report.Picture(
        section,
        name if number is None else f"Figure {number}",
        kept.about[name].title,
        (folder / f"{name}.svg").read_bytes(),
        f"figures/{name}.csv",
        kind.question,
        kind.answer(drawn.tables[name]) if kind.answer else [],
    )


def _scenario(kept: Evidence) -> dict[str, Any]:
    """Return the scenario that the assumptions are told of: the first of the first sweep."""
    name = next(iter(kept.about))
    with Store(kept.store) as store:
        ((text,),) = store.query(
            "SELECT scenario FROM plan JOIN run USING (key) WHERE sweep = ? ORDER BY place LIMIT 1",
            (name,),
        )
    return json.loads(text)
