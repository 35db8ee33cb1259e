"""The answer sheet: the same questions with what the engine says, and where the lab shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from experiments.programs.amounts import said_rate
from experiments.programs.draft import draft_of, lab_state
from experiments.programs.option_table import OptionTable

from ..exercises import Exercise, Find
from ..lesson_keys import Scenario
from ..lessons import Lesson
from ..measures import MOMENT, Evidence, Measure
from ..predictions import Choices, Curve, Number, Prediction
from .axes import axes
from .frame import ANSWERS, LAB, link, page, parts_of, section, table

_DIGITS = 4
"""Of a number whose lesson does not say how it is to be told."""


@dataclass(frozen=True)
class Source:
    """What answers are taken from.

    Attributes:
        options: the table of the program's options.
        evidence: who simulates.
    """

    options: OptionTable
    evidence: Evidence


def answers(lesson: Lesson, source: Source) -> str:
    """Return the answer sheet of a lesson, as HTML.

    Raises:
        UserError: the engine refuses a scenario of the lesson, or has no such measure.
        ProgramError: it does not answer.
    """
    parts = parts_of(lesson)
    marks = [(_at(lesson, mark.t, source), mark.text) for mark in lesson.marks]
    return page(
        lesson,
        ANSWERS,
        [
            section("Question", parts["question"]),
            section("Prediction", parts["prediction"], *_told(lesson, lesson.prediction, source)),
            section(
                "Watch",
                parts["watch"],
                table(("At", "What happens"), marks, "moments") if marks else "",
            ),
            section("What happened", parts["explanation"]),
            section("Exercise", parts["exercise"], *_solved(lesson, lesson.exercise, source)),
            section("What the simulation gives", _claims(lesson, source)),
        ],
    )


def _told(lesson: Lesson, task: Prediction, source: Source) -> Iterator[str]:
    """Yield the answer to a question, and what it rests on."""
    if isinstance(task, Curve):
        right = task.right(source.evidence)
        yield axes(task, right)
        yield _points(task, right)
        yield f"<p>A point is right within {100 * task.near:g} %.</p>"
    elif isinstance(task, Number):
        unit = escape(task.unit)
        right = task.right(source.evidence)
        yield (
            f'<p class="right">{right:.{_DIGITS}g} {unit}; right within {100 * task.near:g} %.</p>'
        )
        measures = [task.quantity.measure, task.quantity.ratio_to]
        yield _measured(lesson, [one for one in measures if one is not None], source)
    else:
        yield _chosen(task, source)
        measures = [
            one
            for choice in task.choices
            for condition in choice.when
            for one in (condition.measure, condition.ratio_to)
            if one is not None
        ]
        yield _measured(lesson, measures, source)


def _points(task: Curve, right: list[float]) -> str:
    """Return a curve as numbers: a few of them where it has many points."""
    every = max(1, len(right) // 12)
    pairs = list(zip(task.at, right, strict=True))[::every]
    head = [escape(task.label_x), *(escape(at) for at, _ in pairs)]
    row = [escape(f"{task.label_y}, {task.unit}"), *(f"{value:.3g}" for _, value in pairs)]
    return table(head, [row])


def _chosen(task: Choices, source: Source) -> str:
    items = [
        f'<li class="right">{choice.text} (simulated)</li>'
        if choice.holds(source.evidence)
        else f"<li>{choice.text}</li>"
        for choice in task.choices
    ]
    return "<ul>\n" + "\n".join(items) + "\n</ul>"


def _solved(lesson: Lesson, exercise: Exercise, source: Source) -> Iterator[str]:
    task = exercise.task
    if isinstance(task, Find):
        solution = ", ".join(f"{name}={text}" for name, text in task.solution.items())
        solved = {**exercise.start, **task.solution}
        yield f'<p class="right">One solution: <code>{escape(solution)}</code></p>'
        rows = [
            (goal.text, *(_reached(one.condition.value(source.evidence), one.unit, one.per_unit)
                          for one in (goal, reached)))
            for goal, reached in zip(task.goal, task.reached, strict=True)
        ]  # fmt: skip
        yield table(("Goal", "At the start", "With it"), rows)
        yield f"<p>{_scene(solved, source, 'The solution in the lab', lesson)}</p>"
    else:
        yield from _told(lesson, task, source)
    yield f"<p>{_scene(exercise.start, source, 'Start of the exercise in the lab', lesson)}</p>"
    items = "\n".join(f"<li>{text}</li>" for text in exercise.help)
    yield f"<p>Help, one after each wrong answer:</p>\n<ol>\n{items}\n</ol>"


def _reached(value: Any, unit: str | None, per_unit: float) -> str:
    if not isinstance(value, int | float):
        return escape("none" if value is None else str(value))
    return escape(f"{value / per_unit:.{_DIGITS}g} {unit or ''}".strip())


def _measured(lesson: Lesson, measures: list[Measure], source: Source) -> str:
    """Return what the engine gives for measures, each once."""
    rows = {}
    for measure in measures:
        what = _what(measure)
        value = said(measure.text, measure.value(source.evidence))
        where = _scene(measure.scenario, source, _differs(lesson, measure.scenario, source), lesson)
        rows[what, where] = (where, f"<code>{escape(what)}</code>", value)
    return table(("Scenario", "What is measured", "Simulated"), list(rows.values()), "measured")


def _what(measure: Measure) -> str:
    """Return what is measured, with the time and the session that a word for traces is about."""
    window = measure.window
    if window is None:
        return measure.text
    at = f"{window.end:g} s"
    when = f"at {at}" if measure.text.endswith(MOMENT) else f"{window.begin:g} to {at}"
    of = "" if window.session is None else f", session {window.session + 1:g}"
    return f"{measure.text}, {when}{of}"


def said(measure: str, value: Any) -> str:
    """Return a measured value with the unit that the measure's name ends in."""
    if not isinstance(value, int | float):
        return escape(str(value))
    if measure.endswith("_bps"):
        return said_rate(value)
    digits = f"{value:,.0f}" if abs(value) >= 10**_DIGITS else f"{value:.{_DIGITS}g}"
    unit = " s" if measure.endswith("_s") else " B" if "cwnd" in measure else ""
    return digits + unit


