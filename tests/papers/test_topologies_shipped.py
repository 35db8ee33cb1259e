"""The topology files that are shipped: each is read, and says what its paper's table says."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT
from spec_tools import transfer

FILES = sorted(ROOT.glob("papers/*/topologies/*.topology"))

ANGLANO = {
    "ottawa": {
        "taiwan": (300, 97),
        "atlanta": (49, 98),
        "houston": (65, 98),
        "montreal": (23, 101),
    },
    "atlanta": {"taiwan": (230, 99), "houston": (20, 100), "montreal": (49, 100)},
    "taiwan": {"atlanta": (229, 97), "houston": (233, 95), "montreal": (243, 96)},
}
"""Anglano and Canonico, Table 1: client, server, round-trip time in ms and capacity in Mbit/s."""

MEASURED_THE_OTHER_WAY = {("atlanta", "ottawa"), ("taiwan", "ottawa")}
"""Rows of their Table 3 that Table 1 has with client and server exchanged alone."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_topology_that_is_shipped_is_read(path: Path) -> None:
    read = transfer().resolve(f"--topology={path}")
    assert read != transfer().resolve(), "it says something"


def test_there_is_a_path_for_each_row_of_anglano() -> None:
    rows = {(client, server) for client, servers in ANGLANO.items() for server in servers}
    shipped = {tuple(path.stem.split("-")) for path in FILES if path.parts[-3] == "anglano"}
    assert shipped == rows | MEASURED_THE_OTHER_WAY


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.parts[-3] == "anglano"], ids=lambda path: path.stem
)
def test_paths_of_anglano_are_those_of_its_table(path: Path) -> None:
    ends = client, server = path.stem.split("-")
    a, b = (server, client) if (client, server) in MEASURED_THE_OTHER_WAY else ends
    round_trip_ms, capacity_mbps = ANGLANO[a][b]
    read = transfer().resolve(f"--topology={path}")
    one_way_s = read["delay_s"] + 2 * read["access_delay_s"]
    assert 2 * one_way_s == pytest.approx(round_trip_ms / 1000, rel=1e-12)
    assert read["bandwidth_bps"] == capacity_mbps * 1_000_000
    assert read["access_bandwidth_bps"] > read["bandwidth_bps"]
    if "taiwan" not in ends:
        assert read["limit_rate_bps"] == 0
        return
    assert read["limit_rate_bps"] == 10_000_000
    assert read["limit_at"] == ("client" if client == "taiwan" else "server")
    for kind in ("policer", "shaper"):
        beside = transfer().resolve(f"--topology={path}", f"--limit-kind={kind}")
        assert beside == {**read, "limit_kind": kind}
