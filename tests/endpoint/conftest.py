"""Fixtures of the tests of real transfers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that any user may write, and that is gone after the test.

    pytest's own folders are of this user alone, and those of three runs are kept.
    """
    with tempfile.TemporaryDirectory(prefix="gridftp-globus-") as name:
        Path(name).chmod(0o777)
        yield Path(name)
