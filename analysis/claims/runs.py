"""Claims about any number that results have: ``[[run_claim]]`` of a paper's ``claims.toml``.

One number is made of the runs of a set, and bounds are asked of it::

    [[run_claim]]
    id = "late-drops"
    where = "Sec. 5"
    text = "downloads lose next to nothing"
    sweep = "loss"                       # of the paper
    label = "segment"                    # which set of it; else all
    runs = { direction = "download" }    # which runs of these: options by their keys in the result
    measure = "links.0.drops"            # path into a result; * for each of a list; or the name of
                                         # a function in MEASURES of the paper's judges.py
    of = { mode = "mi" }                 # which sessions and background connections a * is
    in_a_run = "sum"                     # of several numbers in one: sum, mean, largest, smallest
    over_runs = "mean"                   # of the runs' numbers, likewise
    over = { runs = { direction = "upload" } }   # divided by this: label, runs, of, measure
    name = "packets dropped"             # what readers call the measure
    unit = "thousand"                    # and its unit, if it is not divided by anything,
    scale = 1e3                          # which is so many of the measure's own
    at_most = "next_to_nothing"          # a word of [words] or a number; at_least, about
    conditions = { mode = "mi" }         # in place of [conditions]
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..drawing.axes import name_of, told
from ..papers import Paper
from ..read.chance import has_chance
from ..read.results import Result, ResultError
from ..statistics.interval import SEEN, mean_interval
from . import Judged
from .conditions import conditions_of, departures, fits
from .measures import Verdict
from .paths import numbers_at

DEFINITIONS = (
    "Claims about single numbers: a run is deterministic if nothing in it is random. Repeating it "
    "gives the same digits, so its numbers have no confidence interval. The sensitivity "
    "follows a number, where it was simulated: the range over other settings of the parameters "
    "that the paper does not specify, and the value with random start times of the connections.",
)

COMBINED: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "mean": statistics.fmean,
    "largest": max,
    "smallest": min,
}
"""Ways to make one number of several."""

_REQUIRED = ("id", "where", "text", "sweep", "measure")
_OPTIONAL = (
    "label", "runs", "of", "in_a_run", "over_runs", "over", "conditions", "name", "unit", "scale",
)  # fmt: skip
_BOUNDS = ("at_least", "at_most", "about")
_OVER = ("label", "runs", "of", "measure")

Computed = Callable[[Mapping[str, Any]], float]
"""From the data of a result to a number that is in no place of it."""

Kept = Sequence[tuple[str, Result]]
"""The done runs of a sweep, each with the label of its set."""


@dataclass(frozen=True)
class Numbers:
    """Which number a claim speaks of.

    Attributes:
        measure: path into a result.
        label: of the set; None for all of the sweep.
        runs: scenario key to value, or list of values, of the runs that count.
        of: likewise of the sessions and background connections that count.
        computed: the paper's own measures, by their names: from the data of a result to a number.
    """

    measure: str
    label: str | None
    runs: Mapping[str, Any]
    of: Mapping[str, Any] = field(default_factory=dict)
    computed: Mapping[str, Computed] = field(default_factory=dict)

    def chosen(self, kept: Kept) -> list[Result]:
        """Return the runs that count."""
        return [
            result
            for label, result in kept
            if self.label in (None, label) and _is(result.scenario, self.runs)
        ]

    def found(self, result: Result) -> list[float]:
        """Return the numbers of a run.

        Raises:
            ResultError: there is no such place in it.
        """
        data = {**result.data}
        for flows in ("sessions", "background") if self.of else ():
            told = zip(data[flows], result.scenario[flows], strict=True)
            data[flows] = [flow for flow, declared in told if _is(declared, self.of)]
        if self.measure in self.computed:
            return [self.computed[self.measure](data)]
        return numbers_at(data, self.measure)


def _is(declared: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a scenario, or what it says of a session, is as wanted."""
    return all(fits(declared.get(key), value) for key, value in wanted.items())


@dataclass(frozen=True)
class RunClaim:
    """One claim about a number of results, as its TOML entry has it.

    Attributes:
        id, where, text: what is claimed, where, in our words.
        sweep: whole name of the sweep it is judged on.
        numbers: which number.
        in_a_run, over_runs: how several are made one, of `COMBINED`.
        over: what it is divided by, if anything.
        bounds: ``at_least``, ``at_most`` or ``about``, and the number.
        share: by which ``about`` may be missed.
        conditions: under which it was claimed.
        name, unit, scale: how readers are told of the number.
    """

    id: str
    where: str
    text: str
    sweep: str
    numbers: Numbers
    in_a_run: str
    over_runs: str
    over: Numbers | None
    bounds: Mapping[str, float]
    share: float
    conditions: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    unit: str = ""
    scale: float = 1

    def parts(self) -> list[Numbers]:
        """Return the number, and what it is divided by if it is."""
        return [part for part in (self.numbers, self.over) if part is not None]

    def number(self, value: float, digits: int) -> str:
        """Return a value for readers: of a measure in its unit, a ratio as it is."""
        shown = value if self.over is not None else value / self.scale
        return f"{shown:,.0f}" if abs(shown) >= 10**digits else f"{shown:.{digits}g}"


