"""Claims, values and commands as readers have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from ..claims import Judged
from ..drawing.axes import name_of as words_of
from ..drawing.axes import told
from ..page import escaped
from .parts import Again

VERDICTS = {"holds": "holds", "fails": "fails", "cannot be judged": "open"}
"""Verdict, and the class it has in the page."""

COUNTED = {"holds": "hold", "fails": "fail", "cannot be judged": "cannot be judged"}
"""Verdict, and how several are told of."""

UP = "../"
"""From the page of a paper to the first one."""

CARDS = """
td .small { font-size: .95em; }
@media screen and (max-width: 45rem) {
  table:has(td[data-heading]),
  table:has(td[data-heading]) :is(thead, tbody, tr, td) { display: block; }
  table:has(td[data-heading]) thead tr { display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
  table:has(td[data-heading]) th { border: 0; padding: 0; }
  table:not([id]):has(td[data-heading]) thead { display: none; }
  table:has(td[data-heading]) tr[hidden] { display: none; }
  table:has(td[data-heading]) tbody tr { border-bottom: 2px solid #888; padding: .5rem 0; }
  table:has(td[data-heading]) td { border: 0; padding: .1rem 0; }
  table:has(td[data-heading]) td::before { content: attr(data-heading) ": ";
                                            color: #555; font-weight: 400; }
}
"""
"""Style of a table of claims on a narrow screen: its cells stand below each other."""


def cells(headings: Sequence[str], contents: Sequence[str], kinds: Mapping[str, str]) -> str:
    """Return the cells of a row, each with what stands before it where there are no columns.

    Args:
        headings: of the columns.
        contents: HTML, one for each.
        kinds: class of a cell, by its heading, where it has one.
    """
    classes = {heading: f' class="{kind}"' for heading, kind in kinds.items()}
    return "".join(
        f'<td data-heading="{escaped(heading)}"{classes.get(heading, "")}>{content}</td>'
        for heading, content in zip(headings, contents, strict=True)
    )


def count_of(judged: Sequence[Judged]) -> dict[str, int]:
    """Return how many claims have each verdict."""
    return {word: sum(item.verdict == word for item in judged) for word in VERDICTS}


def in_words(sentence: str, judged: Iterable[Judged]) -> str:
    """Return a sentence with the claims' own words, in quotes, in place of their ids."""
    words = {item.id: item.claimed for item in judged}
    if not words:
        return sentence
    longest_first = sorted(words, key=len, reverse=True)
    ids = "|".join(re.escape(name) for name in longest_first)
    return re.sub(rf"(?<![\w-])(?:{ids})(?![\w-])", lambda found: f'"{words[found[0]]}"', sentence)


def value_of(key: str, value: Any) -> str:
    """Return a value of the scenario for readers, with its unit."""
    if value is None:
        return "not specified"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return told(key, value)
    if isinstance(value, Mapping):
        return ", ".join(
            f"{words_of(name).lower()} {value_of(name, one)}"
            for name, one in value.items()
            if one is not None
        )
    if isinstance(value, list):
        return "; ".join(value_of(key, one) for one in value) or "none"
    return str(value)


def below(text: str) -> str:
    """Return a text as a small line of its own, "" for none."""
    return f'<br><span class="small">{escaped(text)}</span>' if text else ""


def commands(again: Again) -> str:
    """Return the commands that make something, a line each."""
    return "<br>".join(f"<code>{escaped(command)}</code>" for command in again.commands)


def lab_link(again: Again, about: str, up: str = "") -> str:
    """Return the link to the lab, "" where there is none.

    Args:
        again: has it.
        about: what it shows, for who hears one link after the other.
        up: from the page that has the link to the first one.
    """
    if not again.lab:
        return ""
    whole_one = urlsplit(again.lab).scheme or again.lab.startswith("/")
    address = again.lab if whole_one else f"{up}{again.lab}"
    label = f"open in the lab: {escaped(about)}"
    return f'<a href="{escaped(address)}" aria-label="{label}">open in the lab</a>'


def whole(again: Again, about: str) -> str:
    """Return all of how to see something again, as HTML within a line's flow of a paper's page."""
    link = lab_link(again, about, UP)
    run = f"one of the runs: <code>{escaped(again.run)}</code>" if again.run else ""
    parts = [commands(again), run, link and f"the same run: {link}"]
    return "<br>".join(filter(None, parts))
