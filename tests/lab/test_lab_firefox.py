"""Firefox: its driver, and the page in it, where nothing overlaps and a keyboard is enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from boxes import faults
from by_keyboard import each_size, walk
from test_lab_layout import NARROW, check, chosen, which_lessons

if TYPE_CHECKING:
    from lab.firefox import FirefoxPage

FIELDS = """
() => {
  document.body.innerHTML = "<input id=first value=before><input id=second>";
  window.heard = [];
  document.addEventListener("keydown", ({ key, shiftKey, ctrlKey }) => {
    window.heard.push(`${ctrlKey ? "Control+" : ""}${shiftKey ? "Shift+" : ""}${key}`);
  });
}
"""

STATE = """
() => [document.activeElement, ...document.querySelectorAll("input")].map((one, place) =>
  place === 0 ? one.id : one.value)
"""


@pytest.fixture
def page(firefox: FirefoxPage) -> Iterator[FirefoxPage]:
    """The browser's page; the site remembers nothing from one test to the next."""
    firefox.problems.clear()
    yield firefox
    firefox.evaluate("() => localStorage.clear()")
    assert firefox.problems == []


def test_the_driver_has_keys(firefox: FirefoxPage) -> None:
    firefox.goto("about:blank")
    firefox.evaluate(FIELDS)
    firefox.keyboard.press("Tab")
    firefox.keyboard.press("Control+a")
    firefox.keyboard.type("1+x \u00e9")
    assert firefox.evaluate(STATE) == ["first", "1+x \u00e9", ""]
    firefox.keyboard.press("Tab")
    firefox.keyboard.press("+")
    firefox.keyboard.press("Shift+Tab")
    for key in ("End", "ArrowLeft", "Delete"):
        firefox.keyboard.press(key)
    assert firefox.evaluate(STATE) == ["first", "1+x ", "+"]
    with pytest.raises(ValueError, match=r"no key is called 'Tabulator'; known: .* Tab,"):
        firefox.keyboard.press("Tabulator")
    heard = firefox.evaluate("() => window.heard")
    assert heard[:3] == ["Tab", "Control+Control", "Control+a"]
    assert heard[-6:] == ["+", "Shift+Shift", "Shift+Tab", "End", "ArrowLeft", "Delete"]


@which_lessons
def test_nothing_overlaps(
    page: FirefoxPage, lab_address: str, lab_site: Path, numbers: Sequence[int] | None
) -> None:
    sizes = ("1366 x 768", *NARROW)
    check(page, lab_address, chosen(lab_site, numbers), sizes, NARROW[-1:])


@each_size("390 x 844", 1)
def test_lessons_to_their_end_by_keyboard(
    page: FirefoxPage, lab_address: str, lab_site: Path, size: str, count: int | None
) -> None:
    places = walk(page, lab_address, lab_site, size, count)
    found = {place: faults(page) for place in places}
    assert {place: lines for place, lines in found.items() if lines} == {}
