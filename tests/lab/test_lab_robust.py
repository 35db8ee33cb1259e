"""The lab when it is used in a hurry: one request on the heels of another, odd links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browser import STANDING, expect

if TYPE_CHECKING:
    from browser import Lab, NewLab

HEAVY = "mode=fixed&parallelism=64&bandwidth=10Gbps"


def test_jump_back_while_catching_up(lab: Lab) -> None:
    """A jump that a longer one has already passed still arrives where it was asked for."""
    lab.open(HEAVY)
    arrived = lab.js("""(async () => {
        const { player } = lab;
        const far = player.seek(1000);
        while (player.state.catchingUp === null) await new Promise((later) => setTimeout(later, 5));
        // The request under way goes beyond this.
        const near = player.seek(player.state.t + 1e-3);
        const wanted = player.state.t + 1e-3;
        return { far: await far, near: await near, off: player.state.t - wanted };
    })()""")
    assert arrived == {"far": False, "near": True, "off": pytest.approx(0, abs=1e-9)}


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("mode=bogus", "bogus"),
        ("session=mode%3Dmi,parallelism%3D4", "parallelism"),
    ],
)
def test_page_begins_with_a_link_that_the_engine_refuses(
    new_lab: NewLab, state: str, told: str
) -> None:
    """The first link of a page is told of, too, and the defaults are shown."""
    lab = new_lab().open(state)
    problem = lab.page.locator("#problems")
    expect(problem).to_contain_text("the page shows the defaults")
    expect(problem).to_contain_text(told)
    assert lab.state["scenario"] == {}


@pytest.mark.parametrize("seconds", [0.1234567894, 0.1234567896, 1 / 3])
def test_moments_between_two_nanoseconds(lab: Lab, seconds: float) -> None:
    """The engine's clock is coarser than what a slider can ask for; it arrives all the same."""
    lab.seek(seconds)
    assert lab.state["t"] == pytest.approx(seconds, abs=1e-9)
    assert lab.state["catchingUp"] is None


def test_packets_of_a_late_moment_are_caught_up_with(lab: Lab) -> None:
    """To see packets late in a run takes long: the page tells, and stops at a later wish."""
    lab.open(f"{HEAVY}&file-size=1PB")
    told = lab.js("""new Promise((tell) => {
        const { player } = lab;
        let paused = false;
        player.addEventListener("frame", ({ detail }) => {
            // So long, in real time, that it is longer than anybody waits for packets.
            if (paused || detail.cost < 3000 || detail.now < 1.1) return;
            paused = true;
            player.pause();
            player.setSpeed(0.001);
        });
        player.addEventListener("change", ({ detail }) => {
            if (!paused || detail.catchingUp === null) return;
            tell({ catchingUp: detail.catchingUp, destination: player.destination });
            player.seek(0.2);
        });
        player.setSpeed(10000);
        player.play();
    })""")
    assert told["catchingUp"] == told["destination"] > 1
    lab.until("lab.player.state.t === 0.2 && lab.player.state.catchingUp === null")
    frame = lab.next_frame("lab.player.setSpeed(0.002)")
    assert frame["now"] == 0.2
    assert len(frame["packets"]) > 0


def test_readouts_before_anything_is_seen(lab: Lab) -> None:
    """A span of the future has no values yet, and says so."""
    lab.open("view=span:2:4")
    shown = lab.page.locator("#charts .charts-readout:visible")
    expect(shown).to_have_count(5)
    readouts = shown.all_inner_texts()
    assert not [text for text in readouts if "undefined" in text or "NaN" in text]


def test_charts_wait_where_nothing_changes_in_them(lab: Lab) -> None:
    """In slow motion the packets move; the charts, of seconds, are not drawn for nothing."""
    lab.open("t=10&speed=0.001")
    counts = lab.js("""(async () => {
        const { player } = lab;
        const counts = { frames: 0, charts: 0, begin: performance.now() };
        player.addEventListener("frame", ({ detail }) => {
            counts.frames += 1;
            if (detail.charts) counts.charts += 1;
        });
        player.play();
        while (counts.frames < 60) await new Promise((later) => setTimeout(later, 20));
        return { ...counts, seconds: (performance.now() - counts.begin) / 1000 };
    })()""")
    # Where nothing new is in them once a second, else seven times; and once when it begins
    assert 0 <= counts["charts"] <= 2 + counts["seconds"]


def test_a_link_into_a_lesson_tells_what_comes_first(new_lab: NewLab) -> None:
    """Later steps wait for the reader's own prediction, which no link brings along."""
    lab = new_lab().open("lesson=window&step=2")
    expect(lab.page.locator("#lesson .lesson-message")).to_contain_text(
        "Make your prediction first"
    )


@pytest.mark.extensive  # test_lab_layout.py measures all boxes, at other widths
@pytest.mark.parametrize("lesson", [STANDING, "lesson=window"])
@pytest.mark.parametrize("width", [1120, 1280, 1440])
def test_controls_of_time_do_not_overlap(new_lab: NewLab, width: int, lesson: str) -> None:
    """The unit of time, the slower button and the rest each have a place of their own."""
    lab = new_lab(viewport={"width": width, "height": 800}).open(lesson)
    assert (
        lab.js("""(() => {
        const parts = [...document.querySelectorAll("#transport :is(button, input, span)")];
        const boxes = parts.map((part) => part.getBoundingClientRect());
        return boxes.flatMap((one, index) => boxes.slice(index + 1)
            .map((other, next) => [one, other, index, index + 1 + next]))
            .filter(([one, other]) => one.left < other.right - 1 && other.left < one.right - 1
                && one.top < other.bottom - 1 && other.top < one.bottom - 1)
            .map(([, , one, other]) => `${parts[one].outerHTML} ${parts[other].outerHTML}`);
    })()""")
        == []
    )


def test_every_chunk_is_in_every_frame(lab: Lab) -> None:
    """The worker tells a chunk once; it stays, and starts over where the run does."""
    lab.open("mode=fixed&parallelism=4&file-size=6MB&chunk-size=200KB")
    for seconds, packets in [(1, False), (2, False), (3, False), (2.5, True), (100, False)]:
        lab.seek(seconds)
        frame = lab.js(
            "lab.laboratory.advance(lab.player.state.t, { packets: value, budgetMs: 1000 })",
            packets,
        )
        told = [(one["index"], one["start"]) for one in frame["sessions"][0]["chunks"]]
        result = lab.result()["sessions"][0]["gridftp"]["chunks"]
        assert told == [(one["index"], one["start_s"]) for one in result]
    assert len(told) == 30


def test_a_scenario_that_waits_while_the_run_before_fails(lab: Lab) -> None:
    """The engine's problem is told, and what was asked for meanwhile is loaded all the same."""
    lab.js("""(async () => {
        const { player, laboratory } = lab;
        const { advance } = laboratory;
        laboratory.advance = async () => {
            laboratory.advance = advance;
            player.setScenario({ mode: "aimd" });
            throw new Error("out of order");
        };
        player.seek(1);
    })()""")
    lab.until("lab.player.state.scenario.mode === 'aimd'")
    alert = lab.page.get_by_role("alert")
    expect(alert).to_contain_text("out of order")
    alert.get_by_role("button").click()
