"""Going through lessons with nothing but a keyboard, in any browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import SIZES, STANDING
from driven import ARRIVED, Driven, open_site, until

from lab import site

FAR = 12
"""So many presses of Tab are enough from one thing that a lesson asks for to the next."""

FASTER = 20
"""So many presses of + bring any lesson's speed to the highest."""


def each_size(size: str, count: int) -> pytest.MarkDecorator:
    """Give a test `size` and `count`: the first lessons at one size, and all (None) at each.

    The latter where there is time.
    """
    some = pytest.param(size, count, id=f"some, {size}")
    every = [
        pytest.param(one, None, id=f"all, {one}", marks=pytest.mark.extensive) for one in SIZES
    ]
    return pytest.mark.parametrize(("size", "count"), [some, *every])


NAME = """
() => {
  const one = document.activeElement;
  const said = one.id || one.getAttribute("aria-label") || one.name || one.labels?.[0]?.textContent
    || one.textContent;
  return said.trim();
}
"""
"""What has the focus."""

IS_SEEN = """(() => {
  const one = document.activeElement;
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const middle = (from, to, end) => (Math.max(0, from) + Math.min(end, to)) / 2;
  const { clientWidth, clientHeight } = document.documentElement;
  const at = document.elementFromPoint(
    middle(left, right, clientWidth), middle(top, bottom, clientHeight));
  return at !== null && [one, ...(one.labels ?? [])].some((part) => part.contains(at));
})()"""
"""Whether what has the focus is on the screen, and nothing in front of it there."""


def tab_to(page: Driven, name: str, presses: int = FAR, key: str = "Tab") -> None:
    """Press a key until what begins with this name, or has it as its id, has the focus.

    All that the focus comes to on its way has to be seen.
    """
    passed: list[str] = []
    for _ in range(presses):
        page.keyboard.press(key)
        passed.append(page.evaluate(NAME))
        until(page, IS_SEEN, passed)
        if passed[-1].startswith(name):
            return
    raise AssertionError(f"{name} is not among the next: {passed}")


def press(page: Driven, name: str, presses: int = FAR) -> None:
    """Go to a button by Tab, and press it by Enter; the focus is not lost by that."""
    tab_to(page, name, presses)
    page.keyboard.press("Enter")
    until(page, "document.activeElement !== document.body")


def write(page: Driven, text: str) -> None:
    """Write something in place of what is in the field, and have it taken."""
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def until_told(page: Driven, selector: str, pattern: str) -> None:
    """Wait until the text of an element is of a pattern."""
    found = "new RegExp(value[1]).test(document.querySelector(value[0])?.textContent ?? '')"
    until(page, found, [selector, pattern])


def until_lesson(page: Driven, lesson: dict[str, Any]) -> None:
    """Wait until a lesson is open."""
    until_told(page, "#lesson h2", f"^{re.escape(lesson['title'])}$")


def until_step(page: Driven, step: str) -> None:
    """Wait until a step of a lesson is shown, and what it has on the bench."""
    until_told(page, ".lesson-steps [aria-current=step]", step)
    page.evaluate(ARRIVED)


def predict(page: Driven, prediction: dict[str, Any]) -> None:
    """Make a prediction of any kind."""
    if prediction["kind"] == "choice":
        # One of a group of radio buttons is reached by Tab, the others by arrows.
        tab_to(page, "prediction")
        page.keyboard.press("ArrowDown")
    elif prediction["kind"] == "number":
        tab_to(page, "Your prediction")
        page.keyboard.type(str(prediction["maximum"] / 2))
    else:
        press(page, "Write numbers instead")
        for _ in prediction["x"]:
            page.keyboard.press("Tab")
            page.keyboard.type("10")
    press(page, "This is my prediction")


def watch(page: Driven) -> None:
    """Play the scene to its end, as fast as it goes."""
    tab_to(page, "Play the scene")
    for _ in range(FASTER):
        page.keyboard.press("+")
    page.keyboard.press("Enter")
    until_told(page, "#lesson", "The scene is over")


def solve(page: Driven, exercise: dict[str, Any]) -> None:
    """Solve the exercise as the lesson itself does."""
    if exercise["kind"] == "find":
        for name in exercise["change"]:
            if name in exercise["solution"]:
                tab_to(page, f"exercise-{name}")
                page.keyboard.type(exercise["solution"][name])
        press(page, "Check it")
    else:
        # Wrong answers bring the solution.
        tab_to(page, "Your answer")
        for attempt in range(1, len(exercise["help"]) + 1):
            write(page, f"{attempt / 1000}")
            until_told(page, ".lesson-answer", f"{attempt / 1000} ")
        press(page, "Show a solution")
        until_told(page, ".lesson-solution", "The simulation gives")
        told = page.evaluate("() => document.querySelector('.lesson-solution').textContent")
        tab_to(page, "Your answer", key="Shift+Tab")
        write(page, told.removeprefix("The simulation gives: ").split()[0].replace(",", ""))
    until(page, "document.querySelector('.lesson-answer .lesson-verdict.lesson-good')")


def walk(page: Driven, address: str, lab_site: Path, size: str, count: int | None) -> Iterator[str]:
    """Go through lessons, from the bench to the end of each and on to what follows.

    Args:
        page: of some browser, in which nothing is done yet.
        address: of the site.
        lab_site: the folder that it is served from.
        size: one of SIZES.
        count: of the lessons from the first; None: all.

    Yields:
        The name of each place: there the page can be looked at.
    """
    every = site.read_data(lab_site / site.LESSONS)
    lessons = every[:count]
    page.set_viewport_size(SIZES[size])
    open_site(page, address, STANDING)
    press(page, "to-lessons")
    press(page, lessons[0]["title"])
    for number, lesson in enumerate(lessons, 1):
        until_lesson(page, lesson)
        yield from _steps(page, lesson)
        on = f"Next lesson: {every[number]['title']}" if number < len(every) else "All lessons"
        press(page, on, 3 * FAR)
    if count is None:
        until_told(page, "#lesson-list", rf"{len(every)} of {len(every)} done\.")
    else:
        until_lesson(page, every[count])


def _steps(page: Driven, lesson: dict[str, Any]) -> Iterator[str]:
    """Go through a lesson that is open to its end; its places are as those of walk()."""
    until_step(page, "Question")
    yield f"{lesson['id']}, question"
    predict(page, lesson["prediction"])
    until_step(page, "Watch")
    watch(page)
    yield f"{lesson['id']}, watched"
    press(page, "Go on: What happened", FAR + len(lesson["marks"]))
    until_told(page, ".lesson-outcome", "Simulation|simulated curve (at|in)")
    yield f"{lesson['id']}, what happened"
    press(page, "Go on: Exercise")
    until_step(page, "Exercise")
    solve(page, lesson["exercise"])
    yield f"{lesson['id']}, solved"
