"""What figures, claims and the report are made of: the sweeps of a store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pandas as pd

from analysis import claims
from analysis.claims import PAPER
from analysis.claims.sweeps import sweeps_of
from analysis.read import stored
from analysis.read.results import Result
from analysis.read.stored import About

from ..errors import ProgramError, UserError
from ..store.store import Store
from . import shipped


@dataclass(frozen=True)
class Evidence:
    """The sweeps of a store.

    Attributes:
        store: where they are kept.
        about: what their specs say of them, by name: the shipped ones first.
    """

    store: Path
    about: Mapping[str, About]

    @cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The runs of those sweeps that claims are about, by the sweep's name."""
        names = [name for name in sweeps_of(PAPER) if name in self.about]
        return {name: stored.session_table(self.store, name) for name in names}

    @cached_property
    def transfers(self) -> claims.Transfers:
        """The single transfers that claims are about."""
        source = claims.transfers_of(PAPER)
        sweep = next((name for name in source.sweeps if name in self.about), None)
        found = [] if sweep is None else list(stored.results(self.store, sweep))
        single = {result.mode: result for label, result in found if label == source.label}
        return claims.Transfers(single, list(_by_run(found, source.replications)))

    def drawable(self) -> list[str]:
        """Return the names of the sweeps that are drawn."""
        return [name for name, about in self.about.items() if about.figure is not None]


def _by_run(found: list[tuple[str, Result]], label: str) -> Iterator[dict[str, Result]]:
    """Yield the results of each replication, by mode."""
    runs: dict[int, dict[str, Result]] = {}
    for name, result in found:
        if name == label:
            runs.setdefault(result.scenario["run"], {})[result.mode] = result
    yield from runs.values()


def load_evidence(store: Path) -> Evidence:
    """Return what a store keeps; nothing if there is no store.

    Raises:
        UserError: it is none, or of a newer schema.
    """
    if not store.exists():
        return Evidence(store, {})
    with Store(store):  # brings it up to date
        pass
    kept = stored.about_sweeps(store)
    order = [*shipped.names(), *kept]
    return Evidence(store, {name: kept[name] for name in dict.fromkeys(order) if name in kept})


def chosen(kept: Evidence, names: list[str]) -> list[str]:
    """Return the sweeps that are to be drawn: those named, or all that can be.

    Raises:
        ProgramError: nothing is kept.
        UserError: a sweep is not kept, or names no kind of figure.
    """
    if not kept.drawable() and not names:
        raise nothing_kept(kept.store)
    for name in names:
        if name not in kept.about:
            spec = shipped.path_of(name)
            where = spec.relative_to(Path.cwd()) if spec.is_relative_to(Path.cwd()) else spec
            known = ", ".join(kept.about) or "none"
            raise UserError(
                f"{kept.store}: there is no sweep {name!r} ({known}): first ./gridftp sweep "
                f"{where if spec.exists() else f'{name}.toml'}"
            )
        if kept.about[name].figure is None:
            raise UserError(
                f"{name}: its spec names no figure; allowed: a line such as "
                'figure = "goodput-over-delay" above its tables, and ./gridftp sweep again'
            )
    return names or kept.drawable()


def nothing_kept(store: Path) -> ProgramError:
    """Return the error for where nothing is kept."""
    return ProgramError(f"{store}: nothing to draw is kept: run ./gridftp reproduce first")
