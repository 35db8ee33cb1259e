"""Small functions that measure what a claim speaks of and judge it.

Each takes the kept results by name and the claim's parameters, and returns a `Verdict`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

import pandas as pd

from ..papers import Paper
from ..read import tuners
from ..read.results import Result, main_chunks

Judge = Callable[[Mapping[str, Result], Mapping[str, Any]], "Verdict"]
"""From results by their names, and a claim's parameters, to the verdict."""

HOLDS = "holds"
FAILS = "fails"
UNKNOWN = "cannot be judged"


@dataclass(frozen=True)
class Verdict:
    """What was measured, the verdict and why; ``values`` are the measured numbers, SI units."""

    measured: str
    verdict: str
    reason: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, measured: str, holds: bool, reason: str, values: Mapping[str, Any]) -> Verdict:
        """Return a verdict that holds or fails."""
        return cls(measured, HOLDS if holds else FAILS, reason, values)

    @classmethod
    def unknown(
        cls, measured: str, reason: str, values: Mapping[str, Any] | None = None
    ) -> Verdict:
        """Return that no verdict is possible."""
        return cls(measured, UNKNOWN, reason, values or {})


@dataclass(frozen=True)
class Settling:
    """Where the parallelism of one transfer stopped changing.

    Attributes:
        parallelism: the converged N.
        settled_s: end of the chunk after which N never changes again, from the transfer's start.
        stopped_s: end of the first chunk that did not raise N: a search upwards ends there.
        confirmed_s: end of the first chunk sent with the converged N.
        goodput_bps: goodput of that first chunk.
        later_bps: mean goodput of the chunks from that one on, by bytes over their times.
    """

    parallelism: int
    settled_s: float
    stopped_s: float
    confirmed_s: float
    goodput_bps: float
    later_bps: float


def adjusted(chunks: pd.DataFrame) -> list[int]:
    """Return N before the first chunk and as adjusted at each chunk's completion."""
    return [int(chunks["parallelism"].iloc[0]), *map(int, chunks["next_parallelism"])]


def settling(chunks: pd.DataFrame) -> Settling | None:
    """Return where N stopped changing, None if a chunk sent with the last N never confirmed it."""
    levels = adjusted(chunks)
    last_change = _last_change(levels)
    if last_change >= len(chunks):
        return None
    ends = chunks["completed_s"]
    stop = next(i for i in range(len(chunks)) if levels[i + 1] <= levels[i])
    later = chunks.iloc[last_change:]
    spent = (later["bytes"] * 8 / later["goodput_bps"]).sum()
    return Settling(
        levels[-1],
        float(ends.iloc[last_change - 1]) if last_change else 0.0,
        float(ends.iloc[stop]),
        float(ends.iloc[last_change]),
        float(later["goodput_bps"].iloc[0]),
        float(later["bytes"].sum() * 8 / spent),
    )


def parallelism_path(results: Mapping[str, Result], parameters: Mapping[str, Any]) -> Verdict:
    """N takes exactly the given values, in order, and keeps the last: ``path``."""
    ((_, result),) = results.items()
    chunks = _chunks(result)
    changes = _without_repeats(adjusted(chunks))
    state = settling(chunks)
    measured = f"N: {_shortened(changes)}"
    values = {"path": changes}
    if state is None:
        return Verdict.of(measured, False, "N still changes in the last chunk", values)
    stays = f"stays at {state.parallelism} from {state.settled_s:.1f} s to the end"
    wanted = list(parameters["path"])
    same = changes == wanted
    reason = stays if same else f"{stays}; claimed {_shortened(wanted)}"
    return Verdict.of(measured, same, reason, values)


def parallelism_settles(results: Mapping[str, Result], parameters: Mapping[str, Any]) -> Verdict:
    """N converges to ``value``."""
    ((_, result),) = results.items()
    chunks = _chunks(result)
    changes = _without_repeats(adjusted(chunks))
    state = settling(chunks)
    measured = f"N: {_shortened(changes)}"
    values = {"path": changes, "parallelism": state.parallelism if state else None}
    if state is None:
        return Verdict.of(measured, False, "N does not converge", values)
    reason = f"stays at {state.parallelism} from {state.settled_s:.1f} s to the end"
    return Verdict.of(measured, state.parallelism == parameters["value"], reason, values)


