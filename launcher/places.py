"""Where things are: the repository, and what the launcher keeps in it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
# Says that a .venv is ours to delete.
VENV_MARK = VENV / "made-by-gridftp"
# Says what .venv holds. Absent while it is being changed, so an interrupted change shows.
VENV_STAMP = VENV / "gridftp-setup.json"
# Holds the path given with --ns3; absent for the ns-3 wheel.
NS3_PATH = BUILD / "ns3-path"
# Stands for the folder in build/ that the last `build` filled.
CURRENT = BUILD / "current"


def chosen_ns3() -> Path | None:
    """The ns-3 given with --ns3, or None for the wheel."""
    if NS3_PATH.is_file():
        return Path(NS3_PATH.read_text(encoding="utf-8").strip())
    return None


def read_state(path: Path) -> dict[str, Any]:
    """A state that was kept with `write_whole`; empty if there is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is complete or not there."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
