"""The round-trip time of a path is that of both directions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.programs.path import round_trip_s
from experiments.programs.program import locate


@pytest.mark.parametrize(
    ("options", "expected_s"),
    [
        (["--delay=30ms"], 0.060),
        (["--delay=30ms", "--reverse-delay=70ms"], 0.100),
        (["--delay=30ms", "--reverse-delay=0ms", "--access-delay=1ms"], 0.034),
    ],
)
def test_the_round_trip_is_the_sum_of_both_directions(
    programs: Path, options: list[str], expected_s: float
) -> None:
    program = locate("gridftp-transfer")
    resolved = json.loads(program.call("--resolve", "--access-delay=0ms", *options))
    assert round_trip_s(resolved) == pytest.approx(expected_s, rel=1e-12)


def test_a_result_without_a_reverse_delay_has_one_delay() -> None:
    assert round_trip_s({"delay_s": 0.01, "access_delay_s": 0.001}) == pytest.approx(0.024)
