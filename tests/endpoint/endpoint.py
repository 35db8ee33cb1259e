"""A real GridFTP server and its clients, for tests."""

from __future__ import annotations

import contextlib
import hashlib
import random
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import PATIENCE

MEGABYTE = 1_000_000


def write_random(path: Path, size: int, seed: int = 1) -> Path:
    """Write a file of `size` random bytes and return its path.

    It consists of 16 different megabytes in random order. No megabyte follows itself.
    """
    generator = random.Random(seed)
    different = 16
    parts = [
        generator.randbytes(min(MEGABYTE, size))
        for _ in range(min(different, size // MEGABYTE + 1))
    ]
    place = 0
    with path.open("wb") as file:
        for begin in range(0, size, MEGABYTE):
            file.write(parts[place][: size - begin])
            place = (place + generator.randrange(1, max(2, len(parts)))) % len(parts)
    return path


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_memory(process: int, field: str) -> int:
    """Return a size that Linux gives in the status of a process, bytes; 0: it has ended."""
    found = re.search(rf"{field}:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return 1024 * int(found[1]) if found else 0


class Server:
    """A running gridftp-server.

    Attributes:
        process: the server.
        url: its URL, which ends with a slash.
        port: its TCP port.
    """

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process = process
        self.url = url
        match = re.fullmatch(r"ftp://[\d.]+:(\d+)/", url)
        assert match, url
        self.port = int(match[1])

    def memory(self) -> int:
        """Return the resident memory of the server, bytes."""
        return read_memory(self.process.pid, "VmRSS")

    def peak(self) -> int:
        """Return the most resident memory that the server has had, bytes."""
        return read_memory(self.process.pid, "VmHWM")

    def descriptors(self) -> int:
        """Return the number of open file descriptors of the server."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


@contextlib.contextmanager
def serving(programs: Path, folder: Path, *options: str, port: int = 0) -> Iterator[Server]:
    """Run gridftp-server for a folder, on any free port if 0; it must stop at SIGINT."""
    process = subprocess.Popen(
        [programs / "gridftp-server", folder, f"--port={port}", "--quiet", *options],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        yield Server(process, process.stdout.readline().strip())
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait(PATIENCE)
        if process.stdout:
            process.stdout.close()


def wait_until(true: Callable[[], object], what: str) -> None:
    """Wait until a condition is true; else fail and say what did not happen."""
    until = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > until:
            pytest.fail(f"it did not happen: {what}")
        time.sleep(0.01)


def wait_for(folder: Path, size: int) -> None:
    """Wait until a file in a folder has at least `size` bytes on disk."""
    wait_until(
        lambda: any(path.stat().st_blocks * 512 >= size for path in folder.iterdir()),
        f"a file of {size} bytes in {folder}",
    )


def run_client(
    programs: Path, *words: str | Path, status: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run gridftp-client and check its exit status."""
    done = subprocess.run(
        [programs / "gridftp-client", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def run_client_measured(programs: Path, *words: str | Path) -> int:
    """Run gridftp-client, which must succeed; return the most resident memory it has had, bytes."""
    with tempfile.TemporaryFile("w+") as output:
        client = subprocess.Popen(
            [programs / "gridftp-client", *words], stdout=output, stderr=output
        )
        try:
            peak = 0
            until = time.monotonic() + PATIENCE
            while client.poll() is None and time.monotonic() < until:
                peak = max(peak, read_memory(client.pid, "VmHWM"))
                time.sleep(0.005)
        finally:
            client.kill()
            client.wait(PATIENCE)
        output.seek(0)
        assert client.returncode == 0, output.read()
    return peak
