"""What the report consists of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ..claims import Judged

PAPER, STUDY, OPEN, OURS, OTHER = "paper", "study", "open", "ours", "other"
"""Sections of a page that have figures."""


@dataclass(frozen=True)
class Again:
    """How to see again what a figure or a claim shows.

    Attributes:
        commands: that make it, one after the other.
        run: the command that simulates one of its runs; "" where no options say the same.
        lab: where the lab shows that run, from the first page; "" likewise.
    """

    commands: Sequence[str] = ()
    run: str = ""
    lab: str = ""


@dataclass(frozen=True)
class Picture:
    """A figure of the report.

    Attributes:
        section: where it stands.
        name: such as "Figure 5".
        title: what it shows.
        svg: the picture.
        data: name of the file with the numbers drawn.
        question: that it answers, None for none.
        answer: sentences.
        again: how to see it again.
    """

    section: str
    name: str
    title: str
    svg: bytes
    data: str
    question: str | None
    answer: Sequence[str]
    again: Again = field(default_factory=Again)


@dataclass(frozen=True)
class Origin:
    """Where the numbers of a page come from.

    Attributes:
        agreement: from `pairs.agreement_table`.
        provenance: from `analysis.stored.provenance`.
    """

    agreement: pd.DataFrame = field(default_factory=pd.DataFrame)
    provenance: pd.DataFrame = field(default_factory=pd.DataFrame)

    def of(self, sweeps: Collection[str]) -> Origin:
        """Return that of some sweeps alone."""
        return Origin(
            *(
                table[table["sweep"].isin(list(sweeps))] if len(table) else table
                for table in (self.agreement, self.provenance)
            )
        )


@dataclass(frozen=True)
class Part:
    """What the report has of one paper.

    Attributes:
        name: of the paper, and of its page.
        heading: of it.
        citation: of the paper, in full.
        judged: the claims.
        basis: what the verdicts rest on, sentences.
        pictures: the figures.
        assumptions: entries of the paper's ``assumptions.toml``.
        scenario: of a run, for the values of what the paper does not say.
        again: how to see the claims again, by their ids.
        origin: of its numbers.
    """

    name: str
    heading: str
    citation: str
    judged: Sequence[Judged]
    basis: Iterable[str]
    pictures: Sequence[Picture]
    assumptions: Sequence[Mapping[str, Any]]
    scenario: Mapping[str, Any]
    again: Mapping[str, Again] = field(default_factory=dict)
    origin: Origin = field(default_factory=Origin)


@dataclass(frozen=True)
class Report:
    """What the report consists of.

    Attributes:
        parts: one for each paper of which something is kept.
        drawn: names of the papers whose pages are to be written.
        there: names of those whose pages are there already, and stay as they are.
        pictures: the figures of no paper.
        origin: of their numbers.
        problems: why a figure is not there, one line each.
        lab: where the lab is, from the first page; "": the one that ``./gridftp lab`` serves.
    """

    parts: Sequence[Part]
    drawn: Collection[str]
    there: Collection[str] = ()
    pictures: Sequence[Picture] = ()
    origin: Origin = field(default_factory=Origin)
    problems: Sequence[str] = ()
    lab: str = ""
