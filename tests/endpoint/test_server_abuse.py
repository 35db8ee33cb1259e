"""gridftp-server and clients that mean no good: no crash, no file outside, bounded memory."""

from __future__ import annotations

import contextlib
import random
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from endpoint import MEGABYTE, Server, digest, run_client, serving, write_random
from malformed_blocks import ALLOCATED, END, HEADER, KINDS, block, make_malformed
from patience import PATIENCE

COMMANDS = (
    *("USER", "PASS", "SITE", "FEAT", "TYPE", "MODE", "SIZE", "PASV", "PORT", "ALLO", "STOR"),
    *("RETR", "ESTO", "ERET", "OPTS", "REST", "SBUF", "PBSZ", "NOOP", "ABOR", "DCAU", "SPAS"),
    *("SPOR", "PROT", "CKSM", "MDTM", "AUTH", "ADAT", "CWD", "LIST", "", "\0", "\xff\xf4"),
)
"""Command codes, known or not."""

ARGUMENTS = (
    *("", "f", "../x", "/../x", "a/../../x", "link/x", "I", "E", "0", "-1", "1e9", "9" * 30),
    *("18446744073709551615", "127,0,0,1,4,1", "1,2,3,4,5,6", "0-9", "9-0", "0-0,5-5"),
    *("A 0 f", "A 18446744073709551615 f", "A 9 ../x", "P 0 0 f", "P 5 18446744073709551615 f"),
    *("RETR Parallelism=4,4,4;", "RETR Parallelism=99999999,1,1;", "%n%s", "x" * 5000),
)
"""Arguments, allowed or not."""


class Peer:
    """A raw control connection."""

    def __init__(self, server: Server) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        self.file = self.socket.makefile("rb")

    def reply(self) -> bytes:
        """Return the last line of the next final reply; empty: the server has closed."""
        while line := self.file.readline():
            if line[:3].isdigit() and line[3:4] == b" " and line[:1] != b"1":
                break
        return line

    def ask(self, line: str) -> bytes:
        """Send a line; return the last line of its final reply."""
        self.socket.sendall(line.encode("latin-1") + b"\r\n")
        return self.reply()

    def log_in(self) -> None:
        """Log in."""
        assert self.reply().startswith(b"220")
        for line, code in (("USER x", b"331"), ("PASS y", b"230"), ("MODE E", b"200")):
            assert self.ask(line).startswith(code)

    def close(self) -> None:
        """Close the connection."""
        self.file.close()
        self.socket.close()


@contextlib.contextmanager
def connected(server: Server) -> Iterator[Peer]:
    """Give a peer that has logged in."""
    peer = Peer(server)
    try:
        peer.log_in()
        yield peer
    finally:
        peer.close()


def test_malformed_commands(programs: Path, tmp_path: Path) -> None:
    """10,000 random lines: the server answers others as before, and writes nothing outside."""
    folder, outside = tmp_path / "served", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "link").symlink_to(outside)
    source = write_random(folder / "f", 1000)
    before = digest(source)
    generator = random.Random(7)
    with serving(programs, folder, "--writable", "--max-file-size=1MB") as server:
        first = server.memory()
        for _ in range(100):
            with connected(server) as peer, contextlib.suppress(OSError):
                lines = [
                    f"{generator.choice(COMMANDS)} {generator.choice(ARGUMENTS)}".strip()
                    for _ in range(100)
                ]
                peer.socket.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n")
                if generator.random() < 0.5:
                    peer.socket.settimeout(0.05)
                    while peer.file.readline():
                        pass
        assert server.process.poll() is None
        assert server.memory() < first + 50 * MEGABYTE
        run_client(programs, "get", server.url + "f", tmp_path / "g")
    assert digest(tmp_path / "g") == digest(source) == before
    assert not list(outside.iterdir())
    assert {path.name for path in tmp_path.iterdir()} == {"served", "outside", "g"}


def begin_upload(peer: Peer, command: str = "STOR g") -> int:
    """Begin to store 100 bytes and return the port for data connections."""
    reply = peer.ask("PASV")
    found = re.match(rb"227 .*,(\d+),(\d+)\)", reply)
    assert found, reply
    peer.socket.sendall(f"ALLO {ALLOCATED}\r\n{command}\r\n".encode())
    assert peer.reply().startswith(b"200")
    return 256 * int(found[1]) + int(found[2])


