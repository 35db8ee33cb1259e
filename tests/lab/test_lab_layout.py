"""Nothing overlaps, sticks out or scrolls into nothing: any size, any lesson.

In Chromium here; test_lab_firefox.py measures the same in the other browser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from boxes import faults
from browser import SIZES, NewLab
from driven import ARRIVED, Driven, open_site

from lab import site

NARROW = tuple(SIZES)[-2:]
"""Where the words of a lesson have least room."""

LESSONS = (1, 5, 11)
"""Lessons that are measured by default: a plain one, three sessions, hosts. All take minutes."""

which_lessons = pytest.mark.parametrize(
    "numbers", [LESSONS, pytest.param(None, marks=pytest.mark.extensive)], ids=["some", "all"]
)

STEPS = ("1 Question", "2 Watch", "3 What happened", "4 Exercise")

BUSY = [
    "mode=fixed&parallelism=8&queue=20p&t=2&session=mode%3Dmi,delay%3D30ms&background=start%3D0s",
    "mode=by-hand&file-size=10MB&chunk-size=5MB&t=3",
]
"""Scenarios that fill the bench."""

GO = """
async ([hash, heading]) => {
  const { player } = window.gridftpLab;
  const until = async (isSo) => {
    while (!isSo()) await new Promise((later) => setTimeout(later, 10));
  };
  const loaded = new Promise((done) => player.addEventListener("loaded", done, { once: true }));
  location.hash = hash;
  if (heading === "") await loaded;
  else await until(() => document.querySelector("[aria-current=step]")?.textContent === heading);
}
"""
"""Goes to a state without loading the page anew: of the bench, or a step of a lesson."""


def go(page: Driven, state: str, heading: str = "") -> None:
    """Go there, and wait until all that it asks for is loaded and reached."""
    page.evaluate(GO, [state, heading])
    page.evaluate(ARRIVED)


def fitting(prediction: dict[str, Any]) -> Any:
    """Some answer to a lesson's question, as the page remembers it."""
    if prediction["kind"] == "curve":
        return [10] * len(prediction["x"])
    return 0


def places(page: Driven, lessons: list[dict[str, Any]]) -> Iterator[tuple[str, bool, bool]]:
    """Bring the page into each of its states.

    Yields:
        The name of each, whether it is of a lesson, and whether only its words are new.
    """
    yield "first sight", False, False
    for state in BUSY:
        go(page, state)
        yield state, False, False
    page.evaluate("() => { document.querySelector('#to-lessons').click(); }")
    yield "list of lessons", False, False
    for lesson in lessons:
        go(page, f"lesson={lesson['id']}", STEPS[0])
        yield f"{lesson['id']}, {STEPS[0]}", True, False
        key = f"gridftp-lab-lesson-prediction-{lesson['id']}"
        page.evaluate(
            "([key, text]) => localStorage.setItem(key, text)",
            [key, json.dumps(fitting(lesson["prediction"]))],
        )
        for step, heading in enumerate(STEPS[1:], 1):
            go(page, f"lesson={lesson['id']}&step={step}", heading)
            yield f"{lesson['id']}, {heading}", True, step > 1


def check(
    page: Driven,
    address: str,
    lessons: list[dict[str, Any]],
    of_lesson: Sequence[str],
    of_words: Sequence[str],
) -> None:
    """Measure every state; one page is loaded, once.

    Args:
        page: of some browser.
        address: of the site.
        lessons: of lessons.json.
        of_lesson: sizes in which a lesson is measured; the bench is in all.
        of_words: sizes in which are measured the steps where only the words differ.
    """
    open_site(page, address)
    found: dict[str, list[str]] = {}
    for place, is_lesson, only_words in places(page, lessons):
        for size in of_words if only_words else of_lesson if is_lesson else SIZES:
            page.set_viewport_size(SIZES[size])
            found[f"{place}, {size}"] = faults(page)
    assert len(found) >= len(lessons) * 2 * (len(of_lesson) + len(of_words))
    assert {place: lines for place, lines in found.items() if lines} == {}


def chosen(lab_site: Path, numbers: Sequence[int] | None) -> list[dict[str, Any]]:
    """Return the lessons of some numbers; None: all."""
    lessons = site.read_data(lab_site / site.LESSONS)
    return [one for one in lessons if numbers is None or one["number"] in numbers]


@which_lessons
def test_nothing_overlaps(
    new_lab: NewLab, lab_address: str, lab_site: Path, numbers: Sequence[int] | None
) -> None:
    # At 1440 x 900 the columns of a lesson are those of 1366 x 768, with more room in each
    sizes = tuple(SIZES)[1:]
    check(new_lab().page, lab_address, chosen(lab_site, numbers), sizes, NARROW)
