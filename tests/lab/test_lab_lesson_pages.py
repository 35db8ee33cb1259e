"""Every lesson in the page: nothing moves before the prediction, and the exercise can be solved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import PATIENCE_MS, Lab, NewLab, expect
from lesson_tools import STEPS, answer, go_to, lesson_column, open_lesson, predict, step_button

COUNT = 10


@pytest.fixture(scope="module")
def count(lab_site: Path) -> int:
    """How many lessons there are."""
    return len(json.loads((lab_site / "lessons.json").read_text(encoding="utf-8")))


def test_all_lessons_are_listed(lab: Lab, lab_site: Path, count: int) -> None:
    assert count >= COUNT
    lessons = json.loads((lab_site / "lessons.json").read_text(encoding="utf-8"))
    lab.page.get_by_role("button", name="Lessons", exact=True).click()
    items = lesson_column(lab).get_by_role("listitem")
    assert items.count() == count
    for item, lesson in zip(items.all(), lessons, strict=True):
        expect(item).to_contain_text(lesson["title"])
        expect(item).to_contain_text(f"{lesson['minutes']} minutes")


def solve(lab: Lab) -> None:
    """Take all the help there is, and the solution, and have it checked."""
    column = lesson_column(lab)
    solution = column.get_by_role("button", name="Show a solution")
    shown = 0
    while not solution.is_visible():
        answer(lab)
        helped = column.get_by_role("list", name="Help").get_by_role("listitem").count()
        assert helped > shown or solution.is_visible(), "a wrong answer brings no help"
        shown = helped
    solution.click()
    bench = column.get_by_role("button", name="Put it on the bench")
    if bench.count():
        scenario = "JSON.stringify(lab.player.state.scenario)"
        before = lab.js(scenario)
        bench.click()
        lab.until(f"{scenario} !== value", before)
    else:
        told = column.locator(".lesson-solution")
        expect(told).to_contain_text("The engine says")
        words = told.inner_text().removeprefix("The engine says: ").split()
        if column.get_by_role("radio").count():
            column.get_by_role("radio").nth(int(words[1]) - 1).check()
        else:
            column.get_by_role("spinbutton").fill(words[0].replace(",", ""))
    column.get_by_role("button", name="Check it").click()
    verdict = column.locator(".lesson-answer .lesson-verdict")
    expect(verdict).to_have_class("lesson-verdict lesson-good", timeout=PATIENCE_MS)


# Every third one by default: what differs between lessons, test_lab_lessons.py asks of all.
EACH = [
    pytest.param(index, marks=() if index % 3 == 0 else pytest.mark.extensive)
    for index in range(COUNT)
]


@pytest.mark.parametrize("index", EACH)
def test_a_lesson_from_beginning_to_end(new_lab: NewLab, index: int) -> None:
    lab = new_lab().open()
    open_lesson(lab, index)
    for step in STEPS[1:]:
        expect(step_button(lab, step)).to_be_disabled()
    # Nothing moves, whatever is pressed.
    begin = lab.state["t"]
    lab.page.get_by_role("button", name="Play", exact=True).click()
    expect(lesson_column(lab)).to_contain_text("First your prediction")
    assert not lab.state["playing"]
    assert lab.state["t"] == begin

    column = lesson_column(lab)
    column.get_by_role("button", name="This is my prediction").click()
    expect(step_button(lab, "Question")).to_have_attribute("aria-current", "step")
    predict(lab)
    marks = column.get_by_role("list", name="What to see, by time").get_by_role("listitem")
    seen = marks.count()
    lab.js("lab.player.setSpeed(100)")
    column.get_by_role("button", name="Play the scene").click()
    expect(column).to_contain_text("The scene is over", timeout=PATIENCE_MS)
    assert marks.count() > seen
    assert not lab.state["playing"]

    go_to(lab, "What happened")
    go_to(lab, "Exercise")
    solve(lab)
    # The address leads to this step again; the prediction is kept in this tab.
    lab.until("location.hash.includes('step=3')")
    lab.page.reload()
    lab.page.wait_for_selector("html[data-state=ready]")
    expect(step_button(lab, "Exercise")).to_have_attribute("aria-current", "step")
    column.get_by_role("button", name="All lessons").click()
    expect(column.get_by_role("heading", name="Lessons")).to_be_visible()
    lab.until("!location.hash.includes('lesson=')")
