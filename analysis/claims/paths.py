"""Measures by their path into a result, as ``links.0.drops`` or ``sessions.*.tcp.timeouts``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..read.results import ResultError


def numbers_at(data: Mapping[str, Any], path: str) -> list[float]:
    """Return the numbers at a path: keys and indices from 0 between dots, ``*`` for each of a list.

    A place that is null, since there was nothing to measure, gives none.

    Raises:
        ResultError: there is no such place, or what is there is no number.
    """
    found = []
    for value in _walk(data, path.split("."), path):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ResultError(f"{path}: {str(value)[:40]!r} is no number")
        found.append(float(value))
    return found


def _walk(value: Any, parts: list[str], path: str) -> Iterator[Any]:
    if value is None:
        return
    if not parts:
        yield value
        return
    part, *rest = parts
    if isinstance(value, list):
        if part == "*":
            for one in value:
                yield from _walk(one, rest, path)
            return
        if not part.isdecimal() or int(part) >= len(value):
            raise ResultError(f"{path}: there is no {part!r}; allowed: * or 0 to {len(value) - 1}")
        yield from _walk(value[int(part)], rest, path)
        return
    if not isinstance(value, dict) or part not in value:
        known = ", ".join(value) if isinstance(value, dict) else "a single value is there"
        raise ResultError(f"{path}: there is no {part!r}; allowed: {known}")
    yield from _walk(value[part], rest, path)
