"""Checksums of both files after a transfer: gridftp-client, gridftp-server and Globus programs."""

from __future__ import annotations

import contextlib
import json
import socket
import zlib
from pathlib import Path

import pytest
from endpoint import MEGABYTE, run_client, serving, write_random
from globus_programs import globus_server, needs_globus, url_copy
from patience import PATIENCE

COMPARED = ["--checksum=adler32", "--chunk-size=4MB"]
SIZES = [0, 1, 10 * MEGABYTE + 1]
"""Of files: the last one is read in several pieces."""


def adler32(path: Path) -> str:
    """Return the checksum of a file, as a server writes it."""
    return f"{zlib.adler32(path.read_bytes()):08x}"


@pytest.mark.parametrize("size", SIZES)
def test_put_get_and_copy(programs: Path, tmp_path: Path, size: int) -> None:
    """The client names the checksum that both files have."""
    folder = tmp_path / "served"
    folder.mkdir()
    source = write_random(tmp_path / "f", size)
    said = f"checksum adler32 {adler32(source)} at both hosts\n"
    with serving(programs, folder, "--writable", "--third-party") as server:
        done = run_client(programs, "put", source, server.url + "g", *COMPARED)
        assert done.stdout.endswith(said)
        done = run_client(programs, "get", server.url + "g", tmp_path / "h", *COMPARED, "--json")
        assert json.loads(done.stdout)["checksum"] == adler32(source)
        if size > 0:
            done = run_client(programs, "copy", server.url + "g", server.url + "i", *COMPARED)
            assert done.stdout.endswith(said)


def test_different_files(programs: Path, tmp_path: Path) -> None:
    """A file that was longer before has another checksum: status 1, and a line that says so."""
    folder = tmp_path / "served"
    folder.mkdir()
    source = write_random(tmp_path / "f", MEGABYTE)
    write_random(folder / "g", 2 * MEGABYTE)
    with serving(programs, folder, "--writable") as server:
        done = run_client(programs, "put", source, server.url + "g", *COMPARED, status=1)
    there = adler32(folder / "g")
    assert there != adler32(source)
    assert done.stderr.endswith(
        f"the checksums differ: {adler32(source)} of the file that was sent, "
        f"{there} of the file that was stored\n"
    )


def test_many_clients_need_little_memory(programs: Path, tmp_path: Path) -> None:
    """Checksums for many clients at once need no memory for each."""
    with (tmp_path / "f").open("wb") as file:
        file.truncate(20 * MEGABYTE)
    with serving(programs, tmp_path) as server, contextlib.ExitStack() as stack:
        before = server.memory()
        peers = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
            for _ in range(40)
        ]
        for peer in peers:
            peer.sendall(b"USER anonymous\r\nPASS x\r\nCKSM ADLER32 0 -1 /f\r\nQUIT\r\n")
        for peer in peers:
            with peer.makefile("rb") as replies:
                assert f"213 {20 * MEGABYTE % 65521:04x}0001\r\n".encode() in list(replies)
        assert server.peak() - before < 40 * MEGABYTE


@needs_globus
@pytest.mark.parametrize("size", SIZES)
def test_globus_server(programs: Path, public: Path, size: int) -> None:
    """globus-gridftp-server answers our client's CKSM with the same checksum."""
    source = write_random(public / "f", size)
    with globus_server() as server:
        url = server.url_of(public)
        done = run_client(programs, "put", source, url + "g", *COMPARED)
        assert f"checksum adler32 {adler32(source)} at both hosts" in done.stdout
        done = run_client(programs, "get", url + "g", public / "h", *COMPARED, "--json")
        assert json.loads(done.stdout)["checksum"] == adler32(source)


@needs_globus
def test_globus_client(programs: Path, public: Path) -> None:
    """globus-url-copy -verify-checksum compares our server's file with that of Globus's server."""
    folder = public / "served"
    folder.mkdir()
    source = write_random(public / "f", 3 * MEGABYTE)
    compared = ["-p", "2", "-verify-checksum", "-checksum-alg", "ADLER32"]
    with globus_server() as theirs, serving(programs, folder, "--writable") as ours:
        url_copy(*compared, theirs.url_of(public) + "f", ours.url + "g")
    assert (folder / "g").read_bytes() == source.read_bytes()
