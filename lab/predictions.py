"""What a lesson asks: a choice, a number, or a curve to be drawn by hand."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .lesson_keys import Keys, Scenario
from .lesson_text import render_line
from .measures import (
    CONDITION_KEYS,
    MEASURE_KEYS,
    Condition,
    Evidence,
    Measure,
    read_condition,
    read_measure,
    read_quantity,
)

TIME = "time"
"""What a curve may be drawn over besides an option."""

_TIME_WORDS = ("cwnd-at", "queue-at")
_QUANTITY_KEYS = (*MEASURE_KEYS, "ratio-to")
_FIELD_KEYS = ("kind", "unit", "per-unit", "minimum", "maximum", "near")
_CURVE_KEYS = (
    "kind", "over", "at", "scenario", "measure", "trace", "label-x", "label-y", "unit", "per-unit",
    "maximum", "near",
)  # fmt: skip
_OPTION_VALUE = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>[A-Za-z/]*)")


@dataclass(frozen=True)
class Choice:
    """One of the answers to choose from.

    Attributes:
        text: as HTML.
        right: whether the lesson's author takes it for the right one.
        when: what holds if it is the right one.
    """

    text: str
    right: bool
    when: tuple[Condition, ...]

    def holds(self, evidence: Evidence) -> bool:
        """Return whether it is the right one by what the engine gives."""
        return all(condition.holds(evidence) for condition in self.when)


@dataclass(frozen=True)
class Choices:
    """A question with answers to choose from."""

    choices: tuple[Choice, ...]

    def scenarios(self) -> list[Scenario]:
        """Return what is simulated for it."""
        return [scenario for one in self.choices for scenario in scenarios_of(one.when)]

    def as_json(self) -> dict[str, Any]:
        """Return it for the page, which asks the engine which one is right."""
        choices = [
            {"text": one.text, "when": [condition.as_json() for condition in one.when]}
            for one in self.choices
        ]
        return {"kind": "choice", "choices": choices}


@dataclass(frozen=True)
class Number:
    """A question for a number.

    Attributes:
        quantity: what the right one is in the engine, in the measure's own unit.
        unit: of what the reader writes.
        per_unit: what one of it is in the measure's own.
        minimum, maximum: what the field takes, in the unit.
        near: the share of the right one that an answer may be away.
    """

    quantity: Condition
    unit: str
    per_unit: float
    minimum: float
    maximum: float
    near: float

    def right(self, evidence: Evidence) -> float:
        """Return the right answer, in the unit."""
        return self.quantity.value(evidence) / self.per_unit

    def accepts(self, answer: float, evidence: Evidence) -> bool:
        """Return whether an answer, in the unit, is near enough."""
        right = self.right(evidence)
        return abs(answer - right) <= self.near * abs(right)

    def scenarios(self) -> list[Scenario]:
        """Return what is simulated for it."""
        return scenarios_of([self.quantity])

    def as_json(self) -> dict[str, Any]:
        """Return it for the page."""
        words = ("unit", "minimum", "maximum", "near")
        fields = {word: getattr(self, word) for word in words}
        quantity = self.quantity.as_json()
        return {"kind": "number", **fields, "perUnit": self.per_unit, "quantity": quantity}


@dataclass(frozen=True)
class Curve:
    """A curve to be drawn.

    Attributes:
        over: the option along the x axis, or "time".
        at: its texts there; for time the seconds, as texts.
        x: the same as numbers.
        measures: what the right one is, at each.
        label_x, label_y, unit, maximum: of the axes; `per_unit` and `near` are as for `Number`.
    """

    over: str
    at: tuple[str, ...]
    x: tuple[float, ...]
    measures: tuple[Measure, ...]
    label_x: str
    label_y: str
    unit: str
    per_unit: float
    maximum: float
    near: float

    def right(self, evidence: Evidence) -> list[float]:
        """Return the right curve, in the unit."""
        return [measure.value(evidence) / self.per_unit for measure in self.measures]

    def scenarios(self) -> list[Scenario]:
        """Return what is simulated for it."""
        return [measure.scenario for measure in self.measures]

    def as_json(self) -> dict[str, Any]:
        """Return it for the page."""
        words = ("over", "at", "x", "unit", "maximum", "near")
        fields = {word: getattr(self, word) for word in words}
        names = {"labelX": self.label_x, "labelY": self.label_y, "perUnit": self.per_unit}
        measures = [measure.as_json() for measure in self.measures]
        return {"kind": "curve", **fields, **names, "measures": measures}


Prediction = Choices | Number | Curve


def scenarios_of(conditions: Sequence[Condition]) -> list[Scenario]:
    """Return what is simulated for conditions."""
    both = [(condition.measure, condition.ratio_to) for condition in conditions]
    return [measure.scenario for pair in both for measure in pair if measure is not None]


def read_prediction(keys: Keys, scenario: Scenario) -> Prediction:
    """Read `[prediction]` of a lesson with that scenario."""
    kind = keys.one_of("kind", ("choice", "number", "curve"))
    if kind == "choice":
        keys.only("kind", "choice")
        return read_choices(keys, scenario)
    if kind == "number":
        keys.only(*_FIELD_KEYS, *_QUANTITY_KEYS)
        return read_number(keys, scenario)
    return _read_curve(keys.only(*_CURVE_KEYS), scenario)


def read_choices(keys: Keys, scenario: Scenario) -> Choices:
    """Read the answers to choose from, of which one is marked as right."""
    choices = tuple(_read_choice(one, scenario) for one in keys.tables("choice"))
    if len(choices) < 2 or sum(choice.right for choice in choices) != 1:
        allowed = "two or more, one of them with right = true"
        raise (keys.at / "choice").error(f'"choice": {len(choices)} of them; allowed: {allowed}')
    return Choices(choices)


def _read_choice(keys: Keys, scenario: Scenario) -> Choice:
    keys.only("text", "right", "when")
    when = tuple(read_condition(one.only(*CONDITION_KEYS), scenario) for one in keys.tables("when"))
    if not when:
        raise (keys.at / "when").error('"when" is missing or empty; allowed: conditions')
    return Choice(render_line(keys.text("text")), keys.flag("right"), when)


def read_number(keys: Keys, scenario: Scenario) -> Number:
    """Read a question for a number, whose keys are known already."""
    minimum = keys.number("minimum")
    return Number(
        quantity=read_quantity(keys, scenario),
        unit=keys.text("unit"),
        per_unit=keys.number("per-unit", 1e-12, default=1),
        minimum=minimum,
        maximum=keys.number("maximum", minimum),
        near=keys.number("near", 0, 1),
    )


def _read_curve(keys: Keys, scenario: Scenario) -> Curve:
    over = keys.text("over")
    base = {**scenario, **keys.scenario("scenario")}
    plain = Keys({k: v for k, v in keys.data.items() if k in ("measure", "trace")}, keys.at)
    if over == TIME:
        plain.one_of("trace", _TIME_WORDS)
        x = keys.numbers("at")
        at = [f"{value:g}" for value in x]
        measures = [read_measure(plain, base, value) for value in x]
    else:
        at = keys.texts("at")
        x = _option_values(keys, at)
        measures = [read_measure(plain, {**base, over: text}) for text in at]
    if any(after <= before for before, after in itertools.pairwise(x)):
        raise (keys.at / "at").error('"at": every value must be above the one before')
    return Curve(
        over=over,
        at=tuple(at),
        x=tuple(x),
        measures=tuple(measures),
        label_x=keys.text("label-x"),
        label_y=keys.text("label-y"),
        unit=keys.text("unit"),
        per_unit=keys.number("per-unit", 1e-12, default=1),
        maximum=keys.number("maximum", 1e-12),
        near=keys.number("near", 0, 1),
    )


def _option_values(keys: Keys, texts: Sequence[str]) -> list[float]:
    """Return option texts as numbers, for the axis."""
    found = [_OPTION_VALUE.fullmatch(text) for text in texts]
    if not all(found) or len({one["unit"] for one in found}) > 1 or len(found) < 2:
        allowed = "two or more numbers as texts, with one unit or none"
        raise (keys.at / "at").error(f'"at": {", ".join(texts)} is not allowed; allowed: {allowed}')
    return [float(one["number"]) for one in found]
