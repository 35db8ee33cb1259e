"""What a worker of Dask does in a sweep: it simulates, with the programs of its own checkout.

``--preload experiments.cluster.dask_worker``, which ``./gridftp dask worker`` gives, has a worker
take the hashes of its sources when it starts, while its programs are known to be made of them.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping, Sequence

from distributed import Worker, get_worker

from ..errors import ProgramError
from ..programs.option_table import OptionTable
from ..programs.pool import Answer, Limits, Task, work_off
from ..programs.program import locate
from ..programs.sources import engine_hash

PROGRAM = "gridftp-transfer"

WATCH_S = 1.0
"""How often a worker looks whether what it simulates is still wanted, in seconds."""


def dask_setup(_: Worker) -> None:
    """Take the hashes of the sources; Dask calls this when the worker starts.

    Raises:
        ProgramError: the programs are not built, which Dask logs; `refusal` will say it, too.
    """
    program = locate(PROGRAM)
    for engine in OptionTable.read(program.object("--describe")).engines():
        engine_hash(program, engine)


def refusal(name: str, sources: Mapping[str, str]) -> str | None:
    """Return why this worker cannot simulate, with its host; None if it can.

    Args:
        name: file name of the program.
        sources: hash of the sources of each engine that is to be used.
    """
    host = f"worker on {socket.gethostname()}"
    try:
        program = locate(name)
        for engine, wanted in sources.items():
            if engine_hash(program, engine) != wanted:
                return (
                    f"{host}: the sources of engine {engine} differ from those of this sweep: "
                    "update its checkout and restart the worker"
                )
    except (ProgramError, OSError) as error:
        return f"{host}: {error}"
    return None


async def simulate_batch(
    key: str, name: str, tasks: Sequence[Task], limits: Limits
) -> list[Answer]:
    """Simulate some runs, one after the other, in a process of the worker's own program.

    Args:
        key: of this batch at Dask.
        name: file name of the program.
        tasks: the runs; they name their engines and the hashes of these.
        limits: of each run.

    Returns:
        How each of them ended, in any order.
    """
    answers: list[Answer] = []
    reason = refusal(name, {task.engine: task.sources for task in tasks})
    if reason is None:
        work = work_off(locate(name), tasks, 1, limits, lambda _: None, answers.append)
        try:
            await _while_wanted(asyncio.create_task(work), key)
        except ProgramError as error:
            reason = f"worker on {socket.gethostname()}: {error}"
    told = {answer.key for answer in answers}
    lost = [task for task in tasks if task.key not in told]
    return answers + [Answer(task.key, 0.0, reason=reason) for task in lost]


async def _while_wanted(work: asyncio.Task[None], key: str) -> None:
    """Wait for some work; end it if the worker closes or nobody waits for its result any more.

    Dask itself does not end what has begun: not for a Ctrl-C at the sweep, not if that is killed.
    """
    known = get_worker().state.tasks
    try:
        while not work.done():
            await asyncio.wait({work}, timeout=WATCH_S)
            if key not in known or known[key].state == "cancelled":
                break
    finally:
        work.cancel()
        await asyncio.wait({work})
    work.result()
