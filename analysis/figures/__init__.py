"""Kinds of figures: one module each, found by itself.

Such a module has one constant ``FIGURE``, a `Kind`; its name, with hyphens, is what a spec calls it
(``figure = "goodput-over-eta"``). Nothing else needs to know it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import pandas as pd
from matplotlib.figure import Figure

from .. import papers
from ..drawing import style
from ..files import write_atomically
from ..read import stored
from ..read.results import ResultError

Drawn = tuple[Figure, pd.DataFrame]
"""A figure, and the table of the numbers drawn in it."""

Keys = str | tuple[str, ...]
"""A swept key, or several."""

Unit = str | tuple[str, Mapping[str, str]]
"""A unit, or a column and the unit by what stands in it, with "" for all else."""

Model = Callable[[pd.DataFrame, Keys], pd.DataFrame]
"""From rows of a store and keys to what the fluid model predicts at each value (`fluid`)."""


@dataclass(frozen=True)
class Kind:
    """A kind of figure: what it shows, from one sweep.

    Attributes:
        title: what it shows, one line.
        draw: from the rows and the fluid model's predictions (None: without) to what is drawn.
        rows: from a store and a sweep's name to the rows that are drawn; one a run by default.
        key: the keys whose values the model's predictions are wanted at; None: no predictions.
        question: what a paper left open and the figure answers; None: it answers no such question.
        unit: of ``mean``, ``low``, ``high``, ``error`` and what is beside them, as the CSV tells
            it; "" where there are none, as all other columns have theirs in their names.
        answer: from the table of what is drawn to sentences that answer it.
        ours: the question is not the paper's; the report has a section of its own for such figures.
    """

    title: str
    draw: Callable[[pd.DataFrame, pd.DataFrame | None], Drawn]
    rows: Callable[[Path, str], pd.DataFrame] = stored.session_table
    key: Keys | None = None
    question: str | None = None
    answer: Callable[[pd.DataFrame], list[str]] | None = None
    unit: Unit = ""
    ours: bool = False


def kinds(sweep: str = "") -> dict[str, Kind]:
    """Return every kind of figure, by the name that specs use.

    Those in ``figures/`` of a paper are for all sweeps, too, so that a copy of a paper's spec is
    drawn as it is. Where two papers give one name to their kinds, a sweep's own paper comes first.

    Args:
        sweep: name of the sweep that is to be drawn.
    """
    own = papers.of_sweep(sweep)
    others = [paper for paper in papers.papers().values() if paper != own]
    found = dict(_generic())
    for paper in (*others, *([own] if own else [])):
        found |= _kinds_in(paper.modules("figures"))
    return found


@cache
def _generic() -> dict[str, Kind]:
    modules = pkgutil.iter_modules(__path__)
    return _kinds_in(importlib.import_module(f"{__name__}.{module.name}") for module in modules)


def _kinds_in(modules: Iterable[ModuleType]) -> dict[str, Kind]:
    return {
        module.__name__.rpartition(".")[2].replace("_", "-"): module.FIGURE
        for module in modules
        if hasattr(module, "FIGURE")
    }


def draw(
    name: str, kind: Kind, store: Path, folder: Path, model: Model | None, bare: bool = False
) -> tuple[list[Path], pd.DataFrame]:
    """Draw a sweep and save the figure in all formats, with its CSV.

    What is missing is said on the figure.

    Args:
        name: of the sweep, which the files are named after, without the name of its paper.
        kind: of the figure.
        store: with the sweep's runs.
        folder: where the files go.
        model: the fluid model; None to do without.
        bare: without the caption below the panels, which goes to a file beside the picture.

    Returns:
        The files written, and the table of what is drawn.

    Raises:
        ResultError: there is nothing to draw, or runs of one point are of different scenarios.
        OSError: a file cannot be written.
    """
    try:
        return draw_rows(name, kind, kind.rows(store, name), folder, model, bare)
    except ResultError as error:
        raise ResultError(f"{name}: {error}") from None


def draw_rows(
    name: str,
    kind: Kind,
    rows: pd.DataFrame,
    folder: Path,
    model: Model | None,
    bare: bool = False,
) -> tuple[list[Path], pd.DataFrame]:
    """Draw rows that are at hand; as `draw`."""
    done = rows.dropna(subset="goodput_bps") if "goodput_bps" in rows else rows
    wanted = model is not None and kind.key is not None and len(done) > 0
    predictions = model(done, kind.key) if wanted else None
    with style.styled():
        picture, table = kind.draw(rows, predictions)
        numbers, stem = with_unit(table, kind.unit), folder / papers.own_name(name)
        caption = picture.get_supxlabel()
        if bare:
            picture.supxlabel("")
        files = style.save(picture, numbers, stem)
    if bare:
        beside = stem.with_name(f"{stem.name}.txt")
        write_atomically({beside: f"{kind.title}.\n{caption}\n".encode()})
        files.append(beside)
    return files, table


def with_unit(table: pd.DataFrame, unit: Unit) -> pd.DataFrame:
    """Return a table with a column ``unit`` before ``mean``, or ``low``; "1" for a ratio."""
    if not unit:
        return table
    first = "mean" if "mean" in table else "low"
    if isinstance(unit, str):
        told: str | pd.Series = unit
    else:
        column, by = unit
        told = table[column].map(lambda value: by.get(value, by[""]))
    numbers = table.copy()
    numbers.insert(numbers.columns.get_loc(first), "unit", told)
    return numbers
