"""All lessons, one after the other to the end of each, with nothing but a keyboard."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import PATIENCE_MS, expect
from lesson_tools import lesson_column, step_button

if TYPE_CHECKING:
    from browser import Lab, NewLab

SAID = re.compile("engine says|engine's (at|in)")
"""How the outcome of a prediction is told."""

FAR = 12
"""So many presses of Tab are enough from one thing that a lesson asks for to the next."""

NAME = """(() => {
    const one = document.activeElement;
    return one.id || one.getAttribute("aria-label") || one.name || one.labels?.[0]?.textContent
        || one.textContent;
})()"""


def tab_to(lab: Lab, name: str, presses: int = FAR) -> None:
    """Press Tab until what begins with this name, or has it as its id, has the focus."""
    passed = []
    for _ in range(presses):
        lab.page.keyboard.press("Tab")
        passed.append(lab.page.evaluate(NAME).strip())
        if passed[-1].startswith(name):
            return
    raise AssertionError(f"{name} is not among the next: {passed}")


def press(lab: Lab, name: str, presses: int = FAR) -> None:
    """Go to a button by Tab, and press it by Enter."""
    tab_to(lab, name, presses)
    lab.page.keyboard.press("Enter")


def predict(lab: Lab, prediction: dict[str, Any]) -> None:
    """Make a prediction of any kind."""
    page = lab.page
    if prediction["kind"] == "choice":
        # One of a group of radio buttons is reached by Tab, the others by arrows.
        tab_to(lab, "prediction")
        page.keyboard.press("ArrowDown")
    elif prediction["kind"] == "number":
        tab_to(lab, "Your prediction")
        page.keyboard.type(str(prediction["maximum"] / 2))
    else:
        press(lab, "Write numbers instead")
        for _ in prediction["x"]:
            page.keyboard.press("Tab")
            page.keyboard.type("10")
    press(lab, "This is my prediction")
    expect(step_button(lab, "Watch")).to_have_attribute("aria-current", "step")


def solve(lab: Lab, exercise: dict[str, Any]) -> None:
    """Solve the exercise as the lesson itself does."""
    page, column = lab.page, lesson_column(lab)
    good = column.locator(".lesson-answer .lesson-verdict.lesson-good")
    if exercise["kind"] == "find":
        for name in exercise["change"]:
            if name in exercise["solution"]:
                tab_to(lab, f"exercise-{name}")
                page.keyboard.type(exercise["solution"][name])
        press(lab, "Check it")
    else:
        # Wrong answers bring the solution.
        told = column.locator(".lesson-answer")
        tab_to(lab, "Your answer")
        for attempt in range(1, len(exercise["help"]) + 1):
            write(lab, f"{attempt / 1000}")
            expect(told).to_contain_text(f"{attempt / 1000} ", timeout=PATIENCE_MS)
        press(lab, "Show a solution")
        solution = column.locator(".lesson-solution")
        expect(solution).to_contain_text("The engine says")
        value = solution.inner_text().removeprefix("The engine says: ").split()[0]
        back_to(lab, "Your answer")
        write(lab, value.replace(",", ""))
    expect(good).to_be_visible(timeout=PATIENCE_MS)


def write(lab: Lab, text: str) -> None:
    """Write something in place of what is in the field, and have it taken."""
    lab.page.keyboard.press("Control+A")
    lab.page.keyboard.type(text)
    lab.page.keyboard.press("Enter")


def back_to(lab: Lab, name: str) -> None:
    """Press Shift and Tab until what begins with this name has the focus."""
    for _ in range(FAR):
        lab.page.keyboard.press("Shift+Tab")
        if lab.page.evaluate(NAME).strip().startswith(name):
            return
    raise AssertionError(f"{name} is not among those before")


# All of them take a minute: the first three by default.
@pytest.mark.parametrize("count", [3, pytest.param(None, marks=pytest.mark.extensive)])
def test_every_lesson_to_its_end_by_keyboard(
    new_lab: NewLab, lab_site: Path, count: int | None
) -> None:
    every = json.loads((lab_site / "lessons.json").read_text(encoding="utf-8"))
    lessons = every[:count]
    lab = new_lab().open()
    column = lesson_column(lab)
    press(lab, "to-lessons")
    press(lab, lessons[0]["title"])
    for lesson, following in zip(lessons, [*every[1:], None], strict=False):
        expect(column.get_by_role("heading", level=2)).to_have_text(lesson["title"])
        predict(lab, lesson["prediction"])
        lab.js("lab.player.setSpeed(1000)")
        press(lab, "Play the scene")
        expect(column).to_contain_text("The scene is over", timeout=PATIENCE_MS)
        press(lab, "Go on: What happened", FAR + len(lesson["marks"]))
        outcome = column.get_by_role("region", name="Your prediction")
        expect(outcome).to_contain_text(SAID, timeout=PATIENCE_MS)
        press(lab, "Go on: Exercise")
        expect(step_button(lab, "Exercise")).to_have_attribute("aria-current", "step")
        lab.until("lab.player.state.catchingUp === null")
        solve(lab, lesson["exercise"])
        press(lab, f"Next lesson: {following['title']}" if following else "All lessons", 3 * FAR)
    if count is not None:
        expect(column.get_by_role("heading", level=2)).to_have_text(every[count]["title"])
        return
    expect(column).to_contain_text(f"{len(lessons)} of {len(lessons)} done.")
