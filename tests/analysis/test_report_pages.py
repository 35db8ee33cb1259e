"""The report in a browser, from the disk: sorted, filtered, and read by everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from browser import PATIENCE_MS, PHONE, WIDE, expect

from analysis import report
from analysis.claims import Judged

AGAIN = report.Again(
    ("./gridftp reproduce --paper ants --figure 10",),
    "./gridftp run --mode=aimd " + "--session mode=mi " * 30,
    "http://127.0.0.1:8000/#mode=aimd",
)
LONG = "a reason of many words that goes on and on, over more than a single line " * 4
CLAIMS = {
    "ants": [("b-two", "holds", "2 Mbit/s"), ("a-ten", "fails", "10 Mbit/s")],
    "bees": [("c-one", "cannot be judged", "1 Mbit/s"), ("d-three", "holds", "3 Mbit/s")],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small report of two papers."""
    origin = report.Origin(
        pd.DataFrame([("ants/fig01", 3, 3, 0.0)], columns=["sweep", "compared", "equal", "largest"])
    )
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 400"/>'
    figure = report.Picture(report.PAPER, "Figure 1", "G", svg, "fig01.csv", None, [], AGAIN)
    parts = [
        report.Part(
            name, f"Of {name}", "A. Author. A title.",
            [Judged(i, "Fig. 1", f"claim {i}", told, verdict, LONG) for i, verdict, told in claims],
            ["a note"], [figure], [{"what": "Delay", "key": "delay_s", "why": "a test"}],
            {"delay_s": 0.01}, {claims[0][0]: AGAIN}, origin,
        )
        for name, claims in CLAIMS.items()
    ]  # fmt: skip
    path = tmp_path_factory.mktemp("report")
    for name, page in report.build(report.Report(parts, list(CLAIMS))).items():
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_text(page)
    return path


@pytest.fixture
def page(chromium: Any, folder: Path) -> Iterator[Any]:
    context = chromium.new_context(viewport=WIDE)
    context.set_default_timeout(PATIENCE_MS)
    shown = context.new_page()
    faults: list[str] = []
    shown.on("console", lambda message: faults.append(message.text))
    shown.on("pageerror", lambda error: faults.append(str(error)))
    shown.on("request", lambda one: None if one.url.startswith(("file:", "data:")) else (
        faults.append(one.url)))  # fmt: skip
    shown.goto((folder / "report.html").as_uri())
    yield shown
    context.close()
    assert faults == []


def expect_claims(page: Any, *ids: str) -> None:
    """Wait until the rows that are shown, from top to bottom, are those of these ids."""
    rows = page.locator("#claims tbody tr:visible .id")
    expect(rows).to_have_text([re.compile(rf"^\(?{name}\)?$") for name in ids])


def test_a_heading_sorts_up_and_down_and_says_so(page: Any) -> None:
    expect_claims(page, "b-two", "a-ten", "c-one", "d-three")
    heading = page.get_by_role("columnheader", name="simulated value")
    button = heading.get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    # numbers as numbers
    expect_claims(page, "c-one", "b-two", "d-three", "a-ten")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    page.keyboard.press("Enter")
    expect_claims(page, "a-ten", "d-three", "b-two", "c-one")
    expect(heading).to_have_attribute("aria-sort", "descending")
    page.get_by_role("columnheader", name="verdict").get_by_role("button").click()
    first = page.locator("#claims tbody tr:visible .id")
    expect(first.nth(0)).to_contain_text("c-one")
    expect(first.nth(1)).to_contain_text("a-ten")
    expect(page.locator("[aria-sort]")).to_have_count(1)


def test_rows_are_filtered_by_paper_verdict_and_text(page: Any) -> None:
    status = page.get_by_role("status")
    expect(status).to_have_text("4 of 4 claims")
    page.get_by_role("combobox", name="Verdict").select_option("holds")
    expect_claims(page, "b-two", "d-three")
    page.get_by_role("combobox", name="Paper").select_option("bees")
    expect_claims(page, "d-three")
    expect(status).to_have_text("1 of 4 claims")
    page.get_by_role("button", name="All claims").click()
    expect(status).to_have_text("4 of 4 claims")
    page.get_by_role("searchbox", name="Text").fill("MANY claim ten")
    expect_claims(page, "a-ten")


def test_without_scripts_it_is_a_plain_table(chromium: Any, folder: Path) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "report.html").as_uri())
    expect_claims(page, "b-two", "a-ten", "c-one", "d-three")
    assert page.locator("form:visible, button:visible").count() == 0
    context.close()


def test_links_lead_to_the_claim_and_back(page: Any) -> None:
    page.locator("#claims").get_by_role("link", name="bees").first.click()
    expect(page).to_have_url(re.compile("report/bees.html#c-one$"))
    page.get_by_role("link", name="All claims of all papers").click()
    expect(page).to_have_url(re.compile("report.html$"))


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_axe_finds_nothing_and_nothing_sticks_out(
    page: Any, folder: Path, viewport: dict[str, int]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.set_viewport_size(viewport)
    for name in ("report.html", "report/ants.html"):
        page.goto((folder / name).as_uri())
        response = Axe().run(page, options={"resultTypes": ["violations"]}).response
        assert len(response["passes"]) > 10
        assert [one["id"] for one in response["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
