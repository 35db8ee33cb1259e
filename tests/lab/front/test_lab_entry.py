"""The entry: what the laboratory is, lessons and claims to open, and the one step past it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from boxes import faults
from browser import Lab, NewLab, expect

from analysis.claims.sources import texts_of
from analysis.papers import papers
from experiments.programs.draft import Draft
from experiments.programs.program import Program
from experiments.programs.resolve import answers_to, refused
from lab import site
from lab.lessons import load_lessons

SIZES = [(1440, 900), (1024, 768), (390, 844)]
LISTS = ("session", "background", "fault")


def entry(lab: Lab) -> Any:
    """What the entry has beside its first words."""
    return lab.page.get_by_role("region", name="Contents")


@pytest.fixture(scope="module")
def known(lab_site: Path) -> list[dict[str, Any]]:
    """The papers as the page has them."""
    return site.read_data(lab_site / site.PAPERS)


def test_every_shipped_lesson_says_what_it_is_about() -> None:
    lessons = load_lessons()
    topics = [lesson.topic for lesson in lessons]
    assert all(lesson.learn for lesson in lessons)
    # A slip in one of them would be a topic of its own
    assert all(topics.count(topic) > 1 for topic in topics)
    assert {lesson.paper for lesson in lessons} >= set(papers())


def test_the_claims_are_the_papers_and_can_be_simulated(
    known: list[dict[str, Any]], programs: Path
) -> None:
    assert [paper["name"] for paper in known] == list(papers())
    states = []
    for paper, told in zip(papers().values(), known, strict=True):
        texts = [claim["text"] for claim in told["claims"]]
        assert texts
        assert set(texts) <= set(texts_of(paper).values())
        states += [claim["state"] for claim in told["claims"]]
    asked = [read(state).line() for state in dict.fromkeys(states)]
    answers = answers_to(Program(programs / "gridftp-transfer"), asked)
    assert [one for one in answers if refused(one) or one["engine"] != "segment"] == []


def read(state: str) -> Draft:
    """A scenario as an address has it."""
    words = [word.partition("=") for word in state.removeprefix("#").split("&")]
    told = [(name, unquote(text)) for name, _, text in words if name != "t"]
    lists = {name: [text for one, text in told if one == name] for name in LISTS}
    return Draft({name: text for name, text in told if name not in LISTS}, **lists)


def test_it_has_the_lessons_by_topic_and_opens_a_claim(
    new_lab: NewLab, known: list[dict[str, Any]]
) -> None:
    lab = new_lab().open("")
    here = entry(lab)
    lessons = load_lessons()
    for topic in dict.fromkeys(lesson.topic for lesson in lessons):
        section = here.locator("section", has=lab.page.get_by_role("heading", name=topic))
        wanted = [one for one in lessons if one.topic == topic]
        expect(section.get_by_role("button")).to_have_count(len(wanted))
        for lesson, button in zip(wanted, section.get_by_role("button").all(), strict=True):
            expect(button).to_contain_text(lesson.learn)
            expect(button).to_contain_text(f"{lesson.number}. {lesson.title}")
            expect(button).to_contain_text(f"{lesson.minutes} minutes")
    expect(lab.page.locator("#chart-section")).to_be_hidden()
    claim = known[-1]["claims"][-1]
    here.locator("summary").last.press("Enter")
    here.get_by_role("link", name=claim["text"], exact=True).click()
    expect(lab.page.locator("#chart-section")).to_be_visible()
    expect(here).to_be_hidden()
    lab.until("location.hash === value", claim["state"])
    lab.until(
        "JSON.stringify(lab.player.state.scenario) === JSON.stringify(value)",
        read(claim["state"]).line(),
    )
    expect(lab.page.get_by_role("alert")).to_be_hidden()


def test_a_key_or_a_button_leads_past_it_and_back_leads_to_it(new_lab: NewLab) -> None:
    lab = new_lab().open("")
    bench = lab.page.locator("#chart-section")
    expect(lab.page.get_by_role("button", name="Bench", exact=True)).to_have_attribute(
        "aria-pressed", "false"
    )
    lab.page.keyboard.press("b")
    expect(bench).to_be_visible()
    expect(entry(lab)).to_be_hidden()
    assert lab.js("document.activeElement.id") == "bench"
    expect(lab.page.get_by_role("button", name="Bench", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    lab.page.go_back()
    expect(entry(lab)).to_be_visible()
    expect(bench).to_be_hidden()
    lab.page.get_by_role("button", name="To the bench").click()
    expect(bench).to_be_visible()
    lab.page.evaluate("location.hash = '#mode=aimd&t=1'")
    lab.until("lab.player.state.scenario.mode === 'aimd' && lab.player.state.t === 1")
    # From the bench to the start, whose address has nothing in it, and back to the same state
    lab.page.get_by_role("link", name="GridFTP laboratory").press("Enter")
    expect(entry(lab)).to_be_visible()
    assert lab.page.url == lab.address
    lab.page.go_back()
    expect(bench).to_be_visible()
    lab.until("lab.player.state.scenario.mode === 'aimd' && lab.player.state.t === 1")


@pytest.mark.parametrize(
    "search", ["embed", pytest.param("lecture=goodput", marks=pytest.mark.extensive)]
)
def test_other_looks_of_the_page_have_no_entry(new_lab: NewLab, search: str) -> None:
    lab = new_lab(reduced_motion="reduce")
    lab.page.goto(f"{lab.address}?{search}")
    lab.page.wait_for_selector("html[data-state=ready]")
    expect(lab.page.locator("#chart-section")).to_be_visible()
    expect(lab.page.locator("#entry")).to_be_hidden()
    expect(lab.page.locator("#welcome")).to_be_hidden()
    lab.until("lab.player.destination === 90")


@pytest.mark.extensive  # but for the way back test_lab_first_sight.py has it
def test_put_away_it_stays_away(new_lab: NewLab) -> None:
    lab = new_lab(reduced_motion="reduce").open("")
    lab.page.get_by_role("button", name="Always start on the bench").click()
    lab.open("")
    expect(lab.page.locator("#chart-section")).to_be_visible()
    expect(entry(lab)).to_be_hidden()
    lab.page.get_by_role("link", name="GridFTP laboratory").click()
    expect(entry(lab)).to_be_visible()


@pytest.mark.extensive  # test_lab_access.py looks at it at two sizes
def test_all_of_it_can_be_read(new_lab: NewLab) -> None:
    lab = new_lab(reduced_motion="reduce").open("")
    expect(entry(lab).get_by_role("heading", level=3)).to_have_count(4)
    entry(lab).locator("summary").first.click()
    for width, height in SIZES:
        lab.page.set_viewport_size({"width": width, "height": height})
        assert faults(lab.page) == [], f"{width} x {height}"