def send(port: int, content: bytes) -> None:
    """Send bytes over a data connection, as far as the server takes them."""
    with (
        contextlib.suppress(OSError),
        socket.create_connection(("127.0.0.1", port), PATIENCE) as data,
    ):
        data.sendall(content)


@contextlib.contextmanager
def bounded(programs: Path, tmp_path: Path) -> Iterator[Server]:
    """Run a server with a limit of 1 MB for files.

    Expect afterwards that it still serves, has stored no file `g` nor anything outside or large,
    and has not grown.
    """
    folder = tmp_path / "served"
    folder.mkdir()
    source = write_random(folder / "f", 1000)
    with serving(programs, folder, "--writable", "--max-file-size=1MB") as server:
        first, descriptors = server.memory(), server.descriptors()
        yield server
        assert server.process.poll() is None
        assert server.memory() < first + 50 * MEGABYTE
        assert server.descriptors() <= descriptors + 2
        run_client(programs, "get", server.url + "f", tmp_path / "back")
    assert digest(tmp_path / "back") == digest(source)
    assert {path.name for path in tmp_path.iterdir()} == {"served", "back"}
    assert {path.name for path in folder.iterdir()} <= {"f", ".g.partial-kept"}
    assert all(path.stat().st_size <= MEGABYTE for path in folder.iterdir())


@pytest.mark.parametrize("transfers", [1_000, pytest.param(10_000, marks=pytest.mark.extensive)])
def test_malformed_headers(programs: Path, tmp_path: Path, transfers: int) -> None:
    """A MODE E header with a wrong field fails its transfer; the reply names what is wrong."""
    generator = random.Random(9)
    seen = set()
    with bounded(programs, tmp_path) as server, connected(server) as peer:
        for number in range(transfers):
            content, reason = make_malformed(generator)
            send(begin_upload(peer), content)
            reply = peer.reply().decode()
            assert reply.startswith("4"), (number, reason, reply, content)
            assert reason in reply, (number, reply, content)
            seen.add(reason)
    assert seen == {kind.reason for kind in KINDS}


@pytest.mark.parametrize("transfers", [200, pytest.param(2_000, marks=pytest.mark.extensive)])
def test_malformed_blocks(programs: Path, tmp_path: Path, transfers: int) -> None:
    """Five data connections with malformed headers or random bytes: no transfer completes."""
    generator = random.Random(8)
    with bounded(programs, tmp_path) as server, connected(server) as peer:
        for number in range(transfers):
            port = begin_upload(peer)
            for _ in range(5):
                noise = generator.randbytes(generator.randrange(1, 400))
                malformed, _ = make_malformed(generator)
                send(port, malformed + noise if generator.random() < 0.5 else noise)
            peer.socket.sendall(b"ABOR\r\nNOOP\r\n")
            replies = [peer.reply()]
            while not replies[-1].startswith(b"200 NOOP"):
                replies.append(peer.reply())
            assert all(reply[:1] in (b"2", b"4") for reply in replies), number
            assert not any(b"Transfer Complete" in reply for reply in replies), number


def test_memory_of_many_transfers_in_a_session(programs: Path, tmp_path: Path) -> None:
    """A session with thousands of transfers, good ones or not, needs no more than with hundreds."""
    with bounded(programs, tmp_path) as server, connected(server) as peer:
        memory = []
        for _ in range(3):
            for _ in range(1_000):
                send(begin_upload(peer), HEADER.pack(0, 1, 0))
                assert peer.reply().startswith(b"426")
            memory.append(server.memory())
        assert memory[2] < memory[0] + MEGABYTE


def test_block_before_the_part(programs: Path, tmp_path: Path) -> None:
    """The offset of ESTO and that of a block exceed 64 bits: nothing is stored before the part."""
    source = write_random(tmp_path / "f", 1000)
    before = digest(source)
    with serving(programs, tmp_path, "--writable") as server, connected(server) as peer:
        port = begin_upload(peer, "ESTO A 100 f")
        send(port, block(2**64 - 50, bytes(10)) + END)
        assert peer.reply().startswith(b"426")
    assert digest(source) == before


