"""The papers' claims: data in a paper's ``claims.toml``, judged on kept results by `measures`.

A claim that fails is reported as failing; where the results do not allow a verdict, that is said.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..files import write_atomically
from ..papers import Paper
from ..read.results import Result, ResultError
from ..statistics.interval import SEEN, relative_half_width
from .conditions import conditions_of, departures
from .measures import Judge, Verdict, judges_of

SCHEMA = 2
"""Schema of claims.json."""

DEFINITIONS = (
    "N is the parallelism as adjusted when a chunk completes; G is the goodput of that chunk. "
    "Times "
    "count from the start of the first chunk.",
    "N has converged at the end of the chunk after which it never changes again, unless a claim "
    "names another definition. G at that point is the goodput of the first chunk that was sent "
    "with the converged N.",
)


@dataclass(frozen=True)
class Claim:
    """One claim of a paper, as its TOML entry has it.

    Attributes:
        id, where, text: what is claimed, where, in our words.
        judge: the function that judges it (`measures.judges_of`).
        runs: names of the kept results it is judged on; a result's name is its mode.
        parameters: the further keys, for that function.
        conditions: scenario key to value, or list of values, under which it was claimed.
    """

    id: str
    where: str
    text: str
    judge: Judge
    runs: tuple[str, ...]
    parameters: Mapping[str, Any]
    conditions: Mapping[str, Any]


@dataclass(frozen=True)
class Judged:
    """A claim with what was measured, the verdict and why.

    Attributes:
        id, where, claimed: the claim.
        measured, verdict, reason: on it.
        values: the measured numbers, SI units.
        moves: whether they could move at all, as far as single runs tell, and how far they do over
            what the paper leaves unsaid (`study.moves`); "" if unknown.
    """

    id: str
    where: str
    claimed: str
    measured: str
    verdict: str
    reason: str
    values: Mapping[str, Any] = field(default_factory=dict)
    moves: str = ""

    @property
    def told(self) -> str:
        """What was measured, and how far it moves."""
        return f"{self.measured}; {self.moves}" if self.moves else self.measured


@dataclass(frozen=True)
class Source:
    """Where the single transfers are that claims are judged on.

    Attributes:
        sweeps: that have them; any of these will do.
        label: of the single runs.
        replications: label of the same with random starts.
    """

    sweeps: tuple[str, ...]
    label: str
    replications: str


@dataclass(frozen=True)
class Transfers:
    """Results that claims about one transfer are judged on.

    Attributes:
        single: by mode, with nothing drawn at random.
        replications: the same with random starts: for each run number, by mode.
    """

    single: Mapping[str, Result]
    replications: Sequence[Mapping[str, Result]] = ()


def transfers_of(paper: Paper) -> Source:
    """Return where a paper's single transfers are: nowhere, where no claim is about them.

    Raises:
        ResultError: the file lacks a key.
    """
    entry = paper.toml("claims.toml").get("transfers")
    if entry is None:
        return Source((), "", "")
    try:
        sweeps = tuple(map(paper.sweep, entry["sweeps"]))
        return Source(sweeps, entry["label"], entry.get("replications", ""))
    except KeyError as error:
        raise ResultError(f"{paper.folder / 'claims.toml'}: [transfers] has no {error}") from None


def claims_of(paper: Paper) -> list[Claim]:
    """Read a paper's claims about single transfers.

    Raises:
        ResultError: an entry lacks a key or names no function.
    """
    data = paper.toml("claims.toml")
    path = paper.folder / "claims.toml"
    judges, conditions = judges_of(paper), conditions_of(paper)
    claims = []
    for entry in data.get("claim", []):
        rest = dict(entry)
        try:
            own = {key: rest.pop(key) for key in ("id", "where", "text", "judge")}
            runs = tuple(rest.pop("runs"))
        except KeyError as error:
            raise ResultError(f"{path.name}: {entry.get('id', 'a claim')} has no {error}") from None
        if own["judge"] not in judges:
            raise ResultError(
                f"{path.name}: {own['id']}: there is no judge {own['judge']!r}; known: "
                f"{', '.join(judges)}"
            )
        own["judge"] = judges[own["judge"]]
        parameters = {**data.get("words", {}), **rest}
        claims.append(Claim(**own, runs=runs, parameters=parameters, conditions=conditions))
    return claims


def judge(claim: Claim, transfers: Transfers) -> Judged:
    """Judge one claim on the kept results.

    What can be measured is reported even where the conditions are not the paper's; the verdict then
    is that it cannot be judged. Replications tell how much hangs on when connections start.
    """
    missing = [name for name in claim.runs if name not in transfers.single]
    if missing:
        return _judged(claim, Verdict.unknown("", f"no stored result for {', '.join(missing)}"))
    verdict = _measure(claim, transfers.single)
    complete = [run for run in transfers.replications if set(claim.runs) <= set(run)]
    if len(complete) > 1:
        verdict = _beside(verdict, [_measure(claim, run) for run in complete])
    chosen = [transfers.single[name].scenario for name in claim.runs]
    other = departures(claim.conditions, chosen)
    if other:
        reason = f"not under the paper's conditions: {other}"
        verdict = Verdict.unknown(verdict.measured, reason, verdict.values)
    return _judged(claim, verdict)


def _measure(claim: Claim, results: Mapping[str, Result]) -> Verdict:
    chosen = {name: results[name] for name in claim.runs}
    return claim.judge(chosen, claim.parameters)


def _beside(verdict: Verdict, again: Sequence[Verdict]) -> Verdict:
    """Return a verdict whose measured text also describes the replications."""
    same = sum(other.verdict == verdict.verdict for other in again)
    note = f"same verdict in {same} of {len(again)} replications"
    columns = [_numbers(other.values) for other in again]
    widths = [relative_half_width(list(numbers)) for numbers in zip(*columns, strict=False)]
    if len({len(column) for column in columns}) == 1 and widths:
        most = max(widths)
        if most == 0:
            note += ", all numbers equal"
        elif most < SEEN:
            note += ", numbers equal to four digits"
        else:
            note += f", numbers \u00b1{most * 100:.1g} %"
    return replace(verdict, measured=f"{verdict.measured} ({note})")


def _numbers(values: Any) -> list[float]:
    """Return every number in nested values, in order."""
    if isinstance(values, Mapping):
        values = list(values.values())
    if isinstance(values, (list, tuple)):
        return [number for value in values for number in _numbers(value)]
    return [float(values)] if isinstance(values, (int, float)) else []


def judge_all(paper: Paper, transfers: Transfers) -> list[Judged]:
    """Judge every claim of a paper about single transfers."""
    return [judge(claim, transfers) for claim in claims_of(paper)]


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


def basis(transfers: Transfers) -> str:
    """Return what the verdicts rest on, one sentence."""
    seeds = sorted(
        {
            f"engine {result.engine}, seed {result.scenario.get('seed')}, "
            f"run {result.scenario.get('run')}"
            for result in transfers.single.values()
        }
    )
    jitters = {
        result.scenario.get("start_jitter_s", 0) * 1e3
        for run in transfers.replications
        for result in run.values()
    }
    return (
        "Claims about one transfer are judged on a single deterministic run of each mode"
        + (f" ({'; '.join(seeds)})" if seeds else "")
        + (
            f". Replications of these runs have start times spread over {max(jitters):g} ms; "
            "\u00b1 is half the 95 % confidence interval of their mean."
            if jitters
            else ". There are no replications, so there are no error bars."
        )
    )


def write(judged: list[Judged], basis: Sequence[str], folder: Path) -> list[Path]:
    """Write claims.md, claims.csv and claims.json; return their paths.

    Args:
        judged: the claims.
        basis: what the verdicts rest on, sentences.
        folder: where the files go.

    Raises:
        OSError: a file cannot be written.
    """
    files = {
        folder / "claims.md": _markdown(judged, basis),
        folder / "claims.csv": _csv(judged),
        folder / "claims.json": _json(judged, basis),
    }
    write_atomically({path: text.encode() for path, text in files.items()})
    return list(files)


def _markdown(judged: list[Judged], basis: Sequence[str]) -> str:
    lines = [
        "| Claim | Simulated value | Verdict | Reason | Where | Id |",
        "|---|---|---|---|---|---|",
    ]
    for item in judged:
        cells = (item.claimed, item.told, item.verdict, item.reason, item.where, item.id)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join([*lines, "", *basis, ""])


def _csv(judged: list[Judged]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("id", "where", "claimed", "measured", "verdict", "reason", "moves"))
    for item in judged:
        cells = (item.id, item.where, item.claimed, item.measured, item.verdict, item.reason,
                 item.moves)  # fmt: skip
        writer.writerow(cells)
    return stream.getvalue()


def _json(judged: list[Judged], basis: Sequence[str]) -> str:
    data = {"schema": SCHEMA, "basis": list(basis), "claims": [asdict(item) for item in judged]}
    return json.dumps(data, indent=1) + "\n"
