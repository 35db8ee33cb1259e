"""The scenario form: made of the program's option table, and what is written in it is simulated."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import Lab, expect
from conftest import Runner

if TYPE_CHECKING:
    from playwright.sync_api import Locator

HELD_BY_THE_PAGE = {"engine"}
"""Options of the table that no field is for."""


def entry(lab: Lab, name: str) -> Locator:
    """The entry of an option; that it has its label, the first test asks of all."""
    return lab.page.get_by_role("form", name="Scenario").locator(f"#option-{name}")


def write(lab: Lab, name: str, text: str) -> None:
    """Write a value into a field, as a person does."""
    field = entry(lab, name)
    if field.evaluate("(element) => element.tagName") == "SELECT":
        field.select_option(text)
    else:
        field.fill(text)
        field.press("Enter")


def unfold(lab: Lab) -> None:
    """Show all fields."""
    lab.page.get_by_text("More options").click()


def another(option: dict[str, Any]) -> str:
    """A value that is not the default."""
    if option["name"] == "limit-rate":  # 0bps is none, and next to it too little
        return "1Mbps"
    if option["name"] == "chunk-parallelism":  # a list, though its default is one number
        return "1:2:4"
    if option["kind"] == "switch":
        return "off" if option["default"] == "on" else "on"
    if words := option.get("choices") or option.get("segment_choices"):
        return next(word for word in words if word != option["default"])
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([A-Za-z/]*)", option["default"])
    if not found:
        return {
            "access-bandwidth": "2Gbps",
            "client-delay": "3ms",
            "external-command": "./tuner.py",
            "file-directions": "upload:download",
            "file-sizes": "lognormal",
            "restart": "1000-2000",
            "path-schedule": "0s:20Mbps:50ms,1s:0bps:9ms,2s:5Mbps:9ms",
            "stripes": "2x3",
        }[option["name"]]
    number, unit = float(found[1]), found[2]
    if number == 0:
        return f"1{unit}" if unit or option["kind"] == "whole" else "0.25"
    scale = option["default_value"] / number
    return f"{number * 2 if number * 2 * scale < option['maximum'] else number / 2:g}{unit}"


def options(lab: Lab) -> list[dict[str, Any]]:
    """The options that have a field of one value: those that leave a choice."""
    return [
        option
        for option in lab.js("lab.laboratory.options")
        if option["kind"] != "list"
        and option["scope"] not in ("output", "traffic")
        and option["name"] not in HELD_BY_THE_PAGE
        and len(option.get("choices", [])) != 1
    ]


def floats(text: str) -> list[dict[str, Any]]:
    """The rows of a table of options, with numbers as JavaScript has them."""
    return json.loads(text, parse_int=float)["options"]


ENTRIES = """(names) => names.map((name) => {
    const one = document.getElementById(`option-${name}`);
    return {
        form: one.form.getAttribute("aria-label"),
        labels: [...one.labels].map((label) => label.textContent),
        shown: one.value || one.placeholder,
        told: one.closest(`.field[data-option="${name}"]`).textContent,
    };
})"""
"""What there is of options' entries: all at once, as asking the page one by one takes long."""


def test_every_option_of_the_table_has_a_field_with_its_default(
    lab: Lab, run_program: Runner
) -> None:
    native = run_program("gridftp-transfer", "--describe").stdout
    known = [one for one in floats(native) if "segment" in one["engines"].split(",")]
    shown = {"options": lab.js("lab.laboratory.options")}
    assert floats(json.dumps(shown)) == known
    unfold(lab)
    those = options(lab)
    entries = lab.page.evaluate(ENTRIES, [option["name"] for option in those])
    for option, found in zip(those, entries, strict=True):
        assert found["form"] == "Scenario"
        (label,) = found["labels"]
        name = re.escape(option["name"])
        assert re.search(rf"(^|\s){name}(\s[A-Z]\d?)?$", label.strip()), label
        assert found["shown"] == option["default"], option["name"]
        told = re.sub(r"^(?:[A-Z]\d?|tau), | \([^()]*\)$", "", option["help"])
        assert told in found["told"], option["name"]


