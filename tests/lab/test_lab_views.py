"""What is drawn: charts, the dumbbell, the model; and the theme."""

from __future__ import annotations

import re
import time

import pytest
from browser import DRAWN, Lab, NewLab, expect
from patience import PATIENCE

BUSY = "mode=fixed&parallelism=3&queue=20p&t=3"
"""Three connections that lose packets."""


STILL, LOOK_MS = 0.5, 250
"""A picture that was the same for so long (s) is taken as settled; between two looks (ms)."""


def picture(lab: Lab, selector: str) -> bytes:
    """What a part of the page looks like, once it stays so: drops flash for a moment."""
    seen, begin = b"", time.monotonic()
    since = begin
    while (now := time.monotonic()) < begin + PATIENCE:
        lab.js(f"{DRAWN}.then(() => new Promise((done) => setTimeout(done, value)))", LOOK_MS)
        before, seen = seen, lab.page.locator(selector).screenshot(animations="disabled")
        if seen != before:
            since = now
        elif now > since + STILL:
            return seen
    raise AssertionError(f"{selector} goes on changing")


def becomes(lab: Lab, selector: str, wanted: bytes) -> bool:
    """Whether a part of the page comes to look so: a busy machine draws late, but it draws."""
    begin = time.monotonic()
    while picture(lab, selector) != wanted:
        if time.monotonic() > begin + PATIENCE:
            return False
    return True


def charts(lab: Lab) -> dict[str, float]:
    """The span that the charts of the next frame show, s."""
    frame = lab.next_frame("lab.player.setSpeed(1)")["charts"]
    return {"begin": frame["begin"], "end": frame["end"]}


def test_every_view_draws_the_run(lab: Lab) -> None:
    parts = ("#charts", "#dumbbell", "#model-chart")
    lab.open(BUSY)
    first = {part: picture(lab, part) for part in parts}
    lab.seek(4)
    for part in parts[:2]:
        assert picture(lab, part) != first[part]
    lab.open(BUSY.replace("parallelism=3", "parallelism=6"))
    for part in parts:
        assert picture(lab, part) != first[part]


def test_the_buttons_of_the_charts(lab: Lab) -> None:
    lab.open(BUSY)
    group = lab.page.get_by_role("group", name="Time span of the charts")
    assert charts(lab)["begin"] == 0
    group.get_by_role("button", name="last 1 s").click()
    lab.until("lab.player.state.view.kind === 'last' && lab.player.state.t === 3")
    shown = charts(lab)
    assert shown["end"] - shown["begin"] == pytest.approx(1, rel=0.01)
    expect(group.get_by_role("button", name="last 1 s")).to_have_attribute("aria-pressed", "true")
    group.get_by_role("button", name="last 10 s").click()
    lab.until("lab.player.state.view.seconds === 10 && lab.player.state.t === 3")
    group.get_by_role("button", name="whole run").click()
    lab.until("lab.player.state.view.kind === 'whole' && lab.player.state.t === 3")
    group.get_by_role("button", name="zoom in").click()
    lab.until("lab.player.state.view.kind === 'span' && lab.player.state.t === 3")
    near = charts(lab)
    before = lab.state["view"]["begin"]
    group.get_by_role("button", name="earlier").click()
    lab.until("lab.player.state.view.begin < value && lab.player.state.t === 3", before)
    early = charts(lab)
    assert early["begin"] < near["begin"]
    assert early["end"] - early["begin"] == pytest.approx(near["end"] - near["begin"], rel=0.01)
    before = lab.state["view"]["begin"]
    group.get_by_role("button", name="later").click()
    lab.until("lab.player.state.view.begin > value && lab.player.state.t === 3", before)
    length = near["end"] - near["begin"]
    group.get_by_role("button", name="zoom out").click()
    lab.until(
        "lab.player.state.t === 3 && (lab.player.state.view.kind === 'whole' ||"
        " lab.player.state.view.end - lab.player.state.view.begin > 1.5 * value)",
        length,
    )


def test_a_span_is_drawn_with_the_mouse_and_left_with_a_double_click(lab: Lab) -> None:
    lab.open(BUSY)
    plot = lab.page.locator("#charts .u-over").first
    box = plot.bounding_box()
    mouse, y = lab.page.mouse, box["y"] + box["height"] / 2
    mouse.move(box["x"] + 0.4 * box["width"], y)
    mouse.down()
    mouse.move(box["x"] + 0.5 * box["width"], y, steps=4)
    mouse.move(box["x"] + 0.6 * box["width"], y, steps=4)
    mouse.up()
    lab.until("lab.player.state.view.kind === 'span' && lab.player.state.t === 3")
    view = lab.state["view"]
    assert view["begin"] == pytest.approx(1.2, abs=0.1)
    assert view["end"] == pytest.approx(1.8, abs=0.1)
    plot = lab.page.locator("#charts .u-over").first
    plot.dblclick()
    lab.until("lab.player.state.view.kind === 'whole' && lab.player.state.t === 3")


