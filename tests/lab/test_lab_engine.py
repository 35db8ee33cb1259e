"""The lab's engine against the program: results, traces, and what the charts and packets show."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from lab_engine import LAST, SPAN, WHOLE, Engine, binned, compile_engine

from analysis.statistics.fairness import jain

SMALL = {
    "mode": "fixed",
    "parallelism": "8",
    "queue": "30p",
    "file-size": "10MB",
    "chunk-size": "5MB",
}
FORWARD_QUEUE, FORWARD = 1, 2

FILES = ("cwnd", "queue", "drops", "rtt")


@pytest.fixture(scope="module")
def library(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = programs.parent / "lib/libgridftp-core.a"
    return compile_engine(tmp_path_factory.mktemp("lab"), archive)


@pytest.fixture
def engine(library: Path) -> Engine:
    return Engine(library)


def call(programs: Path, *words: str) -> Any:
    done = subprocess.run(
        [programs / "gridftp-transfer", *words], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def words(scenario: dict[str, str]) -> list[str]:
    return [f"--{name}={value}" for name, value in scenario.items()]


def traces(programs: Path, folder: Path, scenario: dict[str, str]) -> dict[str, pd.DataFrame]:
    call(programs, *words(scenario), "--json", f"--trace={folder}")
    return {name: pd.read_csv(folder / f"{name}.csv") for name in FILES}


def comparable(result: dict[str, Any]) -> dict[str, Any]:
    events = result["cost"]["events"]
    kept = {key: value for key, value in result.items() if key not in ("provenance", "cost")}
    return {**kept, "events": events}


@pytest.mark.parametrize(
    "scenario",
    [
        SMALL,
        {"mode": "mi", "tcp": "newreno", "file-size": "10MB", "chunk-size": "1MB"},
        {**SMALL, "sessions": [{}, {"mode": "aimd", "delay": "30ms"}]},
        {**SMALL, "background": [{"stop": "1s"}], "random-loss": "0.01"},
        {"file-size": "10MB", "path-schedule": "0s:9Mbps:50ms,1s:0bps,2s:20Mbps:5ms,repeat=3s"},
        {**SMALL, "stack": "linux", "sessions": [{}, {"tcp": "bbr"}], "random-loss": "0.001"},
        {**SMALL, "stack": "linux", "queue-discipline": "fq-codel", "ecn": "on", "detail": "on"},
    ],
)
def test_the_result_is_the_programs(
    programs: Path, engine: Engine, scenario: dict[str, Any]
) -> None:
    done = subprocess.run(
        [programs / "gridftp-transfer", "--batch=-"],
        input=json.dumps(scenario),
        capture_output=True,
        text=True,
        check=True,
    )
    expected = comparable(json.loads(done.stdout))
    assert engine.load(scenario)
    assert json.loads(engine.text()) == expected["scenario"]
    # In steps, with everything on that the page may ask for
    now = 0.0
    ended = 0
    while not ended:
        now += 0.0173
        engine.c.lab_watch(int(now * 10) % 2)
        ended = engine.c.lab_advance(now)
        engine.c.lab_packets()
        engine.c.lab_connections()
    engine.c.lab_result()
    assert comparable(json.loads(engine.text())) == expected
    assert engine.apart(scenario)
    assert engine.c.lab_apart_advance(1e6) == 1
    engine.c.lab_apart_result()
    assert comparable(json.loads(engine.text())) == expected


def test_what_a_packet_takes_at_most(engine: Engine) -> None:
    def passage(**options: str) -> float:
        assert engine.load({"queue": "100p", **options})
        return engine.c.lab_passage()

    # 100 packets at 100 Mbit/s, 10 ms, two access links of 10 us
    assert passage() == pytest.approx(2 * (2 * 10.02e-3 + 12e-3))
    # 50 ms at times, 120 ms at the slowest, which is once interrupted for 1 s
    rows = "0s:10Mbps:50ms,1s:0bps:50ms,2s:20Mbps:10ms"
    assert passage(**{"path-schedule": rows}) == pytest.approx(2 * (2 * 50.02e-3 + 0.12 + 1))
    # 120 ms of the 2 s in each 3 s, and never in fewer rounds than one
    again = passage(**{"path-schedule": f"{rows},repeat=3s"})
    assert again == pytest.approx(2 * (2 * 50.02e-3 + 0.12 + 1 + 0.06))


def test_there_are_no_files_in_a_browser(engine: Engine) -> None:
    assert not engine.load({"path-schedule": "path.csv"})
    assert engine.text().startswith(
        "--path-schedule=path.csv is not a row, and files cannot be read here; allowed: none|"
    )


def test_there_are_no_programs_in_a_browser(engine: Engine) -> None:
    assert engine.load({"mode": "external:./tuner.py", "file-size": "1MB"})
    assert engine.c.lab_advance(1e6) == 1
    engine.c.lab_result()
    result = json.loads(engine.text())
    assert result["status"] == "failed"
    assert result["reason"] == (
        "session 0: mode external starts a program, which is not possible here; "
        "allowed: another mode, or ./gridftp run"
    )


def test_the_option_table_is_the_programs(programs: Path, engine: Engine) -> None:
    engine.c.lab_describe()
    assert json.loads(engine.text()) == call(programs, "--describe")
    engine.c.lab_about()
    assert json.loads(engine.text()) == {"version": "1.2", "commit": "abc"}


@pytest.mark.parametrize(
    ("view", "begin", "length", "bins"),
    [(WHOLE, 0, 0, 100), (LAST, 0, 0.5, 50), (SPAN, 0.3, 0.15, 40)],
)
def test_the_charts_show_what_the_traces_say(
    programs: Path,
    engine: Engine,
    tmp_path: Path,
    view: int,
    begin: float,
    length: float,
    bins: int,
) -> None:
    expected = traces(programs, tmp_path, SMALL)
    now = 0.8
    assert engine.load(SMALL, view, begin, length, bins)
    for until in np.arange(0, now, 0.031):
        engine.c.lab_advance(until)
    engine.c.lab_advance(now)
    edges = engine.edges()
    assert len(edges) - 1 <= bins
    if view == LAST:
        assert edges[0] == pytest.approx(now - length, abs=2 * length / bins)
    elif view == SPAN:
        assert (edges[0], edges[-1]) == pytest.approx((begin, begin + length))
    else:
        assert edges[0] == 0
        assert edges[-1] >= now > edges[len(edges) // 2]
    past = {name: table[table["time_s"] <= now] for name, table in expected.items()}

    queue = past["queue"]
    before = queue["packets"][queue["time_s"] < edges[0]]
    rows = binned(queue["time_s"], queue["packets"], edges, before.iloc[-1] if len(before) else 0)
    np.testing.assert_array_equal(engine.queue()[:, :3], rows)
    assert rows[:, 1].max() > 5
    drops, _ = np.histogram(past["drops"]["time_s"], edges)
    np.testing.assert_array_equal(engine.queue()[:, 3], drops)
    assert drops.sum() > 0

    listed = engine.rows(engine.c.lab_window_list(), 2)
    assert listed.tolist() == [[0, i] for i in range(8)]
    halved = 0
    for connection in range(8):
        cwnd = past["cwnd"][past["cwnd"]["connection"] == connection]
        before = cwnd["cwnd_bytes"][cwnd["time_s"] < edges[0]]
        first = before.iloc[-1] if len(before) else np.nan
        rows = binned(cwnd["time_s"], cwnd["cwnd_bytes"], edges, first)
        shown = engine.windows(0, connection)
        known = ~np.isnan(shown[:, 2]) & ~np.isnan(rows[:, 2])
        assert known.sum() > 10
        np.testing.assert_array_equal(shown[known, :3], rows[known])
        # The last row before each bin's end, which may say that ssthresh is not set
        latest = np.searchsorted(cwnd["time_s"], edges[1:]) - 1
        ssthresh = cwnd["ssthresh_bytes"].to_numpy(dtype=np.float32)[latest]
        np.testing.assert_array_equal(shown[known, 3], ssthresh[known])
        halved += int((~np.isnan(ssthresh[known])).any())
    assert 0 < halved < 8


TODAY = {
    "stack": "linux",
    "mode": "fixed",
    "bandwidth": "10Mbps",
    "queue": "500p",
    "queue-discipline": "codel",
    "file-size": "4MB",
}
"""One connection of a host of today, and a queue that marks or drops its packets."""


@pytest.mark.parametrize(("view", "begin", "length"), [(WHOLE, 0, 0), (SPAN, 1, 0.5), (LAST, 0, 1)])
def test_the_rtt_is_the_traces_at_the_begin_of_each_bin(
    programs: Path, engine: Engine, tmp_path: Path, view: int, begin: float, length: float
) -> None:
    rtt = traces(programs, tmp_path, TODAY)["rtt"].dropna(subset="rtt_s")
    assert engine.load(TODAY, view, begin, length, 100)
    engine.c.lab_advance(2.0)
    edges, shown = engine.edges(), engine.rtts(0)
    known = edges[:-1] > rtt["time_s"].iloc[0]
    rows = binned(rtt["time_s"], rtt["srtt_s"], edges[:-1][known], rtt["srtt_s"].iloc[0])
    latest = np.searchsorted(rtt["time_s"], edges[:-1][known], side="right") - 1
    expected = rtt["srtt_s"].to_numpy()[latest]
    assert len(expected) > 20
    if view == WHOLE:  # bins were joined since, and have their last sample
        last = shown[known, 2][:-1]
        assert ((last >= rows[:, 0] * (1 - 1e-6)) & (last <= rows[:, 1] * (1 + 1e-6))).all()
    else:
        np.testing.assert_allclose(shown[known, 2], expected, rtol=1e-6)
    assert np.isnan(shown[edges[1:] <= rtt["time_s"].iloc[0], 2]).all()
    idle = engine.rows(engine.c.lab_idle_rtts(), 1)[:, 0]
    assert idle == pytest.approx([0.02004])
    assert expected.max() > 1.2 * idle[0]


def test_data_in_flight_are_those_of_the_connection(engine: Engine) -> None:
    assert engine.load(TODAY, SPAN, 0.5, 1, 20)
    flights = []
    for now in np.arange(0.5, 1.5, 0.05):
        engine.c.lab_advance(round(now, 9))
        flights.append(engine.rows(engine.c.lab_connections(), 10)[0, 6])
    np.testing.assert_array_equal(engine.windows(0, 0)[:, 4], np.float32(flights))
    assert min(flights) > 0
    assert len({*flights}) > 5


def test_a_host_that_has_no_sample_has_no_rtt(engine: Engine) -> None:
    assert engine.load({"mode": "fixed", "file-size": "1MB"}, SPAN, 0.2, 0.2, 200)
    engine.c.lab_advance(0.4)
    shown = engine.rtts(0)[:, 2]
    assert np.isnan(shown[:50]).all()
    assert np.nanmax(shown) < 0.03, "not the estimate that a sender begins with, 1 s"
    assert shown[-1] > 0.02


@pytest.mark.parametrize("ecn", ["off", "on"])
def test_packets_that_the_queue_marks_or_drops(engine: Engine, ecn: str) -> None:
    assert engine.load({**TODAY, "ecn": ecn})
    engine.c.lab_watch(1)
    marked, ended, now = set(), 0, 0.0
    while not ended:
        now += 0.004
        ended = engine.c.lab_advance(now)
        packets = engine.packets()
        on_bottleneck = packets[packets[:, 0] == FORWARD]
        marked |= {one[1] for one in on_bottleneck if one[7]}
        assert (on_bottleneck[:, 5] < 2).all(), "data or ACKs, also of Linux"
    drops, marks = engine.queue()[:, 3].sum(), engine.queue()[:, 4].sum()
    assert (marks, drops) == (engine.state()[7], engine.state()[3])
    assert marks == len(marked)
    assert (marks > 3, drops > 3) == (ecn == "on", ecn == "off")


@pytest.mark.parametrize("moving", [False, True])
def test_a_window_that_moves_is_shown_up_to_what_the_receiver_offers(
    engine: Engine, moving: bool
) -> None:
    second = {"buffers": "drs-kernel"} if moving else {"window": "128KiB"}
    scenario: dict[str, Any] = {"mode": "fixed", "file-size": "2MB", "max-buffer": "256KiB"}
    assert engine.load({**scenario, "queue": "1000p", "sessions": [{}, second]})
    assert engine.c.lab_windows_move() == moving
    engine.c.lab_advance(0.7)
    most = [np.nanmax(engine.windows(session, 0)[:, 1]) for session in range(2)]
    if moving:
        assert most == [65536, 262144]
    else:
        assert min(most) > 262144, "all of cwnd, though nobody uses it"


def test_a_window_is_shown_while_there_is_such_a_connection(engine: Engine) -> None:
    scenario = {"mode": "mi", "file-size": "30MB", "chunk-size": "10MB"}
    assert engine.load(scenario)
    assert engine.c.lab_advance(100) == 1
    chunks = engine.rows(engine.c.lab_chunks(0, 0), 7)
    assert chunks[:, 3].tolist() == [1, 2, 4]
    begin, width, count = engine.axis()
    middle = begin + width * (np.arange(count) + 0.5)
    for connection, first in [(0, 0), (1, 1), (2, 2), (3, 2)]:
        there = ~np.isnan(engine.windows(0, connection)[:, 2])
        inside = np.zeros(count, dtype=bool)
        for start, end in chunks[first:, :2]:
            inside |= (middle > start + width) & (middle < end - width)
        outside = middle < chunks[first, 0] - width
        assert not there[outside].any()
        # From its handshake on, a round trip after the chunk's start
        late = middle > chunks[first, 0] + 0.1
        assert there[inside & late].all()


def test_restarts_are_those_of_the_result_and_windows_of_all_tries_are_shown(
    engine: Engine,
) -> None:
    fault = {"kind": "dtp-dies", "stripe": "1", "at": "1s", "for": "500ms"}
    striped = {"mode": "fixed", "file-size": "30MB", "stripes": "2x2", "retries": "3"}
    assert engine.load({**striped, "retry-wait": "1s", "faults": [fault]})
    engine.c.lab_advance(1.5)
    early = engine.rows(engine.c.lab_restarts(0), 1)[:, 0]
    assert np.isnan(early[0]), "what is sent again is not known while it may go wrong again"
    assert len(early) == 4
    assert engine.c.lab_advance(100) == 1
    engine.c.lab_result()
    session = json.loads(engine.text())["sessions"][0]
    resent, *rest = engine.rows(engine.c.lab_restarts(0), 1)[:, 0]
    assert resent == session["bytes_resent"] > 0
    (restart,) = session["restarts"]
    assert rest == [restart["time_s"], restart["held_bytes"], restart["wait_s"]]
    begin, width, count = engine.axis()
    middle = begin + width * (np.arange(count) + 0.5)
    for connection in (0, 1):
        there = ~np.isnan(engine.windows(0, connection)[:, 2])
        assert there[(middle > 0.4) & (middle < 0.99)].all()
        assert not there[(middle > 1.1) & (middle < 1.9)].any()
        assert there[middle > 2.5].any()


SHORT = {"mode": "fixed", "file-size": "6MB", "chunk-size": "2MB"}
DIES = {"kind": "dtp-dies", "stripe": "1", "at": "600ms", "for": "200ms"}
BESIDE = {**SHORT, "parallelism": "8", "background": [{}, {"start": "300ms", "stop": "450ms"}]}


@pytest.mark.parametrize(
    "scenario",
    [
        BESIDE,
        {**SHORT, "direction": "download", "data-channels": "cached", "pipelining": "4"},
        {**SHORT, "tool": "udt", "background": [{"load": "0.3"}]},
        {**SHORT, "tool": "bbftp", "background": [{}]},
        {**SHORT, "stripes": "2x2", "retries": "3", "retry-wait": "1s", "faults": [DIES]},
    ],
)
@pytest.mark.parametrize("view", [WHOLE, LAST])
def test_what_flows_move_over_time_adds_up_to_the_result(
    engine: Engine, scenario: dict[str, Any], view: int
) -> None:
    assert engine.load(scenario, view, 0, 100)
    flows = 1 + len(scenario.get("background", []))
    for now in np.arange(0.07, 20, 0.07):
        if engine.c.lab_advance(now):
            break
    rows = engine.flows(flows)
    np.testing.assert_array_equal(rows[1:, 0], rows[:-1, 1])
    engine.c.lab_result()
    result = json.loads(engine.text())
    moved = np.nansum(rows[:, 3:] * (rows[:, 1] - rows[:, 0])[:, None], axis=0) / 8
    expected = [flow["bytes"] for flow in result["sessions"] + result["background"]]
    assert moved == pytest.approx(expected, rel=1e-12)
    assert min(expected) > 1e5


def test_jains_index_is_of_the_flows_that_are_on(engine: Engine) -> None:
    assert engine.load(BESIDE)
    assert engine.c.lab_advance(100) == 1
    chunks = engine.rows(engine.c.lab_chunks(0, 0), 7)
    changes = [0.3, 0.45, chunks[0, 0], chunks[-1, 1]]
    counted = set()
    for begin, end, index, *goodput in engine.flows(3):
        on = [value for value in goodput if not np.isnan(value)]
        # One that begins or stops within the interval has not been on for all of it
        if any(begin < time <= end for time in changes):
            continue
        assert np.isnan(index) == (len(on) < 2)
        if len(on) > 1:
            assert index == pytest.approx(sum(on) ** 2 / (len(on) * sum(x * x for x in on)))
            assert index == pytest.approx(jain(on), rel=1e-12), "as analysis/ has it"
            counted.add(len(on))
    assert counted == {2, 3}


def test_no_flow_has_data_before_they_have_come(engine: Engine) -> None:
    """Hosts that run ahead of the simulation know of data that are still on their way."""
    # Without losses, whose repair has the receiver take much at once
    scenario = {**SHORT, "parallelism": "8", "window": "128KiB", "delay": "40ms", "queue": "2000p"}
    assert engine.load(scenario)
    assert engine.c.lab_advance(100) == 1
    _, end = engine.rows(engine.c.lab_chunks(0, 0), 7)[1, :2]
    assert engine.load(scenario, SPAN, end - 0.4, 0.6)
    engine.c.lab_advance(end + 0.3)
    rows = engine.flows(1)
    assert rows[0, 1] - rows[0, 0] < 0.01
    # No more than the bottleneck carries, but for a packet
    assert 70e6 < np.nanmax(rows[:, 3]) < 100e6 + 8 * 1500 / 0.009


def test_utilisation_is_that_of_the_result_so_far(engine: Engine) -> None:
    assert engine.load(SMALL)
    shares = []
    for now in np.arange(0.05, 60, 0.05):
        ended = engine.c.lab_advance(now)
        shares.append(engine.state()[6])
        if ended:
            break
    engine.c.lab_result()
    (link,) = json.loads(engine.text())["links"]
    assert shares[0] == 0
    assert max(shares) <= 1
    assert shares[-1] == link["utilisation"]
    # It is the share since the beginning: no bin of a chart makes it jump
    grown = np.array(shares[10:])
    assert np.abs(np.diff(grown)).max() < 0.1


def test_packets_are_where_the_engine_has_them(engine: Engine) -> None:
    assert engine.load(SMALL)
    engine.c.lab_watch(1)
    seen = set()
    for now in np.arange(0.3, 0.8, 0.0007):
        engine.c.lab_advance(now)
        packets = engine.packets()
        queue = engine.state()[2]
        places = packets[:, 0]
        seen |= set(places.astype(int))
        on_links = packets[places < 8]
        assert ((on_links[:, 1] <= now) & (on_links[:, 2] >= now - 1e-9)).all()
        # Those on the last microseconds of the access link are counted as waiting already
        assert 0 <= queue - (places == FORWARD_QUEUE).sum() <= 12
        assert packets[packets[:, 5] == 0, 4].max(initial=0) < 8
    assert {0, 1, 2, 3, 4, 6, 7, 8} <= seen


def test_a_kept_connection_stays_with_its_stripes_where_n_moves(engine: Engine) -> None:
    """Of pairs with one connection each number 1 is the second's; with two, the first's, too."""
    tuned = {"mode": "mi", "stripes": "2x2", "data-channels": "cached", "chunk-size": "10MB"}
    assert engine.load({**tuned, "file-size": "20MB", "max-parallelism": "2"})
    engine.c.lab_watch(1)
    found = set()
    for now in np.arange(2.3, 2.7, 0.005):  # within the second chunk
        engine.c.lab_advance(now)
        packets = engine.packets()
        data = packets[packets[:, 5] == 0]
        found |= {(int(connection), int(pair)) for connection, pair in data[:, [4, 6]]}
    assert engine.rows(engine.c.lab_sessions(), 17)[0, 3] == 2
    assert found == {(0, 0), (1, 0), (1, 1), (3, 1)}


def test_a_session_knows_its_parallelism_from_the_start(engine: Engine) -> None:
    assert engine.load(SMALL)
    assert engine.rows(engine.c.lab_sessions(), 17)[0, 3] == 8


def test_every_drop_is_told_once(programs: Path, engine: Engine, tmp_path: Path) -> None:
    expected = traces(programs, tmp_path, SMALL)["drops"]
    assert engine.load(SMALL)
    engine.c.lab_watch(1)
    told, refused, now, ended = [], [], 0.0, 0
    while not ended:
        now += 0.011
        ended = engine.c.lab_advance(now)
        told.append(engine.rows(engine.c.lab_drops(), 3))
        packets = engine.packets()
        refused.append(packets[packets[:, 0] == 8])
    drops = np.vstack(told)
    np.testing.assert_array_equal(drops, expected[["time_s", "session", "connection"]])
    np.testing.assert_array_equal(np.vstack(refused)[:, [1, 3, 4]], drops)


@pytest.mark.parametrize(("begin", "end"), [(0, 100), (0.34, 0.4)])
def test_recorded_traces_are_the_programs(
    programs: Path, engine: Engine, tmp_path: Path, begin: float, end: float
) -> None:
    traces(programs, tmp_path, SMALL)
    assert engine.apart(SMALL, 2, begin, end)
    assert engine.c.lab_apart_advance(1e6) == 1
    for file, name in [*enumerate(["cwnd", "queue", "drops", "buffers"]), (6, "rtt")]:
        head, *rows = (tmp_path / f"{name}.csv").read_text().splitlines()
        kept = [row for row in rows if begin <= float(row.split(",")[0]) <= end]
        engine.c.lab_apart_trace(file)
        assert engine.text().splitlines() == [head, *kept]
        assert kept


def test_traces_that_are_too_long_are_told(engine: Engine) -> None:
    assert engine.apart({"file-size": "10GB"}, 1, 0, 1e6)
    assert engine.c.lab_apart_advance(1e6) == 2


@pytest.mark.parametrize(
    ("scenario", "told"),
    [
        ({"bandwidth": "fast"}, '"bandwidth": "fast" is not a number; allowed'),
        ({"engine": "ns3"}, "--engine=ns3: not in a browser; allowed: segment"),
        ({"colour": "red"}, '"colour"'),
        (
            {"sessions": [{}, {"server_host": "shared", "direction": "download"}]},
            "allowed with it: ",
        ),
    ],
)
def test_what_is_no_scenario_is_told_and_changes_nothing(
    engine: Engine, scenario: dict[str, Any], told: str
) -> None:
    assert engine.load(SMALL)
    engine.c.lab_advance(0.5)
    before = engine.state()
    for begin in (engine.load, engine.apart):
        assert not begin(scenario)
        assert told in engine.text()
        assert "\n" not in engine.text()
    np.testing.assert_array_equal(engine.state(), before)
    engine.c.lab_result()
    assert json.loads(engine.text())["scenario"]["parallelism"] == 8


def test_the_model_is_that_of_optimum(programs: Path, engine: Engine) -> None:
    assert engine.load({"bandwidth": "200Mbps", "delay": "25ms", "window": "128KiB"})
    rtt, optimum, *goodput = engine.rows(engine.c.lab_model(40), 42)[0]
    assert rtt == pytest.approx(2 * (0.025 + 2 * 10e-6))
    done = subprocess.run(
        [
            programs / "gridftp-optimum",
            "--stack=classic",
            "--bandwidth=200Mbps",
            f"--rtt={rtt * 1e6:.0f}us",
            "--window=128KiB",
            "--json",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout)
    assert optimum == told["optimum"]["parallelism"]
    curve = [point["goodput_bps"] for point in told["curve"]]
    assert goodput[: len(curve)] == curve[: len(goodput)]
    assert len(curve) >= 16


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, 1460), ({"packet-size": "9000"}, 8960)],
)
def test_a_segment_is_what_a_packet_holds(
    engine: Engine, options: dict[str, str], expected: int
) -> None:
    assert engine.load({"file-size": "1MB", **options})
    assert engine.c.lab_segment_bytes() == expected


def test_the_model_is_silent_where_it_says_nothing(engine: Engine) -> None:
    assert engine.load({"bandwidth": "20Mbps"})
    _, _, *goodput = engine.rows(engine.c.lab_model(40), 42)[0]
    # Eq. (2) gives a probability as long as B R / N is above 1.098 packets: 31.3 connections
    assert np.isnan(goodput).tolist() == [n > 31 for n in range(1, 41)]
    fixed = {"bandwidth": "20Mbps", "mode": "fixed", "file-size": "1MB"}
    for parallelism, silent in [("31", False), ("32", True)]:
        assert engine.load({**fixed, "parallelism": parallelism})
        engine.c.lab_advance(0.3)
        assert np.isnan(engine.rows(engine.c.lab_sessions(), 17)[0, 10]) == silent
