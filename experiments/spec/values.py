"""Values of a spec: what may stand behind an option's name, fixed or swept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from ..programs.option_table import Option, OptionTable
from .numbers import Quantity, read_number, read_range
from .places import Place, nearest, shown

Value = Any
"""As a line of a batch takes it: a text, a list of texts, or a list of tables of texts."""


def read_value(option: Option, value: Any, at: Place) -> Value:
    """Return one value of an option.

    Args:
        option: the option.
        value: from TOML, with decimals for its floats.
        at: where it is.

    Raises:
        UserError: the option takes no such value.
    """
    if option.kind == "list":
        return _read_list(option, value, at)
    if option.is_number:
        number: Quantity = read_number(option, value, at)
        return value if isinstance(value, str) else str(number)
    if option.kind == "switch" and isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, str) or not value or not value.isprintable():
        raise at.bad(value, option.allowed())
    if option.kind == "switch" and value not in ("on", "off"):
        raise at.bad(value, "true, false, \"on\" or \"off\"")  # fmt: skip
    if option.may_be_file:
        return _beside(value, at)
    if option.choices and not option.takes(value):
        near = nearest(value, option.choices)
        hint = f'; did you mean "{near}"?' if near else ""
        raise at.bad(value, option.allowed() + hint)
    return value


def _beside(value: str, at: Place) -> str:
    """Return a value that may begin with a file name: with its path if that is beside the spec.

    So a spec means the same wherever it is started from; other names are the program's to find.
    """
    name, comma, rest = value.partition(",")
    file = at.file.parent / name
    # Path.is_file() raises where the name is longer than a file system allows
    return f"{file.resolve()}{comma}{rest}" if os.path.isfile(file) else value


def _read_list(option: Option, value: Any, at: Place) -> list[Value]:
    """Return a value that is a list itself: of texts, or of tables."""
    if not isinstance(value, list):
        raise at.bad(value, option.allowed())
    if option.members is None:
        for number, item in enumerate(value):
            if not isinstance(item, str) or not item.isprintable():
                raise (at / number).bad(item, option.allowed())
        return list(value)
    if not value and option.name == "sessions":
        raise at.bad(value, "one table or more")
    return [
        _read_members(option.members, item, at / number, option.allowed())
        for number, item in enumerate(value)
    ]


def _read_members(members: OptionTable, value: Any, at: Place, allowed: str) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise at.bad(value, allowed)
    return {
        key: read_value(members[known(members, at / key)], value[key], at / key) for key in value
    }


def read_values(option: Option, value: Any, at: Place) -> list[Value]:
    """Return the values an option takes in turn, from a list or a range.

    Raises:
        UserError: it is neither, or there is nothing in it.
    """
    if isinstance(value, dict) and option.is_number:
        return read_range(option, value, at)
    ranges = ", or a range { from, to, step }" if option.is_number else ""
    of = f", each of them {option.allowed()}" if option.kind == "list" else ""
    if not isinstance(value, list):
        raise at.bad(value, f"a list{of}{ranges}; a single value is fixed")
    if not value:
        raise at.bad(value, f"one value or more{ranges}")
    return [read_value(option, item, at / number) for number, item in enumerate(value)]


def refuse_twice(values: list[Value], at: Place) -> None:
    """Raise a UserError if a value comes twice, and with it the same simulations."""
    second = second_of_a_kind(values)
    if second is not None:
        what = shown(values[second])
        raise (at / second).error(f'"{at.name}": {what} comes twice; allowed: once')


def second_of_a_kind(values: Iterable[Value]) -> int | None:
    """Return the place of the first value that has come before, or None."""
    seen: set[str] = set()
    for number, value in enumerate(values):
        if (text := repr(value)) in seen:
            return number
        seen.add(text)
    return None


def known(table: OptionTable, at: Place) -> str:
    """Return the name of the option that a place is named after.

    Raises:
        UserError: there is none.
    """
    if at.name not in table:
        raise at.unknown(table.names(), "the options of ./gridftp run --help")
    return at.name


def read_fixed(table: OptionTable, values: Mapping[str, Any], at: Place) -> dict[str, Value]:
    """Return the options of a table, each with one value.

    Raises:
        UserError: one is unknown or takes no such value.
    """
    return {key: read_value(table[known(table, at / key)], values[key], at / key) for key in values}
