"""The specs that are shipped: one file per figure in ``experiments/figures``."""

from __future__ import annotations

import re
from pathlib import Path

from ..terminal.arguments import ROOT

FOLDER = ROOT / "experiments" / "figures"


def numbers() -> list[int]:
    """Return the numbers of the paper's figures that there is a spec for."""
    found = (re.fullmatch(r"fig(\d+)", name) for name in names())
    return [int(match[1]) for match in found if match]


def names() -> list[str]:
    """Return the names of all shipped sweeps: the paper's figures first, by number."""
    stems = (path.stem for path in FOLDER.glob("*.toml"))
    return sorted(stems, key=lambda name: (not name.startswith("fig"), name))


def name_of(figure: int) -> str:
    """Return the name of the sweep of a figure of the paper."""
    return f"fig{figure:02}"


def path_of(name: str) -> Path:
    """Return where a shipped spec is."""
    return FOLDER / f"{name}.toml"