@pytest.mark.parametrize("line", [b"NOOP\r\n", b"TYPE I\r\n" + b"x" * 4000 + b"\r\n"])
def test_client_that_does_not_read(programs: Path, tmp_path: Path, line: bytes) -> None:
    """Commands without end, whose replies nobody reads: the server gives the client up."""
    with serving(programs, tmp_path) as server:
        first = server.memory()
        with connected(server) as peer:
            peer.socket.settimeout(PATIENCE)
            with contextlib.suppress(OSError):
                for _ in range(20_000):
                    peer.socket.sendall(line * 200)
                pytest.fail("the server read on")
        assert server.memory() < first + 50 * MEGABYTE
        with connected(server) as peer:
            assert peer.ask("NOOP").startswith(b"200")


def test_commands_that_wait(programs: Path, tmp_path: Path) -> None:
    """Commands without end during a transfer, where they wait: the server gives the client up."""
    with serving(programs, tmp_path, "--writable") as server:
        first = server.memory()
        with connected(server) as peer:
            assert peer.ask("PASV").startswith(b"227")
            with contextlib.suppress(OSError):
                peer.socket.sendall(b"ALLO 5\r\nSTOR f\r\n")
                for _ in range(2_000):
                    peer.socket.sendall(b"USER " + b"x" * 4000 + b"\r\n")
            assert peer.reply().startswith(b"200")
            assert peer.reply().startswith(b"421")
        assert server.memory() < first + 50 * MEGABYTE


def test_limits_of_clients(programs: Path, tmp_path: Path) -> None:
    """200 clients at once are served; one more than the limit gets 421 and later is welcome."""
    write_random(tmp_path / "f", 10)
    with (
        serving(programs, tmp_path, "--max-clients=200") as server,
        contextlib.ExitStack() as stack,
    ):
        peers = [stack.enter_context(connected(server)) for _ in range(200)]
        assert all_answer(peers)
        late = Peer(server)
        assert late.reply().startswith(b"421")
        late.close()
        peers[0].ask("QUIT")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            late = Peer(server)
            reply = late.reply()
            late.close()
            if reply.startswith(b"220"):
                return
            time.sleep(0.02)
        pytest.fail("no place became free")


def all_answer(peers: list[Peer]) -> bool:
    """Return whether each of many clients gets an answer."""
    return all(peer.ask("SIZE f") == b"213 10\r\n" for peer in peers)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("PORT 127,0,0,2,40,1", b"501"),  # another host
        ("PORT 127,0,0,1,0,22", b"501"),  # a service of this host
        ("PORT 127,0,0,1,40,1", b"200"),
        ("SIZE ../f", b"550"),
        ("RETR /link", b"550"),
        ("SIZE /link", b"550"),
        ("STOR /link", b"425"),
        ("x" * 10_000, b"500"),
    ],
)
def test_refusals(programs: Path, tmp_path: Path, line: str, code: bytes) -> None:
    """Data connections go to the client alone, and paths lead nowhere outside."""
    folder = tmp_path / "served"
    folder.mkdir()
    write_random(tmp_path / "f", 10)
    (folder / "link").symlink_to(tmp_path / "f")
    with serving(programs, folder, "--writable") as server, connected(server) as peer:
        assert peer.ask(line).startswith(code)


def test_lines_that_lead_to_lines(programs: Path, tmp_path: Path) -> None:
    """Tens of thousands of PASV that wait for the end of a transfer: the server answers each."""
    write_random(tmp_path / "f", MEGABYTE)
    with serving(programs, tmp_path) as server, connected(server) as peer:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            assert peer.ask(f"PORT 127,0,0,1,{port // 256},{port % 256}").startswith(b"200")
            peer.socket.sendall(b"RETR f\r\n" + 5_000 * b"PASV\r\n" + b"ABOR\r\n")
            replies = [peer.reply() for _ in range(5_002)]
        assert {reply[:3] for reply in replies} <= {b"426", b"226", b"227"}
        assert peer.ask("NOOP").startswith(b"200")


@pytest.mark.parametrize(
    "line",
    ['ESTO scale="ratio=2" 0 f', 'ERET scale="ratio=2" 0 20 f', "OPTS RETR Parallelism=999,1,1;"],
)
def test_what_only_simulations_have(programs: Path, tmp_path: Path, line: str) -> None:
    """Modules of data processing, and N without a limit."""
    write_random(tmp_path / "f", 10)
    with serving(programs, tmp_path, "--writable") as server, connected(server) as peer:
        assert peer.ask(line)[:3] in (b"504", b"501")
