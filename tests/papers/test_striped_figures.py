"""The figures of the striped server's paper."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis import figures, papers
from analysis.claims.runs import judge_run_claim, run_claims_of
from analysis.drawing import style
from analysis.read.results import Result, ResultError
from papers.allcock import judges
from papers.allcock.figures import many_files

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
        "With buffers as requested the most is 500 Mbit/s, at N = 2; a single stream gets 400.",
        "With windows that Linux derives from them the most is 600 Mbit/s, at N = 1; a single "
        "stream gets 600.",
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


def over_nodes(label: str, end: str, seek_s: float, rates: dict[int, float]) -> pd.DataFrame:
    """Return what one and more nodes read or write, of which each works half of 10 s."""
    rows = [
        swept.runs(label, "fixed", "run", {0: [rate]}).assign(
            stripes=f"{nodes}x{nodes}", duration_s=10.0, block_size_bytes=2**20,
            read_busy_s=np.nan, write_busy_s=np.nan,
        ).assign(**{f"{end}_busy_s": 5.0 * nodes})
        for nodes, rate in rates.items()
    ]  # fmt: skip
    total = 0.0 if label.startswith("disks") else 17e9
    ends = {"read": "source", "write": "sink"}
    return swept.frame(*rows).assign(**{
        f"{name}_{key}": value if each == end else 0.0
        for each, name in ends.items()
        for key, value in (("total_rate_bps", total), ("total_seek_s", seek_s))
    })  # fmt: skip


def test_a_line_for_each_file_system_over_the_nodes_that_use_it() -> None:
    kind = figures.kinds("allcock/any")["storage-over-nodes"]
    rows = swept.frame(
        over_nodes("segment", "read", 0, {1: 1000.0, 32: 17000.0}),
        over_nodes("segment", "read", 1e-3, {1: 1000.0, 32: 9000.0}),
        over_nodes("disks", "read", 0, {1: 1000.0, 32: 32000.0}),
        over_nodes("written", "write", 0, {1: 900.0, 32: 16000.0}),
    )
    with style.styled():
        figure, table = kind.draw(rows, None)
        figure.draw_without_rendering()
    read, written = (axes.get_lines() for axes in figure.axes)
    assert [list(line.get_ydata()) for line in read] == [[1, 17], [1, 9], [1, 32]]
    assert [list(line.get_ydata()) for line in written] == [[0.9, 16]]
    assert table["busy"].tolist() == [0.5] * 8
    assert kind.answer(table)[1:3] == [
        "One of 17 Gbit/s, seeks of 1 ms: 9.0 Gbit/s are read by 32 nodes, 1.00 by 1.",
        "A disk at each node: 32.0 Gbit/s are read by 32 nodes, 1.00 by 1.",
    ]


def tuned(label: str, whole: list[float], each: list[float]) -> pd.DataFrame:
    """Return runs of one mode, with one tuner for all pairs of stripes and with one for each."""
    sides = {"whole": whole, "each": each}
    rows = [
        swept.runs(label, "mi", "eta", {0.8: values}).assign(stripe_tuning=side)
        for side, values in sides.items()
    ]
    return swept.frame(*rows)


def test_which_tuner_of_stripes_is_better_is_told_run_by_run() -> None:
    kind = figures.kinds("allcock/any")["stripe-tuning"]
    fixed = swept.runs("unequal, fixed", "fixed", "parallelism", {1: [40.0, 40.0], 6: [80.0, 80.0]})
    rows = swept.frame(
        tuned("equal", [50.0, 52.0], [50.0, 52.0]),
        tuned("unequal", [20.0, 22.0], [60.0, 66.0]),
        tuned("loss", [50.0, 52.0], [40.0, 41.6]),
        fixed.assign(stripe_tuning="whole"),
    )
    with style.styled():
        figure, table = kind.draw(rows, None)
        figure.draw_without_rendering()
    shown = [axes.get_title(loc="left") for axes in figure.axes if axes.get_visible()]
    assert shown == ["equal parts", "unequal parts", "equal parts and random loss"]
    said = figure.get_supxlabel()
    assert "Missing: equal parts, competing with plain TCP; fixed N with equal parts" in said
    assert kind.answer(table)[:4] == [
        "By the 95 % intervals, and by at least 0.1 %, a tuner for each pair gets more in 1 of 3 "
        "cases, unequal parts (MI); less in 1 of 3 cases, equal parts and random loss (MI). "
        "By chance alone, about 0.2 of these cases would differ.",
        "With equal parts its goodput differs by less than 0.1 %.",
        "With unequal parts its goodput differs by +200.0 \u00b1 0.0 %.",
        "With equal parts and random loss its goodput differs by -20.0 \u00b1 0.0 %.",
    ]
    best = table[table["what"] == "over best fixed"].set_index("stripe_tuning")["mean"]
    assert dict(best) == pytest.approx({"whole": 21 / 80, "each": 63 / 80})
    with style.styled():
        _, single = kind.draw(rows[rows["run"] == 1], None)
    assert (
        kind.answer(single)[0]
        == "Which is better cannot be determined: a single run has no confidence interval."
    )


def many(label: str, way: str, size: int, numbers: tuple[int, int], mbps: float) -> pd.DataFrame:
    """Return a run of files of one size: concurrency, pipelining, and the goodput of all."""
    row = swept.runs(label, "fixed", "file_size_bytes", {size: [mbps]}, direction=way)
    return row.assign(concurrency=numbers[0], pipelining=numbers[1])


def of_many_files(way: str, last: float) -> list[pd.DataFrame]:
    """Return three sizes in four ways, the largest with 4 at a time at a rate of its own."""
    rates = {
        (1, 1): (1, 20, 90),
        (1, 16): (3, 40, 91),
        (4, 1): (4, 30, last),
        (4, 16): (12, 95, 95),
    }
    sizes = [
        many("sizes", way, size, numbers, mbps)
        for numbers, own in rates.items()
        for size, mbps in zip((10**4, 10**5, 10**6), own, strict=True)
    ]
    ahead = [many("ahead", way, 10**5, (1, n), mbps) for n, mbps in ((1, 20), (2, 40), (4, 41))]
    together = [many("at a time", way, 10**5, (n, 1), 20 * n) for n in (1, 2, 4)]
    return [*sizes, *ahead, *together]


def test_what_gets_more_of_many_files_is_told_by_their_size() -> None:
    kind = figures.kinds("allcock/any")["many-files"]
    rows = swept.frame(*of_many_files("upload", 92), *of_many_files("download", 60))
    with style.styled():
        figure, table = kind.draw(rows, None)
        figure.draw_without_rendering()
    up, _, numbers, _ = figure.axes
    assert [list(line.get_ydata()) for line in up.get_lines()[:2]] == [[1, 20, 90], [3, 40, 91]]
    assert [list(line.get_xdata()) for line in numbers.get_lines()[:2]] == [[1, 2, 4], [1, 2, 4]]
    assert [list(line.get_ydata()) for line in numbers.get_lines()[:2]] == [
        [20, 40, 41],
        [20, 40, 80],
    ]
    assert "Missing" not in figure.get_supxlabel()
    assert kind.answer(table) == [
        "Uploads: what gets more, by at least 5 %, is pipelining 16 with files of 100 kB and "
        "concurrency 4 with files of 10 kB.",
        "Downloads: what gets more, by at least 5 %, is pipelining 16 with files of 100 kB to 1 MB "
        "and concurrency 4 with files of 10 kB.",
        "Both ways: of files of 10 kB one at a time gets 1 Mbit/s; it is 3.0 times as much with "
        "pipelining 16, 4.0 times as much with concurrency 4 and 12.0 times as much with "
        "concurrency 4, pipelining 16.",
        "Uploads: 90 % of the bottleneck's rate is got from 1 MB on (one at a time), 1 MB on "
        "(pipelining 16), 1 MB on (concurrency 4) and 100 kB on (concurrency 4, pipelining 16).",
        "Downloads: 90 % of the bottleneck's rate is got from 1 MB on (one at a time), 1 MB on "
        "(pipelining 16) and 100 kB on (concurrency 4, pipelining 16).",
        "Both ways: with files of 100 kB, concurrency up to 4 (80 Mbit/s) and pipelining up to 2 "
        "(40 Mbit/s) still gets 5 % more than the number before it.",
    ]
    alone = table[(table["concurrency"] == 1) & (table["label"] == "sizes")]
    assert "cannot be determined" in kind.answer(alone)[0]


def test_goodput_of_many_files_is_of_all_sessions_together() -> None:
    moved = {"size_bytes": [100, 300], "start_s": [1.0, 2.0], "end_s": [3.0, 5.0]}
    assert many_files._goodput(pd.DataFrame(moved)) == 800


def over_time(rate_bps: float, clients: list[float]) -> pd.DataFrame:
    """Return the load of a server from one disk, a row every 30 s."""
    rows = swept.runs("segment", "fixed", "run", {key: [45.0] for key in range(len(clients))})
    times = [30.0 * step for step in range(len(clients))]
    return rows.assign(
        source_rate_bps=rate_bps, time_s=times, clients=clients, transfers=7,
        response_s=[2 * count for count in clients], throughput_bps=rate_bps,
        memory_bytes=[2**20 * count for count in clients], server_memory_bytes=2**20,
        host_memory_bytes=50 * 2**20, cpu_rate_bps=720e6, cpu=[rate_bps / 720e6] * len(clients),
    )  # fmt: skip


def test_a_line_for_each_disk_over_time() -> None:
    kind = figures.kinds("allcock/any")["clients-over-time"]
    rows = swept.frame(over_time(360e6, [0, 40, 80]), over_time(480e6, [0, 30, 60]))
    with style.styled():
        figure, table = kind.draw(rows, None)
        figure.draw_without_rendering()
    clients, memory, response, throughput, cpu = (axes.get_lines() for axes in figure.axes)
    assert [list(line.get_ydata()) for line in clients] == [[0, 40, 80], [0, 30, 60]]
    assert [list(line.get_ydata()) for line in memory] == [[0, 40, 80], [0, 30, 60], [50, 50]]
    assert [list(line.get_ydata()) for line in response] == [[0, 80, 160], [0, 60, 120]]
    assert [line.get_ydata()[0] for line in throughput] == [45, 60]
    assert [line.get_ydata()[0] for line in cpu] == pytest.approx([50, 200 / 3])
    assert "90.0 Mbyte/s use all of it" in figure.get_supxlabel()
    assert kind.answer(table)[0] == (
        "With a disk of 45 Mbyte/s 7 files are transferred; there are at most 80 clients, "
        "the longest response time is 160 s, the largest memory 80 MiB; with that many clients "
        "the CPU load is 50 %."
    )


def test_throughput_of_few_and_of_many_clients_counts_while_they_get_more() -> None:
    # A client more every second, each with a file of 10 byte a second; all leave together.
    files = [{"size_bytes": 10 * (1000 - k), "start_s": k, "end_s": 1000} for k in range(1000)]
    asked = {"sessions": [{"server_memory_bytes": 0}] * len(files)}
    data = {"scenario": asked, "sessions": [{"files": [file]} for file in files]}
    # At 125 s 95 clients on the average of the last minute, at 130 s already 100.
    assert judges.throughput_of_few(data) == pytest.approx(80 * 95.5, rel=0.01)
    assert judges.throughput_of_many(data) == pytest.approx(80 * 700, rel=0.01)
    assert judges.transfers_complete(data) == 1000


def test_cpu_is_of_all_clients_and_when_memory_is_short_over_that_before() -> None:
    # A client more every second, of 10 byte a second each; from 700 s on one more, as fast as all
    # others, with which memory is short. All leave together.
    files = [{"size_bytes": 10 * (1000 - k), "start_s": k, "end_s": 1000} for k in range(600)]
    files.append({"size_bytes": 300 * 6000, "start_s": 700, "end_s": 1000})
    moved = sum(file["size_bytes"] for file in files)
    asked = {"sessions": [{"server_memory_bytes": 1}] * len(files), "host_memory_bytes": 600.5}
    sessions = [{"files": [file]} for file in files]
    sessions[0]["host"] = {"sender": {"cpu_busy_s": moved / 20000}}
    data = {"scenario": asked, "sessions": sessions}
    # With all, 12,000 of 20,000 byte/s; before, from 530 s on with 500 clients and more, some 5900.
    assert judges.cpu_of_all(data) == pytest.approx(0.6)
    assert judges.cpu_when_paging(data) == pytest.approx(2, rel=0.01)


def test_a_claim_is_about_a_number_that_its_paper_works_out() -> None:
    (claim,) = (
        claim
        for claim in run_claims_of(papers.papers()["allcock"])
        if claim.id == "str-clients-files"
    )
    conditions = {"source_rate_bps": 360e6, "packet_size_bytes": 1500, "random_loss": 0}
    conditions["sessions"] = [{"server_memory_bytes": 0}]
    file = {"size_bytes": 1, "start_s": 0, "end_s": 1}
    data = {"scenario": conditions, "sessions": [{"files": [file] * 15000}]}
    found = judge_run_claim(claim, [("segment", Result(data, "test"))])
    assert (found.verdict, found.values["value"]) == ("holds", 15000)