SEEN_BY_ALL = """(() => {
    const texts = document.createTreeWalker(document.querySelector("#form"), NodeFilter.SHOW_TEXT);
    const seen = [];
    for (let at = texts.nextNode(); at; at = texts.nextNode()) {
        if (!at.parentElement.closest(".visually-hidden")) seen.push(at.textContent);
    }
    return seen.join(" ");
})()"""


def test_words_come_before_greek_letters(lab: Lab) -> None:
    assert re.findall("[\u03b1-\u03c9]", lab.js(SEEN_BY_ALL)) == []
    # Whoever looks for the papers' letter finds it
    for name, letter in {"delay": "\u03c4", "eta": "\u03b7", "beta": "\u03b2"}.items():
        told = re.compile(f"In the papers: {letter}\\.")
        expect(entry(lab, name)).to_have_accessible_description(told)
    (beta,) = (one for one in lab.js("lab.laboratory.options") if one["name"] == "beta")
    label = lab.page.locator("label[for=option-beta]")
    expect(label).to_have_text(f"{beta['help'].removesuffix(' (aimd)')} beta")


NEEDS = {
    "stripes": {"mode": "fixed"},
    "source": {"source-rate": "1Gbps"},
    "sink": {"sink-rate": "1Gbps"},
    "processing": {"processing-length": "1MB"},
    "protection": {"integrity-rate": "1Gbps"},
    "data-security": {"control-security": "gsi"},
    "server-host": {"direction": "download"},
    "pipelining": {"mode": "fixed", "data-channels": "cached"},
    "ecn": {"stack": "linux"},
    "hystart": {"stack": "linux"},
    "pacing": {"stack": "linux"},
    "pacing-rate": {"stack": "linux"},
    "limit-kind": {"limit-rate": "20Mbps"},
    "limit-burst": {"limit-rate": "20Mbps"},
    "limit-queue": {"limit-rate": "20Mbps"},
    "limit-at": {"limit-rate": "20Mbps"},
    "delay-jitter-distribution": {"delay-jitter": "1ms"},
    "delay-jitter-correlation": {"delay-jitter": "1ms"},
    "delay-jitter-order": {"delay-jitter": "1ms"},
    "delay-jitter-at": {"delay-jitter": "1ms"},
    "reorder-correlation": {"reorder": "0.01"},
    "reorder-gap": {"reorder": "0.01"},
    "retry-wait": {"retries": "2"},
    "retry-wait-most": {"retries": "2"},
    "min-rate-period": {"retries": "2", "min-rate": "1Mbps"},
}
"""What other options have to be for a value of one."""


# Every twentieth one by default: that each option has its field, a test above asks of all.
@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.extensive)])
def test_every_field_changes_what_the_engine_reports(
    lab: Lab, run_program: Runner, step: int
) -> None:
    unfold(lab)
    for option in options(lab)[::step]:
        name, value = option["name"], another(option)
        words = [f"--{name}={value}"]
        needs = dict(NEEDS.get(name, {}))
        if "mi" not in option.get("modes", ["mi"]):  # no effect in the default mode
            needs["mode"] = option["modes"][0]
        if values := option.get("needs", {}).get("values"):
            needs[option["needs"]["options"][0]] = values[0]
        assert needs or "needs" not in option, name
        for other, needed in needs.items():
            words.insert(0, f"--{other}={needed}")
            write(lab, other, needed)
        told = run_program("gridftp-transfer", *words, "--resolve")
        notes = told.stderr.splitlines()
        assert all("has no effect; it needs" in note for note in notes), told.stderr
        expected = json.loads(told.stdout)
        expect(entry(lab, name)).to_be_enabled()
        write(lab, name, value)
        lab.until(
            "lab.player.resolved[value.key] === value.expected",
            {"key": option["key"], "expected": expected[option["key"]]},
        )
        assert lab.js("lab.player.resolved") == expected
        # The run says so, too.
        assert lab.result()["scenario"][option["key"]] == expected[option["key"]]
        lab.page.get_by_role("button", name="Defaults").click()
        lab.until("Object.keys(lab.player.state.scenario).length === 0")


