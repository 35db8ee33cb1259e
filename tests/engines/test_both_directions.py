"""--file-directions: uploads and downloads over one control connection."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner
from test_pcap import FIELDS, LOGIN, is_control, read

TRANSFER = "gridftp-transfer"
PATH = (
    "--mode=fixed", "--parallelism=2", "--bandwidth=20Mbps", "--reverse-bandwidth=10Mbps",
    "--chunk-size=1MB",
)  # fmt: skip
BOTH = ("--file-sizes=2MB:500KB", "--file-directions=upload:download")


def run(run_program: Runner, *words: str) -> dict[str, Any]:
    """Return the result of a transfer that has to succeed."""
    done = run_program(TRANSFER, *PATH, *words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("more", [(), ("--data-channels=cached",), ("--detail=on",)])
def test_both_engines_have_the_same_in_every_digit(
    more: tuple[str, ...], run_program: Runner
) -> None:
    own = run(run_program, *BOTH, *more)
    other = run(run_program, *BOTH, *more, "--engine=ns3")
    assert own["sessions"] == other["sessions"]
    assert own["links"] == other["links"]


def test_a_result_has_each_direction(run_program: Runner) -> None:
    (session,) = run(run_program, *BOTH)["sessions"]
    up, down = session["directions"]
    assert (up["direction"], up["files"], up["bytes"]) == ("upload", 1, 2_000_000)
    assert (down["direction"], down["files"], down["bytes"]) == ("download", 1, 500_000)
    first, second = session["files"]
    for direction, file in ((up, first), (down, second)):
        assert file["direction"] == direction["direction"]
        duration = file["end_s"] - file["start_s"]
        assert direction["duration_s"] == pytest.approx(duration, abs=1e-9)
        assert direction["goodput_bps"] == pytest.approx(8 * direction["bytes"] / duration)
    # The download has the slower direction of the path
    assert down["goodput_bps"] < 10e6 < up["goodput_bps"] < 20e6
    chunks = session["gridftp"]["chunks"]
    assert [chunk["direction"] for chunk in chunks] == ["upload", "upload", "download"]
    assert session["bytes"] == 2_500_000
    assert session["duration_s"] > up["duration_s"] + down["duration_s"]


def test_a_session_in_one_direction_has_no_such_keys(run_program: Runner) -> None:
    result = run(run_program, "--files=2", "--file-size=500KB", "--file-directions=same")
    (session,) = result["sessions"]
    assert "directions" not in session
    assert not any("direction" in file for file in session["files"])
    assert not any("direction" in chunk for chunk in session["gridftp"]["chunks"])


def test_the_table_has_a_line_for_each_direction(run_program: Runner) -> None:
    done = run_program(TRANSFER, *PATH, *BOTH)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].endswith("  direction")
    assert [line.split()[-1] for line in lines[1:3]] == ["upload", "download"]
    assert any(line.startswith("  upload: 1 file, 2MB in ") for line in lines)
    assert any(line.startswith("  download: 1 file, 500KB in ") for line in lines)


def test_a_batch_has_them(run_program: Runner, tmp_path: Path) -> None:
    line = {"file_directions": "download:upload", "direction": "download", "file-size": "100KB"}
    batch = tmp_path / "batch.jsonl"
    batch.write_text(json.dumps(line) + "\n")
    done = run_program(TRANSFER, f"--batch={batch}")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["scenario"]["file_directions"] == "download:upload"
    assert [one["direction"] for one in result["sessions"][0]["directions"]] == [
        "download",
        "upload",
    ]


REFUSED = (
    "--file-directions=put:get",
    "--file-directions=",
    "--file-directions=upload,download",
    "--file-directions=download:upload",
    "--direction=third-party",
    "--files=1 --file-sizes=1MB",
    "--stripes=2x1",
    "--data-channels=cached --pipelining=2",
    "--control-security=gsi --data-security=gsi",
    "--source=disk --source-rate=1Gbps",
    "--sink=disk --sink-rate=1Gbps",
    "--buffers=drs-ftp --parallelism=1",
    "--receiver-cores=2",
    "--min-rate=1Mbps",
    "--retries=1",
    "--restart=0-5",
    "--processing=partial --processing-length=1KB",
    "--fault=kind=control-reset,at=1s",
    "--session=files-of=0",
    "--tool=bbftp",
)
"""Options that do not go with files in both directions."""


@pytest.mark.parametrize("engine", ["segment", "ns3"])
@pytest.mark.parametrize("words", REFUSED)
def test_what_it_does_not_go_with_is_refused_in_one_line(
    words: str, engine: str, run_program: Runner
) -> None:
    given = ("--mode=fixed", "--file-directions=upload:download", f"--engine={engine}")
    if words.startswith("--file-directions"):
        given = given[::2]
    done = run_program(TRANSFER, *given, *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "; allowed" in done.stderr


@pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
def test_one_login_serves_both(run_program: Runner, tmp_path: Path) -> None:
    prefix = tmp_path / "run"
    run(run_program, *BOTH, "--engine=ns3", f"--pcap={prefix}")
    frames = read(prefix.with_name("run-client-0.pcap"), FIELDS)
    assert len({frame["tcp.stream"] for frame in frames if is_control(frame)}) == 1
    commands = [
        f"{frame['ftp.request.command']} {frame['ftp.request.arg']}".strip()
        for frame in frames
        if frame["ftp.request.command"]
    ]
    assert commands[: len(LOGIN)] == LOGIN
    said = [line.split(" ")[0] for line in commands[len(LOGIN) :]]
    store, retrieve = ["PASV", "ALLO", "ESTO"], ["OPTS", "PORT", "ERET"]
    assert said == ["SITE", *store, *store, *retrieve, "QUIT"]
    # In MODE E the sender opens the data connections
    syn, ack = 0x02, 0x10
    opened = [
        frame["ip.src"]
        for frame in frames
        if not is_control(frame) and int(frame["tcp.flags"], 16) & (syn | ack) == syn
    ]
    client, server = opened[0], opened[-1]
    assert client != server
    assert opened == [client] * 4 + [server] * 2
