"""Checks of language that a machine can make: words to avoid, and long sentences.

Earlier texts of this project used everyday words in a private sense. Each of them is listed with
the words that readers of the field expect. A test fails for a text that uses one, and its message
names the replacement.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from typing import NamedTuple

MOST_WORDS = 30
"""Largest number of words that a sentence may have."""

REPLACEMENTS = {
    r"tells?|told|telling": "prints, reports, shows, specifies",
    r"beside": "next to, as well as, competing with",
    r"anew": "again",
    r"unsaid": "not specified, an assumption",
    r"verbs?": "command",
    r"of its own accord": "automatically",
    r"at a tie": "at equal times",
    r"runs? ahead": "has lookahead",
    r"puts? down": "records",
    r"com(?:es|ing) of|makes? of": "results from, computes from",
    r"a try": "an attempt",
    r"the other end": "the sender, receiver, client, server",
    r"in its course|the course of": "progress, over time",
    r"its turn": "in event order, next",
    r"of (?:two|one) ways?": "bidirectional, unidirectional",
    r"fresh connections?": "new connections for each chunk",
    r"drawn at random|what is drawn": "random",
    r"kept from before|not kept|kept runs?": "stored, not stored",
    r"kept connections?": "persistent, cached connections",
    r"departs?": "differs",
}

_DIALECT = {
    re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.I): better
    for words, better in REPLACEMENTS.items()
}
_MARKUP = (
    (re.compile(r"``[^`]*``|:\w+:`[^`]*`|`[^`]*`"), "CODE"),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"<[^>]+>"), " "),
)
_ITEM = re.compile(r"(?:[-*+]|\d+\.|#+) ")
_RULE = re.compile(r"[=\-~^+|: ]+")
_ROW = re.compile(r'   (?:".*",|``[^`]+``,|[\w.-]+, ["`])')
"""A row of a csv-table in reStructuredText."""

_END = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z\"(*`]|CODE)")
_RESULT = re.compile(r"\{\{[^}]*\}\}")
"""Where a lesson inserts a sentence with a simulated value."""

_WORD = re.compile(r"[\w'/%.-]*[A-Za-z]{2}[\w'/%.-]*|\ba\b")
"""Not the letters, numbers and signs of formulas."""


class Finding(NamedTuple):
    """A word to avoid or a long sentence, with its line."""

    line: int
    text: str

    def __str__(self) -> str:
        """Return it as one line for people."""
        return f"line {self.line}: {self.text}"


def dialect(text: str, line: int) -> Iterator[Finding]:
    """Find words to avoid in a text that begins at a line."""
    for pattern, better in _DIALECT.items():
        for found in pattern.finditer(text):
            near = text[max(0, found.start() - 30) : found.end() + 30].strip()
            yield Finding(line, f"{found[0]!r} (better: {better}) in '{near}'")


def long_sentences(text: str, line: int) -> Iterator[Finding]:
    """Find sentences of more than `MOST_WORDS` words in a text that begins at a line."""
    for sentence in _END.split(_RESULT.sub(". X. ", text)):
        words = len(_WORD.findall(sentence))
        if words > MOST_WORDS:
            yield Finding(line, f"{words} words, allowed: {MOST_WORDS}: '{sentence[:90]}...'")


def paragraphs(text: str, is_rst: bool) -> Iterator[tuple[int, str]]:
    """Split a document into paragraphs, items and cells of tables, without code and markup.

    Args:
        text: of a document in Markdown or reStructuredText.
        is_rst: which of them.

    Yields:
        The number of the first line, and the paragraph as one line.
    """
    for line, lines in _blocks(text, is_rst):
        body = " ".join(lines)
        for pattern, replacement in _MARKUP:
            body = pattern.sub(replacement, body)
        yield line, body


def _blocks(text: str, is_rst: bool) -> Iterator[tuple[int, list[str]]]:
    block: list[str] = []
    start = 0
    for number, line in enumerate([*_without_code(text, is_rst), ""], 1):
        word = line.strip()
        is_table = word.startswith("|") or bool(is_rst and _ROW.match(line))
        ends = not word or is_table or _ITEM.match(word) or _RULE.fullmatch(word)
        if ends and block:
            yield start, block
            block = []
        if is_rst and _ROW.match(line):
            yield from (
                (number, [cell]) for cell in next(csv.reader([word], skipinitialspace=True))
            )
        elif is_table:
            yield from ((number, [cell.strip()]) for cell in word.strip("|").split("|"))
        elif word and not _RULE.fullmatch(word):
            start = start if block else number
            block.append(_ITEM.sub("", word, count=1))


def _without_code(text: str, is_rst: bool) -> Iterator[str]:
    """Return the lines of a document; those of code, directives and front matter are empty."""
    fenced = False
    literal: int | None = None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if not is_rst:
            fence = line.strip().startswith(("```", "+++"))
            fenced ^= fence
            yield "" if fence or fenced or line.startswith("    ") else line
            continue
        if literal is not None and line.strip() and indent <= literal:
            literal = None
        is_directive = line.strip().startswith((".. ", ":"))
        yield "" if literal is not None or is_directive else line
        if literal is None and line.rstrip().endswith("::"):
            literal = indent


def python_strings(source: str) -> Iterator[tuple[int, str]]:
    """Return the string literals of a Python source that have several words; no docstrings.

    In an f-string, X stands for each value.
    """
    tree = ast.parse(source)
    done = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            done.update(map(id, node.values))
            text = "".join(_text_of(part) or "X" for part in node.values)
        else:
            text = "" if id(node) in done else _text_of(node)
        if " " in text.strip():
            yield node.lineno, text


def _text_of(node: ast.AST) -> str:
    """Return the text of a string literal; none of anything else."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if is_text else ""


def quoted_strings(source: str) -> Iterator[tuple[int, str]]:
    """Return the string literals of C++ or JavaScript that have several words; no comments."""
    token = re.compile(
        r"//[^\n]*|/\*.*?\*/|\"((?:[^\"\\\n]|\\.)*)\"|`((?:[^`\\]|\\.)*)`|'((?:[^'\\\n]|\\.)*)'",
        re.S,
    )
    for found in token.finditer(source):
        value = next((group for group in found.groups() if group), "")
        if " " in value.strip():
            yield source.count("\n", 0, found.start()) + 1, value
