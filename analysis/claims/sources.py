"""What each claim of a paper is judged on: which sweeps, and which of their runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..papers import Paper
from . import claims_of, transfers_of
from .runs import run_claims_of
from .sweeps import sweep_claims_of
from .tables import table_claims_of


@dataclass(frozen=True)
class Basis:
    """Runs that a claim is judged on.

    Attributes:
        sweeps: that have them; any of these will do.
        label: of the set; None: any.
        runs: scenario key to value, or list of values, of the runs that it speaks of, or of the
            first of several such sets.
    """

    sweeps: tuple[str, ...]
    label: str | None = None
    runs: Mapping[str, Any] = field(default_factory=dict)


def texts_of(paper: Paper) -> dict[str, str]:
    """Return each claim of a paper in our words, by its id.

    Raises:
        ResultError: the paper's ``claims.toml`` is wrong.
    """
    kinds = (claims_of, sweep_claims_of, run_claims_of, table_claims_of)
    return {claim.id: claim.text for kind in kinds for claim in kind(paper)}


def bases_of(paper: Paper) -> dict[str, Basis]:
    """Return what each claim of a paper is judged on, by its id.

    Raises:
        ResultError: the paper's ``claims.toml`` is wrong.
    """
    source = transfers_of(paper)
    found = {
        claim.id: Basis(source.sweeps, source.label, {"mode": claim.runs[0]})
        for claim in claims_of(paper)
    }
    for claim in sweep_claims_of(paper):
        found[claim.id] = Basis((claim.sweep,), claim.label, {"mode": claim.modes[0]})
    for claim in run_claims_of(paper):
        found[claim.id] = Basis((claim.sweep,), claim.numbers.label, claim.numbers.runs)
    for claim in table_claims_of(paper):
        found[claim.id] = Basis((claim.sweep,), claim.label)
    return found
