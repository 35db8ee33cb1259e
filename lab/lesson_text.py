"""The Markdown of a lesson: its sections, as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from markdown_it import MarkdownIt

from experiments.errors import UserError
from experiments.spec.places import nearest

SECTIONS = {
    "Question": "question",
    "Prediction": "prediction",
    "Watch": "watch",
    "What happened": "explanation",
    "Exercise": "exercise",
}
"""Headings, in order, and what the parts are called in lessons.json."""

_CLAIM = re.compile(r"\{\{([^{}]*)\}\}")
_PAGES = "../page/"
"""Where other pages of the lab are for a lesson's file; the page that shows it is beside them."""

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def render_line(text: str) -> str:
    """Return a line of Markdown as HTML without a paragraph around it."""
    return _MARKDOWN.renderInline(text)


def read_parts(path: Path, body: str, line: int, claims: Mapping[str, str]) -> dict[str, str]:
    """Return the sections of a lesson as HTML, by their names in lessons.json.

    Args:
        path: the file, for what is wrong in it.
        body: its Markdown.
        line: the line of the file where that begins.
        claims: the texts that `{{id}}` stands for.

    Raises:
        UserError: a section is missing, unknown, empty or out of order, or a claim unknown.
    """
    sections = _sections(path, body, line)
    if list(sections) != list(SECTIONS):
        found = ", ".join(sections) or "none"
        raise UserError(f"{path}:{line}: sections {found}; allowed: {', '.join(SECTIONS)}")
    parts = {}
    for heading, (at, text) in sections.items():
        if not text.strip():
            raise UserError(f'{path}:{at}: section "{heading}" is empty')
        html = _MARKDOWN.render(_with_claims(path, at, text, claims))
        parts[SECTIONS[heading]] = html.replace(f'href="{_PAGES}', 'href="')
    return parts


def _sections(path: Path, body: str, line: int) -> dict[str, tuple[int, str]]:
    """Return the text under each heading, and the heading's line in the file."""
    lines = body.splitlines()
    tokens = _MARKDOWN.parse(body)
    # A heading only where Markdown sees one: not in a block of code.
    begins = [token.map[0] for token in tokens if (token.type, token.tag) == ("heading_open", "h2")]
    if any(text.strip() for text in lines[: begins[0] if begins else len(lines)]):
        raise UserError(f"{path}:{line}: text before the first section, ## Question")
    sections: dict[str, tuple[int, str]] = {}
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        heading = lines[begin].lstrip("#").strip()
        if heading in sections:
            raise UserError(f'{path}:{line + begin}: section "{heading}" is there twice')
        sections[heading] = (line + begin, "\n".join(lines[begin + 1 : end]))
    return sections


def _with_claims(path: Path, line: int, text: str, claims: Mapping[str, str]) -> str:
    """Return the text with each `{{id}}` as the claim's own."""

    def claim(found: re.Match[str]) -> str:
        if found[1] in claims:
            return claims[found[1]]
        where = line + 1 + text[: found.start()].count("\n")
        near = nearest(found[1], claims)
        hint = f'did you mean "{near}"?' if near else f"allowed: {', '.join(claims) or 'none'}"
        raise UserError(f'{path}:{where}: there is no claim "{found[1]}"; {hint}')

    return _CLAIM.sub(claim, text)
