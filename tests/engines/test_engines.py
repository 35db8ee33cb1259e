"""The segment engine against ns-3: the same scenarios, the same transfers, to the nanosecond.

Both engines share the option table, the tuners and the dealing of blocks; TCP, queues, links and
timers they do not. So what is compared here is what ns-3's stack does with what the segment engine
takes it to do.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner
from patience import PATIENCE

from experiments.__main__ import main
from experiments.verbs import compare

TRANSFER = "gridftp-transfer"
ENGINES = ("segment", "ns3")

Line = dict[str, Any]
Both = Callable[..., list[tuple[dict[str, Any], dict[str, Any]]]]


@pytest.fixture
def both(run_program: Runner, tmp_path: Path) -> Both:
    """A function that answers scenarios on both engines: a pair of results for each."""

    def answer(*lines: Line) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        batch = tmp_path / "batch.jsonl"
        asked = [json.dumps({**line, "engine": engine}) for line in lines for engine in ENGINES]
        batch.write_text("".join(f"{line}\n" for line in asked))
        done = run_program(TRANSFER, f"--batch={batch}", timeout=PATIENCE)
        assert done.stderr == ""
        results = [json.loads(text) for text in done.stdout.splitlines()]
        assert len(results) == len(asked)
        assert [result["scenario"]["engine"] for result in results] == [*ENGINES] * len(lines)
        return list(zip(results[::2], results[1::2], strict=True))

    return answer


def outcome(result: dict[str, Any]) -> dict[str, Any]:
    """What has to be equal: every chunk, count and drop.

    Not utilisation and mean queue: engine ns3 counts them from before the first chunk on.
    """
    kept = {key: result[key] for key in ("status", "reason", "sessions", "background")}
    return {**kept, **{key: result["links"][0][key] for key in ("drops", "max_queue_packets")}}


def totals(result: dict[str, Any], name: str) -> int:
    """A count of all sessions together."""
    return sum(session["tcp"][name] for session in result["sessions"])


def test_part_of_the_grid(
    programs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(programs))
    monkeypatch.setattr(compare, "PART_FILE_SIZE", "10MB")
    words = ["compare", "--part", "--replications=3", "--jobs=2", "--results", str(tmp_path)]
    status = main(words)
    assert status == 0, capsys.readouterr().out
    data = json.loads((tmp_path / "compare.json").read_text())
    assert len(data["points"]) == len(compare.PART)
    assert {point["lossy"] for point in data["points"]} == {True, False}


# ---- Equal to the nanosecond ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "parallelism"),
    [
        pytest.param("mi", [1, 2, 4, 8, 8, 8, 8, 8, 8, 8], marks=pytest.mark.extensive),
        pytest.param("mi-plus", [1, 2, 4, 8, 4, 4, 4, 4, 4, 4], marks=pytest.mark.extensive),
        ("aimd", [1, 2, 3, 4, 5, 2, 3, 4, 5, 2]),
    ],
)
def test_tuners_decide_the_same(mode: str, parallelism: list[int], both: Both) -> None:
    ((own, reference),) = both({"mode": mode, "file-size": "200MB", "chunk-size": "20MB"})
    assert outcome(own) == outcome(reference)
    decided = [chunk["parallelism"] for chunk in own["sessions"][0]["gridftp"]["chunks"]]
    assert decided == parallelism
    assert (totals(own, "timeouts") > 0) == (mode != "aimd")


def test_every_tuner_decides_the_same(both: Both, run_program: Runner) -> None:
    described = json.loads(run_program(TRANSFER, "--describe").stdout)
    modes = [tuner["name"] for tuner in described["tuners"]]
    needs = {
        "by-hand": {"chunk-parallelism": "2:7:1:3"},
        "external": {"external-command": """while read line; do echo '{"parallelism": 3}'; done"""},
    }
    path = {"file-size": "12MB", "chunk-size": "1MB", "bandwidth": "50Mbps"}
    for own, reference in both(*({**path, "mode": mode, **needs.get(mode, {})} for mode in modes)):
        assert outcome(own) == outcome(reference), own["scenario"]["mode"]
        assert len(own["sessions"][0]["gridftp"]["chunks"]) == 12


SMALL = {"mode": "fixed", "parallelism": "4", "file-size": "10MB", "chunk-size": "5MB"}
LOSSY = {**SMALL, "window": "1MiB", "queue": "50p"}
SHARED = {
    "file-size": "10MB",
    "chunk-size": "5MB",
    "window": "256KiB",
    "sessions": [
        {"mode": "fixed", "parallelism": "4"},
        {"mode": "aimd", "delay": "25ms", "start": "0.5s"},
    ],
    "background": [
        {"tcp": "newreno", "delay": "15ms", "stop": "2s"},
        {"tcp": "reno", "window": "128KiB", "start": "0.3s"},
    ],
}

ONE = {"mode": "fixed", "file-size": "1MB", "chunk-size": "1MB"}

SCENARIOS = {
    "download": {**SMALL, "direction": "download"},
    "download with losses": {**LOSSY, "direction": "download"},
    "cached": {**SMALL, "data-channels": "cached"},
    "cached, with more and fewer": {
        "mode": "mi-plus",
        "file-size": "60MB",
        "chunk-size": "10MB",
        "data-channels": "cached",
    },
    "cached download": {**LOSSY, "data-channels": "cached", "direction": "download"},
    # The number of a port grows by a digit, and PORT with it; the client's own control connection
    # has had one port.
    "download of twelve chunks": {
        **ONE,
        "direction": "download",
        "chunk-size": "100KB",
        "file-size": "1200KB",
    },
    "static layout": {**SMALL, "layout": "static", "block-size": "64KiB"},
    "delayed ACK": {**SMALL, "delayed-ack": "2"},
    "delayed ACK with losses": {**LOSSY, "delayed-ack": "2"},
    "jitter": {**SMALL, "start-jitter": "100ms", "parallelism": "8", "run": "7"},
    "small packets": {**SMALL, "packet-size": "300", "queue": "500p", "file-size": "4MB"},
    "large packets": {**LOSSY, "packet-size": "9000", "queue": "20p"},
    "slow access": {**SMALL, "access-bandwidth": "20Mbps", "access-delay": "5ms"},
    "first window and timeout": {**LOSSY, "initial-window": "10", "min-rto": "1s"},
    "sessions and background, Reno": {**SHARED, "tcp": "reno"},
    "sessions and background, NewReno": {**SHARED, "tcp": "newreno"},
    "sessions and background, download": {**SHARED, "direction": "download"},
    "sessions and background, cached download": {
        **SHARED,
        "tcp": "newreno",
        "direction": "download",
        "data-channels": "cached",
    },
}


LOSING = [name for name in SCENARIOS if "losses" in name or "background" in name]
"""Scenarios that lose packets, by drops and timeouts; so equality there is worth something."""


@pytest.mark.parametrize("name", SCENARIOS)
def test_transfers_are_equal(name: str, both: Both) -> None:
    ((own, reference),) = both(SCENARIOS[name])
    assert own["status"] == "done"
    assert outcome(own) == outcome(reference)
    if name in LOSING:
        assert own["links"][0]["drops"] > 0
        assert totals(own, "timeouts") > 0


def test_some_scenarios_lose_packets() -> None:
    assert len(LOSING) >= 4


# ---- Row by row -----------------------------------------------------------------------------


@pytest.mark.parametrize("tcp", ["reno", "newreno"])
@pytest.mark.parametrize("queue", [20, 100])
def test_traces_are_equal_row_by_row(
    tcp: str, queue: int, run_program: Runner, tmp_path: Path
) -> None:
    words = ["--mode=fixed", "--parallelism=1", "--window=1MiB", f"--queue={queue}p"]
    words += [f"--tcp={tcp}", "--file-size=20MB", "--chunk-size=20MB", "--json"]
    results = []
    for engine in ENGINES:
        folder = tmp_path / engine
        done = run_program(TRANSFER, *words, f"--engine={engine}", f"--trace={folder}")
        assert done.returncode == 0, done.stderr
        results.append(json.loads(done.stdout))
    assert totals(results[0], "timeouts") >= 1
    assert outcome(results[0]) == outcome(results[1])
    scenario = results[0]["scenario"]
    segment_s = scenario["packet_size_bytes"] * 8 / scenario["bandwidth_bps"]
    end = results[0]["sessions"][0]["gridftp"]["chunks"][-1]["end_s"]
    for name in ("cwnd", "queue", "drops", "buffers"):
        own, reference = (rows(tmp_path / engine / f"{name}.csv", end) for engine in ENGINES)
        assert len(own) == len(reference) > 30
        # the same event, connection, sequence or window ...
        assert [row[1:] for row in own] == [row[1:] for row in reference]
        # ... at the same time
        apart = max(abs(a - b) for (a, *_), (b, *_) in zip(own, reference, strict=True))
        assert apart <= segment_s
        assert apart <= 10e-9


def rows(path: Path, end_s: float) -> list[tuple[Any, ...]]:
    """The rows of a trace until the last chunk's end: the time, and the rest as it stands."""
    with path.open(newline="") as file:
        read = csv.reader(file)
        assert next(read)[0] == "time_s"
        all_rows = [(float(row[0]), *row[1:]) for row in read]
    return [row for row in all_rows if row[0] <= end_s]


