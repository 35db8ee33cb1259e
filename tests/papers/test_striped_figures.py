"""The figures of the striped server's paper."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest

from analysis import figures
from analysis.drawing import style
from analysis.read.results import ResultError

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept

PATH = {"bandwidth_bps": 612e6, "access_bandwidth_bps": 1e9, "start_jitter_s": 0}


def over_streams() -> pd.DataFrame:
    """Return two streams, of which a single one gets less with buffers as asked for."""
    rows = [
        swept.runs(label, "fixed", "parallelism", {1: [first], 2: [500.0]}, **PATH)
        for label, first in (("segment", 400.0), ("linux", 600.0))
    ]
    return swept.frame(*rows).assign(window_bytes=7650)


def test_a_line_for_each_reading_of_the_buffers() -> None:
    kind = figures.kinds("allcock/any")["goodput-over-streams"]
    with style.styled():
        figure, table = kind.draw(over_streams(), None)
        figure.draw_without_rendering()
    asked, linux = (list(line.get_ydata()) for line in figure.axes[0].get_lines()[:2])
    assert (asked, linux) == ([400, 500], [600, 500])
    assert figure.axes[0].get_lines()[2].get_ydata()[0] == 612
    assert kind.answer(table) == [
        "With buffers as asked for the most is 500 Mbit/s, at N = 2; a single stream gets 400.",
        "With windows that Linux makes of them the most is 600 Mbit/s, at N = 1; a single stream "
        "gets 600.",
    ]


def test_without_the_papers_buffers_there_is_no_figure() -> None:
    rows = over_streams()
    kind = figures.kinds("allcock/any")["goodput-over-streams"]
    with style.styled(), pytest.raises(ResultError, match="segment"):
        kind.draw(rows[rows["label"] == "linux"], None)
