"""The module as an ns-3 tree compiles it: ns-3's headers are its own there, warnings and all."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest
from patience import PATIENCE

from launcher import joined, sources

WARNINGS = ("-Wall", "-Werror")
"""As ns-3 has them; `./gridftp build` has more, but is deaf to what templates of ns-3 warn of."""


def includes() -> list[Path]:
    """Where the wheel has ns-3's headers."""
    found = importlib.util.find_spec("ns3")
    folders = (found and found.submodule_search_locations) or ()
    places = [Path(folder) / "include" for folder in folders]
    if not any(place.is_dir() for place in places):
        pytest.skip("needs the wheel of ns-3")
    return places


@pytest.mark.parametrize(
    "group",
    [
        "model/tcp",
        pytest.param("model", marks=pytest.mark.extensive),
        pytest.param("helper", marks=pytest.mark.extensive),
        pytest.param("test", marks=pytest.mark.extensive),
    ],
)
def test_nothing_is_warned_of_where_the_headers_of_ns3_are_not_the_system_s(
    programs: Path, tmp_path: Path, group: str
) -> None:
    compiler = ["g++", "-std=c++20", *WARNINGS, "-fsyntax-only"]
    # The second: what the build here has for "ns3/gridftp-...h"
    places = (*includes(), programs.parent / "include", *sources.folders())
    compiler += [f"-I{place}" for place in places]
    chosen = [room for room in sources.rooms() if f"{room.name}/".startswith(f"{group}/")]
    files = sources.files([sources.ROOT / sources.MODULE / room.name for room in chosen], ".cc")
    headers = sources.files(sources.folders(), ".h")
    for number, unit in enumerate(joined.units(files, joined.TEST_BYTES, headers)):
        text = tmp_path / f"unit-{number}.cc"
        text.write_text(unit.text, encoding="utf-8")
        done = subprocess.run(
            [*compiler, text], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
