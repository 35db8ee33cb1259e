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


WAN = {"bandwidth_bps": 30e9, "source_total_rate_bps": 0.0, "queue_packets": 1000}


def over_stripes(**scenario: float) -> pd.DataFrame:
    """Return one and four stripes of one and of two streams, and four with a shallow queue."""
    sets = (("segment", 1, [900.0, 3000.0]), ("segment", 2, [900.0, 3600.0]))
    rows = [
        swept.runs(label, "fixed", "parallelism", {streams: goodputs}, **WAN)
        for label, streams, goodputs in sets
    ]
    rows = [row.assign(stripes=["1x1", "4x4"]) for row in rows]
    shallow = swept.runs("shallow", "fixed", "parallelism", {1: [500.0]}, **WAN)
    return swept.frame(*rows, shallow.assign(stripes="4x4")).assign(run=1, **scenario)


def test_a_line_for_each_number_of_streams_over_the_degree_of_striping() -> None:
    kind = figures.kinds("allcock/any")["goodput-over-stripes"]
    with style.styled():
        figure, table = kind.draw(over_stripes(), None)
        figure.draw_without_rendering()
    lines = figure.axes[0].get_lines()[:3]
    assert [list(line.get_xdata()) for line in lines] == [[1, 4], [1, 4], [4]]
    assert [list(line.get_ydata()) for line in lines] == [[0.9, 3.0], [0.9, 3.6], [0.5]]
    assert kind.answer(table)[1:] == [
        "With N = 2 the most is 3.6 Gbit/s, at a degree of 4.",
        "With N = 1, queue of 1000 the most is 0.5 Gbit/s, at a degree of 4.",
    ]


def test_a_line_for_each_rate_of_the_disks_and_one_for_memory() -> None:
    kind = figures.kinds("allcock/any")["goodput-over-stripes"]
    rows = over_stripes()
    rows = rows[rows["parallelism"] == 1]
    disks = rows.assign(source_total_rate_bps=17e9)
    memory = rows[rows["label"] == "segment"].assign(label="memory", goodput_bps=9e9)
    with style.styled():
        _, table = kind.draw(swept.frame(disks, memory), None)
    assert kind.answer(table) == [
        "With memory to memory the most is 9.0 Gbit/s, at a degree of 1.",
        "With disks of 17 Gbit/s the most is 3.0 Gbit/s, at a degree of 4.",
        "With disks of 17 Gbit/s, queue of 1000 the most is 0.5 Gbit/s, at a degree of 4.",
    ]


def test_a_line_for_each_size_of_blocks_that_are_sought() -> None:
    kind = figures.kinds("allcock/any")["seeks-over-streams"]
    rows = swept.runs("segment", "fixed", "parallelism", {1: [900.0], 2: [900.0]}, **PATH)
    small = rows.assign(block_size_bytes=65536, write_seeks=[0, 700])
    large = rows.assign(label="1MiB", block_size_bytes=1048576, write_seeks=[0, 20])
    with style.styled():
        figure, table = kind.draw(swept.frame(small, large), None)
        figure.draw_without_rendering()
    assert [list(line.get_ydata()) for line in figure.axes[0].get_lines()] == [[0, 700], [0, 20]]
    assert kind.answer(table) == [
        "With blocks of 64 KiB the most seeks are 700, at N = 2; at N = 2 there are 700.",
        "With blocks of 1 MiB the most seeks are 20, at N = 2; at N = 2 there are 20.",
    ]
