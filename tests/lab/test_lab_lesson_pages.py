"""Every lesson in the page: nothing moves before the prediction, and the exercise can be solved."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Lab, NewLab, expect
from lesson_tools import (
    STEPS,
    answer,
    go_to,
    lesson_column,
    open_lesson,
    predict,
    step_button,
    told,
)

from lab import site

COUNT = 13


@pytest.fixture(scope="module")
def count(lab_site: Path) -> int:
    """How many lessons there are."""
    return len(site.read_data(lab_site / site.LESSONS))


def test_all_lessons_are_listed(lab: Lab, lab_site: Path, count: int) -> None:
    assert count >= COUNT
    lessons = site.read_data(lab_site / site.LESSONS)
    lab.page.get_by_role("button", name="Lessons", exact=True).click()
    items = lesson_column(lab).get_by_role("listitem")
    expect(items).to_have_count(count)
    for item, lesson in zip(items.all(), lessons, strict=True):
        expect(item).to_contain_text(lesson["title"])
        expect(item).to_contain_text(f"{lesson['minutes']} minutes")


HEADINGS = """[...document.querySelectorAll("#charts .charts-heading")]
    .filter((one) => !one.hidden).map((one) => one.firstChild.textContent.split(",")[0])"""


def test_a_lesson_may_choose_its_charts(lab: Lab) -> None:
    lab.open("t=0")
    every = lab.js(HEADINGS)
    assert len(every) > 4
    for name, first in (("bufferbloat", "smoothed RTT"), ("today", "cwnd of each connection")):
        lab.open(f"lesson={name}")
        shown = lab.js(HEADINGS)
        assert (shown[0], len(shown)) == (first, 4)
        assert {*shown} == {"smoothed RTT", "queue", "cwnd of each connection", "drops"}
    lab.page.get_by_role("button", name="Bench", exact=True).click()
    lab.page.get_by_role("button", name="Defaults").click()
    lab.until("Object.keys(lab.player.state.scenario).length === 0")
    lab.arrive()
    assert lab.js(HEADINGS) == every


def solve(lab: Lab) -> None:
    """Take all the help there is, and the solution, and have it checked."""
    column = lesson_column(lab)
    solution = column.get_by_role("button", name="Show a solution")
    shown = 0
    for attempt in range(1, 10):
        if solution.is_visible():
            break
        answer(lab, attempt)
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
        expect(told).to_contain_text("The simulation gives")
        words = told.inner_text().removeprefix("The simulation gives: ").split()
        if column.get_by_role("radio").count():
            column.get_by_role("radio").nth(int(words[1]) - 1).check()
        else:
            column.get_by_role("spinbutton").fill(words[0].replace(",", ""))
    column.get_by_role("button", name="Check it").click()
    verdict = column.locator(".lesson-answer .lesson-verdict")
    expect(verdict).to_have_class("lesson-verdict lesson-good")


# One by default: all are gone through in test_lab_lesson_keyboard.py.
EACH = [
    pytest.param(index, marks=() if index == 0 else pytest.mark.extensive) for index in range(COUNT)
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
    expect(lesson_column(lab)).to_contain_text("Make your prediction first")
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
    expect(column).to_contain_text("The scene is over")
    assert marks.count() > seen
    assert not lab.state["playing"]

    go_to(lab, "What happened")
    go_to(lab, "Exercise")
    solve(lab)
    # The address leads to this step again, as in a new tab: the prediction is kept.
    lab.until("location.hash.includes('step=3')")
    address = lab.js("location.href")
    lab.tab = lab.page.context.new_page()
    lab.open(address.split("#")[1])
    column = lesson_column(lab)
    expect(step_button(lab, "Exercise")).to_have_attribute("aria-current", "step")
    column.get_by_role("button", name="All lessons").first.click()
    expect(column.get_by_role("heading", name="Lessons")).to_be_visible()
    lab.until("!location.hash.includes('lesson=')")
    item = column.get_by_role("listitem").nth(index)
    expect(item).to_contain_text("done")
    # Who comes next begins anew.
    column.get_by_role("button", name="Reset my progress").click()
    expect(item).not_to_contain_text("done")
    item.get_by_role("button").click()
    expect(step_button(lab, "Watch")).to_be_disabled()


def test_back_closes_a_lesson_and_stays_in_the_lab(lab: Lab) -> None:
    page, column = lab.page, lesson_column(lab)
    open_lesson(lab, 1)
    predict(lab)
    title = column.get_by_role("heading", level=2)
    second = title.inner_text()
    lab.until("location.hash.includes('step=1')")
    go_to(lab, "Exercise")
    column.get_by_role("button", name="Next lesson").click()
    expect(title).not_to_have_text(second)
    page.go_back()
    expect(title).to_have_text(second)
    expect(step_button(lab, "Exercise")).to_have_attribute("aria-current", "step")
    page.go_back()
    expect(column.get_by_role("heading", name="Lessons")).to_be_visible()
    expect(column.get_by_role("listitem").nth(1)).to_contain_text("begun")
    page.go_back()
    expect(column).to_be_hidden()
    lab.until("Object.keys(lab.player.state.scenario).length === 0")
    page.go_forward()
    page.go_forward()
    expect(title).to_have_text(second)


def test_what_was_checked_before_costs_no_help(lab: Lab) -> None:
    column = lesson_column(lab)
    open_lesson(lab, 1)
    predict(lab)
    go_to(lab, "Exercise")
    check = column.get_by_role("button", name="Check it")
    helped = column.get_by_role("list", name="Help").get_by_role("listitem")
    for _ in range(2):
        check.click()
        expect(told(lab)).to_contain_text("Nothing is changed yet")
    expect(helped).to_have_count(0)
    field = column.get_by_role("textbox", name="window")
    # The engine's own words stand at the field, and the exercise goes on with what it had.
    field.fill("1B")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(column).to_contain_text("is below one segment")
    check.click()
    expect(told(lab)).to_contain_text("Not allowed yet: window")
    for value, count in (("100KiB", 1), ("100KiB", 1), ("110KiB", 2)):
        field.fill(value)
        field.press("Enter")
        check.click()
        expect(told(lab)).to_contain_text("Not yet.")
        lab.until("!document.querySelector('.lesson-answer').textContent.includes('Asking')")
        expect(helped).to_have_count(count)
    # The form of the bench has the same.
    assert lab.state["scenario"]["window"] == "110KiB"


WRITE_BOTH = """Object.entries(value).forEach(([name, text]) => {
    const field = document.querySelector(`#exercise-${name}`);
    field.value = text;
    field.dispatchEvent(new Event("change"));
})"""


def test_two_changes_of_an_exercise_in_a_row_are_both_kept(lab: Lab, lab_site: Path) -> None:
    wanted = {"alpha": "3", "beta": "0.25"}
    index = next(
        place
        for place, one in enumerate(site.read_data(lab_site / site.LESSONS))
        if one["exercise"].get("change") == list(wanted)
    )
    open_lesson(lab, index)
    predict(lab)
    go_to(lab, "Exercise")
    lab.js(WRITE_BOTH, wanted)
    lab.until("lab.player.state.scenario.beta === value.beta", wanted)
    assert lab.state["scenario"]["alpha"] == wanted["alpha"]


REFUSED = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("refused", "SecurityError"); },
});"""


def test_a_browser_that_keeps_nothing_goes_through_a_lesson_all_the_same(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.page.add_init_script(REFUSED)
    open_lesson(lab.open(), 1)
    predict(lab)
    lesson_column(lab).get_by_role("button", name="All lessons").click()
    expect(lesson_column(lab).get_by_role("listitem").nth(1)).to_contain_text("begun")
