"""Who comes without a state in the address: a run that shows something, and the way to lesson 1."""

from __future__ import annotations

from browser import Lab, NewLab, expect

SOON_S = 5
"""By then something has to be seen, real time."""


def come(lab: Lab) -> Lab:
    """Open the address as it is printed."""
    return lab.open("")


def test_the_run_of_the_defaults_is_on_and_lesson_1_a_click_away(new_lab: NewLab) -> None:
    lab = come(new_lab(reduced_motion="no-preference"))
    words = lab.page.get_by_role("region", name="What this is")
    assert words.locator("p").inner_text().count(".") == 2
    lab.until("!lab.player.state.playing && lab.player.destination > 30")
    # Standing still, the engine may run it again for its packets: by then it has arrived.
    lab.seek(lab.js("lab.player.destination"))
    chunks = lab.result()["sessions"][0]["gridftp"]["chunks"]
    assert lab.state["scenario"] == {}
    # The first choice of the tuner was seen in time, and where it stands there are more
    assert chunks[0]["end_s"] < SOON_S * lab.state["speed"]
    assert [chunk["parallelism"] for chunk in chunks[:3]] == [1, 2, 4]
    words.get_by_role("button", name="begin with lesson 1").click()
    expect(lab.page.get_by_text("Lesson 1, ")).to_be_visible()
    expect(words).to_be_hidden()
    lab.until("!lab.player.state.playing")


def test_those_who_want_less_motion_see_where_it_leads(new_lab: NewLab) -> None:
    lab = come(new_lab(reduced_motion="reduce"))
    lab.until("lab.player.destination > 30")
    lab.seek(lab.js("lab.player.destination"))
    assert not lab.state["playing"]
    words = lab.page.get_by_role("region", name="What this is")
    words.get_by_role("button", name="Always start on the bench").click()
    expect(words).to_be_hidden()
    come(lab)
    expect(words).to_be_hidden()


def test_a_state_in_the_address_stands(lab: Lab) -> None:
    lab.open("parallelism=4&mode=fixed&t=2")
    assert lab.state["t"] == 2
    assert not lab.state["playing"]
    expect(lab.page.get_by_role("region", name="What this is")).to_be_hidden()
