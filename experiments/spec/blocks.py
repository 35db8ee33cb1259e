"""Blocks of a spec: the sets of simulations that it multiplies out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import UserError
from ..programs.option_table import OptionTable
from .follow import Follow, read_follows
from .numbers import is_number
from .places import Place
from .values import Value, known, read_fixed, read_values, refuse_twice, second_of_a_kind

MOST_PLANNED = 1_000_000
"""Simulations of one file: more are a slip of the pen, and would fill the memory first."""

OPTION_TABLES = ("fixed", "cross", "zip", "follow")

_BLOCK_KEYS = ("label", "engine", "replications", "until", "first-run", *OPTION_TABLES)

_UNTIL_KEYS = ("half-width", "most")

_ELSEWHERE = {
    "engine": 'engine = "..." of [[block]], above its tables',
    "run": "replications and first-run of [[block]], above its tables",
}
"""Options that a spec names in a way of its own."""

_LARGEST_RUN = 2**63 - 1


@dataclass(frozen=True)
class Until:
    """When a point has replications enough.

    Attributes:
        half_width: half of the 95 % interval of the mean goodput is at most this share of it.
        most: or there are so many.
    """

    half_width: float
    most: int


@dataclass(frozen=True)
class Planned:
    """One simulation that a spec declares.

    Attributes:
        label: of its block.
        line: as a line of a batch: options as texts, "run", and "engine" where the block has one.
        until: whether its point is to have more replications; None: it has what it has.
    """

    label: str
    line: Mapping[str, Any]
    until: Until | None = None


@dataclass(frozen=True)
class Axis:
    """Options that are swept together: of each, as many values as of the others."""

    values: Mapping[str, list[Value]]

    def __len__(self) -> int:
        """Return how many values each has."""
        return len(next(iter(self.values.values())))

    def points(self) -> list[dict[str, Value]]:
        """Return the options with their values, one after the other."""
        rows = zip(*self.values.values(), strict=True)
        return [dict(zip(self.values, row, strict=True)) for row in rows]


@dataclass(frozen=True)
class Shared:
    """What the whole file, or a setting, says of every block; the block's own comes first.

    Attributes:
        fixed: options with one value.
        axes: swept ones.
        follow: those that follow from others, not yet read, each with its place.
    """

    fixed: Mapping[str, Value]
    axes: list[Axis]
    follow: Mapping[str, tuple[Any, Place]] = field(default_factory=dict)

    def axes_beside(self, own: Collection[str]) -> list[Axis]:
        """Return the swept options that a block does not set itself."""
        return [axis for axis in self.axes if not axis.values.keys() & set(own)]


@dataclass(frozen=True)
class Block:
    """One block, checked but not yet multiplied out."""

    label: str
    engines: list[str]
    runs: range
    until: Until | None
    fixed: Mapping[str, Value]
    axes: list[Axis]
    follows: list[Follow]

    def __len__(self) -> int:
        """Return how many simulations it has."""
        sizes = (len(axis) for axis in self.axes)
        return math.prod(sizes) * max(1, len(self.engines)) * len(self.runs)

    def planned(self) -> Iterator[Planned]:
        """Yield its simulations; runs change fastest."""
        engines = [{"engine": engine} for engine in self.engines] or [{}]
        for engine, *point in itertools.product(engines, *(axis.points() for axis in self.axes)):
            line = {**engine, **self.fixed}
            for values in point:
                line.update(values)
            for follow in self.follows:
                line[follow.option.name] = follow.value(line)
            for run in self.runs:
                yield Planned(self.label, {**line, "run": str(run)}, self.until)


def misplaced(table: OptionTable, at: Place, allowed: Iterable[str]) -> UserError:
    """Return the error for a key that is none of the spec's own words allowed here."""
    if at.name in table and at.name not in _ELSEWHERE:
        return at.error(
            f'"{at.name}" is an option of ./gridftp run; allowed: in a table of options, '
            f"one of {', '.join(OPTION_TABLES)}"
        )
    return at.unknown(allowed)


def one_line(table: Mapping[str, Any], key: str, at: Place) -> str:
    """Return a text that has to be there."""
    if key not in table:
        raise at.error(f'"{key}" is missing; allowed: {key} = "a text"')
    value = table[key]
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise (at / key).bad(value, "a text of one line")
    return value


def _whole(table: Mapping[str, Any], key: str, least: int, most: int, at: Place) -> int:
    """Return a whole number; 1 if there is none."""
    value = table.get(key, 1)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise (at / key).bad(value, f"a whole number from {least} to {most}")
    return value


def _until(block: Mapping[str, Any], replications: int, at: Place) -> Until | None:
    """Return when a point of a block has replications enough; None if that is not asked for."""
    if "until" not in block:
        return None
    value, place = block["until"], at / "until"
    if not isinstance(value, dict) or not value:
        raise place.bad(value, "a table, { half-width = 0.01, most = 50 }")
    for key in value:
        if key not in _UNTIL_KEYS:
            raise (place / key).unknown(_UNTIL_KEYS)
    for key in _UNTIL_KEYS:
        if key not in value:
            raise place.error(f'"{key}" is missing; allowed: {{ half-width = 0.01, most = 50 }}')
    width = value["half-width"]
    if not is_number(width) or not 0 < width < 1:
        raise (place / "half-width").bad(width, "a number above 0 and below 1, a share of the mean")
    if replications < 2:
        raise place.error('"until" needs an interval; allowed: with replications = 2 or more')
    most = _whole(value, "most", replications, MOST_PLANNED, place)
    return Until(float(width), most)


