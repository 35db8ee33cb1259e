"""Hosts that cost something: what limits a transfer is the limit, and files of hosts are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner

FAST = (
    "--bandwidth=1Gbps",
    "--delay=1ms",
    "--queue=1000p",
    "--window=1MiB",
    "--mode=fixed",
    "--file-size=50MB",
)
"""A path on which nothing but a host is a limit."""


def run(run_program: Runner, *words: str) -> dict[str, Any]:
    """The result of a transfer."""
    done = run_program("gridftp-transfer", *FAST, *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def goodput(result: dict[str, Any]) -> float:
    return result["sessions"][0]["goodput_bps"]


@pytest.mark.parametrize("engine", ["segment", "ns3"])
@pytest.mark.parametrize("end", ["sender", "receiver"])
def test_time_of_segments_is_the_rate(run_program: Runner, engine: str, end: str) -> None:
    # 1460 bytes in 50 us, and nothing else: 233.6 Mbit/s
    result = run(run_program, f"--engine={engine}", f"--{end}-segment-cpu=50us")
    assert goodput(result) == pytest.approx(1460 * 8 / 50e-6, rel=0.03)
    host = result["sessions"][0]["host"][end]
    segments = result["sessions"][0]["tcp"]["segments"]
    assert host["cpu_tcp_s"] == pytest.approx(segments * 50e-6, rel=0.01)
    assert host["cpu_busy_s"] == host["cpu_tcp_s"]
    assert host["cpu_cores_s"] == [host["cpu_busy_s"]]


def test_another_core_takes_the_process(run_program: Runner) -> None:
    costs = ("--receiver-segment-cpu=15us", "--receiver-call-cpu=3ms", "--block-size=256KiB")
    one = run(run_program, *costs)
    two = run(run_program, *costs, "--receiver-cores=2")
    # A block is 180 segments, 2.7 ms, and 3 ms of the process
    assert goodput(one) == pytest.approx(262144 * 8 / 5.7e-3, rel=0.05)
    assert goodput(two) == pytest.approx(262144 * 8 / 3e-3, rel=0.05)
    cores = two["sessions"][0]["host"]["receiver"]["cpu_cores_s"]
    assert len(cores) == 2
    assert cores[1] == pytest.approx(191 * 3e-3, rel=0.01), "191 blocks"


def test_backlog_drops(run_program: Runner) -> None:
    costs = ("--receiver-segment-cpu=15us", "--receiver-cores=1", "--parallelism=4")
    host = run(run_program, *costs, "--receiver-backlog=20p")["sessions"][0]["host"]["receiver"]
    assert host["backlog_drops"] > 0
    assert 0 < host["cpu_peak_load"] <= 1
    host = run(run_program, *costs)["sessions"][0]["host"]["receiver"]
    assert host["backlog_drops"] == 0


def test_limits_of_the_operating_system(run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "small.conf"
    file.write_text("net.core.rmem_max = 131072\nnet.ipv4.tcp_rmem = 4096 87380 262144\n")
    words = ("--delay=20ms", f"--receiver-host={file}")
    fixed = run(run_program, *words)
    # 128 KiB every 40 ms and what a segment takes
    assert goodput(fixed) == pytest.approx(131072 * 8 / 40.03e-3, rel=0.03)
    moving = run(run_program, *words, "--buffers=linux-receiver")
    assert goodput(moving) == pytest.approx(131072 * 8 / 40.03e-3, rel=0.06), "half of 256 KiB"
    assert fixed["scenario"]["receiver_host"] == "none"
    assert fixed["scenario"]["receiver_rmem_max_bytes"] == 131072


NUMBERS = "is no whole number there; allowed: 1 to 2147483647"
WRONG = {
    "net.core.rmem_maxx = 1": (
        "line 1: 'net.core.rmem_maxx' is unknown; did you mean 'net.core.rmem_max'?"
    ),
    "# x\nnet.core.rmem_max = lots": f"line 2: 'net.core.rmem_max = lots' {NUMBERS}",
    "\x00\x01": "line 1: '??' is no line of sysctl.conf; allowed: KEY = VALUE",
    "host.cores = 0": (
        "line 1: 'host.cores = 0' is out of range; allowed: a whole number, 1 to 256"
    ),
}
"""What is wrong with files, and how that is told."""


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_a_wrong_file_is_told_with_its_line(
    run_program: Runner, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "host.conf"
    file.write_text(text)
    for words in (
        ("gridftp-transfer", f"--sender-host={file}"),
        ("gridftp-transfer", f"--sender-host={file}", "--json"),
    ):
        done = run_program(*words)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        assert message in done.stderr
        assert "host=" + str(file)[:20] in done.stderr


def test_no_file(run_program: Runner) -> None:
    done = run_program("gridftp-transfer", "--receiver-host=./nowhere.conf")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "--receiver-host=./nowhere.conf" in done.stderr


def test_points_of_a_batch_name_files(run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "host.conf"
    file.write_text("host.cores = 3\nhost.segment-cpu = 2us\n")
    line = json.dumps({"file-size": "1MB", "sender-host": str(file), "sender-cores": "2"})
    batch = tmp_path / "batch.jsonl"
    batch.write_text(f"{line}\n")
    done = run_program("gridftp-transfer", f"--batch={batch}", "--resolve")
    scenario = json.loads(done.stdout)
    assert scenario["sender_cores"] == 2
    assert scenario["sender_segment_cpu_s"] == 2e-6
    assert scenario["sender_host"] == "none"


@pytest.mark.parametrize("words", [["--sender-segment-cpu=1us"], ["--receiver-backlog=9p"]])
def test_devices_of_ns3_know_no_host(run_program: Runner, words: list[str]) -> None:
    done = run_program("gridftp-transfer", "--engine=ns3", "--links=ns3", *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "allowed with such: --links=lean" in done.stderr
