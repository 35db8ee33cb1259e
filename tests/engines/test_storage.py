"""Storage at either end: what is refused, what is told, and what makes a receiver seek."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

Json = dict[str, Any]
Runner = Callable[..., subprocess.CompletedProcess[str]]

TRANSFER = "gridftp-transfer"
SMALL = ("--mode=fixed", "--file-size=8MB", "--chunk-size=8MB", "--block-size=256KiB")
DISK = ("--sink=disk", "--sink-rate=300Mbps", "--sink-latency=1ms", "--sink-seek=8ms")


def run(program: Runner, *words: str) -> Json:
    done = program(TRANSFER, *SMALL, *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def written(result: Json) -> Json:
    return result["sessions"][0]["storage"]["write"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sink=disk",), "--sink=disk needs sink-rate; allowed with it: above 0bps"),
        (
            ("--source=parallel", "--source-rate=1Gbps"),
            "--source=parallel needs source-total-rate; allowed with it: above 0bps",
        ),
        (
            ("--sink=page-cache", "--sink-rate=1Gbps"),
            "--sink=page-cache needs sink-memory-rate; allowed with it: above 0bps",
        ),
        (
            ("--source=nfs", "--source-rate=1Gbps", "--source-slots=0"),
            "--source=nfs needs source-slots; allowed with it: above 0",
        ),
        (
            ("--sink-rate=1Gbps", "--session", "source=disk"),
            "--session 'source=disk' needs source-rate; allowed with it: above 0bps",
        ),
        (
            ("--sink=tape",),
            "--sink=tape is unknown; allowed: memory, disk, parallel, page-cache, nfs",
        ),
        (("--sink-depth=0",), "--sink-depth=0 is out of range; allowed: a whole number, 1 to 1000"),
    ],
)
def test_what_is_refused(run_program: Runner, words: tuple[str, ...], said: str) -> None:
    done = run_program(TRANSFER, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == f"{TRANSFER}: {said}"


def test_memory_tells_nothing_and_a_disk_what_it_did(run_program: Runner) -> None:
    assert "storage" not in run(run_program)["sessions"][0]
    assert "storage:" not in run_program(TRANSFER, *SMALL).stdout
    result = run(run_program, *DISK)
    assert set(result["sessions"][0]["storage"]) == {"write"}
    # 30 blocks of 256 KiB and a shorter one at 300 Mbit/s, and 1 ms for each
    assert written(result) == {
        "requests": 31,
        "seeks": 0,
        "busy_s": pytest.approx(31 * 0.001 + 8e6 * 8 / 300e6, abs=1e-6),
        "bytes": 8_000_000,
    }
    text = run_program(TRANSFER, *SMALL, *DISK).stdout
    assert "  storage: wrote 31 blocks with 0 seeks in 0.244 s\n" in text


def test_more_streams_seek_more(run_program: Runner) -> None:
    seeks = []
    for streams in (1, 8):
        results = [
            run(run_program, *DISK, f"--engine={engine}", f"--parallelism={streams}")
            for engine in ("segment", "ns3")
        ]
        assert results[0]["sessions"] == results[1]["sessions"]
        seeks.append(written(results[0])["seeks"])
    assert seeks[0] == 0 < seeks[1]


@pytest.mark.parametrize(
    ("sink", "busy_s"),
    [
        # 32 blocks in memory at 8 Gbit/s, of which each chunk's first one opens the file
        (("page-cache", "--sink-memory-rate=8Gbps", "--sink-dirty=8MB"), 0.008 + 2 * 0.005),
        # 8 RPCs of 32 KiB to a block, all of them at once
        (("nfs", "--sink-latency=2ms"), 8e6 * 8 / 300e6 + 32 * 0.002 + 2 * 0.005),
    ],
)
def test_what_a_cache_and_rpcs_take(
    run_program: Runner, sink: tuple[str, ...], busy_s: float
) -> None:
    kind, *words = sink
    common = (f"--sink={kind}", "--sink-rate=300Mbps", "--sink-open=5ms", "--chunk-size=4MB")
    results = [
        run(run_program, *common, *words, f"--engine={engine}") for engine in ("segment", "ns3")
    ]
    assert results[0]["sessions"] == results[1]["sessions"]
    assert written(results[0]) == {
        "requests": 32,
        "seeks": 0,
        "busy_s": pytest.approx(busy_s, abs=1e-6),
        "bytes": 8_000_000,
    }
