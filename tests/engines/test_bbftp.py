"""bbFTP as another program reads it, tshark, and what of it is refused."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from test_pcap import FIELDS, read

Runner = Callable[..., subprocess.CompletedProcess[str]]

CONTROL_PORT = "5021"
ROUND_TRIP_S = 0.02
BYTES = 1_000_001

# As bbFTP 3.3.0 was seen to say it, from the key to the goodbye: who, and payload of a segment. A
# body is held until its header is acknowledged, and with it what was written behind it.
SAID = [
    *[
        ("server", 8),
        ("server", 152),
        ("client", 8),
        ("client", 276),
        ("server", 8),
        ("server", 28),
    ],
    *[("client", 8), ("server", 8), ("server", 8), ("client", 8), ("client", 4 + 8 + 48 + 8 + 10)],
    *[("server", 8), ("server", 48 + 4 * 2), ("client", 8), ("server", 8), ("server", 2)],
    ("client", 8),
]


def transfer(run_program: Runner, folder: Path, direction: str) -> list[dict[str, str]]:
    """Return all segments with payload of a transfer over two streams, at the client."""
    if shutil.which("tshark") is None:
        pytest.skip("tshark is not installed (Debian: tshark)")
    done = run_program(
        "gridftp-transfer", "--tool=bbftp", "--tool-streams=2", f"--file-size={BYTES}B",
        "--delay=10ms", "--access-delay=0s", f"--direction={direction}", "--engine=ns3",
        f"--pcap={folder}/run", "--json",
    )  # fmt: skip
    assert json.loads(done.stdout)["status"] == "done"
    frames = read(folder / "run-client-0.pcap", (*FIELDS, "frame.time_epoch"))
    assert all(f["tcp.checksum.status"] in ("1", "") for f in frames)
    return [f for f in frames if int(f["tcp.len"] or 0) > 0]


@pytest.mark.parametrize("direction", ["upload", "download"])
def test_the_dialogue_has_the_sizes_of_the_real_program(
    run_program: Runner, tmp_path: Path, direction: str
) -> None:
    frames = transfer(run_program, tmp_path, direction)
    control = [f for f in frames if CONTROL_PORT in (f["tcp.srcport"], f["tcp.dstport"])]
    said = [
        ("server" if f["tcp.srcport"] == CONTROL_PORT else "client", int(f["tcp.len"]))
        for f in control
    ]
    assert said[: len(SAID) - 1] == SAID[:-1]  # the goodbye may be cut off by the end
    for header, body in itertools.pairwise(control):
        if header["tcp.srcport"] == body["tcp.srcport"]:
            held = float(body["frame.time_epoch"]) - float(header["frame.time_epoch"])
            assert held > ROUND_TRIP_S

    sums: dict[tuple[str, bool], int] = {}
    for f in frames:
        if f not in control:
            key = (f["tcp.stream"], f["ip.src"] == control[2]["ip.src"])
            sums[key] = sums.get(key, 0) + int(f["tcp.len"])
    isclient = direction == "upload"
    parts = [bytes for (_, by_client), bytes in sorted(sums.items()) if by_client == isclient]
    answers = [bytes for (_, by_client), bytes in sums.items() if by_client != isclient]
    assert parts == [BYTES // 2, BYTES - BYTES // 2]
    assert answers == [8, 8]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--tool-streams=0"], "--tool-streams=0"),
        (["--tool-streams=1001"], "--tool-streams=1001"),
        (["--tool-compression=0.5"], "--tool-compression=0.5"),
        (["--tool-window=large"], "--tool-window=large"),
        (["--buffers=drs-kernel"], "--buffers=drs-kernel"),
        (["--direction=third-party"], "--direction=third-party"),
        (["--stripes=2x2"], "--stripes=2x2"),
        (["--retries=1"], "--retries=1"),
        (["--fault=kind=server-dies,at=1s"], "kind=server-dies"),
        (["--fault=kind=dtp-dies,at=1s"], "kind=dtp-dies"),
    ],
)
@pytest.mark.parametrize("engine", ["segment", "ns3"])
def test_what_does_not_go_with_it_is_refused_in_one_line(
    run_program: Runner, words: list[str], told: str, engine: str
) -> None:
    done = run_program("gridftp-transfer", "--tool=bbftp", f"--engine={engine}", *words)
    assert done.returncode == 2
    assert not done.stdout
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert told in lines[0]
    assert "allowed" in lines[0]


@pytest.mark.parametrize("engine", ["segment", "ns3"])
def test_results_count_bytes_of_the_file_and_all_connections(
    run_program: Runner, engine: str
) -> None:
    words = ["--tool=bbftp", "--file-size=4MB", "--tool-streams=4", f"--engine={engine}", "--json"]
    plain = json.loads(run_program("gridftp-transfer", *words).stdout)["sessions"][0]
    assert plain["bytes"] == 4_000_000
    assert plain["tcp"]["segments"] == 4 * -(-1_000_000 // 1460)
    mib = 4 * plain["tcp"]["window_bytes"] / (1 << 20)
    assert plain["buffers"]["mbps_per_mib"] == pytest.approx(plain["goodput_bps"] / 1e6 / mib)
    small = json.loads(run_program("gridftp-transfer", *words, "--tool-compression=2.5").stdout)[
        "sessions"
    ][0]
    assert small["bytes"] == 4_000_000
    assert small["tcp"]["segments"] == 4 * -(-400_000 // 1460)
    assert small["duration_s"] < plain["duration_s"]


def test_a_black_hole_of_the_path_resets_no_connection(run_program: Runner) -> None:
    words = [
        "--tool=bbftp", "--file-size=5MB", "--bandwidth=20Mbps", "--json",
        "--fault=kind=mtu-black-hole,at=500ms,for=700ms,mtu=1000",
    ]  # fmt: skip
    own, reference = (
        json.loads(run_program("gridftp-transfer", *words, f"--engine={engine}").stdout)
        for engine in ("segment", "ns3")
    )
    assert own["status"] == "done"
    assert own["sessions"] == reference["sessions"]