def test_what_is_shown_of_the_windows_can_be_chosen(lab: Lab) -> None:
    lab.open(BUSY)
    whole = picture(lab, "#charts")
    threshold = lab.page.get_by_role("checkbox", name=re.compile("ssthresh"))
    threshold.uncheck()
    without = picture(lab, "#charts")
    assert without != whole
    threshold.check()
    legend = lab.page.get_by_role("group", name="Connections shown")
    assert legend.get_by_role("button").count() == 3
    second = legend.get_by_role("button", name="connection 2")
    second.click()
    expect(second).to_have_attribute("aria-pressed", "false")
    assert picture(lab, "#charts") != whole
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")


def numbers_at(lab: Lab, seconds: float) -> dict[str, str]:
    """What the table says of a moment, by name; it is written a little after the frame."""
    rows = lab.page.get_by_role("table").get_by_role("row")
    time_row = rows.filter(has_text=re.compile(r"^time\s*\d"))
    expect(time_row).to_have_text(re.compile(rf"^time\s*{seconds}(\.0+)?\s"))
    return dict(row.split("\t", 1) for row in rows.all_inner_texts())


def test_the_numbers_are_those_of_the_frame(lab: Lab) -> None:
    lab.open(BUSY)
    frame = lab.next_frame("lab.player.setSpeed(1)")
    session = frame["sessions"][0]
    shown = numbers_at(lab, 3)
    assert shown["drops"].strip() == str(frame["drops"])
    assert frame["drops"] > 0
    # 1502 bytes on a link of 100 Mbit/s, of which the scenario has the 1500 of the IP packet
    wait, unit = shown["queueing delay"].split()
    per = {"s": 1, "ms": 1e-3, "µs": 1e-6}
    assert float(wait) * per[unit] == pytest.approx(frame["queue"] * 1500 * 8 / 100e6, rel=0.01)
    own = [one["rtt"] for one in frame["connections"] if one["session"] == 0 and one["connected"]]
    loaded, unit = shown["smoothed RTT"].split("\t")[0].split()
    assert float(loaded) * per[unit] == pytest.approx(sum(own) / len(own), rel=0.01)
    assert float(shown["chunk goodput"].split()[0]) == pytest.approx(
        session["goodput"] / 1e6, rel=0.01
    )
    assert float(shown["N W / R"].split()[0]) == pytest.approx(
        session["windowLimit"] / 1e6, rel=0.01
    )
    assert float(shown["Eq. (1) at N"].split()[0]) == pytest.approx(
        session["model"] / 1e6, rel=0.01
    )


STRUCK = (
    "mode=fixed&file-size=100MB&stripes=4x4&retries=5"
    "&fault=kind%3Ddtp-dies,stripe%3D1,at%3D6s,for%3D2s"
)
"""What lesson 8 shows."""


def test_a_fault_is_marked_while_it_lasts_and_a_restart_is_counted(lab: Lab) -> None:
    lab.open(STRUCK)
    network = lab.page.get_by_role("img", name="Dumbbell network")
    lab.seek(5.9)
    assert "Wrong now" not in (network.get_attribute("aria-label") or "")
    whole = picture(lab, "#dumbbell")
    lab.seek(7)
    expect(network).to_have_attribute("aria-label", re.compile("Wrong now: dtp-dies"))
    assert picture(lab, "#dumbbell") != whole
    lab.seek(8.5)
    expect(network).not_to_have_attribute("aria-label", re.compile("Wrong now"))
    lab.seek(16)
    told = lab.result()["sessions"][0]
    rows = lab.page.get_by_role("table").get_by_role("row")
    expect(rows.filter(has_text="sent again")).to_contain_text("9.1")
    shown = dict(row.split("\t", 1) for row in rows.all_inner_texts())
    assert told["bytes_resent"] == pytest.approx(9.1e6, rel=0.01)
    assert shown["restarts"] == "1, at 6.01 s"
    assert float(shown["marked"].split()[0]) == pytest.approx(
        told["restarts"][0]["held_bytes"] / 1e6, rel=0.01
    )


