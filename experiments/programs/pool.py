"""Many simulations on a few processes that survive them.

What crashes, hangs or prints rubbish is that one run's failure; the next one gets a new process.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from ..errors import ProgramError
from .processes import MOST_KEPT, end, run_interruptibly
from .program import Program, ended

LONGEST_LINE = 1 << 26
"""Bytes of the longest answer that is read."""

MOST_WRITTEN = 1 << 28
"""Bytes of the largest file that a program may write, its messages too: none fills the disk."""


@dataclass(frozen=True)
class Task:
    """One simulation.

    Attributes:
        key: what it is called.
        line: its options as a line of a batch.
        engine: that simulates it.
        sources: hash of the engine's sources, which another machine must have, too.
        guess_s: wall time that it may take, for how many are given to another machine at once.
    """

    key: str
    line: Mapping[str, Any]
    engine: str = ""
    sources: str = ""
    guess_s: float = 0.0


@dataclass(frozen=True)
class Limits:
    """What a run may use.

    Attributes:
        wall_s: seconds; None: any number.
        memory_bytes: of a process's address space; None: any number.
    """

    wall_s: float | None = None
    memory_bytes: int | None = None


@dataclass(frozen=True)
class Answer:
    """How a run ended.

    Attributes:
        text: the line that the program answered; None if it did not.
        reason: why there is none, one line.
        timed_out: whether it was ended since it took too long.
        status: exit status of the program, None while it goes on.
        stderr: the end of what it printed there.
    """

    key: str
    wall_s: float
    text: bytes | None = None
    reason: str | None = None
    timed_out: bool = False
    status: int | None = None
    stderr: str = ""


Pool = Callable[
    [Program, Sequence[Task], int, Limits, Callable[[str], None], Callable[[Answer], None]], None
]
"""Simulates tasks as `run_pool` does, here or elsewhere."""


def run_pool(
    program: Program,
    tasks: Sequence[Task],
    at_once: int,
    limits: Limits,
    begun: Callable[[str], None],
    answered: Callable[[Answer], None],
) -> None:
    """Simulate in the order of the tasks, at most so many at once.

    Args:
        program: takes ``--batch=-``.
        tasks: what to simulate.
        at_once: number of processes.
        limits: of each run.
        begun: is called with a run's key when it begins.
        answered: is called when it has ended.

    Raises:
        ProgramError: the program cannot be started at all.
        KeyboardInterrupt: interrupted; no process is left.
    """
    run_interruptibly(work_off(program, tasks, at_once, limits, begun, answered))


async def work_off(
    program: Program,
    tasks: Sequence[Task],
    at_once: int,
    limits: Limits,
    begun: Callable[[str], None],
    answered: Callable[[Answer], None],
) -> None:
    """Do what `run_pool` does, in an event loop; cancelled, it leaves no process."""
    waiting = iter(tasks)
    workers = [
        asyncio.create_task(_work(_Process(program, limits), waiting, begun, answered))
        for _ in range(min(at_once, len(tasks)))
    ]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


async def _work(
    process: _Process,
    waiting: Iterator[Task],
    begun: Callable[[str], None],
    answered: Callable[[Answer], None],
) -> None:
    try:
        for task in waiting:
            begun(task.key)
            answered(await process.ask(task))
    except BaseException:
        await process.close(kill=True)
        raise
    await process.close()


class _Process:
    """A process that answers one line after another; a new one where it has died."""

    def __init__(self, program: Program, limits: Limits) -> None:
        self._program = program
        self._limits = limits
        self._process: asyncio.subprocess.Process | None = None
        self._messages: IO[bytes] | None = None

    async def ask(self, task: Task) -> Answer:
        """Return how a run ended."""
        if self._process is None:
            await self._start()
        self._messages.seek(0)
        self._messages.truncate()
        since = time.monotonic()
        try:
            text = await asyncio.wait_for(self._exchange(task.line), self._limits.wall_s)
        except TimeoutError:
            stderr = self._said()
            await self.close(kill=True)
            spent = time.monotonic() - since
            reason = f"took longer than {self._limits.wall_s:g} s"
            return Answer(task.key, spent, reason=reason, timed_out=True, stderr=stderr)
        spent = time.monotonic() - since
        if _is_answer(text):
            return Answer(task.key, spent, text, stderr=self._said())
        return await self._died(task.key, spent, text)

    async def _exchange(self, line: Mapping[str, Any]) -> bytes:
        """Return what the process answers; less than a line where it does not go on."""
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(f"{json.dumps(line)}\n".encode())
            await self._process.stdin.drain()
        try:
            return await self._process.stdout.readline()
        except ValueError:  # longer than LONGEST_LINE
            return b"more than an answer can have"

    async def _died(self, key: str, spent: float, text: bytes) -> Answer:
        """Return why there is no answer; the next run gets a new process."""
        if not text:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), 1)
        stderr, status = self._said(), self._process.returncode
        await self.close(kill=True)
        lines = stderr.strip().splitlines()
        if text:
            reason = (
                f"printed something that is not a result: {text[:60].decode(errors='replace')!r}"
            )
        elif status == -signal.SIGXFSZ:
            reason = f"wrote more than {MOST_WRITTEN / 1e6:.0f} MB"
        else:
            how = "closed its output" if status is None else ended(status)
            reason = f"{how}: {lines[-1] if lines else 'it gave no reason'}"
        return Answer(key, spent, reason=reason, status=status, stderr=stderr)

    async def _start(self) -> None:
        self._messages = tempfile.TemporaryFile()  # noqa: SIM115 # closed by close()
        try:
            # A group of its own: Ctrl-C reaches this process alone, which then ends the program
            # and whatever that started.
            self._process = await asyncio.create_subprocess_exec(
                *self._program.command("--batch=-"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=self._messages,
                limit=LONGEST_LINE,
                process_group=0,
            )
        except OSError as error:
            self._messages.close()
            raise ProgramError(f"{self._program.path}: {error.strerror}") from None
        self._limit()

    def _limit(self) -> None:
        """Limit the process, which has not been given a run yet.

        From outside: what is called between fork and exec may hang where there are threads, as in a
        worker of Dask.
        """
        limits = {resource.RLIMIT_FSIZE: MOST_WRITTEN}
        if self._limits.memory_bytes is not None:
            limits[resource.RLIMIT_AS] = self._limits.memory_bytes
        with contextlib.suppress(ProcessLookupError):
            for which, most in limits.items():
                _, hard = resource.prlimit(self._process.pid, which)
                least = most if hard == resource.RLIM_INFINITY else min(most, hard)
                resource.prlimit(self._process.pid, which, (least, least))

    def _said(self) -> str:
        """Return the end of what the process has printed on standard error."""
        size = self._messages.seek(0, 2)
        self._messages.seek(max(0, size - MOST_KEPT))
        return self._messages.read().decode(errors="replace")

    async def close(self, *, kill: bool = False) -> None:
        """End the process, if there is one."""
        if self._process is None:
            return
        process, self._process = self._process, None
        try:
            if not kill:
                with contextlib.suppress(OSError):
                    process.stdin.close()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), 1)
        finally:
            await end(process)
            self._messages.close()


def _is_answer(text: bytes) -> bool:
    """Whether a line is what a program answers: a JSON object with a status."""
    try:
        return text.endswith(b"\n") and "status" in json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return False
