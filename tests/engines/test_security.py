"""Authenticated channels: what is refused, and what another program reads of them: tshark."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from test_pcap import CONTROL_PORT, FIELDS, LOGIN, read

Runner = Callable[..., subprocess.CompletedProcess[str]]

GSI = "--control-security=gsi"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--data-security=gsi",),
            "--data-security=gsi needs the credential that the control channel delegates; "
            "allowed with it: control-security=gsi",
        ),
        (
            (GSI, "--session", "control-security=none,data-security=gsi"),
            "--session 'data-security=gsi' needs the credential that the control channel "
            "delegates; allowed with it: control-security=gsi",
        ),
        (
            ("--fault", "kind=auth-refused"),
            "--fault 'kind=auth-refused' needs clients that authenticate; allowed with it: "
            "control-security=gsi",
        ),
        (("--control-security=tls",), "--control-security=tls is unknown; allowed: none, gsi"),
        (
            (GSI, "--auth-cpu=1001s"),
            "--auth-cpu=1001s is out of range; allowed: a time, 0 to 1000 s",
        ),
    ],
)
def test_what_is_refused(run_program: Runner, words: tuple[str, ...], said: str) -> None:
    done = run_program("gridftp-transfer", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip().splitlines()[-1].endswith(said)


@pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
def test_a_capture_decodes(run_program: Runner, tmp_path: Path) -> None:
    done = run_program(
        *("gridftp-transfer", GSI, "--data-security=gsi", "--engine=ns3", "--mode=fixed"),
        *("--parallelism=2", "--file-size=300KB", f"--pcap={tmp_path}/run", "--json"),
    )
    assert json.loads(done.stdout)["status"] == "done"
    frames = read(tmp_path / "run-client-0.pcap", (*FIELDS, "ftp.response.code"))
    assert {frame["_ws.malformed"] for frame in frames} == {""}
    assert {frame["tcp.checksum.status"] for frame in frames} == {"1"}

    said = [
        (command, argument)
        for frame in frames
        for command, argument in zip(
            frame["ftp.request.command"].split("|"), frame["ftp.request.arg"].split("|"),
            strict=True,
        )
        if command
    ]  # fmt: skip
    assert [command for command, _ in said[:6]] == ["AUTH", "ADAT", "ADAT", "ADAT", "ADAT", "ENC"]
    assert {command for command, _ in said[5:]} == {"ENC"}
    # A token is a header of 5 bytes, the line, and 17 bytes behind it
    inner = [base64.b64decode(token)[5:-17].decode().rstrip() for _, token in said[5:]]
    assert inner == [
        "USER :globus-mapping:", "PASS", *LOGIN[2:], "SITE STORBUFSIZE 65536",
        "PASV", "ALLO 300000", "ESTO A 0 /data/file", "QUIT",
    ]  # fmt: skip

    codes = [code for f in frames for code in f["ftp.response.code"].split("|") if code]
    assert codes[:6] == ["220", "334", "335", "335", "335", "235"]
    assert set(codes[6:]) == {"632"}

    data = [f for f in frames if CONTROL_PORT not in (f["tcp.srcport"], f["tcp.dstport"])]
    client = next(frame["ip.src"] for frame in data)
    back = sum(int(frame["tcp.len"]) for frame in data if frame["ip.src"] != client)
    there = sum(int(frame["tcp.len"]) for frame in data if frame["ip.src"] == client)
    # Of two connections: what the server says, whose credential is a delegated one, and what the
    # client says before its one block and two ends of data
    assert back == 2 * (2994 + 838 + 23)
    assert there == 2 * (322 + 2768 + 23) + 300_000 + 3 * 17
