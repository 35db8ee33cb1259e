"""Run simulations in parallel, each in a process of its own, and keep what they print."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import tempfile
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar

from analysis.results import Result, ResultError

from .keep import Folder, Key
from .programs import Program, ended

T = TypeVar("T")

GRACE_S = 2.0
"""Seconds a stopped program has to end by itself before it is killed."""

MOST_KEPT = 65536
"""Bytes kept of the end of what a failed program printed."""


@dataclass(frozen=True)
class Job:
    """One simulation to run: its name, program, options and what its result is keyed by."""

    name: str
    program: Program
    options: tuple[str, ...]
    key: Key

    @property
    def command(self) -> list[str]:
        """The command line."""
        return self.program.command(*self.options, "--json", "--progress=json")


@dataclass(frozen=True)
class Outcome:
    """How a job ended.

    Attributes:
        result: the kept result, None if it failed.
        reason: why it failed, one line; "" if it did not.
        record: the file that describes the failure.
        wall_s: wall time it took here, 0 if an earlier result was used.
        reused: whether an earlier result was used.
        messages: what it said on standard error besides progress.
    """

    name: str
    result: Result | None
    reason: str = ""
    record: Path | None = None
    wall_s: float = 0.0
    reused: bool = False
    messages: str = ""


class Display(Protocol):
    """Shows how far the jobs are; its methods are called in this order for each job."""

    def started(self, name: str) -> None:
        """Its process is about to start."""

    def progressed(self, name: str, progress: dict[str, Any]) -> None:
        """It reported progress: ``fraction`` from 0 to 1, ``chunk``, ``chunks``, ..."""

    def finished(self, outcome: Outcome) -> None:
        """It ended."""


@dataclass
class _Printed:
    """The standard error of a program, split into progress and messages, the end of it kept."""

    name: str
    display: Display
    messages: bytearray = field(default_factory=bytearray)
    _partial: bytes = b""

    def feed(self, data: bytes) -> None:
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            self._line(line)
        if len(self._partial) > MOST_KEPT:
            self.close()

    def close(self) -> None:
        if self._partial:
            self._line(self._partial)
        self._partial = b""

    def _line(self, line: bytes) -> None:
        progress = _progress(line)
        if progress is not None:
            self.display.progressed(self.name, progress)
            return
        self.messages += line + b"\n"
        del self.messages[:-MOST_KEPT]


def run_all(jobs: Sequence[Job], folder: Folder, at_once: int, display: Display) -> list[Outcome]:
    """Run the jobs, the longest first, at most so many at once; keep valid results.

    A failed job does not stop the others. On Ctrl-C, SIGTERM or SIGHUP the running programs are
    ended and nothing half written is left.

    Args:
        jobs: what to run.
        folder: where results are kept.
        at_once: number of processes at a time.
        display: is told what happens.

    Returns:
        One outcome per job, in the order of the jobs.

    Raises:
        KeyboardInterrupt: interrupted by one of those signals.
        OSError: a result cannot be written.
    """
    return run_interruptibly(_run_all(jobs, folder, at_once, display))


def run_interruptibly(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end; Ctrl-C, SIGTERM and SIGHUP cancel it.

    Raises:
        KeyboardInterrupt: interrupted by one of those signals.
    """

    async def whole() -> T:
        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(work)
        interrupted = False

        def interrupt() -> None:
            nonlocal interrupted
            interrupted = True
            task.cancel()

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
                loop.add_signal_handler(number, interrupt)
        try:
            return await task
        except asyncio.CancelledError:
            if interrupted:
                raise KeyboardInterrupt from None
            raise

    return asyncio.run(whole())


async def _run_all(
    jobs: Sequence[Job], folder: Folder, at_once: int, display: Display
) -> list[Outcome]:
    slots = asyncio.Semaphore(at_once)

    async def one(job: Job) -> Outcome:
        async with slots:
            display.started(job.name)
            outcome = await _run(job, folder, display)
            display.finished(outcome)
            return outcome

    unknown = float("inf")
    costs = {job.name: folder.last_cost(job.name) or unknown for job in jobs}
    order = sorted(jobs, key=lambda job: -costs[job.name])
    tasks = {job.name: asyncio.create_task(one(job)) for job in order}
    try:
        await asyncio.gather(*tasks.values())
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
    return [tasks[job.name].result() for job in jobs]


async def _run(job: Job, folder: Folder, display: Display) -> Outcome:
    begun = time.monotonic()
    printed = _Printed(job.name, display)
    with tempfile.TemporaryFile() as output:
        try:
            # A group of its own: Ctrl-C reaches this process alone, which then ends the program
            # and whatever that started.
            process = await asyncio.create_subprocess_exec(
                *job.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=asyncio.subprocess.PIPE,
                process_group=0,
            )
        except OSError as error:
            return _failed(job, folder, -1, f"cannot be started: {error.strerror}", "", "", begun)
        try:
            while data := await process.stderr.read(MOST_KEPT):
                printed.feed(data)
            status = await process.wait()
        finally:
            await end(process)
        printed.close()
        return _settle(job, folder, status, output, printed, begun)


async def end(process: asyncio.subprocess.Process) -> None:
    """End a process and everything in its group, if it is still there; at once if asked again."""
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), GRACE_S)
        except (TimeoutError, asyncio.CancelledError):
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


def _settle(
    job: Job, folder: Folder, status: int, output: IO[bytes], printed: _Printed, begun: float
) -> Outcome:
    """Keep the result of an ended process, or the record of its failure."""
    output.seek(0)
    text = output.read()
    messages = printed.messages.decode(errors="replace")
    if status == 0:
        try:
            result = folder.store(job.name, job.key, text)
            spent = time.monotonic() - begun
            return Outcome(job.name, result, wall_s=spent, messages=messages)
        except ResultError as error:
            reason = str(error)
    else:
        reason = _reason(status, text, messages)
    tail = text[-MOST_KEPT:].decode(errors="replace")
    return _failed(job, folder, status, reason, tail, messages, begun)


def _failed(
    job: Job, folder: Folder, status: int, reason: str, text: str, messages: str, begun: float
) -> Outcome:
    said = {"stdout": text, "stderr": messages}
    record = folder.store_failure(job.name, job.command, status, reason, said)
    spent = time.monotonic() - begun
    return Outcome(job.name, None, reason=reason, record=record, wall_s=spent)


def _reason(status: int, text: bytes, messages: str) -> str:
    """Return why a program failed: its own reason, else its last message, and how it ended."""
    try:
        own = json.loads(text)["reason"]
    except (ValueError, KeyError, TypeError, RecursionError):
        own = None
    lines = messages.strip().splitlines()
    why = own or (lines[-1] if lines else "it gave no reason")
    return f"{ended(status)}: {' '.join(str(why).split())}"


def _progress(line: bytes) -> dict[str, Any] | None:
    """Return the progress a line reports, None if it is a message."""
    if not line.startswith(b"{"):
        return None
    try:
        progress = json.loads(line)["progress"]
        float(progress["fraction"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return progress
