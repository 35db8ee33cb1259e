"""What a release consists of: two archives, a bill of materials, and the sums of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from experiments.errors import ProgramError
from lab import site
from launcher import revision
from launcher.sources import MODULE
from manual import links
from manual import site as manual

from .archive import packed, sums
from .tree import Entry, commit_time, committed, made


def _lab(folder: Path) -> None:
    """Make the lab's site, with links to the manual's beside it."""
    site.export(folder, "../manual/index.html")


def _manual(folder: Path) -> None:
    """Make the manual's site, with links to the lab's beside it.

    Raises:
        ProgramError: Sphinx warns, or a link leads nowhere.
    """
    problems = manual.build(folder, "../lab/index.html").problems
    if problems:
        raise ProgramError(f"the manual: {problems[0]}")


SITES: Mapping[str, Callable[[Path], None]] = {"lab": _lab, "manual": _manual}
"""What is built into the archive, each into a folder of `BUILT`, and what writes it there."""


def build(folder: Path) -> dict[str, Path]:
    """Make all of `SITES` beside each other in a folder, as the archive has them.

    Returns:
        The folder of each, by name.

    Raises:
        ProgramError: one cannot be made, or a link of one leads nowhere, to another one say.
    """
    built = {name: folder / name for name in SITES}
    for name, export in SITES.items():
        export(built[name])
    problems = links.check(folder).problems
    if problems:
        raise ProgramError(f"the sites: {problems[0]}")
    return built


BUILT = "site"
"""The folder of the archive with all that is in no commit."""

SUMS = "SHA256SUMS"


def laboratory(root: Path, commit: str, built: Mapping[str, Path]) -> bytes:
    """Return the archive of the whole tree as it is in git, with what is built.

    Args:
        root: the clone.
        commit: its commit.
        built: folders that were made of this commit, by name.
    """
    top = f"gridftp-lab-{revision.version(root)}"
    entries = committed(root, commit)
    for name, folder in built.items():
        entries += [entry.moved(f"{BUILT}/{name}") for entry in made(folder)]
    return packed((entry.moved(top) for entry in entries), commit_time(root, commit))


def module(root: Path, commit: str) -> bytes:
    """Return the archive of the ns-3 module alone, to be unpacked in `contrib` of an ns-3 tree."""
    about = f"version {revision.version(root)}\ncommit {commit}\n"
    entries = [
        *committed(root, commit, MODULE),
        Entry("LICENSE", (root / "LICENSE").read_bytes()),
        Entry("RELEASE", about.encode()),
    ]
    name = MODULE.rpartition("/")[2]
    return packed((entry.moved(name) for entry in entries), commit_time(root, commit))


def release(
    root: Path, commit: str, built: Mapping[str, Path], materials: bytes
) -> dict[str, bytes]:
    """Return all files of a release by name.

    Args:
        root: the clone.
        commit: its commit.
        built: folders that were made of this commit, by name.
        materials: the bill of materials.
    """
    version = revision.version(root)
    files = {
        f"gridftp-lab-{version}.tar.gz": laboratory(root, commit, built),
        f"gridftp-lab-{version}.cdx.json": materials,
        f"ns3-gridftp-{version}.tar.gz": module(root, commit),
    }
    return {**files, SUMS: sums(files)}
