"""Joins the page's modules and style sheets into few files, with esbuild."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from . import folders, library

ENTRIES = (
    "theme.js",
    "layout.js",
    "main.js",
    "main.css",
    "engine/worker.js",
    "tuner/main.js",
    "tuner/tuner.css",
)
"""What documents of the site, and the page's workers, name of modules and style sheets."""

PLAIN = ("from-disk.js", "tuner/confine.js", "handout/handout.js", "handout/handout.css")
"""What is read as it is: without a server, as a text, and by sheets that have no more than that."""

OPTIONS = (
    "--bundle",
    "--splitting",
    "--format=esm",
    # The sources can be read in the browser's own tools
    "--sourcemap",
    "--minify",
    "--legal-comments=none",
    "--banner:js=// GridFTP laboratory. SPDX-License-Identifier: GPL-2.0-only",
    "--chunk-names=shared/[hash]",
    "--log-level=warning",
)


def make(page: Path) -> Mapping[str, Path]:
    """Return the files of a page as the site has them, by path there.

    What is used by one entry alone is in its file, what several use in files of their own. They are
    made anew only where the page has changed.

    Args:
        page: folder of its sources.

    Raises:
        ProgramError: esbuild cannot read them.
    """
    sources = sorted(file for file in page.rglob("*") if file.is_file())
    bundled = [file for file in sources if file.suffix in {".js", ".css"}]
    made = folders.BUILD / "bundle"
    mark = folders.BUILD / "bundle.made-of"
    names = [str(file.relative_to(page)) for file in bundled]
    state = folders.digest(
        [*bundled, folders.LAB / "package-lock.json"], *names, *OPTIONS, *ENTRIES
    )
    if not (made.is_dir() and folders.is_made(mark, state)):
        mark.unlink(missing_ok=True)
        shutil.rmtree(made, ignore_errors=True)
        outputs = [f"--outbase={page}", f"--outdir={made}"]
        folders.logged(
            [*library.bundler(), *(str(page / name) for name in ENTRIES), *outputs, *OPTIONS],
            folders.BUILD / "bundle.log",
            "joining the modules of the page",
        )
        mark.write_text(state, encoding="utf-8")
    copied = [file for file in sources if file not in bundled] + [page / name for name in PLAIN]
    return {
        **{str(file.relative_to(page)): file for file in copied},
        **{str(file.relative_to(made)): file for file in made.rglob("*") if file.is_file()},
    }
