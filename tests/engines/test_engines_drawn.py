"""The two engines on scenarios that nobody chose: drawn at random, and equal to the nanosecond.

Drawn are paths, TCPs, layouts, directions and modes, with and without losses. Not drawn are queues
of a few packets, since the segment engine leaves out how a FIN's answer is sent again, and segments
of a few bytes, whose lines fill the queue (doc/gridftp.rst, "The two engines").
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from conftest import Runner

TRANSFER = "gridftp-transfer"
SCENARIOS = 400
EACH = 20
"""Scenarios of each congestion control."""

Line = dict[str, Any]


def drawn(number: int) -> Line:
    """Return a scenario."""
    draw = random.Random(number)
    packet = draw.choice([200, 576, 1500, 1500, 1500, 9000])
    size = draw.randint(1, min(1_500_000, 1500 * packet))
    return {
        "bandwidth": draw.choice(["1Mbps", "10Mbps", "33Mbps", "100Mbps", "622Mbps"]),
        "delay": draw.choice(["1us", "1ms", "7ms", "10ms", "50ms"]),
        "queue": f"{draw.choice([20, 30, 60, 100, 400])}p",
        "packet-size": str(packet),
        "window": f"{(packet - 40) * draw.randint(1, 60)}B",
        "file-size": f"{size}B",
        "chunk-size": f"{draw.randint(max(1, size // 6), size + 10)}B",
        "block-size": draw.choice(["1000B", "64KiB", "1MiB"]),
        "tcp": draw.choice(["reno", "newreno"]),
        "direction": draw.choice(["upload", "download"]),
        "layout": draw.choice(["dynamic", "static"]),
        "data-channels": draw.choice(["fresh", "cached"]),
        "delayed-ack": str(draw.choice([1, 1, 2])),
        "initial-window": str(draw.randint(1, 10)),
        "access-delay": draw.choice(["0ms", "10us", "5ms"]),
        "start-jitter": draw.choice(["0ms", "1ms", "100ms"]),
        "run": str(draw.randint(1, 1000)),
        **draw.choice(
            [
                {"mode": "mi"},
                {"mode": "mi-plus"},
                {"mode": "aimd"},
                {"mode": "fixed", "parallelism": str(draw.randint(1, 16))},
            ]
        ),
    }


def outcome(result: Line) -> Line:
    """What has to be equal: every chunk, count and drop."""
    kept = {key: result[key] for key in ("status", "reason", "sessions")}
    return {**kept, **{key: result["links"][0][key] for key in ("drops", "max_queue_packets")}}


LARGE: list[Line] = [{}, {"window": "1MiB", "file-size": "4MB", "chunk-size": "2MB"}]
"""As drawn, and with windows that only the queue limits, where growth differs most."""


def answer(
    scenarios: list[Line], run_program: Runner, tmp_path: Path
) -> tuple[list[Line], list[Line]]:
    """Return what both engines answer: segment's results and ns3's."""
    answers = []
    for engine in ("segment", "ns3"):
        batch = tmp_path / f"{engine}.jsonl"
        lines = [json.dumps({**scenario, "engine": engine}) for scenario in scenarios]
        batch.write_text("".join(f"{line}\n" for line in lines))
        done = run_program(TRANSFER, f"--batch={batch}", timeout=300)
        answers.append([json.loads(text) for text in done.stdout.splitlines()])
    own, reference = answers
    assert len(own) == len(reference) == len(scenarios)
    assert [result["status"] for result in own] == ["done"] * len(scenarios)
    return own, reference


def different(scenarios: list[Line], own: list[Line], reference: list[Line]) -> list[Line]:
    """Return the scenarios whose outcomes differ."""
    return [
        scenario
        for scenario, a, b in zip(scenarios, own, reference, strict=True)
        if outcome(a) != outcome(b)
    ]


def test_drawn_scenarios_are_equal(run_program: Runner, tmp_path: Path) -> None:
    scenarios = [drawn(number) for number in range(SCENARIOS)]
    own, reference = answer(scenarios, run_program, tmp_path)
    assert sum(result["links"][0]["drops"] > 0 for result in own) > SCENARIOS / 10
    assert different(scenarios, own, reference) == []


def test_every_congestion_control_is_equal(run_program: Runner, tmp_path: Path) -> None:
    described = json.loads(run_program(TRANSFER, "--describe").stdout)
    (tcp,) = [option for option in described["options"] if option["name"] == "tcp"]
    scenarios = [
        {**drawn(SCENARIOS + number), **LARGE[number % 2], "tcp": name}
        for name in tcp["segment_choices"]
        for number in range(EACH)
    ]
    own, reference = answer(scenarios, run_program, tmp_path)
    assert different(scenarios, own, reference) == []
