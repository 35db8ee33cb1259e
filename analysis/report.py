"""The report: one HTML file that needs nothing else, made of what is kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from .claims import Judged
from .drawing.axes import name_of as words_of
from .drawing.axes import told
from .page import as_table, document, escaped, picture, under

_VERDICTS = {"holds": "holds", "fails": "fails", "cannot be judged": "open"}
"""Verdict, and the class it has in the page."""

_COUNTED = {"holds": "hold", "fails": "fail", "cannot be judged": "cannot be judged"}

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
        citation: of the paper, in full.
        judged: the claims.
        basis: what the verdicts rest on, sentences.
        pictures: the figures.
        assumptions: entries of the paper's ``assumptions.toml``.
        scenario: of a run, for the values of what the paper does not say.
    """

    heading: str
    citation: str
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
    missing = "".join(f"<p>{escaped(problem)}</p>" for problem in page.problems)
    parts = [
        *([] if page.parts else ["<h1>GridFTP laboratory: sweeps</h1>"]),
        *(html for part in page.parts for html in _part(part)),
        *_figures(page.pictures),
        *([under("What is missing", missing)] if missing else []),
        under("Do the two engines agree?", *_agreement(page.agreement)),
        under("Where the numbers come from", *_provenance(page.provenance)),
        under("Run it again", _again()),
    ]
    return document("GridFTP laboratory: report", parts)


def _part(part: Part) -> Iterable[str]:
    """Return one paper's sections."""
    count = {word: sum(item.verdict == word for item in part.judged) for word in _VERDICTS}
    told = ", ".join(f"{number} {_COUNTED[word]}" for word, number in count.items() if number)
    yield f"<h1>{escaped(part.heading)}</h1>"
    if part.citation:
        yield f'<p class="small">{escaped(part.citation)}</p>'
    yield (
        f"<p>{len(part.judged)} claims{f': {told}' if told else ''}. Nothing was tuned to make one "
        "hold; what the paper leaves unsaid is listed after the figures.</p>"
    )
    notes = (f'<p class="small">{escaped(sentence)}</p>' for sentence in part.basis)
    yield under("Claims", _claims(part.judged), *notes)
    yield from _figures(part.pictures)
    if part.assumptions:
        table = _assumptions(part.assumptions, part.scenario)
        yield under("What the paper does not say", table)


def _claims(judged: Sequence[Judged]) -> str:
    rows = []
    for item in judged:
        kind = _VERDICTS[item.verdict]
        rows.append(
            f'<tr><td>{escaped(item.claimed)}<br><span class="small">{escaped(item.where)} '
            f'<span class="id">({escaped(item.id)})</span></span></td>'
            f"<td>{escaped(item.measured)}{_below(item.moves)}</td>"
            f'<td class="verdict {kind}">{escaped(item.verdict)}</td>'
            f"<td>{escaped(item.reason)}</td></tr>"
        )
    return as_table(("the paper claims", "measured", "verdict", "why"), rows)


def _below(text: str) -> str:
    """Return a text as a small line of its own, "" for none."""
    return f'<br><span class="small">{escaped(text)}</span>' if text else ""


def _figures(pictures: Sequence[Picture]) -> Iterable[str]:
    for section, heading in _HEADINGS.items():
        chosen = [picture for picture in pictures if picture.section == section]
        if chosen:
            yield under(heading, *map(_figure, chosen))


def _figure(shown: Picture) -> str:
    about = f"{shown.name}: {shown.title}"
    asked = f"<h3>{escaped(shown.question)}</h3>" if shown.question else ""
    sentences = "".join(f"<li>{escaped(sentence)}</li>" for sentence in shown.answer)
    answer = f"<ul>{sentences}</ul>" if sentences else ""
    return (
        f"{asked}{answer}<figure>{picture(shown.svg, about)}"
        f"<figcaption>{escaped(about)}. Numbers: {escaped(shown.data)}</figcaption></figure>"
    )


def _agreement(table: pd.DataFrame) -> Iterable[str]:
    if not len(table):
        yield "<p>No runs of both engines are kept; ./gridftp compare compares them.</p>"
        return
    yield (
        "<p>Engine ns3 is ns-3's own TCP/IP stack, engine segment a simulator of its own, by the "
        "segment. The same scenarios on both:</p>"
    )
    yield as_table(
        ("sweep", "pairs of runs", "equal in every digit", "largest difference"),
        [
            f'<tr><td>{escaped(row.sweep)}</td><td class="number">{row.compared}</td>'
            f'<td class="number">{row.equal}</td><td class="number">{row.largest:.2g}</td></tr>'
            for row in table.itertuples()
        ],
    )


def _assumptions(entries: Iterable[Mapping[str, Any]], scenario: Mapping[str, Any]) -> str:
    rows = [
        f"<tr><td>{escaped(entry['what'])}</td>"
        f'<td class="number">{escaped(_value(entry["key"], scenario.get(entry["key"])))}</td>'
        f"<td>{escaped(entry['why'])}</td></tr>"
        for entry in entries
    ]
    return as_table(("what", "here", "why"), rows)


def _provenance(table: pd.DataFrame) -> Iterable[str]:
    rows = [
        f"<tr><td>{escaped(row.sweep)}</td><td>{escaped(row.engine)}</td>"
        f'<td class="number">{row.runs}</td><td class="number">{row.wall_s:.0f}</td>'
        f"<td>{escaped(row.commit)}</td><td>{escaped(row.ns3_version)}</td>"
        f"<td>{escaped(row.build_profile)}</td></tr>"
        for row in table.itertuples()
    ]
    yield as_table(("sweep", "engine", "runs", "seconds in all", "commit", "ns-3", "build"), rows)
    yield (
        '<p class="small">A commit is that of the program when a run was simulated; runs are kept '
        "as long as the sources of their engine stay the same.</p>"
    )


def _again() -> str:
    return (
        "<pre>./gridftp reproduce\n./gridftp sweep papers/*/sweeps/*.toml\n./gridftp report</pre>"
    )


def in_words(sentence: str, judged: Iterable[Judged]) -> str:
    """Return a sentence with the claims' own words, in quotes, in place of their ids."""
    words = {item.id: item.claimed for item in judged}
    if not words:
        return sentence
    longest_first = sorted(words, key=len, reverse=True)
    ids = "|".join(re.escape(name) for name in longest_first)
    return re.sub(rf"(?<![\w-])(?:{ids})(?![\w-])", lambda found: f'"{words[found[0]]}"', sentence)


def _value(key: str, value: Any) -> str:
    """Return a value of the scenario for readers, with its unit."""
    if value is None:
        return "not told"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return told(key, value)
    if isinstance(value, Mapping):
        return ", ".join(
            f"{words_of(name).lower()} {_value(name, one)}"
            for name, one in value.items()
            if one is not None
        )
    if isinstance(value, list):
        return "; ".join(_value(key, one) for one in value) or "none"
    return str(value)
