"""Specs: TOML files that declare sets of simulations (doc/adding.md of the module, "A sweep")."""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from analysis.figures import kinds
from analysis.stored import SETTING_MARK

from .errors import UserError
from .option_table import OptionTable
from .spec_follow import Follow, read_follows
from .spec_numbers import is_number
from .spec_places import Keys, Place, line_numbers, nearest
from .spec_settings import Setting, cross, read_crossed, refuse_same_names
from .spec_values import Value, known, read_fixed, read_values, refuse_twice, second_of_a_kind

MOST_PLANNED = 1_000_000
"""Simulations of one file: more are a slip of the pen, and would fill the memory first."""

_FILE_KEYS = ("title", "figure", "fixed", "setting", "block")
_SETTING_KEYS = ("name", "crossed", "fixed", "follow")
_OPTION_TABLES = ("fixed", "cross", "zip", "follow")
_BLOCK_KEYS = ("label", "engine", "replications", "until", "first-run", *_OPTION_TABLES)
_UNTIL_KEYS = ("half-width", "most")
_ELSEWHERE = {
    "engine": 'engine = "..." of [[block]], above its tables',
    "run": "replications and first-run of [[block]], above its tables",
}
"""Options that a spec names in a way of its own."""

_LARGEST_RUN = 2**63 - 1
_NOTHING: Mapping[str, tuple[Any, Place]] = {}
_SYNTAX = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")


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
class Spec:
    """A set of simulations.

    Attributes:
        name: the file's, without its ending.
        title: what the simulations show.
        figure: the kind of figure it is drawn as (`analysis.figures.kinds`), None for none.
        path: the file.
        planned: the simulations, in the order of the file; runs change fastest.
    """

    name: str
    title: str
    figure: str | None
    path: Path
    planned: tuple[Planned, ...]


@dataclass(frozen=True)
class _Axis:
    """Options that are swept together: of each, as many values as of the others."""

    values: Mapping[str, list[Value]]

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    def points(self) -> list[dict[str, Value]]:
        rows = zip(*self.values.values(), strict=True)
        return [dict(zip(self.values, row, strict=True)) for row in rows]


@dataclass(frozen=True)
class _Block:
    """One block, checked but not yet multiplied out."""

    label: str
    engines: list[str]
    runs: range
    until: Until | None
    fixed: Mapping[str, Value]
    axes: list[_Axis]
    follows: list[Follow]

    def __len__(self) -> int:
        sizes = (len(axis) for axis in self.axes)
        return math.prod(sizes) * max(1, len(self.engines)) * len(self.runs)

    def planned(self) -> Iterator[Planned]:
        engines = [{"engine": engine} for engine in self.engines] or [{}]
        for engine, *point in itertools.product(engines, *(axis.points() for axis in self.axes)):
            line = {**engine, **self.fixed}
            for values in point:
                line.update(values)
            for follow in self.follows:
                line[follow.option.name] = follow.value(line)
            for run in self.runs:
                yield Planned(self.label, {**line, "run": str(run)}, self.until)


@dataclass(frozen=True)
class Changes:
    """What is to be otherwise than a spec says.

    Attributes:
        engine: of the blocks that name none; None: the program's default.
        fixed: options of the whole file; what a block sets itself stays.
        crossed: every combination of the settings that say so, instead of each setting.
    """

    engine: str | None = None
    fixed: Mapping[str, Value] = field(default_factory=dict)
    crossed: bool = False


AS_WRITTEN = Changes()


def load_spec(path: Path, table: OptionTable, changes: Changes = AS_WRITTEN) -> Spec:
    """Read a spec and return the simulations it declares.

    Values are checked as far as the table of options tells; what only the program knows (a unit, a
    range with units, what an engine cannot do) it says itself, with ``--resolve``.

    Args:
        path: the file.
        table: of the program that is to run them.
        changes: what is to be otherwise.

    Raises:
        UserError: anything is wrong in it, as ``FILE:LINE: what``.
    """
    data, at = _parse(path)
    for key in data:
        if key not in _FILE_KEYS:
            raise _misplaced(table, at / key, _FILE_KEYS)
    title = _one_line(data, "title", at)
    figure = _figure(data, at)
    fixed = {**_fixed(table, data, at), **changes.fixed}
    blocks = data.get("block", [])
    if not isinstance(blocks, list) or not blocks or not all(isinstance(b, dict) for b in blocks):
        raise (at / "block").error('"block" is missing or empty; allowed: one [[block]] or more')
    plain = [_read_block(table, block, fixed, at / "block" / i) for i, block in enumerate(blocks)]
    _refuse_same_labels(plain, at / "block")
    read = plain
    if "setting" in data or changes.crossed:
        settings = _settings(table, data.get("setting", []), at / "setting")
        chosen = cross(settings, at / "setting") if changes.crossed else settings
        read = [
            _under(table, setting, block, fixed, at / "block" / i)
            for setting in chosen
            for i, block in enumerate(blocks)
        ]
    if changes.engine is not None:
        read = [replace(one, engines=one.engines or [changes.engine]) for one in read]
    total = sum(map(len, read))
    if total > MOST_PLANNED:
        raise at.error(f"these are {total} simulations; allowed: at most {MOST_PLANNED}")
    planned = itertools.chain.from_iterable(block.planned() for block in read)
    name = f"{path.stem}-crossed" if changes.crossed else path.stem
    return Spec(name, title, figure, path, tuple(planned))


