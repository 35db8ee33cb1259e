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
            "--auth-cpu=1001s is out of range; allowed: a time such as 10ms, 0ns to 1000s",
        ),
    ],
)
def test_what_is_refused(run_program: Runner, words: tuple[str, ...], said: str) -> None:
    done = run_program("gridftp-transfer", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip().splitlines()[-1].endswith(said)


def lines_to(frames: list[dict[str, str]], port: str) -> list[str]:
    """Return the lines of the control connection, one direction: that has its port there."""
    pieces = (f["tcp.payload"].replace(":", "") for f in frames if f[port] == CONTROL_PORT)
    return b"".join(map(bytes.fromhex, pieces)).decode("ascii").splitlines()


@pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
def test_a_capture_decodes(run_program: Runner, tmp_path: Path) -> None:
    done = run_program(
        *("gridftp-transfer", GSI, "--data-security=gsi", "--engine=ns3", "--mode=fixed"),
        *("--parallelism=2", "--file-size=300KB", f"--pcap={tmp_path}/run", "--json"),
    )
    assert json.loads(done.stdout)["status"] == "done"
    frames = read(tmp_path / "run-client-0.pcap", (*FIELDS, "ftp.response.code", "tcp.payload"))
    assert {frame["_ws.malformed"] for frame in frames} == {""}
    assert {frame["tcp.checksum.status"] for frame in frames} == {"1"}

    # tshark takes the segments of a long line for lines of their own
    said = [line.split(" ", 1) for line in lines_to(frames, "tcp.dstport")]
    words = [words[0] for words in said]
    assert words[:5] == ["AUTH", "ADAT", "ADAT", "ADAT", "ADAT"]
    assert set(words[5:]) == {"ENC"}
    requests = {frame["ftp.request.command"] for frame in frames}
    assert {"AUTH", "ADAT", "ENC"} <= requests
    # A token is a header of 5 bytes, the line, and 17 bytes behind it
    inner = [base64.b64decode(token)[5:-17].decode().rstrip() for _, token in said[5:]]
    assert inner == [
        "USER :globus-mapping:", "PASS", *LOGIN[2:], "SITE STORBUFSIZE 65536",
        "PASV", "ALLO 300000", "ESTO A 0 /data/file", "QUIT",
    ]  # fmt: skip

    codes = [line[:3] for line in lines_to(frames, "tcp.srcport")]
    assert codes[:6] == ["220", "334", "335", "335", "335", "235"]
    assert set(codes[6:]) == {"632"}
    assert {"334", "335", "235", "632"} <= {frame["ftp.response.code"] for frame in frames}

    data = [f for f in frames if CONTROL_PORT not in (f["tcp.srcport"], f["tcp.dstport"])]
    client = next(frame["ip.src"] for frame in data)
    back = sum(int(frame["tcp.len"]) for frame in data if frame["ip.src"] != client)
    there = sum(int(frame["tcp.len"]) for frame in data if frame["ip.src"] == client)
    # Of two connections: what the server says, whose credential is a delegated one, and what the
    # client says before its one block and two ends of data
    assert back == 2 * (2994 + 838 + 23)
    assert there == 2 * (322 + 2768 + 23) + 300_000 + 3 * 17