def test_what_has_no_effect_in_a_mode_cannot_be_changed(lab: Lab) -> None:
    for mode, dead in (("fixed", "eta"), ("mi", "parallelism"), ("aimd", "gamma")):
        write(lab, "mode", mode)
        expect(entry(lab, dead)).to_be_disabled()
        expect(lab.page.locator(f"[data-option={dead}]")).to_contain_text("No effect now")


def test_details_are_there_where_they_have_an_effect(lab: Lab) -> None:
    shown = {
        "drop-tail": [],
        "red": ["red-min-threshold", "red-max-threshold", "red-gentle"],
        "codel": ["codel-target", "codel-interval"],
        "fq-codel": ["codel-target", "codel-interval", "fq-codel-flows"],
        "pie": ["pie-target", "pie-update", "pie-burst"],
    }
    details = sorted({name for names in shown.values() for name in names})
    for discipline, names in shown.items():
        write(lab, "queue-discipline", discipline)
        lab.until("lab.player.resolved.queue_discipline === value", discipline)
        for name in details:
            expect(entry(lab, name)).to_be_visible(visible=name in names)
    # What somebody has set stays, with the reason why it does nothing
    write(lab, "pie-target", "20ms")
    write(lab, "queue-discipline", "codel")
    expect(entry(lab, "pie-target")).to_be_disabled()
    expect(lab.page.locator("[data-option=pie-target]")).to_contain_text(
        "No effect now: it needs --queue-discipline=pie"
    )
    # Elsewhere they are grey
    unfold(lab)
    expect(entry(lab, "limit-burst")).to_be_disabled()
    write(lab, "limit-rate", "20Mbps")
    expect(entry(lab, "limit-burst")).to_be_enabled()
    # A further session may turn them on
    lab.open("t=0")
    unfold(lab)
    expect(entry(lab, "retry-wait")).to_be_disabled()
    lab.open("session=retries%3D2&t=0")
    unfold(lab)
    expect(entry(lab, "retry-wait")).to_be_enabled()


def test_hosts_of_today_have_defaults_of_their_own(lab: Lab) -> None:
    words = "[...document.querySelector('#option-tcp').options].map(({value}) => value)"
    (tcp,) = (one for one in lab.js("lab.laboratory.options") if one["name"] == "tcp")
    assert lab.js(words) == tcp["segment_choices"]
    expect(entry(lab, "hystart")).to_be_hidden()
    write(lab, "stack", "linux")
    lab.until("lab.player.resolved.stack === 'linux'")
    assert lab.js(words) == tcp["variants"][0]["segment_choices"]
    unfold(lab)
    shown = {"tcp": "cubic", "initial-window": "10", "delayed-ack": "2", "sack": "on"}
    for name, text in {**shown, "buffers": "linux-receiver", "hystart": "on"}.items():
        expect(entry(lab, name)).to_have_value(text)
        expect(lab.page.locator(f"[data-option={name}]")).not_to_have_class(re.compile("changed"))
    # The default of classic hosts is none of these
    write(lab, "tcp", "reno")
    lab.until("lab.player.resolved.tcp === 'reno'")
    lab.until("location.hash.includes('tcp=reno')")
    write(lab, "initial-window", "2")
    lab.until("lab.player.resolved.initial_window_segments === 2")
    lab.page.get_by_role("button", name="Reset to the default of tcp, cubic").click()
    lab.until("lab.player.resolved.tcp === 'cubic'")
    # With a window of its own no kernel sizes the buffers
    write(lab, "window", "1MiB")
    lab.until("lab.player.resolved.buffers === 'fixed'")
    expect(entry(lab, "buffers")).to_have_value("fixed")
    lab.page.get_by_role("button", name="Add a connection").click()
    lab.until("lab.player.resolved.background[0]?.tcp === 'cubic'")
    put(lab, "background connection 1", "tcp", "bbr")
    lab.until("lab.player.resolved.background[0].tcp === 'bbr'")
    write(lab, "stack", "classic")
    expect(lab.page.get_by_role("form", name="Scenario")).to_contain_text("Not applied")
    put(lab, "background connection 1", "tcp", "newreno")
    lab.until("lab.player.resolved.background[0].tcp === 'newreno'")
    lab.until("lab.player.resolved.tcp === 'reno'")


