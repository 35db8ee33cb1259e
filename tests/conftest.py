"""What the tests share: the repository, and the programs that ./gridftp has built."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# ./gridftp test says where they are. Under pytest alone: where ./gridftp build put them last.
os.environ.setdefault("GRIDFTP_BUILD_DIR", str(ROOT / "build/current/bin"))

Runner = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of the built programs."""
    folder = Path(os.environ["GRIDFTP_BUILD_DIR"])
    if not folder.is_dir():
        pytest.fail(f"{folder} is not there: run ./gridftp build")
    return folder


@pytest.fixture(scope="session")
def run_program(programs: Path) -> Runner:
    """A function that runs a program by its name and returns status, stdout and stderr.

    A program that has not ended after `timeout` seconds (60) fails the test.
    """

    def run(name: str, *options: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [programs / name, *options],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    return run
