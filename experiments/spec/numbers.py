"""Numbers of a spec, with and without units: how they are written, ranges of them, factors.

All arithmetic is in decimal, so that 0.1 + 0.2 is 0.3 and a spec means the same on every machine.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from typing import Any

from ..programs.option_table import UNIT_NUMBER, Option
from .places import Place

MOST_POINTS = 100_000
"""Of a range."""

MOST_ZEROS = 30
"""Behind or in front of the digits of a number: more than any option has use for."""

_EXACT = Context(prec=60)
_LOG_DIGITS = Context(prec=3)
"""What the points of a log range are rounded to: 1, 2.15, 4.64, 10."""

_INDIVISIBLE = frozenset({"", "p", "B", "bps", "bit/s", "ns"})
"""The smallest units, of which an option of whole numbers has only whole ones."""

_RANGE_KEYS = ("from", "to", "step", "count", "log", "per-decade")
_RANGE = (
    "{ from, to, step }, or for a log range { from, to, log = true } with count or with per-decade"
)


@dataclass(frozen=True)
class Quantity:
    """A number and the unit written behind it, which may be empty."""

    number: Decimal
    unit: str

    def __str__(self) -> str:
        """Return it as the command line takes it."""
        return decimal_text(self.number) + self.unit

    @classmethod
    def read(cls, text: str) -> Quantity | None:
        """Return what a text of the command line says, or None if that is no number."""
        found = UNIT_NUMBER.fullmatch(text)
        return None if found is None else cls(Decimal(found[1]), found[2])


def decimal_text(number: Decimal) -> str:
    """Return a number without exponent and without zeros at its end."""
    return format(number.normalize(_EXACT), "f")


def is_number(value: Any) -> bool:
    """Return whether a value of TOML is a number, and one that can be written out."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return False
    number = Decimal(value)
    # 1e-999999 is short only as long as nobody writes it without its exponent.
    return number.is_finite() and abs(number.adjusted()) <= MOST_ZEROS


def read_number(option: Option, value: Any, at: Place) -> Quantity:
    """Return the number that a value of TOML stands for.

    Raises:
        UserError: it is none that the option takes; units are left to the program.
    """
    quantity = None
    if isinstance(value, str):
        quantity = Quantity.read(value)
    elif is_number(value) and option.is_plain:
        quantity = Quantity(Decimal(value), "")
    if quantity is None or (option.is_plain and quantity.unit):
        raise at.bad(value, option.allowed())
    if option.is_plain and not option.holds(quantity.number):
        raise at.bad(value, option.allowed())
    return quantity


def read_range(option: Option, table: Mapping[str, Any], at: Place) -> list[str]:
    """Return the points of a range, both ends included.

    Args:
        option: takes numbers.
        table: from, to and step; or from, to, log = true and count or per-decade.
        at: where it is.

    Raises:
        UserError: it is no range, or one that does not end at its end.
    """
    for key in table:
        if key not in _RANGE_KEYS:
            raise (at / key).unknown(_RANGE_KEYS)
    if "from" not in table or "to" not in table:
        raise at.error(f'"{at.name}": the range lacks "from" or "to"; allowed: {_RANGE}')
    first = read_number(option, table["from"], at / "from")
    last = read_number(option, table["to"], at / "to")
    if first.unit != last.unit:
        both = f'"{first}" to "{last}"'
        raise at.error(
            f'"{at.name}": {both} has two units; allowed: the same unit for "from" and "to"'
        )
    if first.number >= last.number:
        raise (at / "to").bad(table["to"], f'more than the beginning of the range, "{first}"')
    log = table.get("log", False)
    if not isinstance(log, bool):
        raise (at / "log").bad(log, "true or false")
    with localcontext(_EXACT):
        if log:
            return _log_range(option, table, first, last, at)
        return _linear_range(option, table, first, last, at)


def _linear_range(
    option: Option, table: Mapping[str, Any], first: Quantity, last: Quantity, at: Place
) -> list[str]:
    if set(table) - {"log"} != {"from", "to", "step"}:
        raise at.error(f'"{at.name}" is not a range; allowed: {_RANGE}')
    step = _step(option, table["step"], first.unit, at / "step")
    steps = (last.number - first.number) / step
    if steps != steps.to_integral_value():
        raise (at / "step").bad(
            table["step"], f'a step that leads from "{first}" to "{last}" exactly'
        )
    if steps >= MOST_POINTS:
        raise (at / "step").bad(table["step"], f"at most {MOST_POINTS} points")
    return [str(Quantity(first.number + n * step, first.unit)) for n in range(int(steps) + 1)]


def _step(option: Option, value: Any, unit: str, at: Place) -> Decimal:
    """Return the step of a linear range, in the unit of its ends."""
    step = None
    if isinstance(value, str):
        step = Quantity.read(value)
    elif is_number(value) and option.is_plain and value > 0:
        step = Quantity(Decimal(value), "")
    if step is not None and step.unit == unit and step.number > 0:
        whole = option.is_plain and option.kind == "whole"
        if not whole or step.number == step.number.to_integral_value():
            return step.number
    noun = "a whole number" if option.kind == "whole" else "a number"
    raise at.bad(value, f'a text in the unit of the range, "{unit}"' if unit else f"{noun} above 0")


def _log_range(
    option: Option, table: Mapping[str, Any], first: Quantity, last: Quantity, at: Place
) -> list[str]:
    if set(table) - {"count", "per-decade"} != {"from", "to", "log"} or len(table) != 4:
        raise at.error(f'"{at.name}" is not a range; allowed: {_RANGE}')
    if first.number == 0:
        raise (at / "from").bad(table["from"], "a number above 0, as the range is logarithmic")
    steps = _log_steps(table, first, last, at)
    ratio = last.number / first.number
    whole = option.kind == "whole" and first.unit in _INDIVISIBLE
    inner = (_rounded(first.number * ratio ** (Decimal(n) / steps), whole) for n in range(1, steps))
    points = [first.number, *inner, last.number]
    fault = next((b for a, b in itertools.pairwise(points) if a >= b), None)
    if fault is not None:
        near = Quantity(fault, first.unit)
        raise at.error(
            f'"{at.name}": points of the range near "{near}" are equal after rounding; '
            "allowed: fewer points"
        )
    return [str(Quantity(point, first.unit)) for point in points]


def _log_steps(table: Mapping[str, Any], first: Quantity, last: Quantity, at: Place) -> int:
    """Return into how many equal factors a log range falls."""
    key = "count" if "count" in table else "per-decade"
    value, least = table[key], 2 if key == "count" else 1
    if not is_number(value) or value != int(value) or not least <= value <= MOST_POINTS:
        raise (at / key).bad(value, f"a whole number from {least} to {MOST_POINTS}")
    if key == "count":
        return int(value) - 1
    steps = (last.number / first.number).log10() * int(value)
    if abs(steps - round(steps)) > Decimal("1e-9") or not 1 <= steps < MOST_POINTS:
        raise (at / key).bad(
            value, f'a number of points with which the range from "{first}" ends at "{last}"'
        )
    return round(steps)


def _rounded(number: Decimal, whole: bool) -> Decimal:
    """Return a point of a log range: in three digits, or whole where there are no parts."""
    return number.to_integral_value() if whole else _LOG_DIGITS.plus(number)
