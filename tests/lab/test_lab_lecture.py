"""The view for a lecture hall."""

from __future__ import annotations

import re

import pytest
from boxes import faults
from browser import NewLab, expect

STATE = "session=mode%3Daimd,start%3D1s&background=start%3D500ms&t=5"
TEXT_PX = "parseFloat(getComputedStyle(document.documentElement).fontSize)"


@pytest.mark.parametrize("width", [1366, 2732])
def test_one_chart_and_text_that_grows_with_the_window(new_lab: NewLab, width: int) -> None:
    lab = new_lab(viewport={"width": width, "height": width * 768 // 1366}).open(STATE)
    page = lab.page
    chart = page.locator(".charts-heading:visible > :first-child")
    expect(chart).to_have_count(6)
    with page.expect_navigation():
        page.keyboard.press("l")
    page.wait_for_selector("html[data-state=ready]")
    expect(page).to_have_url(f"{lab.address}?lecture#{STATE}")
    lab.arrive()
    expect(chart).to_have_count(1)
    expect(chart).to_have_text(re.compile("^cwnd of each connection"))
    assert lab.js(TEXT_PX) == pytest.approx(0.0145 * width, rel=0.01)
    assert faults(page) == []
    page.get_by_role("combobox", name="Chart").select_option("goodput")
    expect(chart).to_have_text(re.compile("^goodput"))
    expect(chart).to_have_count(1)
    expect(page).to_have_url(f"{lab.address}?lecture=goodput#{STATE}")
    with page.expect_navigation():
        page.get_by_role("button", name="Leave the lecture view").click()
    page.wait_for_selector("html[data-state=ready]")
    expect(page).to_have_url(f"{lab.address}#{STATE}")
    expect(page.locator("#lecture-bar")).to_be_hidden()
