"""What is printed of lessons: no answer on a handout, the engine's numbers on an answer sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from browser import PHONE, NewLab, expect
from lesson_tools import open_lesson
from test_lab_access import findings

from experiments.programs.option_table import OptionTable
from experiments.programs.program import Program
from experiments.programs.resolve import resolve_lines
from lab.evidence import NativeEvidence
from lab.exercises import Find
from lab.handout.answers import Source, answers
from lab.handout.sheet import handout
from lab.lessons import Lesson, load_lessons
from lab.predictions import Choices, Curve, Number
from lab.traces import Traces

LESSONS = {lesson.id: lesson for lesson in load_lessons()}
each_lesson = pytest.mark.parametrize("lesson", LESSONS.values(), ids=list(LESSONS))

SPOILT: Any = "an answer"
"""In place of whatever answers a question: it may be read, but not printed."""


@pytest.fixture(scope="module")
def program(programs: Path) -> Program:
    return Program(programs / "gridftp-transfer")


@pytest.fixture(scope="module")
def source(program: Program) -> Source:
    return Source(OptionTable.read(program.object("--describe")), NativeEvidence(program))


def unanswered(task: Any) -> Any:
    """A question with something else for all that answers it."""
    if isinstance(task, Choices):
        told = [replace(one, right=SPOILT, when=SPOILT) for one in task.choices]
        return replace(task, choices=tuple(told))
    if isinstance(task, Number):
        return replace(task, quantity=SPOILT)
    if isinstance(task, Curve):
        return replace(task, measures=SPOILT)
    assert isinstance(task, Find)
    goal = tuple(replace(one, condition=SPOILT) for one in task.goal)
    return replace(task, solution=SPOILT, reached=SPOILT, goal=goal)


@each_lesson
def test_no_answer_is_on_a_handout(lesson: Lesson, source: Source) -> None:
    """It is made without them: with others in their place it is the same."""
    exercise = lesson.exercise
    other = replace(
        lesson,
        prediction=unanswered(lesson.prediction),
        exercise=replace(exercise, task=unanswered(exercise.task), help=SPOILT),
        marks=tuple(replace(mark, text=SPOILT) for mark in lesson.marks),
        parts={**lesson.parts, "explanation": SPOILT},
        claims=SPOILT,
    )
    sheet = handout(other, source.options)
    assert sheet == handout(lesson, source.options)
    assert SPOILT not in sheet
    for part in ("question", "prediction", "watch", "exercise"):
        assert lesson.parts[part] in sheet, part
    for place in ('<div class="lines">', *(f"<td>{mark.t:g} s</td>" for mark in lesson.marks)):
        assert place in sheet


class Halved(NativeEvidence):
    """An engine in which all goodputs and times come out at half."""

    def result(self, scenario: Any) -> Mapping[str, Any]:
        """Return another result than there is."""
        return _halved(super().result(scenario))

    def traces(self, scenario: Any) -> Traces:
        """Return other traces than there are."""
        traces = super().traces(scenario)
        return replace(traces, cwnd=traces.cwnd.assign(cwnd_bytes=traces.cwnd.cwnd_bytes / 2))


def _halved(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _halved(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_halved(one) for one in value]
    return value / 2 if isinstance(value, float) else value


@pytest.mark.parametrize("name", ["window", "sawtooth"])
def test_the_numbers_of_an_answer_are_the_engines(
    name: str, program: Program, source: Source
) -> None:
    lesson = LESSONS[name]
    other = Source(source.options, Halved(program))
    for one in (source, other):
        sheet = unescape(answers(lesson, one))
        right = lesson.prediction.right(one.evidence)
        if isinstance(right, list):
            every = max(1, len(right) // 12)
            cells = "".join(f"<td>{value:.3g}</td>" for value in right[::every])
            assert cells in sheet
        else:
            assert f"{right:.4g} {lesson.prediction.unit}; right within" in sheet
    assert answers(lesson, source) != answers(lesson, other)


def test_the_answer_that_is_marked_is_the_one_that_the_engine_says(source: Source) -> None:
    lesson = LESSONS["blast"]
    sheet = answers(lesson, source)
    (right,) = [one for one in lesson.prediction.choices if one.holds(source.evidence)]
    assert re.findall(r'<li class="right">(.*?) \(simulated', sheet) == [right.text]
    # The author's mark says nothing, the engine does
    swapped = [replace(one, right=not one.right) for one in lesson.prediction.choices]
    task = replace(lesson.prediction, choices=tuple(swapped))
    assert answers(replace(lesson, prediction=task), source) == sheet
    goals = lesson.exercise.task.reached
    for goal in goals:
        value = goal.condition.value(source.evidence) / goal.per_unit
        assert f"<td>{value:.4g} {goal.unit}</td>" in sheet
    for name, text in lesson.exercise.task.solution.items():
        assert f"{name}={text}" in sheet


class Links(HTMLParser):
    """The links of a page, by their texts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a link."""
        self.inside = tag == "a"
        if self.inside:
            self.found.append((dict(attrs)["href"] or "", ""))

    def handle_data(self, data: str) -> None:
        """Go on with its text."""
        if self.inside:
            self.found[-1] = (self.found[-1][0], self.found[-1][1] + data)

    def handle_endtag(self, tag: str) -> None:
        """End it."""
        self.inside = self.inside and tag != "a"


def test_a_link_opens_the_scenario_that_was_measured(program: Program, source: Source) -> None:
    lesson = LESSONS["window"]
    links = Links()
    links.feed(answers(lesson, source))
    (solved,) = [href for href, text in links.found if text == "The solution in the lab"]
    place, _, state = solved.partition("#")
    assert place == "../index.html"
    told = dict(parse_qsl(state))
    assert {told.pop("t"), told.pop("speed")} == {f"{lesson.stop:g}", f"{lesson.speed:g}"}
    meant = {**lesson.exercise.start, **lesson.exercise.task.solution}
    assert resolve_lines(program, [told]) == resolve_lines(program, [meant])


def test_what_is_compared_opens_side_by_side(program: Program, source: Source) -> None:
    lesson = LESSONS["sawtooth"]
    links = Links()
    links.feed(answers(lesson, source))
    (claim,) = [one for one in lesson.claims if one.id == "longer-tooth"]
    (condition,) = claim.conditions
    (both,) = [href for href, text in links.found if text == "side by side"]
    told = dict(parse_qsl(both.partition("#")[2]))
    rival = dict(parse_qsl(told.pop("versus")))
    assert told.pop("t") == f"{lesson.stop:g}"
    meant = [condition.measure.scenario, condition.ratio_to.scenario]
    assert resolve_lines(program, [told, rival]) == resolve_lines(program, meant)


def test_the_site_has_both_of_each_lesson(lab_site: Path) -> None:
    pages = {page for lesson in LESSONS.values() for page in lesson.printed.values()}
    assert len(pages) == 2 * len(LESSONS)
    for page in pages:
        links = Links()
        links.feed((lab_site / page).read_text(encoding="utf-8"))
        for href, _ in links.found:
            assert (lab_site / "handout" / href.partition("#")[0]).is_file(), href


def test_they_are_in_the_menu_of_a_lesson_and_are_for_print(new_lab: NewLab) -> None:
    lab = new_lab(viewport=PHONE, color_scheme="dark").open()
    open_lesson(lab, 0)
    menu = lab.page.locator(".lesson-print")
    menu.get_by_text("Print", exact=True).press("Enter")
    with lab.page.expect_popup() as opened:
        menu.get_by_role("link", name="Handout").click()
    sheet = opened.value
    expect(sheet.get_by_role("heading", level=1)).to_have_text(LESSONS["sawtooth"].title)
    expect(sheet.get_by_role("button", name="Print")).to_be_visible()
    assert sheet.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert findings(replace(lab, tab=sheet)) == []
    sheet.emulate_media(media="print", color_scheme="dark")
    expect(sheet.get_by_role("navigation")).to_be_hidden()
    colours = "[getComputedStyle(document.body).color, getComputedStyle(document.body).background]"
    black, white = sheet.evaluate(colours)
    assert black == "rgb(0, 0, 0)"
    assert white.startswith("rgb(255, 255, 255)")
    expect(sheet.locator("main a").first).to_have_attribute(
        "data-address", f"{lab.address}index.html#lesson=sawtooth"
    )
