"""What figures, claims and the report are made of: the sweeps of a store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from analysis import claims, papers
from analysis.claims.runs import run_sweeps_of
from analysis.claims.sweeps import sweeps_of
from analysis.claims.tables import table_sweeps_of
from analysis.papers import Paper
from analysis.read import stored
from analysis.read.results import Result
from analysis.read.stored import About

from ..errors import ProgramError, UserError
from ..store.store import Store


@dataclass(frozen=True)
class Evidence:
    """The sweeps of a store.

    Attributes:
        store: where they are kept.
        about: what their specs say of them, by name: those of the papers first.
    """

    store: Path
    about: Mapping[str, About]

    def papers(self) -> list[Paper]:
        """Return the papers that a sweep is kept of."""
        return [
            paper
            for paper in papers.papers().values()
            if any(name.startswith(paper.sweep("")) for name in self.about)
        ]

    def frames(self, paper: Paper) -> dict[str, pd.DataFrame]:
        """Return the runs of those sweeps that claims about curves are about, by their names."""
        names = [name for name in sweeps_of(paper) if name in self.about]
        return {name: stored.session_table(self.store, name) for name in names}

    def runs(self, paper: Paper) -> dict[str, list[tuple[str, Result]]]:
        """Return the done runs of those sweeps that other claims are about, by their names."""
        asked = dict.fromkeys([*run_sweeps_of(paper), *table_sweeps_of(paper)])
        names = [name for name in asked if name in self.about]
        return {name: list(stored.results(self.store, name)) for name in names}

    def transfers(self, paper: Paper) -> claims.Transfers:
        """Return the single transfers that claims are about."""
        source = claims.transfers_of(paper)
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
    order = [*papers.shipped(), *kept]
    return Evidence(store, {name: kept[name] for name in dict.fromkeys(order) if name in kept})


def chosen(kept: Evidence, words: list[str]) -> list[str]:
    """Return the sweeps that are to be drawn: those named, or all that can be.

    Args:
        kept: has them.
        words: names, or such of a paper's sweeps without the paper's where one paper has them.

    Raises:
        ProgramError: nothing is kept.
        UserError: a sweep is not kept, or names no kind of figure.
    """
    if not kept.drawable() and not words:
        raise nothing_kept(kept.store)
    names = [papers.whole_name(word, kept.about) for word in words]
    for name in names:
        if name not in kept.about:
            raise _not_kept(kept, name)
        if kept.about[name].figure is None:
            raise UserError(
                f"{name}: its spec sets no figure; add a line such as "
                'figure = "goodput-over-delay" above its tables, and run ./gridftp sweep again'
            )
    return names or kept.drawable()


def _not_kept(kept: Evidence, name: str) -> UserError:
    """Return the error for a sweep that is not in the store: how it comes there."""
    whole = papers.whole_name(name, papers.shipped())
    paper = papers.of_sweep(whole)
    spec = paper.spec(whole) if paper else Path(f"{name}.toml")
    where = spec.relative_to(Path.cwd()) if spec.is_relative_to(Path.cwd()) else spec
    known = ", ".join(kept.about) or "none"
    return UserError(
        f"{kept.store}: there is no sweep {name!r} (stored: {known}); run ./gridftp sweep {where}"
    )


def figure_numbers() -> list[int]:
    """Return the numbers of figures of papers that there are specs for."""
    found = map(papers.figure_number, papers.shipped())
    return sorted({number for number in found if number is not None})


def nothing_kept(store: Path) -> ProgramError:
    """Return the error for where nothing is kept."""
    return ProgramError(f"{store}: there is nothing to draw: run ./gridftp reproduce first")
