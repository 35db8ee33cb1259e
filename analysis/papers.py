"""The papers: folders in ``papers/``, found by looking. What is one paper's own is in its folder.

``paper.toml``
    ``title`` and ``heading``, for the report, and ``[citation]``: ``authors`` and ``title``, and
    as far as they are known ``where``, ``year``, ``pages`` and ``doi``. ``[quick]`` where the first
    sweep of the paper is too long for a quick trial: the ``sweep`` that is simulated in its place,
    and which ``labels`` of it, if not all.
``sweeps/``
    Specs. One of a figure of the paper is called ``figNN.toml``. A sweep's name is the paper's and
    the file's, ``ito/fig05``.
``claims.toml``, ``assumptions.toml``
    What it claims (`analysis.claims`), and what was chosen where it says nothing.
``reference/``
    The shipped numbers, a table for each sweep and the verdicts.
``published/``
    Numbers that it publishes, to be compared with.
``figures/``, ``judges.py``
    Kinds of figures and judges of claims that no other paper needs.

All but ``paper.toml`` may be missing.
"""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from .read.results import ResultError

FOLDER = Path(__file__).resolve().parents[1] / "papers"
"""Where the papers are."""

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_FIGURE = re.compile(r"fig(\d+)")


@dataclass(frozen=True)
class Paper:
    """One paper.

    Attributes:
        name: of its folder.
        folder: with all that is its own.
        title: authors and title.
        heading: of its part of the report.
        citation: of it, in full; "" where ``paper.toml`` has none.
    """

    name: str
    folder: Path
    title: str
    heading: str
    citation: str = ""

    def sweeps(self) -> list[str]:
        """Return the names of its sweeps: the paper's figures first, by number."""
        stems = (path.stem for path in (self.folder / "sweeps").glob("*.toml"))
        return [
            self.sweep(stem)
            for stem in sorted(stems, key=lambda stem: (not stem.startswith("fig"), stem))
        ]

    def sweep(self, stem: str) -> str:
        """Return the name of a sweep of this paper."""
        return f"{self.name}/{stem}"

    def spec(self, sweep: str) -> Path:
        """Return where the spec of one of its sweeps is."""
        return self.folder / "sweeps" / f"{own_name(sweep)}.toml"

    @property
    def reference(self) -> Path:
        """The folder of the shipped numbers."""
        return self.folder / "reference"

    def toml(self, file: str) -> Mapping[str, Any]:
        """Return what one of its files says; nothing where there is no such file.

        Raises:
            ResultError: it is no TOML.
        """
        path = self.folder / file
        if not path.is_file():
            return {}
        try:
            return tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise ResultError(f"{path}: {error}") from None

    def modules(self, folder: str) -> list[ModuleType]:
        """Import the Python files of one of its folders, "" for its own, by their names."""
        base = self.folder / folder
        inner = f"{folder}." if folder else ""
        files = sorted(path.stem for path in base.glob("*.py") if path.stem != "__init__")
        if files and str(FOLDER.parent) not in sys.path:
            sys.path.append(str(FOLDER.parent))
            importlib.invalidate_caches()
        return [importlib.import_module(f"{FOLDER.name}.{self.name}.{inner}{f}") for f in files]


def papers() -> dict[str, Paper]:
    """Return every paper, by its name.

    Raises:
        ResultError: a folder has no name to be told by, or its ``paper.toml`` lacks a key.
    """
    return {
        path.parent.name: _read(path) for path in sorted(FOLDER.glob("*/paper.toml"))
    }  # fmt: skip


