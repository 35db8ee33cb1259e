"""What a spec asks for that cannot change a result: told before anything is simulated.

The rules are about resolved scenarios, so that defaults are the program's. They are careful: what
may matter is not told.

- Replications of a scenario without anything drawn at random are all the same. What the program
  draws beforehand, such as a path or arrivals, differs between their resolved scenarios.
- The size of the bottleneck's queue does not matter where nothing is ever lost in the smallest one:
  one session alone, of a fixed number of connections, whose windows together are less than what the
  path and that queue hold, and of which half fits that queue. As much of a window waits there at
  most while it is found by slow start, which sends two packets for each that the bottleneck lets
  through (Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Scenario = Mapping[str, Any]
"""A resolved scenario."""

_CHANCE = frozenset({"start_jitter_s", "random_loss", "loss", "load"})
"""Keys that draw at random where they are above 0, wherever in a scenario they are."""

_HEADERS = 1.1
"""At least what packets are larger by than what they carry, as a factor."""

_ALONE: Scenario = {
    "topology": "dumbbell",
    "path_schedule": "none",
    "limit_rate_bps": 0,
    "tool": "gridftp",
    "mode": "fixed",
    "buffers": "fixed",
    "stripes": "1x1",
    "server_host": "own",
    "data_channels": "fresh",
    "background": [],
    "faults": [],
}
"""What a scenario has to be for the rule on queues to speak of it."""


def warnings(runs: Iterable[tuple[str, Scenario]]) -> list[str]:
    """Return what of a sweep cannot matter, one line each; none if all may.

    Args:
        runs: label and resolved scenario of each.
    """
    labelled = list(runs)
    same = sum(
        len(points) > 1 and not has_chance(points[0]) for points in _alike(labelled, ("run",))
    )
    idle = sum(_idle_queue(points) for points in _alike(labelled, ("queue_packets", "run")))
    told = []
    if same:
        told.append(
            f"replications of {_points(same)} will be identical, as nothing in them is random; "
            "start-jitter, random-loss or a background load make runs differ"
        )
    if idle:
        told.append(
            f"queue cannot matter at {_points(idle)}: the windows of all connections together are "
            "less than path and smallest queue hold, and nothing else competes"
        )
    return told


def _points(count: int) -> str:
    return f"{count} point" + ("s" if count > 1 else "")


def _alike(runs: Sequence[tuple[str, Scenario]], apart: Sequence[str]) -> Iterator[list[Scenario]]:
    """Yield the scenarios of each label that differ in some keys alone."""
    groups: dict[tuple[str, str], list[Scenario]] = {}
    for label, scenario in runs:
        rest = {key: value for key, value in scenario.items() if key not in apart}
        groups.setdefault((label, json.dumps(rest)), []).append(scenario)
    yield from groups.values()


def has_chance(scenario: Scenario) -> bool:
    """Return whether anything of a scenario is drawn while it is simulated, as far as is known."""
    return (
        _draws(scenario)
        or scenario["tool"] == "udt"  # decreases at random
        or scenario["mode"] == "external"  # may do what it likes
        or scenario["file_sizes"] != "fixed"
    )


def _draws(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(
            (key in _CHANCE and isinstance(one, int | float) and one > 0)
            or (key == "tool" and one == "udt")
            or _draws(one)
            for key, one in value.items()
        )
    return any(map(_draws, value)) if isinstance(value, list) else False


def _idle_queue(scenarios: Sequence[Scenario]) -> bool:
    """Return whether scenarios that differ in the queue alone have the same result."""
    queues = {scenario["queue_packets"] for scenario in scenarios}
    first = scenarios[0]
    alone = len(first["sessions"]) == 1 and all(
        first.get(key) == value for key, value in _ALONE.items()
    )
    if len(queues) < 2 or not alone or first["random_loss"] > 0:
        return False
    windows = first["parallelism"] * first["window_bytes"] * _HEADERS
    packet = first["packet_size_bytes"]
    queue = min(queues) * packet
    path = first["bandwidth_bps"] / 8 * 2 * first["delay_s"]
    first_burst = first["initial_window_segments"] * first["parallelism"] * packet
    return windows <= path + queue and max(windows / 2, first_burst) <= queue
