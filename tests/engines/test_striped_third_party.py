"""Striped third-party transfers as another program reads them: tshark."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable

import pytest
from test_pcap import CONTROL_PORT, FIELDS, LOGIN, read

Runner = Callable[..., subprocess.CompletedProcess[str]]
Frames = list[dict[str, str]]

SIZES = ("--stripes=2x3", "--file-size=6MB", "--chunk-size=3MB", "--stripe-block=500kB")
WORDS = (*SIZES, "--direction=third-party", "--client-delay=20ms", "--mode=fixed")

# After the login, as the Grid Community Toolkit 6.2 client was seen to say it of a single host,
# with GFD.20's commands of stripes in place of PASV and PORT.
TO_RECEIVER = ["SITE STORBUFSIZE 65536"] + [
    line
    for offset in (0, 3_000_000)
    for line in ("SPAS", "ALLO 3000000", f"ESTO A {offset} /data/file")
]
OPTIONS = "OPTS RETR StripeLayout=Blocked;BlockSize=500000;Parallelism=2,2,2;"
TO_SENDER = ["SIZE /data/file", "SITE RETRBUFSIZE 65536"] + [
    line
    for offset in (0, 3_000_000)
    for line in (OPTIONS, "SPOR", f"ERET P {offset} 3000000 /data/file")
]


@pytest.fixture(scope="module")
def captures(run_program: Runner, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Frames]:
    """Capture two chunks from two hosts to three, 6 pairs of two connections, at every host."""
    if shutil.which("tshark") is None:
        pytest.skip("tshark is not installed (Debian: tshark)")
    folder = tmp_path_factory.mktemp("pcap")
    done = run_program(
        "gridftp-transfer", *WORDS, "--parallelism=2", "--engine=ns3", f"--pcap={folder}/run",
        "--json",
    )  # fmt: skip
    assert json.loads(done.stdout)["status"] == "done"
    fields = (*FIELDS, "ftp.response.code", "tcp.payload")
    found = {path.stem.removeprefix("run-"): read(path, fields) for path in folder.iterdir()}
    assert sorted(found) == [
        "client-0", "receiver-0", "receiver-0-stripe-0", "receiver-0-stripe-1",
        "receiver-0-stripe-2", "sender-0", "sender-0-stripe-0", "sender-0-stripe-1",
    ]  # fmt: skip
    return found


def said(frames: Frames) -> list[str]:
    """Return the commands, without where SPOR points to."""
    lines = (f"{f['ftp.request.command']} {f['ftp.request.arg']}".strip() for f in frames)
    return ["SPOR" if line.startswith("SPOR ") else line for line in lines if line]


def from_data_hosts(frames: Frames) -> dict[str, int]:
    """Return how many bytes other hosts than the own head node sent to a data connection."""
    sums: dict[str, int] = {}
    for frame in frames:
        ports = (frame["tcp.srcport"], frame["tcp.dstport"])
        if CONTROL_PORT not in ports:
            sums[frame["ip.src"]] = sums.get(frame["ip.src"], 0) + int(frame["tcp.len"])
    return sums


def test_each_dialogue_decodes_in_the_order_of_the_real_programs(
    captures: dict[str, Frames],
) -> None:
    assert said(captures["receiver-0"]) == [*LOGIN, *TO_RECEIVER, "QUIT"]
    assert said(captures["sender-0"]) == [*LOGIN, *TO_SENDER, "QUIT"]
    for frames in captures.values():
        # tshark takes each 229 for the reply to EPSV; that of SPAS has the same code in GFD.20.
        odd = {
            (f["ftp.response.code"], f["_ws.expert.message"]) for f in frames if f["_ws.malformed"]
        }
        assert odd <= {("229", "EPSV arguments must have the form (|||<port>|)")}
        assert {frame["tcp.checksum.status"] for frame in frames} == {"1"}


def test_client_tells_the_sender_where_each_stripe_of_the_receiver_listens(
    captures: dict[str, Frames],
) -> None:
    frames = captures["client-0"]
    # ESTO goes first, and ERET at its 150: the receiver waits for what the sender sends.
    verbs = [line.split(" ")[0] for line in said(frames)]
    chunk = ["SPAS", "ALLO", "OPTS", "SPOR", "ESTO", "ERET"]
    assert verbs[-14:] == [*chunk, *chunk, "QUIT", "QUIT"]
    address = re.compile(r"\d+(?:,\d+){5}")
    listening = [
        address.findall(bytes.fromhex(frame["tcp.payload"].replace(":", "")).decode())
        for frame in frames
        if frame["ftp.response.code"] == "229"
    ]
    passed_on = [
        frame["ftp.request.arg"].split() for frame in frames
        if frame["ftp.request.command"] == "SPOR"
    ]  # fmt: skip
    assert passed_on == listening
    assert len(passed_on) == 2
    assert len({one.rsplit(",", 2)[0] for one in passed_on[0]}) == 3, "each a host of its own"


def test_no_data_at_the_client_and_all_of_it_at_the_stripes(captures: dict[str, Frames]) -> None:
    assert from_data_hosts(captures["client-0"]) == {}
    received = [
        sum(int(f["tcp.len"]) for f in captures[f"receiver-0-stripe-{stripe}"])
        for stripe in range(3)
    ]
    # Blocks of 500 kB go to the receivers in turn, six of a chunk; each has 17 bytes of header, the
    # ends of data a few, and what the head nodes say to their hosts little more.
    for count in received:
        assert 2_000_000 < count < 2_010_000
