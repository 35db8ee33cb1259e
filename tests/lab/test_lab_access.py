"""For everybody: axe-core finds nothing, nothing sticks out, motion can be less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browser import PHONE, WIDE, Lab, NewLab, expect, open_menu
from lesson_tools import walk

from lab import site

NARROW = {"width": 360, "height": 640}

BUSY = "mode=fixed&parallelism=4&queue=20p&t=3&session=mode%3Dmi,delay%3D30ms"
"""A scenario that fills the bench."""

COMPARED = "mode=fixed&parallelism=2&t=1&versus=mode%3Dfixed%26parallelism%3D4"

LOOKS = [
    pytest.param(WIDE, "light", id="wide-light"),
    pytest.param(PHONE, "dark", id="phone-dark"),
    pytest.param(WIDE, "dark", id="wide-dark"),
    pytest.param(PHONE, "light", id="phone-light"),
]
"""Each size and each theme once by default: the first on the bench, the second in a lesson."""


PAGE = "body"
"""Selects all of the page."""


def places(lab: Lab) -> Iterator[tuple[str, str]]:
    """Bring the page into each of its states.

    Yields:
        The name of each state, and a selector of the part of the page that is new in it.
    """
    lab.open("")
    yield "first sight", PAGE
    page = lab.open(BUSY).page
    yield "bench", PAGE
    menu = open_menu(lab)
    yield "export", "#export-menu"
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    page.get_by_role("button", name="Help").click()
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    yield "help", "#help-dialog"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Help")).to_be_hidden()
    if not page.get_by_role("button", name="Values of delay").is_visible():
        page.locator("#scenario > summary").click()
    page.get_by_role("button", name="Values of delay").click()
    values = page.get_by_role("dialog", name="Values of delay")
    expect(values).to_be_visible()
    yield "values", ".values-menu:popover-open"
    page.keyboard.press("Escape")
    expect(values).to_be_hidden()
    field = page.locator("#option-delay")
    field.fill("soon")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    page.get_by_text("More options").click()
    expect(page.locator("#form details.more .field").last).to_be_visible()
    yield "wrong value, all options", "#scenario"
    lab.open(COMPARED)
    expect(page.get_by_role("region", name="Comparison")).to_contain_text("goodput so far")
    yield "comparison", PAGE
    page.get_by_role("button", name="compare…").click()
    yield "compare with", "#compare-menu"
    page.keyboard.press("Escape")
    lab.open("lesson=none")
    expect(page.get_by_role("alert")).to_be_visible()
    yield "alert", "#problems"
    page.get_by_role("button", name="Lessons", exact=True).click()
    expect(page.get_by_role("heading", name="Lessons")).to_be_visible()
    yield "lessons", "#lessons-column"


def findings(lab: Lab, part: str = PAGE) -> list[str]:
    """What axe-core complains of in a part of the page, slight or serious.

    All of the page takes two seconds or more, as each text's contrast is computed.
    """
    from axe_playwright_python.sync_playwright import Axe

    # Of what is in order one node each will do: naming all of them takes more than finding them
    options = {"resultTypes": ["violations"]}
    context = None if part == PAGE else part
    response: dict[str, Any] = Axe().run(lab.page, context, options).response
    # It has looked at the page: there is much that it found in order.
    assert len(response["passes"]) > (15 if part == PAGE else 3), part
    return [
        f"{found['impact']} {found['id']}: {node['target']}: {node['failureSummary']}"
        for found in response["violations"]
        for node in found["nodes"]
    ]


def extensive(look: Any) -> Any:
    """The same look, with --extensive only."""
    return pytest.param(*look.values, id=look.id, marks=pytest.mark.extensive)


@pytest.mark.parametrize(("viewport", "scheme"), [LOOKS[0], *map(extensive, LOOKS[1:])])
def test_axe_finds_nothing_on_the_bench(
    new_lab: NewLab, viewport: dict[str, int], scheme: str
) -> None:
    lab = new_lab(viewport=viewport, color_scheme=scheme)
    found = {place: findings(lab, part) for place, part in places(lab)}
    assert {place: lines for place, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("viewport", "scheme"), [LOOKS[1], *map(extensive, (LOOKS[0], *LOOKS[2:]))]
)
def test_axe_finds_nothing_in_a_lesson(
    new_lab: NewLab, lesson_kinds: dict[str, int], viewport: dict[str, int], scheme: str
) -> None:
    lab = new_lab(viewport=viewport, color_scheme=scheme).open()
    # One with a curve to draw: it has all kinds of controls.
    # The bench beside the first step and the last one; between them only the lesson is new
    whole = ("Question", "Exercise, answered")
    found = {
        step: findings(lab, PAGE if step in whole else "#lessons-column")
        for step in walk(lab, lesson_kinds["curve"])
    }
    assert {step: lines for step, lines in found.items() if lines} == {}


@pytest.fixture(scope="session")
def lesson_kinds(lab_site: Any) -> dict[str, int]:
    """A lesson of each kind of prediction."""
    lessons = site.read_data(lab_site / site.LESSONS)
    return {lesson["prediction"]["kind"]: place for place, lesson in enumerate(lessons)}


def test_what_goes_away_takes_no_focus_along(lab: Lab) -> None:
    def press(name: str, then: str) -> None:
        lab.page.get_by_role("button", name=name, exact=True).press("Enter")
        focused = "document.activeElement.id || document.activeElement.dataset.transport"
        lab.until(f"({focused}) === value", then)

    lab.open("window=1MB")
    press("Defaults", "option-mode")
    lab.open("lesson=none")
    press("Dismiss", "bench")
    lab.open("")
    press("Always start on the bench", "bench")
    lab.open("file-size=1MB&chunk-size=1MB&speed=1000")
    press("Step", "play")
    assert lab.state["ended"]


def sticks_out(lab: Lab) -> list[str]:
    """What makes the page wider than the screen."""
    return lab.js("""(() => {
        const root = document.documentElement;
        if (root.scrollWidth <= root.clientWidth) return [];
        return [...document.body.querySelectorAll("*")]
            .filter((one) => one.getBoundingClientRect().right > root.clientWidth + 0.5)
            .map((one) => `${one.tagName} ${one.id} ${one.className}`).slice(0, 5);
    })()""")


def test_nothing_scrolls_sideways_on_a_narrow_screen(new_lab: NewLab) -> None:
    lab = new_lab(viewport=NARROW, has_touch=True, is_mobile=True)
    wide = {place: names for place, _ in places(lab) if (names := sticks_out(lab))}
    assert wide == {}


@pytest.mark.extensive  # test_lab_layout.py measures lessons at this size, some by default
def test_no_lesson_scrolls_sideways_on_a_narrow_screen(
    new_lab: NewLab, lesson_kinds: dict[str, int]
) -> None:
    lab = new_lab(viewport=NARROW, has_touch=True, is_mobile=True)
    for kind, index in lesson_kinds.items():
        lab.open()
        wide = {f"{kind}, {step}": names for step in walk(lab, index) if (names := sticks_out(lab))}
        assert wide == {}


REDRAWN = """new Promise((resolve) => {
    // When the picture of the dumbbell changed while it played, ms, and how many frames of the
    // player that took: those are late where the machine is busy, and pictures with them.
    const times = [];
    let last = "", frames = 0, looks = 0;
    lab.player.addEventListener("frame", () => { frames += 1; });
    const canvas = document.querySelector("#dumbbell canvas");
    const look = (now) => {
        const data = canvas.toDataURL();
        if (data !== last) times.push(now);
        last = data;
        looks += 1;
        if (times.length < 5 && looks < 2000) requestAnimationFrame(look);
        else resolve({ times, frames });
    };
    lab.player.play();
    requestAnimationFrame(look);
})"""
PLAYED = "mode=fixed&parallelism=2&t=2&speed=0.01"


def test_those_who_want_less_motion_get_few_pictures(new_lab: NewLab) -> None:
    lab = new_lab(reduced_motion="reduce").open(PLAYED)
    times = lab.js(REDRAWN)["times"]
    assert len(times) == 5
    # The first change was on its way already. On a slow machine the second one may be seen late;
    # test_lab_view_modules.py tells how long it is from one to the next.
    assert times[4] - times[1] > 750
    assert lab.js("document.getAnimations().length") == 0


def test_all_others_see_it_move(new_lab: NewLab) -> None:
    seen = new_lab(reduced_motion="no-preference").open(PLAYED).js(REDRAWN)
    assert len(seen["times"]) == 5
    assert seen["frames"] < 60
