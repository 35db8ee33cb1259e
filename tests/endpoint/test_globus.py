"""Our client with Globus's server, and Globus's client with ours, where Debian's packages are."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from endpoint import MEGABYTE, digest, run_client, serving, write_random
from patience import PATIENCE

GLOBUS_SERVER = shutil.which("globus-gridftp-server", path="/usr/sbin:/usr/bin")
GLOBUS_CLIENT = shutil.which("globus-url-copy")

pytestmark = pytest.mark.skipif(
    not GLOBUS_SERVER or not GLOBUS_CLIENT,
    reason="globus-gridftp-server-progs and globus-gass-copy-progs are not installed",
)

SIZES = [0, 1, 25 * MEGABYTE]


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that any user may write; pytest's own folders are of this user alone."""
    with tempfile.TemporaryDirectory(prefix="gridftp-globus-") as name:
        Path(name).chmod(0o777)
        yield Path(name)


@contextlib.contextmanager
def globus_server(folder: Path) -> Iterator[str]:
    """Run an anonymous globus-gridftp-server; give its URL of a folder."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [
        *(GLOBUS_SERVER, "-c", "/dev/null", "-p", str(port), "-aa"),
        *("-anonymous-user", "nobody" if os.geteuid() == 0 else getpass.getuser()),
        *("-control-interface", "127.0.0.1", "-data-interface", "127.0.0.1"),
    ]
    server = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.02)
        yield f"ftp://127.0.0.1:{port}{folder}/"
    finally:
        server.kill()
        server.wait(PATIENCE)


def url_copy(*words: str) -> None:
    """Run globus-url-copy."""
    done = subprocess.run(
        [str(GLOBUS_CLIENT), *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("parallelism", [1, 2, 4, 8])
def test_our_client(
    programs: Path, tmp_path: Path, public: Path, size: int, parallelism: int
) -> None:
    """Put to and get from globus-gridftp-server: the file is the same."""
    source = write_random(tmp_path / "f", size)
    manner = ["--mode=fixed", f"--parallelism={parallelism}", "--chunk-size=10MB"]
    with globus_server(public) as url:
        run_client(programs, "put", source, url + "g", *manner)
        assert digest(public / "g") == digest(source)
        run_client(programs, "get", url + "g", tmp_path / "back", *manner)
    assert digest(tmp_path / "back") == digest(source)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("parallelism", [1, 2, 4, 8])
def test_our_server(programs: Path, tmp_path: Path, size: int, parallelism: int) -> None:
    """globus-url-copy to and from gridftp-server: the file is the same."""
    folder = tmp_path / "served"
    folder.mkdir()
    source = write_random(tmp_path / "f", size)
    with serving(programs, folder, "--writable") as server:
        url_copy("-p", str(parallelism), f"file://{source}", server.url + "g")
        assert digest(folder / "g") == digest(source)
        url_copy("-p", str(parallelism), server.url + "g", f"file://{tmp_path}/back")
    assert digest(tmp_path / "back") == digest(source)
