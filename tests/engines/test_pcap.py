"""What --pcap writes is GridFTP over TCP/IP as another program reads it: tshark."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(
    shutil.which("tshark") is None, reason="tshark is not installed (Debian: tshark)"
)

SHARK = [
    *("tshark", "-n", "-d", "tcp.port==2811,ftp"),
    *("-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"),
    *("-T", "fields", "-E", "aggregator=|"),
]
CONTROL_PORT = "2811"
NOTE = 0x00400000  # severity: notes, warnings and errors have at least this, chats less

# Read of every frame, in one go.
FIELDS = (
    "frame.protocols",
    "ip.src",
    "ip.checksum.status",
    "tcp.checksum.status",
    "tcp.stream",
    "tcp.srcport",
    "tcp.dstport",
    "tcp.len",
    "tcp.flags",
    "tcp.analysis.flags",
    "ftp.request.command",
    "ftp.request.arg",
    "_ws.malformed",
    "_ws.expert.severity",
    "_ws.expert.message",
)
SYN, ACK = 0x02, 0x10

# Not oddities of a sequence but what every connection of ns-3 has: no MSS option, and an end.
ALWAYS = r"The SYN packet does not contain a MSS option|This frame \w+ the connection closing"
# What losses, and nothing else, give rise to.
LOSSES = (
    r"Duplicate ACK \(#\d+\)"
    r"|This frame is a \(suspected\) (fast |spurious )?retransmission"
    r"|This frame is a \(suspected\) out-of-order segment"
    r"|Previous segment\(s\) not captured \(common at capture start\)"
)

# As the Grid Community Toolkit 6.2 client says them, observed.
LOGIN = [
    "USER anonymous",
    "PASS client@gridftp",
    "SITE HELP",
    "FEAT",
    "SITE CLIENTINFO appname=ns-3-gridftp;scheme=gsiftp;",
    "TYPE I",
    "MODE E",
]
LOGIN_CODES = [220, 331, 230, 214, 211, 250, 200, 200]


@dataclass(frozen=True)
class Case:
    """One transfer of two chunks."""

    direction: str
    losses: bool

    @property
    def parallelism(self) -> int:
        return 8 if self.losses else 4

    @property
    def options(self) -> list[str]:
        queue = ["--queue=20"] if self.losses else []
        return [
            "--mode=fixed",
            f"--parallelism={self.parallelism}",
            f"--direction={self.direction}",
            "--file-size=6MB",
            "--chunk-size=3MB",
            "--block-size=100KB",
            *queue,
        ]

    @property
    def sender(self) -> str:
        return "client" if self.direction == "upload" else "server"

    @property
    def commands(self) -> list[str]:
        if self.direction == "upload":
            buffer = ["SITE STORBUFSIZE 65536"]
            chunk = ["PASV", "ALLO 3000000", "ESTO A {offset} /data/file"]
        else:
            buffer = ["SIZE /data/file", "SITE RETRBUFSIZE 65536"]
            n = self.parallelism
            chunk = [
                f"OPTS RETR Parallelism={n},{n},{n};",
                "PORT",
                "ERET P {offset} 3000000 /data/file",
            ]
        chunks = [line.format(offset=offset) for offset in (0, 3_000_000) for line in chunk]
        return [*LOGIN, *buffer, *chunks, "QUIT"]

    @property
    def codes(self) -> list[int]:
        if self.direction == "upload":
            return [*LOGIN_CODES, 200, *[227, 200, 150, 112, 111, 226] * 2, 221]
        return [*LOGIN_CODES, 213, 200, *[200, 200, 150, 226] * 2, 221]


@dataclass(frozen=True)
class Capture:
    """The capture of one host, and the result of the run."""

    case: Case
    host: str
    result: dict[str, Any]
    frames: list[dict[str, str]]
    payloads: list[dict[str, str]]

    def control_text(self, from_server: bool) -> str:
        """Return one direction of the control connection as text."""
        port = "tcp.srcport" if from_server else "tcp.dstport"
        spoken = [frame["tcp.payload"] for frame in self.payloads if frame[port] == CONTROL_PORT]
        return b"".join(bytes.fromhex(payload) for payload in spoken).decode("ascii")

    def data_frames(self) -> list[dict[str, str]]:
        """Return the frames of the data connections."""
        return [frame for frame in self.frames if not is_control(frame)]


def is_control(frame: dict[str, str]) -> bool:
    return CONTROL_PORT in (frame["tcp.srcport"], frame["tcp.dstport"])


def read(path: Path, fields: tuple[str, ...], display: str = "frame") -> list[dict[str, str]]:
    """Let tshark read a capture; return the fields of each frame that the filter lets through."""
    wanted = [item for field in fields for item in ("-e", field)]
    done = subprocess.run(
        [*SHARK, "-r", path, "-Y", display, *wanted], capture_output=True, text=True, check=True
    )
    return [dict(zip(fields, line.split("\t"), strict=True)) for line in done.stdout.splitlines()]


CASES = [
    Case(direction, losses) for direction in ("upload", "download") for losses in (False, True)
]


def name_of(case: Case) -> str:
    return f"{case.direction}-{'losses' if case.losses else 'clean'}"


@pytest.fixture(scope="module", params=CASES, ids=name_of)
def run(
    request: pytest.FixtureRequest,
    run_program: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Case, Path, dict[str, Any]]:
    """Run the transfer once; return the case, the prefix of its captures and its result."""
    prefix = tmp_path_factory.mktemp("pcap") / "run"
    done = run_program(
        "gridftp-transfer", "--engine=ns3", *request.param.options, f"--pcap={prefix}", "--json"
    )
    assert done.returncode == 0, done.stderr
    return request.param, prefix, json.loads(done.stdout)


@pytest.fixture(scope="module", params=["client", "server"])
def capture(run: tuple[Case, Path, dict[str, Any]], request: pytest.FixtureRequest) -> Capture:
    """Read the capture of a host once."""
    case, prefix, result = run
    path = prefix.with_name(f"run-{request.param}-0.pcap")
    told = "tcp.len > 0 and (tcp.port == 2811 or tcp.seq == 1)"
    fields = ("tcp.stream", "tcp.srcport", "tcp.dstport", "tcp.payload")
    return Capture(case, request.param, result, read(path, FIELDS), read(path, fields, told))


def test_the_transfer_is_what_the_case_says(capture: Capture) -> None:
    tcp = capture.result["sessions"][0]["tcp"]
    assert capture.result["status"] == "done"
    assert (capture.result["links"][0]["drops"] > 0) == capture.case.losses
    assert (tcp["retransmissions"] > 0) == capture.case.losses


def test_control_connection_decodes_as_ftp(capture: Capture) -> None:
    frames = [frame for frame in capture.frames if is_control(frame) and frame["tcp.len"] != "0"]
    assert frames
    assert all(frame["frame.protocols"].endswith(":ftp") for frame in frames)
    requests = [frame for frame in frames if frame["ftp.request.command"]]
    spoken = [
        f"{frame['ftp.request.command']} {frame['ftp.request.arg']}".strip() for frame in requests
    ]
    # Which port the client listens on is not part of the order.
    spoken = ["PORT" if line.startswith("PORT 10,0,0,6,") else line for line in spoken]
    assert spoken == capture.case.commands


def test_commands_and_replies_stand_in_the_order_of_the_real_programs(capture: Capture) -> None:
    commands = capture.control_text(from_server=False)
    assert commands.endswith("\r\n")
    verbs = [line.split(" ")[0] for line in commands.split("\r\n")[:-1]]
    assert verbs == [line.split(" ")[0] for line in capture.case.commands]
    replies = capture.control_text(from_server=True)
    assert replies.replace("\r\n", "").isprintable()
    codes = re.findall(r"^(\d{3}) ", replies, re.MULTILINE)
    assert [int(code) for code in codes] == capture.case.codes


def test_nothing_is_malformed(capture: Capture) -> None:
    assert not [frame for frame in capture.frames if frame["_ws.malformed"]]
    assert all(":ip:tcp" in frame["frame.protocols"] for frame in capture.frames)


def test_every_checksum_is_good(capture: Capture) -> None:
    states = {
        (frame["ip.checksum.status"], frame["tcp.checksum.status"]) for frame in capture.frames
    }
    assert len(capture.frames) > 1000
    assert states == {("1", "1")}  # 0 is bad, 2 unverified


def test_no_expert_finds_anything_but_the_losses(capture: Capture) -> None:
    allowed = re.compile(f"{ALWAYS}|{LOSSES}" if capture.case.losses else ALWAYS)
    found = set()
    for frame in capture.frames:
        severities = [int(text, 0) for text in frame["_ws.expert.severity"].split("|") if text]
        messages = frame["_ws.expert.message"].split("|") if severities else []
        found |= {m for s, m in zip(severities, messages, strict=True) if s >= NOTE}
    assert any(message.startswith("The SYN") for message in found), "experts were asked"
    assert {message for message in found if not allowed.fullmatch(message)} == set()


def test_no_oddity_of_the_sequence_without_losses(capture: Capture) -> None:
    odd = [frame for frame in capture.frames if frame["tcp.analysis.flags"]]
    assert bool(odd) == capture.case.losses


def test_data_connections_are_opened_by_the_sender(capture: Capture) -> None:
    sender = "10.0.0.6" if capture.case.sender == "client" else "10.0.0.10"
    opened = set()
    for frame in capture.data_frames():
        if int(frame["tcp.flags"], 0) & (SYN | ACK) == SYN:
            assert frame["ip.src"] == sender
            opened.add(frame["tcp.stream"])
    assert len(opened) == 2 * capture.case.parallelism


def test_segments_are_as_many_as_the_result_says(capture: Capture) -> None:
    tcp = capture.result["sessions"][0]["tcp"]
    sent = tcp["segments"] + tcp["retransmissions"]
    lost = capture.result["links"][0]["drops"]
    seen = sum(frame["tcp.len"] != "0" for frame in capture.data_frames())
    assert seen == (sent if capture.host == capture.case.sender else sent - lost)


def test_data_connections_carry_mode_e(capture: Capture) -> None:
    heads: dict[str, str] = {}
    for frame in capture.payloads:
        if not is_control(frame):
            heads.setdefault(frame["tcp.stream"], frame["tcp.payload"][: 2 * 17])
    # Descriptor 0, a count of 100,000, and offsets that no two connections of a chunk share.
    assert len(heads) == 2 * capture.case.parallelism
    assert {head[:18] for head in heads.values()} == {f"00{100_000:016x}"}
    offsets = sorted(int(head[18:], 16) for head in heads.values())
    assert offsets == sorted(2 * [100_000 * i for i in range(capture.case.parallelism)])


def test_a_prefix_that_cannot_be_written_is_refused(
    run_program: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_program("gridftp-transfer", "--engine=ns3", "--file-size=1MB", "--pcap=none/run")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "--pcap=none/run" in done.stderr
    assert not list(tmp_path.iterdir())
