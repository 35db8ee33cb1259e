"""Makes the static site: the page, the engine, uPlot, the lessons and the paper's values."""

from __future__ import annotations

import gzip
import itertools
import json
import shutil
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from analysis.papers import Paper, figure_number, papers
from experiments.programs.option_table import OptionTable
from experiments.programs.program import Program, locate
from experiments.spec.load import load_spec
from experiments.terminal.export import refuse_foreign

from . import bundle, folders, library, wasm
from .handout.make import make as make_handouts
from .lessons import lessons_json, load_lessons, resolve_all
from .papers import make as make_papers

PAGE = folders.LAB / "page"
SITE = folders.BUILD / "site"

LESSONS, PAPERS = "lessons.json.gz", "papers.json.gz"
"""Compressed as the engine is, so that no host has to."""

MARK = "made-by-gridftp-lab"
"""A file that says of a folder that it is ours to write over."""

_THE_PAPERS = "segment"
"""Label of the simulations in them that the paper made, too."""

_NO_MANUAL = {
    "index.html": "<code>./gridftp manual --open</code>",
    "from-disk.js": 'MANUAL = ""',
}
"""What files of the page have in place of a link to the manual."""

_FEW = 3
"""An option with fewer values in a figure is not swept there."""


def make() -> Path:
    """Bring the site up to date and return its folder.

    Raises:
        UserError: a lesson is wrong.
        ProgramError: a tool fails.
    """
    with folders.only_one():
        made = {"engine/engine.wasm.gz": wasm.make()}
        made |= {file.name: file for file in library.make()}
        _gather(SITE, made)
    return SITE


def export(folder: Path, manual: str | None = None) -> None:
    """Write the site to a folder for any static host.

    Args:
        folder: a new one, an empty one or one of an earlier time.
        manual: address of the manual's first page, which the first page here links to; whole, or
            relative to this folder. None: the page tells the command that makes it.

    Raises:
        UserError: it holds something else.
        ProgramError: a tool fails.
    """
    refuse_foreign("lab", folder, MARK)
    site = make()
    part = folder.with_name(f".{folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(site, part)
    if manual is not None:
        _link(part, manual)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def read_data(file: Path) -> Any:
    """Return what a compressed file of JSON in a site holds."""
    return json.loads(gzip.decompress(file.read_bytes()))


def _link(folder: Path, manual: str) -> None:
    """Have a site link to the manual where it names the command that makes it."""
    links = {
        "index.html": f'<a href="{escape(manual)}">read it</a>',
        "from-disk.js": f"MANUAL = {json.dumps(manual)}",
    }
    for name, link in links.items():
        before, found, after = (folder / name).read_text("utf-8").partition(_NO_MANUAL[name])
        assert found, f"{name} does not name the manual"
        (folder / name).write_text(before + link + after, encoding="utf-8")


def _gather(folder: Path, made: Mapping[str, Path]) -> None:
    """Fill a folder anew with the page and what is made, so that it is complete or as it was.

    One that holds the same already is left alone: another process may be serving it.
    """
    lessons = load_lessons()
    program = locate("gridftp-transfer")
    resolve_all(lessons, program)
    sheets = make_handouts(lessons, program, made["engine/engine.wasm.gz"])
    made = {**made, **{f"handout/{sheet.name}": sheet for sheet in sheets}}
    papers_made = make_papers(program, made["engine/engine.wasm.gz"])
    part = folder.with_name("site.part")
    shutil.rmtree(part, ignore_errors=True)
    for name, file in {**bundle.make(PAGE), **made}.items():
        (part / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, part / name)
    text = json.dumps(lessons_json(lessons), separators=(",", ":"))
    (part / LESSONS).write_bytes(wasm.zipped(text.encode()))
    (part / PAPERS).write_bytes(wasm.zipped(papers_made.read_bytes()))
    (part / "paper.json").write_text(json.dumps(paper_values(program)), encoding="utf-8")
    (part / MARK).touch()
    if _contents(part) == _contents(folder):
        shutil.rmtree(part)
        return
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def _contents(folder: Path) -> dict[Path, bytes]:
    """Return what is in the files of a folder, by path within it."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder): file.read_bytes() for file in files}


def _figures() -> list[tuple[Paper, str]]:
    """Return the sweeps that are figures of papers, each with its paper."""
    return [
        (paper, name)
        for paper in papers().values()
        for name in paper.sweeps()
        if figure_number(name) is not None
    ]


def _values(lines: Sequence[Mapping[str, Any]], *names: str) -> list[tuple[str, ...]]:
    """Return the values, as texts, that options have together, each combination once."""
    held = (tuple(str(line[name]) for name in names) for line in lines if {*names} <= line.keys())
    return list(dict.fromkeys(held))


def paper_values(program: Program) -> dict[str, list[str]]:
    """Return the values that the figures of the papers sweep, as texts by option name.

    Of an option that several figures sweep those of the first one; none of one that only follows
    another one, as the size of a file may the number of stripes.
    """
    table = OptionTable.read(program.object("--describe"))
    values: dict[str, list[str]] = {}
    for paper, name in _figures():
        planned = load_spec(paper.spec(name), table).planned
        lines = [one.line for one in planned if one.label == _THE_PAPERS]
        swept = [
            name
            for name in dict.fromkeys(itertools.chain.from_iterable(lines))
            if len(_values(lines, name)) >= _FEW
        ]
        for place, name in enumerate(swept):
            follows = any(
                len(_values(lines, name, other)) == len(_values(lines, other))
                for other in swept[:place]
            )
            if name in table and table[name].is_number and not follows:
                values.setdefault(name, [text for (text,) in _values(lines, name)])
    values.pop("run", None)
    return values
