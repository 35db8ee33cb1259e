"""The papers' claims about curves: data in ``<paper>.toml``, judged on the runs of a sweep."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ..papers import Paper
from ..read import tuners
from ..read.results import ResultError
from ..statistics.curve import CURVES, Curve, curve_of, declared, points
from . import Judged, sweep_measures
from .conditions import conditions_of, departures
from .measures import Verdict
from .sweep_measures import Axis, Found, Rule, rules_of

DEFINITIONS = (
    "Claims about curves: a value is the mean over the replications at a point, and the verdict "
    "compares the means. \u00b1 gives half the 95 % confidence interval by Student's t; for a "
    "number computed from several means it results from their standard errors. Replications "
    "differ only in when connections start, so the interval shows the effect of the start times. "
    "It is omitted where it is too small for the printed digits. The sensitivity follows a number: "
    "its range over other settings of the parameters that the paper does not specify.",
    "Slope: slope of the least-squares line through the points. Fall in all: from the value at the "
    "smallest x to the lowest value. \u201cHolds for\u201d gives the longest range of points that "
    "meets the claim on its own.",
)


@dataclass(frozen=True)
class SweepClaim:
    """One claim about curves, as its TOML entry has it.

    Attributes:
        id, where, text: what is claimed, where, in our words.
        judge: name of the rule (`sweep_measures.rules_of`).
        sweep: name of the sweep it is judged on.
        key: the swept key.
        within: least and largest value of the key that it is judged on.
        below: the key is below this in every point that counts.
        label: which set of the sweep's runs.
        modes: whose curves; each must be as claimed.
        parameters: how exact the words are.
        conditions: scenario key to values, each of which fits, under which it was claimed.
        axis: how readers are told of the swept key.
        rule: of that name.
    """

    id: str
    where: str
    text: str
    judge: str
    sweep: str
    key: str
    within: tuple[float, float]
    below: float
    label: str
    modes: tuple[str, ...]
    parameters: Mapping[str, Any]
    conditions: Mapping[str, Any]
    axis: Axis
    rule: Rule


def sweep_claims_of(paper: Paper) -> list[SweepClaim]:
    """Read a paper's claims about curves.

    Raises:
        ResultError: an entry lacks a key, or names no rule or no sweep.
    """
    data = paper.toml("claims.toml")
    path = paper.folder / "claims.toml"
    rules, conditions = rules_of(paper), conditions_of(paper)
    claims = []
    for entry in data.get("sweep_claim", []):
        where = f"{path.name}: {entry.get('id', 'a claim')}"
        try:
            sweep = data["sweeps"][entry["sweep"]]
            low, high = sweep["range"]
            claim = SweepClaim(
                **{key: entry[key] for key in ("id", "where", "text", "judge")},
                sweep=paper.sweep(entry["sweep"]),
                key=sweep["key"],
                within=(low, high),
                below=sweep.get("below", math.inf),
                label=entry.get("label", "segment"),
                modes=tuple(entry["modes"]),
                parameters=data.get("words", {}),
                conditions={k: v for k, v in conditions.items() if k != sweep["key"]},
                axis=Axis.of(sweep),
                rule=_rule(entry["judge"], rules, where),
            )
        except KeyError as error:
            raise ResultError(f"{where} has no {error}") from None
        claims.append(claim)
    return claims


def _rule(name: str, rules: Mapping[str, Rule], where: str) -> Rule:
    if name not in rules:
        known = ", ".join(rules)
        raise ResultError(f"{where}: there is no judge {name!r}; known: {known}")
    return rules[name]


def sweeps_of(paper: Paper) -> list[str]:
    """Return the names of the sweeps that a paper's claims about curves are judged on."""
    return list(dict.fromkeys(claim.sweep for claim in sweep_claims_of(paper)))


def judge_sweep(claim: SweepClaim, frame: pd.DataFrame | None) -> Judged:
    """Judge one claim on the runs of its sweep; None or no rows stand for no runs.

    What can be measured is reported even where no verdict is possible: if points are missing, do
    not reach over the range, or are not under the paper's conditions.
    """
    if frame is None or not len(frame):
        verdict = Verdict.unknown("", f"the results contain no run of sweep {claim.sweep}")
    else:
        try:
            verdict = _verdict(claim, frame)
        except ResultError as error:
            verdict = Verdict.unknown("", str(error))
    measured = verdict.measured or "-"
    return Judged(claim.id, claim.where, claim.text, measured, verdict.verdict, verdict.reason,
                  verdict.values)  # fmt: skip


def _verdict(claim: SweepClaim, frame: pd.DataFrame) -> Verdict:
    rule = claim.rule
    runs = frame[frame["label"].eq(claim.label) & frame["mode"].isin(claim.modes)]
    every = _curves(claim, rule, runs)
    judged = {mode: curve.part(_within(claim, curve)) for mode, curve in every.items()}
    few = [tuners.label(mode) for mode, curve in judged.items() if len(curve.x) < rule.points]
    if few:
        count = "no point" if rule.points == 1 else f"fewer than {rule.points} points"
        return Verdict.unknown("", f"{count} for {', '.join(few)}")
    found = sweep_measures.measure(rule, judged, claim.parameters)
    measured = sweep_measures.told_measures(found, claim.axis, rule.of_bottleneck)
    ranges = {mode: sweep_measures.widest(rule, {mode: c}, claim.parameters)
              for mode, c in every.items()}  # fmt: skip
    joint = sweep_measures.widest(rule, every, claim.parameters)
    values = _values(claim, found, ranges, joint, judged)
    reason = "; ".join(_reasons(claim, found, ranges, joint, every))
    obstacle = _obstacle(claim, frame, runs, judged)
    if obstacle:
        return Verdict.unknown(measured, f"{obstacle}; {reason}", values)
    return Verdict.of(measured, all(item.holds for item in found), reason, values)


