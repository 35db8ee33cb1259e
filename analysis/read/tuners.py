"""The tuning modes as the program declares them: what readers call each, how figures draw it.

A tuner stands in one source of the program, which tells of it with ``--describe``; the build keeps
that in a file beside the program, as the analysis starts none. Kept results name their modes, so
that they can be drawn where there is no program, too: a mode that is not declared is called by its
own name.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Tuner:
    """One mode.

    Attributes:
        label: what readers call it.
        color: as ``#rrggbb``.
        marker: one of matplotlib's.
        marker_size: in points.
        dashes: lengths in points, on and off in turn; empty for a solid line.
    """

    label: str
    color: str
    marker: str
    marker_size: float
    dashes: tuple[float, ...]


def declared() -> Mapping[str, Tuner]:
    """Return the modes that the program knows, in its order; none where there is no program."""
    return _described(os.environ.get("GRIDFTP_BUILD_DIR", ""))


def label(mode: str) -> str:
    """Return what readers call a mode."""
    tuner = declared().get(mode)
    return tuner.label if tuner else mode


def ordered(modes: Collection[str]) -> list[str]:
    """Return modes, each once, in the program's order; those that it does not know at the end."""
    there = set(modes)
    known = [mode for mode in declared() if mode in there]
    return [*known, *sorted(there.difference(known))]


@functools.cache
def _described(folder: str) -> Mapping[str, Tuner]:
    """Return what the program in a folder said when it was built."""
    kept = Path(folder, "gridftp-transfer.json")
    if not folder or not kept.is_file():
        return {}
    described = json.loads(kept.read_text(encoding="utf-8"))
    return {row["name"]: _read(row) for row in described["tuners"]}


def _read(row: Mapping[str, Any]) -> Tuner:
    look = row["look"]
    return Tuner(
        row["label"], look["color"], look["marker"], look["marker_size"], tuple(look["dashes"])
    )
