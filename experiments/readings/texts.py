"""Files of readings as texts, and what is wrong with them at which line."""

from __future__ import annotations

from pathlib import Path

from ..errors import UserError

_BINARY = (
    (b"PERFILE2", "is perf's own file; allowed: what perf report --stdio -i FILE prints"),
    # The magic number of sysstat's files of data, in either order of bytes.
    (b"\x96\xd5", "is sar's own file; allowed: what sadf -j FILE -- -A prints"),
    (b"\xd5\x96", "is sar's own file; allowed: what sadf -j FILE -- -A prints"),
    (b"\x1f\x8b", "is compressed; allowed: the text itself"),
    (b"\xfd7zXZ", "is compressed; allowed: the text itself"),
)


def wrong(path: Path, line: int, what: str) -> UserError:
    """Return the error of what is wrong at a line of a file, from 1."""
    return UserError(f"{path}:{line}: {what}")


def read_text(path: Path) -> str:
    """Return what a file holds, with lines ended by a line feed.

    Raises:
        UserError: it cannot be read, is empty or is no text.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    for magic, what in _BINARY:
        if content.startswith(magic):
            raise wrong(path, 1, what)
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise wrong(path, line, "is no text; allowed: what the tool prints")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise wrong(path, line, "is not UTF-8; allowed: what the tool prints") from None
    if not text.strip():
        raise wrong(path, 1, "is empty; allowed: what the tool prints")
    return text.replace("\r\n", "\n")


def whole_lines(path: Path, text: str) -> list[str]:
    """Return the lines of a text that must end with its last one's line feed.

    Raises:
        UserError: it was cut short.
    """
    lines = text.split("\n")
    if lines.pop():
        what = "ends in the middle of a line; allowed: a complete file"
        raise wrong(path, len(lines) + 1, what)
    return lines


def told(text: str) -> str:
    """Return a text of a file so that it can stand in a message: short, printable, in quotes."""
    text = text if len(text) <= 60 else f"{text[:57]}..."
    return '"' + "".join(c if c.isprintable() else "?" for c in text) + '"'