@pytest.mark.parametrize("tcp", ["reno", "newreno"])
def test_random_losses_are_those_of_the_same_packets(tcp: str, both: Both) -> None:
    scenario = {**SMALL, "file-size": "8MB", "chunk-size": "8MB", "random-loss": "0.01", "tcp": tcp}
    pairs = both(*({**scenario, "run": str(run)} for run in range(1, 4)))
    for own, reference in pairs:
        assert own["sessions"] == reference["sessions"]
        assert own["sessions"][0]["tcp"]["retransmissions"] > 30
    assert len({own["sessions"][0]["goodput_bps"] for own, _ in pairs}) == len(pairs)


@pytest.mark.parametrize("size", ["1B", "1460B", "40KB"])
def test_a_link_is_never_used_more_than_all_of_the_time(size: str, both: Both) -> None:
    """A packet that is leaving at the end counts with the part that has left."""
    scenario = {"bandwidth": "64Kbps", "delay": "72ns", "queue": "36p", "file-size": size}
    for result in both(scenario)[0]:
        (link,) = result["links"]
        assert 0 < link["utilisation"] <= 1


# ---- Extremes -------------------------------------------------------------------------------

EXTREMES = {
    "a file of one byte": {**ONE, "file-size": "1B", "chunk-size": "1B"},
    "one byte for eight": {**ONE, "file-size": "1B", "parallelism": "8"},
    "chunks of one byte": {**ONE, "file-size": "20B", "chunk-size": "1B"},
    "a window of one segment": {**ONE, "window": "1460B", "file-size": "100KB"},
    "a queue of one packet": {**ONE, "queue": "1p", "window": "1MiB"},
    "a queue of one packet for eight": {**ONE, "queue": "1p", "parallelism": "8"},
    "no delay": {**ONE, "delay": "0ms", "access-delay": "0ms"},
    "a delay of 1 us": {**ONE, "delay": "1us", "access-delay": "1us"},
    "a delay of 10 s": {**ONE, "delay": "10s", "file-size": "100KB"},
    "a terabit": {**ONE, "bandwidth": "1Tbps", "file-size": "10MB", "window": "1MiB"},
    "the largest packets": {**ONE, "packet-size": "65535", "window": "1MiB", "file-size": "5MB"},
}


