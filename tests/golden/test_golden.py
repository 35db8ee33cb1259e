"""Each engine gives what is recorded of it, to the digit."""

from __future__ import annotations

import json
import platform
import struct
from pathlib import Path

import pytest

from experiments.programs.program import locate

from . import dialogues, recorded

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


@on_the_same_processor
@pytest.mark.parametrize("name", [name for name in recorded.names() if dialogues.read(name)])
@pytest.mark.parametrize(
    "most", [1, pytest.param(dialogues.MOST, marks=pytest.mark.extensive)], ids=["first", "all"]
)
def test_dialogues_of_engine_ns3(name: str, most: int, programs: Path) -> None:
    version = locate("gridftp-transfer").provenance["ns3_version"]
    if version != NS3_VERSION:
        pytest.skip(f"recorded with ns-3 {NS3_VERSION}, not {version}")
    rows = list(dialogues.simulate(name, programs, most))
    assert dialogues.differences(name, rows, most) == []


def test_dialogues_are_recorded_of_many_transfers() -> None:
    rows = [row for name in recorded.names() for row in dialogues.read(name)]
    assert len(rows) > 60
    assert all(int(row.connections) > 1 for row in rows)
    assert sum(int(row.lines) > 50 for row in rows) > 0.9 * len(rows)
    assert len({row.text for row in rows}) > 0.9 * len(rows)


def frame(source: int, target: int, sequence: int, flags: int, payload: bytes) -> bytes:
    """Return a packet of a capture: PPP, IPv4 and TCP without options."""
    tcp = struct.pack(">HHIIBBHHH", source, target, sequence, 0, 5 << 4, flags, 0, 0, 0)
    size = 40 + len(payload)
    ip = struct.pack(">BBHIBBH4s4s", 0x45, 0, size, 0, 64, 6, 0, b"\x0a\0\0\1", b"\x0a\0\0\2")
    packet = b"\0\x21" + ip + tcp + payload
    return struct.pack("<IIII", 0, 0, len(packet), len(packet)) + packet


def test_a_capture_gives_ports_and_lines_once_in_their_order() -> None:
    capture = bytes(24) + b"".join(
        [
            frame(49153, 2811, 9, 2, b""),
            frame(49153, 2811, 16, 16, b"QUIT\r\n"),
            frame(49153, 2811, 10, 16, b"NOOP\r"),
            frame(49153, 2811, 10, 16, b"NOOP\r\n"),
            frame(50000, 50001, 9, 2, b""),
            frame(50000, 50001, 10, 16, b"data"),
        ]
    )
    assert dialogues.connections_of(capture) == [(49153, 2811), (50000, 50001)]
    assert dialogues.texts_of(capture) == [b"NOOP\r\nQUIT\r\n"]


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
