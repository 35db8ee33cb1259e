"""Samples of one transfer of a profile: it is simulated once more, with traces."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..programs.program import Program
from .cells import Cell

if TYPE_CHECKING:
    import pandas as pd


def samples(program: Program, cell: Cell) -> pd.DataFrame | None:
    """Return what a transfer does in each second; None where no command line tells of it.

    Raises:
        UserError, ProgramError: the program does not simulate it.
    """
    from analysis.samples import per_second  # loads tables and drawing: a second

    if not all(isinstance(value, str) for value in cell.line.values()):
        return None  # lists of sessions are for batches
    options = [f"--{name}={value}" for name, value in cell.line.items()]
    with tempfile.TemporaryDirectory() as folder:
        program.call(*options, "--json", f"--trace={folder}")
        return per_second(Path(folder))
