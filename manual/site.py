"""Makes the site and checks it: Sphinx with warnings as errors, then every link."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from experiments.programs.program import locate
from experiments.terminal.export import refuse_foreign

from . import finish, links, pages

SITE = pages.ROOT / "build" / "manual"
"""Default folder of the site."""

MARK = "made-by-gridftp-manual"
"""A file that says of a folder that it is ours to write over."""


@dataclass(frozen=True)
class Built:
    """A site that was tried.

    Attributes:
        problems: a line for each; empty if all is well. Then only is the site where it was to be.
        external: addresses of other sites that it links to.
        pages: how many.
    """

    problems: list[str]
    external: list[str]
    pages: int


def build(folder: Path, lab: str | None = None) -> Built:
    """Build the site in a folder; if there are problems, an earlier site there stays.

    Args:
        folder: a new folder, an empty one or one with an earlier site.
        lab: address of the lab's first page, whole or relative to the folder; None: no link. The
            link to it is not checked here.

    Raises:
        UserError: the folder contains other files.
        ProgramError: gridftp-transfer does not describe its options.
    """
    refuse_foreign("manual", folder, MARK)
    work = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        pages.gather(work / "source", locate("gridftp-transfer"), lab)
        problems = _sphinx(work)
        made = work / "site"
        if not (made / "index.html").is_file():
            return Built(problems or ["Sphinx built no index.html"], [], 0)
        finish.finish(made)
        known = {pages.lab_address(lab, name) for name in (pages.INDEX, pages.LAB)} if lab else ()
        checked = links.check(made, known)
        problems += checked.problems
        count = sum(1 for _ in made.rglob("*.html"))
        if not problems:
            (made / MARK).touch()
            shutil.rmtree(folder, ignore_errors=True)
            made.rename(folder)
        return Built(problems, sorted(checked.external), count)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _sphinx(work: Path) -> list[str]:
    """Run Sphinx on what was gathered; return what it complains of."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "sphinx",
        "--builder=html",
        "--quiet",
        "--fail-on-warning",
    ]
    command += [
        f"--conf-dir={Path(__file__).parent}",
        f"--doctree-dir={work / 'read'}",
        "--no-color",
    ]
    done = subprocess.run(
        [*command, str(work / "source"), str(work / "site")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    told = [line.replace(f"{work / 'source'}/", "") for line in lines]
    return told or ([f"Sphinx: exit status {done.returncode}"] if done.returncode else [])
