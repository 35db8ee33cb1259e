"""Simulations on the workers of Dask: this side deals them out and takes the answers.

The store stays here. A worker gets batches of runs and answers how each ended; what is lost with a
worker Dask gives to another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass

from distributed import Client, Scheduler

from ..errors import ProgramError, UserError
from ..programs.pool import Answer, Limits, Task
from ..programs.processes import run_interruptibly
from ..programs.program import Program
from ..terminal.arguments import ROOT
from .dask_worker import refusal
from .dispatcher import START, Dispatcher

LOCAL = "local"
"""Stands for a scheduler and workers that are started here."""

CONNECT_S = 10.0
"""Seconds that a scheduler has to answer."""

START_S, CLOSE_S = 120.0, 10.0
"""Seconds that local workers have to start, and to end what they do."""

LOOK_S = 0.05
"""Seconds between two looks at whether local workers have started."""

# They log, with tracebacks, what is told here in one line.
for _name in ("distributed", "distributed.client", "tornado.application"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)


@dataclass(frozen=True)
class DaskPool:
    """Simulates on the workers of a scheduler; it is called as `pool.run_pool` is.

    Attributes:
        address: of the scheduler, or `LOCAL`.
    """

    address: str

    def check(self, program: Program, sources: Mapping[str, str]) -> None:
        """Refuse at once what would fail later.

        Args:
            program: a worker has one of this name.
            sources: hash of the sources of each engine that is to be used.

        Raises:
            UserError: no scheduler answers, or a worker that is there cannot simulate.
            KeyboardInterrupt: interrupted.
        """
        if self.address != LOCAL:
            run_interruptibly(self._check(program, sources))

    def __call__(
        self,
        program: Program,
        tasks: Sequence[Task],
        at_once: int,
        limits: Limits,
        begun: Callable[[str], None],
        answered: Callable[[Answer], None],
    ) -> None:
        """Simulate in the order of the tasks.

        Args:
            program: a worker has one of this name.
            tasks: what to simulate, the longest first.
            at_once: number of workers, if they are started here.
            limits: of each run.
            begun: is called with a run's key when it is given to Dask.
            answered: is called when it has ended.

        Raises:
            UserError: no scheduler answers.
            ProgramError: the scheduler is gone, or a local worker does not start.
            KeyboardInterrupt: interrupted; the workers end what is under way.
        """

        async def run() -> None:
            async with _scheduler(self.address, at_once) as address, _connected(address) as client:
                dispatcher = Dispatcher(client, program.name, limits, answered)
                for suspect in await dispatcher.dispatch(tasks, begun):
                    await dispatcher.alone(suspect)

        run_interruptibly(run())

    async def _check(self, program: Program, sources: Mapping[str, str]) -> None:
        async with _connected(self.address) as client:
            told = await client.run(refusal, program.name, sources, on_error="return")
        for worker, reason in told.items():
            if isinstance(reason, OSError):
                continue  # gone in the meantime; there may be others
            if isinstance(reason, Exception):
                reason = f"worker {worker} does not find this project ({reason}): {START}"
            if reason is not None:
                raise UserError(f"gridftp sweep: --dask {self.address}: {reason}")


@contextlib.asynccontextmanager
async def _scheduler(address: str, workers: int) -> AsyncIterator[str]:
    """Have a scheduler, started here if it is `LOCAL`, and its address."""
    if address != LOCAL:
        yield address
        return
    async with Scheduler(host="127.0.0.1", port=0, dashboard_address="127.0.0.1:0") as scheduler:
        # A group of its own: Ctrl-C reaches this process alone, which then ends the workers.
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "distributed.cli.dask_worker", scheduler.address),
            *("--preload", "experiments.cluster.dask_worker", "--dashboard-address", "127.0.0.1:0"),
            # Dask's nanny gives a worker this time to start in, too.
            *("--nworkers", str(workers), "--nthreads", "1", "--death-timeout", str(START_S)),
            env={**os.environ, "PYTHONPATH": str(ROOT), "DASK_LOGGING__DISTRIBUTED": "error"},
            stdin=asyncio.subprocess.DEVNULL,
            process_group=0,
        )
        try:
            await _wait_for_workers(scheduler, workers, process)
            yield scheduler.address
        finally:
            await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the parent of local workers, which has them end what they do."""
    try:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await asyncio.wait_for(process.wait(), CLOSE_S)
    except (TimeoutError, asyncio.CancelledError):
        os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def _wait_for_workers(
    scheduler: Scheduler, count: int, parent: asyncio.subprocess.Process
) -> None:
    """Wait until local workers have started.

    Args:
        scheduler: what they connect to.
        count: number of workers.
        parent: the process that starts them.

    Raises:
        ProgramError: they do not, or their parent has ended.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + START_S
    while len(scheduler.workers) < count:
        if parent.returncode is not None:
            raise ProgramError(
                f"Dask: the local workers ended with exit status {parent.returncode}"
            )
        if loop.time() > end:
            raise ProgramError(f"Dask: {count} workers have not started in {START_S:g} s")
        await asyncio.sleep(LOOK_S)


@contextlib.asynccontextmanager
async def _connected(address: str) -> AsyncIterator[Client]:
    """Have a connection to a scheduler.

    Raises:
        UserError: nothing answers there as a scheduler does, or it is no address.
    """
    try:
        client = Client(address, asynchronous=True, timeout=CONNECT_S, set_as_default=False)
        try:
            await client
        except BaseException:
            await client.close()
            raise
    except (OSError, ValueError, TypeError) as error:
        raise UserError(
            f"gridftp sweep: --dask {address}: no Dask scheduler answers: {error}"
        ) from None
    async with client:
        yield client