def test_sliders_and_arrow_keys_go_through_values_that_are_allowed(lab: Lab) -> None:
    slider = lab.page.get_by_role("slider", name="bandwidth", exact=True)
    before = lab.js("lab.player.resolved.bandwidth_bps")
    slider.focus()
    slider.press("ArrowRight")
    lab.until("lab.player.resolved.bandwidth_bps > value", before)
    entry(lab, "bandwidth").focus()
    entry(lab, "bandwidth").press("ArrowDown")
    lab.until("lab.player.resolved.bandwidth_bps === value", before)
    slider.press("Home")
    lab.until("lab.player.resolved.bandwidth_bps < value / 10", before)
    slider.press("End")
    lab.until("lab.player.resolved.bandwidth_bps > value * 10", before)
    expect(lab.page.get_by_role("form")).not_to_contain_text("Not applied")


# Every third option of these by default.
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.extensive)])
def test_the_papers_values_are_one_click_away(lab: Lab, lab_site: Path, step: int) -> None:
    paper = json.loads((lab_site / "paper.json").read_text(encoding="utf-8"))
    assert {"bandwidth", "delay", "eta", "parallelism"} <= paper.keys()
    modes = {option["name"]: option.get("modes", ["mi"]) for option in options(lab)}
    unfold(lab)
    for name, values in list(paper.items())[::step]:
        mode = "mi" if "mi" in modes[name] else modes[name][0]
        write(lab, "mode", mode)
        lab.until("lab.player.resolved.mode === value", mode)
        lab.page.get_by_role("button", name=f"Values of {name}", exact=True).click()
        menu = lab.page.locator(".values-menu:popover-open")
        for value in values:
            expect(
                menu.get_by_role("button", name=re.compile(rf"^{re.escape(value)}\b"))
            ).to_have_count(1)
        chosen = next(value for value in values if value != entry(lab, name).input_value())
        menu.get_by_role("button", name=re.compile(rf"^{re.escape(chosen)}\b")).click()
        lab.until("lab.player.state.scenario[value.name] === value.chosen",
                  {"name": name, "chosen": chosen})  # fmt: skip
        expect(menu).to_have_count(0)
        lab.page.get_by_role("button", name="Defaults").click()
        lab.until("Object.keys(lab.player.state.scenario).length === 0")


@pytest.mark.parametrize(
    ("name", "text"), [("bandwidth", "apples"), ("eta", "1.5"), ("window", "1B")]
)
def test_a_wrong_value_is_told_beside_its_field_and_the_run_goes_on(
    lab: Lab, run_program: Runner, name: str, text: str
) -> None:
    lab.seek(1)
    write(lab, name, text)
    field = entry(lab, name)
    expect(field).to_have_attribute("aria-invalid", "true")
    error = lab.page.locator(f"#option-{name}-error")
    expect(error).to_contain_text(" is ")
    told = error.inner_text()
    native = run_program("gridftp-transfer", f"--{name}={text}").stderr.strip()
    # The program's own words; it names the option in its own way.
    assert told.split(" is ", 1)[1] == native.split(" is ", 1)[1]
    assert f'"{name}": "{text}"' in told or f"--{name}={text}" in told
    assert lab.state["scenario"] == {}
    assert lab.state["t"] == 1
    # Put right, it is forgotten.
    lab.page.get_by_role("button", name=f"Reset to the default of {name}").click()
    expect(field).to_have_attribute("aria-invalid", "false")


def test_all_options_go_back_to_their_defaults_at_once(lab: Lab) -> None:
    lab.open("mode=aimd&bandwidth=20Mbps&session=mode%3Dmi&background=start%3D2s")
    expect(entry(lab, "mode")).to_have_value("aimd")
    lab.page.get_by_role("button", name="Defaults").click()
    lab.until("Object.keys(lab.player.state.scenario).length === 0")
    expect(entry(lab, "mode")).to_have_value("mi")
    lab.until("location.hash === '#t=0'")


def group(lab: Lab, name: str) -> Locator:
    """A further session, a background connection or a fault in the form."""
    return lab.page.get_by_role("group", name=name, exact=True)


