"""Profile transfers without keeping anything of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..programs.batch import run_lines
from ..programs.program import Program
from .cells import Cell, Profile
from .judge import THRESHOLD, Finding


def inquire(
    program: Program,
    lines: Sequence[Mapping[str, Any]],
    jobs: int = 1,
    threshold: float = THRESHOLD,
    simulated: Callable[[int], None] = lambda count: None,
) -> list[Finding | None]:
    """Return what is found of each transfer.

    Args:
        program: that simulates.
        lines: the transfers, as lines of a batch.
        jobs: simulations at a time.
        threshold: as `THRESHOLD`.
        simulated: is called after each simulation with the number of those that are done.

    Raises:
        UserError: the program refuses one.
        ProgramError: it does not do what it should.
    """
    profile = Profile(program, [Cell(n, {}, line) for n, line in enumerate(lines)], threshold)
    done = itertools.count(1)
    while asked := profile.missing():

        def answered(
            place: int, data: dict[str, Any], asked: list[tuple[Cell, str, Any]] = asked
        ) -> None:
            cell, what, _ = asked[place]
            profile.take(cell, what, data["scenario"], data if data["status"] == "done" else None)
            simulated(next(done))

        run_lines(program, [line for *_, line in asked], jobs, answered)
    return [finding for _, finding in profile.findings()]
