"""The study of assumptions: each claim under each setting of what the paper leaves unsaid.

Its sweep has every block once for each setting; a label is the setting's name, `SETTING_MARK` and
the block's own label: ``once`` (the transfer of Figures 3 and 4), ``bandwidth`` and ``single``
(Figure 5), ``delay`` (Figure 6), ``eta`` (Figure 7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pandas as pd

from . import stored
from .claims import Judged, Transfers, claims_of, judge
from .claims.sweeps import judge_sweep, sweep_claims_of
from .results import Result
from .stored import SETTING_MARK

PAPER = "ito"
"""The paper whose claims are judged."""

_SWEEPS = {
    "fig05": {"bandwidth": "segment", "single": "single"},
    "fig06": {"delay": "segment"},
    "fig07": {"eta": "segment"},
}
"""For each sweep that claims are judged on: which blocks stand for which of its labels."""


def judge_settings(store: Path, sweep: str) -> pd.DataFrame:
    """Return every claim judged under every setting.

    The paper's conditions do not apply: a setting departs from them on purpose.

    Returns:
        One row per setting and claim, in the order of the sweep and of the claims: ``setting``,
        ``claim``, ``verdict``, ``measured``, ``reason``.

    Raises:
        ResultError: the store cannot be read.
    """
    table = stored.run_table(store, sweep)
    if not len(table):
        return pd.DataFrame(columns=["setting", "claim", "verdict", "measured", "reason"])
    table[["setting", "block"]] = table["label"].str.split(
        SETTING_MARK, n=1, expand=True, regex=False
    )
    single = _single_results(store, sweep)
    rows = [
        (setting, item.id, item.verdict, item.measured, item.reason)
        for setting, runs in table.groupby("setting", sort=False)
        for item in _judge(PAPER, single.get(setting, {}), runs)
    ]
    return pd.DataFrame(rows, columns=["setting", "claim", "verdict", "measured", "reason"])


def shares(judged: pd.DataFrame) -> pd.DataFrame:
    """Return for each claim under how many of the settings it holds, and of how many.

    Columns: ``claim``, ``holds``, ``judged`` (where there is a verdict).
    """
    rows = []
    for claim, rest in judged.groupby("claim", sort=False):
        known = rest[rest["verdict"] != "cannot be judged"]
        rows.append((claim, int((known["verdict"] == "holds").sum()), len(known)))
    return pd.DataFrame(rows, columns=["claim", "holds", "judged"])


def _single_results(store: Path, sweep: str) -> dict[str, dict[str, Result]]:
    """Return the results of the blocks ``once``: by setting, then by mode."""
    found: dict[str, dict[str, Result]] = {}
    for label, result in stored.results(store, sweep):
        setting, _, block = label.partition(SETTING_MARK)
        if block == "once":
            found.setdefault(setting, {})[result.mode] = result
    return found


def _judge(paper: str, results: Mapping[str, Result], runs: pd.DataFrame) -> Iterator[Judged]:
    for claim in claims_of(paper):
        yield judge(replace(claim, conditions={}), Transfers(results))
    frames = {name: _frame(runs, blocks) for name, blocks in _SWEEPS.items()}
    for claim in sweep_claims_of(paper):
        yield judge_sweep(replace(claim, conditions={}), frames[claim.sweep])


def _frame(runs: pd.DataFrame, blocks: Mapping[str, str]) -> pd.DataFrame:
    """Return the runs of some blocks as the runs of a sweep, with its labels."""
    chosen = runs[runs["block"].isin(list(blocks))]
    return chosen.assign(label=chosen["block"].map(blocks)).drop(columns=["setting", "block"])
