"""The content of a file of readings: its text, and the JSON values in it where it is JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..errors import UserError
from .json_nodes import JsonValue, Node, parse_json_values, refuse_more
from .texts import read_text

_TOOL = "a tool with JSON"

_JSON = re.compile(r"\s*(?:\{|\[\s*(?:[\[{\"\]]|$))")


@dataclass(frozen=True)
class Content:
    """The content of one file.

    Contract: `read_runs` makes one for each file and passes it to each `Reader`. The text is
    parsed as JSON when the first reader asks for that, and once.

    Attributes:
        path: the file.
        text: decompressed and decoded, lines end with a line feed, not empty.
    """

    path: Path
    text: str

    @property
    def is_json(self) -> bool:
        """Whether the text begins as a JSON object, or a list of objects, lists or texts.

        Other texts begin with a bracket, too, as of perf: ``[ perf record: Woken up 1 times ...``.
        """
        return _JSON.match(self.text) is not None

    @cached_property
    def _values(self) -> Iterator[JsonValue]:
        return parse_json_values(self.path, self.text, _TOOL)

    @cached_property
    def _first_or_error(self) -> JsonValue | UserError:
        # An error is stored, too: each reader asks again, and a generator that raised is over.
        try:
            return next(self._values)
        except UserError as error:
            return error

    @property
    def _first(self) -> JsonValue:
        if isinstance(self._first_or_error, UserError):
            raise self._first_or_error
        return self._first_or_error

    @property
    def first(self) -> Node:
        """The first JSON value of the file.

        Raises:
            UserError: the text does not begin with one.
        """
        return self._first.node

    @property
    def top(self) -> Node:
        """The one JSON value of the file.

        Raises:
            UserError: the text is no JSON, or has several values.
        """
        refuse_more(self.path, self.text, self._first, _TOOL)
        return self.first

    @cached_property
    def values(self) -> tuple[Node, ...]:
        """All JSON values of the file, one after the other, at least one.

        Raises:
            UserError: the text is no JSON.
        """
        first = self.first
        return (first, *(one.node for one in self._values))

    def has_member(self, *keys: str) -> bool:
        """Return whether the first JSON value is an object with one of these members.

        Raises:
            UserError: the text begins as JSON does and is none.
        """
        if not self.is_json:
            return False
        value = self.first.value
        return isinstance(value, dict) and any(key in value for key in keys)


def read_content(path: Path) -> Content:
    """Return the content of a file; see `read_text`."""
    return Content(path, read_text(path))


@dataclass(frozen=True)
class Reader:
    """A kind of file of readings; `READERS` of files.py lists all of them.

    Contract: `read_runs` calls `recognises` of each reader in the order of the table and `parse`
    of the first one that returns true.

    Attributes:
        part: the field of `Run` that a file becomes.
        prints: the command that prints such a file, for messages.
        recognises: returns whether a file is of this kind.
        parse: returns what the file has: one item for each run in it, at least one. Raises
            UserError, ``FILE:LINE: what``, where the file is damaged.
    """

    part: str
    prints: str
    recognises: Callable[[Content], bool]
    parse: Callable[[Content], list[object]]


def of_json(parse: Callable[[Path, Node], object]) -> Callable[[Content], list[object]]:
    """Return the `Reader.parse` of a function that parses the one JSON value of a file."""
    return lambda content: [parse(content.path, content.top)]


def of_text(parse: Callable[[Path, str], object]) -> Callable[[Content], list[object]]:
    """Return the `Reader.parse` of a function that parses the text of a file."""
    return lambda content: [parse(content.path, content.text)]