@pytest.mark.parametrize(
    ("tool", "rate"),
    [("tool%3Drbudp,tool-rate%3D20Mbps", 20), ("tool%3Dbbftp,tool-streams%3D1", 26)],
)
def test_another_tool_has_a_goodput_of_the_whole_file_and_no_chunks(
    lab: Lab, tool: str, rate: float
) -> None:
    lab.open(f"mode=fixed&session={tool},start%3D1s,file-size%3D5MB&t=2")
    shown = numbers_at(lab, 2)
    for name in ("N", "chunk", "R"):
        first, second = shown[name].split("\t")
        assert first[0] in "123456789"
        assert second == "\u2013"
    told = lab.result()["sessions"][1]
    (session,) = lab.js("lab.laboratory.advance(2)")["sessions"][1:]
    # What has come until now, since the first data
    assert session["bytes"] == told["bytes"]
    moved = float(shown["moved"].split("\t")[1].split()[0])
    assert moved == pytest.approx(told["bytes"] / 1e6, rel=0.01)
    seconds = 2 - told["start_s"]
    assert session["goodput"] == pytest.approx(8 * told["bytes"] / seconds, rel=1e-9)
    assert session["goodput"] == pytest.approx(rate * 1e6, rel=0.15)
    lab.seek(9)
    told = lab.result()["sessions"][1]
    assert told["bytes"] == 5_000_000
    (session,) = lab.js("lab.laboratory.advance(9)")["sessions"][1:]
    assert session["goodput"] == pytest.approx(told["goodput_bps"], rel=1e-9)


def test_the_latest_numbers_are_told_to_those_who_hear_them(lab: Lab) -> None:
    lab.open(BUSY)
    told = lab.page.locator("#numbers [aria-live]")
    expect(told).to_contain_text("At 3.0")
    lab.seek(4)
    # Not at once, but although nothing moves any more.
    expect(told).to_contain_text("At 4.0")


def test_packets_move_and_are_hidden_where_none_could_be_seen(lab: Lab) -> None:
    lab.open(f"{BUSY}&speed=0.001")
    first = picture(lab, "#dumbbell")
    lab.page.keyboard.press(".")
    lab.until("lab.player.state.t > 3")
    assert picture(lab, "#dumbbell") != first
    assert len(lab.next_frame("lab.player.setSpeed(0.001)")["packets"]) > 6 * 10
    lab.js("lab.player.setSpeed(1000)")
    # One that was asked for before it played has packets still
    frame = lab.js("""new Promise((resolve) => {
        const begin = lab.player.state.t;
        lab.player.addEventListener("frame", ({ detail }) => {
            if (lab.player.state.playing && detail.now > begin) resolve(detail);
        });
        lab.player.play();
    })""")
    assert frame["packets"] is None


def test_the_theme_is_chosen_kept_and_else_the_systems(new_lab: NewLab) -> None:
    lab = new_lab(color_scheme="light").open(BUSY)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    theme = "document.documentElement.dataset.theme"
    light, drawn = lab.js(ground), picture(lab, "#charts")
    lab.page.emulate_media(color_scheme="dark")
    lab.until(f"{theme} === 'dark'")
    dark = lab.js(ground)
    assert dark != light
    assert picture(lab, "#charts") != drawn
    switch = lab.page.get_by_label("Theme")
    switch.select_option("light")
    lab.until(f"{theme} === 'light'")
    assert lab.js(ground) == light
    assert becomes(lab, "#charts", drawn)
    lab.open(BUSY)
    assert lab.js(ground) == light
    lab.page.get_by_label("Theme").select_option("system")
    lab.until(f"{theme} === 'dark'")
    assert lab.js(ground) == dark


def test_hosts_are_shown_as_the_result_has_them(lab: Lab) -> None:
    lab.open("file-size=5MB&speed=100")
    panel = lab.page.get_by_role("region", name="Hosts")
    lab.until("lab.player.state.catchingUp === null")
    expect(panel).to_be_hidden()
    costs = "receiver-cores=4&receiver-packet-cpu=80us&receiver-call-cpu=1ms&sender-segment-cpu=9us"
    lab.open(f"file-size=5MB&mode=fixed&bandwidth=1Gbps&window=1MiB&receiver-backlog=200p&{costs}")
    lab.seek(1000)
    host = lab.js("lab.laboratory.result()")["sessions"][0]["host"]
    duration = lab.js("lab.laboratory.result()")["sessions"][0]["duration_s"]
    receiver = host["receiver"]
    assert receiver["backlog_drops"] > 0
    for name, value in {
        "… so far": f"{100 * max(receiver['cpu_cores_s']) / duration:.1f} %",
        "CPU: driver": f"{100 * receiver['cpu_driver_s'] / receiver['cpu_busy_s']:.1f} %",
        "backlog drops": str(receiver["backlog_drops"]),
    }.items():
        row = panel.get_by_role("row").filter(has_text=name)
        expect(row.get_by_role("cell").last).to_have_text(value)
    cores = panel.get_by_role("img")
    assert [len(bars.locator("i").all()) for bars in cores.all()] == [1, 4]
    expect(cores.last).to_have_accessible_name(re.compile("core 1: .*core 4: "))
