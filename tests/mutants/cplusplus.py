"""Mutants of C++: operators, constants, conditions and statements changed one at a time.

There is no kept tool that mutates C++ with the compilers of Debian, so this reads lines. It relies
on clang-format: binary operators stand between spaces, a statement begins a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from .mutant import Mutant, one_of_each_line

SWAPS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "%": "*",
    "&&": "||",
    "||": "&&",
    "+=": "-=",
    "-=": "+=",
    "<<": ">>",
    ">>": "<<",
}
WORDS = {"true": "false", "false": "true", "min": "max", "max": "min", "break": "continue"}

_BINARY = re.compile(
    rf"(?<= )({'|'.join(map(re.escape, sorted(SWAPS, key=len, reverse=True)))})(?= )"
)
_WORD = re.compile(r"\b(true|false|break)\b(?=[;,) ])|(?<=std::)(min|max)(?=[(<])")
_UNARY = re.compile(r"\+\+(?=[\w(])|--(?=[\w(])|(?<=[(\s])!(?=[\w(])")
_NUMBER = re.compile(r"(?<![\w.'])(\d[\d']*)(?=(?:U|L|UL|ULL|LL)?(?![\w.']))")
_CONDITION = re.compile(r"^(\s*(?:else )?if \()(?!.*;)(.+)(\).*)$")
# a whole statement without a declaration: an assignment, a call, a jump
_STATEMENT = re.compile(r"^\s+(?!return [^;]|using |static_assert|case |delete |throw )[^{}]*;$")
_DECLARED = re.compile(r"^\s+(const |constexpr |static |auto |[\w:<>,\s]+[&*]? \w+( = |;|\{|\())")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\\d]|\\.)\'')
_SKIPPED = re.compile(
    r"^\s*(#|//|/?\*|template|class |struct |enum |namespace|using |static_assert|friend )"
    r"|operator[<>=!+*/-]|= (0|default|delete);"
)


def draw(root: Path, files: list[Path]) -> Iterator[Mutant]:
    """Yield mutants of these sources, in an order without meaning."""
    return one_of_each_line(sorted(mutants_of(root, files), key=lambda mutant: mutant.key))


def mutants_of(root: Path, files: list[Path]) -> Iterator[Mutant]:
    """Yield every mutant of these sources."""
    for file in files:
        seen: Counter[str] = Counter()
        previous = "{"
        inside = False
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
            nth = seen[line]
            seen[line] += 1
            comment, inside = inside or line.lstrip().startswith("/*"), _goes_on(line, inside)
            if comment or not line.strip() or _SKIPPED.search(line):
                continue
            for after in dict.fromkeys(_changes(line, previous)):
                yield Mutant(str(file.relative_to(root)), number, line, after, nth)
            previous = _code(line)


def _goes_on(line: str, inside: bool) -> bool:
    """Whether a comment is open behind a line."""
    return line.rfind("/*") > line.rfind("*/") if "/*" in line else inside and "*/" not in line


def _code(line: str) -> str:
    """The line with literals and a comment at its end blanked, of the same length."""
    blank = _LITERAL.sub(lambda found: "_" * len(found[0]), line)
    for mark in ("//", "/*"):
        cut = blank.find(mark)
        if cut >= 0:
            blank = blank[:cut] + "_" * (len(blank) - cut)
    return blank


def _changes(line: str, previous: str) -> Iterator[str]:
    """Yield what a line may become."""
    code = _code(line)
    for pattern, swap in ((_BINARY, SWAPS), (_WORD, WORDS)):
        for found in pattern.finditer(code):
            yield line[: found.start()] + swap[found[0]] + line[found.end() :]
    for found in _UNARY.finditer(code):
        other = {"++": "--", "--": "++", "!": ""}[found[0]]
        yield line[: found.start()] + other + line[found.end() :]
    for found in _NUMBER.finditer(code):
        value = int(found[0].replace("'", ""))
        yield line[: found.start()] + str(value + 1) + line[found.end() :]
    if found := _CONDITION.match(code):
        start, end = found.span(2)
        yield f"{line[:start]}!({line[start:end]}){line[end:]}"
    begins = previous.rstrip().endswith(("{", "}", ";", ":")) and not previous.startswith("    //")
    if begins and _STATEMENT.match(code) and not _DECLARED.match(code):
        yield re.match(r"\s*", line)[0] + ";"  # type: ignore[index]
