"""Studies of claims about single runs: how their numbers move with the starts spread."""

from __future__ import annotations

from pathlib import Path

import pytest
from some_papers import use_papers
from test_study import OF_NUMBERS, OF_WINDOWS

from analysis.claims import study
from analysis.claims.runs import DEFINITIONS
from analysis.read import stored
from experiments.__main__ import main
from experiments.draw.draw import judge_all
from experiments.draw.evidence import load_evidence

OF_STARTS = """
[sweeps.more]
studied = { many = "many", alone = "alone" }
[[run_claim]]
id = "many"
where = "Sec. 2"
text = "several connections are fast"
sweep = "more"
label = "many"
measure = "sessions.0.goodput_bps"
unit = "Mbit/s"
scale = 1e6
at_least = 2e6
[[run_claim]]
id = "alone"
where = "Sec. 2"
text = "all is sent"
sweep = "more"
label = "alone"
measure = "sessions.0.bytes"
unit = "kB"
scale = 1e3
at_least = 2e6
"""

MORE = """
title = "More"
[fixed]
mode = "fixed"
file-size = "2MB"
[[block]]
label = "many"
[block.fixed]
parallelism = 4
[[block]]
label = "alone"
"""

SPREAD = """
[[setting]]
name = "as shipped"
[[setting]]
name = "spread"
[setting.fixed]
start-jitter = "100ms"
"""


def test_claims_about_single_runs_say_how_they_move_over_spread_starts(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = use_papers(tmp_path / "papers", monkeypatch) / "windows"
    (folder / "sweeps").mkdir(parents=True)
    (folder / "paper.toml").write_text('title = "Windows"\nheading = "Windows"\n')
    (folder / "claims.toml").write_text(OF_NUMBERS + OF_STARTS)
    specs = {
        "assumptions": OF_WINDOWS,
        "more": MORE,
        "starts": MORE.replace("\n[fixed]", f'\nfigure = "assumptions"\n{SPREAD}\n[fixed]'),
    }
    for name, text in specs.items():
        (folder / "sweeps" / f"{name}.toml").write_text(text)
    store = tmp_path / "store.sqlite"
    paths = [str(folder / "sweeps" / f"{name}.toml") for name in specs]
    assert main(["sweep", *paths, f"--store={store}"]) == 0
    # A study judges the claims that its own blocks are about.
    for name, own in (("assumptions", ["wider"]), ("starts", ["many", "alone"])):
        judged = study.judge_settings(store, f"windows/{name}")
        assert judged["claim"].drop_duplicates().tolist() == own
    told = study.moves(store, "windows/starts")
    runs = stored.session_table(store, "windows/starts").set_index("label")["goodput_bps"]
    shipped, spread = runs["as shipped | many"], runs["spread | many"]
    assert shipped != spread
    assert told["many"] == f"{spread / 1e6:.3g} Mbit/s with start times spread over 100 ms"
    assert told["alone"] == "the same with start times spread over 100 ms"
    (one,) = judge_all(load_evidence(store))
    moves = {item.id: item.moves for item in one.judged}
    assert moves == {name: f"one run, deterministic; {told[name]}" for name in ("many", "alone")}
    assert set(DEFINITIONS) <= set(one.basis)
