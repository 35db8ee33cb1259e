"""Samples of a transfer, second by second, from traces made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.samples import DROPS, QUEUE, WINDOWS, draw, per_second

CWND = """time_s,session,chunk,connection,cwnd_bytes,ssthresh_bytes
0.5,0,0,0,1000000,
1.25,0,0,1,2000000,
1.5,0,0,0,4000000,
2.5,0,1,0,1000000,
"""

QUEUES = """time_s,packets
0.75,4
1.5,8
2.5,0
2.75,1
"""

REFUSED = """time_s,session,chunk,connection,sequence
1.1,0,0,0,5
1.9,0,0,0,6
2.0,0,0,0,7
"""


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    for name, text in (("cwnd", CWND), ("queue", QUEUES), ("drops", REFUSED)):
        (tmp_path / f"{name}.csv").write_text(text)
    return tmp_path


def test_each_second_has_means_and_counts(traces: Path) -> None:
    table = per_second(traces)
    assert table["second"].tolist() == [0, 1, 2]
    # second 0: half of 1 MB; second 1: a quarter of 1, of 3, half of 6; second 2: of 6, then of 1,
    # as the connections of the chunk before are closed
    assert table[WINDOWS].tolist() == [0.5, 0.25 + 0.75 + 3.0, 3.5]
    assert table[QUEUE].tolist() == [1.0, 6.0, 4.25]
    assert table[DROPS].tolist() == [0, 2, 1]


def test_they_are_drawn_the_same_each_time(traces: Path) -> None:
    drawn = draw(per_second(traces))
    assert b"<svg " in drawn
    assert drawn == draw(per_second(traces))


def test_a_transfer_without_events_has_no_samples(tmp_path: Path) -> None:
    for name, text in (("cwnd", CWND), ("queue", QUEUES), ("drops", REFUSED)):
        (tmp_path / f"{name}.csv").write_text(text.partition("\n")[0] + "\n")
    assert len(per_second(tmp_path)) == 0