def read_options(
    table: OptionTable, holder: Mapping[str, Any], key: str, at: Place
) -> dict[str, Any]:
    """Return a table of options, not yet read; an empty one if there is none."""
    values = holder.get(key, {})
    if not isinstance(values, dict):
        raise (at / key).bad(values, "a table of options")
    _check_names(table, values, at / key)
    return values


def _check_names(table: OptionTable, values: Mapping[str, Any], at: Place) -> None:
    """Raise a UserError if a key is no option that stands in such a table."""
    for key in values:
        if key in _ELSEWHERE:
            raise (at / key).error(
                f'"{key}" cannot be in a table of options; allowed: {_ELSEWHERE[key]}'
            )
        if key in _BLOCK_KEYS and key not in table:
            raise (at / key).error(
                f'"{key}" is not an option; allowed: in [[block]], above its tables'
            )
        known(table, at / key)


def read_fixed_table(table: OptionTable, holder: Mapping[str, Any], at: Place) -> dict[str, Value]:
    """Return the options that a table "fixed" of the holder sets."""
    return read_fixed(table, read_options(table, holder, "fixed", at), at / "fixed")


def read_block(
    table: OptionTable,
    block: Mapping[str, Any],
    shared: Shared,
    at: Place,
) -> Block:
    """Return a block.

    Args:
        table: the options.
        block: from TOML.
        shared: what the whole file, and a setting, say.
        at: where the block is.
    """
    for key in block:
        if key not in _BLOCK_KEYS:
            raise misplaced(table, at / key, _BLOCK_KEYS)
    label = one_line(block, "label", at)
    engines = _engines(table, block, at)
    replications = _whole(block, "replications", 1, MOST_PLANNED, at)
    until = _until(block, replications, at)
    most = replications if until is None else until.most
    first = _whole(block, "first-run", 0, _LARGEST_RUN - most, at)
    own = read_fixed_table(table, block, at)
    swept = [*read_cross(table, block, at), *_zips(table, block, at)]
    following = dict(read_options(table, block, "follow", at))
    axes = [*shared.axes_beside(set_in(block)), *swept]
    places = {key: at / "follow" / key for key in following}
    places = {**{key: place for key, (_, place) in shared.follow.items()}, **places}
    following = {**{key: value for key, (value, _) in shared.follow.items()}, **following}
    refuse_set_twice(block, at)
    fixed = {**shared.fixed, **own}
    names = [name for axis in axes for name in axis.values]
    others = [*(name for name in fixed if name not in following), *names]
    follows = read_follows(table, following, others, places)
    runs = range(first, first + replications)
    return Block(label, engines, runs, until, fixed, axes, follows)


def _engines(table: OptionTable, block: Mapping[str, Any], at: Place) -> list[str]:
    """Return the engines of a block; none for the program's default."""
    value = block.get("engine")
    if value is None:
        return []
    given = value if isinstance(value, list) else [value]
    names = ", ".join(f'"{name}"' for name in table.engines())
    if not given or not all(name in table.engines() for name in given):
        wrong = next((name for name in given if name not in table.engines()), value)
        raise (at / "engine").bad(wrong, f"{names}, or a list of them")
    refuse_twice(given, at / "engine")
    return given


def read_cross(table: OptionTable, block: Mapping[str, Any], at: Place) -> list[Axis]:
    """Return the options that a table "cross" of the holder sweeps."""
    axes = []
    for key, value in read_options(table, block, "cross", at).items():
        place = at / "cross" / key
        values = read_values(table[key], value, place)
        refuse_twice(values, place)
        axes.append(Axis({key: values}))
    return axes


def _zips(table: OptionTable, block: Mapping[str, Any], at: Place) -> list[Axis]:
    tables = block.get("zip", [])
    if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        raise (at / "zip").bad(tables, "tables of options, [[block.zip]]")
    return [_zip(table, one, at / "zip" / number) for number, one in enumerate(tables)]


def _zip(table: OptionTable, columns: Mapping[str, Any], at: Place) -> Axis:
    if not columns:
        raise at.error('"zip" is empty; allowed: at least one option with a list of values')
    _check_names(table, columns, at)
    values = {key: read_values(table[key], columns[key], at / key) for key in columns}
    first = next(iter(values))
    for key, column in values.items():
        if len(column) != len(values[first]):
            raise (at / key).error(
                f'"{key}" has {len(column)} values, "{first}" has {len(values[first])}; '
                "allowed: the same number of values for every option of a zip"
            )
    second = second_of_a_kind(zip(*values.values(), strict=True))
    if second is not None:
        raise (at / first / second).error(
            f"value {second + 1} of this zip repeats an earlier one; allowed: each combination once"
        )
    return Axis(values)


def set_in(block: Mapping[str, Any]) -> set[str]:
    """Return the options that a block's own tables set."""
    tables = [block.get(key, {}) for key in ("fixed", "cross", "follow")] + block.get("zip", [])
    return {key for table in tables for key in table}


def refuse_set_twice(block: Mapping[str, Any], at: Place) -> None:
    """Raise a UserError if two tables of a block set the same option."""
    tables = [(at / key, block.get(key, {})) for key in ("fixed", "cross", "follow")]
    tables += [(at / "zip" / number, one) for number, one in enumerate(block.get("zip", []))]
    seen: dict[str, Place] = {}
    for place, table in tables:
        for key in table:
            if key in seen:
                first, second = sorted((seen[key], place / key), key=lambda one: one.line)
                raise second.error(
                    f'"{key}" is set twice here, first in line {first.line}; '
                    f"allowed: in one of {', '.join(OPTION_TABLES)}"
                )
            seen[key] = place / key
