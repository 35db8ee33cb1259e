"""Which pair of the paper's hosts a run is between, and the units of the paper."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

PUBLISHED = Path(__file__).resolve().parents[1] / "published"
"""What the paper has, a file for each table."""

MB_PER_S = 8.0 * 2**20
"""A rate of the paper's, bit/s: globus-url-copy counts 2^20 bytes as one MB."""

HOSTS = ("Abe", "Breadboard", "Pople", "Ranger")
"""As tables have them, in their order."""

_PATHS = {
    ("Abe", "Breadboard"): (1e9, 3.25e-3, 10e9),
    ("Abe", "Pople"): (1e9, 9e-3, 10e9),
    ("Abe", "Ranger"): (10e9, 13.5e-3, 10e9),
    ("Breadboard", "Breadboard"): (1e9, 50e-6, 1e9),
    ("Breadboard", "Pople"): (1e9, 9e-3, 1e9),
    ("Breadboard", "Ranger"): (1e9, 13.5e-3, 10e9),
    ("Pople", "Ranger"): (1e9, 20.25e-3, 10e9),
}
"""Client and server of each file in ``topologies/``, by what tells it apart: rate of the
bottleneck, its delay and rate of the other links."""


def published(table: str) -> pd.DataFrame:
    """Return a table of the paper by the name of its file."""
    return pd.read_csv(PUBLISHED / f"{table}.csv", comment="#")


def ends(scenario: Mapping[str, Any]) -> tuple[str, str]:
    """Return the hosts that send and receive the data of a run; "" and "" on no path of theirs."""
    found = [scenario[key] for key in ("bandwidth_bps", "delay_s", "access_bandwidth_bps")]
    for pair, told in _PATHS.items():
        if all(math.isclose(one, other) for one, other in zip(found, told, strict=True)):
            return pair if scenario["direction"] == "upload" else (pair[1], pair[0])
    return "", ""


def pair(scenario: Mapping[str, Any]) -> str:
    """Return sender and receiver of a run, as ``Abe-Pople``."""
    return "-".join(ends(scenario))


def pairs() -> list[str]:
    """Return all pairs of different hosts, in the order of the paper's tables."""
    return [f"{a}-{b}" for a in HOSTS for b in HOSTS if a != b]


def buffer(scenario: Mapping[str, Any]) -> str:
    """Return the buffer that a run asks for, as the paper has it: default, BDP, 4MB, ..."""
    if scenario["buffers"] != "fixed":
        return "default"
    megabytes = scenario["window_bytes"] / 2**20
    return f"{megabytes:g}MB" if megabytes in SIZES else "BDP"


SIZES = (4.0, 8.0, 16.0, 32.0)
"""Buffers that are asked for on all paths, 2^20 bytes."""

BUFFERS = ("default", "BDP", *(f"{size:g}MB" for size in SIZES))
"""All of them as `buffer` has them."""
