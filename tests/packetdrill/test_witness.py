"""The random peer with which the Linux stack is compared with the running kernel."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

from tests.packetdrill import peer as peers
from tests.packetdrill.drill import Sent
from tests.packetdrill.reader import read_script
from tests.packetdrill.witness import Scenario, make_script, sample, simulate

LOSSLESS = peers.Path(rtt=10_000, loss=0, reordering=0, ack_loss=0)


def make_segment(number: int) -> Sent:
    """Return the segment of 1000 bytes with this number."""
    return Sent(0, ".", 1 + 1000 * number, 1000, 1, 65535, False)


def test_peer_acknowledges_as_rfc_2018_and_2883_have_it() -> None:
    peer = peers.Peer(LOSSLESS, random.Random(1))
    acks = []
    for number in (0, 2, 4, 2, 1, 1):
        peer.send(make_segment(number), 0)
        now = peer.get_time()
        assert now is not None
        acks.append(peer.acknowledge(now))
    assert acks == [
        (1001, []),
        (1001, [(2001, 3001)]),
        (1001, [(4001, 5001), (2001, 3001)]),
        (1001, [(2001, 3001), (2001, 3001), (4001, 5001)]),
        (3001, [(4001, 5001)]),
        (3001, [(1001, 2001), (4001, 5001)]),
    ]


def test_peer_spaces_its_acks() -> None:
    peer = peers.Peer(LOSSLESS, random.Random(1))
    times = []
    for number in range(20):
        peer.send(make_segment(number), 0)
    while (now := peer.get_time()) is not None:
        peer.acknowledge(now)
        times.append(now)
    assert len(times) == 20
    assert times[0] >= LOSSLESS.rtt
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert min(gaps) >= peers.GAP_US


def test_scenario_is_a_script(programs: Path, tmp_path: Path) -> None:
    scenario = Scenario(1, LOSSLESS, "cubic", 20)
    steps = simulate(scenario, programs)
    assert steps == simulate(scenario, programs)
    path = tmp_path / "script.pkt"
    path.write_text(make_script(scenario, steps), encoding="utf-8")
    script = read_script(path)
    assert len(script.events) == 10 + 2 * len(steps)
    assert len(steps) >= 20
    assert steps[-1].ack == 20_001
    assert steps[-1].values[0] >= 20  # nothing was lost


def test_random_scenarios_go_on(programs: Path) -> None:
    for seed in range(20):
        scenario = sample(seed)
        acks = [step.ack for step in simulate(scenario, programs)]
        assert acks == sorted(acks)
        assert acks[-1] > 1 + 1000 * scenario.segments // 2
