"""The figure of a sweep of one's own: goodput over whatever is swept."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis import figures
from analysis.drawing import style
from analysis.read import tuners
from analysis.read.results import ResultError

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import itertools

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
        ("beside", ("", '[{"mode": "aimd"}]'), {"alone", "1 next to it"}),
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
    assert "Missing: 1 of 4 runs are not simulated" in picture.get_supxlabel()


def test_what_is_missing_is_said() -> None:
    frame = swept.runs("all", "mi", "eta", {0.1: [9.0, None], 0.2: [8.0, 8.1]})
    assert "Missing: 1 of 4 runs are not simulated" in drawn(frame)[0].get_supxlabel()
    for nothing, message in (
        (frame.assign(goodput_bps=float("nan")), "the results contain no run of the sweep"),
        (pd.DataFrame(), "the results contain no run of the sweep"),
        (frame[frame["eta"] == 0.1], "no parameter that can be on an axis"),
    ):
        with pytest.raises(ResultError, match=message):
            drawn(nothing)


def lines_of(picture: Figure) -> list[tuple[str, str, str]]:
    """Return colour, dashes and marker of each line."""
    lines = picture.axes[0].get_lines()
    return [(one.get_color(), str(one.get_linestyle()), str(one.get_marker())) for one in lines]


@pytest.mark.parametrize("count", [2, 8, 20])
def test_lines_of_one_mode_differ_in_colour_and_have_a_legend(count: int) -> None:
    parts = [
        swept.runs("all", "fixed", "delay_s", {0.01 * x: [9.0] for x in range(1, count + 2)},
                   parallelism=streams)
        for streams in range(1, count + 1)
    ]  # fmt: skip
    picture, _ = drawn(swept.frame(*parts))
    assert len({color for color, _, _ in lines_of(picture)}) == count
    (legend,) = picture.legends
    assert legend.get_title().get_text() == "Parallelism"
    assert [text.get_text() for text in legend.get_texts()] == [
        str(streams) for streams in range(1, count + 1)
    ]


def test_modes_keep_their_colours_where_dashes_tell_the_rest() -> None:
    values = {0.001: [9.0], 0.01: [8.0], 0.02: [7.0], 0.03: [6.0], 0.04: [5.0], 0.05: [4.0]}
    for windows in (2, 4, 5):
        parts = [
            swept.runs("all", mode, "delay_s", values, window_bytes=65536 * 2**number)
            for mode in ("mi", "aimd")
            for number in range(windows)
        ]
        looks = lines_of(drawn(swept.frame(*parts))[0])
        assert len(set(looks)) == 2 * windows
        colors = {color for color, _, _ in looks}
        modes = {style.LOOKS["mi"].color, style.LOOKS["aimd"].color}
        assert (colors == modes) == (windows <= 4)
        assert len(colors) == (2 if windows <= 4 else windows)


def test_too_many_lines_are_refused() -> None:
    many = {key: [9.0] for key in range(1, 40)}
    parts = [
        swept.runs("all", "mi", "delay_s", many, queue_packets=queue) for queue in range(1, 26)
    ]
    with pytest.raises(ResultError, match="the figure has 25 lines; allowed: at most 24"):
        drawn(swept.frame(*parts))


def ticks_of(picture: Figure) -> list[str]:
    return [text.get_text() for text in picture.axes[0].get_xticklabels()]


@pytest.mark.parametrize(
    ("key", "values", "title", "log"),
    [
        ("delay_s", [0.0001 * n for n in range(1, 60)], "Delay (\u00b5s)", True),
        ("queue_packets", list(range(100, 130)), "Queue (packets)", False),
        ("random_loss", [1e-5, 2e-5, 1e-4, 1.1e-4, 1.2e-4, 1e-3], "Random loss", True),
        ("window_bytes", [2**n for n in range(10, 28)], "Window", True),
        ("bandwidth_bps", [1e9, 2e9, 5e9, 6e9, 7e9, 8e9, 9e9, 1e10], "Bandwidth (Gbit/s)", False),
    ],
)  # fmt: skip
def test_ticks_do_not_touch(key: str, values: list[float], title: str, log: bool) -> None:
    picture, _ = drawn(swept.runs("all", "mi", key, {value: [9.0] for value in values}))
    axes = picture.axes[0]
    assert axes.get_xlabel() == title
    assert (axes.get_xscale() == "log") == log
    with style.styled():
        picture.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.get_xticklabels()]
    assert len(boxes) > 2
    assert all(one.x1 < other.x0 for one, other in itertools.pairwise(boxes))


def test_values_far_apart_have_units_of_their_own() -> None:
    sizes = {2**n: [9.0] for n in range(10, 31, 5)}
    picture, _ = drawn(swept.runs("all", "mi", "window_bytes", sizes))
    assert ticks_of(picture) == ["1 KiB", "32 KiB", "1 MiB", "32 MiB", "1 GiB"]


def test_a_band_is_named_where_it_can_be_seen() -> None:
    values = {0.01: [9.0, 9.2], 0.02: [8.0, 8.1]}
    two = [swept.runs("all", mode, "delay_s", values) for mode in ("mi", "aimd")]
    wide = drawn(swept.frame(*two))[0]
    assert "bands: 95 % intervals" in wide.get_supxlabel()
    names = [text.get_text() for text in wide.legends[0].get_texts()]
    assert names[-1] == "95 % interval of the mean"
    values = {0.01: [9.0, 9.0001], 0.02: [8.0, 8.0001]}
    two = [swept.runs("all", mode, "delay_s", values) for mode in ("mi", "aimd")]
    narrow = drawn(swept.frame(*two))[0]
    assert "are narrower than the lines" in narrow.get_supxlabel()
    assert len(narrow.legends[0].get_texts()) == 2


def test_the_caption_tells_no_parameter_that_the_mode_does_not_know() -> None:
    if not tuners.declared():
        pytest.skip("the program is not built")
    for mode, told, untold in (
        ("fixed", "N = 1", "$\\eta$"), ("mi", "$\\eta$ = 0.8", "N = 1")
    ):  # fmt: skip
        caption = drawn(swept.runs("all", mode, "delay_s", VALUES))[0].get_supxlabel()
        assert told in caption
        assert untold not in caption
