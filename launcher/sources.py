"""Which C++ sources there are: the one list of the module's rooms, and what is compiled with them.

Everything that compiles, checks or hashes sources asks here: the launcher and `wscript`, the style
check, the lab's WebAssembly build, and the hash under which results are kept. `rooms.cmake`,
which has no Python, reads the same `rooms.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MODULE = "contrib/gridftp"
ROOMS_FILE = f"{MODULE}/rooms.txt"

# Folders of sources outside of the module, all without rooms.
PROGRAMS = "scratch"
EXAMPLES = f"{MODULE}/examples"
LAB_ENGINE = "lab/engine"

# The folders of core that the lab leaves out: they need files, a clock, processes, sockets.
NEEDS_SYSTEM = ("core/process", "core/sockets", "core/endpoint")

# The groups of rooms that are compiled into the library; the group "test" is into the runner.
LIBRARY = ("core", "model", "helper")

_LINE = re.compile(r"(?P<name>[a-z0-9/-]+):(?P<includes>.*)")


class SourceError(Exception):
    """The list and the folders do not fit; the message is one line."""


class Room(NamedTuple):
    """A folder of sources."""

    name: str
    """As in rooms.txt: relative to the module."""
    includes: tuple[str, ...]
    """The rooms whose headers it may include."""

    @property
    def group(self) -> str:
        """The first part of its name: core, model, helper or test."""
        return self.name.split("/")[0]


def rooms(*groups: str, root: Path = ROOT) -> list[Room]:
    """Return the rooms of these groups, or all of them, from the bottom up.

    Raises:
        SourceError: a line of rooms.txt is none, a room has no sources, or a folder that has some
            is not listed.
    """
    found = [_read_line(number, text) for number, text in _lines(root)]
    _check(found, root)
    return [room for room in found if not groups or room.group in groups]


def folders(*groups: str, root: Path = ROOT) -> list[Path]:
    """Return the folders of the rooms of these groups."""
    return [root / MODULE / room.name for room in rooms(*groups, root=root)]


def files(places: Iterable[Path], *suffixes: str) -> list[Path]:
    """Return the sources that lie in folders, in an order that depends on nothing but names."""
    wanted = suffixes or (".cc", ".h")
    return [
        file
        for folder in places
        for file in sorted(folder.iterdir() if folder.is_dir() else ())
        if file.suffix in wanted
    ]


def engine_files(engine: str, root: Path = ROOT) -> list[Path]:
    """Return every source that can change a result of an engine, "segment" or "ns3".

    Raises:
        SourceError: see `rooms`.
    """
    programs = files([root / PROGRAMS])
    if engine == "segment":
        kept = [file for file in programs if file.suffix == ".h" or file.stem == "gridftp-transfer"]
        return [*files(folders("core", root=root)), *kept]
    kept = [file for file in programs if file.suffix == ".h" or _moves_data(file)]
    return [*files(folders(*LIBRARY, root=root)), *kept]


def lab_files(*suffixes: str, root: Path = ROOT) -> list[Path]:
    """Return the sources of the lab's engine: core without NEEDS_SYSTEM, and the lab's own."""
    core = [room.name for room in rooms("core", root=root) if room.name not in NEEDS_SYSTEM]
    return files([*(root / MODULE / name for name in core), root / LAB_ENGINE], *suffixes)


def all_files(root: Path = ROOT) -> list[Path]:
    """Return every C++ source of the repository."""
    return files([*folders(root=root), *(root / n for n in (PROGRAMS, EXAMPLES, LAB_ENGINE))])


def _moves_data(file: Path) -> bool:
    """Whether a program is one of the two that `run` starts."""
    return file.stem in ("gridftp-transfer", "gridftp-transfer-ns3")


def _lines(root: Path) -> list[tuple[int, str]]:
    text = (root / ROOMS_FILE).read_text(encoding="utf-8")
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return [(number, line) for number, line in lines if line and not line.startswith("#")]


def _read_line(number: int, text: str) -> Room:
    found = _LINE.fullmatch(text)
    if not found:
        raise SourceError(f"{ROOMS_FILE}:{number}: '{text}' is not 'room: rooms it may include'")
    return Room(found["name"], tuple(found["includes"].split()))


def _check(listed: list[Room], root: Path) -> None:
    """Hold the list against the folders, both ways."""
    module = root / MODULE
    names: dict[str, Room] = {}
    for room in listed:
        unknown = [name for name in room.includes if name not in names]
        if unknown:
            raise SourceError(f"{ROOMS_FILE}: {room.name} may not include {unknown[0]}, not above")
        if room.name in names:
            raise SourceError(f"{ROOMS_FILE}: {room.name} comes twice")
        names[room.name] = room
    groups = sorted({room.group for room in listed})
    with_sources = {
        file.parent.relative_to(module).as_posix()
        for group in groups
        for file in (module / group).rglob("*")
        if file.suffix in (".cc", ".h")
    }
    for name in sorted(with_sources - set(names)):
        raise SourceError(f"{MODULE}/{name} has sources and is not in {ROOMS_FILE}")
    for name in sorted(set(names) - with_sources):
        raise SourceError(f"{ROOMS_FILE}: there are no sources in {MODULE}/{name}")
