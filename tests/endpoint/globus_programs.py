"""Globus's server and client, as Debian packages them, for tests."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from endpoint import wait_until
from patience import PATIENCE

GLOBUS_SERVER = shutil.which("globus-gridftp-server", path="/usr/sbin:/usr/bin")
GLOBUS_CLIENT = shutil.which("globus-url-copy")

needs_globus = pytest.mark.skipif(
    not GLOBUS_SERVER or not GLOBUS_CLIENT,
    reason="globus-gridftp-server-progs and globus-gass-copy-progs are not installed",
)


def find_free_port() -> int:
    """Return a TCP port that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


class GlobusServer:
    """A running globus-gridftp-server; it starts a process for each client.

    Attributes:
        port: its TCP port.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        command = [
            *(str(GLOBUS_SERVER), "-c", "/dev/null", "-p", str(port), "-aa"),
            *("-anonymous-user", "nobody" if os.geteuid() == 0 else getpass.getuser()),
            *("-control-interface", "127.0.0.1", "-data-interface", "127.0.0.1"),
        ]
        self._process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )

    def url_of(self, folder: Path) -> str:
        """Return the URL of a folder, which ends with a slash."""
        return f"ftp://127.0.0.1:{self.port}{folder}/"

    def is_listening(self) -> bool:
        """Return whether it accepts connections."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to all of its processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """Kill all of its processes."""
        self.signal(signal.SIGKILL)
        self._process.wait(PATIENCE)


@contextlib.contextmanager
def globus_server() -> Iterator[GlobusServer]:
    """Run an anonymous globus-gridftp-server."""
    server = GlobusServer(find_free_port())
    try:
        wait_until(server.is_listening, "globus-gridftp-server listens")
        yield server
    finally:
        server.kill()


def url_copy(*words: str, status: int = 0) -> str:
    """Run globus-url-copy, check its exit status and return what it writes to standard error."""
    done = subprocess.run(
        [str(GLOBUS_CLIENT), *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stderr
