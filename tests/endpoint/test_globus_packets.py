"""What our programs and Globus's say to each other, as another program reads it: tshark."""

from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from endpoint import MEGABYTE, digest, run_client, serving, wait_until, write_random
from globus_programs import globus_server, needs_globus, url_copy
from patience import PATIENCE

pytestmark = [
    needs_globus,
    pytest.mark.skipif(
        not shutil.which("tshark") or not shutil.which("dumpcap"),
        reason="tshark is not installed (Debian: tshark)",
    ),
]

N = 4
SIZE = 5 * MEGABYTE

# A DNS message over TCP: its length, and a header that announces a question which is not there.
MALFORMED = struct.pack(">7H", 12, 0x4711, 0, 1, 0, 0, 0)


class Capture:
    """What was sent over loopback.

    Attributes:
        file: the packets.
        end_port: port of a connection at the end, whose one segment is a malformed packet of DNS.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.end_port = 0

    def end(self) -> None:
        """Send the malformed packet and wait until it was captured."""
        with (
            socket.create_server(("127.0.0.1", 0)) as listener,
            socket.create_connection(listener.getsockname(), PATIENCE) as connection,
        ):
            self.end_port = listener.getsockname()[1]
            connection.sendall(MALFORMED)
            wait_until(lambda: MALFORMED in self.file.read_bytes(), "the end of the capture")

    def read(self, control_port: int, condition: str, *fields: str) -> list[list[str]]:
        """Return fields of the packets for which a condition is true."""
        done = subprocess.run(
            [
                *("tshark", "-n", "-r", self.file, "-Y", condition, "-T", "fields"),
                *("-d", f"tcp.port=={control_port},ftp", "-d", f"tcp.port=={self.end_port},dns"),
                *(word for field in fields for word in ("-e", field)),
            ],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        return [line.split("\t") for line in done.stdout.splitlines()]


@contextlib.contextmanager
def capturing(folder: Path) -> Iterator[Capture]:
    """Capture TCP on loopback; skip the test where that is not allowed."""
    capture = Capture(folder / "packets.pcapng")
    command = ["dumpcap", "-q", "-i", "lo", "-B", "64", "-f", "tcp", "-w", capture.file]
    log = folder / "log"
    with log.open("w") as errors:
        dumpcap = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
    try:
        wait_until(
            lambda: (
                dumpcap.poll() is not None
                or (capture.file.exists() and capture.file.stat().st_size)
            ),
            "a capture",
        )
        if dumpcap.poll() is not None:
            pytest.skip(f"capturing is not allowed: {log.read_text().strip()}")
        yield capture
        dumpcap.send_signal(signal.SIGINT)
        assert dumpcap.wait(PATIENCE) == 0, log.read_text()
    finally:
        dumpcap.kill()
        dumpcap.wait(PATIENCE)


def check_packets(capture: Capture, control_port: int, commands: set[str]) -> None:
    """Expect commands, N data connections for each port, and nothing malformed but the end."""
    asked = capture.read(
        control_port, f"ftp.request.command && tcp.dstport == {control_port}", "ftp.request.command"
    )
    assert commands <= {word for (word,) in asked}
    announced = capture.read(
        control_port, "ftp.passive.port || ftp.active.port", "ftp.passive.port", "ftp.active.port"
    )
    ports = {passive or active for passive, active in announced}
    assert ports
    begins = capture.read(control_port, "tcp.flags.syn == 1 && tcp.flags.ack == 0", "tcp.dstport")
    opened = Counter(port for (port,) in begins if port in ports)
    assert opened == dict.fromkeys(ports, N)
    own = ", ".join([*sorted(ports), str(control_port), str(capture.end_port)])
    faults = capture.read(
        control_port,
        f"(_ws.malformed || _ws.expert.severity == error) && tcp.port in {{{own}}}",
        "tcp.dstport",
    )
    assert faults == [[str(capture.end_port)]]


def test_our_client_sends_nothing_malformed(programs: Path, public: Path) -> None:
    """Our client and globus-gridftp-server: tshark reads ESTO, ERET and all other packets."""
    source = write_random(public / "f", SIZE)
    manner = ["--mode=fixed", f"--parallelism={N}", "--chunk-size=2MB"]
    with capturing(public) as capture, globus_server() as server:
        url = server.url_of(public)
        run_client(programs, "put", source, url + "g", *manner)
        run_client(programs, "get", url + "g", public / "back", *manner)
        capture.end()
    assert digest(public / "back") == digest(source)
    check_packets(capture, server.port, {"PASV", "ALLO", "ESTO", "OPTS", "PORT", "ERET", "QUIT"})


def test_our_server_sends_nothing_malformed(programs: Path, public: Path) -> None:
    """globus-url-copy and our server: tshark reads STOR, RETR, ESTO, ERET and all other packets."""
    folder = public / "served"
    folder.mkdir()
    source = write_random(public / "f", SIZE)
    manner = ["-p", str(N)]
    part = ["-off", "0", "-len", str(SIZE)]
    with capturing(public) as capture, serving(programs, folder, "--writable") as server:
        url_copy(*manner, f"file://{source}", server.url + "g")
        url_copy(*manner, server.url + "g", f"file://{public}/back")
        url_copy(*manner, *part, f"file://{source}", server.url + "part")
        url_copy(*manner, *part, server.url + "part", f"file://{public}/part")
        capture.end()
    assert digest(public / "back") == digest(public / "part") == digest(source)
    words = {"PASV", "ALLO", "STOR", "ESTO", "OPTS", "PORT", "RETR", "ERET"}
    check_packets(capture, server.port, words)