def _curves(claim: SweepClaim, rule: Rule, runs: pd.DataFrame) -> dict[str, Curve]:
    """Return each mode's curve of what is judged, over all points that count."""
    table = points(runs, claim.key)
    table = table[table[claim.key] < claim.below].sort_values(claim.key)
    curves = {}
    for mode in claim.modes:
        curve = curve_of(table, claim.key, claim.label, mode)
        if rule.of_bottleneck:
            whole = table.loc[table["mode"] == mode, "bandwidth_bps"].to_numpy(dtype=float)
            curve = curve.share_of(whole)
        curves[mode] = curve
    return curves


def _within(claim: SweepClaim, curve: Curve) -> np.ndarray:
    """Return which points of a curve lie in the claim's range."""
    low, high = claim.within
    return (curve.x >= low * (1 - 1e-9)) & (curve.x <= high * (1 + 1e-9))


def _obstacle(
    claim: SweepClaim, frame: pd.DataFrame, runs: pd.DataFrame, judged: Mapping[str, Curve]
) -> str:
    """Return why no verdict is possible though there are curves, "" if one is."""
    known = [key for key in claim.conditions if key in runs]
    scenarios = runs[known].drop_duplicates().to_dict("records")
    other = departures(claim.conditions, scenarios)
    if other:
        return f"not under the paper's conditions: {other}"
    xs = np.array([x for x in declared(frame, claim.key, CURVES) if x < claim.below])
    nowhere = np.full(len(xs), np.nan)
    wanted = Curve(xs, nowhere, nowhere, nowhere)
    wanted = wanted.part(_within(claim, wanted))
    gone = sum(len(wanted.x) - len(curve.x) for curve in judged.values())
    if gone:
        return f"{gone} of {len(wanted.x) * len(judged)} points are missing"
    ends = (float(wanted.x[0]), float(wanted.x[-1]))
    if not all(math.isclose(a, b) for a, b in zip(ends, claim.within, strict=True)):
        axis = claim.axis
        told = [f"{x / axis.scale:g}" for x in (*ends, *claim.within)]
        return (
            f"the points cover {axis.letter} = {told[0]} to {told[1]}{axis.unit} instead of "
            f"{told[2]} to {told[3]}{axis.unit}"
        )
    return ""


def _reasons(
    claim: SweepClaim,
    found: list[Found],
    ranges: Mapping[str, np.ndarray | None],
    joint: np.ndarray | None,
    curves: Mapping[str, Curve],
) -> list[str]:
    """Return what a verdict rests on, and on which range the claim holds."""
    told = []
    for measure in dict.fromkeys(item.measure for item in found):
        items = [item for item in found if item.measure is measure]
        bad = [_name(item.mode) for item in items if not item.holds]
        who = "met" if not bad else "not met"
        who += f" by {', '.join(bad)}" if bad and len(items) > 1 else ""
        told.append(f"{measure.name} {measure.asks(items[0].limit)}: {who}")
    straddling = [f"{_name(i.mode)} {i.measure.name}" for i in found if i.straddles]
    if straddling:
        told.append(f"the bound lies within the 95 % interval: {', '.join(straddling).strip()}")
    if any(math.isnan(item.value.high) for item in found):
        told.append("no confidence interval: a single run per point")
    of = len(next(iter(curves.values())).x)
    text = f"holds {sweep_measures.told_range(joint, claim.axis, of)}"
    alone = {mode: sweep_measures.told_range(xs, claim.axis, of) for mode, xs in ranges.items()}
    if len(set(alone.values())) > 1:
        text += (
            " (each mode separately: "
            f"{', '.join(f'{_name(m)} {told}' for m, told in alone.items())})"
        )
    return [*told, text]


def _name(mode: str) -> str:
    return tuners.label(mode) if mode != "fixed" else ""


def _values(
    claim: SweepClaim,
    found: list[Found],
    ranges: Mapping[str, np.ndarray | None],
    joint: np.ndarray | None,
    judged: Mapping[str, Curve],
) -> dict[str, Any]:
    """Return the measured numbers as plain data, SI units."""
    modes: dict[str, Any] = {}
    for mode, xs in ranges.items():
        own = {item.measure.name: item.values() for item in found if item.mode == mode}
        modes[mode] = {"measures": own, "holds_on": _ends(xs), "points": len(judged[mode].x)}
    counts = np.concatenate([curve.runs for curve in judged.values()])
    fewest, most = int(counts.min()), int(counts.max())
    return {"key": claim.key, "holds_on": _ends(joint), "runs": [fewest, most], "modes": modes}


def _ends(xs: np.ndarray | None) -> list[float] | None:
    return None if xs is None else [float(xs[0]), float(xs[-1])]


def sweep_basis(frames: Mapping[str, pd.DataFrame]) -> str:
    """Return what the verdicts on curves rest on, one sentence."""
    told = []
    for name, frame in frames.items():
        runs = frame[frame["label"].isin(CURVES)].dropna(subset="goodput_bps")
        engines = ", ".join(sorted(runs["engine"].unique()))
        told.append(
            f"{name}: {len(runs)} runs of engine {engines}" if len(runs) else f"{name}: none"
        )
    return f"Claims about curves are judged on means over replications ({'; '.join(told)})."
