"""What the page exports is what the programs give: traces, result, command line, picture."""

from __future__ import annotations

import csv
import io
import json
import shlex
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browser import Lab, NewLab, expect, open_menu
from conftest import Runner

SCENARIO = {
    "mode": "fixed", "parallelism": "3", "queue": "20p", "delay": "5ms", "file-size": "20MB",
}  # fmt: skip
STATE = "&".join(f"{name}={value}" for name, value in SCENARIO.items())
WORDS = [f"--{name}={value}" for name, value in SCENARIO.items()]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("view", ["whole", "last:0.5", "span:0.8:1.2"])
def test_the_traces_are_those_of_the_program(
    lab: Lab, run_program: Runner, tmp_path: Path, view: str
) -> None:
    lab.open(f"{STATE}&t=1.5&view={view}")
    run_program("gridftp-transfer", *WORDS, f"--trace={tmp_path}")
    charts = lab.next_frame("lab.player.setSpeed(2)")["charts"]
    begin, end = charts["begin"], min(charts["end"], 1.5)
    wanted = {"whole": (0, 1.5), "last:0.5": (1, 1.5), "span:0.8:1.2": (0.8, 1.2)}[view]
    # The charts have bins of equal width, a thousand of them.
    assert (begin, end) == pytest.approx(wanted, abs=0.001)
    for name in ("cwnd", "queue", "drops"):
        header, *rows = (tmp_path / f"{name}.csv").read_text(encoding="utf-8").splitlines()
        within = [row for row in rows if begin <= float(row.split(",")[0]) <= end]
        file, text = lab.saved(name)
        assert text.splitlines() == [header, *within], name
        assert len(within) > (0 if name == "drops" else 100)
        assert file.startswith("gridftp-fixed-")
        assert file.endswith(".csv")
        assert name in file
        assert next(iter(csv.reader(io.StringIO(text)))) == header.split(",")


def test_the_command_line_gives_the_same_numbers(lab: Lab, run_program: Runner) -> None:
    state = f"{STATE}&session=mode%3Daimd,delay%3D30ms&background=tcp%3Dnewreno,start%3D1s"
    lab.open(f"{state}&t=0.7")
    line = open_menu(lab).locator("#command").inner_text()
    program, verb, *words = shlex.split(line)
    assert (program, verb) == ("./gridftp", "run")
    native = json.loads(run_program("gridftp-transfer", *words).stdout)
    name, text = lab.saved("Result, JSON")
    assert name.endswith(".json")
    ours = json.loads(text)
    assert ours.keys() == native.keys()
    for part in ours.keys() - {"provenance", "cost"}:
        assert ours[part] == native[part], part
    assert len(ours["sessions"]) == 2
    assert len(ours["background"]) == 1


def test_the_command_line_is_copied(new_lab: NewLab) -> None:
    lab = new_lab(permissions=["clipboard-read", "clipboard-write"]).open(STATE)
    open_menu(lab).get_by_role("button", name="Copy", exact=True).click()
    expect(open_menu(lab).get_by_role("status")).to_have_text("Copied")
    copied = lab.js("navigator.clipboard.readText()")
    assert copied == open_menu(lab).locator("#command").inner_text()
    assert "--parallelism=3" in copied


def test_a_changed_scenario_changes_the_command_line(lab: Lab) -> None:
    command = open_menu(lab).locator("#command")
    assert "--parallelism" not in command.inner_text()
    lab.js("lab.player.setScenario({ mode: 'fixed', parallelism: '7' })")
    expect(command).to_contain_text("--parallelism=7")


def test_the_picture_is_an_svg_of_what_is_on_the_screen(lab: Lab) -> None:
    lab.open(f"{STATE}&t=1.5")
    name, text = lab.saved("Picture, SVG")
    assert name.endswith(".svg")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    width, height = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"
    parts = root.findall(f"{SVG}svg")
    assert len(parts) == 3
    for part in parts:
        assert float(part.get("x")) + float(part.get("width")) <= width
        assert float(part.get("y")) + float(part.get("height")) <= height
        assert sum(1 for _ in part.iter()) > 10
    said = " ".join(root.itertext())
    assert "--parallelism=3" in said
    assert "1.5 s" in said
    # Nothing is fetched from elsewhere, and no id is there twice.
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert "http" not in text.replace("http://www.w3.org/", "")
    # It is a picture of this moment.
    lab.seek(1.6)
    assert lab.saved("Picture, SVG")[1] != text


def test_the_picture_in_pixels_has_two_for_each_of_the_page(lab: Lab) -> None:
    lab.open(f"{STATE}&t=1.5")
    drawn = ElementTree.fromstring(lab.saved("Picture, SVG")[1])
    name, content = lab.saved_bytes("Picture, PNG")
    assert name.endswith("-1.5s.png")
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert [width, height] == [int(2 * float(drawn.get(side))) for side in ("width", "height")]
    # The views are in it: a ground alone would be packed into a hundredth
    assert len(content) > width * height / 100


def test_a_long_export_can_be_cancelled(lab: Lab) -> None:
    # A hundred times the default file: half a minute of work.
    lab.js("lab.player.setScenario({ 'file-size': '1TB' })")
    open_menu(lab).get_by_role("button", name="Result, JSON", exact=True).click()
    open_menu(lab).get_by_role("button", name="Cancel", exact=True).click()
    expect(open_menu(lab).get_by_role("status")).to_have_text("Cancelled")
    lab.js("lab.player.setScenario({ 'file-size': '1MB' })")
    assert json.loads(lab.saved("Result, JSON")[1])["status"] == "done"
