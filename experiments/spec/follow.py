"""Values of a spec that follow from those of other options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

from ..programs.option_table import Option, OptionTable
from .numbers import Quantity, is_number
from .places import Place, nearest, shown
from .values import Value, known, read_value

_SHAPES = {
    "same-as": ("same-as",),
    "by": ("by", "map"),
    "times": ("times", "of"),
}
_ALLOWED = (
    '{ same-as = "bandwidth" }, { by = "bandwidth", map = { "10Mbps" = ... } } or '
    '{ times = 2, of = "packet-size" }'
)


@dataclass(frozen=True)
class Follow:
    """One option that follows another one.

    Attributes:
        option: the one that follows.
        source: the name of the other one.
        at: where that stands.
        table: which value it has for each of the other one's; None: a factor.
        factor: on the other one's number.
    """

    option: Option
    source: str
    at: Place
    table: Mapping[str, Value] | None = None
    factor: Decimal = Decimal(1)

    def value(self, line: Mapping[str, Value]) -> Value:
        """Return its value where the others are these.

        Raises:
            UserError: there is none.
        """
        source = line[self.source]
        if self.table is not None:
            return self._mapped(source)
        if self.factor == 1:
            return source
        number = Quantity.read(source)
        with localcontext(prec=60):
            return str(Quantity(number.number * self.factor, number.unit))

    def _mapped(self, source: Value) -> Value:
        if isinstance(source, str) and source in self.table:
            return self.table[source]
        near = nearest(source, self.table) if isinstance(source, str) else None
        hint = f'; did you mean "{near}"?' if near else ""
        raise (self.at / "map").error(
            f'"{self.option.name}": the map has no entry for {self.source} = {shown(source)}{hint}'
        )


def read_follows(
    table: OptionTable,
    values: Mapping[str, Any],
    others: Sequence[str],
    places: Mapping[str, Place],
) -> list[Follow]:
    """Return what follows, each behind what it follows itself.

    Args:
        table: the options.
        values: from TOML, by option.
        others: the options that are set in another way.
        places: where each of the values is.

    Raises:
        UserError: what stands there is nothing of the kind, follows what is not set, or itself.
    """
    read = {key: _read_follow(table, values[key], places[key]) for key in values}
    for key, follow in read.items():
        if follow.source not in read and follow.source not in others:
            raise follow.at.error(
                f'"{key}" follows "{follow.source}", which is not set in this block; '
                "allowed: one of "
                f"{', '.join(sorted({*read, *others} - {key})) or 'none; set one first'}"
            )
    ordered: list[Follow] = []
    done = set(others)
    while len(ordered) < len(read):
        ready = [key for key in read if key not in done and read[key].source in done]
        if not ready:
            raise _circle(read, next(key for key in read if key not in done))
        ordered += (read[key] for key in ready)
        done.update(ready)
    return ordered


def _circle(read: Mapping[str, Follow], key: str) -> Exception:
    """Return the error for options that follow each other, from one that leads to them."""
    chain = [key]
    while chain[-1] not in chain[:-1]:
        chain.append(read[chain[-1]].source)
    circle = chain[chain.index(chain[-1]) :]
    return read[circle[0]].at.error(f"these follow each other in a circle: {' -> '.join(circle)}")


def _read_follow(table: OptionTable, value: Any, at: Place) -> Follow:
    option = table[known(table, at)]
    if not isinstance(value, dict):
        raise at.bad(value, _ALLOWED)
    words = list(dict.fromkeys(word for shape in _SHAPES.values() for word in shape))
    for key in value:
        if key not in words:
            raise (at / key).unknown(words)
    shape = next((shape for shape in _SHAPES.values() if set(shape) == set(value)), None)
    if shape is None:
        raise at.error(f'"{at.name}" has too few or too many keys; allowed: {_ALLOWED}')
    source = _source(table, value, shape, at)
    if "map" in value:
        return Follow(option, source, at, table=_read_map(option, value["map"], at / "map"))
    factor = value.get("times", 1)
    if not is_number(factor) or factor <= 0:
        raise (at / "times").bad(factor, "a number above 0")
    _refuse_unlike(option, table[source], "times" in value, at)
    return Follow(option, source, at, factor=Decimal(factor))


def _source(table: OptionTable, value: Mapping[str, Any], shape: tuple[str, ...], at: Place) -> str:
    """Return the option that is followed."""
    word = "of" if "of" in shape else shape[0]
    source = value[word]
    if not isinstance(source, str):
        raise (at / word).bad(source, "the name of an option")
    if source not in table:
        near = nearest(source, table.names())
        hint = f'did you mean "{near}"?' if near else "allowed: another option of the block"
        raise (at / word).error(f'"{word}": {shown(source)} is not an option; {hint}')
    return source


def _refuse_unlike(option: Option, source: Option, number: bool, at: Place) -> None:
    """Raise a UserError if one option cannot have what the other one has."""
    alike = (option.kind, option.unit) == (source.kind, source.unit)
    if (number and not option.is_number) or not alike:
        kind = f"{option.kind}, {option.unit}" if option.unit else option.kind
        other = f"{source.kind}, {source.unit}" if source.unit else source.kind
        raise at.error(
            f'"{option.name}" ({kind}) cannot follow "{source.name}" ({other}); '
            f"allowed: {'a number' if number else 'an option'} of the same kind and unit"
        )


def _read_map(option: Option, value: Any, at: Place) -> dict[str, Value]:
    if not isinstance(value, dict) or not value:
        raise at.bad(value, 'a table such as { "10Mbps" = "20p" }')
    return {key: read_value(option, item, at / key) for key, item in value.items()}
