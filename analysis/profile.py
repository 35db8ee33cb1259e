"""The report of a profile: one HTML file that needs nothing else, and its tables for programs.

It is made of plain rows; which limit holds a transfer, and what that shows, has been decided.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from .page import as_table, document, escaped, picture, under

COLORS = {
    "network": "#b9d9ee",
    "window": "#f9dea0",
    "loss": "#f4c3a8",
    "storage": "#a9dcc8",
    "CPU": "#e6c3da",
    "application": "#f5efa6",
    "host": "#c9c2ea",
    "protocol": "#d9d9d9",
}
"""Of the families of limits: light ones, under black letters that tell them apart in grey."""

PLAIN = "#f4f4f4"
"""Of what has no family, and of transfers that nothing holds."""

NONE = "-"
"""Letter of transfers that nothing holds."""

AS_IT_IS = "as it is"
"""What the first of several bars stands for."""

_STYLE = """
table.matrix { border-collapse: separate; border-spacing: 2px; margin: .4rem 0 1.2rem; }
table.matrix th, table.matrix td { border: 0; padding: .3rem .55rem; }
table.matrix th { text-align: right; font-weight: 600; }
table.matrix thead th { text-align: center; }
table.matrix td { text-align: right; white-space: nowrap; min-width: 5.2rem;
                  font-variant-numeric: tabular-nums; }
table.matrix td b { float: left; margin-right: .5rem; }
table.matrix a { color: inherit; text-decoration: none; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1rem; padding: 0; list-style: none;
          max-width: none; font-size: .87rem; }
.legend b { display: inline-block; min-width: 1.3rem; text-align: center; padding: 0 .2rem;
            margin-right: .35rem; }
