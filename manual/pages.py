"""Which pages the site has, in which order, and their sources as Sphinx is given them."""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from collections.abc import Mapping
from html import escape
from pathlib import Path

from analysis.read import result_schema
from experiments.programs.program import Program

from . import tables

ROOT = Path(__file__).resolve().parent.parent
"""The repository."""

DOC = "contrib/gridftp/doc"
"""The module's documents; the site has them at its top."""

INDEX = "index.md"
LAB = "tutorials/lab.md"

MOVED = {"README.md": INDEX, "CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md"}
"""Documents outside of that folder, and what they are in the site."""

CONTENTS: Mapping[str, tuple[str, ...]] = {
    "Tutorials": (
        "tutorials/transfer",
        "tutorials/sweeps",
        "tutorials/lab",
        "tutorials/tuners",
        "gridftp-usage",
        "gridftp-examples",
    ),
    "How-to guides": (
        "how-to/symptoms",
        "how-to/limits",
        "how-to/latency",
        "how-to/machines",
        "how-to/real-transfers",
        "how-to/ns3-tree",
    ),
    "Reference": (
        "gridftp",
        "gridftp-options",
        "gridftp-output",
        "gridftp-tuning",
        "gridftp-sessions",
        "gridftp-stripes",
        "gridftp-tools",
        "gridftp-reliability",
        "gridftp-protocol",
        "gridftp-tcp",
        "gridftp-paths",
        "gridftp-queues",
        "gridftp-hosts",
        "gridftp-profiles",
        "glossary",
        "promises",
        "changes",
    ),
    "Explanation": (
        "explanation/trust",
        "explanation/today",
        "explanation/twin",
        "explanation/packetdrill",
        "gridftp-validation",
        "explanation/speed",
        "explanation/known",
        "papers/ito",
        "papers/gardner",
        "papers/allcock",
        "papers/anglano",
        "papers/luu",
    ),
    "For developers": (
        "adding",
        "developers/packet",
        "developers/application",
        "developers/ledger",
        "developers/claim",
        "gridftp-engines",
        "contributing",
    ),
}
"""Captions of the table of contents, and the pages of each part.

Sphinx fails for a page that is missing here.
"""

REPLACEMENTS = ".. |ns3| replace:: *ns-3*\n"
"""What ns-3's own manual has in its replace.txt, as far as it is used here."""

_LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
_OPTIONS = re.compile(
    r"^\.\. manual: options\n\n[^.].*?(\.\. csv-table::.*?\n\n.*?)(?=\n\n\S|\Z)", re.S | re.M
)
_TOCTREE = re.compile(r"^Pages\n-+\n\n\.\. toctree::\n(?:   .*\n|\n)+", re.M)
"""The pages of ns-3's own manual, which has no other table of contents."""

_RESULTS = re.compile(r"^\.\. manual: results\n", re.M)


def gather(folder: Path, program: Program, lab: str | None = None) -> None:
    """Fill a folder anew with the sources of all pages, those made from programs included.

    Args:
        folder: made, or emptied.
        program: gridftp-transfer, which tells its options.
        lab: address of the lab, from the top of the site; None for none.

    Raises:
        ProgramError: it does not.
        ValueError: an option is explained that it does not have.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / DOC, folder, ignore=shutil.ignore_patterns("*.h", "*.json"))
    for name, place in MOVED.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        (folder / place).write_text(moved(text, name), encoding="utf-8")
    for page in folder.rglob("*.md"):
        source = f"{DOC}/{page.relative_to(folder).as_posix()}"
        if page.name not in MOVED.values():
            page.write_text(moved(page.read_text(encoding="utf-8"), source), encoding="utf-8")
    if lab is not None:
        for name in (INDEX, LAB):
            page = folder / name
            text = with_lab(page.read_text(encoding="utf-8"), lab_address(lab, name))
            page.write_text(text, encoding="utf-8")
    (folder / "replace.txt").write_text(REPLACEMENTS, encoding="utf-8")
    with (folder / INDEX).open("a", encoding="utf-8") as index:
        index.write(contents())
    module = folder / "gridftp.rst"
    module.write_text(_TOCTREE.sub("", module.read_text(encoding="utf-8")), encoding="utf-8")
    fill(folder / "gridftp-options.rst", folder / "gridftp-output.rst", program)


def moved(text: str, source: str) -> str:
    """Return a document in Markdown with its links to other pages as they are in the site.

    Args:
        text: of the document.
        source: where it is in the repository.
    """
    here = posixpath.dirname(place(source))

    def link(found: re.Match[str]) -> str:
        if re.match(r"\w+:", found[2]):
            return found[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[2]))
        return found[1] + posixpath.relpath(place(target), here or ".") + found[3]

    return _LINK.sub(link, text)


def lab_address(lab: str, page: str) -> str:
    """Return the lab's address as a link on a page.

    Args:
        lab: its address, absolute or relative to the top of the site.
        page: path of the page in the site.
    """
    if re.match(r"\w+:", lab):
        return lab
    return "../" * page.count("/") + lab


def with_lab(text: str, lab: str) -> str:
    """Return a document in Markdown with a link to the lab below its heading.

    Args:
        text: of the document.
        lab: address of the lab.
    """
    heading, _, rest = text.partition("\n")
    # Not as Markdown: Sphinx would look for the page among its own.
    link = f'<a href="{escape(lab)}">Open the lab</a>'
    return f"{heading}\n\n<p>{link}: a transfer, packet by packet, in this browser.</p>\n{rest}"


def place(source: str) -> str:
    """Return where a file of the repository is in the site."""
    return MOVED.get(source) or source.removeprefix(f"{DOC}/")


def contents() -> str:
    """Return the table of contents, which is shown beside each page."""
    blocks = [
        "\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""])
        for caption, pages in CONTENTS.items()
    ]
    return "".join(blocks)


def fill(options: Path, output: Path, program: Program) -> None:
    """Put into two pages what a program and the schema of results tell."""
    text = options.read_text(encoding="utf-8")
    (table,) = _OPTIONS.findall(text)
    made = tables.options(program.object("--describe"), tables.notes(table))
    head, tail = _OPTIONS.split(text)[0::2]
    # Batches and what follows come first: the options are long.
    options.write_text(f"{head}{tail.strip()}\n\n{made}", encoding="utf-8")
    schema = json.loads(result_schema.PATH.read_text(encoding="utf-8"))
    text = output.read_text(encoding="utf-8")
    output.write_text(_RESULTS.sub(lambda _: tables.results(schema), text), encoding="utf-8")
