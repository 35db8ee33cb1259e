"""The view for a lecture hall."""

from __future__ import annotations

import pytest
from boxes import faults
from browser import Lab, NewLab, expect

STATE = "session=mode%3Daimd,start%3D1s&background=start%3D500ms&t=5"
TEXT_PX = "parseFloat(getComputedStyle(document.documentElement).fontSize)"


def charts(lab: Lab) -> list[str]:
    """The titles of the charts that are shown, without their units."""
    shown = lab.page.locator(".charts-heading:visible > :first-child").all_inner_texts()
    return [title.split(",")[0].split(" (")[0] for title in shown]


@pytest.mark.parametrize("width", [1366, 2732])
def test_one_chart_and_text_that_grows_with_the_window(new_lab: NewLab, width: int) -> None:
    lab = new_lab(viewport={"width": width, "height": width * 768 // 1366}).open(STATE)
    page = lab.page
    assert len(charts(lab)) == 6
    with page.expect_navigation():
        page.keyboard.press("l")
    page.wait_for_selector("html[data-state=ready]")
    assert page.url == f"{lab.address}?lecture#{STATE}"
    lab.seek(lab.js("lab.player.destination"))
    assert charts(lab) == ["cwnd of each connection"]
    assert lab.js(TEXT_PX) == pytest.approx(0.0145 * width, rel=0.01)
    assert faults(page) == []
    page.get_by_role("combobox", name="Chart").select_option("goodput")
    expect(page.locator(".charts-heading:visible")).to_have_count(1)
    assert charts(lab) == ["goodput"]
    assert page.url == f"{lab.address}?lecture=goodput#{STATE}"
    with page.expect_navigation():
        page.get_by_role("button", name="Leave the lecture view").click()
    page.wait_for_selector("html[data-state=ready]")
    assert page.url == f"{lab.address}#{STATE}"
    expect(page.locator("#lecture-bar")).to_be_hidden()
