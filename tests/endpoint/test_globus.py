"""Our client with Globus's server, and Globus's client with ours, where Debian's packages are."""

from __future__ import annotations

from pathlib import Path

import pytest
from endpoint import MEGABYTE, digest, run_client_measured, serving, write_random
from globus_programs import globus_server, needs_globus, url_copy

pytestmark = needs_globus

MEMORY = 100 * MEGABYTE
"""What a program of ours may need, however long the file is; 10 MB were seen with 1 GB."""

SIZES = [0, 1, 25 * MEGABYTE, pytest.param(1000 * MEGABYTE, marks=pytest.mark.extensive)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("parallelism", [1, 2, 4, 8])
def test_our_client(programs: Path, public: Path, size: int, parallelism: int) -> None:
    """Put to and get from globus-gridftp-server: the file is the same, our memory bounded."""
    source = write_random(public / "f", size)
    manner = ["--mode=fixed", f"--parallelism={parallelism}", "--chunk-size=10MB"]
    with globus_server() as server:
        url = server.url_of(public)
        peak = run_client_measured(programs, "put", source, url + "g", *manner)
        assert peak < MEMORY
        assert digest(public / "g") == digest(source)
        peak = run_client_measured(programs, "get", url + "g", public / "back", *manner)
        assert peak < MEMORY
    assert digest(public / "back") == digest(source)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("parallelism", [1, 2, 4, 8])
def test_our_server(programs: Path, public: Path, size: int, parallelism: int) -> None:
    """globus-url-copy to and from gridftp-server: the file is the same, our memory bounded."""
    folder = public / "served"
    folder.mkdir()
    source = write_random(public / "f", size)
    with serving(programs, folder, "--writable") as server:
        url_copy("-p", str(parallelism), f"file://{source}", server.url + "g")
        assert digest(folder / "g") == digest(source)
        url_copy("-p", str(parallelism), server.url + "g", f"file://{public}/back")
        assert server.peak() < MEMORY
    assert digest(public / "back") == digest(source)
