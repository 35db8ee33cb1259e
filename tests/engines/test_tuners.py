"""Names and looks of the tuning modes: from the program, and without it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from conftest import Runner

from analysis.drawing import style
from analysis.figures import goodput
from analysis.read import tuners

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept


def test_modes_are_those_that_the_program_declares(run_program: Runner) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)
    (mode,) = [option for option in described["options"] if option["name"] == "mode"]
    assert list(tuners.declared()) == list(style.LOOKS) == mode["choices"]
    for row in described["tuners"]:
        look = style.LOOKS[row["name"]]
        assert look.label == tuners.label(row["name"]) == row["label"]
        assert (look.color, look.marker) == (row["look"]["color"], row["look"]["marker"])


def test_parameters_of_a_mode_are_the_options_that_are_for_it(run_program: Runner) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)
    for row in described["tuners"]:
        own = [one["name"] for one in described["options"] if row["name"] in one.get("modes", [])]
        assert sorted(own) == sorted(row["parameters"])


def test_the_looks_of_the_paper_s_modes() -> None:
    shown = {mode: (style.LOOKS[mode].label, style.LOOKS[mode].color) for mode in style.LOOKS}
    expected = {
        "mi": ("MI", "#0072B2"),
        "mi-plus": ("MI+", "#D55E00"),
        "aimd": ("AIMD", "#CC79A7"),
        "fixed": ("fixed", "#000000"),
    }
    assert {mode: shown[mode] for mode in expected} == expected
    assert style.LOOKS["mi"].linestyle == "-"
    assert style.LOOKS["mi-plus"].linestyle == (0, (4, 2))
    assert [style.LOOKS[mode].size for mode in expected] == [6.4, 4.2, 3.4, 3.0]


def test_modes_have_an_order() -> None:
    assert tuners.ordered(["tcp", "fixed", "mi", "a", "mi"]) == ["mi", "fixed", "a", "tcp"]


def test_without_the_program_modes_have_their_own_names_and_can_be_drawn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(tmp_path))
    assert list(style.LOOKS) == []
    assert tuners.label("mi-plus") == "mi-plus"
    first, second = style.LOOKS["mi"], style.LOOKS["mi-plus"]
    assert (first.label, first.line()["label"]) == ("mi", "mi")
    assert first.color != second.color
    assert style.LOOKS["mi"] == first
    values = {0.01: [9.0], 0.02: [8.0]}
    parts = [swept.runs("all", mode, "delay_s", values) for mode in ("mi", "aimd")]
    with style.styled():
        figure, table = goodput.FIGURE.draw(swept.frame(*parts), None)
    assert table["line"].unique().tolist() == ["aimd", "mi"]
    assert len(figure.axes[0].get_lines()) == 2
