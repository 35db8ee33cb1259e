"""Who sizes the buffers: what readers call it, and how every figure of the paper draws it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.drawing import style

POLICY = "policy"
"""Column of who sizes the buffers."""


@dataclass(frozen=True)
class Look:
    """How a policy is drawn."""

    label: str
    color: str
    marker: str
    dashes: tuple[float, ...] = ()

    def line(self) -> dict[str, Any]:
        """Return the keywords of matplotlib's ``plot``."""
        return {
            "label": self.label,
            "color": self.color,
            "linestyle": (0, self.dashes) if self.dashes else "-",
            "marker": self.marker,
            "markersize": 3.8,
            "markerfacecolor": "white",
            "markeredgewidth": 1.0,
        }


# Okabe and Ito's colours; dashes tell apart what lies on top of each other, and in grey.
LOOKS: Mapping[str, Look] = {
    "fixed, 64 KiB": Look("stock, 64 KiB", "#000000", "o"),
    "fixed, 212.5 KiB": Look("under-provisioned, 212.5 KiB", "#E69F00", "v"),
    "fixed, 1.68 MiB": Look("fixed, 1.68 MiB", "#56B4E9", "P", (1.5, 1)),
    "fixed, 16 MiB": Look("over-provisioned, 16 MiB", "#0072B2", "s"),
    "drs-ftp": Look("drsFTP", "#D55E00", "D", (5, 1.5)),
    "drs-gridftp": Look("DRS-enabled GridFTP", "#D55E00", "D", (5, 1.5)),
    "drs-kernel": Look("DRS in the kernel", "#009E73", "^", (3, 1, 1, 1)),
    "linux-receiver": Look("Linux's receiver", "#CC79A7", "X", (1, 1)),
}
"""How each policy is drawn, in the order of legends."""


def with_policy(runs: pd.DataFrame) -> pd.DataFrame:
    """Return runs with a column of who sizes their buffers: a name of `LOOKS`, or like one."""
    names = [
        buffers if buffers != "fixed" else f"fixed, {_size(window)}"
        for buffers, window in zip(runs["buffers"], runs["window_bytes"], strict=True)
    ]
    return runs.assign(**{POLICY: names})


def _size(window: float) -> str:
    # 1720 KiB is told as a share of the units above it.
    return f"{window / 2**20:.3g} MiB" if window >= 2**20 else style.binary_bytes(window)


def ordered(names: Iterable[str]) -> list[str]:
    """Return policies, each once, in the order of legends; others at the end."""
    there = set(names)
    return [*(name for name in LOOKS if name in there), *sorted(there.difference(LOOKS))]


def look(name: str) -> Look:
    """Return how a policy is drawn, known or not."""
    return LOOKS.get(name) or Look(name, style.GREY, ".")
