"""The papers' claims: data in ``<paper>.toml``, judged on kept results by `measures`.

A claim that fails is reported as failing; where the results do not allow a verdict, that is said.
"""

from __future__ import annotations

import csv
import io
import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..files import write_atomically
from ..results import Result
from . import measures
from .measures import Verdict

SCHEMA = 1
"""Schema of claims.json."""

DEFINITIONS = (
    "N is the parallelism as adjusted at a chunk's completion, G the goodput of that chunk; times "
    "count from the start of the first chunk.",
    "Converged: from the end of the chunk after which the adjusted N never changes again. G at "
    "that point: the goodput of the first chunk that was sent with the converged N.",
)


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, as its TOML entry has it.

    Attributes:
        id, where, text: what is claimed, where, in our words.
        judge: name of the function in `measures`.
        runs: names of the kept results it is judged on; a result's name is its mode.
        parameters: the further keys, for that function.
        conditions: scenario key to value, or list of values, under which it was claimed.
    """

    id: str
    where: str
    text: str
    judge: str
    runs: tuple[str, ...]
    parameters: Mapping[str, Any]
    conditions: Mapping[str, Any]


@dataclass(frozen=True)
class Judged:
    """A claim with what was measured, the verdict and why."""

    id: str
    where: str
    claimed: str
    measured: str
    verdict: str
    reason: str
    values: Mapping[str, Any] = field(default_factory=dict)


def claims_of(paper: str) -> list[Claim]:
    """Read a paper's claims.

    Raises:
        OSError: there is no such file.
        ValueError: an entry lacks a key or names no function.
    """
    path = Path(__file__).with_name(f"{paper}.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    claims = []
    for entry in data["claim"]:
        rest = dict(entry)
        try:
            own = {key: rest.pop(key) for key in ("id", "where", "text", "judge")}
            runs = tuple(rest.pop("runs"))
        except KeyError as error:
            raise ValueError(f"{path.name}: {entry.get('id', 'a claim')} has no {error}") from None
        if own["judge"] not in measures.JUDGES:
            raise ValueError(f"{path.name}: {own['id']}: there is no judge {own['judge']!r}")
        parameters = {**data["words"], **rest}
        claims.append(Claim(**own, runs=runs, parameters=parameters, conditions=data["conditions"]))
    return claims


def judge(claim: Claim, results: Mapping[str, Result]) -> Judged:
    """Judge one claim on the kept results.

    What can be measured is reported even where the conditions are not the paper's; the verdict then
    is that it cannot be judged.
    """
    missing = [name for name in claim.runs if name not in results]
    if missing:
        return _judged(claim, Verdict.unknown("", f"no kept result for {', '.join(missing)}"))
    chosen = {name: results[name] for name in claim.runs}
    verdict = measures.JUDGES[claim.judge](chosen, claim.parameters)
    other = _other_conditions(claim.conditions, chosen)
    if other:
        reason = f"not under the paper's conditions: {other}"
        verdict = Verdict.unknown(verdict.measured, reason, verdict.values)
    return _judged(claim, verdict)


def judge_all(paper: str, results: Mapping[str, Result]) -> list[Judged]:
    """Judge every claim of a paper."""
    return [judge(claim, results) for claim in claims_of(paper)]


def _judged(claim: Claim, verdict: Verdict) -> Judged:
    return Judged(
        claim.id,
        claim.where,
        claim.text,
        verdict.measured or "-",
        verdict.verdict,
        verdict.reason,
        verdict.values,
    )


def _other_conditions(conditions: Mapping[str, Any], results: Mapping[str, Result]) -> str:
    """Return how the results' scenarios depart from the conditions, "" where they do not."""
    found: dict[str, None] = {}
    for key, allowed in conditions.items():
        fitting = allowed if isinstance(allowed, list) else [allowed]
        for result in results.values():
            value = result.scenario.get(key)
            if value is None or not any(math.isclose(value, fit) for fit in fitting):
                found[f"{key} is {_plain(value)} instead of {_plain(fitting[0])}"] = None
    return ", ".join(found)


def _plain(value: Any) -> str:
    """Return a number without an exponent where it is whole."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def basis(results: Mapping[str, Result]) -> str:
    """Return what the verdicts rest on, one sentence."""
    seeds = sorted(
        {
            f"engine {result.engine}, seed {result.scenario.get('seed')}, "
            f"run {result.scenario.get('run')}"
            for result in results.values()
        }
    )
    return (
        "Claims about one transfer are judged on a single deterministic run of each mode"
        + (f" ({'; '.join(seeds)})" if seeds else "")
        + ": there are no error bars."
    )


def write(
    judged: list[Judged],
    results: Mapping[str, Result],
    folder: Path,
    further: Sequence[str] = (),
) -> list[Path]:
    """Write claims.md, claims.csv and claims.json; return their paths.

    Args:
        judged: the claims.
        results: what those about single runs rest on.
        folder: where the files go.
        further: what else the verdicts rest on, a sentence each.

    Raises:
        OSError: a file cannot be written.
    """
    resting_on = " ".join((basis(results), *further))
    files = {
        folder / "claims.md": _markdown(judged, resting_on),
        folder / "claims.csv": _csv(judged),
        folder / "claims.json": _json(judged, resting_on),
    }
    write_atomically({path: text.encode() for path, text in files.items()})
    return list(files)


def _markdown(judged: list[Judged], resting_on: str) -> str:
    lines = [
        "| Claim | Where | The paper | Measured | Verdict | Why |",
        "|---|---|---|---|---|---|",
    ]
    for item in judged:
        cells = (item.id, item.where, item.claimed, item.measured, item.verdict, item.reason)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join([*lines, "", resting_on, *DEFINITIONS, ""])


def _csv(judged: list[Judged]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("id", "where", "claimed", "measured", "verdict", "reason"))
    for item in judged:
        cells = (item.id, item.where, item.claimed, item.measured, item.verdict, item.reason)
        writer.writerow(cells)
    return stream.getvalue()


def _json(judged: list[Judged], resting_on: str) -> str:
    data = {
        "schema": SCHEMA,
        "basis": resting_on,
        "definitions": DEFINITIONS,
        "claims": [asdict(item) for item in judged],
    }
    return json.dumps(data, indent=1) + "\n"
