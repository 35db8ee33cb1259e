"""Which line of a TOML file a key stands on, which the reader of TOML does not tell."""

from __future__ import annotations

import difflib
import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from ..errors import UserError

Keys = tuple[str | int, ...]
"""Where a value is: the keys from the top of the file; a number for a place in a list, from 0."""

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# Three quotes end a long string, and up to two more before them belong to it.
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
_PLAIN_VALUE = re.compile(r"[^,\]}\n#]+")


def line_numbers(text: str) -> dict[Keys, int]:
    """Return the line, from 1, on which each table, key and item of a list begins.

    A table that is only named as a part of others is where the first of them is.

    Args:
        text: valid TOML, with lines ended by a line feed.
    """
    return _Scan(text).lines


class _Scan:
    """One walk over a valid text, which knows strings, comments and brackets and nothing else."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Keys, int] = {}
        self._text = text
        self._at = 0
        self._ends = [found.start() for found in re.finditer("\n", text)]
        self._lists: dict[Keys, int] = {}
        table: Keys = ()
        while self._skip(_BLANK) < len(text):
            if text.startswith("[", self._at):
                table = self._header()
            else:
                self._assignment(table)

    def _skip(self, pattern: re.Pattern[str]) -> int:
        self._at = pattern.match(self._text, self._at).end()
        return self._at

    def _take(self, pattern: re.Pattern[str]) -> str:
        start = self._at
        return self._text[start : self._skip(pattern)]

    def _line(self, start: int) -> int:
        return bisect_right(self._ends, start - 1) + 1

    def _note(self, keys: Keys, start: int) -> None:
        """Remember where the keys begin, and what they are in where that is named nowhere else."""
        line = self._line(start)
        for length in range(1, len(keys) + 1):
            self.lines.setdefault(keys[:length], line)

    def _header(self) -> Keys:
        """Read ``[table]`` or ``[[list of tables]]``."""
        line = self._line(self._at)
        brackets = 2 if self._text.startswith("[[", self._at) else 1
        self._at += brackets
        table: Keys = ()
        *outer, last = self._key()
        for part in outer:
            table = self._inner((*table, part))
            self.lines.setdefault(table, line)
        table = (*table, last)
        if brackets == 2:
            self.lines.setdefault(table, line)
            self._lists[table] = self._lists.get(table, -1) + 1
            table = self._inner(table)
        self.lines[table] = line
        self._at += brackets
        return table

    def _inner(self, table: Keys) -> Keys:
        """Return the table, or of a list of tables its last one."""
        return (*table, self._lists[table]) if table in self._lists else table

    def _assignment(self, table: Keys) -> None:
        """Read ``key = value``."""
        start = self._at
        keys = (*table, *self._key())
        self._note(keys, start)
        self._at += 1  # =
        self._value(keys)

    def _key(self) -> list[str]:
        """Read a key with its dots, and the space around it."""
        parts = []
        while True:
            self._skip(_SPACE)
            if self._text[self._at] in "\"'":
                parts.append(tomllib.loads(f"key = {self._take(_STRING)}")["key"])
            else:
                parts.append(self._take(_BARE_KEY))
            self._skip(_SPACE)
            if not self._text.startswith(".", self._at):
                return parts
            self._at += 1

    def _value(self, keys: Keys) -> None:
        self._skip(_BLANK)
        first = self._text[self._at]
        if first == "[":
            self._items(keys)
        elif first == "{":
            self._members(keys)
        else:
            self._skip(_STRING if first in "\"'" else _PLAIN_VALUE)

    def _items(self, keys: Keys) -> None:
        """Read a list."""
        self._at += 1
        place = 0
        while self._text[self._skip(_BLANK)] != "]":
            if self._text[self._at] == ",":
                self._at += 1
                continue
            self._note((*keys, place), self._at)
            self._value((*keys, place))
            place += 1
        self._at += 1

    def _members(self, keys: Keys) -> None:
        """Read an inline table."""
        self._at += 1
        while self._text[self._skip(_BLANK)] != "}":
            if self._text[self._at] == ",":
                self._at += 1
                continue
            self._assignment(keys)
        self._at += 1


class Lines(Protocol):
    """The line, from 1, on which each value of a file begins, by its keys."""

    def __getitem__(self, keys: Keys) -> int:
        """Return the line of a value, or raise a `KeyError`."""
        ...

    def __contains__(self, keys: Keys) -> bool:
        """Return whether there is such a value."""
        ...

    def get(self, keys: Keys, default: int) -> int:
        """Return the line of a value, or the default if there is no such value."""
        ...


@dataclass(frozen=True)
class Place:
    """A place in a file, for what is wrong there; ``place / key`` is one further in."""

    file: Path
    lines: Lines
    keys: Keys = ()

    def __truediv__(self, key: str | int) -> Place:
        """Return the place of what stands there under a key, or at a number of a list."""
        return Place(self.file, self.lines, (*self.keys, key))

    @property
    def line(self) -> int:
        """Line, from 1; where there is no such place, that of what it would be in."""
        for length in range(len(self.keys), 0, -1):
            if self.keys[:length] in self.lines:
                return self.lines[self.keys[:length]]
        return self.lines.get((), 1)

    @property
    def name(self) -> str:
        """The key, or of an item of a list that of the list."""
        return next((key for key in reversed(self.keys) if isinstance(key, str)), "the file")

    def error(self, message: str) -> UserError:
        """Return the message with file and line before it."""
        return UserError(f"{self.file}:{self.line}: {message}")

    def bad(self, value: object, allowed: str) -> UserError:
        """Return that the value is not one of those that are allowed here."""
        return self.error(f"{shown(self.name)}: {shown(value)} is not allowed; allowed: {allowed}")

    def unknown(self, known: Iterable[str], allowed: str = "") -> UserError:
        """Return that there is no such key, with the nearest of those there are.

        Args:
            known: the keys there are.
            allowed: what to say if none is near; else they are listed.
        """
        names = list(known)
        near = nearest(self.name, names)
        hint = f'did you mean "{near}"?' if near else f"allowed: {allowed or ', '.join(names)}"
        return self.error(f"{shown(self.name)} is unknown here; {hint}")


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that is most like the word, or None if none is like it."""
    # An underscore for a dash and capitals are no different word.
    plain = word.lower().replace("_", "-")
    return next(iter(difflib.get_close_matches(plain, list(names), n=1)), None)


def shown(value: object) -> str:
    """Return a value of TOML as a short text on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    try:
        text = str(value)
    except ValueError:
        # Python prints a whole number of thousands of digits as hexadecimal alone.
        text = f"{value:#x}"
    if isinstance(value, Decimal) and not value.is_finite():
        text = text.lower().replace("infinity", "inf")
    text = text if len(text) <= 60 else f"{text[:57]}..."
    printable = "".join(c if c.isprintable() else "?" for c in text)
    return f'"{printable}"' if isinstance(value, str) else printable
