"""The laboratory within a page of others."""

from __future__ import annotations

from html import unescape

import pytest
from boxes import faults
from browser import Lab, NewLab, expect, open_menu

STATE = "mode=fixed&parallelism=2&session=mode%3Daimd&t=1.5"
HIDDEN = "#left, #readings, .page-head, .page-foot"


@pytest.mark.parametrize("size", [(800, 760), (360, 640)])
def test_it_has_the_picture_alone_and_the_way_to_all_of_it(
    new_lab: NewLab, size: tuple[int, int]
) -> None:
    lab = new_lab(viewport={"width": size[0], "height": size[1]})
    page = lab.page
    page.goto(f"{lab.address}?embed#{STATE}")
    page.wait_for_selector("html[data-state=ready]")
    for part in page.locator(HIDDEN).all():
        expect(part).to_be_hidden()
    for part in ("#dumbbell", "#transport", "#charts"):
        expect(page.locator(part)).to_be_visible()
    assert faults(page) == []
    lab.seek(2)
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open in the laboratory").click()
    whole = opened.value
    whole.wait_for_selector("html[data-state=ready]")
    assert whole.url == f"{lab.address}#{STATE.replace('1.5', '2')}"
    expect(whole.locator("#left")).to_be_visible()
    expect(whole.get_by_role("link", name="Open in the laboratory")).to_be_hidden()


def test_the_html_of_the_menu_shows_the_same_state(lab: Lab) -> None:
    lab.open(STATE)
    code = open_menu(lab).locator("#embed-code").inner_text()
    (source,) = [word[5:-1] for word in code.split() if word.startswith("src=")]
    assert unescape(source) == f"{lab.address}?embed#{STATE}"
    lab.page.set_content(code)
    inside = lab.page.frame_locator("iframe")
    expect(inside.locator("html")).to_have_attribute("data-state", "ready")
    expect(inside.locator("[data-transport=time]")).to_have_value("1.50")
    expect(inside.locator("header")).to_be_hidden()
