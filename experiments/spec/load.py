"""Specs: TOML files that declare sets of simulations (doc/adding.md of the module, "A sweep")."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from analysis.papers import name_of
from analysis.read.stored import SETTING_MARK

from ..errors import UserError
from ..programs.option_table import OptionTable
from ..text_files import read_text_file
from .blocks import (
    MOST_PLANNED,
    Block,
    Planned,
    Shared,
    misplaced,
    one_line,
    read_block,
    read_cross,
    read_fixed_table,
    read_options,
    refuse_set_twice,
    set_in,
)
from .matrix import read_matrix
from .places import Keys, Place, line_numbers, nearest
from .settings import Setting, cross, read_crossed, refuse_same_names
from .values import Value, second_of_a_kind

_FILE_KEYS = ("title", "figure", "fixed", "cross", "setting", "block", "profile")
_SETTING_KEYS = ("name", "crossed", "fixed", "follow")

_SYNTAX = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")


@dataclass(frozen=True)
class Spec:
    """A set of simulations.

    Attributes:
        name: the file's, without its ending; before it that of the paper whose it is.
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
class Changes:
    """What is to be otherwise than a spec says.

    Attributes:
        engine: of the blocks that name none; None: the program's default.
        fixed: options where the spec sets none itself.
        crossed: every combination of the settings that say so, instead of each setting.
        profiled: the matrix of a profile, where the file has no blocks of its own.
    """

    engine: str | None = None
    fixed: Mapping[str, Value] = field(default_factory=dict)
    crossed: bool = False
    profiled: bool = False


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
            raise misplaced(table, at / key, _FILE_KEYS)
    title = one_line(data, "title", at)
    figure = _figure(data, at, name_of(path))
    fixed = {**changes.fixed, **read_fixed_table(table, data, at)}
    refuse_set_twice(data, at)
    shared = Shared(fixed, read_cross(table, data, at))
    if "profile" in data:
        _check_profile(data, changes, at)
    if changes.profiled and "block" not in data:
        read = [read_matrix(table, data.get("profile", {}), shared, at / "profile")]
    else:
        read = _read_blocks(table, data, shared, changes, at)
    total = sum(map(len, read))
    if total > MOST_PLANNED:
        raise at.error(f"the spec declares {total} simulations; allowed: at most {MOST_PLANNED}")
    planned = itertools.chain.from_iterable(block.planned() for block in read)
    name = name_of(path)
    name = f"{name}-crossed" if changes.crossed else name
    return Spec(name, title, figure, path, tuple(planned))


def _check_profile(data: Mapping[str, Any], changes: Changes, at: Place) -> None:
    """Raise a UserError if there is no use for the table [profile] of a file."""
    if not changes.profiled:
        raise (at / "profile").error(
            '"profile" is the matrix of ./gridftp profile; allowed here: [[block]] tables'
        )
    if "block" in data:
        raise (at / "profile").error(
            '"profile" and "block" exclude each other; allowed: one of them, as the transfers '
            "of [[block]] tables are profiled as they are"
        )


def _read_blocks(
    table: OptionTable, data: Mapping[str, Any], shared: Shared, changes: Changes, at: Place
) -> list[Block]:
    """Return the blocks of a file, under each of its settings."""
    blocks = data.get("block", [])
    if not isinstance(blocks, list) or not blocks or not all(isinstance(b, dict) for b in blocks):
        raise (at / "block").error('"block" is missing or empty; allowed: one [[block]] or more')
    plain = [read_block(table, block, shared, at / "block" / i) for i, block in enumerate(blocks)]
    _refuse_same_labels(plain, at / "block")
    read = plain
    if "setting" in data or changes.crossed:
        settings = _settings(table, data.get("setting", []), at / "setting")
        chosen = cross(settings, at / "setting") if changes.crossed else settings
        read = [
            _under(table, setting, block, shared, at / "block" / i)
            for setting in chosen
            for i, block in enumerate(blocks)
        ]
    if changes.engine is not None:
        read = [replace(one, engines=one.engines or [changes.engine]) for one in read]
    return read


def _parse(path: Path) -> tuple[dict[str, Any], Place]:
    """Return what a file holds, and the place of its top."""
    text = read_text_file(path, "TOML, in UTF-8")
    try:
        data = tomllib.loads(text, parse_float=Decimal)
        lines: Mapping[Keys, int] = line_numbers(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, str(error)) from None
    except (RecursionError, ArithmeticError, ValueError):
        raise UserError(
            f"{path}: is nested too deeply, or has an invalid number; allowed: TOML"
        ) from None
    return data, Place(path, lines)


def _syntax_error(path: Path, text: str, said: str) -> UserError:
    found = _SYNTAX.fullmatch(said)
    line = (found and found["line"]) or max(1, len(text.splitlines()))
    return UserError(f"{path}:{line}: is not valid TOML: {found['what'] if found else said}")


def _figure(table: Mapping[str, Any], at: Place, sweep: str) -> str | None:
    """Return the kind of figure, None if none is named."""
    if "figure" not in table:
        return None
    from analysis.figures import kinds  # loads the drawing library: a second

    value, known = table["figure"], kinds(sweep)
    if not isinstance(value, str) or value not in known:
        near = nearest(value, known) if isinstance(value, str) else None
        hint = f'; did you mean "{near}"?' if near else ""
        names = ", ".join(f'"{name}"' for name in known)
        raise (at / "figure").bad(value, names + hint)
    return value


def _settings(table: OptionTable, settings: Any, place: Place) -> list[Setting]:
    """Return the settings of a file."""
    if not isinstance(settings, list) or not all(isinstance(one, dict) for one in settings):
        raise place.bad(settings, "tables, [[setting]]")
    read = []
    for number, setting in enumerate(settings):
        own = place / number
        for key in setting:
            if key not in _SETTING_KEYS:
                raise misplaced(table, own / key, _SETTING_KEYS)
        follow = read_options(table, setting, "follow", own)
        read.append(
            Setting(
                one_line(setting, "name", own),
                read_fixed_table(table, setting, own),
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
    shared: Shared,
    at: Place,
) -> Block:
    """Return a block under a setting, whose name comes before the block's label."""
    # The setting comes before what the file sweeps, and after what the block says itself.
    follow = {key: it for key, it in setting.follow.items() if key not in set_in(block)}
    axes = shared.axes_beside(setting.options())
    own = Shared({**shared.fixed, **setting.fixed}, axes, follow)
    made = read_block(table, block, own, at)
    return replace(made, label=f"{setting.name}{SETTING_MARK}{made.label}")


def _refuse_same_labels(blocks: list[Block], at: Place) -> None:
    second = second_of_a_kind(block.label for block in blocks)
    if second is not None:
        raise (at / second / "label").error(
            f'"label": an earlier block has "{blocks[second].label}", too; allowed: each label once'
        )