@pytest.mark.parametrize("name", EXTREMES)
def test_extremes_are_equal(name: str, both: Both) -> None:
    ((own, reference),) = both(EXTREMES[name])
    assert own["status"] == "done"
    assert outcome(own) == outcome(reference)


# A shorter queue refuses fewer connections for the same reason.
@pytest.mark.parametrize(
    ("parallelism", "queue"),
    [("300", "10p"), pytest.param("1800", "100p", marks=pytest.mark.extensive)],
)
def test_too_many_connections_fail_for_the_same_reason(
    parallelism: str, queue: str, both: Both
) -> None:
    ((own, reference),) = both({**ONE, "parallelism": parallelism, "queue": queue})
    assert own["status"] == "failed"
    assert re.fullmatch(r"session 0: data connection \d+ was refused \(425\)", own["reason"])
    assert (own["reason"], reference["reason"]) == (own["reason"],) * 2


@pytest.mark.parametrize(
    "scenario",
    [
        # A marker's ACK comes later than the server's timeout, since the queue is long.
        {**ONE, "parallelism": "4", "bandwidth": "10Mbps", "delay": "50ms", "file-size": "8MB",
         "chunk-size": "8MB"},
        # Segments of one byte: a line is more packets than the queue holds.
        {**ONE, "packet-size": "41", "window": "1B", "file-size": "100B"},
        # A line takes longer than the timeout.
        {**ONE, "bandwidth": "1kbps", "file-size": "10KB"},
    ],
)  # fmt: skip
def test_control_connections_are_equal(scenario: Line, both: Both) -> None:
    ((own, reference),) = both(scenario)
    assert outcome(own) == outcome(reference)


# ---- The segment engine alone ---------------------------------------------------------------


def test_the_same_scenario_gives_the_same_bytes(run_program: Runner, tmp_path: Path) -> None:
    lines = [{**scenario, "engine": "segment"} for scenario in SCENARIOS.values()]
    batch = tmp_path / "batch.jsonl"
    # all of them twice, in another order: what one leaves behind would show in the next
    batch.write_text("".join(f"{json.dumps(line)}\n" for line in [*lines, *reversed(lines)]))
    done = run_program(TRANSFER, f"--batch={batch}", timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    answers = [bare(text) for text in done.stdout.splitlines()]
    assert answers[: len(lines)] == answers[: len(lines) - 1 : -1]
    for scenario, answer in zip(SCENARIOS.values(), answers, strict=False):
        if "sessions" not in scenario:
            words = [f"--{name}={value}" for name, value in scenario.items()]
            assert bare(run_program(TRANSFER, *words, "--json").stdout.strip()) == answer


def bare(text: str) -> str:
    """A result without what it cost and how it was called, otherwise byte for byte."""
    result = json.loads(text)
    cut = text.index('"provenance"')
    rest = text[text.index('"sessions": [{"tool"', cut) : text.index('"cost"')]
    events = result["cost"]["events"]
    return f"{text[:cut]}{rest}{events}"
