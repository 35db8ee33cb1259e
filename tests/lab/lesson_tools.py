"""Going through a lesson in the page, as a reader does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from browser import Lab, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

STEPS = ("Question", "Watch", "What happened", "Exercise")


def lesson_column(lab: Lab) -> Locator:
    """Where the lesson stands."""
    return lab.page.get_by_role("complementary", name="Lessons")


def open_lesson(lab: Lab, index: int) -> None:
    """Open a lesson from the list."""
    lab.page.get_by_role("button", name="Lessons", exact=True).click()
    lesson_column(lab).get_by_role("listitem").nth(index).get_by_role("button").click()
    expect(step_button(lab, "Question")).to_have_attribute("aria-current", "step")
    lab.arrive()


def step_button(lab: Lab, step: str) -> Locator:
    """The button of a step."""
    name = f"{STEPS.index(step) + 1} {step}"
    steps = lab.page.get_by_role("navigation", name="Steps of the lesson")
    return steps.get_by_role("button", name=name, exact=True)


def go_to(lab: Lab, step: str) -> None:
    """Go to a step, and wait for what it shows."""
    step_button(lab, step).click()
    expect(step_button(lab, step)).to_have_attribute("aria-current", "step")
    lab.arrive()
    if step == "What happened":
        outcome = lesson_column(lab).get_by_role("region", name="Your prediction")
        expect(outcome).to_contain_text(re.compile("Simulation|simulated curve (at|in)"))


def predict(lab: Lab) -> str:
    """Make some prediction; return its kind."""
    column = lesson_column(lab)
    choices = column.get_by_role("radio")
    drawn = column.get_by_text("Write numbers instead")
    kind = "choice" if choices.count() else "curve" if drawn.count() else "number"
    if kind == "choice":
        choices.first.check()
    else:
        if kind == "curve":
            drawn.click()
        for field in column.get_by_role("spinbutton").all():
            field.fill("10")
    column.get_by_role("button", name="This is my prediction").click()
    expect(step_button(lab, "Watch")).to_have_attribute("aria-current", "step")
    return kind


def answer(lab: Lab, attempt: int = 0) -> None:
    """Have an answer to the exercise checked, another one at each attempt, and wait for it."""
    column = lesson_column(lab)
    for field in column.get_by_role("spinbutton").all():
        field.fill(f"{attempt / 1000}")
    if (choices := column.get_by_role("radio")).count():
        choices.nth(attempt % choices.count()).check()
    if (options := column.get_by_role("group", name="Options that you may change")).count():
        change(lab, options.get_by_role("textbox").first)
    column.get_by_role("button", name="Check it").click()
    expect(told(lab).locator(".lesson-verdict")).to_be_visible()


def told(lab: Lab) -> Locator:
    """What is said of an answer to the exercise."""
    return lesson_column(lab).locator(".lesson-answer")


def change(lab: Lab, field: Locator) -> None:
    """Take the next round value of an exercise's option; of a list another one."""
    before = lab.state["scenario"]
    if field.get_attribute("id").endswith("-chunk-parallelism"):
        field.fill(f"{field.input_value() or 1}:1")
        field.press("Enter")
    else:
        field.press("ArrowUp")
    lab.until("JSON.stringify(lab.player.state.scenario) !== JSON.stringify(value)", before)


def walk(lab: Lab, index: int) -> Iterator[str]:
    """Go through a lesson; at every step that is shown its name is given."""
    open_lesson(lab, index)
    yield "Question"
    predict(lab)
    yield "Watch"
    go_to(lab, "What happened")
    yield "What happened"
    go_to(lab, "Exercise")
    yield "Exercise"
    answer(lab)
    yield "Exercise, answered"
