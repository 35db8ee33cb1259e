"""The figure of a sweep of one's own: goodput over whatever is swept."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis import figures
from analysis.drawing import style
from analysis.read.results import ResultError

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept

KIND = figures.kinds()["goodput"]
VALUES = {0.001: [9.0, 9.2], 0.01: [7.0, 7.2], 0.1: [3.0, 3.2]}


def drawn(frame: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    with style.styled():
        return KIND.draw(frame, None)


def test_one_line() -> None:
    picture, table = drawn(swept.runs("all", "mi", "delay_s", VALUES))
    assert table["line"].unique().tolist() == ["goodput"]
    assert table["delay_s"].tolist() == [0.001, 0.01, 0.1]
    assert table["goodput_bps"].tolist() == pytest.approx([9.1e6, 7.1e6, 3.1e6])
    # two values 0.2 apart: s = 0.1414, t = 12.706 for one degree of freedom
    assert table["high_bps"].iloc[0] == pytest.approx(9.1e6 + 12.7062 * 0.1e6, rel=1e-4)
    assert picture.axes[0].get_xlabel() == "Delay (ms)"
    assert picture.axes[0].get_xscale() == "log"
    assert not picture.legends
    assert "$\\tau$" not in picture.get_supxlabel()


def test_lines_are_what_differs_beside_the_axis() -> None:
    parts = [
        swept.runs("all", mode, "delay_s", VALUES, window_bytes=window)
        for mode in ("mi", "aimd")
        for window in (65536, 100000)
    ]
    picture, table = drawn(swept.frame(*parts))
    assert table["line"].unique().tolist() == [
        "AIMD, window 64 KiB", "AIMD, window 100 kB", "MI, window 64 KiB", "MI, window 100 kB",
    ]  # fmt: skip
    assert "W =" not in picture.get_supxlabel()
    assert {line.get_color() for line in picture.axes[0].get_lines()} == {
        style.LOOKS["mi"].color, style.LOOKS["aimd"].color,
    }  # fmt: skip


def test_what_follows_from_the_axis_is_no_line() -> None:
    frame = swept.runs("all", "mi", "bandwidth_bps", {10e6: [9.0], 20e6: [18.0], 40e6: [30.0]})
    frame["access_bandwidth_bps"] = frame["bandwidth_bps"] * 10
    picture, table = drawn(frame)
    assert table["line"].unique().tolist() == ["goodput"]
    assert picture.axes[0].get_xlabel() in (
        "Bandwidth (Mbit/s)", "Access bandwidth (Mbit/s)",
    )  # fmt: skip


def test_words_switches_and_others_beside_it_set_lines_apart() -> None:
    base = swept.runs("all", "mi", "delay_s", {0.01: [9.0, 9.1], 0.02: [8.0, 8.1]})
    for column, values, names in (
        ("tcp", ("reno", "newreno"), {"tcp reno", "tcp newreno"}),
        ("sack", (True, False), {"sack on", "sack off"}),
        ("beside", ("", '[{"mode": "aimd"}]'), {"alone", "1 beside it"}),
    ):
        both = swept.frame(*(base.assign(**{column: value}) for value in values))
        table = drawn(both)[1]
        assert {name.split(" (")[0] for name in table["line"]} == names
        assert table["runs"].tolist() == [2, 2, 2, 2]


def test_each_session_of_a_run_is_a_line_of_its_own() -> None:
    first = swept.runs("all", "mi", "delay_s", {0.01: [9.0, None], 0.02: [8.0, 8.1]})
    second = swept.runs("all", "mi", "delay_s", {0.01: [1.0, None], 0.02: [2.0, 2.2]})
    picture, table = drawn(swept.frame(first, second.assign(session=1)))
    assert table["line"].tolist() == ["session 0"] * 2 + ["session 1"] * 2
    assert table["goodput_bps"].tolist() == pytest.approx([9e6, 8.05e6, 1e6, 2.1e6])
    assert table["runs"].tolist() == [1, 2, 1, 2]
    assert "Missing: 1 of 4 runs are not done" in picture.get_supxlabel()


def test_what_is_missing_is_said() -> None:
    frame = swept.runs("all", "mi", "eta", {0.1: [9.0, None], 0.2: [8.0, 8.1]})
    assert "Missing: 1 of 4 runs are not done" in drawn(frame)[0].get_supxlabel()
    for nothing, message in (
        (frame.assign(goodput_bps=float("nan")), "no run of the sweep is done"),
        (pd.DataFrame(), "no run of the sweep is done"),
        (frame[frame["eta"] == 0.1], "nothing that can be on an axis"),
    ):
        with pytest.raises(ResultError, match=message):
            drawn(nothing)


def test_too_many_lines_are_refused() -> None:
    many = {key: [9.0] for key in range(1, 20)}
    parts = [
        swept.runs("all", "mi", "delay_s", many, queue_packets=queue) for queue in range(1, 14)
    ]
    with pytest.raises(ResultError, match="it has 13 lines; allowed: at most 12"):
        drawn(swept.frame(*parts))
