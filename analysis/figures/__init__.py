"""The papers' figures: one file ``figNN.py`` each, found by its name.

Such a file has one constant ``FIGURE``, a `PaperFigure` (drawn from single results) or a
`SweepFigure` (drawn from the runs of a sweep); nothing else needs to know it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from .. import style
from ..results import Result, ResultError


@dataclass(frozen=True)
class PaperFigure:
    """One figure of a paper.

    Attributes:
        number: its number in the paper.
        title: what it shows, one line.
        runs: names of the kept results it is drawn from.
        draw: from those results to the figure and the table of the numbers drawn.
    """

    number: int
    title: str
    runs: tuple[str, ...]
    draw: Callable[[Mapping[str, Result]], tuple[Figure, pd.DataFrame]]

    @property
    def name(self) -> str:
        """File name without suffix."""
        return f"fig{self.number}"


@dataclass(frozen=True)
class SweepFigure:
    """One figure of a paper that shows a quantity over a swept key.

    Attributes:
        number: its number in the paper.
        title: what it shows, one line.
        spec: name of the sweep it is drawn from.
        key: the swept key, as resolved scenarios name it.
        draw: from the sweep's runs, one a row (`analysis.curve`), and the fluid model's predictions
            (columns: the key, ``goodput_bps`` and, where known, ``single_goodput_bps``) or None,
            to the figure and the table of the numbers drawn.
    """

    number: int
    title: str
    spec: str
    key: str
    draw: Callable[[pd.DataFrame, pd.DataFrame | None], tuple[Figure, pd.DataFrame]]

    @property
    def name(self) -> str:
        """File name without suffix."""
        return f"fig{self.number}"


def registry() -> dict[int, PaperFigure]:
    """Return every figure that is drawn from single results, by number."""
    return {figure.number: figure for figure in _found() if isinstance(figure, PaperFigure)}


def sweep_registry() -> dict[int, SweepFigure]:
    """Return every figure that is drawn from a sweep, by number."""
    return {figure.number: figure for figure in _found() if isinstance(figure, SweepFigure)}


def _found() -> list[PaperFigure | SweepFigure]:
    """Return every figure, in the order of their numbers."""
    found = [
        importlib.import_module(f"{__name__}.{module.name}").FIGURE
        for module in pkgutil.iter_modules(__path__)
        if module.name.startswith("fig")
    ]
    return sorted(found, key=lambda item: item.number)


def draw(figure: PaperFigure, results: Mapping[str, Result], folder: Path) -> list[Path]:
    """Draw one figure from kept results and save it in all formats, with its CSV.

    Args:
        figure: which one.
        results: kept results by name.
        folder: where the files go.

    Returns:
        The files written.

    Raises:
        ResultError: a result is missing, or they are of different scenarios.
        OSError: a file cannot be written.
    """
    missing = [name for name in figure.runs if name not in results]
    if missing:
        raise ResultError(f"{figure.name}: no kept result for {', '.join(missing)}")
    chosen = {name: results[name] for name in figure.runs}
    differing = differing_keys(list(chosen.values()))
    if differing:
        raise ResultError(f"{figure.name}: its results differ in {', '.join(differing)}")
    with style.styled():
        picture, table = figure.draw(chosen)
        return style.save(picture, table, folder / figure.name)


def draw_sweep(
    figure: SweepFigure,
    frame: pd.DataFrame,
    predictions: pd.DataFrame | None,
    folder: Path,
) -> list[Path]:
    """Draw one figure from a sweep's runs and save it in all formats, with its CSV.

    Missing sets and points are said on the figure.

    Args:
        figure: which one.
        frame: the runs, one a row.
        predictions: of the fluid model, None to do without.
        folder: where the files go.

    Returns:
        The files written.

    Raises:
        ResultError: there is nothing to draw, or runs of one point are of different scenarios.
        OSError: a file cannot be written.
    """
    with style.styled():
        try:
            picture, table = figure.draw(frame, predictions)
        except ResultError as error:
            raise ResultError(f"{figure.name}: {error}") from None
        return style.save(picture, table, folder / figure.name)


def differing_keys(results: list[Result], apart_from: tuple[str, ...] = ("mode",)) -> list[str]:
    """Return the scenario keys in which results differ, the mode being allowed to."""

    def plain(result: Result) -> dict[str, object]:
        scenario = {key: value for key, value in result.scenario.items() if key not in apart_from}
        scenario["sessions"] = [
            {key: value for key, value in session.items() if key not in apart_from}
            for session in result.scenario["sessions"]
        ]
        return scenario

    first, *others = [plain(result) for result in results]
    absent = object()
    keys = {
        key
        for other in others
        for key in first.keys() | other.keys()
        if first.get(key, absent) != other.get(key, absent)
    }
    return sorted(keys)
