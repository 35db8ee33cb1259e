"""What the charts say: who is who, in which unit, and what there is under the pointer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser import PHONE, Lab, NewLab, expect

RACE = (
    "mode=fixed&parallelism=8&t=2&bandwidth=300Mbps"
    "&session=mode%3Dfixed,parallelism%3D8&session=mode%3Dfixed,parallelism%3D4"
)
"""Three sessions with twenty connections, as lesson 5 has them after half a minute."""

AGAINST_ONE = "mode=fixed&parallelism=8&window=512KiB&t=5&background=start%3D0s"
"""Lesson 6."""

LOSING = "mode=fixed&parallelism=3&queue=20p&t=3"

SHOWN = "#charts .charts-heading:not([hidden])"
"""The headings of the panels that are there."""


def heading(lab: Lab, panel: int) -> str:
    """Title and unit of a panel, from the top."""
    return lab.page.locator(f"{SHOWN} > :first-child").nth(panel).inner_text()


def numbers(array: Any) -> list[float]:
    """An array of numbers, as it comes from the page."""
    return list(array.values() if isinstance(array, dict) else array)


def in_bytes(text: str) -> float:
    """A size as it is shown."""
    number, unit = text.replace("\u00a0", " ").split()
    return float(number) * {"B": 1, "kB": 1e3, "MB": 1e6}[unit]


def readout(lab: Lab, panel: int) -> str:
    """What a panel says of the moment."""
    words = lab.page.locator(f"{SHOWN} .charts-readout").nth(panel).inner_text()
    return words.replace("\u00a0", " ")


def test_the_legend_stays_with_many_connections(lab: Lab) -> None:
    lab.open(RACE)
    assert len(lab.next_frame("lab.player.setSpeed(1)")["connections"]) == 20
    legend = lab.page.get_by_role("group", name="Connections shown").get_by_role("button")
    expect(legend).to_have_text(["session 1", "session 2", "session 3"])
    # Colour alone does not tell them apart
    dashes = [line.get_attribute("stroke-dasharray") for line in legend.locator("line").all()]
    assert len(set(dashes)) == 3
    told = readout(lab, 3)
    assert re.fullmatch(r"session 1: [\d.]+ Mbit/s, 2: [\d.]+ Mbit/s, 3: [\d.]+ Mbit/s", told)


def test_every_flows_goodput_and_jains_index_are_told_now_and_at_the_pointer(lab: Lab) -> None:
    lab.open(AGAINST_ONE)
    charts = lab.next_frame("lab.player.setSpeed(1)")["charts"]["intervals"]
    goodputs = [numbers(flow)[-1] for flow in charts["goodputs"]]
    told = re.fullmatch(r"session 1: ([\d.]+) Mbit/s, TCP: ([\d.]+) Mbit/s", readout(lab, 3))
    assert told
    assert [float(text) * 1e6 for text in told.groups()] == pytest.approx(goodputs, rel=0.01)
    length = 1000 * (numbers(charts["ends"])[0] - numbers(charts["begins"])[0])
    found = re.fullmatch(r"goodput, Mbit/s in ([\d.]+)\sms each", heading(lab, 3))
    assert found
    assert float(found[1]) == pytest.approx(length, rel=0.01)
    index = sum(goodputs) ** 2 / (2 * sum(value**2 for value in goodputs))
    assert heading(lab, 4).startswith("Jain's index")
    assert float(readout(lab, 4)) == pytest.approx(index, abs=0.006)
    plot = lab.page.locator("#charts .u-over").nth(4).bounding_box()
    assert plot
    lab.page.mouse.move(plot["x"] + 0.4 * plot["width"], plot["y"] + 5)
    values = lab.page.locator(".charts-values")
    expect(values).to_be_visible()
    bits = [text for text in values.locator("b").all_inner_texts() if "bit/s" in text]
    pointed = re.match(r"session 1: (.*?), TCP: (.*?) at", readout(lab, 3))
    assert pointed
    assert [text.replace("\u00a0", " ") for text in bits] == list(pointed.groups())
    lab.page.mouse.move(0, 0)


def test_on_a_phone_no_value_above_a_chart_is_cut_off(new_lab: NewLab) -> None:
    lab = new_lab(viewport=PHONE)
    lab.open("mode=fixed&parallelism=8&t=2&session=mode%3Dmi,delay%3D30ms&background=start%3D0s")
    told = lab.page.locator("#charts .charts-readout:visible")
    expect(told.nth(3)).to_have_text(re.compile("^session 1: .*, 2: .*, TCP: .*bit/s$"))
    expect(told.nth(4)).to_have_text(re.compile(r"^0\.\d+$"))
    cut = told.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length")
    assert cut == 0
    # A line of its own, not more
    parts = lab.page.locator(SHOWN).nth(3).locator(":scope > *")
    title, values = (parts.nth(place).bounding_box() for place in (0, 1))
    assert title
    assert values
    assert title["y"] + title["height"] <= values["y"] < title["y"] + title["height"] + 4


def test_one_flow_has_no_fairness(lab: Lab) -> None:
    lab.open(LOSING)
    lab.next_frame("lab.player.setSpeed(1)")
    shown = lab.page.locator("#charts .charts-heading:visible > :first-child").all_inner_texts()
    assert [title.split(",")[0] for title in shown] == [
        "cwnd of each connection",
        "queue",
        "drops",
        "smoothed RTT",
        "goodput",
    ]


def test_data_in_flight_are_shown_of_hosts_of_today(lab: Lab) -> None:
    box = lab.page.get_by_role("checkbox", name="in flight")
    lab.open(LOSING)
    expect(box).to_be_hidden()
    lab.open(f"stack=linux&{LOSING}")
    expect(box).to_be_checked()
    frame = lab.next_frame("lab.player.setSpeed(1)")
    flights = [numbers(window["flight"])[-2] for window in frame["charts"]["windows"]]
    assert len(flights) == 3
    assert min(flights) > 0
    box.uncheck()
    lab.open(f"stack=linux&tcp=bbr&{LOSING}")  # another page: nothing is remembered
    expect(box).to_be_checked()
    assert readout(lab, 3).endswith("more than R")


def test_cwnd_in_segments(lab: Lab) -> None:
    lab.open(LOSING)
    segment = lab.next_frame("lab.player.setSpeed(1)")["charts"]["segment"]
    assert segment == 1460
    assert heading(lab, 0) == "cwnd of each connection, kB"
    together, unit = readout(lab, 0).removeprefix("together ").split()
    assert unit == "kB"
    lab.page.get_by_role("checkbox", name="segments").check()
    first = lab.page.locator("#charts .charts-heading").first
    expect(first).to_contain_text("cwnd of each connection, segments")
    counted, unit = readout(lab, 0).removeprefix("together ").split()
    assert unit == "segments"
    assert float(counted) == pytest.approx(float(together) * 1000 / segment, rel=0.02)


def test_drops_say_of_how_long_they_are(lab: Lab) -> None:
    lab.open(LOSING)
    charts = lab.next_frame("lab.player.setSpeed(1)")["charts"]
    milliseconds = 1000 * (charts["end"] - charts["begin"]) / len(charts["times"])
    found = re.fullmatch(r"drops, packets in ([\d.]+)\sms each", heading(lab, 2))
    assert found
    assert float(found[1]) == pytest.approx(milliseconds, rel=0.01)


def test_the_pointer_tells_the_window_of_each_connection(lab: Lab) -> None:
    lab.open(LOSING)
    charts = lab.next_frame("lab.player.setSpeed(1)")["charts"]
    values = lab.page.locator(".charts-values")
    expect(values).to_be_hidden()
    plot = lab.page.locator("#charts .u-over").first.bounding_box()
    assert plot
    lab.page.mouse.move(plot["x"] + 0.7 * plot["width"], plot["y"] + 20)
    expect(values).to_be_visible()
    shown = [in_bytes(text) for text in values.locator("b").all_inner_texts()]
    times, windows = numbers(charts["times"]), charts["windows"]
    aimed = charts["begin"] + 0.7 * (charts["end"] - charts["begin"])
    near = [bin_ for bin_, time in enumerate(times) if abs(time - aimed) < 0.03]
    for place, window in enumerate(windows):
        seen = [numbers(window["last"])[bin_] for bin_ in near]
        assert any(shown[place] == pytest.approx(value, rel=0.01) for value in seen)
    expect(values).to_contain_text("connection 3")
    lab.page.mouse.move(0, 0)
    expect(values).to_be_hidden()
