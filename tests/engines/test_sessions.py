"""Several sessions and background connections on one bottleneck, as the program runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner

TRANSFER = "gridftp-transfer"
SMALL = ["--file-size=4MB", "--chunk-size=2MB", "--mode=fixed"]


def run(run_program: Runner, *words: str) -> dict[str, Any]:
    """Return the result of a transfer that has to succeed."""
    done = run_program(TRANSFER, *SMALL, *words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("direction", ["upload", "download"])
def test_result_of_sessions_and_background(run_program: Runner, direction: str) -> None:
    words = ["--session", "start=0.5s,file-size=1MB", "--session=mode=aimd"]
    words += ["--background", "stop=1s", "--background=start=0.25s,tcp=newreno"]
    result = run(run_program, f"--direction={direction}", *words)
    scenario, sessions = result["scenario"], result["sessions"]
    assert [session["direction"] for session in scenario["sessions"]] == [direction] * 3
    assert [s["file_size_bytes"] for s in scenario["sessions"]] == [4_000_000, 1_000_000, 4_000_000]
    for asked, session in zip(scenario["sessions"], sessions, strict=True):
        chunks = session["gridftp"]["chunks"]
        assert sum(chunk["bytes"] for chunk in chunks) == asked["file_size_bytes"]
        assert session["bytes"] == asked["file_size_bytes"]
        assert session["start_s"] == chunks[0]["start_s"] > asked["start_s"]
        assert session["tcp"]["window_bytes"] == asked["window_bytes"]
    end = max(session["gridftp"]["chunks"][-1]["end_s"] for session in sessions)
    for asked, plain in zip(scenario["background"], result["background"], strict=True):
        assert plain["start_s"] == asked["start_s"]
        seconds = plain["end_s"] - plain["start_s"]
        assert plain["goodput_bps"] == pytest.approx(8 * plain["bytes"] / seconds)
        assert 0 < plain["bytes"] <= 1460 * plain["tcp"]["segments"]
    assert result["background"][0]["end_s"] == 1
    # The client says QUIT behind its last chunk.
    assert end < result["background"][1]["end_s"] < end + 0.1


def test_background_takes_its_share(run_program: Runner) -> None:
    words = ["--parallelism=8", "--file-size=20MB", "--chunk-size=20MB"]
    alone = run(run_program, *words)["sessions"][0]["goodput_bps"]
    result = run(run_program, *words, *["--background=window=256KiB"] * 4)
    shared = result["sessions"][0]["goodput_bps"]
    taken = sum(plain["goodput_bps"] for plain in result["background"])
    bandwidth = result["scenario"]["bandwidth_bps"]
    assert shared < 0.9 * alone
    assert taken > alone - shared - 0.1 * bandwidth
    assert shared + taken < bandwidth


def test_arrivals_are_sessions_and_depend_on_the_run_alone(
    run_program: Runner, tmp_path: Path
) -> None:
    words = ["--arrivals=count=3,interval=200ms,file-size=100KB", "--mode=fixed"]
    one, again, other, reference = (
        run(run_program, *words, *more)
        for more in ([], ["--delay=20ms"], ["--run=2"], ["--engine=ns3"])
    )
    starts = [[session["start_s"] for session in x["scenario"]["sessions"]] for x in (one, other)]
    assert len(one["sessions"]) == 4
    assert starts[0][0] == 0 < starts[0][1] < starts[0][2] < starts[0][3]
    assert [session["start_s"] for session in again["scenario"]["sessions"]] == starts[0]
    assert starts[1][1:] != starts[0][1:]
    assert reference["sessions"] == one["sessions"]
    batch = tmp_path / "batch.jsonl"
    batch.write_text(json.dumps(one["scenario"]))
    echoed = run_program(TRANSFER, f"--batch={batch}", "--resolve")
    assert json.loads(echoed.stdout) == one["scenario"]


def test_table_for_people(run_program: Runner) -> None:
    done = run_program(TRANSFER, *SMALL, "--session=start=1s", "--background=stop=1s")
    assert done.returncode == 0
    assert re.findall(r"^  session (\d+)$", done.stdout, re.MULTILINE) == ["0", "1"]
    assert re.search(r"^   0 +reno +0\.000 +1\.000 +[\d.]+ +\d+ +\d+$", done.stdout, re.MULTILINE)


CLIENTS = ["--direction=download", "--server-host=shared", "--repeat-for=1s", "--file-size=200KB"]


@pytest.mark.parametrize("engine", ["segment", "ns3"])
def test_memory_of_the_server_of_several_clients(run_program: Runner, engine: str) -> None:
    words = [*CLIENTS, "--server-memory=1MB", f"--engine={engine}"]
    arrivals = "--arrivals=count=4,interval=100ms,process=fixed,server-memory=2MB"
    result = run(run_program, *words, "--host-memory=8MB", arrivals)
    first, memory = result["sessions"][0], result["server_memory"]
    # One comes every 0.1 s, and all stay for as long; 20 ms until each is accepted.
    stay = first["start_s"] + first["duration_s"]
    assert memory["peak_bytes"] == 9_000_000
    assert memory["beyond_host_s"] == pytest.approx(stay - 0.4, abs=0.03)
    assert memory["mean_bytes"] == pytest.approx(9e6 * stay / (stay + 0.4), rel=0.01)
    alone = run(run_program, *words)["server_memory"]
    assert alone == {"peak_bytes": 1_000_000, "mean_bytes": 1_000_000}
    assert "server_memory" not in run(run_program, *CLIENTS, f"--engine={engine}")


def test_memory_is_of_one_server(run_program: Runner) -> None:
    done = run_program(TRANSFER, "--direction=third-party", "--server-memory=1MB")
    assert (done.returncode, done.stderr.strip()) == (
        2,
        f"{TRANSFER}: --server-memory=1MB needs an upload or download; allowed "
        "with it: direction upload or download",
    )
