"""Makes the static site: the page, the engine, uPlot, the lessons and the paper's values."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from experiments.errors import UserError
from experiments.option_table import OptionTable
from experiments.programs import locate
from experiments.spec import load_spec

from . import folders, library, wasm
from .lessons import lessons_json

PAGE = folders.LAB / "page"
SITE = folders.BUILD / "site"

MARK = "made-by-gridftp-lab"
"""A file that says of a folder that it is ours to write over."""

_SPECS = folders.ROOT / "experiments" / "figures"

_THE_PAPERS = "segment"
"""Label of the simulations in them that the paper made, too."""

_FEW = 3
"""An option with fewer values in a figure is not swept there."""


def make() -> Path:
    """Bring the site up to date and return its folder.

    Raises:
        UserError: a lesson is wrong.
        ProgramError: a tool fails.
    """
    with folders.only_one():
        _gather(SITE, [*_assets(), wasm.make(), *library.make()])
    return SITE


def export(folder: Path) -> None:
    """Write the site to a folder for any static host.

    Raises:
        UserError: it holds something else.
        ProgramError: a tool fails.
    """
    if folder.exists() and not (folder / MARK).is_file() and any(folder.iterdir()):
        raise UserError(
            f"gridftp lab: --export: '{folder}' holds something else; "
            "allowed: a new folder, an empty one, or one of an earlier export"
        )
    site = make()
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(site, part)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def _assets() -> list[Path]:
    return [file for file in sorted(PAGE.iterdir()) if file.is_file()]


def _gather(folder: Path, files: list[Path]) -> None:
    """Fill a folder anew, so that it is complete or as it was."""
    part = folder.with_name("site.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for file in files:
        shutil.copy(file, part)
    (part / "lessons.json").write_text(json.dumps(lessons_json()), encoding="utf-8")
    (part / "paper.json").write_text(json.dumps(paper_values()), encoding="utf-8")
    (part / MARK).touch()
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def paper_values() -> dict[str, list[str]]:
    """Return the values that the paper's figures sweep, as texts by option name."""
    table = OptionTable.read(locate("gridftp-transfer").object("--describe"))
    values: dict[str, list[str]] = {}
    for path in sorted(_SPECS.glob("fig[0-9][0-9].toml")):
        swept: dict[str, dict[str, None]] = {}
        for planned in load_spec(path, table).planned:
            if planned.label == _THE_PAPERS:
                for name, value in planned.line.items():
                    swept.setdefault(name, {})[str(value)] = None
        for name, texts in swept.items():
            if name in table and not table[name].choices and len(texts) >= _FEW:
                values[name] = list(texts)
    values.pop("run", None)
    return values
