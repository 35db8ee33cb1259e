"""Files of readings as texts, and what is wrong with them at which line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ..text_files import read_text_file, wrong

_TOOL = "the output of the tool"

_BINARY = (
    (b"PERFILE2", "is perf's own file; allowed: the output of perf report --stdio -i FILE"),
    (b"2ELIFREP", "is perf's own file; allowed: the output of perf report --stdio -i FILE"),
    # The magic number of sysstat's files of data, in either order of bytes.
    (b"\x96\xd5", "is sar's own file; allowed: the output of sadf -j FILE -- -A"),
    (b"\xd5\x96", "is sar's own file; allowed: the output of sadf -j FILE -- -A"),
)

_TOO_LONG = re.compile(r"\d{100}")
"""No counter has as many digits; Python refuses to make a number of some thousands."""


_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9])")
"""What colours a text on a terminal and moves its cursor (ECMA-48): programs write it into files,
too, if an option asks for it, and so does script(1)."""


def without_escapes(text: str) -> str:
    """Return a text without the control sequences of a terminal."""
    return _ESCAPES.sub("", text) if "\x1b" in text else text


def read_text(path: Path) -> str:
    """Return the text of a file without control sequences; see `read_text_file`.

    Raises:
        UserError: it cannot be read, is empty or is no text.
    """
    text = without_escapes(read_text_file(path, _TOOL, _BINARY))
    if not text or text.isspace():
        raise wrong(path, 1, f"is empty; allowed: {_TOOL}")
    if found := _TOO_LONG.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise wrong(path, line, f"has a number of 100 digits or more; allowed: {_TOOL}")
    return text


def whole_lines(path: Path, text: str, is_fragment: Callable[[str], bool]) -> list[str]:
    """Return the lines of a text whose last row must not be cut short.

    The last line may lack its line feed: in a copy from a terminal, which may end with a prompt of
    the shell or ``^C``.

    Args:
        path: of the text.
        text: what a tool printed, with lines that end with a line feed.
        is_fragment: returns whether a last line without a line feed may be a row without its end.

    Raises:
        UserError: it was cut short.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    elif is_fragment(lines[-1]):
        lines.pop()
        what = "ends in the middle of a line; allowed: a complete file"
        raise wrong(path, len(lines) + 1, what)
    return lines


def quoted(text: str) -> str:
    """Return a text of a file so that it can stand in a message: short, printable, in quotes."""
    text = text if len(text) <= 60 else f"{text[:57]}..."
    return '"' + "".join(c if c.isprintable() else "?" for c in text) + '"'
