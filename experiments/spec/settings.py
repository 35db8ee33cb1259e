"""Settings of a spec: what every block is simulated under, one after the other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from analysis.read.stored import TOGETHER

from ..errors import UserError
from .places import Place
from .values import Value, second_of_a_kind

MOST_CROSSED = 16
"""Settings that are combined with each other: twice as many simulations with each more."""

UNCHANGED = "as shipped"
"""Name of the combination of none."""


@dataclass(frozen=True)
class Setting:
    """Options that all blocks get.

    Attributes:
        name: of the setting, which comes before the blocks' labels.
        fixed: options with one value; a block's own come first.
        follow: options that follow from others, not yet read, each with its place.
        crossed: whether it is combined with the others that are.
    """

    name: str
    fixed: Mapping[str, Value] = field(default_factory=dict)
    follow: Mapping[str, tuple[Any, Place]] = field(default_factory=dict)
    crossed: bool = False

    def options(self) -> set[str]:
        """Return the names of the options it sets."""
        return {*self.fixed, *self.follow}


def read_crossed(table: Mapping[str, Any], at: Place) -> bool:
    """Return whether a setting is to be combined with others."""
    value = table.get("crossed", False)
    if not isinstance(value, bool):
        raise (at / "crossed").bad(value, "true or false")
    return value


def refuse_same_names(settings: list[Setting], at: Place) -> None:
    """Raise a UserError if two settings have one name."""
    second = second_of_a_kind(setting.name for setting in settings)
    if second is not None:
        raise (at / second / "name").error(
            f'"name": an earlier setting has "{settings[second].name}", too; allowed: each name '
            "once"
        )


def cross(settings: Iterable[Setting], at: Place) -> list[Setting]:
    """Return every combination of those settings that are crossed, the one of none first.

    Two that set the same option are alternatives, and are not combined.

    Raises:
        UserError: there are none of them, or too many.
    """
    chosen = [setting for setting in settings if setting.crossed]
    if not chosen:
        raise at.error("no [[setting]] has crossed = true; allowed: at least one")
    if len(chosen) > MOST_CROSSED:
        raise UserError(
            f"{at.path}: {len(chosen)} settings have crossed = true; allowed: at most "
            f"{MOST_CROSSED}"
        )
    subsets = itertools.chain.from_iterable(
        itertools.combinations(chosen, count) for count in range(len(chosen) + 1)
    )
    return [_together(some) for some in subsets if _compatible(some)]


def _compatible(some: tuple[Setting, ...]) -> bool:
    return sum(len(one.options()) for one in some) == len(set().union(*(o.options() for o in some)))


def _together(some: tuple[Setting, ...]) -> Setting:
    return Setting(
        TOGETHER.join(setting.name for setting in some) or UNCHANGED,
        {key: value for setting in some for key, value in setting.fixed.items()},
        {key: value for setting in some for key, value in setting.follow.items()},
    )
