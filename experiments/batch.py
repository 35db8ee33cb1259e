"""Many short simulations on a few processes, each of which answers one line after another."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import IO, Any

from .errors import ProgramError
from .programs import Program, ended
from .runner import end, run_interruptibly

LONGEST_LINE = 1 << 26
"""Bytes of the longest answer that is read."""


def run_lines(
    program: Program,
    lines: Sequence[Mapping[str, Any]],
    at_once: int,
    answered: Callable[[int, dict[str, Any]], None],
) -> None:
    """Simulate scenarios with ``--batch``, begun in their order, at most so many at once.

    Args:
        program: takes ``--batch=-``.
        lines: the scenarios, as JSON data.
        at_once: number of processes.
        answered: is called with the place of a line and its result, as soon as it is there; a
            result may be one of a failed transfer.

    Raises:
        ProgramError: a process ends before its time, or answers what is no result.
        KeyboardInterrupt: interrupted; no process is left.
    """
    run_interruptibly(_run_lines(program, lines, at_once, answered))


async def _run_lines(
    program: Program,
    lines: Sequence[Mapping[str, Any]],
    at_once: int,
    answered: Callable[[int, dict[str, Any]], None],
) -> None:
    waiting = iter(enumerate(lines))
    workers = [
        asyncio.create_task(_work(program, waiting, answered))
        for _ in range(min(at_once, len(lines)))
    ]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


async def _work(
    program: Program,
    waiting: Any,
    answered: Callable[[int, dict[str, Any]], None],
) -> None:
    """Have lines answered by one process until none is left."""
    with tempfile.TemporaryFile() as messages:
        try:
            # A group of its own: Ctrl-C reaches this process alone, which then ends the program
            # and whatever that started.
            process = await asyncio.create_subprocess_exec(
                *program.command("--batch=-"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=messages,
                limit=LONGEST_LINE,
                process_group=0,
            )
        except OSError as error:
            raise ProgramError(f"{program.path}: {error.strerror}") from None
        try:
            for place, line in waiting:
                answered(place, await _ask(program, process, line, messages))
            process.stdin.close()
            await process.wait()
        finally:
            await end(process)


async def _ask(
    program: Program,
    process: asyncio.subprocess.Process,
    line: Mapping[str, Any],
    messages: IO[bytes],
) -> dict[str, Any]:
    """Return the answer to one line."""
    text = json.dumps(line)
    try:
        process.stdin.write(f"{text}\n".encode())
        await process.stdin.drain()
        answer = await process.stdout.readline()
    except ConnectionError:
        answer = b""
    if not answer:
        status = await process.wait()
        messages.seek(0)
        said = messages.read().decode(errors="replace").strip().splitlines()
        told = f": {said[-1]}" if said else ""
        raise ProgramError(f"{program.name} {ended(status)} at {text}{told}")
    try:
        data = json.loads(answer)
        status = data["status"]
    except (ValueError, KeyError, TypeError):
        raise ProgramError(f"{program.name} answers {text} with no result") from None
    if status == "error":
        raise ProgramError(f"{program.name}: {data.get('reason')}, in {text}")
    return data