def run_claims_of(paper: Paper) -> list[RunClaim]:
    """Read a paper's claims about numbers of results.

    Raises:
        ResultError: an entry lacks a key, has one that is none, or a word that is not explained.
    """
    data = paper.toml("claims.toml")
    return [_read(paper, data, entry) for entry in data.get("run_claim", [])]


def _read(paper: Paper, data: Mapping[str, Any], entry: Mapping[str, Any]) -> RunClaim:
    where = f"{paper.folder / 'claims.toml'}: {entry.get('id', 'a claim')}"
    words = data.get("words", {})
    check_keys(entry, (*_REQUIRED, *_OPTIONAL, *_BOUNDS), where)
    for key in _REQUIRED:
        if key not in entry:
            raise ResultError(f"{where} has no {key!r}")
    ways = {key: entry.get(key, default) for key, default in _WAYS.items()}
    for key, way in ways.items():
        if way not in COMBINED:
            raise ResultError(f"{where}: {key} is {way!r}; allowed: {', '.join(COMBINED)}")
    bounds = {key: number_of(entry[key], words, where) for key in _BOUNDS if key in entry}
    if not bounds:
        raise ResultError(f"{where} has no bound; allowed: {', '.join(_BOUNDS)}")
    numbers = Numbers(
        entry["measure"], entry.get("label"), entry.get("runs", {}), entry.get("of", {}),
        _computed_of(paper),
    )  # fmt: skip
    return RunClaim(
        **{key: entry[key] for key in ("id", "where", "text")},
        sweep=paper.sweep(entry["sweep"]),
        numbers=numbers,
        **ways,
        over=_over(entry["over"], numbers, where) if "over" in entry else None,
        bounds=bounds,
        share=number_of("about", words, where) if "about" in bounds else 0,
        conditions=entry.get("conditions", conditions_of(paper)),
        name=entry.get("name", entry["measure"]),
        unit=entry.get("unit", ""),
        scale=number_of(entry.get("scale", 1), {}, where),
    )


def _computed_of(paper: Paper) -> Mapping[str, Computed]:
    """Return the measures of results that a paper has of its own, in its ``judges.py``."""
    own = (getattr(module, "MEASURES", {}) for module in paper.modules(""))
    return {name: function for some in own for name, function in some.items()}


_WAYS = {"in_a_run": "sum", "over_runs": "mean"}


def _over(entry: Mapping[str, Any], own: Numbers, where: str) -> Numbers:
    """Return what a number is divided by: the same, but for what the entry says."""
    check_keys(entry, _OVER, f"{where}: over")
    keys = {key: entry.get(key, getattr(own, key)) for key in _OVER}
    return Numbers(**keys, computed=own.computed)


