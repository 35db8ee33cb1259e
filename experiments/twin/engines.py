"""The same transfers on the engines."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..errors import ProgramError
from ..programs.batch import run_lines
from ..programs.program import Program
from .needs import is_of_today

NS3, SEGMENT = "ns3", "segment"

CWND_STEP_S = 0.05
"""Time between two values of a congestion window over time; the twin's samples are as close."""


def of(scenario: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the engines that model the hosts of a scenario."""
    return (SEGMENT,) if is_of_today(scenario) else (NS3, SEGMENT)


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


def cwnd(program: Program, scenario: Mapping[str, str]) -> dict[str, Any]:
    """Simulate one scenario; return the sum of its congestion windows over time, as JSON data.

    Args:
        program: gridftp-transfer.
        scenario: options, by name.

    Returns:
        ``time_s`` since the first data connection was there, and ``bytes``.

    Raises:
        ProgramError: the program fails.
    """
    words = [f"--{name}={value}" for name, value in scenario.items()]
    with tempfile.TemporaryDirectory() as folder:
        program.call(*words, "--json", f"--trace={folder}")
        return total_cwnd(pd.read_csv(Path(folder) / "cwnd.csv"))


def total_cwnd(rows: pd.DataFrame) -> dict[str, Any]:
    """Return the sum of congestion windows over time, as `cwnd` does.

    Args:
        rows: changes of cwnd by time: ``time_s``, ``connection``, ``cwnd_bytes``.
    """
    times = rows["time_s"].to_numpy()
    first_s = times[0]
    grid = np.arange(0.0, times[-1] - first_s, CWND_STEP_S)
    total = np.zeros(len(grid))
    for _, own in rows.groupby("connection"):
        values = np.concatenate([[0.0], own["cwnd_bytes"].to_numpy(dtype=float)])
        total += values[np.searchsorted(own["time_s"] - first_s, grid, side="right")]
    return {"time_s": [round(at_s, 3) for at_s in grid.tolist()], "bytes": total.tolist()}


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