def put(lab: Lab, item: str, name: str, text: str) -> Locator:
    """Write an option of such an item into its field."""
    field = group(lab, item).get_by_label(f"{name} of {item}", exact=True)
    if field.evaluate("(element) => element.tagName") == "SELECT":
        field.select_option(text)
    else:
        field.fill(text)
        field.press("Enter")
    return field


def test_further_sessions_and_background_connections(lab: Lab) -> None:
    page = lab.page
    page.get_by_role("button", name="Add a session").click()
    lab.until("lab.player.resolved.sessions[1]?.mode === 'aimd'")
    put(lab, "session 2", "mode", "fixed")
    put(lab, "session 2", "delay", "30ms")
    # One that has no field at once is asked for.
    group(lab, "session 2").get_by_label("Another option of session 2").select_option("parallelism")
    put(lab, "session 2", "parallelism", "3")
    lab.until("lab.player.resolved.sessions[1].parallelism === 3")
    lab.until("lab.player.resolved.sessions[1].delay_s === 0.03")
    lab.until("location.hash.includes('session=mode%3Dfixed,delay%3D30ms,parallelism%3D3')")
    page.get_by_role("button", name="Add a connection").click()
    put(lab, "background connection 1", "start", "500ms")
    lab.until("lab.player.resolved.background[0]?.start_s === 0.5")
    lab.seek(1)
    frame = lab.next_frame("lab.player.setSpeed(0.5)")
    assert len(frame["sessions"]) == 2
    assert len(frame["background"]) == 1
    # Taken back, it is as the first session has it.
    put(lab, "session 2", "delay", "")
    lab.until("lab.player.resolved.sessions[1].delay_s === lab.player.resolved.delay_s")
    page.get_by_role("button", name="Remove session 2", exact=True).click()
    lab.until("lab.player.resolved.sessions.length === 1")
    page.get_by_role("button", name="Remove background connection 1").click()
    lab.until("lab.player.resolved.background.length === 0")
    # What an address has is in the fields.
    lab.open("session=start%3D2s,eta%3D0.5&background=load%3D0.2&background=start%3D1s")
    for item, name, text in (
        ("session 2", "start", "2s"),
        ("session 2", "eta", "0.5"),
        ("session 2", "mode", ""),
        ("background connection 1", "load", "0.2"),
        ("background connection 2", "start", "1s"),
    ):
        expect(group(lab, item).get_by_label(f"{name} of {item}")).to_have_value(text)


def test_what_is_being_written_outlives_an_earlier_change(lab: Lab) -> None:
    lab.page.get_by_role("button", name="Add a session").click()
    lab.until("lab.player.resolved.sessions.length === 2")
    delay = group(lab, "session 2").get_by_label("delay of session 2")
    for field, text in ((delay, "30ms"), (entry(lab, "delay"), "20ms")):
        field.fill(text)
        # As if one that was made before had only been loaded now.
        lab.js("lab.player.setScenario(lab.player.state.scenario)")
        expect(field).to_have_value(text)
        field.press("Enter")
    lab.until("lab.player.resolved.sessions[1].delay_s === 0.03")
    lab.until("lab.player.resolved.delay_s === 0.02")


def test_faults(lab: Lab) -> None:
    lab.page.get_by_role("button", name="Add a fault").click()
    lab.until("lab.player.resolved.faults.length === 1")
    put(lab, "fault 1", "kind", "dtp-dies")
    put(lab, "fault 1", "at", "1s")
    put(lab, "fault 1", "for", "2s")
    lab.until("lab.player.resolved.faults[0].kind === 'dtp-dies'")
    lab.until("location.hash === '#fault=kind%3Ddtp-dies,at%3D1s,for%3D2s'")
    group(lab, "fault 1").get_by_label("Another option of fault 1").select_option("stripe")
    stripe = put(lab, "fault 1", "stripe", "3")
    expect(stripe).to_have_attribute("aria-invalid", "true")
    expect(group(lab, "fault 1")).to_contain_text("does not exist; allowed: 0 to 0")
    assert lab.js("lab.player.resolved.faults[0].stripe") == 0
    lab.open("fault=kind%3Dlink-down,at%3D1s,for%3D2s")
    assert lab.js("lab.player.resolved.faults[0].for_s") == 2


