"""A page for print: its frame, lines to write on, tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from ..lessons import Lesson

HANDOUT, ANSWERS = "handout", "answers"
"""Kinds of pages, as in `Lesson.printed`."""

LAB = "../index.html"
"""The lab, from where these pages are."""

_PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>{title}: {kind}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="handout.css" />
    <script src="handout.js" defer></script>
  </head>
  <body>
    <nav aria-label="Page">
      <a href="{other}">{other_kind}</a>
      <button type="button" id="print" hidden>Print</button>
    </nav>
    <main>
      <header>
        <p class="about"><span>GridFTP laboratory, lesson {number}, {minutes:g} minutes</span>
          {signed}</p>
        <h1>{title}</h1>
        <p>In the lab: <a href="{lab}{state}">lesson {number}</a></p>
      </header>
{body}
    </main>
  </body>
</html>
"""

_BESIDE_THE_LAB = re.compile(r'href="(?=[\w/-]+\.html)')

_KINDS = {HANDOUT: "handout", ANSWERS: "answers, for teachers"}
_SIGNED = '<span class="signed">Name</span> <span class="signed">Date</span>'


def name_of(lesson: Lesson, kind: str) -> str:
    """Return the name of a page's file."""
    return lesson.printed[kind].rpartition("/")[2]


def parts_of(lesson: Lesson) -> dict[str, str]:
    """Return the lesson's texts, whose links lead to pages beside the lab's, from here."""
    return {name: _BESIDE_THE_LAB.sub('href="../', html) for name, html in lesson.parts.items()}


def state_of(lesson: Lesson) -> str:
    """Return the part of an address of the lab that opens a lesson."""
    return f"#lesson={lesson.id}"


def page(lesson: Lesson, kind: str, body: Sequence[str]) -> str:
    """Return a page.

    Args:
        lesson: it is of.
        kind: `HANDOUT` or `ANSWERS`.
        body: its parts, as HTML.
    """
    other = ANSWERS if kind == HANDOUT else HANDOUT
    return _PAGE.format(
        title=escape(lesson.title),
        kind=_KINDS[kind],
        other=name_of(lesson, other),
        other_kind=_KINDS[other].capitalize(),
        lab=LAB,
        state=state_of(lesson),
        number=lesson.number,
        minutes=lesson.minutes,
        signed=_SIGNED if kind == HANDOUT else f"<b>{_KINDS[kind].capitalize()}</b>",
        body="\n".join(body),
    )


def section(title: str, *parts: str, name: str = "") -> str:
    """Return a part with a heading; `name` is a class for the style sheet."""
    inner = "\n".join(parts)
    opening = f'<section class="{name}">' if name else "<section>"
    return f"{opening}\n<h2>{escape(title)}</h2>\n{inner}\n</section>"


def lines(count: int, label: str = "") -> str:
    """Return lines to write on."""
    told = f"<p>{escape(label)}</p>" if label else ""
    return f'<div class="lines">{told}{"<i></i>" * count}</div>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]], name: str = "") -> str:
    """Return a table of cells in HTML; an empty one is to be written in."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "\n".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows
    )  # fmt: skip
    opening = f'<table class="{name}">' if name else "<table>"
    return f"{opening}\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def link(address: str, text: str) -> str:
    """Return a link; on paper its address stands behind it."""
    return f'<a href="{escape(address)}">{escape(text)}</a>'
