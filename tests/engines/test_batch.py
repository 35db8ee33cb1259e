"""Batches: many scenarios for one process, each answered as it would be alone."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

SMALL = {"file-size": "1MB", "mode": "fixed", "parallelism": "2"}


@pytest.fixture(scope="module")
def program() -> Path:
    """Return gridftp-transfer."""
    folder = os.environ.get("GRIDFTP_BUILD_DIR")
    path = Path(folder or "", "gridftp-transfer")
    if not folder or not os.access(path, os.X_OK):
        pytest.skip("gridftp-transfer is not built (GRIDFTP_BUILD_DIR, set by ./gridftp test)")
    return path


def batch(program: Path, lines: list[str], *options: str) -> tuple[int, list[dict[str, Any]]]:
    """Run a batch from standard input; return its exit status and its answers."""
    done = subprocess.run(
        [program, "--batch=-", *options],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def without_cost(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result without what differs from run to run."""
    return {key: value for key, value in result.items() if key not in ("cost", "provenance")}


def test_each_line_is_answered_as_it_would_be_alone(program: Path) -> None:
    scenarios = [{**SMALL, "run": str(run), "start-jitter": "5ms"} for run in range(3)]
    scenarios += [{**SMALL, "engine": "ns3", "tcp": "ns3::TcpCubic"}, {**SMALL, "tcp": "newreno"}]
    status, answers = batch(program, [json.dumps(scenario) for scenario in scenarios])
    assert status == 0
    for scenario, answer in zip(scenarios, answers, strict=True):
        words = [f"--{name}={value}" for name, value in scenario.items()]
        alone = subprocess.run(
            [program, *words, "--json"], capture_output=True, text=True, check=True
        )
        assert without_cost(answer) == without_cost(json.loads(alone.stdout))


def test_a_bad_line_is_an_error_and_the_rest_goes_on(program: Path) -> None:
    bad = ['{"eta": 2}', "", "no JSON", '{"engine": "ns3", "tcp": "ns3::Nothing"}', '{"engin": 1}']
    status, answers = batch(program, [*bad, json.dumps(SMALL)])
    assert status == 1
    errors, (last,) = answers[:-1], answers[-1:]
    assert [(error["status"], error["line"]) for error in errors] == [
        ("error", line) for line in (1, 3, 4, 5)
    ]
    for error, named in zip(errors, ("eta", "byte 1", "ns3::Nothing", "engine"), strict=True):
        assert named in error["reason"]
    assert last["status"] == "done"


def test_what_resolve_prints_reads_back_as_itself(program: Path) -> None:
    lines = ["{}", '{"delay": "20ms", "sessions": [{}, {"mode": "aimd", "start_s": 5}]}']
    status, first = batch(program, lines, "--resolve")
    assert status == 0
    assert first[1]["sessions"][1]["mode"] == "aimd"
    again = batch(program, [json.dumps(scenario) for scenario in first], "--resolve")
    assert again == (0, first)


def test_thousands_of_transfers_take_one_process(program: Path) -> None:
    # More than a process may have files open
    count = 3000
    lines = [json.dumps({**SMALL, "file-size": "1KB", "run": str(run)}) for run in range(count)]
    status, answers = batch(program, lines)
    assert status == 0
    assert [answer["scenario"]["run"] for answer in answers] == list(range(count))


@pytest.mark.parametrize("engine", ["segment", "ns3"])
def test_no_loss_in_the_handshakes_stalls_a_transfer(program: Path, engine: str) -> None:
    # One in ten control connections loses the last ACK of its handshake.
    scenario = {"engine": engine, "file-size": "10KB", "random-loss": "0.1"}
    lines = [json.dumps({**scenario, "run": str(run)}) for run in range(60)]
    status, answers = batch(program, lines)
    assert [answer["reason"] for answer in answers] == [None] * len(lines)
    assert status == 0


@pytest.mark.parametrize("words", [["--batch=-", "--eta=0.5"], ["--batch=no/such/file"]])
def test_what_cannot_go_with_a_batch_is_refused_in_one_line(
    program: Path, words: list[str]
) -> None:
    done = subprocess.run(
        [program, *words], input="{}\n", capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "allowed" in line
