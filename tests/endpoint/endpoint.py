"""A real GridFTP server and its clients, for tests."""

from __future__ import annotations

import contextlib
import hashlib
import random
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from patience import PATIENCE

MEGABYTE = 1_000_000


def write_random(path: Path, size: int, seed: int = 1) -> Path:
    """Write a file of `size` random bytes and return its path."""
    generator = random.Random(seed)
    with path.open("wb") as file:
        for begin in range(0, size, MEGABYTE):
            file.write(generator.randbytes(min(MEGABYTE, size - begin)))
    return path


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return 1024 * int(found[1])


@contextlib.contextmanager
def serving(programs: Path, folder: Path, *options: str) -> Iterator[Server]:
    """Run gridftp-server for a folder on a free port; afterwards it must stop at SIGINT."""
    process = subprocess.Popen(
        [programs / "gridftp-server", folder, "--port=0", "--quiet", *options],
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
