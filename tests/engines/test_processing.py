"""Data processing and the CPUs of hosts: what is refused, and what is told."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

Json = dict[str, Any]
Runner = Callable[..., subprocess.CompletedProcess[str]]

TRANSFER = "gridftp-transfer"
SMALL = ("--mode=fixed", "--file-size=8MB", "--chunk-size=3MB", "--block-size=256KiB")
SCALE = ("--processing=scale", "--processing-ratio=0.25")


def run(program: Runner, *words: str) -> Json:
    done = program(TRANSFER, *SMALL, *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--protection=integrity", "--confidentiality-rate=1Gbps"),
            "--protection=integrity needs integrity-rate; allowed with it: above 0bps",
        ),
        (
            ("--session", "protection=confidentiality"),
            "--session 'protection=confidentiality' needs confidentiality-rate; allowed with it: "
            "above 0bps",
        ),
        (("--processing=zip",), "--processing=zip is unknown; allowed: identity, partial, scale"),
        (
            ("--processing=partial",),
            "--processing=partial needs processing-length; allowed with it: above 0B",
        ),
        (
            ("--processing=partial", "--processing-offset=5MB", "--processing-length=4MB", *SMALL),
            "--processing=partial ends at 9000000; allowed: up to file-size=8MB",
        ),
        (
            (*SCALE, "--retries=1"),
            "--processing=scale changes the file, and restart markers do not cover that; "
            "allowed with it: retries=0, restart=none",
        ),
        (
            (*SCALE, "--files=2"),
            "--processing=scale needs a session with one file; allowed with it: files=1, "
            "file-sizes=fixed, repeat-for=0s, no files-of another session",
        ),
        (
            ("--processing=partial", "--processing-length=1MB", "--restart=0-2000000"),
            "--restart=0-2000000 is not within the part; allowed with "
            "processing=partial: 0-1000000",
        ),
        (
            ("--processing-ratio=0",),
            "--processing-ratio=0 is out of range; allowed: a number such as 0.8, 0.001 to 1000",
        ),
    ],
)
def test_what_is_refused(run_program: Runner, words: tuple[str, ...], said: str) -> None:
    done = run_program(TRANSFER, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == f"{TRANSFER}: {said}"


def test_what_hosts_do_is_told_where_it_costs(run_program: Runner) -> None:
    assert not {"host", "processing"} & set(run(run_program)["sessions"][0])
    words = (*SCALE, "--direction=download", "--processing-rate=1Gbps", "--request-cpu=5ms")
    session = run(run_program, *words, "--cpu-rate=10Gbps")["sessions"][0]
    assert session["processing"] == {"input_bytes": 8_000_000, "output_bytes": 2_000_000}
    assert session["bytes"] == sum(chunk["bytes"] for chunk in session["gridftp"]["chunks"])
    # 2 MB of output in one chunk at 10 Gbit/s, made of 8 MB at 1 Gbit/s
    assert session["host"]["sender"] == {
        "cpu_busy_s": pytest.approx(0.0706, abs=1e-7),
        "cpu_data_s": pytest.approx(0.0016, abs=1e-7),
        "cpu_protection_s": 0,
        "cpu_modules_s": pytest.approx(0.064, abs=1e-7),
        "cpu_requests_s": 0.005,
        "cpu_authentication_s": 0,
    }
    assert session["host"]["receiver"]["cpu_busy_s"] == pytest.approx(0.0016, abs=1e-7)
    text = run_program(TRANSFER, *SMALL, *words).stdout
    assert "  module scale: 2MB from 8MB\n" in text
    assert "  CPU: busy 0.069 s at the sender, 0.000 s at the receiver\n" in text


def test_a_part_is_moved_from_where_it_is(run_program: Runner) -> None:
    words = ("--processing=partial", "--processing-offset=1MB", "--processing-length=5MB")
    results = [
        run(run_program, *words, "--restart=1000000-4500000", f"--engine={engine}")
        for engine in ("segment", "ns3")
    ]
    assert results[0]["sessions"] == results[1]["sessions"]
    # The first chunk of 3 MB is there, and 0.5 MB of the second
    chunks = results[0]["sessions"][0]["gridftp"]["chunks"]
    assert [chunk["bytes"] for chunk in chunks] == [1_500_000]
