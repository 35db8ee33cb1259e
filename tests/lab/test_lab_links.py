"""The address of the page is its state: a link shows the same elsewhere, a mangled one says so."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from browser import Lab, NewLab, expect
from lesson_tools import open_lesson

RICH = {
    "mode": "aimd", "alpha": "2", "bandwidth": "50Mbps", "delay": "7ms", "window": "256KiB",
    "queue": "40p", "tcp": "newreno", "file-size": "30MB", "chunk-size": "5MB", "run": "4",
    "start-jitter": "3ms", "initial-parallelism": "2",
}  # fmt: skip
"""Options of every kind that differ from their defaults."""


def form(lab: Lab) -> list[str]:
    """What is written in the form, field by field."""
    return lab.js("""[...document.querySelectorAll("#form input, #form select")]
        .map((one) => `${one.id || one.ariaLabel}: ${one.value}`)""")


def drawing(lab: Lab) -> str:
    """The picture of what is on the screen, as it is saved, once it stays so: drops flash."""
    seen = ""
    for _ in range(50):
        before, seen = seen, renumbered(lab.saved("Picture, SVG")[1])
        if seen == before:
            return seen
    raise AssertionError("the picture goes on changing")


def renumbered(svg: str) -> str:
    """A picture whose ids count from 0: they go on from picture to picture."""
    numbers: dict[str, int] = {}
    return re.sub(
        r"(?<=clip-)\d+", lambda found: str(numbers.setdefault(found[0], len(numbers))), svg
    )


def run_so_far(lab: Lab) -> dict[str, Any]:
    result = json.loads(lab.result()["text"], parse_float=str)
    return {part: result[part] for part in result.keys() - {"provenance", "cost"}}


def shared(lab: Lab) -> str:
    """The address that the button Share copies."""
    lab.page.get_by_role("button", name="Share", exact=True).click()
    expect(lab.page.get_by_text("Copied the address of this state")).to_be_visible()
    return lab.js("navigator.clipboard.readText()")


def test_a_link_shows_the_same_in_another_browser(new_lab: NewLab) -> None:
    one = new_lab(permissions=["clipboard-read", "clipboard-write"]).open()
    scenario = {**RICH, "sessions": [{}, {"mode": "mi", "delay": "30ms", "start": "200ms"}],
                "background": [{"tcp": "reno", "start": "1s"}]}  # fmt: skip
    one.js("lab.player.setScenario(value)", scenario)
    one.js("lab.player.setSpeed(0.05)")
    one.seek(2)
    # Somewhere in the midst of it, with an odd time.
    one.js("lab.player.play()")
    one.until("lab.player.state.t > 2.001")
    one.js("lab.player.pause()")
    one.js("lab.player.setView({ kind: 'span', begin: 0.5, end: 3 })")
    one.until("lab.player.state.view.kind === 'span' && lab.player.state.t > 2.001")
    one.until("lab.player.state.catchingUp === null")
    link = shared(one)
    assert link.startswith(f"{one.address}#")

    other = new_lab()
    other.page.goto(link)
    other.page.wait_for_selector("html[data-state=ready]")
    told = ("scenario", "speed", "view", "playing")
    assert {key: other.state[key] for key in told} == {key: one.state[key] for key in told}
    # The engine's time is in whole nanoseconds.
    assert round(other.state["t"] * 1e9) == round(one.state["t"] * 1e9)
    assert other.state["t"] > 2.001
    assert form(other) == form(one)
    assert run_so_far(other) == run_so_far(one)
    assert drawing(other) == drawing(one)
    # And its own address is the same again.
    expect(other.page).to_have_url(link)


def test_a_link_to_a_step_of_a_lesson(new_lab: NewLab) -> None:
    one = new_lab(permissions=["clipboard-read", "clipboard-write"]).open()
    open_lesson(one, 1)
    one.until("location.hash.includes('lesson=')")
    link = shared(one)
    other = new_lab()
    other.page.goto(link)
    other.page.wait_for_selector("html[data-state=ready]")
    title = one.page.locator("#lesson").get_by_role("heading").first.inner_text()
    assert title
    expect(other.page.locator("#lesson").get_by_role("heading").first).to_have_text(title)
    assert other.js("lab.player.state.scenario") == one.js("lab.player.state.scenario")


def test_the_address_is_readable(lab: Lab) -> None:
    lab.js("lab.player.setScenario(value)", {"mode": "aimd", "bandwidth": "1Gbps"})
    lab.seek(1.25)
    lab.until("location.hash.includes('t=1.25')")
    words = lab.js("location.hash").removeprefix("#").split("&")
    assert sorted(words) == ["bandwidth=1Gbps", "mode=aimd", "t=1.25"]
    # The defaults have none; an address without anything is the entry's.
    lab.js("lab.player.setScenario({})")
    lab.until("location.hash === '#t=0'")


def test_going_back_in_the_browser_goes_back_in_the_state(lab: Lab) -> None:
    lab.page.evaluate("location.hash = '#mode=aimd'")
    lab.until("lab.player.state.scenario.mode === 'aimd'")
    lab.page.evaluate("location.hash = '#mode=fixed&parallelism=3'")
    lab.until("lab.player.state.scenario.mode === 'fixed'")
    lab.page.go_back()
    lab.until("lab.player.state.scenario.mode === 'aimd'")


def test_an_address_that_is_given_while_the_page_writes_its_own_is_followed(lab: Lab) -> None:
    # The browser tells of a new address a moment later; a page that is left writes at once.
    lab.page.evaluate("""() => {
        location.hash = "#mode=aimd&t=1";
        window.dispatchEvent(new PageTransitionEvent("pagehide"));
    }""")
    lab.until("lab.player.state.scenario.mode === 'aimd' && lab.player.state.t === 1")
    # From then on the page writes again.
    lab.seek(2)
    lab.until("location.hash === '#mode=aimd&t=2'")


@pytest.mark.parametrize(
    "first", ["mode=mi-plus&t=90", "mode=best", "window=1B", "lesson=window&mode=mi"]
)
def test_the_last_of_two_addresses_is_the_one_that_is_shown(lab: Lab, first: str) -> None:
    lab.page.evaluate(
        """(first) => new Promise((resolve) => {
            window.addEventListener("hashchange", () => {
                window.addEventListener("hashchange", resolve, { once: true });
                location.hash = "#mode=aimd&t=1";
            }, { once: true });
            location.hash = first;
        })""",
        f"#{first}",
    )
    lab.until("lab.player.state.scenario.mode === 'aimd' && lab.player.state.t === 1")
    lab.seek(2)
    lab.until("location.hash === '#mode=aimd&t=2'")
    assert lab.state["scenario"] == {"mode": "aimd"}
    expect(lab.page.get_by_role("alert")).to_be_hidden()


MANGLED = [
    ("bandwidth=apples", '"bandwidth": "apples" is not a number; allowed'),
    ("bandwidth=1Gbps&bandwith=1Gbps", '"bandwith"'),
    ("mode=best", '"mode": "best" is unknown; allowed'),
    ("window=1B", "window"),
    ("parallelism=3", "parallelism"),
    ("mode=aimd&mode=mi", "mode is given twice"),
    ("session=mode%3Dbest", "best"),
    ("background=x", "x"),
    ("t=-1", "t=-1 is not allowed; allowed: a number from 0"),
    ("t=soon", "t=soon"),
    ("speed=0", "speed=0"),
    ("view=everything", "view=everything is not allowed; allowed: whole, last:SECONDS"),
    ("view=span:3:1", "view=span:3:1"),
    ("lesson=none", "lesson=none is unknown; allowed"),
    ("mode", '"mode" has no value'),
    ("%E0%A4%A", "%E0%A4%A"),
    ("<img src=x onerror=alert(1)>", "img"),
]


def test_a_mangled_link_is_told_and_the_defaults_are_shown(lab: Lab) -> None:
    untouched = form(lab)
    alert = lab.page.get_by_role("alert")
    for mangled, words in MANGLED:
        lab.page.evaluate("location.hash = '#mode=aimd&t=1'")
        lab.until("lab.player.state.scenario.mode === 'aimd' && lab.player.state.t === 1")
        expect(alert).to_be_hidden()
        lab.page.evaluate("(hash) => { location.hash = hash; }", f"#{mangled}")
        expect(alert).to_be_visible()
        expect(alert).to_contain_text(words)
        expect(alert).to_contain_text("the page shows the defaults")
        assert alert.locator("p").inner_text().count("\n") == 0
        lab.until("Object.keys(lab.player.state.scenario).length === 0")
        lab.until("lab.player.state.t === 0")
        assert form(lab) == untouched, mangled


@pytest.mark.parametrize(("mangled", "words"), [MANGLED[0], MANGLED[8], MANGLED[13]])
def test_a_mangled_link_to_begin_with(lab: Lab, mangled: str, words: str) -> None:
    lab.open(mangled)
    alert = lab.page.get_by_role("alert")
    expect(alert).to_contain_text(words)
    assert lab.state["scenario"] == {}
    # It works all the same, and the message can be put away.
    lab.seek(1)
    alert.get_by_role("button", name="Dismiss").click()
    expect(alert).to_be_hidden()
    expect(lab.page).to_have_url(re.compile("#t=1$"))
