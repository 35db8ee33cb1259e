"""Draw what is kept and judge the claims on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd

from analysis import claims, figures, papers
from analysis.claims import Judged, study, sweeps
from analysis.claims.runs import DEFINITIONS, judge_run_claim, run_claims_of
from analysis.claims.tables import judge_table_claims, table_claims_of
from analysis.papers import Paper
from analysis.read.results import ResultError

from ..errors import ProgramError, UserError
from ..programs.predictions import predictions
from ..programs.program import locate
from .evidence import Evidence

STUDY = "assumptions"
"""The kind of figure that a study of assumptions is drawn as."""


@dataclass
class Drawings:
    """What was drawn.

    Attributes:
        files: all that were written.
        tables: the numbers drawn, by the sweep's name.
        problems: why a sweep was not drawn, one line each.
    """

    files: list[Path] = field(default_factory=list)
    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def draw_all(kept: Evidence, names: Iterable[str], folder: Path, bare: bool = False) -> Drawings:
    """Draw sweeps that are kept and name a figure.

    Args:
        kept: has them.
        names: of the sweeps.
        folder: of results; figures go to its ``figures``, or to those of the paper.
        bare: have the captions in files beside the pictures instead.

    Raises:
        OSError: a file cannot be written.
    """
    drawn = Drawings()
    model = predictions if _has_model() else None
    for name in names:
        known = figures.kinds(name)
        kind = known.get(kept.about[name].figure)
        if kind is None:
            drawn.problems.append(
                f"not drawn: {name}: there is no kind of figure {kept.about[name].figure!r}; "
                f"allowed: {', '.join(known)}"
            )
            continue
        place = papers.figures_folder(folder, name)
        try:
            files, table = figures.draw(name, kind, kept.store, place, model, bare)
        except ResultError as error:
            drawn.problems.append(f"not drawn: {error}")
        except (UserError, ProgramError) as error:
            drawn.problems.append(f"not drawn: {name}: {error}")
        else:
            drawn.files += files
            drawn.tables[name] = table
    return drawn


def _has_model() -> bool:
    """Whether the fluid model's program is built; figures do without, and say so."""
    try:
        locate("gridftp-optimum")
    except ProgramError:
        return False
    return True


@dataclass(frozen=True)
class Judgement:
    """What is said of one paper.

    Attributes:
        paper: that claims.
        judged: its claims that something is kept for.
        basis: what the verdicts rest on, sentences.
    """

    paper: Paper
    judged: list[Judged]
    basis: list[str]

    def write(self, results: Path) -> list[Path]:
        """Write the claims into the paper's folder among the results; return the files.

        Raises:
            OSError: a file cannot be written.
        """
        return claims.write(self.judged, self.basis, results / self.paper.name)


def judge_all(kept: Evidence, chosen: Iterable[Paper] | None = None) -> list[Judgement]:
    """Judge every claim that something is kept for.

    Args:
        kept: has it.
        chosen: whose claims; None: of all papers.

    Returns:
        One for each paper that has such a claim.
    """
    found = (_judge(kept, paper) for paper in (kept.papers() if chosen is None else chosen))
    return [one for one in found if one.judged]


def _judge(kept: Evidence, paper: Paper) -> Judgement:
    transfers, frames, runs = kept.transfers(paper), kept.frames(paper), kept.runs(paper)
    judged = claims.judge_all(paper, transfers) if transfers.single else []
    judged += [
        sweeps.judge_sweep(claim, frames[claim.sweep])
        for claim in sweeps.sweep_claims_of(paper)
        if claim.sweep in frames
    ]
    judged += [
        judge_run_claim(claim, runs[claim.sweep])
        for claim in run_claims_of(paper)
        if claim.sweep in runs
    ]
    judged += judge_table_claims(table_claims_of(paper), runs)
    moved = _moves(kept, paper)
    judged = [
        replace(item, moves="; ".join(filter(None, (item.moves, moved.get(item.id, "")))))
        for item in judged
    ]
    told = [claims.basis(transfers), *claims.DEFINITIONS] if transfers.single else []
    if frames:
        told += [sweeps.sweep_basis(frames), *sweeps.DEFINITIONS]
    if any(claim.sweep in runs for claim in run_claims_of(paper)):
        told += DEFINITIONS
    return Judgement(paper, judged, told)


def _moves(kept: Evidence, paper: Paper) -> dict[str, str]:
    """Return how far numbers move over what a paper leaves unsaid, by claim; of none if unknown."""
    names = [
        name
        for name, about in kept.about.items()
        if papers.of_sweep(name) == paper and about.figure == STUDY
    ]
    found: dict[str, list[str]] = {}
    for name in names:
        for claim, told in study.moves(kept.store, name).items():
            found.setdefault(claim, []).append(told)
    return {claim: "; ".join(told) for claim, told in found.items()}
