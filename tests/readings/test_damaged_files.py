"""Every reader of files in Python survives damage: a value or one line, never a traceback.

Each damaged file is made from a number, which a failure names: ``damaged(seeds, Random(NUMBER))``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import damaged_readers
import pytest

from experiments.readings.files import READERS

ROOT = Path(__file__).resolve().parents[2]

MOST_MB = 500


def survived(kinds: Iterable[str], count: int, programs: Path, first: int = 0) -> dict[str, Any]:
    """Return the outcome of each reader with so many damaged files, by kind."""
    tests = Path(__file__).parent
    paths = (ROOT, ROOT / "tests/tools", ROOT / "tests/transfers", tests)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "GRIDFTP_BUILD_DIR": str(programs),
    }
    ran = subprocess.run(
        [sys.executable, str(tests / "damaged_readers.py"), str(count), str(first), *kinds],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=3000,
    )
    assert ran.returncode == 0, ran.stderr
    return {found["kind"]: found for found in map(json.loads, ran.stdout.splitlines())}


def check(found: dict[str, Any], count: int) -> None:
    """Assert that a reader survived so many damaged files, in little memory."""
    assert found["faults"] == []
    assert found["mb"] < MOST_MB
    # Damage is no harm where it is in what a reader does not need, but not everywhere.
    assert count / 4 < found["refused"] < count


SOME = 250
"""Damaged files for each reader by default."""


@pytest.fixture(scope="module")
def outcomes(programs: Path) -> dict[str, Any]:
    """The outcome of each reader with some damaged files, by kind."""
    return survived(damaged_readers.READERS, SOME, programs)


@pytest.mark.parametrize("kind", damaged_readers.READERS)
def test_damaged_files_are_read_or_refused(kind: str, outcomes: dict[str, Any]) -> None:
    check(outcomes[kind], SOME)


@pytest.mark.extensive
@pytest.mark.parametrize("kind", damaged_readers.READERS)
def test_thousands_of_damaged_files_are_read_or_refused(kind: str, programs: Path) -> None:
    check(survived([kind], 20_000, programs, first=SOME)[kind], 20_000)


@pytest.mark.parametrize("part", [reader.part for reader in READERS])
def test_each_reader_of_readings_has_files_that_are_damaged(part: str) -> None:
    assert damaged_readers.seeds_of(part), f"there is no file of {part} in {damaged_readers.REAL}"
