"""Which tests a mutant meets, and in which order: what costs least comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.mutant import Mutant
from tests.mutants.worker import LIVED, UNNOTICED, Limits, Worker

CXX = Mutant("core/part.cc", 1, "a < b;", "a <= b;")
ALL = ["build", "golden segment", "suite", "suite", "pytest", "pytest", "golden ns3"]


class Scripted(Worker):
    """A copy of one file, which builds nothing: the test says what fails."""

    def __init__(self, place: Path, failing: str) -> None:
        super().__init__(place, place, place, Limits())
        source = place / "tree" / CXX.file
        source.parent.mkdir(parents=True)
        source.write_text("a < b;\n")
        self.source = source
        self.asked: list[str] = []
        self.sources: set[str] = set()
        self._failing = failing

    def _run(self, command: list[str | Path], seconds: float, **variables: str) -> bool:
        words = [str(word) for word in command]
        name = (
            f"golden {words[-1]}"
            if "tests.golden" in words
            else next(name for name in ("build", "suite", "pytest") if name in " ".join(words))
        )
        self.asked.append(name)
        self.sources.add(self.source.read_text())
        return name != self._failing


@pytest.mark.parametrize(
    ("failing", "verdict", "asked"),
    [
        ("build", "does not compile", 1),
        ("golden segment", "golden", 2),
        ("suite", "suite", 3),
        ("pytest", "pytest", 5),
        ("golden ns3", "golden", 7),
        ("nothing", LIVED, 7),
    ],
)
def test_a_mutant_meets_the_tests_until_one_notices_it(
    tmp_path: Path, failing: str, verdict: str, asked: int
) -> None:
    worker = Scripted(tmp_path, failing)
    assert worker.judge(CXX, suites_alone=False, lived_them=False)[0] == verdict
    assert worker.asked == ALL[:asked]
    assert worker.sources == {"a <= b;\n"}
    assert worker.source.read_text() == "a < b;\n"


def test_the_suites_alone_ask_no_recorded_results(tmp_path: Path) -> None:
    worker = Scripted(tmp_path, "nothing")
    assert worker.judge(CXX, suites_alone=True, lived_them=False)[0] == UNNOTICED
    assert worker.asked == ["build", "suite", "suite"]


def test_suites_that_are_known_to_notice_nothing_are_not_asked_again(tmp_path: Path) -> None:
    worker = Scripted(tmp_path, "golden ns3")
    assert worker.judge(CXX, suites_alone=False, lived_them=True)[0] == "golden"
    assert "suite" not in worker.asked
