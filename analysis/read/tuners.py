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


def knows(mode: str, key: str) -> bool:
    """Return whether the program says that a key of the scenario is one of this mode's parameters.

    False where there is no program.
    """
    return mode in _modes_of(os.environ.get("GRIDFTP_BUILD_DIR", "")).get(key, ())


def ordered(modes: Collection[str]) -> list[str]:
    """Return modes, each once, in the program's order; those that it does not know at the end."""
    there = set(modes)
    known = [mode for mode in declared() if mode in there]
    return [*known, *sorted(there.difference(known))]


@functools.cache
def _described(folder: str) -> Mapping[str, Tuner]:
    """Return what the program in a folder said of its modes when it was built."""
    return {row["name"]: _read(row) for row in _said(folder).get("tuners", [])}


@functools.cache
def _modes_of(folder: str) -> Mapping[str, frozenset[str]]:
    """Return the modes that know each option that not all modes know, by its key."""
    options = _said(folder).get("options", [])
    return {row["key"]: frozenset(row["modes"]) for row in options if "modes" in row}


def _said(folder: str) -> Mapping[str, Any]:
    """Return what the program in a folder said when it was built; nothing where there is none."""
    kept = Path(folder, "gridftp-transfer.json")
    if not folder or not kept.is_file():
        return {}
    return json.loads(kept.read_text(encoding="utf-8"))


def _read(row: Mapping[str, Any]) -> Tuner:
    look = row["look"]
    return Tuner(
        row["label"], look["color"], look["marker"], look["marker_size"], tuple(look["dashes"])
    )
