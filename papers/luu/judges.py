"""The tables and figures on which claims are judged, computed from simulated runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd

from analysis.read.results import MAIN_SESSION, Result, measured
from papers.luu.figures import tables


def _of_results(make: Callable[[tables.Runs], pd.DataFrame]) -> Callable[..., pd.DataFrame]:
    def table(kept: Iterable[tuple[str, Result]]) -> pd.DataFrame:
        return make(_run(label, result) for label, result in kept)

    return table


def _run(label: str, result: Result) -> tables.Run:
    return {**result.scenario, **measured(result.data)[MAIN_SESSION], "label": label}


TABLES = {
    make.__name__: _of_results(make)
    for make in (
        tables.memory,
        tables.disk,
        tables.streams,
        tables.server,
        tables.modules,
        tables.buffers,
        tables.speedups,
        tables.growth,
        tables.blocks,
    )
}


def kernel_load(data: Mapping[str, Any]) -> float:
    """Return the kernel's share of the sending host's CPU time."""
    host = data["sessions"][MAIN_SESSION]["host"]["sender"]
    own = {f"sender_{key}": value for key, value in host.items()}
    return tables.share(own, "sender", tables.KERNEL)


MEASURES = {kernel_load.__name__: kernel_load}
