"""The one list of sources: what is compiled is hashed, arrows between rooms go one way."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT

from experiments.programs import sources as hashed
from experiments.programs.program import locate
from launcher import sources

MODULE = ROOT / sources.MODULE

PROGRAMS = {"segment": "gridftp-transfer", "ns3": "gridftp-transfer-ns3"}
"""Which program runs an engine."""


def compiled(programs: Path, *beginnings: str) -> set[Path]:
    """Return the files of this repository that the compiler has read for some targets."""
    read: set[Path] = set()
    top = programs.parent.resolve()
    for rules in top.rglob("*.d"):
        if str(rules.relative_to(top)).startswith(beginnings):
            words = re.split(r"[\s\\]+", rules.read_text("utf-8"))[1:]
            read |= {(top / word).resolve() for word in words if word}
    ours = {file for file in read if file.is_relative_to(ROOT) and file.is_file()}
    return {file for file in ours if "build" not in file.parts}


@pytest.mark.parametrize("engine", PROGRAMS)
def test_every_compiled_file_is_hashed(engine: str, programs: Path) -> None:
    units = {"segment": ("core",), "ns3": ("core", "module")}[engine]
    library = [f"joined/{name}/" for name in units]
    read = compiled(programs, f"{sources.PROGRAMS}/{PROGRAMS[engine]}.cc.", *library)
    assert len([file for file in read if file.suffix == ".cc"]) > 40
    assert ROOT / sources.PROGRAMS / f"{PROGRAMS[engine]}.cc" in read
    assert read - set(sources.engine_files(engine)) == set()


@pytest.mark.parametrize("engine", PROGRAMS)
def test_a_file_that_moves_into_a_new_room_changes_the_hash(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in (sources.MODULE, sources.PROGRAMS):
        shutil.copytree(ROOT / place, tmp_path / place)
    monkeypatch.setattr(hashed, "ROOT", tmp_path)
    monkeypatch.setattr(
        hashed, "engine_files", lambda name: sources.engine_files(name, root=tmp_path)
    )
    program = locate("gridftp-transfer")

    def digest() -> str:
        hashed.engine_hash.cache_clear()
        return hashed.engine_hash(program, engine)

    before = digest()
    assert digest() == before
    moved = tmp_path / sources.MODULE / "core/newroom/gridftp-ring.h"
    moved.parent.mkdir()
    (tmp_path / sources.MODULE / "core/base/gridftp-ring.h").rename(moved)
    with pytest.raises(sources.SourceError, match=r"core/newroom has sources and is not in"):
        digest()
    listed = tmp_path / sources.ROOMS_FILE
    listed.write_text(f"core/newroom:\n{listed.read_text('utf-8')}", "utf-8")
    after = digest()
    assert after != before
    moved.write_text(moved.read_text("utf-8") + "// another\n", "utf-8")
    assert digest() != after
    hashed.engine_hash.cache_clear()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("core/nowhere:", "there are no sources in contrib/gridftp/core/nowhere"),
        ("core/base:", "core/base comes twice"),
        ("core/base", "is not 'room: rooms it may include'"),
        ("core/first: core/base", "core/first may not include core/base, not above"),
    ],
)
def test_a_wrong_line_is_told(line: str, told: str, tmp_path: Path) -> None:
    shutil.copytree(MODULE, tmp_path / sources.MODULE)
    listed = tmp_path / sources.ROOMS_FILE
    listed.write_text(f"{line}\n{listed.read_text('utf-8')}", "utf-8")
    with pytest.raises(sources.SourceError, match=re.escape(told)):
        sources.rooms(root=tmp_path)


def includes() -> Iterator[tuple[sources.Room, Path, str]]:
    """Give each include of the library: the room it stands in, the file, the room it leads to."""
    rooms = sources.rooms(*sources.LIBRARY)
    where = {
        file.name: room.name for room in rooms for file in sources.files([MODULE / room.name], ".h")
    }
    for room in rooms:
        for file in sources.files([MODULE / room.name]):
            for name in re.findall(
                r'#include ["<](?:ns3/)?(gridftp-[^">]+)', file.read_text("utf-8")
            ):
                if name in where:
                    yield room, file, where[name]


def test_arrows_between_rooms_go_down() -> None:
    found = list(includes())
    assert len(found) > 200
    wrong = [
        f"{file.name} -> {other}"
        for room, file, other in found
        if other != room.name and other not in room.includes
    ]
    assert wrong == []


def test_core_includes_no_header_of_ns3() -> None:
    for file in sources.files(sources.folders("core")):
        assert not re.search(r'#\s*include\s*["<]ns3/', file.read_text("utf-8")), file.name


def test_the_lab_compiles_no_header_of_an_operating_system() -> None:
    system = re.compile(r"^#include <(sys/|linux/|netinet/|unistd|fcntl|poll)", re.MULTILINE)
    with_system = {
        file.parent.name
        for file in sources.files(sources.folders("core"))
        if system.search(file.read_text("utf-8"))
    }
    assert with_system == {"process", "sockets", "endpoint"}
    assert with_system & {file.parent.name for file in sources.lab_files()} == set()


def test_a_source_of_core_includes_its_own_header_first() -> None:
    """So that every header that has a source compiles alone."""
    for source in sources.files(sources.folders("core"), ".cc"):
        header = source.with_suffix(".h")
        first = re.search(r'^#include "(.*)"', source.read_text(encoding="utf-8"), re.MULTILINE)
        assert not header.exists() or first[1] == header.name, source.name


def test_a_room_holds_at_most_thirty_sources_and_names_are_unique() -> None:
    rooms = sources.rooms()
    sizes = {room.name: len(sources.files([MODULE / room.name])) for room in rooms}
    assert {name: size for name, size in sizes.items() if size > 32} == {}
    names = [file.name for file in sources.files(sources.folders())]
    assert len(set(names)) == len(names)


def test_names_of_types_are_unique() -> None:
    # Two classes of one name in the library are one for the linker, whichever it likes
    found: dict[str, list[str]] = {}
    for file in sources.files(sources.folders(*sources.LIBRARY), ".h"):
        for name in re.findall(
            r"^(?:class|struct) (\w+)\b(?!::)[^;<]*\n\{", file.read_text("utf-8"), re.M
        ):
            found.setdefault(name, []).append(file.name)
    assert len(found) > 100
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


CMAKE = """
cmake_minimum_required(VERSION 3.13)
project(rooms NONE)
include(rooms.cmake)
file(WRITE ${CMAKE_SOURCE_DIR}/found.txt
     "${gridftp_sources};${gridftp_headers};${gridftp_tests}")