def _parse(path: Path) -> tuple[dict[str, Any], Place]:
    """Return what a file holds, and the place of its top."""
    try:
        # As the reader of TOML has it.
        text = path.read_bytes().decode().replace("\r\n", "\n")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: is not UTF-8") from None
    try:
        data = tomllib.loads(text, parse_float=Decimal)
        lines: Mapping[Keys, int] = line_numbers(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, str(error)) from None
    except (RecursionError, ArithmeticError, ValueError):
        raise UserError(f"{path}: is nested too deep, or has a number that is none") from None
    return data, Place(path, lines)


def _syntax_error(path: Path, text: str, said: str) -> UserError:
    found = _SYNTAX.fullmatch(said)
    line = (found and found["line"]) or max(1, len(text.splitlines()))
    return UserError(f"{path}:{line}: is no TOML: {found['what'] if found else said}")


def _misplaced(table: OptionTable, at: Place, allowed: Iterable[str]) -> UserError:
    """Return the error for a key that is none of the spec's own words allowed here."""
    if at.name in table and at.name not in _ELSEWHERE:
        return at.error(
            f'"{at.name}" is an option; allowed: in a table of options, '
            f"one of {', '.join(_OPTION_TABLES)}"
        )
    return at.unknown(allowed)


def _one_line(table: Mapping[str, Any], key: str, at: Place) -> str:
    """Return a text that has to be there."""
    if key not in table:
        raise at.error(f'"{key}" is missing; allowed: {key} = "a text"')
    value = table[key]
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise (at / key).bad(value, "a text of one line")
    return value


def _figure(table: Mapping[str, Any], at: Place) -> str | None:
    """Return the kind of figure, None if none is named."""
    if "figure" not in table:
        return None
    value = table["figure"]
    if not isinstance(value, str) or value not in kinds():
        near = nearest(value, kinds()) if isinstance(value, str) else None
        hint = f'; did you mean "{near}"?' if near else ""
        names = ", ".join(f'"{name}"' for name in kinds())
        raise (at / "figure").bad(value, names + hint)
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


def _options(table: OptionTable, holder: Mapping[str, Any], key: str, at: Place) -> dict[str, Any]:
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
            raise (at / key).error(f'"{key}" is not swept or fixed; allowed: {_ELSEWHERE[key]}')
        if key in _BLOCK_KEYS and key not in table:
            raise (at / key).error(f'"{key}" is no option; allowed: in [[block]], above its tables')
        known(table, at / key)


def _fixed(table: OptionTable, holder: Mapping[str, Any], at: Place) -> dict[str, Value]:
    return read_fixed(table, _options(table, holder, "fixed", at), at / "fixed")


def _read_block(
    table: OptionTable,
    block: Mapping[str, Any],
    shared: Mapping[str, Value],
    at: Place,
    inherited: Mapping[str, tuple[Any, Place]] = _NOTHING,
) -> _Block:
    """Return a block.

    Args:
        table: the options.
        block: from TOML.
        shared: what the whole file, and a setting, fix.
        at: where the block is.
        inherited: what follows in the block, too, since a setting says so, each with its place.
    """
    for key in block:
        if key not in _BLOCK_KEYS:
            raise _misplaced(table, at / key, _BLOCK_KEYS)
    label = _one_line(block, "label", at)
    engines = _engines(table, block, at)
    replications = _whole(block, "replications", 1, MOST_PLANNED, at)
    until = _until(block, replications, at)
    most = replications if until is None else until.most
    first = _whole(block, "first-run", 0, _LARGEST_RUN - most, at)
    own = _fixed(table, block, at)
    axes = [*_cross(table, block, at), *_zips(table, block, at)]
    following = dict(_options(table, block, "follow", at))
    places = {key: at / "follow" / key for key in following}
    places = {**{key: place for key, (_, place) in inherited.items()}, **places}
    following = {**{key: value for key, (value, _) in inherited.items()}, **following}
    _refuse_set_twice(block, at)
    swept = [name for axis in axes for name in axis.values]
    fixed = {**shared, **own}
    others = [*(name for name in fixed if name not in following), *swept]
    follows = read_follows(table, following, others, places)
    runs = range(first, first + replications)
    return _Block(label, engines, runs, until, fixed, axes, follows)