def test_every_wrong_value_is_told_beside_its_own_field(lab: Lab, run_program: Runner) -> None:
    wrong = {"bandwidth": "apples", "delay": "-1ms", "queue": "0.5p"}
    lab.page.get_by_role("button", name="Add a session").click()
    for name, text in wrong.items():
        write(lab, name, text)
    put(lab, "session 2", "delay", "soon")
    put(lab, "session 2", "file-size", "0B")
    for name, text in wrong.items():
        expect(entry(lab, name)).to_have_attribute("aria-invalid", "true")
        told = run_program("gridftp-transfer", f"--{name}={text}").stderr.strip()
        own = lab.page.locator(f"#option-{name}-error")
        expect(own).to_contain_text(told.split(" is ", 1)[1])
    for name, text in (("delay", "soon"), ("file-size", "0B")):
        field = group(lab, "session 2").get_by_label(f"{name} of session 2")
        expect(field).to_have_attribute("aria-invalid", "true")
        own = lab.page.locator(f"#traffic-session-0-{name}-error")
        expect(own).to_contain_text(f'"{text}" is')
    expect(lab.page.locator("#form [aria-invalid=true]")).to_have_count(5)
    # One put right, the others stay; all of them, and it is simulated.
    write(lab, "bandwidth", "50Mbps")
    expect(entry(lab, "bandwidth")).to_have_attribute("aria-invalid", "false")
    expect(lab.page.locator("#form [aria-invalid=true]")).to_have_count(4)
    write(lab, "delay", "20ms")
    write(lab, "queue", "50p")
    put(lab, "session 2", "delay", "30ms")
    put(lab, "session 2", "file-size", "1GB")
    lab.until("lab.player.resolved.bandwidth_bps === 5e7")
    lab.until("lab.player.resolved.sessions[1].file_size_bytes === 1e9")
    expect(lab.page.locator("#form [aria-invalid=true]")).to_have_count(0)


def test_a_keyboard_gets_about(lab: Lab) -> None:
    press, page = lab.page.keyboard.press, lab.page

    def until_focused(name: str) -> None:
        lab.until("(document.activeElement.id || document.activeElement.ariaLabel) === value", name)

    press("Tab")
    press("Tab")
    press("Enter")  # "To the clock", past all of the form
    until_focused("transport")
    press("Tab")
    until_focused("Back to the start")
    page.evaluate("document.activeElement.blur()")
    entry(lab, "bandwidth").focus()
    # One stop for each number; its values are one key away.
    press("Tab")
    until_focused("option-delay")
    press("Alt+ArrowDown")
    expect(page.get_by_role("dialog", name="Values of delay")).to_be_visible()
    press("Tab")
    press("Enter")
    lab.until("lab.player.state.scenario.delay !== undefined")


@pytest.mark.parametrize("playing", [True, False])
def test_a_changed_n_shows_in_the_next_frames(lab: Lab, playing: bool) -> None:
    lab.open("mode=fixed&parallelism=2&t=2&speed=0.2")
    assert {
        one["connection"] for one in lab.next_frame("lab.player.setSpeed(0.1)")["connections"]
    } == {0, 1}
    if playing:
        lab.page.get_by_role("button", name="Play", exact=True).click()
        lab.until("lab.player.state.t > 2.01")
    lab.js("""void lab.player.addEventListener("loaded", () => {
        window.seen = [];
        lab.player.addEventListener("frame", ({ detail }) => window.seen.push(detail));
    }, { once: true })""")
    write(lab, "parallelism", "5")
    if playing:
        # It catches up with the moment at which it was, and goes on.
        lab.until("window.seen?.some(({ now }) => now > 2.01)")
        frames = lab.js("window.seen")
        assert all(one["sessions"][0]["parallelism"] == 5 for one in frames)
        assert len(frames[-1]["connections"]) == 5
        assert lab.state["playing"]
    else:
        lab.until("window.seen?.length > 0")
        assert lab.js("window.seen[0].now") == 0
        assert not lab.state["playing"]
        lab.seek(1)
    expect(lab.page.get_by_role("row", name="N 5", exact=True)).to_be_visible()
    assert lab.js("lab.player.resolved.parallelism") == 5
