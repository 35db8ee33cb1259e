"""Measures and conditions: what a lesson may say of a simulation, and whether it is so.

The words for them stand in the docstring of `lab.lessons`. `lab/page/lessons/lesson-measures.js`
works them out in the page by the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from experiments.errors import UserError

from .lesson_keys import Keys, Scenario
from .traces import GAP_S, WORDS, Traces, Window

MEASURE_KEYS = ("measure", "trace", "from", "to", "at", "gap", "session", "connection", "scenario")
BOUND_KEYS = ("between", "equals", "above", "below")
CONDITION_KEYS = (*MEASURE_KEYS, "ratio-to", *BOUND_KEYS)

MOMENT = "-at"
"""Ends the words of traces that are about one moment."""

_PATH = re.compile(
    r"(?:(?P<of>[a-z]+) )?(?P<path>(?:scenario|sessions|background|links)(?:\.(?:\w+|\*))+)"
)


class Evidence(Protocol):
    """Who simulates."""

    def result(self, scenario: Scenario) -> Mapping[str, Any]:
        """Return the result of `run --json`."""

    def traces(self, scenario: Scenario) -> Traces:
        """Return the traces of `run --trace`."""


def changes(values: list[Any]) -> list[Any]:
    """Return the values without those equal to the one before."""
    return [value for place, value in enumerate(values) if place == 0 or value != values[place - 1]]


AGGREGATES: dict[str, Callable[[list[Any]], Any]] = {
    "max": max,
    "min": min,
    "mean": lambda values: sum(values) / len(values),
    "sum": sum,
    "count": len,
    "list": list,
    "changes": changes,
}


def look_up(result: Mapping[str, Any], measure: str) -> Any:
    """Return what a measure's text stands for in a result.

    Args:
        result: the object of `run --json`.
        measure: paths with " + " between them, each with an aggregate before it if it has a "*".

    Raises:
        UserError: there is no such thing in the result, or nothing to aggregate.
    """
    terms = [_term(result, text) for text in measure.split(" + ")]
    if len(terms) == 1:
        return terms[0]
    return sum(terms)


def _term(result: Mapping[str, Any], text: str) -> Any:
    found = _PATH.fullmatch(text)
    values = _follow(result, found["path"].split("."), text)
    if found["of"] is None:
        return values[0]
    if not values:
        raise UserError(f'"{text}" has no values: the result is empty there')
    return AGGREGATES[found["of"]](values)


def _follow(value: Any, parts: list[str], text: str) -> list[Any]:
    """Return what is found along a path: more than one thing where it has a "*"."""
    for place, part in enumerate(parts):
        if part == "*" and isinstance(value, list):
            return [one for item in value for one in _follow(item, parts[place + 1 :], text)]
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, TypeError, ValueError):
            raise UserError(f'"{text}" is not in the result: there is no "{part}"') from None
    return [value]


@dataclass(frozen=True)
class Measure:
    """Something that can be measured in a simulation.

    Attributes:
        text: a path into the result, or a word of `lab.traces.WORDS`.
        window: what of the traces is meant; None: `text` is a path.
        scenario: what is simulated for it, complete.
    """

    text: str
    window: Window | None
    scenario: Scenario

    def value(self, evidence: Evidence) -> Any:
        """Return what comes out.

        Raises:
            UserError: the result has no such thing.
        """
        if self.window is None:
            return look_up(evidence.result(self.scenario), self.text)
        return float(WORDS[self.text](evidence.traces(self.scenario), self.window))

    def as_json(self) -> dict[str, Any]:
        """Return it for the page."""
        if self.window is None:
            return {"measure": self.text, "scenario": self.scenario}
        return {"trace": self.text, "window": vars(self.window), "scenario": self.scenario}


def read_measure(keys: Keys, base: Scenario, moment: float | None = None) -> Measure:
    """Read the keys of a measure.

    Args:
        keys: the table that has them.
        base: the scenario where `scenario` says nothing else.
        moment: for a word that ends in "-at", instead of the key `at`.
    """
    scenario = {**base, **keys.scenario("scenario")}
    if "trace" not in keys:
        for key in ("from", "to", "at", "gap", "session", "connection"):
            if key in keys:
                raise (keys.at / key).error(f'"{key}" goes with "trace" only')
        return Measure(_path(keys), None, scenario)
    if "measure" in keys:
        raise (keys.at / "measure").error('"measure" and "trace": one of them only')
    word = keys.one_of("trace", list(WORDS))
    if word.endswith(MOMENT):
        begin, end = 0.0, keys.number("at", 0) if moment is None else moment
    else:
        begin, end = keys.number("from", 0), keys.number("to", 0)
    only = [keys.number(key, 0, default=None) for key in ("session", "connection")]
    return Measure(word, Window(begin, end, keys.number("gap", 0, default=GAP_S), *only), scenario)


def _path(keys: Keys) -> str:
    """Return the text of `measure`, each of whose terms is well formed."""
    measure = keys.text("measure")
    for text in measure.split(" + "):
        found = _PATH.fullmatch(text)
        if not found:
            allowed = 'paths as "sessions.0.goodput_bps", with " + " between them'
            raise (keys.at / "measure").bad(text, allowed)
        of = found["of"]
        if (of is None) == ("*" in found["path"].split(".")) or (of and of not in AGGREGATES):
            allowed = f"before a path with a *, one of {', '.join(AGGREGATES)}"
            raise (keys.at / "measure").bad(text, allowed)
    return measure


@dataclass(frozen=True)
class Bounds:
    """What a value may be: from `low` to `high`, or exactly `equals`."""

    low: float | None = None
    high: float | None = None
    equals: Any = None

    def hold(self, value: Any) -> bool:
        """Return whether the value is so; null, which measures nothing, never is."""
        if self.equals is not None:
            return value == self.equals
        if value is None:
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def read_bounds(keys: Keys) -> Bounds:
    """Read the bounds of a condition: exactly one of `BOUND_KEYS`."""
    named = [key for key in BOUND_KEYS if key in keys]
    if len(named) != 1:
        raise keys.at.error(f"a condition has exactly one of {', '.join(BOUND_KEYS)}")
    if named == ["between"]:
        low, high = keys.numbers("between", 2)
        if low > high:
            raise (keys.at / "between").error(f'"between": {low:g} is above {high:g}')
        return Bounds(low, high)
    if named == ["equals"]:
        return Bounds(equals=keys.take("equals", (int, float, str, list), "a value", None))
    end = keys.number(named[0])
    return Bounds(low=end) if named == ["above"] else Bounds(high=end)


@dataclass(frozen=True)
class Condition:
    """Something that is so, or not.

    Attributes:
        measure: what is measured.
        ratio_to: what it is divided by; None: nothing.
        bounds: what may come out.
    """

    measure: Measure
    ratio_to: Measure | None
    bounds: Bounds = field(default_factory=Bounds)

    def value(self, evidence: Evidence) -> Any:
        """Return what comes out; None where it is divided by 0.

        Raises:
            UserError: a result has no such thing.
        """
        value = self.measure.value(evidence)
        if self.ratio_to is None:
            return value
        divisor = self.ratio_to.value(evidence)
        return value / divisor if divisor else None

    def holds(self, evidence: Evidence) -> bool:
        """Return whether it is so, by what `value` gives."""
        return self.bounds.hold(self.value(evidence))

    def as_json(self) -> dict[str, Any]:
        """Return it for the page."""
        ratio = {} if self.ratio_to is None else {"ratioTo": self.ratio_to.as_json()}
        bounds = {key: value for key, value in vars(self.bounds).items() if value is not None}
        return {**self.measure.as_json(), **ratio, "bounds": bounds}


def read_quantity(keys: Keys, base: Scenario) -> Condition:
    """Read a measure that may be divided by another, without bounds."""
    measure = read_measure(keys, base)
    if "ratio-to" not in keys:
        return Condition(measure, None)
    other = keys.table("ratio-to").only(*MEASURE_KEYS)
    if "measure" not in other and "trace" not in other:
        plain = {key: value for key, value in keys.data.items() if key in MEASURE_KEYS}
        other = Keys({**plain, "scenario": {}, **other.data}, other.at)
    return Condition(measure, read_measure(other, measure.scenario))


def read_condition(keys: Keys, base: Scenario) -> Condition:
    """Read a condition: a measure, what it is divided by, and bounds."""
    quantity = read_quantity(keys, base)
    return Condition(quantity.measure, quantity.ratio_to, read_bounds(keys))
