"""The first page of the report: the papers, and all of their claims in one table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ..claims import Judged
from ..drawing.words import listed
from ..page import as_table, escaped, under
from .pages import OWN_SWEEPS
from .parts import Again, Part, Report
from .words import CARDS, COUNTED, VERDICTS, cells, commands, count_of, lab_link

SCRIPT = Path(__file__).with_name("claims-table.js").read_text(encoding="utf-8")
"""Sorts the table of claims and filters it; without it the table is whole, in the papers' order."""

STYLE = (
    f"{CARDS}"
    """
body { max-width: 84rem; }
.controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline;
            margin: .8rem 0; }
.controls[hidden] { display: none; }
.controls :is(input, select, button) { font: inherit; }
#claims th button { font: inherit; color: inherit; background: none; border: 0; padding: 0;
                    cursor: pointer; }
#claims th button::after { content: " \\2195"; color: #6a6a6a; }
#claims th[aria-sort=ascending] button::after { content: " \\2191"; color: inherit; }
#claims th[aria-sort=descending] button::after { content: " \\2193"; color: inherit; }
@media print { @page { size: A4 landscape; margin: 12mm; } .controls { display: none; }
  #claims { font-size: .7rem; } #claims th button::after { content: ""; }
  td.again { min-width: 9rem; } }
"""
)
"""What the page has beside the style of all."""

_HEADINGS = (
    "paper", "claim", "simulated value", "sensitivity", "verdict", "reason", "reproduce",
)  # fmt: skip

_NOTES = (
    "The column <em>sensitivity</em> shows the range of each value over other plausible settings "
    "of the parameters that the paper does not specify. It shows no range where these results "
    "contain no such study. \u201cDeterministic\u201d means that nothing in the runs is random: "
    "repeating them gives the same digits, so the value has no confidence interval.",
    "Type the commands in the folder of the repository. A link opens one of the runs behind a "
    "claim or a figure in {lab}. Runs without a link use input files, which the lab cannot load "
    "from a URL.",
)

_SERVED = (
    "the lab (start it first on this machine: <code>./gridftp lab</code>, with its default port)"
)


def summary(report: Report) -> Iterable[str]:
    """Return what the first page has."""
    judged = [item for part in report.parts for item in part.judged]
    yield "<h1>GridFTP laboratory: report</h1>"
    yield (
        f"<p>This report checks claims of {len(report.parts)} "
        f"paper{'s' if len(report.parts) > 1 else ''} by simulation. {_counts(judged)}. "
        "No parameter was tuned to make a claim hold.</p>"
        if report.parts
        else "<p>These results contain no runs of a paper's sweeps.</p>"
    )
    if report.parts:
        yield under("Papers", _papers(report))
    if report.pictures:
        text = "Figures of sweeps that belong to no paper"
        yield f'<p><a href="report/{OWN_SWEEPS}.html">{text}</a></p>'
    if judged:
        lab = f'<a href="{escaped(report.lab)}">the lab</a>' if report.lab else _SERVED
        notes = (f'<p class="small">{note.format(lab=lab)}</p>' for note in _NOTES)
        yield under("All claims", *notes, _controls(report.parts), _table(report))
    missing = "".join(f"<p>{escaped(problem)}</p>" for problem in report.problems)
    if missing:
        yield under("Missing results", missing)
    yield under("Reproduce these results", _again())


def _counts(judged: Sequence[Judged]) -> str:
    told = [f"{number} {COUNTED[word]}" for word, number in count_of(judged).items() if number]
    return f"Of {len(judged)} claims, {listed(told)}" if told else "No claim is judged yet"


def _papers(report: Report) -> str:
    rows = []
    for part in report.parts:
        numbers = [len(part.judged), *count_of(part.judged).values()]
        cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
        rows.append(f"<tr><td>{_linked(part, part.heading, report)}</td>{cells}</tr>")
    return as_table(("paper", "claims", *COUNTED.values()), rows, "Papers")


def _linked(part: Part, text: str, report: Report, place: str = "") -> str:
    """Return a text as a link into the paper's page, where there is one."""
    if part.name not in {*report.drawn, *report.there}:
        return escaped(text)
    return f'<a href="report/{part.name}.html{place}">{escaped(text)}</a>'


def _controls(parts: Sequence[Part]) -> str:
    """Return what filters the table; it is hidden until the script shows it."""
    return (
        '<form class="controls" id="filter" hidden>'
        f"{_choice('Paper', 'paper', [part.name for part in parts])}"
        f"{_choice('Verdict', 'verdict', VERDICTS)}"
        '<label>Text <input type="search" name="text" autocomplete="off"></label> '
        '<button type="reset">All claims</button> <span role="status"></span></form>'
    )


def _choice(label: str, name: str, words: Iterable[str]) -> str:
    options = "".join(f"<option>{escaped(word)}</option>" for word in words)
    return (
        f'<label>{label} <select name="{name}"><option value="">all</option>{options}'
        "</select></label> "
    )


def _table(report: Report) -> str:
    rows = [_row(part, item, report) for part in report.parts for item in part.judged]
    return as_table(_HEADINGS, rows, "All claims of all papers", "claims")


def _row(part: Part, item: Judged, report: Report) -> str:
    again = part.again.get(item.id, Again())
    link = lab_link(again, item.claimed)
    contents = (
        _linked(part, part.name, report, f"#{item.id}"),
        f'{escaped(item.claimed)}<br><span class="small">{escaped(item.where)} '
        f'<span class="id">({escaped(item.id)})</span></span>',
        escaped(item.measured),
        escaped(item.moves or "not studied"),
        escaped(item.verdict),
        escaped(item.reason),
        f"{commands(again)}{link and f'<br>{link}'}",
    )
    kinds = {"verdict": f"verdict {VERDICTS[item.verdict]}", "reproduce": "again"}
    told = cells(_HEADINGS, contents, kinds)
    return f'<tr data-paper="{part.name}" data-verdict="{escaped(item.verdict)}">{told}</tr>'


def _again() -> str:
    return (
        "<pre>./gridftp reproduce\n./gridftp sweep papers/*/sweeps/*.toml\n./gridftp report</pre>"
    )
