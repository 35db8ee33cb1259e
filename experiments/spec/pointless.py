"""What a spec asks for that cannot change a result, or did not.

The one is told before anything is simulated, the other afterwards.

The rules are about resolved scenarios, so that defaults are the program's. They are careful: what
may matter is not told.

- An option that some modes alone make something of (the program's own table says which) does not
  matter where all sessions have another one.
- Replications of a scenario without anything drawn at random are all the same. What the program
  draws beforehand, such as a path or arrivals, differs between their resolved scenarios.
- The size of the bottleneck's queue does not matter where nothing is ever lost in the smallest one:
  one session alone, of a fixed number of connections, whose windows together are less than what the
  path and that queue hold, and of which half fits that queue. As much of a window waits there at
  most while it is found by slow start, which sends two packets for each that the bottleneck lets
  through (Jacobson, "Congestion Avoidance and Control", SIGCOMM 1988).

Of what else does not matter, such as an option of a tool that another tool takes no notice of, only
the results can tell (`unmoved`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.read.chance import has_chance

from ..programs.option_table import MEASURE, OptionTable

Scenario = Mapping[str, Any]
"""A resolved scenario."""

Measured = Mapping[str, Any]
"""All that was measured in a run."""

_HEADERS = 1.1
"""At least what packets are larger by than what they carry, as a factor."""

_QUEUES = ("queue_packets", "reverse_queue_packets", "run")
"""What points differ in that differ in the queue alone: that in reverse is as long by default."""

_ALONE: Scenario = {
    "topology": "dumbbell",
    "queue_discipline": "drop-tail",
    "delay_jitter_s": 0,
    "reorder": 0,
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


@dataclass(frozen=True)
class Declared:
    """A run of a sweep.

    Attributes:
        label: of its set.
        line: the options that the spec sets, as texts.
        scenario: what they resolve to.
        key: of its result.
    """

    label: str
    line: Mapping[str, Any]
    scenario: Scenario
    key: str


@dataclass
class _Swept:
    """An option that is swept in one set or more.

    Attributes:
        values: all that it has.
        points: the runs of each set that differ in it alone, two of them or more.
    """

    values: set[str] = field(default_factory=set)
    points: list[list[Declared]] = field(default_factory=list)


def warnings(runs: Iterable[Declared], table: OptionTable) -> list[str]:
    """Return what of a sweep cannot matter, one line each; none if all may.

    Args:
        runs: of it.
        table: the options of the program that is to simulate it.
    """
    declared = list(runs)
    labelled = [(run.label, run.scenario) for run in declared]
    same = sum(
        len(points) > 1 and not has_chance(points[0]) for points in _alike(labelled, ("run",))
    )
    idle = sum(_idle_queue(points) for points in _alike(labelled, _QUEUES))
    told = []
    if same:
        told.append(
            f"replications of {_points(same)} will be identical, as they have no random values; "
            "start-jitter, random-loss or a background load make runs differ"
        )
    if idle:
        told.append(
            f"queue cannot matter at {_points(idle)}: the path and the smallest queue hold the "
            "windows "
            "of all connections, and there is no other traffic"
        )
    return [*told, *_unknown_to_modes(declared, table)]


def _unknown_to_modes(declared: Sequence[Declared], table: OptionTable) -> Iterator[str]:
    """Yield which swept options no mode that is used makes anything of."""
    for name, sets in _swept(declared, table).items():
        modes = table[name].modes
        points = [point for swept in sets.values() for point in swept.points]
        idle = sum(modes != () and _used(point).isdisjoint(modes) for point in points)
        if idle:
            yield (
                f"{name} cannot matter at {_points(idle)}: only mode {' or '.join(modes)} uses it"
            )


def _used(point: Sequence[Declared]) -> set[str]:
    """Return the modes of all sessions of some runs."""
    return {session["mode"] for run in point for session in run.scenario["sessions"]}


def unmoved(
    runs: Iterable[Declared],
    table: OptionTable,
    digests: Mapping[str, str],
    measured: Callable[[str], Measured | None],
) -> list[str]:
    """Return which swept options have changed no result of a set, one line each.

    Told is an option of which every result that is there says so, wherever in the set it was swept;
    sets are named where others tell something else.

    Args:
        runs: of a sweep.
        table: the options of the program that has simulated it.
        digests: by key, of the runs that are done: different where sessions or links are.
        measured: from a key to all that was measured; None where that is damaged.
    """
    declared = [run for run in runs if run.key in digests]
    told = []
    for name, sets in _swept(declared, table).items():
        still = {
            label: swept
            for label, swept in sets.items()
            if all(_are_same(point, digests, measured) for point in swept.points)
        }
        if still:
            values = {value for swept in still.values() for value in swept.values}
            points = sum(len(swept.points) for swept in still.values())
            told.append(
                f"{name} has changed nothing: its {len(values)} values give the same results "
                f"at {_points(points)}{_in_sets(list(still), len(sets))}"
            )
    return told


def _are_same(
    point: Sequence[Declared],
    digests: Mapping[str, str],
    measured: Callable[[str], Measured | None],
) -> bool:
    if len({digests[run.key] for run in point}) > 1:
        return False
    # A digest leaves out what else a server measures, and to read a result takes longer
    first, *others = (measured(key) for key in dict.fromkeys(run.key for run in point))
    return first is not None and all(other == first for other in others)


def _in_sets(labels: Sequence[str], of: int) -> str:
    if len(labels) == of:
        return ""
    if len(labels) > _MOST_NAMED:
        return f" of {len(labels)} of {of} sets"
    return f" of {', '.join(labels)}"


_MOST_NAMED = 3
"""Sets that are named one by one."""


def _swept(runs: Sequence[Declared], table: OptionTable) -> dict[str, dict[str, _Swept]]:
    """Return the options that are swept, and where: by name, then by label.

    What only says how a scenario is simulated, such as the engine, is none of them.
    """
    sets: dict[str, list[Declared]] = {}
    for run in runs:
        sets.setdefault(run.label, []).append(run)
    found: dict[str, dict[str, _Swept]] = {}
    for label, own in sets.items():
        values: dict[str, set[str]] = {}
        for run in own:
            for name, value in run.line.items():
                values.setdefault(name, set()).add(json.dumps(value))
        for name, some in values.items():
            if len(some) < 2 or table[name].scope == MEASURE:
                continue
            points = list(_differing(own, name))
            if points:
                found.setdefault(name, {})[label] = _Swept(some, points)
    return found


def _differing(runs: Sequence[Declared], name: str) -> Iterator[list[Declared]]:
    """Yield the runs of a set that differ in one option alone, and do."""
    groups: dict[str, list[Declared]] = {}
    for run in runs:
        if name in run.line:
            rest = {key: value for key, value in run.line.items() if key != name}
            groups.setdefault(json.dumps(rest, sort_keys=True), []).append(run)
    for group in groups.values():
        if len({json.dumps(run.line[name]) for run in group}) > 1:
            yield group


def _points(count: int) -> str:
    return f"{count} point" + ("s" if count > 1 else "")


def _alike(runs: Sequence[tuple[str, Scenario]], apart: Sequence[str]) -> Iterator[list[Scenario]]:
    """Yield the scenarios of each label that differ in some keys alone."""
    groups: dict[tuple[str, str], list[Scenario]] = {}
    for label, scenario in runs:
        rest = {key: value for key, value in scenario.items() if key not in apart}
        groups.setdefault((label, json.dumps(rest)), []).append(scenario)
    yield from groups.values()


def _differs_in_reverse(scenario: Scenario) -> bool:
    """Return whether the way back may be what limits the data, or loses ACKs."""
    return (
        scenario["reverse_bandwidth_bps"] < scenario["bandwidth_bps"]
        or scenario["reverse_queue_packets"] < scenario["queue_packets"]
        or scenario["reverse_queue_discipline"] not in ("same", "drop-tail")
        or scenario["reverse_random_loss"] > 0
    )


def _idle_queue(scenarios: Sequence[Scenario]) -> bool:
    """Return whether scenarios that differ in the queue alone have the same result."""
    queues = {scenario["queue_packets"] for scenario in scenarios}
    first = scenarios[0]
    alone = len(first["sessions"]) == 1 and all(
        first.get(key) == value for key, value in _ALONE.items()
    )
    if len(queues) < 2 or not alone or first["random_loss"] > 0 or _differs_in_reverse(first):
        return False
    windows = first["parallelism"] * first["window_bytes"] * _HEADERS
    packet = first["packet_size_bytes"]
    queue = min(queues) * packet
    path = first["bandwidth_bps"] / 8 * (first["delay_s"] + first["reverse_delay_s"])
    first_burst = first["initial_window_segments"] * first["parallelism"] * packet
    return windows <= path + queue and max(windows / 2, first_burst) <= queue
