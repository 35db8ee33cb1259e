"""What figures, claims and the report are made of: the kept results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from analysis import stored, study
from analysis.figures import registry, sweep_registry
from analysis.results import Result, ResultError, load_folder

from .errors import ProgramError
from .present import PAPER


@dataclass(frozen=True)
class Evidence:
    """Kept results.

    Attributes:
        results: single results, by name.
        frames: the runs of those sweeps that figures are drawn from, by the sweep's name.
        store: that the sweeps are from; need not be there.
        has_study: whether the study of assumptions is kept in it.
    """

    results: dict[str, Result]
    frames: dict[str, pd.DataFrame]
    store: Path
    has_study: bool

    @cached_property
    def study(self) -> pd.DataFrame | None:
        """Every claim under every setting (`analysis.study`), None if that is not kept: seconds."""
        return study.judge_settings(self.store, PAPER) if self.has_study else None

    def drawable(self) -> list[int]:
        """Return the figures that something is kept for."""
        single = list(registry()) if self.results else []
        swept = [n for n, figure in sweep_registry().items() if figure.spec in self.frames]
        return [*single, *swept]

    def is_empty(self) -> bool:
        """Whether there is nothing to draw."""
        return not self.drawable() and not self.has_study


def load_evidence(folder: Path, store: Path) -> Evidence:
    """Return what is kept in a folder of results and in a store; neither has to be there.

    Raises:
        ProgramError: a kept result is damaged.
        ResultError: the store is none.
    """
    try:
        results = load_folder(folder / "runs")
    except ResultError as error:
        raise ProgramError(str(error)) from None
    there = stored.sweeps(store) if store.exists() else {}
    names = [figure.spec for figure in sweep_registry().values()]
    frames = {name: stored.run_table(store, name) for name in names if name in there}
    return Evidence(results, frames, store, study.SWEEP in there)


def nothing_kept(folder: Path) -> ProgramError:
    """Return the error for where nothing is kept."""
    return ProgramError(f"{folder / 'runs'}: no kept results: run ./gridftp reproduce first")