READINGS = {
    "settled": "the chunk after which N never changes again",
    "stopped": "the first chunk that does not raise N",
    "confirmed": "the first chunk sent with the last N",
    "confirmed_in_all": "the first chunk that every mode sends with its last N",
}
"""What "converged at a time" may be read as: the end of which chunk."""


def settling_time(results: Mapping[str, Result], parameters: Mapping[str, Any]) -> Verdict:
    """N of every result converges about ``value_s`` after the start.

    A text that gives one time for several modes does not say of which chunk that is the end. The
    verdict is by ``reading``, one of `READINGS`, for the reason that ``why`` gives; the verdicts by
    the others are told beside it.
    """
    wanted, share = parameters["value_s"], parameters["about"]
    chunks = {tuners.label(name): _chunks(result) for name, result in results.items()}
    states = {name: settling(table) for name, table in chunks.items()}
    values: dict[str, Any] = {n: asdict(state) if state else None for n, state in states.items()}
    if not all(states.values()):
        ends = {name: state and state.settled_s for name, state in states.items()}
        return Verdict.of(_times(ends), False, "N does not converge in every mode", values)
    found = readings(chunks)
    verdicts = {
        reading: all(end is not None and _near(end, wanted, share) for end in ends.values())
        for reading, ends in found.items()
    }
    values["readings"] = {
        reading: {"ends_s": ends, "verdict": HOLDS if verdicts[reading] else FAILS}
        for reading, ends in found.items()
    }
    chosen = parameters["reading"]
    away = [f"{name} {_away(end, wanted)}" for name, end in found[chosen].items() if end]
    others = "; ".join(
        f"of {READINGS[reading]} ({_times(ends)}) the claim {HOLDS if verdicts[reading] else FAILS}"
        for reading, ends in found.items()
        if reading != chosen
    )
    reason = (
        f"{', '.join(away)} compared with {wanted:g} s, {_allowed(share)}. The time is the "
        f"end of {READINGS[chosen]}: {parameters['why']}. With the end {others}"
    )
    return Verdict.of(_times(found[chosen]), verdicts[chosen], reason, values)


def readings(chunks: Mapping[str, pd.DataFrame]) -> dict[str, dict[str, float | None]]:
    """Return when N converged by each of `READINGS`, in every mode.

    Args:
        chunks: of each mode, all of which converge.

    Returns:
        By reading and mode; None where a mode has no such chunk.
    """
    states = {name: settling(table) for name, table in chunks.items()}
    found: dict[str, dict[str, float | None]] = {
        reading: {name: getattr(state, f"{reading}_s") for name, state in states.items()}
        for reading in ("settled", "stopped", "confirmed")
    }
    last = max(_last_change(adjusted(table)) for table in chunks.values())
    found["confirmed_in_all"] = {
        name: float(table["completed_s"].iloc[last]) if last < len(table) else None
        for name, table in chunks.items()
    }
    return found


def _times(ends: Mapping[str, float | None]) -> str:
    return ", ".join(
        f"{name} never" if end is None else f"{name} {end:.1f} s" for name, end in ends.items()
    )


def _last_change(levels: list[int]) -> int:
    """Return at the end of how many chunks N changed for the last time, 0 for never."""
    return max((i for i in range(1, len(levels)) if levels[i] != levels[i - 1]), default=0)


