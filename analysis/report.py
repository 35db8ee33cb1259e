"""The report: one HTML file that needs nothing else, made of what is kept."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from .claims import Judged

_VERDICTS = {"holds": "holds", "fails": "fails", "cannot be judged": "open"}
"""Verdict, and the class it has in the page."""

_COUNTED = {"holds": "hold", "fails": "fail", "cannot be judged": "cannot be judged"}

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; max-width: 62rem; margin: 0 auto;
       padding: 1rem 1.2rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1.2rem 0 .4rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; }
p, li { max-width: 46rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .87rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0;
         border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #888; white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.verdict { font-weight: 600; white-space: nowrap; }
.holds { color: #00664a; } .fails { color: #a33c00; } .open { color: #6b5600; }
.id { white-space: nowrap; }
.small { color: #555; font-size: .85rem; }
figure { margin: 1rem 0 1.8rem; }
figure img { width: 100%; height: auto; }
figcaption { color: #444; font-size: .87rem; }
pre { background: #f4f4f4; padding: .6rem .8rem; overflow-x: auto; font-size: .85rem; }
"""


PAPER, STUDY, OPEN, OTHER = "paper", "study", "open", "other"
"""Sections of the report that have figures."""

_HEADINGS = {
    PAPER: "Figures",
    STUDY: "Does it depend on what the paper does not say?",
    OPEN: "What the paper left open",
    OTHER: "Other sweeps",
}


@dataclass(frozen=True)
class Picture:
    """A figure of the report.

    Attributes:
        section: where it stands.
        name: such as "Figure 5".
        title: what it shows.
        svg: the picture.
        data: name of the file with the numbers drawn.
        question: that it answers, None for none.
        answer: sentences.
    """

    section: str
    name: str
    title: str
    svg: bytes
    data: str
    question: str | None
    answer: Sequence[str]


@dataclass(frozen=True)
class Part:
    """What the report has of one paper.

    Attributes:
        heading: of it.
        judged: the claims.
        basis: what the verdicts rest on, sentences.
        pictures: the figures.
        assumptions: entries of the paper's ``assumptions.toml``.
        scenario: of a run, for the values of what the paper does not say.
    """

    heading: str
    judged: Sequence[Judged]
    basis: Iterable[str]
    pictures: Sequence[Picture]
    assumptions: Sequence[Mapping[str, Any]]
    scenario: Mapping[str, Any]


@dataclass(frozen=True)
class Page:
    """What the report consists of.

    Attributes:
        parts: one for each paper.
        pictures: the figures of no paper.
        problems: why a figure is not there, one line each.
        agreement: from `pairs.agreement_table`.
        provenance: from `analysis.stored.provenance`.
    """

    parts: Sequence[Part]
    pictures: Sequence[Picture]
    problems: Sequence[str]
    agreement: pd.DataFrame
    provenance: pd.DataFrame


