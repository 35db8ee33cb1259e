"""The papers' figures: one file ``figNN.py`` each, found by its name.

Such a file has one constant ``FIGURE``, a `PaperFigure`; nothing else needs to know it.
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


def registry() -> dict[int, PaperFigure]:
    """Return every figure there is, by number."""
    found = [
        importlib.import_module(f"{__name__}.{module.name}").FIGURE
        for module in pkgutil.iter_modules(__path__)
        if module.name.startswith("fig")
    ]
    return {figure.number: figure for figure in sorted(found, key=lambda item: item.number)}


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