.bar { display: inline-block; height: .7rem; background: #0072B2; vertical-align: baseline; }
.bar.less { background: #D55E00; }
code { font-size: .95em; white-space: pre-wrap; overflow-wrap: break-word; }
td.number { white-space: nowrap; }
td.limit { min-width: 9rem; }
td.limit ~ td { min-width: 15rem; }
"""


@dataclass(frozen=True)
class Change:
    """A change that was simulated.

    Attributes:
        parts: what it is: options, lines of sysctl.conf, or in words.
        rate: that came out, for people.
        goodput_bps: the same.
        gain: share that this is more than without it.
    """

    parts: Sequence[str]
    rate: str
    goodput_bps: float
    gain: float

    @property
    def told(self) -> str:
        """What it is, on one line."""
        return " ".join(self.parts)


@dataclass(frozen=True)
class Row:
    """One transfer.

    Attributes:
        number: of it.
        axes: what tells it from the others, values by name.
        rate: its goodput, for people.
        goodput_bps: the same; None where it failed.
        limit: what holds it, in words.
        letters: that stand for it, or for each of them.
        family: of the limit, the first one's.
        gain: share that the transfer gains without it.
        evidence: sentences.
        advice: what to change; None where nothing helps.
    """

    number: int
    axes: Mapping[str, str]
    rate: str
    goodput_bps: float | None
    limit: str
    letters: Sequence[str]
    family: str
    gain: float
    evidence: Sequence[str]
    advice: Change | None


@dataclass(frozen=True)
class Detail:
    """More of one transfer.

    Attributes:
        number: of it.
        lifted: what each limit would give, lifted alone.
        tried: the changes that were tried as advice.
        used: tables of what it used: title, headings, rows.
        pictures: SVG of its samples, each with a caption.
    """

    number: int
    lifted: Sequence[Change]
    tried: Sequence[Change]
    used: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]]
    pictures: Sequence[tuple[bytes, str]]


@dataclass(frozen=True)
class Page:
    """What the report consists of.

    Attributes:
        title: of the spec.
        about: sentences on what was simulated.
        rows: the transfers.
        legend: letter, name and family of each limit.
        detail: of one transfer, or None.
        again: the shell's line that makes it anew.
    """

    title: str
    about: Sequence[str]
    rows: Sequence[Row]
    legend: Sequence[tuple[str, str, str]]
    detail: Detail | None
    again: str


def build(page: Page) -> str:
    """Return the report's HTML; the same for the same data."""
    about = "".join(f"<p>{escaped(sentence)}</p>" for sentence in page.about)
    parts = [
        f"<h1>{escaped(page.title)}</h1>{about}",
        under("What limits each transfer", _legend(page), *_matrices(page.rows)),
        under("What to change", _findings(page.rows)),
        *(_detail(page.detail, page.rows) if page.detail else []),
        under("Run it again", f"<pre>{escaped(page.again)}</pre>"),
    ]
    return document(f"GridFTP laboratory: {page.title}", parts, _STYLE)


def color(family: str) -> str:
    """Return the colour of a family of limits."""
    return COLORS.get(family, PLAIN)


# ---- The matrix -----------------------------------------------------------------------------


def _legend(page: Page) -> str:
    met = {letter for row in page.rows for letter in row.letters}
    items = [
        f'<li><b style="background:{color(family)}">{escaped(letter)}</b>{escaped(name)}</li>'
        for letter, name, family in page.legend
        if letter in met
    ]
    if NONE in met:
        items.append(f'<li><b style="background:{PLAIN}">{NONE}</b>none of them</li>')
    return (
        f'<ul class="legend">{"".join(items)}</ul><p class="small">The number is the goodput, and '
        "the width of the colour its share of the largest one. The letter is what holds the "
        "transfer: without it goodput rises most.</p>"
    )


def _matrices(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table for each combination of what is on neither of two axes."""
    names = list(rows[0].axes) if rows else []
    across = _pick(names, "parallelism", -1)
    down = _pick([name for name in names if name != across], "TCP buffer", 0)
    rest = [name for name in names if name not in (across, down)]
    most = max((row.goodput_bps or 0 for row in rows), default=0)
    values = [list(dict.fromkeys(row.axes[name] for row in rows)) for name in rest]
    for point in itertools.product(*values):
        chosen = [row for row in rows if tuple(row.axes[name] for name in rest) == point]
        if chosen:
            told = ", ".join(
                f"{name} {value}" for name, value in zip(rest, point, strict=True)
            )  # fmt: skip
            heading = f"<h3>{escaped(told)}</h3>" if told else ""
            yield heading + _matrix(chosen, down, across, most)


def _pick(names: Sequence[str], preferred: str, place: int) -> str | None:
    """Return the axis to be shown: the preferred one if it is there, else the one in its place."""
    if not names:
        return None
    return preferred if preferred in names else names[place]


def _matrix(rows: Sequence[Row], down: str | None, across: str | None, most: float) -> str:
    columns = list(dict.fromkeys(row.axes[across] if across else "" for row in rows))
    lines: dict[str, dict[str, Row]] = {}
    for row in rows:
        line = lines.setdefault(row.axes[down] if down else "", {})
        line[row.axes[across] if across else ""] = row
    head = "".join(f"<th>{escaped(value)}</th>" for value in columns)
    corner = f"{escaped(down or '')} \\ {escaped(across or '')}" if down else escaped(across or "")
    body = "".join(
        f"<tr><th>{escaped(value)}</th>"
        + "".join(_cell(line.get(column), most) for column in columns)
        + "</tr>"
        for value, line in lines.items()
    )
    return (
        f'<div class="wide"><table class="matrix"><thead><tr><th>{corner}</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _cell(row: Row | None, most: float) -> str:
    if row is None:
        return "<td></td>"
    if row.goodput_bps is None:
        return f'<td style="background:{PLAIN}">failed</td>'
    share = 100 * row.goodput_bps / most if most else 0
    shade = color(row.family)
    told = f"{row.limit}: {'; '.join(row.evidence)}"
    return (
        f'<td title="{escaped(told)}" style="background:linear-gradient(to right,{shade} '
        f'{share:.0f}%,{shade}55 {share:.0f}%)"><a href="#t{row.number}">'
        f"<b>{escaped(' '.join(row.letters))}</b>{escaped(row.rate)}</a></td>"
    )


# ---- Findings -------------------------------------------------------------------------------


def _findings(rows: Iterable[Row]) -> str:
    lines = []
    for row in rows:
        axes = ", ".join(f"{name} {value}" for name, value in row.axes.items())
        where = f"{escaped(axes)}<br>" if axes else ""
        gain = f'<br><span class="small">{percent(row.gain)} without it</span>' if row.gain else ""
        advice = (
            f"{'<br>'.join(f'<code>{escaped(part)}</code>' for part in row.advice.parts)}<br>"
            f"{escaped(row.advice.rate)}, {percent(row.advice.gain)}"
            if row.advice
            else ""
        )
        lines.append(
            f'<tr id="t{row.number}"><td class="number">{row.number}</td>'
            f'<td>{where}<b>{escaped(row.rate)}</b></td><td class="limit">'
            f'<b style="background:{color(row.family)}">&nbsp;'
            f"{escaped(' '.join(row.letters))}&nbsp;</b> "
            f"<b>{escaped(row.limit)}</b>{gain}</td>"
            f"<td>{'<br>'.join(map(escaped, row.evidence))}</td><td>{advice}</td></tr>"
        )
    return as_table(("", "transfer", "what limits it", "what shows it", "what to change"), lines)


def percent(gain: float) -> str:
    """Return a gain with its sign, in per cent."""
    return f"{gain * 100:+.0f} %" if abs(gain) >= 0.0995 else f"{gain * 100:+.1f} %"


def _detail(detail: Detail, rows: Iterable[Row]) -> Iterator[str]:
    row = next(row for row in rows if row.number == detail.number)
    axes = ", ".join(f"{name} {value}" for name, value in row.axes.items())
    told = f"Transfer {row.number}" + (f": {axes}" if axes else "")
    parts = [f"<p>{escaped(row.rate)}; what limits it: {escaped(row.limit)}.</p>"]
    parts.append("<h3>What each limit is worth</h3>")
    parts.append(_bars(detail.lifted, row))
    if detail.tried:
        parts.append("<h3>Changes that were tried</h3>")
        parts.append(_bars(detail.tried, row))
    for title, headings, lines in detail.used:
        parts.append(f"<h3>{escaped(title)}</h3>")
        parts.append(as_table(headings, map(_line, lines)))
    for svg, caption in detail.pictures:
        shown = picture(svg, caption)
        parts.append(f"<figure>{shown}<figcaption>{escaped(caption)}</figcaption></figure>")
    yield under(told, *parts)


def _bars(changes: Sequence[Change], row: Row) -> str:
    most = max([row.goodput_bps or 0, *(change.goodput_bps for change in changes)])
    lines = [
        f'<tr><td><code>{escaped(told)}</code></td><td class="number">{escaped(rate)}</td>'
        f'<td class="number">{percent(gain) if told != AS_IT_IS else ""}</td>'
        f'<td><span class="bar{" less" if gain < 0 else ""}" '
        f'style="width:{16 * goodput / most if most else 0:.2f}rem"></span></td></tr>'
        for told, rate, goodput, gain in [
            (AS_IT_IS, row.rate, row.goodput_bps or 0, 0.0),
            *((one.told, one.rate, one.goodput_bps, one.gain) for one in changes),
        ]
    ]
    return as_table(("", "goodput", "", ""), lines)


def _line(values: Sequence[str]) -> str:
    first, *others = values
    cells = "".join(f'<td class="number">{escaped(value)}</td>' for value in others)
    return f"<tr><td>{escaped(first)}</td>{cells}</tr>"


# ---- For programs ---------------------------------------------------------------------------


def cells_csv(rows: Sequence[Row]) -> bytes:
    """Return the transfers as CSV."""
    axes = list(rows[0].axes) if rows else []
    table = [
        ["transfer", *axes, "goodput_bps", "limit", "gain", "evidence", "advice",
         "advised_goodput_bps", "advised_gain"],
    ]  # fmt: skip
    for row in rows:
        advice = row.advice
        table.append(
            [row.number, *row.axes.values(), _number(row.goodput_bps), row.limit,
             _number(row.gain), "; ".join(row.evidence), advice.told if advice else "",
             _number(advice.goodput_bps) if advice else "", _number(advice.gain) if advice else ""]
        )  # fmt: skip
    return _csv(table)


def changes_csv(changes: Iterable[tuple[int, str, Change]]) -> bytes:
    """Return all changes that were simulated, each with its transfer and its kind, as CSV."""
    table = [["transfer", "kind", "change", "goodput_bps", "gain"]]
    table += (
        [number, kind, one.told, _number(one.goodput_bps), _number(one.gain)]
        for number, kind, one in changes
    )
    return _csv(table)


def _csv(table: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    return text.getvalue().encode()


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.10g}"
