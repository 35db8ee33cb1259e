"""Run coroutines that Ctrl-C ends, and end processes for good."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

GRACE_S = 2.0
"""Seconds a stopped program has to end by itself before it is killed."""

MOST_KEPT = 65536
"""Bytes kept of the end of what a failed program printed."""


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


async def end(process: asyncio.subprocess.Process) -> None:
    """End a process and everything in its group, if it is still there; at once if asked again."""
    if process.returncode is not None:
        return
    # One that is gone already is waited for, too: asyncio may not have heard of it yet.
    try:
        _signal(process, signal.SIGTERM)
        await asyncio.wait_for(process.wait(), GRACE_S)
    except (TimeoutError, asyncio.CancelledError):
        _signal(process, signal.SIGKILL)
        await process.wait()


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """Send a signal to a process and everything in its group, unless they are gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)