def _read(path: Path) -> Paper:
    name = path.parent.name
    if not _NAME.fullmatch(name):
        raise ResultError(
            f"{path.parent}: {name!r} is no name of a paper; allowed: small letters, digits and _"
        )
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ResultError(f"{path}: {error}") from None
    for key in ("title", "heading"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise ResultError(f'{path}: {key} is missing; allowed: one line, {key} = "..."')
    return Paper(name, path.parent, data["title"], data["heading"], _cited(data, path))


_CITED = {"authors": list, "title": str, "where": str, "year": int, "pages": str, "doi": str}
"""Keys of a citation, and as what each is given."""


def _cited(data: Mapping[str, Any], path: Path) -> str:
    """Return a citation as a list of references has it, "" where there is none.

    Raises:
        ResultError: a key is missing, is none, or is not what it should be.
    """
    told = data.get("citation")
    if told is None:
        return ""
    for key, value in told.items():
        if not isinstance(value, _CITED.get(key, ())):
            allowed = ", ".join(f"{name} ({kind.__name__})" for name, kind in _CITED.items())
            raise ResultError(f"{path}: [citation] has {key} = {value!r}; allowed: {allowed}")
    for key in ("authors", "title"):
        if not told.get(key):
            raise ResultError(f"{path}: [citation] has no {key}")
    place = [
        *([told["where"]] if "where" in told else []),
        *([_pages(told["pages"])] if "pages" in told else []),
        *([str(told["year"])] if "year" in told else []),
        *([f"doi:{told['doi']}"] if "doi" in told else []),
    ]
    parts = [", ".join(told["authors"]), told["title"], *([", ".join(place)] if place else [])]
    return ". ".join(parts) + "."


def _pages(told: str) -> str:
    return f"pp. {told}" if "-" in told else f"p. {told}"


@dataclass(frozen=True)
class Quick:
    """What is simulated of a paper in a quick trial.

    Attributes:
        sweep: its name.
        labels: those sets of it; None: all.
    """

    sweep: str
    labels: tuple[str, ...] | None = None

    def has(self, label: str) -> bool:
        """Return whether a set is simulated."""
        return self.labels is None or label in self.labels


def quick_of(paper: Paper) -> Quick | None:
    """Return what is simulated of a paper in a quick trial: its first figure, if not told.

    Raises:
        ResultError: ``[quick]`` of its ``paper.toml`` has another key, or names no sweep.
    """
    told = paper.toml("paper.toml").get("quick", {})
    path, sweeps = paper.folder / "paper.toml", paper.sweeps()
    if unknown := sorted(told.keys() - {"sweep", "labels"}):
        raise ResultError(f"{path}: [quick] has {unknown[0]!r}; allowed: sweep, labels")
    if not sweeps:
        return None
    sweep = paper.sweep(told["sweep"]) if "sweep" in told else sweeps[0]
    if sweep not in sweeps:
        known = ", ".join(map(own_name, sweeps))
        raise ResultError(f"{path}: [quick] has sweep = {told['sweep']!r}; allowed: {known}")
    return Quick(sweep, tuple(told["labels"]) if "labels" in told else None)


def paper_of(module: str) -> Paper:
    """Return the paper that a module is one of, by the module's ``__name__``.

    Raises:
        ResultError: it is of none.
    """
    package, _, rest = module.partition(".")
    paper = papers().get(rest.partition(".")[0]) if package == FOLDER.name else None
    if paper is None:
        raise ResultError(f"{module}: is in no folder of a paper ({FOLDER})")
    return paper


def of_sweep(sweep: str) -> Paper | None:
    """Return the paper that a sweep is of, by its name; None for none."""
    paper, slash, _ = sweep.partition("/")
    return papers().get(paper) if slash else None


def own_name(sweep: str) -> str:
    """Return a sweep's name without that of the paper."""
    return sweep.rpartition("/")[2]


def name_of(spec: Path) -> str:
    """Return the name of the sweep that a spec declares: with the paper's, if it is one's own."""
    folder = spec.resolve().parent
    for paper in papers().values():
        if folder == (paper.folder / "sweeps").resolve():
            return paper.sweep(spec.stem)
    return spec.stem


def whole_name(word: str, known: Iterable[str]) -> str:
    """Return the sweep that a word means: its name, or without the paper's where that is enough.

    A word that means none, or more than one, is returned as it is.
    """
    names = list(known)
    if word in names or "/" in word:
        return word
    meant = {name for name in names if own_name(name) == word and "/" in name}
    return meant.pop() if len(meant) == 1 else word


def figure_number(sweep: str) -> int | None:
    """Return which figure of its paper a sweep is, None for none."""
    found = _FIGURE.fullmatch(own_name(sweep)) if "/" in sweep else None
    return int(found[1]) if found else None


def shipped(chosen: Iterable[Paper] | None = None) -> list[str]:
    """Return the names of all sweeps of these papers; None: of all."""
    of = papers().values() if chosen is None else chosen
    return [name for paper in of for name in paper.sweeps()]


def figures_folder(results: Path, sweep: str) -> Path:
    """Return where among the results the figure of a sweep goes."""
    paper = sweep.rpartition("/")[0]
    return results / paper / "figures" if paper else results / "figures"