def build(page: Page) -> str:
    """Return the report's HTML; the same for the same data."""
    missing = "".join(f"<p>{_text(problem)}</p>" for problem in page.problems)
    parts = [
        *([] if page.parts else ["<h1>GridFTP laboratory: sweeps</h1>"]),
        *(html for part in page.parts for html in _part(part)),
        *_figures(page.pictures),
        *([_section("What is missing", missing)] if missing else []),
        _section("Do the two engines agree?", *_agreement(page.agreement)),
        _section("Where the numbers come from", *_provenance(page.provenance)),
        _section("Run it again", _again()),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>GridFTP laboratory: report</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _part(part: Part) -> Iterable[str]:
    """Return one paper's sections."""
    count = {word: sum(item.verdict == word for item in part.judged) for word in _VERDICTS}
    told = ", ".join(f"{number} {_COUNTED[word]}" for word, number in count.items() if number)
    yield f"<h1>{_text(part.heading)}</h1>"
    yield (
        f"<p>{len(part.judged)} claims{f': {told}' if told else ''}. Nothing was tuned to make one "
        "hold; what the paper leaves unsaid is listed after the figures.</p>"
    )
    notes = (f'<p class="small">{_text(sentence)}</p>' for sentence in part.basis)
    yield _section("Claims", _claims(part.judged), *notes)
    yield from _figures(part.pictures)
    if part.assumptions:
        table = _assumptions(part.assumptions, part.scenario)
        yield _section("What the paper does not say", table)


def _section(title: str, *parts: str) -> str:
    return f"<h2>{_text(title)}</h2>\n" + "\n".join(parts)


def _claims(judged: Sequence[Judged]) -> str:
    rows = []
    for item in judged:
        kind = _VERDICTS[item.verdict]
        rows.append(
            f'<tr><td class="id">{_text(item.id)}<br><span class="small">{_text(item.where)}'
            f"</span></td><td>{_text(item.claimed)}</td><td>{_text(item.measured)}</td>"
            f'<td class="verdict {kind}">{_text(item.verdict)}</td>'
            f"<td>{_text(item.reason)}</td></tr>"
        )
    return _table(("claim", "the paper", "measured", "verdict", "why"), rows)


def _figures(pictures: Sequence[Picture]) -> Iterable[str]:
    for section, heading in _HEADINGS.items():
        chosen = [picture for picture in pictures if picture.section == section]
        if chosen:
            yield _section(heading, *map(_figure, chosen))


def _figure(picture: Picture) -> str:
    # As an image of its own: the ids within one SVG would clash with those of the others.
    data = base64.b64encode(picture.svg).decode()
    about = f"{picture.name}: {picture.title}"
    asked = f"<h3>{_text(picture.question)}</h3>" if picture.question else ""
    sentences = "".join(f"<li>{_text(sentence)}</li>" for sentence in picture.answer)
    answer = f"<ul>{sentences}</ul>" if sentences else ""
    return (
        f'{asked}{answer}<figure><img alt="{_text(about)}" src="data:image/svg+xml;base64,{data}">'
        f"<figcaption>{_text(about)}. Numbers: {_text(picture.data)}</figcaption></figure>"
    )


def _agreement(table: pd.DataFrame) -> Iterable[str]:
    if not len(table):
        yield "<p>No runs of both engines are kept; ./gridftp compare compares them.</p>"
        return
    yield (
        "<p>Engine ns3 is ns-3's own TCP/IP stack, engine segment a simulator of its own, by the "
        "segment. The same scenarios on both:</p>"
    )
    yield _table(
        ("sweep", "pairs of runs", "equal in every digit", "largest difference"),
        [
            f'<tr><td>{_text(row.sweep)}</td><td class="number">{row.compared}</td>'
            f'<td class="number">{row.equal}</td><td class="number">{row.largest:.2g}</td></tr>'
            for row in table.itertuples()
        ],
    )


def _assumptions(entries: Iterable[Mapping[str, Any]], scenario: Mapping[str, Any]) -> str:
    rows = [
        f"<tr><td>{_text(entry['what'])}</td>"
        f'<td class="number">{_text(_value(scenario.get(entry["key"])))}</td>'
        f"<td>{_text(entry['why'])}</td></tr>"
        for entry in entries
    ]
    return _table(("what", "here", "why"), rows)


def _provenance(table: pd.DataFrame) -> Iterable[str]:
    rows = [
        f"<tr><td>{_text(row.sweep)}</td><td>{_text(row.engine)}</td>"
        f'<td class="number">{row.runs}</td><td class="number">{row.wall_s:.0f}</td>'
        f"<td>{_text(row.commit)}</td><td>{_text(row.ns3_version)}</td>"
        f"<td>{_text(row.build_profile)}</td></tr>"
        for row in table.itertuples()
    ]
    yield _table(("sweep", "engine", "runs", "seconds in all", "commit", "ns-3", "build"), rows)
    yield (
        '<p class="small">A commit is that of the program when a run was simulated; runs are kept '
        "as long as the sources of their engine stay the same.</p>"
    )


def _again() -> str:
    return (
        "<pre>./gridftp reproduce\n./gridftp sweep papers/*/sweeps/*.toml\n./gridftp report</pre>"
    )


def _table(headings: Sequence[str], rows: Iterable[str]) -> str:
    head = "".join(f"<th>{_text(heading)}</th>" for heading in headings)
    return f'<div class="wide"><table><tr>{head}</tr>\n' + "\n".join(rows) + "\n</table></div>"


def _value(value: Any) -> str:
    if value is None:
        return "not told"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:.10g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _text(text: str) -> str:
    return html.escape(str(text))
