"""Two scenarios side by side: each runs as it does alone, over one clock and the same axes."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest
from boxes import faults
from browser import Lab, NewLab, expect

A = "mode=fixed&parallelism=4&file-size=8MB&chunk-size=8MB"
B = "mode=fixed&parallelism=1&queue=50p&file-size=8MB&chunk-size=8MB"
BOTH = f"{A}&versus={quote(B, safe='')}"
SIZES = [(1440, 900), (1024, 768), (800, 800), (390, 844)]

OF_A_FRAME = """(({ now, ended, drops, sessions: [{ bytes, meanGoodput, segments }] }) =>
    ({ now, ended, drops, bytes, meanGoodput, segments }))"""


def comparison(lab: Lab) -> Any:
    """What is told of both."""
    return lab.page.get_by_role("region", name="Comparison")


def expect_told(lab: Lab, name: str, *texts: str | re.Pattern[str]) -> None:
    """Wait for a row of that table to say so of A and of B."""
    row = comparison(lab).get_by_role("row", name=re.compile(f"^{name} "))
    expect(row.get_by_role("cell")).to_have_text(list(texts))


def frames(lab: Lab, seconds: float) -> dict[str, Any]:
    """What is shown of a moment, of each run that there is."""
    return lab.js(
        f"""new Promise((resolve) => {{
            const look = ({{ detail }}) => {{
                const {{ own = detail, rival }} = detail;
                if (detail.now < value && !detail.ended) return;
                lab.player.removeEventListener("frame", look);
                const of = {OF_A_FRAME};
                resolve({{ own: of(own), rival: rival && of(rival) }});
            }};
            lab.player.addEventListener("frame", look);
            lab.player.seek(value);
        }})""",
        seconds,
    )


def test_a_link_opens_both_and_each_runs_as_alone(lab: Lab) -> None:
    lab.open(f"{BOTH}&t=0.5")
    expect_told(lab, "parallelism", "4", "1")
    expect_told(lab, "queue", "100p", "50p")
    expect(comparison(lab).get_by_role("row")).to_have_count(6)
    both = {t: frames(lab, t) for t in (1, 2)}
    over = frames(lab, 60)
    expect_told(lab, "finish", *(f"{one['now']:.2f} s" for one in over.values()))
    for name, state in (("own", A), ("rival", B)):
        lab.open(state)
        alone = {t: frames(lab, t)["own"] for t in both}
        assert {t: frame[name] for t, frame in both.items()} == alone
        # To its own end, however long the other one takes
        assert frames(lab, 60)["own"] == over[name]


def test_one_clock_for_both_goes_on_until_both_are_over(lab: Lab) -> None:
    lab.open(f"{BOTH}&t=1.5")
    ends = [frame["now"] for frame in frames(lab, 60).values()]
    assert ends[0] < 2 < ends[1]
    lab.until("lab.player.state.ended")
    # Back, to where one of them is over
    lab.seek(2)
    expect_told(lab, "finish", f"{ends[0]:.2f} s", "not yet")
    assert lab.state["t"] == 2
    assert not lab.state["ended"]
    lab.js("lab.player.play()")
    lab.until("lab.player.state.ended")
    expect_told(lab, "finish", *(f"{end:.2f} s" for end in ends))


AXES = """(() => {
    const inside = (host) => made.filter(({ root }) => document.querySelector(host).contains(root));
    return ["#charts", "#rival-charts"].map((host) => inside(host).map(({ scales, height, root }) =>
        ({ x: [scales.x.min, scales.x.max], y: scales.y.max, height })));
})()"""

TOPS = """["#charts", "#rival-charts"].map((host) =>
    [...document.querySelectorAll(`${host} .charts-panel:not([hidden])`)]
        .map((one) => one.getBoundingClientRect().top))"""

WATCHED = """
    let own;
    globalThis.made = [];
    Object.defineProperty(globalThis, "uPlot", {
        get: () => own,
        set: (real) => {
            own = function (...words) {
                const chart = new real(...words);
                made.push(chart);
                return chart;
            };
            Object.assign(own, real);
        },
    });