def check_keys(entry: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Raise ResultError if an entry has a key that is not known."""
    for key in entry:
        if key not in known:
            raise ResultError(f"{where}: {key!r} is no key; allowed: {', '.join(known)}")


def number_of(value: Any, words: Mapping[str, Any], where: str) -> float:
    """Return a bound: a number, or what a word of ``[words]`` stands for."""
    found = words.get(value) if isinstance(value, str) else value
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        known = ", ".join(words) or "none"
        raise ResultError(f"{where}: {value!r} is no number and no word of [words] ({known})")
    return float(found)


def judge_run_claim(claim: RunClaim, kept: Kept) -> Judged:
    """Judge one claim on the done runs of its sweep.

    What can be measured is told even where the conditions are not the paper's; then there is no
    verdict.
    """
    try:
        verdict = _verdict(claim, kept)
    except ResultError as error:
        verdict = Verdict.unknown("", str(error))
    return Judged(
        claim.id, claim.where, claim.text, verdict.measured or "-", verdict.verdict,
        verdict.reason, verdict.values, moves=_drawn(claim, kept) if verdict.measured else "",
    )  # fmt: skip


def _drawn(claim: RunClaim, kept: Kept) -> str:
    """Return what single runs are worth, "" where runs were replicated.

    A simulation in which nothing is random has the same digits every time: an interval would tell
    that, and nothing of how sure the number is.
    """
    judged = {id(run): run.scenario for part in claim.parts() for run in part.chosen(kept)}
    if len({(one.get("seed"), one.get("run")) for one in judged.values()}) > 1:
        return ""
    runs = "one run" if len(judged) == 1 else f"{len(judged)} runs"
    if any(map(has_chance, judged.values())):
        return f"{runs}, random but not replicated"
    return f"{runs}, deterministic"


def _verdict(claim: RunClaim, kept: Kept) -> Verdict:
    own, count = _combined(claim, claim.numbers, kept)
    value, runs = own, count
    if claim.over is not None:
        below, other = _combined(claim, claim.over, kept)
        if below == 0:
            return Verdict.unknown("", f"cannot divide by {claim.over.measure}: it is 0")
        value, runs = own / below, count + other
    unit, scale = (claim.unit, claim.scale) if claim.over is None else ("", 1)
    measured = f"{_told(claim)}: {claim.number(value, 4)}{_half(claim, kept)}{unit and f' {unit}'}"
    values = {"value": value, "runs": runs, "bounds": dict(claim.bounds), "unit": unit,
              "scale": scale}  # fmt: skip
    kept_bounds = {key: _keeps(key, value, bound, claim.share) for key, bound in
                   claim.bounds.items()}  # fmt: skip
    reason = "required: " + ", ".join(
        f"{_bound(claim, key, unit)} ({'met' if good else 'not met'})"
        for key, good in kept_bounds.items()
    )
    reason += f"; {runs} run{'s' if runs > 1 else ''}"
    swept = {**claim.numbers.runs, **(claim.over.runs if claim.over else {})}
    asked = {key: value for key, value in claim.conditions.items() if key not in swept}
    other = departures(asked, [r.scenario for part in claim.parts() for r in part.chosen(kept)])
    if other:
        reason = f"not under the paper's conditions: {other}; {reason}"
        return Verdict.unknown(measured, reason, values)
    return Verdict.of(measured, all(kept_bounds.values()), reason, values)


def _bound(claim: RunClaim, key: str, unit: str) -> str:
    """Return a bound for readers: "at least 563 Mbit/s", "about 2 \u00b1 10 %"."""
    text = f"{key.replace('_', ' ')} {claim.number(claim.bounds[key], 4)} {unit}".strip()
    return f"{text} \u00b1 {claim.share * 100:g} %" if key == "about" else text


def _each_run(claim: RunClaim, numbers: Numbers, kept: Kept) -> list[float]:
    """Return the number of each run that has one.

    Raises:
        ResultError: no run is kept that counts, or none has such a number.
    """
    runs = numbers.chosen(kept)
    if not runs:
        raise ResultError(f"the results contain no run of sweep {claim.sweep} for this claim")
    found = [numbers.found(result) for result in runs]
    each = [COMBINED[claim.in_a_run](some) for some in found if some]
    if not each:
        raise ResultError(f"{numbers.measure}: no run has a value")
    return each


def _combined(claim: RunClaim, numbers: Numbers, kept: Kept) -> tuple[float, int]:
    each = _each_run(claim, numbers, kept)
    return float(COMBINED[claim.over_runs](each)), len(each)


def _half(claim: RunClaim, kept: Kept) -> str:
    """Return half the 95 % interval of a mean of runs, "" where there is none."""
    if claim.over is not None or claim.over_runs != "mean":
        return ""
    each = _each_run(claim, claim.numbers, kept)
    if len(each) < 2:
        return ""
    mean = statistics.fmean(each)
    half = mean_interval(each).high - mean
    return f" \u00b1 {claim.number(half, 1)}" if half >= abs(mean) * SEEN else ""


def _told(claim: RunClaim) -> str:
    way = {"sum": "total"}.get(claim.over_runs, claim.over_runs)
    name = f"{way} {claim.name}"
    if claim.over is None:
        return name
    same = claim.over.measure == claim.numbers.measure
    other = "that" if same else f"{way} {claim.over.measure}"
    return f"{name} of {_which(claim.numbers)}, divided by {other} of {_which(claim.over)}"


def _which(numbers: Numbers) -> str:
    chosen = {**numbers.runs, **numbers.of}
    return ", ".join(
        [
            f"set {numbers.label}" if numbers.label else "all sets",
            *(_value(*one) for one in chosen.items()),
        ]
    )


def _value(key: str, value: Any) -> str:
    """Return what a key of the scenario is, in words: "bandwidth 10 Gbit/s"."""
    some = value if isinstance(value, list) else [value]
    texts = [
        told(key, one) if isinstance(one, int | float) and not isinstance(one, bool) else str(one)
        for one in some
    ]
    return f"{name_of(key).lower()} {' or '.join(texts)}"


def _keeps(key: str, value: float, bound: float, share: float) -> bool:
    if key == "about":
        return abs(value - bound) <= share * abs(bound)
    return value >= bound if key == "at_least" else value <= bound


def run_sweeps_of(paper: Paper) -> list[str]:
    """Return the names of the sweeps that a paper's claims about numbers are judged on."""
    return list(dict.fromkeys(claim.sweep for claim in run_claims_of(paper)))
