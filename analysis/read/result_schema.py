"""The form of a result, from the one file that defines it: its keys, their types, what is wrong.

``contrib/gridftp/doc/result-2.schema.json`` is a JSON Schema (draft 2020-12); no key of a result is
listed anywhere else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError, ValidationErrorKind

PATH = Path(__file__).parents[2] / "contrib" / "gridftp" / "doc" / "result-2.schema.json"
"""The file."""

_FORM: Mapping[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))

SCHEMA: int = _FORM["properties"]["schema"]["const"]
"""The version that it defines."""

_KINDS = {"integer": int, "number": float, "boolean": bool, "string": str}

_WORDS = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}


def kinds(name: str) -> dict[str, type]:
    """Return the plain values of a part of a result, by key in order, and as what each is read.

    JSON, and so a table made of it, does not tell a real number that happens to be whole from a
    whole one.

    Args:
        name: of the part's definition in the file, such as ``chunk``.
    """
    found = {}
    for key, value in _FORM["$defs"][name]["properties"].items():
        types = [value["type"]] if isinstance(value.get("type"), str) else value.get("type", [])
        if plain := [_KINDS[one] for one in types if one in _KINDS]:
            found[key] = plain[0]
    return found


def fault(data: Any) -> str | None:
    """Return what is wrong with the form of a result, in one line; None if nothing is."""
    try:
        error = next(_validator().iter_errors(data), None)
    except UnicodeEncodeError:
        return "it has text that is no Unicode (a surrogate alone)"
    return None if error is None else _told(error, data)


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(dict(_FORM))


def _told(error: ValidationError, data: Any) -> str:
    place, kind = _place(error.instance_path), error.kind
    inside = f"{place}." if place else ""
    if isinstance(kind, ValidationErrorKind.Required):
        return f"{inside}{kind.property} is missing"
    if isinstance(kind, ValidationErrorKind.AdditionalProperties):
        return f"{inside}{_short(kind.unexpected[0])} is no key of a result"
    value = data
    for step in error.instance_path:
        value = value[step]
    told = f"{place or 'result'} is {str(value)[:40]!r}"
    if isinstance(kind, ValidationErrorKind.Type):
        return f"{told}, not {' or '.join(_WORDS[one] for one in kind.types)}"
    if isinstance(kind, ValidationErrorKind.Minimum):
        return f"{told}, not at least {kind.limit}"
    if isinstance(kind, ValidationErrorKind.MinItems):
        return f"{place} is empty"
    return f"{told}: {error.message[:120]}".splitlines()[0]


def _short(key: str) -> str:
    """Return a key of a file so that it can stand in a message: short and printable."""
    key = key if len(key) <= 60 else f"{key[:57]}..."
    return "".join(c if c.isprintable() else "?" for c in key)


def _place(path: list[str | int]) -> str:
    """Return a path into a result as text, ``sessions[0].tcp``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")
