"""Time in the page: buttons, the typed moment, the sliders, the keyboard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from browser import Lab, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

PACKET_S = 1500 * 8 / 100e6
"""A packet of the default scenario on the bottleneck."""


def button(lab: Lab, name: str) -> Locator:
    """A button of the transport."""
    group = lab.page.get_by_role("group", name="Time", exact=True)
    return group.get_by_role("button", name=name, exact=True)


def speed(lab: Lab) -> float:
    return lab.state["speed"]


def test_play_and_pause(lab: Lab) -> None:
    assert lab.state["t"] == 0
    button(lab, "Play").click()
    lab.until("lab.player.state.playing && lab.player.state.t > 0.3")
    expect(button(lab, "Play")).to_have_count(0)
    button(lab, "Pause").click()
    lab.until("!lab.player.state.playing")
    stopped = lab.next_frame("lab.player.setSpeed(1)")["now"]
    # A frame later it is the same moment still.
    assert lab.next_frame("lab.player.setSpeed(1)")["now"] == stopped
    expect(lab.page.get_by_label("Simulated time in seconds")).to_have_value(f"{stopped:.2f}")


def test_a_step_is_a_packet_where_packets_can_be_seen_else_a_tenth_of_a_second(lab: Lab) -> None:
    lab.seek(1)
    for number, length in ((0.01, PACKET_S), (10, 1)):
        before = lab.next_frame(f"lab.player.setSpeed({number})")["now"]
        button(lab, "Step").click()
        lab.arrive()
        assert lab.state["t"] - before == pytest.approx(length)
    assert not lab.state["playing"]


def test_back_to_the_start(lab: Lab) -> None:
    lab.seek(3)
    assert lab.result()["sessions"][0]["tcp"]["segments"] > 0
    button(lab, "Back to the start").click()
    lab.until("lab.player.state.t === 0")
    expect(lab.page.get_by_label("Simulated time in seconds")).to_have_value("0.00")
    assert lab.next_frame("lab.player.setSpeed(1)")["sessions"][0]["segments"] == 0


def test_slower_and_faster_and_the_slider_of_the_speed(lab: Lab) -> None:
    assert speed(lab) == 1
    button(lab, "Slower").click()
    assert speed(lab) == 0.5
    button(lab, "Faster").click()
    button(lab, "Faster").click()
    assert speed(lab) == 2
    slider = lab.page.get_by_role("slider", name="Speed")
    slider.press("Home")
    assert speed(lab) == 0.0001
    expect(slider).to_have_attribute("aria-valuetext", re.compile("10,000.* slower"))
    button(lab, "Slower").click()
    assert speed(lab) == 0.0001
    slider.press("End")
    assert speed(lab) == 10000
    # It is that much faster indeed: some minutes of the transfer pass in a moment.
    button(lab, "Play").click()
    lab.until("lab.player.state.t > 200")


def test_a_typed_moment_is_gone_to_and_what_is_none_is_refused(lab: Lab) -> None:
    time = lab.page.get_by_label("Simulated time in seconds")
    time.fill("2.5")
    time.press("Enter")
    lab.until("lab.player.state.t === 2.5")
    time.fill("1")
    time.press("Enter")
    lab.until("lab.player.state.t === 1")
    time.fill("soon")
    time.press("Enter")
    expect(time).to_have_attribute("aria-invalid", "true")
    expect(lab.page.get_by_role("group", name="Time", exact=True)).to_contain_text(
        re.compile('"soon" is not a time; allowed: seconds')
    )
    assert lab.state["t"] == 1


def test_the_scrubber_goes_back_and_forth(lab: Lab) -> None:
    lab.seek(4)
    scrubber = lab.page.get_by_role("slider", name=re.compile("^Time, up to"))
    scrubber.fill("500")
    lab.until("lab.player.state.t === 2")
    # What was seen stays in reach.
    scrubber.fill("750")
    lab.until("lab.player.state.t === 3")
    scrubber.press("Home")
    lab.until("lab.player.state.t === 0")


def test_the_end_of_a_transfer(lab: Lab) -> None:
    lab.open("file-size=2MB&speed=100")
    button(lab, "Play").click()
    lab.until("lab.player.state.ended")
    expect(lab.page.get_by_role("group", name="Time", exact=True)).to_contain_text("over")
    expect(button(lab, "Step")).to_be_disabled()
    assert lab.result()["status"] == "done"
    # From there it begins anew.
    lab.js("lab.player.setSpeed(0.1)")
    button(lab, "Play").click()
    lab.until("!lab.player.state.ended && lab.player.state.t > 0 && lab.player.state.t < 0.5")


def test_a_transfer_that_fails_says_why(lab: Lab) -> None:
    lab.open("file-size=1MB&random-loss=0.9&speed=10000")
    button(lab, "Play").click()
    lab.until("lab.player.state.ended")
    reason = lab.result()["reason"]
    assert reason
    expect(lab.page.get_by_role("group", name="Time", exact=True)).to_contain_text(reason)


def test_the_keyboard(lab: Lab) -> None:
    keys = lab.page.keyboard
    keys.press("Space")
    lab.until("lab.player.state.playing")
    keys.press("Space")
    lab.until("!lab.player.state.playing")
    before = lab.state["t"]
    keys.press(".")
    lab.until("lab.player.state.t > value", before)
    keys.press("+")
    assert speed(lab) == 2
    keys.press("-")
    keys.press("-")
    assert speed(lab) == 0.5
    keys.press("0")
    lab.until("lab.player.state.t === 0")
    keys.press("?")
    expect(lab.page.get_by_role("dialog", name="Help")).to_be_visible()
    # What is pressed there is not for the page behind it.
    keys.press("+")
    assert speed(lab) == 0.5
    keys.press("Escape")
    expect(lab.page.get_by_role("dialog", name="Help")).to_be_hidden()


def test_keys_that_are_typed_into_a_field_are_text(lab: Lab) -> None:
    field = lab.page.get_by_role("textbox", name=re.compile("^bandwidth"))
    field.fill("")
    field.press_sequentially("20.0-+ ?")
    assert field.input_value() == "20.0-+ ?"
    assert lab.state["speed"] == 1
    assert not lab.state["playing"]
    expect(lab.page.get_by_role("dialog", name="Help")).to_be_hidden()


def test_everything_is_reached_with_tab_alone(lab: Lab) -> None:
    """The focus goes through all that can be operated and is seen wherever it is."""
    lab.js("document.body.focus()")
    reached, hidden = set(), []
    for _ in range(250):
        lab.page.keyboard.press("Tab")
        name, outline = lab.js("""(() => {
            const one = document.activeElement;
            const style = getComputedStyle(one);
            if (one === document.body) return ["", true];
            const name = one.getAttribute("aria-label") || one.labels?.[0]?.textContent ||
                one.textContent;
            return [name.trim().slice(0, 40),
                style.outlineStyle !== "none" || style.boxShadow !== "none"];
        })()""")
        if name in reached and name.startswith("To the bench"):
            break
        reached.add(name)
        if not outline:
            hidden.append(name)
    wanted = {"Play", "Step", "Back to the start", "Slower", "Faster", "Speed", "Export", "Share",
              "Bench", "Lessons", "zoom in", "whole run", "Add a session"}  # fmt: skip
    assert wanted <= reached, wanted - reached
    assert not hidden