def _claims(lesson: Lesson, source: Source) -> str:
    """Return each statement with what shows it: tests hold its numbers to the engine."""
    rows = []
    for claim in lesson.claims:
        condition = claim.conditions[0]
        measures = [one for one in (condition.measure, condition.ratio_to) if one is not None]
        scenes = [
            _scene(one.scenario, source, _differs(lesson, one.scenario, source), lesson)
            for one in measures
        ]
        if len({*scenes}) > 1:
            scenes.append(_side_by_side(*(one.scenario for one in measures), source, lesson))
        told = dict.fromkeys(filter(None, scenes))
        rows.append((escape(claim.text), "<br />".join(told)))
    return table(("Statement", "Shown by"), rows)


def _at(lesson: Lesson, t: float, source: Source) -> str:
    """Return a moment of the lesson's scenario, as a link to it."""
    return _scene(lesson.scenario, source, f"{t:g} s", lesson, t)


def _scene(
    scenario: Scenario, source: Source, text: str, lesson: Lesson, t: float | None = None
) -> str:
    """Return a link that opens a scenario; the text alone where no address says it.

    It opens standing: at t, else where the lesson's scene ends.
    """
    draft = draft_of(scenario, source.options)
    if draft is None:
        return escape(text)
    moment = lesson.stop if t is None else t
    return link(LAB + lab_state(draft, t=f"{moment:g}", speed=f"{lesson.speed:g}"), text)


def _side_by_side(one: Scenario, other: Scenario, source: Source, lesson: Lesson) -> str:
    """Return a link that opens two scenarios on one clock, if addresses can say both."""
    own, versus = (draft_of(scenario, source.options) for scenario in (one, other))
    if own is None or versus is None:
        return ""
    rest = {"t": f"{lesson.stop:g}", "versus": lab_state(versus).removeprefix("#")}
    return link(LAB + lab_state(own, **rest), "side by side")


def _differs(lesson: Lesson, scenario: Scenario, source: Source) -> str:
    """Return in which options a scenario is another one than the lesson's."""
    usual, other = (draft_of(one, source.options) for one in (lesson.scenario, scenario))
    if usual is None or other is None:
        return "another scenario"
    before, after = list(usual.given()), list(other.given())
    changed = [f"{name}={text}" for name, text in after if (name, text) not in before]
    named = {name for name, _ in after}
    usual_texts = [
        f"{name}={source.options[name].default(dict(after))}"
        if name in source.options
        else f"no {name}"
        for name, _ in before
        if name not in named
    ]
    return ", ".join(dict.fromkeys([*changed, *usual_texts])) or "as in the lesson"
