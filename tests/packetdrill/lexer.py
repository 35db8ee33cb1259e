"""The tokens of a script."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .script import ScriptError

_PATTERNS = {
    "SKIP": r"\s+|(?://|#)[^\n]*|/\*.*?\*/",
    "CODE": r"%\{.*?\}%",
    "COMMAND": r"`(?:\\.|[^`])*`",
    "STRING": r'"(?:\\.|[^"])*"',
    "ELLIPSIS": r"\.\.\.",
    "OPTION": r"--[A-Za-z0-9_]+",
    "ADDRESS": (
        r"\d+\.\d+\.\d+\.\d+|(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}"
        r"|(?:[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4})*)?::[0-9a-fA-F:.]*"
    ),
    "HEX": r"0x[0-9a-fA-F]+",
    "FLOAT": r"-?\d*\.\d+",
    "INTEGER": r"-?\d+(?![A-Za-z0-9_])",
    "WORD": r"\w+",
    "CHARACTER": r".",
}
_TOKEN = re.compile("|".join(f"(?P<{kind}>{p})" for kind, p in _PATTERNS.items()), re.DOTALL)
# What is left of these characters has no end
_UNENDED = {"`": "command", '"': "string"}


@dataclass(frozen=True)
class Token:
    """A word of a script, and the line on which it begins."""

    kind: str
    text: str
    line: int


def split(text: str, path: Path) -> list[Token]:
    """Return the tokens of a script; the last one is of the kind END.

    Raises:
        ScriptError: a comment, code, a command or a string does not end.
    """
    tokens = []
    line = 1
    for found in _TOKEN.finditer(text):
        kind, word = str(found.lastgroup), found.group()
        start = line
        line += word.count("\n")
        if kind == "SKIP":
            continue
        rest = text[found.start() : found.start() + 2]
        unended = "code" if rest == "%{" else "comment" if rest == "/*" else _UNENDED.get(word)
        if kind == "CHARACTER" and unended:
            raise ScriptError(path, start, f"this {unended} does not end")
        tokens.append(Token(kind, word, start))
    return [*tokens, Token("END", "the end of the script", line)]
