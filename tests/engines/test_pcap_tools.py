"""What --pcap writes of tools that send datagrams, as tshark reads it, which knows UDT."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(
    shutil.which("tshark") is None, reason="tshark is not installed (Debian: tshark)"
)

Runner = Callable[..., Any]
Frame = dict[str, str]

FIELDS = (
    "frame.protocols", "ip.src", "ip.checksum.status", "udp.checksum.status", "udp.length",
    "udp.payload", "tcp.len", "udt.iscontrol", "udt.type", "udt.seqno", "udt.ack_seqno",
    "udt.hs.version", "udt.hs.mtu", "udt.nak_seqno", "udt.rtt", "_ws.malformed",
)  # fmt: skip

SHARK = [
    *("tshark", "-n", "--enable-heuristic", "udt_udp"),
    *("-o", "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"),
    *("-T", "fields", "-E", "aggregator=|"),
    *(word for field in FIELDS for word in ("-e", field)),
]

GOOD = "1"
UDP_HEADER = 8
FILE, PAYLOAD = 30_000, 1400
PACKETS = 22  # 21 full ones and 600 bytes


def capture(run: Runner, folder: Path, *words: str) -> tuple[dict[str, Any], list[Frame]]:
    """Return the result of a download and the frames at its client."""
    done = run(
        "gridftp-transfer", "--engine=ns3", "--json", "--direction=download",
        f"--file-size={FILE}B", f"--tool-payload={PAYLOAD}B", f"--pcap={folder / 'run'}", *words,
    )  # fmt: skip
    read = subprocess.run(
        [*SHARK, "-r", str(folder / "run-client-0.pcap")],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    frames = [dict(zip(FIELDS, line.split("\t"), strict=True)) for line in read.stdout.splitlines()]
    assert not any(frame["_ws.malformed"] for frame in frames)
    assert {frame["ip.checksum.status"] for frame in frames} == {GOOD}
    assert {frame["udp.checksum.status"] for frame in frames if frame["udp.length"]} == {GOOD}
    return json.loads(done.stdout)["sessions"][0]["udp"], frames


def data(frames: list[Frame], header: int) -> list[Frame]:
    """Return the datagrams with file data, which are as long as these are."""
    lengths = {str(UDP_HEADER + header + size) for size in (PAYLOAD, FILE % PAYLOAD)}
    return [frame for frame in frames if frame["udp.length"] in lengths]


def test_a_blast_numbers_its_packets_and_ends_with_a_mark(
    run_program: Runner, tmp_path: Path
) -> None:
    told, frames = capture(
        run_program, tmp_path, "--tool=rbudp", "--tool-rate=5Mbps", "--random-loss=0.1", "--seed=1"
    )
    got = data(frames, 4)
    numbers = [int.from_bytes(bytes.fromhex(f["udp.payload"][:8]), "little") for f in got]
    assert sorted(numbers) == list(range(PACKETS)), "what came is not sent again"
    falls = sum(after < before for before, after in pairwise(numbers))
    blasts = len(told["blasts"])
    assert told["packets"] > PACKETS
    assert 1 <= falls < blasts, "numbers rise within a blast"
    by_tcp = [int(frame["tcp.len"]) for frame in frames if int(frame["tcp.len"] or 0)]
    # The name of the file and its size; then marks and, but for the last word, a byte with a bit
    # for each packet
    assert by_tcp[:2] == [256, 8]
    assert by_tcp[2:] == [8, 1 + -(-PACKETS // 8)] * (blasts - 1) + [8]


def test_fobs_numbers_its_packets_and_counts_what_it_sends(
    run_program: Runner, tmp_path: Path
) -> None:
    told, frames = capture(run_program, tmp_path, "--tool=fobs", "--tool-fobs-acknowledge=5")
    server = next(f["ip.src"] for f in frames if f["tcp.len"] == "8")
    sent = [f for f in data(frames, 8) if f["ip.src"] == server]
    words = [bytes.fromhex(frame["udp.payload"][:16]) for frame in sent]
    numbers = [int.from_bytes(word[:4], "big") for word in words]
    assert numbers[:PACKETS] == list(range(PACKETS))
    assert [int.from_bytes(word[4:], "big") for word in words] == list(range(len(sent)))
    reports = [f for f in frames if f["udp.length"] and f["ip.src"] != server]
    assert len(reports) == told["reports"] > 0


def test_another_program_reads_udt(run_program: Runner, tmp_path: Path) -> None:
    told, frames = capture(
        run_program, tmp_path, "--tool=udt", "--random-loss=0.1", "--seed=2", "--delay=20ms"
    )
    assert all(frame["frame.protocols"].startswith("ppp:ip:udp:udt") for frame in frames)
    control = [frame for frame in frames if frame["udt.iscontrol"] in ("1", "True")]
    sent = [frame for frame in frames if frame not in control]
    kinds = {int(frame["udt.type"], 16) for frame in control}
    handshake, ack, nak, ack2 = 0, 2, 3, 6
    assert {handshake, ack, nak, ack2} <= kinds
    for frame in control:
        if int(frame["udt.type"], 16) == handshake:
            assert (frame["udt.hs.version"], frame["udt.hs.mtu"]) == ("4", str(PAYLOAD + 44))
    # What got through of the file, and what came again
    numbers = [int(frame["udt.seqno"]) for frame in sent]
    assert sorted(set(numbers)) == list(range(PACKETS))
    assert len(numbers) - len(set(numbers)) == told["duplicates"]
    assert told["retransmissions"] > 0
    missing = {
        int(number) for frame in control for number in frame["udt.nak_seqno"].split("|") if number
    }
    assert missing
    assert missing <= set(range(PACKETS))
    last = max(int(frame["udt.ack_seqno"]) for frame in control if frame["udt.ack_seqno"])
    assert last == PACKETS
