"""Stores made of given results, for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from experiments.store.store import DONE, Ended, Run, Store


def fill(
    path: Path,
    sweep: str,
    labelled: Iterable[tuple[str, Mapping[str, Any]]],
    figure: str | None = None,
    undone: Iterable[tuple[str, Mapping[str, Any]]] = (),
) -> Path:
    """Keep results as those of a sweep.

    Args:
        path: of the store.
        sweep: its name.
        labelled: label and result.
        figure: the kind it is drawn as.
        undone: label and scenario of further runs, which are declared alone.
    """
    done = [(label, Run({}, data["scenario"], "sources"), data) for label, data in labelled]
    planned = [(label, run) for label, run, _ in done]
    planned += [(label, Run({}, scenario, "sources")) for label, scenario in undone]
    with Store(path, create=True) as store:
        store.plan(sweep, planned, f"Title of {sweep}", figure)
        store.record(
            [],
            [Ended(run.key, DONE, 1.0, json.dumps(data).encode(), data) for _, run, data in done],
        )
    return path
