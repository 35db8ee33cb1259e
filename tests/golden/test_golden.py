"""Each engine gives what is recorded of it, to the digit."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import pytest

from experiments.programs.program import locate

from . import recorded

NS3_VERSION = "3.44"
"""Of the ns-3 whose TCP the results of engine ns3 are of."""


FIRST = 2
"""Of each file, what engine ns3 runs without --extensive: all take a minute and a half."""

on_the_same_processor = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="other processors may round a product and a sum at once"
)


@on_the_same_processor
@pytest.mark.parametrize("name", recorded.names())
def test_results_of_the_segment_engine(name: str, programs: Path) -> None:
    rows = list(recorded.simulate(name, "segment", programs))
    assert recorded.differences(name, "segment", rows) == []


@on_the_same_processor
@pytest.mark.parametrize("name", recorded.names())
@pytest.mark.parametrize(
    "most", [FIRST, pytest.param(None, marks=pytest.mark.extensive)], ids=["first", "all"]
)
def test_results_of_engine_ns3(name: str, most: int | None, programs: Path) -> None:
    version = locate("gridftp-transfer").provenance["ns3_version"]
    if version != NS3_VERSION:
        pytest.skip(f"recorded with ns-3 {NS3_VERSION}, not {version}")
    rows = list(recorded.simulate(name, "ns3", programs, most))
    assert recorded.differences(name, "ns3", rows, most) == []


def test_scenarios_are_of_both_engines_and_none_is_twice() -> None:
    lines = [line for name in recorded.names() for line in recorded.scenarios(name, "segment")]
    assert len(lines) == len(set(lines)) >= 600
    for engine in recorded.PROGRAMS:
        kept = [row for name in recorded.names() for row in recorded.read(name, engine)]
        assert len(kept) == len(lines)
        # Nearly all are transfers, not refusals, and not one transfer many times
        assert sum(row.status == "error" for row in kept) == 0
        assert len({row.digest for row in kept}) > 0.95 * len(kept)


def test_a_digest_sees_the_last_digit_and_no_words() -> None:
    result = {"status": "done", "cost": {"wall_s": 1}, "sessions": [{"a": [0.1], "reason": "x"}]}
    other = json.loads(json.dumps(result))
    other["cost"]["wall_s"], other["sessions"][0]["reason"] = 2, "y"
    assert recorded.digest_of(other) == recorded.digest_of(result)
    other["sessions"][0]["a"][0] = 0.10000000000000002
    assert recorded.digest_of(other) != recorded.digest_of(result)


def test_a_difference_is_shown_with_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    old = recorded.Row("a", "done", "1.5", "10", "3", "0")
    new = recorded.Row("b", "done", "1.25", "10", "3", "1")
    monkeypatch.setattr(recorded, "read", lambda name, engine: [old, old])
    assert recorded.differences("x", "segment", [old, new]) == [
        "segment x:2: duration_s 1.5 -> 1.25, retransmissions 0 -> 1"
    ]
    assert recorded.differences("x", "segment", [old]) == ["segment x: 1 results; recorded: 2"]
