"""Tuning by hand in the page: it stops before each chunk, and compares itself with others."""

from __future__ import annotations

from browser import Lab, expect

PATH = "mode=by-hand&file-size=8MB&chunk-size=2MB&bandwidth=40Mbps"
"""Four chunks, the windows of two connections fill the path."""


def decide(lab: Lab, number: str) -> None:
    """Enter a number, and go on."""
    group = lab.page.get_by_role("group", name="Tuning by hand")
    group.get_by_role("spinbutton").fill(number)
    group.get_by_role("button", name="Go on").click()


def test_it_stops_before_each_chunk_and_what_was_decided_is_in_the_scenario(lab: Lab) -> None:
    lab.open(f"{PATH}&speed=10")
    group = lab.page.get_by_role("group", name="Tuning by hand")
    for chunk, number in enumerate(["2", "1", "3", "4"]):
        expect(group).to_contain_text(f"Chunk {chunk + 1} of 4: how many connections?")
        decide(lab, number)
        lab.until("!lab.player.state.playing && lab.player.state.t > 0")
        if chunk < 3:
            expect(group).to_contain_text(f"Chunk {chunk + 1} used {number} and got")
    lab.until("lab.player.state.ended")
    expect(group).to_contain_text("All chunks have arrived at")
    assert lab.state["scenario"]["chunk-parallelism"] == "2:1:3:4"
    lab.until("location.hash.includes('chunk-parallelism=2:1:3:4')")
    chunks = lab.result()["sessions"][0]["gridftp"]["chunks"]
    assert [chunk["parallelism"] for chunk in chunks] == [2, 1, 3, 4]


def test_a_decision_can_be_taken_back_and_another_chunk_passed_within_a_frame(lab: Lab) -> None:
    lab.open(f"{PATH}&chunk-parallelism=2:2:2")
    # In the second chunk: what was decided of the third one is forgotten with a new number.
    ends = "lab.laboratory.run(lab.player.state.scenario).then((r) => r.sessions[0].gridftp.chunks)"
    lab.seek(lab.js(ends)[0]["end_s"] + 0.01)
    decide(lab, "5")
    lab.until("lab.player.state.scenario['chunk-parallelism'] === '2:5'")
    lab.until("!lab.player.state.playing")
    # So fast that all the rest passes in a frame, it goes back to where the third one begins.
    lab.open(f"{PATH}&speed=10000")
    decide(lab, "1")
    group = lab.page.get_by_role("group", name="Tuning by hand")
    expect(group).to_contain_text("Chunk 1 used 1 and got")
    lab.until("!lab.player.state.playing && lab.player.state.t === lab.player.destination")
    expect(group).to_contain_text("Chunk 2 of 4")
    # Who does not want to be asked is not.
    group.get_by_label("Stop before each chunk").uncheck()
    decide(lab, "2")
    lab.until("lab.player.state.ended")


def test_what_is_no_number_of_connections_is_told(lab: Lab) -> None:
    lab.open(PATH)
    group = lab.page.get_by_role("group", name="Tuning by hand")
    for number in ("0", "1025", "1.5", ""):
        decide(lab, number)
        said = f"{number!r} is not a number of connections; allowed: 1 to 1024"
        expect(group).to_contain_text(said.replace("'", '"'))
        assert lab.state["t"] == 0
        assert not lab.state["playing"]


def test_it_is_compared_with_tuners_and_the_best_fixed_number(lab: Lab) -> None:
    lab.open(f"{PATH}&chunk-parallelism=2:2:2:2&t=30")
    lab.until("lab.player.state.ended")
    group = lab.page.get_by_role("group", name="Tuning by hand")
    group.get_by_role("button", name="Compare").click()
    rows = group.get_by_role("row")
    expect(rows).to_have_count(6)
    names = [text.split("\t")[0] for text in rows.all_inner_texts()[1:]]
    shown = [text.split("\t")[1] for text in rows.all_inner_texts()[1:]]
    assert names[:4] == ["by hand", "MI", "MI+", "AIMD"]
    best = int(names[4].removeprefix("fixed, N = "))
    path = {"file-size": "8MB", "chunk-size": "2MB", "bandwidth": "40Mbps"}
    fixed = {
        n: lab.js(
            "lab.laboratory.run(value).then((result) => result.sessions[0].duration_s)",
            {**path, "mode": "fixed", "parallelism": str(n)},
        )
        for n in range(1, 9)
    }
    assert best == min(fixed, key=lambda n: fixed[n])
    assert shown[4] == f"{fixed[best]:.2f} s"
    assert shown[0] == f"{fixed[2]:.2f} s"


def test_it_is_there_for_that_mode_alone(lab: Lab) -> None:
    group = lab.page.get_by_role("group", name="Tuning by hand")
    expect(group).to_be_hidden()
    lab.page.get_by_label("mode", exact=True).select_option("by-hand")
    expect(group).to_be_visible()
