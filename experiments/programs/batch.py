"""Many simulations on a few processes, of which none may go wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import ProgramError
from .pool import Answer, Limits, Task, run_pool
from .program import Program


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

    def check(answer: Answer) -> None:
        place = int(answer.key)
        asked = json.dumps(lines[place])
        if answer.text is None:
            how, _, why = answer.reason.partition(": ")
            raise ProgramError(f"{program.name} {how} at {asked}: {why}")
        data = json.loads(answer.text)
        if data["status"] == "error":
            raise ProgramError(f"{program.name}: {data.get('reason')}, in {asked}")
        answered(place, data)

    tasks = [Task(str(place), line) for place, line in enumerate(lines)]
    run_pool(program, tasks, at_once, Limits(), lambda _: None, check)
