"""The conditions that a paper makes its claims under: ``[conditions]`` of its ``claims.toml``.

A condition is a key of the resolved scenario and the value, number or word, that the paper's words
stand for; or a list of values, each of which fits them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

from ..papers import Paper


def conditions_of(paper: Paper) -> Mapping[str, tuple[Any, ...]]:
    """Return the values that fit the paper's words, by the scenario's key; the likeliest first."""
    data = paper.toml("claims.toml").get("conditions", {})
    return {key: allowed(value) for key, value in data.items()}


def allowed(value: Any) -> tuple[Any, ...]:
    """Return the values of a condition, which is one of them or a list."""
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def fits(value: Any, wanted: Any) -> bool:
    """Return whether a scenario's value is as a condition says: one of several, if it is a list."""
    return any(_same(value, one) for one in allowed(wanted))


def _same(value: Any, wanted: Any) -> bool:
    # True is no 1: a switch and a number are never the same.
    if any(isinstance(one, bool) or not isinstance(one, Real) for one in (value, wanted)):
        return type(value) is type(wanted) and value == wanted
    return math.isclose(value, wanted)


def departures(conditions: Mapping[str, Any], scenarios: Iterable[Mapping[str, Any]]) -> str:
    """Return how scenarios depart from the conditions, each way once; "" where they do not."""
    every = list(scenarios)
    found = {
        f"{key} is {told(scenario.get(key))} instead of {told(allowed(wanted)[0])}": None
        for key, wanted in conditions.items()
        for scenario in every
        if not fits(scenario.get(key), wanted)
    }
    return ", ".join(found)


def told(value: Any) -> str:
    """Return a scenario's value for readers."""
    if value is None:
        return "unknown"
    number = isinstance(value, Real) and not isinstance(value, bool)
    return f"{value:.12g}" if number else str(value)