def _settings(table: OptionTable, settings: Any, place: Place) -> list[Setting]:
    """Return the settings of a file."""
    if not isinstance(settings, list) or not all(isinstance(one, dict) for one in settings):
        raise place.bad(settings, "tables, [[setting]]")
    read = []
    for number, setting in enumerate(settings):
        own = place / number
        for key in setting:
            if key not in _SETTING_KEYS:
                raise _misplaced(table, own / key, _SETTING_KEYS)
        follow = _options(table, setting, "follow", own)
        read.append(
            Setting(
                _one_line(setting, "name", own),
                _fixed(table, setting, own),
                {key: (value, own / "follow" / key) for key, value in follow.items()},
                read_crossed(setting, own),
            )
        )
    refuse_same_names(read, place)
    return read


def _under(
    table: OptionTable,
    setting: Setting,
    block: Mapping[str, Any],
    shared: Mapping[str, Value],
    at: Place,
) -> _Block:
    """Return a block under a setting, whose name comes before the block's label."""
    made = _read_block(table, block, {**shared, **setting.fixed}, at, setting.follow)
    return replace(made, label=f"{setting.name}{SETTING_MARK}{made.label}")


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


def _cross(table: OptionTable, block: Mapping[str, Any], at: Place) -> list[_Axis]:
    axes = []
    for key, value in _options(table, block, "cross", at).items():
        place = at / "cross" / key
        values = read_values(table[key], value, place)
        refuse_twice(values, place)
        axes.append(_Axis({key: values}))
    return axes


def _zips(table: OptionTable, block: Mapping[str, Any], at: Place) -> list[_Axis]:
    tables = block.get("zip", [])
    if not isinstance(tables, list) or not all(isinstance(one, dict) for one in tables):
        raise (at / "zip").bad(tables, "tables of options, [[block.zip]]")
    return [_zip(table, one, at / "zip" / number) for number, one in enumerate(tables)]


def _zip(table: OptionTable, columns: Mapping[str, Any], at: Place) -> _Axis:
    if not columns:
        raise at.error('"zip" is empty; allowed: one option or more, with a list each')
    _check_names(table, columns, at)
    values = {key: read_values(table[key], columns[key], at / key) for key in columns}
    first = next(iter(values))
    for key, column in values.items():
        if len(column) != len(values[first]):
            raise (at / key).error(
                f'"{key}" has {len(column)} values, "{first}" beside it {len(values[first])}; '
                "allowed: as many of each option of a zip"
            )
    second = second_of_a_kind(zip(*values.values(), strict=True))
    if second is not None:
        raise (at / first / second).error(
            f"the values at place {second + 1} of this zip come twice; allowed: once"
        )
    return _Axis(values)


def _refuse_set_twice(block: Mapping[str, Any], at: Place) -> None:
    """Raise a UserError if two tables of a block set the same option."""
    tables = [(at / key, block.get(key, {})) for key in ("fixed", "cross", "follow")]
    tables += [(at / "zip" / number, one) for number, one in enumerate(block.get("zip", []))]
    seen: dict[str, Place] = {}
    for place, table in tables:
        for key in table:
            if key in seen:
                first, second = sorted((seen[key], place / key), key=lambda one: one.line)
                raise second.error(
                    f'"{key}" is set twice in this block, first in line {first.line}; '
                    f"allowed: in one of {', '.join(_OPTION_TABLES)}"
                )
            seen[key] = place / key


def _refuse_same_labels(blocks: list[_Block], at: Place) -> None:
    second = second_of_a_kind(block.label for block in blocks)
    if second is not None:
        raise (at / second / "label").error(
            f'"label": "{blocks[second].label}" is that of an earlier block; allowed: each once'
        )
