"""Dispatches simulations to the workers of Dask, some at a time, and takes their answers."""

from __future__ import annotations

import asyncio
import pickle
import socket
import sys
import time
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from distributed import Client, Future, KilledWorker
from distributed.client import FutureCancelledError

from ..errors import ProgramError
from ..programs.pool import Answer, Limits, Task
from .dask_worker import simulate_batch

BATCH_RUNS = 200
BATCH_S = 2.0
LEAST_BATCH_S = 0.1
"""Most runs of a batch, and its guessed wall time: as long as Dask's own work beside it is little,
and short enough for all workers to end at about the same time. A longer run is a batch alone."""

SHARES = 4
"""Batches that what is left makes for each thread of a worker, within these bounds."""

AHEAD = 2
LEAST_AHEAD = 16
"""Batches at Dask for each thread, so that none waits for work; and at the least, so that a cluster
that grows with its work sees some."""

START = "start it with ./gridftp dask worker"
"""What a worker lacks that does not know this project."""

LOOK_S = 1.0
"""How often it is looked for new workers, in seconds."""


class Dispatcher:
    """Dispatches the runs of one sweep.

    Args:
        client: a connection to the scheduler.
        name: file name of the program.
        limits: of each run.
        answered: is called when a run has ended.
    """

    def __init__(
        self, client: Client, name: str, limits: Limits, answered: Callable[[Answer], None]
    ) -> None:
        self._client = client
        self._name = name
        self._limits = limits
        self._answered = answered
        self._threads: int | None = None
        self._looked = 0.0

    async def dispatch(self, tasks: Sequence[Task], begun: Callable[[str], None]) -> list[Task]:
        """Simulate tasks in their order.

        Args:
            tasks: the longest first.
            begun: is called with a run's key when it is given to Dask.

        Returns:
            Those that were lost with their workers so often that Dask has given them up. One of
            them may have been the cause, the others were simulated beside it: `alone` tells.

        Raises:
            ProgramError: the scheduler is gone.
        """
        waiting = deque(tasks)
        left_s = sum(task.guess_s for task in tasks)
        under_way: dict[asyncio.Task[list[Answer]], Sequence[Task]] = {}
        suspects: list[Task] = []
        try:
            while waiting or under_way:
                await self._look()
                while waiting and len(under_way) < max(AHEAD * self._threads, LEAST_AHEAD):
                    batch = take(waiting, batch_s(left_s, self._threads))
                    left_s -= sum(task.guess_s for task in batch)
                    for task in batch:
                        begun(task.key)
                    under_way[asyncio.create_task(self._ask(batch))] = batch
                done, _ = await asyncio.wait(
                    under_way, timeout=LOOK_S, return_when=asyncio.FIRST_COMPLETED
                )
                for one in done:
                    batch = under_way.pop(one)
                    if isinstance(one.exception(), KilledWorker):
                        suspects += batch
                    else:
                        self._settle(batch, one)
        finally:
            for one in under_way:
                one.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)
        return suspects

    async def alone(self, task: Task) -> None:
        """Simulate one, with nothing of this sweep beside it: if its workers die, it is the cause.

        Raises:
            ProgramError: the scheduler is gone.
        """
        asked = asyncio.create_task(self._ask([task]))
        try:
            await asyncio.wait({asked})
        finally:
            asked.cancel()
            await asyncio.gather(asked, return_exceptions=True)
        self._settle([task], asked)

    async def _ask(self, batch: Sequence[Task]) -> list[Answer]:
        """Return the answers of whichever worker gets the batch; cancelled, it is ended there."""
        key = f"gridftp-{uuid.uuid4().hex}"
        errand = _sealed(partial(simulate_batch, key, self._name, batch, self._limits))
        future: Future = self._client.submit(errand, key=key, pure=False)
        try:
            return await future
        except FutureCancelledError:
            raise _gone() from None
        finally:
            future.release()

    def _settle(self, batch: Sequence[Task], asked: asyncio.Task[list[Answer]]) -> None:
        """Pass on how each run of a batch has ended; each once, whatever was answered."""
        answers, reason = {}, "the worker returned no answer for it"
        match asked.exception():
            case None:
                answers = {answer.key: answer for answer in asked.result()}
            case ProgramError() as error:
                raise error
            case KilledWorker() as error:
                reason = (
                    f"{error.allowed_failures + 1} workers died while they simulated it; the last "
                    f"was {error.last_worker.address}"
                )
            case error:
                why = " ".join(str(error).split())
                reason = f"the worker could not simulate it: {type(error).__name__}: {why}"
        for task in batch:
            self._answered(answers.get(task.key) or Answer(task.key, 0.0, reason=reason))

    async def _look(self) -> None:
        """Find out how many threads the workers have; tell when that changes."""
        if time.monotonic() - self._looked < LOOK_S:
            return
        try:
            workers = await self._client.nthreads()
        except (OSError, AttributeError):  # the client drops what it needs for it
            raise _gone() from None
        self._looked = time.monotonic()
        threads = sum(workers.values())
        if threads != self._threads:
            self._threads = threads
            # Whatever standard error is now: a bar of progress moves what is printed above itself.
            print(_presence(len(workers), threads), file=sys.stderr, flush=True)


def _sealed(work: Callable[[], Awaitable[list[Answer]]]) -> Callable[[], Awaitable[list[Answer]]]:
    """Return some work as a function that can be read without this project.

    The scheduler reads what it passes on, and may be a plain one. A nested function travels as its
    code, and what it needs of this project as bytes.
    """
    packed = pickle.dumps(work)

    async def errand() -> list[Answer]:
        try:
            work = pickle.loads(packed)
        except (ImportError, AttributeError) as error:
            host = socket.gethostname()
            raise ImportError(f"{host} does not find this project ({error}): {START}") from None
        return await work()

    return errand


def batch_s(left_s: float, threads: int) -> float:
    """Return the guessed wall time of the next batch, from that of all that is left, in seconds."""
    share_s = left_s / (SHARES * max(threads, 1))
    return min(max(share_s, LEAST_BATCH_S), BATCH_S)


def take(waiting: deque[Task], most_s: float) -> list[Task]:
    """Take the next batch: one, and as many more as stay below so many seconds and BATCH_RUNS."""
    batch = [waiting.popleft()]
    spent = batch[0].guess_s
    while waiting and len(batch) < BATCH_RUNS and spent + waiting[0].guess_s <= most_s:
        spent += waiting[0].guess_s
        batch.append(waiting.popleft())
    return batch


def _presence(workers: int, threads: int) -> str:
    if not workers:
        return "Dask: waiting for a worker; to start one: ./gridftp dask worker ADDRESS"
    return f"Dask: {workers} {'worker' if workers == 1 else 'workers'}, {threads} runs at a time"


def _gone() -> ProgramError:
    return ProgramError("the connection to Dask's scheduler is lost; completed runs are stored")
