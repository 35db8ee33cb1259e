"""The page of a paper, and that of the sweeps of no paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from ..claims import Judged
from ..page import as_table, escaped, picture, under
from .parts import OPEN, OTHER, OURS, PAPER, STUDY, Again, Origin, Part, Picture, Report
from .words import COUNTED, UP, VERDICTS, below, cells, count_of, value_of, whole

OWN_SWEEPS = "own-sweeps"
"""Name of the page of the sweeps of no paper; no paper can be called so."""

_HEADINGS = {
    PAPER: "Figures",
    STUDY: "Sensitivity to parameters that the paper does not specify",
    OPEN: "Questions that the paper left open",
    OURS: "Further questions: ours, not the paper's",
    OTHER: "Other sweeps",
}

_BACK = f'<p><a href="{UP}report.html">All claims of all papers</a></p>'


def paper_page(part: Part) -> Iterable[str]:
    """Return what the page of a paper has."""
    counts = count_of(part.judged)
    told = ", ".join(f"{number} {COUNTED[word]}" for word, number in counts.items() if number)
    yield _BACK
    yield f"<h1>{escaped(part.heading)}</h1>"
    if part.citation:
        yield f'<p class="small">{escaped(part.citation)}</p>'
    yield (
        f"<p>{len(part.judged)} claims{f': {told}' if told else ''}. No parameter was "
        "tuned to make a claim hold. A table after the figures lists our assumptions: values of "
        "the parameters that the paper does not specify.</p>"
    )
    notes = (f'<p class="small">{escaped(sentence)}</p>' for sentence in part.basis)
    yield under("Claims", _claims(part.judged, part.again), *notes)
    yield from _figures(part.pictures)
    if part.assumptions:
        table = _assumptions(part.assumptions, part.scenario)
        yield under("Parameters that the paper does not specify", table)
    yield from _origin(part.origin)
    yield under(
        "Reproduce this page", f"<pre>./gridftp reproduce --paper {escaped(part.name)}</pre>"
    )


def own_page(report: Report) -> Iterable[str]:
    """Return what the page of the sweeps of no paper has."""
    yield _BACK
    yield "<h1>GridFTP laboratory: sweeps that belong to no paper</h1>"
    yield from _figures(report.pictures)
    yield from _origin(report.origin)


def _claims(judged: Sequence[Judged], again: Mapping[str, Again]) -> str:
    headings = ("claim", "simulated value", "verdict", "reason", "reproduce")
    rows = []
    for item in judged:
        contents = (
            f'{escaped(item.claimed)}<br><span class="small">{escaped(item.where)} '
            f'<span class="id">({escaped(item.id)})</span></span>',
            f"{escaped(item.measured)}{below(item.moves)}",
            escaped(item.verdict),
            escaped(item.reason),
            whole(again.get(item.id, Again()), item.claimed),
        )
        kinds = {"verdict": f"verdict {VERDICTS[item.verdict]}", "reproduce": "again"}
        rows.append(f'<tr id="{escaped(item.id)}">{cells(headings, contents, kinds)}</tr>')
    return as_table(headings, rows, "The paper's claims")


def _figures(pictures: Sequence[Picture]) -> Iterable[str]:
    for section, heading in _HEADINGS.items():
        chosen = [one for one in pictures if one.section == section]
        if chosen:
            yield under(heading, *map(_figure, chosen))


def _figure(shown: Picture) -> str:
    about = f"{shown.name}: {shown.title}"
    asked = f"<h3>{escaped(shown.question)}</h3>" if shown.question else ""
    sentences = "".join(f"<li>{escaped(sentence)}</li>" for sentence in shown.answer)
    answer = f"<ul>{sentences}</ul>" if sentences else ""
    again = whole(shown.again, about)
    return (
        f"{asked}{answer}<figure>{picture(shown.svg, about)}"
        f"<figcaption>{escaped(about)}. Numbers: {escaped(shown.data)}"
        f"{again and f'<br>{again}'}</figcaption></figure>"
    )


def _assumptions(entries: Iterable[Mapping[str, Any]], scenario: Mapping[str, Any]) -> str:
    rows = [
        f"<tr><td>{escaped(entry['what'])}</td>"
        f'<td class="number">{escaped(value_of(entry["key"], scenario.get(entry["key"])))}</td>'
        f"<td>{escaped(entry['why'])}</td></tr>"
        for entry in entries
    ]
    return as_table(("parameter", "value here", "reason"), rows, "Assumptions")


def _origin(origin: Origin) -> Iterable[str]:
    yield under("Do the two engines agree?", *_agreement(origin.agreement))
    yield under("Where the numbers come from", *_provenance(origin.provenance))


def _agreement(table: pd.DataFrame) -> Iterable[str]:
    if not len(table):
        yield (
            "<p>These results contain no scenario that both engines simulated. "
            "<code>./gridftp compare</code> compares the engines.</p>"
        )
        return
    yield (
        "<p>Engine ns3 uses ns-3's own TCP/IP stack. Engine segment is a separate simulator that "
        "models each TCP segment. The table compares their goodputs in the same scenarios.</p>"
    )
    yield as_table(
        ("sweep", "pairs of runs", "equal in every digit", "largest difference"),
        [
            f'<tr><td>{escaped(row.sweep)}</td><td class="number">{row.compared}</td>'
            f'<td class="number">{row.equal}</td><td class="number">{row.largest:.2g}</td></tr>'
            for row in table.itertuples()
        ],
        "Agreement of the engines",
    )


def _provenance(table: pd.DataFrame) -> Iterable[str]:
    rows = [
        f"<tr><td>{escaped(row.sweep)}</td><td>{escaped(row.engine)}</td>"
        f'<td class="number">{row.runs}</td><td class="number">{row.wall_s:.0f}</td>'
        f"<td>{escaped(row.commit)}</td><td>{escaped(row.ns3_version)}</td>"
        f"<td>{escaped(row.build_profile)}</td></tr>"
        for row in table.itertuples()
    ]
    headings = ("sweep", "engine", "runs", "run time (s)", "commit", "ns-3", "build")
    yield as_table(headings, rows, "Provenance")
    yield (
        '<p class="small">The commit is the version of the program that simulated the runs. Stored '
        "runs stay valid as long as the source code of their engine does not change.</p>"
    )
