"""JSON of other programs: each value with its place, for messages that name file and line."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import UserError
from ..spec.places import Keys, Place
from .texts import quoted, read_text, wrong

MOST_WHOLE = 10**18
"""The largest whole number that a file may have: no counter of 64 bits goes far beyond."""

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


def line_of(text: str, keys: Keys) -> int:
    """Return the line, from 1, on which a member or an item of a list begins.

    Of members with the same key the last one counts, as for `json`.

    Args:
        text: valid JSON, with lines ended by a line feed.
        keys: of the value.

    Raises:
        KeyError: there is no such value.
    """
    begin = at = _behind_space(text, 0)
    for key in keys:
        begin, at = _inner(text, at, key)
    return text.count("\n", 0, begin) + 1


def _inner(text: str, at: int, key: str | int) -> tuple[int, int]:
    """Return where a member or an item begins, and where its value does.

    Args:
        text: valid JSON.
        at: where the object or list begins.
        key: of the member, or the number of the item.
    """
    if text[at] != ("{" if isinstance(key, str) else "["):
        raise KeyError(key)
    found: tuple[int, int] | None = None
    place, at = 0, _behind_space(text, at + 1)
    while text[at] not in "]}":
        begin, name = at, place
        if isinstance(key, str):
            name, at = _DECODER.raw_decode(text, at)
            at = _behind_space(text, _behind_space(text, at) + 1)
        if name == key:
            found = begin, at
        at = _behind_space(text, _DECODER.raw_decode(text, at)[1])
        if text[at] == ",":
            at = _behind_space(text, at + 1)
        place += 1
    if found is None:
        raise KeyError(key)
    return found


class _Lines:
    """The lines of a JSON value, each computed when a message needs it.

    Args:
        text: the value.
        before: the lines of the file above it.
    """

    def __init__(self, text: str, before: int = 0) -> None:
        self._text = text
        self._before = before

    def __getitem__(self, keys: Keys) -> int:
        try:
            return line_of(self._text, keys) + self._before
        except RecursionError:
            raise KeyError(keys) from None

    def __contains__(self, keys: Keys) -> bool:
        return self.get(keys, 0) > 0

    def get(self, keys: Keys, default: int) -> int:
        """Return the line of a value, or the default if there is no such value."""
        try:
            return self[keys]
        except KeyError:
            return default


@dataclass(frozen=True)
class Node:
    """A value of JSON and where it stands."""

    value: Any
    at: Place

    def __contains__(self, key: str) -> bool:
        """Return whether an object has a member."""
        return key in self._object()

    def __getitem__(self, key: str) -> Node:
        """Return a member that an object must have."""
        if key not in self._object():
            raise self.at.error(f'"{key}" is missing; allowed: a complete file that has it')
        return Node(self.value[key], self.at / key)

    def find(self, *keys: str) -> Node | None:
        """Return the member of a member; None where one of them is not there."""
        node = self
        for key in keys:
            if key not in node:
                return None
            node = node[key]
        return node

    def items(self) -> list[Node]:
        """Return what stands in a list."""
        if not isinstance(self.value, list):
            raise self._no("a list")
        return [Node(value, self.at / number) for number, value in enumerate(self.value)]

    def members(self) -> list[tuple[str, Node]]:
        """Return the members of an object with their keys."""
        return [(key, Node(value, self.at / key)) for key, value in self._object().items()]

    def number(self, least: float = 0.0, most: float = math.inf) -> float:
        """Return a number from `least` to `most`."""
        value = self.value
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        # A whole number of JSON may be larger than any number with a fraction.
        if not plain or not abs(value) <= sys.float_info.max or not least <= value <= most:
            bounds = f"from {least:g}" + (f" to {most:g}" if math.isfinite(most) else "")
            raise self._no(f"a number {bounds}")
        return float(value)

    def numbers(self, names: Iterable[str], least: float, most: float) -> dict[str, float]:
        """Return those of some members that are there, each a number from `least` to `most`."""
        members, found = self._object(), {}
        for name in names:
            value = members.get(name)
            if type(value) in (int, float) and least <= value <= most:
                found[name] = float(value)
            elif name in members:
                found[name] = self[name].number(least, most)
        return found

    def whole(self, least: int = 0) -> int:
        """Return a whole number from `least` to `MOST_WHOLE`."""
        number = self.number(least)
        if number != int(number):
            raise self._no(f"a whole number from {least}")
        if number > MOST_WHOLE:
            raise self._no(f"a whole number from {least} to {MOST_WHOLE}")
        return int(number)

    def text(self) -> str:
        """Return a text."""
        if not isinstance(self.value, str):
            raise self._no("a text")
        return self.value

    def _object(self) -> Mapping[str, Any]:
        if not isinstance(self.value, dict):
            raise self._no("an object")
        return self.value

    def _no(self, allowed: str) -> UserError:
        return self.at.bad(self.value, allowed)


def parse_json(path: Path, text: str, tool: str) -> Node:
    """Return the one value that a text of JSON is.

    Args:
        path: where it comes from.
        text: not empty.
        tool: what should have printed it.

    Raises:
        UserError: it is no JSON, or more than one value.
    """
    values = parse_json_values(path, text, tool)
    first = next(values)
    refuse_more(path, text, first, tool)
    return first.node


@dataclass(frozen=True)
class JsonValue:
    """A JSON value of a text, and the place in the text behind it."""

    node: Node
    end: int


def parse_json_values(path: Path, text: str, tool: str) -> Iterator[JsonValue]:
    """Yield the values of a text that is one JSON value after the other, such as JSON lines.

    Args:
        path: where it comes from.
        text: not empty.
        tool: what should have printed it.

    Raises:
        UserError: the text is no JSON from here on.
    """
    at = _behind_space(text, 0)
    while at < len(text) or at == 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise wrong(path, error.lineno, _told(error, text, tool)) from None
        except (ValueError, RecursionError):
            what = f"is nested too deeply, or has an invalid number; allowed: the output of {tool}"
            raise wrong(path, text.count("\n", 0, at) + 1, what) from None
        lines = _Lines(text[at:end] if at else text, text.count("\n", 0, at))
        yield JsonValue(Node(value, Place(path, lines)), end)
        at = _behind_space(text, end)


def refuse_more(path: Path, text: str, value: JsonValue, tool: str) -> None:
    """Refuse a text that has more than one JSON value.

    Raises:
        UserError: anything but space is behind the value.
    """
    at = _behind_space(text, value.end)
    if at < len(text):
        what = f"text follows the JSON; allowed: the output of one run of {tool}"
        raise wrong(path, text.count("\n", 0, at) + 1, what)


def _behind_space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()


def read_json(path: Path, tool: str) -> Node:
    """Return what a file of JSON holds; see `parse_json` and `read_text`."""
    return parse_json(path, read_text(path), tool)


def _told(error: json.JSONDecodeError, text: str, tool: str) -> str:
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        return f"the JSON is cut short here; allowed: the complete output of {tool}"
    here = text[error.pos :].split("\n", 1)[0]
    return f"is not valid JSON at {quoted(here)}; allowed: the output of {tool}"
