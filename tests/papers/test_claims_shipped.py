"""The claims that are shipped speak of sweeps and sets that there are."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from analysis.claims.runs import run_claims_of
from analysis.papers import Paper, papers
from experiments.programs.program import locate
from experiments.verbs.sweep import load_sweeps

STUDIED = [paper for paper in papers().values() if paper.spec(paper.sweep("assumptions")).is_file()]
"""Those with a study of what they do not say."""

JUDGED = [paper for paper in papers().values() if (paper.folder / "claims.toml").is_file()]
"""Those with claims."""


def labels(paper: Paper, sweep: str) -> set[str]:
    with paper.spec(sweep).open("rb") as file:
        return {block["label"] for block in tomllib.load(file)["block"]}


def studies(paper: Paper) -> list[str]:
    """Return the sweeps of a paper that judge its claims under other settings."""
    return [
        sweep
        for sweep in paper.sweeps()
        if tomllib.loads(paper.spec(sweep).read_text()).get("figure") == "assumptions"
    ]


@pytest.mark.parametrize("paper", papers().values(), ids=lambda paper: paper.name)
def test_sets_that_numbers_are_of(paper: Paper) -> None:
    for claim in run_claims_of(paper):
        known = labels(paper, claim.sweep)
        for numbers in filter(None, (claim.numbers, claim.over)):
            assert numbers.label in {None, *known}, claim.id


@pytest.mark.parametrize("paper", STUDIED, ids=lambda paper: paper.name)
def test_blocks_of_the_study_stand_for_sets_that_there_are(paper: Paper) -> None:
    blocks = set().union(*(labels(paper, study) for study in studies(paper)))
    for sweep, entry in paper.toml("claims.toml").get("sweeps", {}).items():
        studied = entry.get("studied", {})
        assert set(studied) <= blocks
        assert set(studied.values()) <= labels(paper, sweep)


@pytest.mark.parametrize("paper", JUDGED, ids=lambda paper: paper.name)
def test_no_two_claims_have_one_name(paper: Paper) -> None:
    data = paper.toml("claims.toml")
    names = [
        c["id"]
        for kind in ("claim", "sweep_claim", "run_claim", "table_claim")
        for c in data.get(kind, [])
    ]
    assert len(set(names)) == len(names) > 0


def test_claims_are_looked_for_in_the_papers() -> None:
    assert {"ito", "allcock", "gardner"} <= {paper.name for paper in JUDGED}
    assert {"ito", "allcock", "gardner"} <= {paper.name for paper in STUDIED}


def test_runs_as_shipped_are_those_that_claims_are_judged_on(programs: Path) -> None:
    """They are kept once, and the study of the starts tells what the starts alone change."""
    program = locate("gridftp-transfer")
    paper = papers()["allcock"]
    (study,) = load_sweeps([paper.spec("allcock/starts")], program)
    own = [run.key for label, run in study[1] if label.startswith("as shipped")]
    figures = [paper.spec(f"allcock/fig{number}") for number in ("08", "09", "10", "11")]
    known = {run.key for _, runs in load_sweeps(figures, program) for _, run in runs}
    assert len(own) == len(study[1]) / 2
    assert set(own) <= known
