"""The options of a program, as it describes them itself (``--describe``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..errors import ProgramError

OUTPUT = "output"
"""Scope of the options that change no result."""

MEASURE = "measure"
"""Scope of the options that say how a scenario is simulated, and nothing of the scenario."""

PLAIN_NUMBER = re.compile(r"\d+(\.\d+)?")
UNIT_NUMBER = re.compile(r"(\d+(?:\.\d+)?)([A-Za-z/]*)")
"""A number as the command line takes it, without and with a unit: no sign, no exponent."""


@dataclass(frozen=True)
class Variant:
    """What an option has otherwise if another one has a value.

    Attributes:
        option: the other one.
        value: that it has, as text.
        example: the option's default then, as text.
    """

    option: str
    value: str
    example: str


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes:
        name: as on the command line; of a list of tables, its key in a line of a batch.
        key: of its value in a resolved scenario.
        scope: what it describes: path, tcp, session, traffic or measure.
        kind: whole, real, switch, choice, name or list.
        unit: of a number, SI; may be empty.
        example: a value as text, or empty.
        usual: the default as a resolved scenario has it; None where that follows from others.
        minimum: of a number, in its unit; else None.
        maximum: as minimum.
        open_minimum: the minimum itself is not allowed.
        open_maximum: the maximum itself is not allowed.
        choices: all values there are; empty if there is no such list.
        open_choice: one of the choices, behind which and a colon any text may stand; else empty.
        may_be_file: a value may name a file, whose content takes its place once it is resolved.
        engines: the names of those that know it.
        modes: the only ones that make something of it; empty: there is no such limit.
        members: of a list of tables, what stands in each; else None.
        variants: where its default depends on other options.
    """

    name: str
    key: str
    scope: str
    kind: str
    unit: str
    example: str
    usual: Any
    minimum: Decimal | None
    maximum: Decimal | None
    open_minimum: bool
    open_maximum: bool
    choices: tuple[str, ...]
    open_choice: str
    may_be_file: bool
    engines: tuple[str, ...]
    modes: tuple[str, ...]
    members: OptionTable | None
    variants: tuple[Variant, ...]

    def variant(self, texts: Mapping[str, str]) -> Variant | None:
        """Return what is otherwise for it with these option texts, if anything is."""
        found = (one for one in self.variants if texts.get(one.option) == one.value)
        return next(found, None)

    def default(self, texts: Mapping[str, str]) -> str:
        """Return its default with these option texts."""
        variant = self.variant(texts)
        return self.example if variant is None else variant.example

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, with or without a unit."""
        return self.kind in ("whole", "real")

    @property
    def is_plain(self) -> bool:
        """Whether its values are numbers that the command line takes without a unit."""
        return self.is_number and PLAIN_NUMBER.fullmatch(self.example) is not None

    def holds(self, number: Decimal) -> bool:
        """Return whether a plain number is in its range, and whole where it has to be."""
        low, high = self.minimum, self.maximum
        if self.kind == "whole" and number != number.to_integral_value():
            return False
        if low is not None and (number < low or (self.open_minimum and number == low)):
            return False
        return high is None or not (number > high or (self.open_maximum and number == high))

    def takes(self, word: str) -> bool:
        """Return whether a word is one of its choices, or goes on from the open one."""
        opened = bool(self.open_choice) and re.match(f"{self.open_choice}:.", word) is not None
        return word in self.choices or opened

    def allowed(self) -> str:
        """Return in words what one value may be."""
        if self.choices:
            told = ", ".join(f'"{choice}"' for choice in self.choices)
            return f'{told}, or "{self.open_choice}:TEXT"' if self.open_choice else told
        if self.is_plain:
            noun = "a whole number" if self.kind == "whole" else "a number"
            low = f"{'above' if self.open_minimum else 'from'} {self.minimum}"
            return f"{noun} {low} to {'below ' if self.open_maximum else ''}{self.maximum}"
        if self.is_number:
            known = UNIT_NUMBER.fullmatch(self.example) is not None
            return f'a text with its unit, such as "{self.example}"' if known else (
                f"a text with its unit ({self.unit})"
            )  # fmt: skip
        if self.kind == "list":
            return "a list of tables" if self.members else "a list of texts"
        return "true or false" if self.kind == "switch" else "a text"


@dataclass(frozen=True)
class OptionTable:
    """Which options there are, by name; those that only say what is printed left out."""

    options: Mapping[str, Option]

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> OptionTable:
        """Return the table from the object that ``--describe`` prints.

        Raises:
            ProgramError: it is no such object.
        """
        try:
            return _read_rows(described["options"])
        except (KeyError, TypeError, AttributeError, ArithmeticError) as error:
            raise ProgramError(f"--describe printed no table of options ({error!r})") from None

    def __contains__(self, name: object) -> bool:
        """Return whether there is an option of the name."""
        return name in self.options

    def __getitem__(self, name: str) -> Option:
        """Return the option of the name."""
        return self.options[name]

    def names(self) -> list[str]:
        """Return all names, in the program's order."""
        return list(self.options)

    def engines(self) -> tuple[str, ...]:
        """Return the engines there are."""
        return self.options["engine"].choices


def _read_rows(rows: Sequence[Mapping[str, Any]]) -> OptionTable:
    options = (_read_option(row) for row in rows if row["scope"] != OUTPUT)
    table: dict[str, Option] = {}
    for option in options:
        # A list may also come from a file, by an option that is called as the list's key is
        table.setdefault(option.name, option)
    return OptionTable(table)


def _read_option(row: Mapping[str, Any]) -> Option:
    members = _read_rows(row["members"]) if "members" in row else None
    return Option(
        # "--session" adds one to the first; the key of a batch, "sessions", names all of them.
        name=row["name"] if members is None else row["key"],
        key=row["key"],
        scope=row["scope"],
        kind=row["kind"],
        unit=row["unit"],
        example=row["default"],
        usual=row.get("default_value"),
        minimum=_bound(row, "minimum"),
        maximum=_bound(row, "maximum"),
        open_minimum=row.get("open_minimum", False),
        open_maximum=row.get("open_maximum", False),
        choices=tuple(row.get("choices", ())),
        open_choice=row.get("open_choice", ""),
        may_be_file=row.get("may_be_file", False),
        engines=tuple(row["engines"].split(",")),
        modes=tuple(row.get("modes", ())),
        members=members,
        variants=tuple(
            Variant(one["option"], one["value"], one["default"]) for one in row.get("variants", ())
        ),
    )


def _bound(row: Mapping[str, Any], key: str) -> Decimal | None:
    return Decimal(str(row[key])) if key in row else None
