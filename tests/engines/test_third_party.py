"""Third-party transfers: one client, two servers, two control connections."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_pcap import FIELDS, LOGIN, is_control, read

Json = dict[str, Any]
Runner = Callable[..., subprocess.CompletedProcess[str]]

TRANSFER = "gridftp-transfer"
THIRD_PARTY = ("--direction=third-party", "--client-delay=20ms")

# After the login, as the Grid Community Toolkit 6.2 client was seen to say it, for two chunks.
TO_RECEIVER = ["SITE STORBUFSIZE 65536"] + [
    line
    for offset in (0, 3_000_000)
    for line in ("PASV", "ALLO 3000000", f"ESTO A {offset} /data/file")
]
TO_SENDER = ["SIZE /data/file", "SITE RETRBUFSIZE 65536"] + [
    line
    for offset in (0, 3_000_000)
    for line in ("OPTS RETR Parallelism=4,4,4;", "PORT", f"ERET P {offset} 3000000 /data/file")
]


def run(program: Runner, *words: str, status: int = 0) -> Json:
    done = program(TRANSFER, *THIRD_PARTY, *words, "--json")
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


def measured(result: Json) -> Json:
    """Return what both engines have to agree on."""
    return {key: result[key] for key in ("status", "reason", "sessions", "links")}


@pytest.fixture(scope="module")
def captures(run_program: Runner, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Capture a transfer of two chunks at its three hosts."""
    if shutil.which("tshark") is None:
        pytest.skip("tshark is not installed (Debian: tshark)")
    prefix = tmp_path_factory.mktemp("pcap") / "run"
    sizes = ["--file-size=6MB", "--chunk-size=3MB", "--mode=fixed", "--parallelism=4"]
    result = run(run_program, "--engine=ns3", *sizes, f"--pcap={prefix}")
    assert result["status"] == "done"
    hosts = ("client", "receiver", "sender")
    return {host: prefix.with_name(f"run-{host}-0.pcap") for host in hosts}


def spoken(frames: list[dict[str, str]]) -> list[str]:
    """Return the commands that tshark sees, without where PORT points to."""
    lines = [
        f"{frame['ftp.request.command']} {frame['ftp.request.arg']}".strip()
        for frame in frames
        if frame["ftp.request.command"]
    ]
    return ["PORT" if line.startswith("PORT 10,0,0,10,") else line for line in lines]


def test_each_dialogue_decodes_in_the_order_of_the_real_programs(captures: dict[str, Path]) -> None:
    receiver, sender = (read(captures[host], FIELDS) for host in ("receiver", "sender"))
    assert spoken(receiver) == [*LOGIN, *TO_RECEIVER, "QUIT"]
    assert spoken(sender) == [*LOGIN, *TO_SENDER, "QUIT"]
    for frames in (receiver, sender):
        assert not [frame for frame in frames if frame["_ws.malformed"]]
        assert {frame["tcp.checksum.status"] for frame in frames} == {"1"}
        assert all(
            frame["frame.protocols"].endswith(":ftp")
            for frame in frames
            if is_control(frame) and frame["tcp.len"] != "0"
        )


def test_client_tells_the_sender_what_the_receiver_told_it(captures: dict[str, Path]) -> None:
    frames = read(captures["client"], (*FIELDS, "ftp.response.arg"))
    # ESTO goes first, and ERET at its 150: the receiver waits for what the sender sends.
    verbs = [line.split(" ")[0] for line in spoken(frames)]
    chunk = ["PASV", "ALLO", "OPTS", "PORT", "ESTO", "ERET"]
    assert verbs[-14:] == [*chunk, *chunk, "QUIT", "QUIT"]
    told = [
        re.search(r"\(([\d,]+)\)", frame["ftp.response.arg"])[1]
        for frame in frames
        if "Passive" in frame["ftp.response.arg"]
    ]
    passed_on = [f["ftp.request.arg"] for f in frames if f["ftp.request.command"] == "PORT"]
    assert passed_on == told
    assert len(set(told)) == 2
    assert not [frame for frame in frames if not is_control(frame)], "no data at the client"


def test_512_megabytes_on_both_engines(run_program: Runner) -> None:
    # Large packets: a sixth of the time of engine ns3
    words = ("--file-size=512MB", "--packet-size=9000", "--window=256KiB", "--bandwidth=1Gbps")
    segment, ns3 = (run(run_program, f"--engine={engine}", *words) for engine in ("segment", "ns3"))
    assert measured(segment) == measured(ns3)
    (session,) = segment["sessions"]
    assert session["status"] == "done"
    assert session["bytes"] == 512_000_000
    chunks = session["gridftp"]["chunks"]
    assert [chunk["bytes"] for chunk in chunks] == [100_000_000] * 5 + [12_000_000]
    assert chunks[-1]["parallelism"] > 1


def test_r_is_that_of_the_farther_server(run_program: Runner) -> None:
    words = ("--file-size=1MB", "--delay=10ms", "--access-delay=0ms")
    for client_ms, rtt_ms in ((0, 20), (10, 40), (100, 220)):
        result = run(run_program, *words, f"--client-delay={client_ms}ms")
        chunk = result["sessions"][0]["gridftp"]["chunks"][0]
        assert chunk["rtt_s"] == pytest.approx(rtt_ms / 1000, rel=0.01)
        # The data does not wait for the client: a chunk takes what it takes, and a round trip more
        assert chunk["end_s"] - chunk["start_s"] > rtt_ms / 1000


def phases(result: Json) -> dict[str, float]:
    """Moments of a transfer of two chunks, s."""
    first, second = result["sessions"][0]["gridftp"]["chunks"]
    return {
        "before the login": 0,
        "during the login at the receiver": 0.2,
        "during the login at the sender": first["start_s"] - 0.2,
        "during a transfer": (first["start_s"] + first["end_s"]) / 2,
        "between chunks": (first["end_s"] + second["start_s"]) / 2,
        "after its end": second["end_s"] + 10,
    }


@pytest.mark.parametrize("channels", ["fresh", "cached"])
@pytest.mark.parametrize("server", ["receiver", "sender"])
def test_either_control_connection_lost(run_program: Runner, server: str, channels: str) -> None:
    words = ("--file-size=6MB", "--chunk-size=3MB", f"--data-channels={channels}")
    whole = run(run_program, *words)
    for phase, at in phases(whole).items():
        fault = f"--fault=server={server},at={round(at * 1e9)}ns"
        ends = phase != "after its end"
        results = [
            run(run_program, f"--engine={engine}", *words, fault, status=int(ends))
            for engine in ("segment", "ns3")
        ]
        assert measured(results[0]) == measured(results[1]), phase
        if not ends:
            assert measured(results[0]) == measured(whole)
            continue
        assert results[0]["status"] == "failed"
        assert results[0]["reason"] == f"session 0: {server}: control connection failed", phase
        complete = results[0]["sessions"][0]["gridftp"]["chunks"]
        assert len(complete) == int(phase == "between chunks")


def test_other_sessions_go_on(run_program: Runner) -> None:
    words = ["--file-size=20MB", "--session=start=1s", "--background=start=0s"]
    words.append("--fault=session=0,server=sender,at=2s")
    for engine in ("segment", "ns3"):
        result = run(run_program, f"--engine={engine}", *words, status=1)
        first, second = result["sessions"]
        assert first["reason"] == "sender: control connection failed"
        assert (second["status"], second["bytes"]) == ("done", 20_000_000)
