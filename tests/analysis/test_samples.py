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

BUFFERS = """time_s,session,chunk,connection,receive_buffer_bytes,advertised_window_bytes,\
unread_bytes,send_buffer_bytes,unsent_bytes
0.5,0,0,0,,,,2000000,1000000
1.0,0,0,0,4000000,1,0,2000000,1000000
1.0,0,0,1,4000000,1,2000000,2000000,0
2.0,0,1,0,1000000,1,1000000,2000000,0
"""

HOSTS = """time_s,session,end,host,packets_in,packets_out,interrupts,backlog_drops,\
storage_requests,storage_bytes
0,0,sender,0,,,,,3,3000000
1,0,sender,0,,,,,0,0
0,0,receiver,1,5,4,2,0,,
1,0,receiver,1,9,8,3,1,,
1,0,receiver,2,1,1,1,0,,
7,0,receiver,1,100,100,100,100,,
1,1,receiver,0,50,50,50,50,,
"""

CORES = """time_s,session,end,host,core,busy_s
0,0,receiver,1,0,0.25
1,0,receiver,1,0,1
1,0,receiver,1,1,0.5
2,0,receiver,2,0,0.75
1,1,receiver,0,0,1
"""

ALL = {
    "cwnd": CWND,
    "queue": QUEUES,
    "drops": REFUSED,
    "buffers": BUFFERS,
    "hosts": HOSTS,
    "cores": CORES,
}


def written(folder: Path, **texts: str) -> Path:
    """Write traces, by name."""
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text.replace("\\\n", ""))
    return folder


def head(text: str) -> str:
    """Return traces without a row."""
    return text.replace("\\\n", "").partition("\n")[0] + "\n"


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    return written(tmp_path, **ALL)


def test_each_second_has_means_and_counts(traces: Path) -> None:
    table = per_second(traces)
    assert table["second"].tolist() == [0, 1, 2]
    # second 0: half of 1 MB; second 1: a quarter of 1, of 3, half of 6; second 2: of 6, then of 1,
    # as the connections of the chunk before are closed
    assert table[WINDOWS].tolist() == [0.5, 0.25 + 0.75 + 3.0, 3.5]
    assert table[QUEUE].tolist() == [1.0, 6.0, 4.25]
    assert table[DROPS].tolist() == [0, 2, 1]


def test_hosts_have_what_sar_tells(traces: Path) -> None:
    table = per_second(traces)
    # the hosts of stripes together, the cores apart; the second session and what is beyond the
    # last second do not count
    assert table["sender, storage requests"].tolist() == [3, 0, 0]
    assert table["sender, storage, MB"].tolist() == [3.0, 0.0, 0.0]
    assert table["receiver, packets: in"].tolist() == [5, 10, 0]
    assert table["receiver, packets: out"].tolist() == [4, 9, 0]
    assert table["receiver, interrupts"].tolist() == [2, 4, 0]
    assert table["receiver, packets refused by the backlog"].tolist() == [0, 1, 0]
    assert table["receiver, CPU busy, %: host 1, core 0"].tolist() == [25, 100, 0]
    assert table["receiver, CPU busy, %: host 1, core 1"].tolist() == [0, 50, 0]
    assert table["receiver, CPU busy, %: host 2, core 0"].tolist() == [0, 0, 75]
    assert "sender, packets: in" not in table
    # half a second of 2 MB, then two connections, then one again
    assert table["sender, socket buffers, MB: size"].tolist() == [1.0, 4.0, 2.0]
    assert table["sender, socket buffers, MB: unsent"].tolist() == [0.5, 1.0, 0.0]
    assert table["receiver, socket buffers, MB: size"].tolist() == [0.0, 8.0, 1.0]
    assert table["receiver, socket buffers, MB: unread"].tolist() == [0.0, 2.0, 1.0]


def test_hosts_that_cost_nothing_have_none(tmp_path: Path) -> None:
    free = ALL | {"hosts": head(HOSTS), "cores": head(CORES)}
    table = per_second(written(tmp_path, **free))
    assert table.columns.tolist() == ["second", WINDOWS, QUEUE, DROPS]


def test_what_a_host_never_did_has_no_panel(traces: Path, tmp_path: Path) -> None:
    table = per_second(traces)
    assert b"refused by the backlog" in draw(table)
    idle = table.assign(**{"receiver, packets refused by the backlog": 0})
    assert b"refused by the backlog" not in draw(idle)


def test_they_are_drawn_the_same_each_time(traces: Path) -> None:
    drawn = draw(per_second(traces))
    assert b"<svg " in drawn
    assert drawn == draw(per_second(traces))


def test_a_transfer_without_events_has_no_samples(tmp_path: Path) -> None:
    written(tmp_path, **{name: head(text) for name, text in ALL.items()})
    assert len(per_second(tmp_path)) == 0
