"""A scheduler of Dask and its workers, as processes on this machine."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from conftest import ROOT
from distributed import Client
from patience import PATIENCE

LOOPBACK = "--dashboard-address=127.0.0.1:0"


def wait_for(true: Callable[[], object]) -> None:
    """Wait until something is true; fail if it never is."""
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until, "it does not happen"
        time.sleep(0.05)


def simulating(worker: psutil.Process) -> list[psutil.Process]:
    """The programs that a worker has under way: not those that it asks about themselves."""
    found = []
    for child in worker.children():
        with contextlib.suppress(psutil.Error):  # it has ended meanwhile
            if "--batch=-" in child.cmdline():
                found.append(child)
    return found


class Cluster:
    """A scheduler and workers, started with the commands of the manual."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder = folder
        self._environment = {"PYTHONPATH": str(ROOT), "GRIDFTP_BUILD_DIR": str(programs)}
        self._processes: list[subprocess.Popen[bytes]] = []
        about = folder / "scheduler.json"
        options = ["--host=127.0.0.1", "--port=0", LOOPBACK, f"--scheduler-file={about}"]
        # Twice instead of four times, as each takes a while.
        self.scheduler = self._start(
            "scheduler", *options, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1"
        )
        wait_for(lambda: about.exists() and about.read_text().rstrip().endswith("}"))
        self.address: str = json.loads(about.read_text())["address"]

    def _start(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        with open(self._folder / f"{len(self._processes)}.log", "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "dask", *words],
                cwd=self._folder,
                env={**os.environ, **environment},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    def start_worker(self, **environment: str) -> subprocess.Popen[bytes]:
        """Start one with one thread; what `./gridftp dask` sets is set, if nothing else is."""
        preload = {"DASK_DISTRIBUTED__WORKER__PRELOAD": "experiments.cluster.dask_worker"}
        options = ["--nthreads=1", LOOPBACK, f"--local-directory={self._folder}"]
        return self._start(
            "worker", self.address, *options, **(environment or {**preload, **self._environment})
        )

    def workers(self, count: int = 2) -> list[psutil.Process]:
        """The processes of the workers, once so many are there: a killed one is started again."""
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=PATIENCE)
            return [psutil.Process(pid) for pid in client.run(os.getpid).values()]

    def log(self) -> str:
        """What the processes have said."""
        return "".join(path.read_text() for path in sorted(self._folder.glob("*.log")))

    def close(self) -> None:
        """End all of it."""
        for process in reversed(self._processes):  # the scheduler last
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:  # as a worker whose scheduler was killed
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
