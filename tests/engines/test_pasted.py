"""The command that a result tells, pasted into a shell: it makes the same result again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from patience import PATIENCE

NAME = 'it\'s {"a": [1, 2]} \\ $HOME `x` *'
"""Of a folder: a space, both quotes, JSON, and all that a shell makes something of."""


@pytest.mark.parametrize("program", ["gridftp-transfer", "gridftp-transfer-ns3"])
def test_the_command_of_a_result_can_be_pasted(
    programs: Path, tmp_path: Path, program: str
) -> None:
    place = tmp_path / NAME
    place.mkdir()
    (place / program).symlink_to((programs / program).resolve())
    words = [place / program, "--file-size=1MB", f"--trace={place / 'trace'}", "--json"]
    done = subprocess.run(words, capture_output=True, check=True, timeout=PATIENCE, cwd=place)
    first = json.loads(done.stdout)
    traced = {file.name: file.read_bytes() for file in (place / "trace").iterdir()}
    shutil.rmtree(place / "trace")

    shell = ["/bin/sh", "-c", first["provenance"]["command"]]
    environment = {**os.environ, "HOME": "elsewhere"}
    done = subprocess.run(
        shell, capture_output=True, timeout=PATIENCE, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr.decode()
    again = json.loads(done.stdout)
    assert again["provenance"] == first["provenance"]
    assert again["sessions"] == first["sessions"]
    assert {file.name: file.read_bytes() for file in (place / "trace").iterdir()} == traced
