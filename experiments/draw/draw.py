"""Draw what is kept and judge the claims on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from analysis import claims, figures
from analysis.claims import PAPER, Judged, sweeps
from analysis.read.results import ResultError

from ..errors import ProgramError, UserError
from ..programs.predictions import predictions
from ..programs.program import locate
from .evidence import Evidence


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


def draw_all(kept: Evidence, names: Iterable[str], folder: Path) -> Drawings:
    """Draw sweeps that are kept and name a figure.

    Args:
        kept: has them.
        names: of the sweeps.
        folder: of results; the figures go to its ``figures``.

    Raises:
        OSError: a file cannot be written.
    """
    drawn = Drawings()
    model = predictions if _has_model() else None
    for name in names:
        kind = figures.kinds().get(kept.about[name].figure)
        if kind is None:
            drawn.problems.append(
                f"not drawn: {name}: there is no figure {kept.about[name].figure!r}; "
                f"known: {', '.join(figures.kinds())}"
            )
            continue
        try:
            files, table = figures.draw(name, kind, kept.store, folder / "figures", model)
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


def judge_all(kept: Evidence) -> list[Judged]:
    """Judge every claim that something is kept for."""
    judged = claims.judge_all(PAPER, kept.transfers) if kept.transfers.single else []
    wanted = [claim for claim in sweeps.sweep_claims_of(PAPER) if claim.sweep in kept.frames]
    return judged + [sweeps.judge_sweep(claim, kept.frames[claim.sweep]) for claim in wanted]


def basis(kept: Evidence) -> list[str]:
    """Return what the verdicts rest on, sentences."""
    told = [claims.basis(kept.transfers), *claims.DEFINITIONS] if kept.transfers.single else []
    if kept.frames:
        told += [sweeps.sweep_basis(kept.frames), *sweeps.DEFINITIONS]
    return told
