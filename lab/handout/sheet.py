"""The handout: what a lesson asks, with room to write. No answer is on it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from experiments.programs.option_table import OptionTable

from ..exercises import Exercise, Find
from ..lesson_keys import Scenario
from ..lessons import Lesson
from ..predictions import Choices, Curve, Number, Prediction
from .axes import axes
from .frame import HANDOUT, lines, page, parts_of, section, table

_TRIES = 4
"""Rows for answers to an exercise."""


def handout(lesson: Lesson, options: OptionTable) -> str:
    """Return the handout of a lesson, as HTML."""
    parts = parts_of(lesson)
    return page(
        lesson,
        HANDOUT,
        [
            section("Question", parts["question"]),
            section("Your prediction", parts["prediction"], _asked(lesson.prediction)),
            section("Watch", parts["watch"], _moments(lesson)),
            section(
                "What happened", lines(5, "Explain in your own words. Was your prediction right?")
            ),
            section("Exercise", parts["exercise"], _task(lesson.exercise, options)),
        ],
    )


def _asked(task: Prediction) -> str:
    """Return where a prediction is written down."""
    if isinstance(task, Curve):
        return axes(task)
    return _fields(task) + "\n" + lines(2, "Because")


def _fields(task: Choices | Number) -> str:
    if isinstance(task, Number):
        return f'<p>My answer: <span class="blank"></span> {escape(task.unit)}</p>'
    items = "\n".join(f"<li>{choice.text}</li>" for choice in task.choices)
    return f'<ul class="boxes">\n{items}\n</ul>'


def _moments(lesson: Lesson) -> str:
    """Return the moments at which there is something to be seen, and room for what."""
    rows = [(f"{mark.t:g} s", "") for mark in lesson.marks]
    return table(("At", "What do you see, and why?"), rows, "written") if rows else lines(4)


def _task(exercise: Exercise, options: OptionTable) -> str:
    task = exercise.task
    if isinstance(task, Find):
        return _tries(task, exercise.start, options)
    working = lines(5, "My calculation:")
    if isinstance(task, Number):
        rows = [(f"{place}", "", "") for place in range(1, _TRIES)]
        head = ("Attempt", f"My answer, {escape(task.unit)}", "Result on the bench")
        return working + table(head, rows, "written")
    return _fields(task) + working


def _tries(task: Find, start: Scenario, options: OptionTable) -> str:
    """Return a table for what was set, and what came out."""
    goals = [goal.text + (f" ({escape(goal.unit)})" if goal.unit else "") for goal in task.goal]
    head = ("Attempt", *(f"<code>{escape(name)}</code>" for name in task.change), *goals)
    begin = ("start", *(escape(_text(start, name, options)) for name in task.change))
    empty = [""] * len(goals)
    rows = [(*begin, *empty)] + [
        (f"{place}", *[""] * len(task.change), *empty) for place in range(1, _TRIES + 1)
    ]
    return table(head, rows, "written") + "\n" + lines(3, "Why it is so:")


def _text(scenario: Mapping[str, object], name: str, options: OptionTable) -> str:
    """Return an option's text in a scenario: its own or the default; none of a list."""
    text = scenario.get(name, options[name].default(scenario))
    return text if isinstance(text, str) else ""
