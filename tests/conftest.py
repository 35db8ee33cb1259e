"""What the tests share: the repository, and the programs that ./gridftp has built."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import PATIENCE

from analysis.drawing import style

pytest_plugins = ["browser", "launcher_sandbox"]

ROOT = Path(__file__).resolve().parent.parent

# ./gridftp test says where they are. Under pytest alone: where ./gridftp build put them last.
os.environ.setdefault("GRIDFTP_BUILD_DIR", str(ROOT / "build/current/bin"))

Runner = Callable[..., "subprocess.CompletedProcess[str]"]

LONG = ("experiments", "papers", "lab")
"""Rooms with files that take long. Among several processes they come first, so that none is alone
with one of them in the end; the lab last of them, as its engine is compiled meanwhile."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Bring tests that are shared among processes into a good order."""
    if hasattr(config, "workerinput"):
        places = {room: place for place, room in enumerate(LONG)}
        items.sort(key=lambda item: places.get(item.path.parent.name, len(LONG)))


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


@pytest.fixture
def svg_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw figures in one format, which takes a third: for tests that look at something else."""
    monkeypatch.setattr(style, "FORMATS", ("svg",))


@pytest.fixture
def blank_pictures(svg_alone: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw figures in one format and save blank pictures, for tests that do not look at them.

    To lay a figure out and to write it takes longer than to compute what is drawn.
    """
    blank = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 400"/>'
    monkeypatch.setattr(style, "render", lambda figure, kind: blank)


class Started(subprocess.Popen):
    """A Python process with the repository on its path."""

    def __init__(self, *arguments: object) -> None:
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        super().__init__(
            [sys.executable, *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def until(self, true: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait for something to be so."""
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, "it did not come to that"
            time.sleep(0.02)


@pytest.fixture
def started() -> Iterator[Callable[..., Started]]:
    """A function that starts Python; at the end of the test the process is gone."""
    processes: list[Started] = []

    def start(*arguments: object) -> Started:
        processes.append(Started(*arguments))
        return processes[-1]

    yield start
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture(scope="session")
def run_program(programs: Path) -> Runner:
    """A function that runs a program by its name and returns status, stdout and stderr.

    A program that has not ended after `timeout` seconds fails the test.
    """

    def run(
        name: str, *options: str, timeout: float = PATIENCE
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [programs / name, *options],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    return run


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that any user may write, and that is gone after the test.

    pytest's own folders are of this user alone, and those of three runs are kept.
    """
    with tempfile.TemporaryDirectory(prefix="gridftp-globus-") as name:
        Path(name).chmod(0o777)
        yield Path(name)
