"""``gridftp learn SCRIPT``: run a Python script that trains or runs a tuner of transfers."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from ..errors import UserError


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    if not arguments or arguments[0].startswith("-"):
        raise UserError(
            "gridftp learn: a script is missing; allowed: ./gridftp learn SCRIPT.py [ARGUMENT...]"
        )
    script = Path(arguments[0])
    if not script.is_file():
        raise UserError(f"gridftp learn: {str(script)!r} is not a file; allowed: a Python script")
    sys.argv = arguments
    runpy.run_path(str(script), run_name="__main__")
    return 0
