"""The profiler finds what is planted in generated transfers, and its advice helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.__main__ import main
from experiments.profile.inquire import inquire
from experiments.profile.planted import KINDS, NOTHING, Planted, Score, plant
from experiments.programs.program import locate


# Each kind once by default, and one of them may be taken for another. The transfers of seed 251 are
# short.
@pytest.mark.parametrize(
    ("count", "seed", "right"),
    [(len(KINDS), 251, len(KINDS) - 1), pytest.param(60, 1, 57, marks=pytest.mark.extensive)],
)
def test_what_is_planted_is_named_and_the_advice_helps(
    programs: Path, count: int, seed: int, right: int
) -> None:
    made = plant(count, seed)
    score = Score(made, inquire(locate("gridftp-transfer"), [one.line for one in made], 2))
    print(f"\n{score.confusion()}")
    assert {one.limit for one in made} == set(KINDS)
    assert score.right() >= right, score.confusion()
    assert score.unhelpful() == []


def test_draws_are_the_same_every_time() -> None:
    assert plant(20) == plant(20)
    assert plant(20) != plant(20, seed=2)
    assert plant(30)[:20] == plant(20)


def test_the_table_counts_what_was_named() -> None:
    made = [Planted("window", {}), Planted("window", {}), Planted(NOTHING, {})]

    class Named(Score):
        def named(self) -> list[str]:
            return ["window", "loss", NOTHING]

    score = Named(made, [None, None, None])
    assert score.right() == 2
    assert score.confusion().splitlines() == [
        "planted  named   1   2   3",
        "window       1   1   .   1",
        "none         2   .   1   .",
        "3 is loss",
    ]


def test_the_verb_prints_it(programs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "--check", "2"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("planted")
    assert " of 2 transfers; the advice " in told[-1]