"""


@pytest.mark.parametrize(
    "view", ["", pytest.param("&view=span:0.5:1.5", marks=pytest.mark.extensive)]
)
def test_the_charts_have_the_same_axes(new_lab: NewLab, view: str) -> None:
    lab = new_lab(viewport={"width": 1440, "height": 900})
    lab.page.add_init_script(WATCHED)
    # Another flow in A alone: it has a chart more by itself
    lab.open(f"background=start%3D0s&{BOTH}&t=60{view}")
    expect_told(lab, "finish", re.compile(r"\ss$|not yet"), re.compile(r"\ss$|not yet"))
    lab.until(f"{AXES}[0].length === 6 && {AXES}[1].length === 6")
    lab.until(f"(([a, b]) => JSON.stringify(a) === JSON.stringify(b))({AXES})")
    first, second = lab.js(AXES)
    assert first == second
    assert all(one["x"][1] > one["x"][0] for one in first)
    # and they stand at the same height
    tops = lab.js(TOPS)
    assert tops[0] == pytest.approx(tops[1], abs=1)


def test_it_is_begun_changed_and_ended_from_the_bench(lab: Lab) -> None:
    lab.open(f"{A}&t=1")
    page = lab.page
    page.get_by_role("button", name="compare…").click()
    menu = page.get_by_role("dialog", name="Compare")
    menu.get_by_role("textbox").fill("parallelism=none")
    menu.get_by_role("button", name="Compare", exact=True).click()
    expect(menu.get_by_role("status")).to_contain_text("parallelism")
    menu.get_by_role("textbox").fill("--parallelism=2 --queue=100p")
    menu.get_by_role("textbox").press("Enter")
    expect(menu).to_be_hidden()
    expect_told(lab, "parallelism", "4", "2")
    lab.until("location.hash.includes('versus=mode%3Dfixed%26parallelism%3D2')")
    assert lab.state["t"] == 1
    page.get_by_role("button", name="Swap").click()
    lab.until("lab.player.state.scenario.parallelism === '2' && lab.player.state.t === 1")
    expect_told(lab, "parallelism", "2", "4")
    # A changes in the form as ever, and B stays
    lab.js("lab.player.setScenario({ ...lab.player.state.scenario, parallelism: '8' })")
    expect(comparison(lab).get_by_role("row", name="parallelism 8 4")).to_be_visible()
    page.get_by_role("button", name="End the comparison").click()
    expect(comparison(lab)).to_be_hidden()
    assert lab.js("document.activeElement.id") == "bench"
    lab.until("!location.hash.includes('versus')")
    expect(page.locator("#rival-section")).to_be_hidden()


@pytest.mark.extensive
def test_a_lesson_is_of_one_scenario(lab: Lab) -> None:
    lab.open(f"{BOTH}&t=1")
    expect(comparison(lab)).to_be_visible()
    lab.page.get_by_role("button", name="Lessons", exact=True).click()
    lab.page.locator("#lesson-list").get_by_role("listitem").first.get_by_role("button").click()
    expect(comparison(lab)).to_be_hidden()
    lab.until("location.hash.includes('lesson=') && !location.hash.includes('versus')")


@pytest.mark.extensive
def test_the_entry_has_none_and_back_leads_to_both(lab: Lab) -> None:
    lab.open(f"{BOTH}&t=1")
    expect_told(lab, "parallelism", "4", "1")
    lab.page.get_by_role("link", name="GridFTP laboratory").click()
    expect(lab.page.get_by_role("region", name="Contents")).to_be_visible()
    expect(comparison(lab)).to_be_hidden()
    expect(lab.page.locator("#rival-section")).to_be_hidden()
    lab.page.go_back()
    expect_told(lab, "parallelism", "4", "1")
    expect(lab.page.locator("#rival-section")).to_be_visible()


@pytest.mark.extensive
def test_a_second_scenario_that_is_refused_is_told(lab: Lab) -> None:
    lab.open(f"{A}&versus={quote('mode=best', safe='')}")
    expect(lab.page.get_by_role("alert")).to_contain_text('"mode": "best" is unknown')
    expect(comparison(lab)).to_be_hidden()


@pytest.mark.extensive  # test_lab_access.py looks at it at two sizes
def test_all_of_it_can_be_read(new_lab: NewLab) -> None:
    lab = new_lab().open(f"{BOTH}&t=1")
    expect_told(lab, "finish", re.compile(r"\ss$|not yet"), re.compile(r"\ss$|not yet"))
    for width, height in SIZES:
        lab.page.set_viewport_size({"width": width, "height": height})
        assert faults(lab.page) == [], f"{width} x {height}"
        first, second = (
            lab.page.locator(one).bounding_box() for one in ("#charts", "#rival-charts")
        )
        assert first["width"] == pytest.approx(second["width"], abs=1), f"{width} x {height}"
