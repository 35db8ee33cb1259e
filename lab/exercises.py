"""The exercise at the end of a lesson: options to be found, a number, or a choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .lesson_keys import Keys, Scenario
from .lesson_text import render_line
from .measures import BOUND_KEYS, CONDITION_KEYS, MEASURE_KEYS, Condition, Evidence, read_condition
from .predictions import Choices, Number, read_choices, read_number, scenarios_of

_GOAL_KEYS = ("text", "unit", "per-unit", *(key for key in CONDITION_KEYS if key != "scenario"))
_FIELD_KEYS = ("unit", "per-unit", "minimum", "maximum", "near")
_SESSION_LISTS = ("sessions", "background")


@dataclass(frozen=True)
class Goal:
    """A part of what is to be reached.

    Attributes:
        text: the same in words, as HTML.
        unit: of the value as the page shows it; None: it is not shown.
        per_unit: what one of it is in the measure's own.
        condition: what must hold.
    """

    text: str
    unit: str | None
    per_unit: float
    condition: Condition

    def as_json(self) -> dict[str, Any]:
        """Return it for the page."""
        words = {"text": self.text, "unit": self.unit, "perUnit": self.per_unit}
        return {**words, "condition": self.condition.as_json()}


@dataclass(frozen=True)
class Find:
    """Options to be found with which a goal is reached.

    Attributes:
        start: the scenario that it begins with, complete.
        change: the options that may be changed.
        solution: options with which the goal is reached.
        goal: what must hold; written here for the start.
        reached: the same for the solution.
    """

    start: Scenario
    change: tuple[str, ...]
    solution: Mapping[str, str]
    goal: tuple[Goal, ...]
    reached: tuple[Goal, ...]

    def solved_at_start(self, evidence: Evidence) -> bool:
        """Return whether there is nothing to be found."""
        return all(one.condition.holds(evidence) for one in self.goal)

    def solution_holds(self, evidence: Evidence) -> bool:
        """Return whether the solution is one."""
        return all(one.condition.holds(evidence) for one in self.reached)

    def scenarios(self) -> list[Scenario]:
        """Return what is simulated for it."""
        return scenarios_of([one.condition for one in (*self.goal, *self.reached)])

    def as_json(self) -> dict[str, Any]:
        """Return it for the page."""
        goal = [one.as_json() for one in self.goal]
        words = {"change": self.change, "solution": self.solution}
        return {"kind": "find", "scenario": self.start, **words, "goal": goal}


@dataclass(frozen=True)
class Exercise:
    """An exercise.

    Attributes:
        task: what is asked.
        start: the scenario it is about, complete.
        help: texts as HTML, one after each wrong answer.
    """

    task: Find | Number | Choices
    start: Scenario
    help: tuple[str, ...]

    def scenarios(self) -> list[Scenario]:
        """Return what is simulated for it."""
        return [self.start, *self.task.scenarios()]

    def as_json(self) -> dict[str, Any]:
        """Return it for the page."""
        return {**self.task.as_json(), "scenario": self.start, "help": self.help}


def read_exercise(keys: Keys, scenario: Scenario) -> Exercise:
    """Read `[exercise]` of a lesson with that scenario."""
    kind = keys.one_of("kind", ("find", "number", "choice"))
    start = {**scenario, **keys.scenario("scenario")}
    if kind == "find":
        keys.only("kind", "scenario", "help", "change", "goal", "solution")
        task = _read_find(keys, start)
    elif kind == "number":
        keys.only("kind", "help", *_FIELD_KEYS, *MEASURE_KEYS, "ratio-to")
        task = read_number(keys, start)
    else:
        keys.only("kind", "scenario", "help", "choice")
        task = read_choices(keys, start)
    return Exercise(task, start, tuple(render_line(text) for text in keys.texts("help")))


def _read_find(keys: Keys, start: Scenario) -> Find:
    change = keys.texts("change")
    solution = keys.scenario("solution")
    for option in solution:
        if option not in change or option in _SESSION_LISTS:
            raise (keys.at / "solution" / option).unknown(change)
    goals = [one.only(*_GOAL_KEYS) for one in keys.tables("goal")]
    if not goals or not solution:
        key = "solution" if goals else "goal"
        raise (keys.at / key).error(f'"{key}" is missing or empty; it has {", ".join(BOUND_KEYS)}')
    solved = {**start, **solution}
    return Find(
        start,
        tuple(change),
        solution,
        tuple(_read_goal(one, start) for one in goals),
        tuple(_read_goal(one, solved) for one in goals),
    )


def _read_goal(keys: Keys, scenario: Scenario) -> Goal:
    text = render_line(keys.text("text"))
    unit = keys.text("unit", default=None)
    per_unit = keys.number("per-unit", 1e-12, default=1)
    return Goal(text, unit, per_unit, read_condition(keys, scenario))
