"""Transfers of a log by endpoints, streams, stripes, buffer and size, and their rates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from made_up_transfers import log_line

from experiments.transfer_logs.files import read_transfers
from experiments.transfer_logs.groups import Group, groups_of

Groups = Callable[[list[str]], list[Group]]


@pytest.fixture
def groups(tmp_path: Path) -> Groups:
    """A function that returns the groups of lines."""

    def of(lines: list[str]) -> list[Group]:
        file = tmp_path / "gridftp.log"
        file.write_text("\n".join(lines))
        return groups_of(read_transfers([file])[0])

    return of


def test_quartiles(groups: Groups) -> None:
    """800 Mbit in 1, 2, 4, 8 and 16 s."""
    lines = [log_line(100 * n, 2**n) for n in range(5)]
    (group,) = groups(lines)
    assert (group.low_bps, group.median_bps, group.high_bps) == (100e6, 200e6, 400e6)


def test_groups_are_by_endpoints_streams_stripes_buffer_and_size(groups: Groups) -> None:
    lines = [
        log_line(),
        log_line(DEST="[192.0.2.8]"),
        log_line(TYPE="STOR"),
        log_line(STREAMS=8),
        log_line(STRIPES=2),
        log_line(BUFFER=0),
        log_line(NBYTES=10_000_000),
        log_line(),
    ]
    found = groups(lines)
    assert sorted(group.count for group in found) == [1, 1, 1, 1, 1, 1, 2]


def test_many_sizes_are_put_together_by_decades(groups: Groups) -> None:
    sizes = [100_000_000, *range(1_000_000, 9_900_000, 50_000)]
    found = groups([log_line(NBYTES=size) for size in sizes])
    assert [(group.sizes, group.count) for group in found] == [
        ("1 MB to 10 MB", len(sizes) - 1),
        ("100 MB to 1 GB", 1),
    ]
    assert found[0].size == sorted(sizes[1:])[(len(sizes) - 2) // 2]


def test_how_many_are_in_progress_at_a_time(groups: Groups) -> None:
    """0 to 8 s, 4 to 12 s, another pair from 0 to 8 s: each of the first two has 1.5."""
    lines = [log_line(0), log_line(4, STREAMS=8), log_line(0, DEST="[192.0.2.8]")]
    found = groups(lines)
    by_key = {(g.setting.destination, g.setting.streams): g.at_once for g in found}
    assert by_key == {("192.0.2.7", 4): 1.5, ("192.0.2.7", 8): 1.5, ("192.0.2.8", 4): 1.0}
