"""The same transfers on both engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import ProgramError
from ..programs.batch import run_lines
from ..programs.program import Program

ENGINES = ("ns3", "segment")


def simulate(
    program: Program,
    lines: Sequence[Mapping[str, str]],
    jobs: int,
    done: Callable[[Mapping[str, str]], None],
) -> list[dict[str, Any]]:
    """Simulate scenarios; return what came of each, as JSON data.

    Args:
        program: gridftp-transfer.
        lines: scenarios as a batch takes them.
        jobs: simulations at a time.
        done: is told each line that is done.

    Returns:
        ``goodput_bps``, ``duration_s``, ``retransmissions``, ``timeouts``, ``drops`` and
        ``max_queue_packets`` of each.

    Raises:
        ProgramError: a program fails, or a transfer does.
    """
    found: list[dict[str, Any]] = [{} for _ in lines]

    def answered(place: int, result: dict[str, Any]) -> None:
        if result["reason"]:
            raise ProgramError(f"{program.name}: {result['reason']}, in {lines[place]}")
        (session,), (link,) = result["sessions"], result["links"]
        found[place] = {
            **{key: session[key] for key in ("goodput_bps", "duration_s")},
            **{key: session["tcp"][key] for key in ("retransmissions", "timeouts")},
            **{key: link[key] for key in ("drops", "max_queue_packets")},
        }
        done(lines[place])

    run_lines(program, lines, jobs, answered)
    return found


def line(
    options: Mapping[str, str], parallelism: int, engine: str, run: int, **more: str
) -> dict[str, str]:
    """Return a scenario as a batch takes it.

    Args:
        options: of all of them, by name.
        parallelism: data connections.
        engine: that simulates it.
        run: of the random draws.
        more: other options.
    """
    own = {"parallelism": str(parallelism), "engine": engine, "run": str(run)}
    return {**options, **own, **more}
