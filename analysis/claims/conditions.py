"""The conditions that a paper makes its claims under: ``[conditions]`` of ``<paper>.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def conditions_of(paper: str) -> Mapping[str, tuple[float, ...]]:
    """Return the values that fit the paper's words, by the scenario's key; the likeliest one first.

    Raises:
        OSError: there is no such file.
    """
    path = Path(__file__).with_name(f"{paper}.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))["conditions"]
    return {k: tuple(v) if isinstance(v, list) else (v,) for k, v in data.items()}