"""


@pytest.mark.skipif(not shutil.which("cmake"), reason="needs cmake")
def test_a_build_of_ns3_has_the_same_sources(tmp_path: Path) -> None:
    module = tmp_path / "gridftp"
    shutil.copytree(MODULE, module)
    (module / "CMakeLists.txt").write_text(CMAKE, "utf-8")

    def configure() -> str:
        command = ["cmake", "-S", module, "-B", tmp_path / "build"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stderr

    assert configure() == ""
    found = (module / "found.txt").read_text("utf-8").split(";")
    library = sources.files(sources.folders(*sources.LIBRARY))
    tests = sources.files(sources.folders("test"), ".cc")
    expected = {file.relative_to(MODULE).as_posix() for file in [*library, *tests]}
    assert len(found) == len(set(found))
    assert set(found) == expected - {"test/test-runner.cc"}

    (module / "core/newroom").mkdir()
    (module / "core/base/gridftp-ring.h").rename(module / "core/newroom/gridftp-ring.h")
    assert "core/newroom/gridftp-ring.h lies in no folder of rooms.txt" in configure()
    with (module / "rooms.txt").open("a", encoding="utf-8") as listed:
        listed.write("core/newroom:\ncore/nowhere:\n")
    assert "rooms.txt: no sources in core/nowhere" in configure()