def settled_goodput(results: Mapping[str, Result], parameters: Mapping[str, Any]) -> Verdict:
    """The first chunk sent with the converged N has a goodput of about ``value_bps``."""
    ((_, result),) = results.items()
    wanted, share = parameters["value_bps"], parameters["about"]
    state = settling(_chunks(result))
    if state is None:
        return Verdict.unknown("", "N does not converge, so there is no such point")
    reason = (
        f"{_away(state.goodput_bps, wanted)} compared with {wanted / 1e6:g} Mbit/s, "
        f"{_allowed(share)}; "
        f"mean from then to the end {state.later_bps / 1e6:.1f} Mbit/s"
    )
    values = {"goodput_bps": state.goodput_bps, "later_bps": state.later_bps}
    holds = _near(state.goodput_bps, wanted, share)
    return Verdict.of(f"{state.goodput_bps / 1e6:.1f} Mbit/s", holds, reason, values)


def slower_rise(results: Mapping[str, Result], parameters: Mapping[str, Any]) -> Verdict:
    """The first result's N rises by equal steps, and later than in each of the others.

    Linear: up to the first decrease every chunk adds the same number of connections. Slower: it
    reaches the highest N that both it (in that rise) and the other reach later than the other does,
    and no lower N earlier.
    """
    slow, *faster = results
    chunks = _chunks(results[slow])
    levels = adjusted(chunks)
    steps = [after - before for before, after in pairwise(levels)]
    rise = next((i for i, step in enumerate(steps) if step < 0), len(steps))
    values: dict[str, Any] = {"steps": steps[:rise], "reached_s": {}}
    if rise < 2:
        return Verdict.unknown(f"N: {_shortened(levels)}", "fewer than two steps of a rise", values)
    linear = steps[0] > 0 and len(set(steps[:rise])) == 1
    top = levels[rise]
    slower = True
    told = []
    for name in faster:
        other = _chunks(results[name])
        common = min(top, max(adjusted(other)))
        times = {
            level: (_reached(chunks, level), _reached(other, level))
            for level in range(levels[0] + 1, common + 1)
        }
        if not times:
            reason = f"{tuners.label(name)} does not rise: nothing to compare"
            return Verdict.unknown("", reason, values)
        own, its = times[common]
        slower &= own > its and all(a >= b for a, b in times.values())
        values["reached_s"][name] = {"parallelism": common, slow: own, name: its}
        told.append(f"N = {common} at {own:.1f} s, {tuners.label(name)} at {its:.1f} s")
    grows = f"+{steps[0]} per chunk" if linear else f"steps {_shortened(steps[:rise])}"
    reason = (
        f"the steps of the rise to N = {top} are {'all equal' if linear else 'not all equal'}; "
        f"it reaches the highest common N {'later' if slower else 'not later'}"
    )
    measured = f"{grows} up to {top}; reaches {'; '.join(told)}"
    return Verdict.of(measured, linear and slower, reason, values)


JUDGES: dict[str, Judge] = {
    function.__name__: function
    for function in (
        parallelism_path,
        parallelism_settles,
        settling_time,
        settled_goodput,
        slower_rise,
    )
}


def judges_of(paper: Paper) -> Mapping[str, Judge]:
    """Return the judges that a paper's claims may name: these, and those in its ``judges.py``."""
    own = (getattr(module, "JUDGES", {}) for module in paper.modules(""))
    return {name: judge for some in (JUDGES, *own) for name, judge in some.items()}


def _chunks(result: Result) -> pd.DataFrame:
    return main_chunks(result.chunks())


def _reached(chunks: pd.DataFrame, level: int) -> float:
    """Return when the adjusted N was first at least the level."""
    return float(chunks.loc[chunks["next_parallelism"] >= level, "completed_s"].iloc[0])


def _without_repeats(levels: list[int]) -> list[int]:
    return [x for i, x in enumerate(levels) if i == 0 or x != levels[i - 1]]


def _shortened(levels: list[int], most: int = 8) -> str:
    shown = ", ".join(map(str, levels[:most]))
    return shown if len(levels) <= most else f"{shown}, ..."


def _near(value: float, wanted: float, share: float) -> bool:
    return abs(value - wanted) <= share * wanted


def _away(value: float, wanted: float) -> str:
    return f"{(value / wanted - 1) * 100:+.1f} %"


def _allowed(share: float) -> str:
    return f"{share * 100:g} % allowed"
