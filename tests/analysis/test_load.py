"""The load of a server over time, worked out by hand."""

from __future__ import annotations

import math

import pytest

from analysis.statistics.load import load_of, load_over_time, transfers

DATA = {
    "scenario": {"sessions": [{"server_memory_bytes": size} for size in (10, 4, 1)]},
    "sessions": [
        {"files": [{"size_bytes": 100, "start_s": 0, "end_s": 4},
                   {"size_bytes": 100, "start_s": 6, "end_s": 8}]},
        {"files": [{"size_bytes": 50, "start_s": 2, "end_s": 4}]},
        {"bytes": 7},
    ]
}  # fmt: skip


def test_each_file_of_each_client_is_a_transfer() -> None:
    table = transfers(DATA)
    assert list(table["session"]) == [0, 0, 1]
    assert list(table["end_s"]) == [4, 8, 4]
    assert list(table["memory_bytes"]) == [10, 10, 4]


def test_averages_over_the_time_before() -> None:
    load = load_over_time(transfers(DATA), average_s=4, step_s=2)
    assert list(load["time_s"]) == [0, 2, 4, 6, 8]
    # The first client stays while nothing moves between its files; the second for 2 s.
    assert load["clients"].tolist() == pytest.approx([0, 0.5, 1.5, 1.5, 1.0])
    assert load["memory_bytes"].tolist() == pytest.approx([0, 5, 12, 12, 10])
    # 25 byte/s from 0 to 4 s, as much of the second client from 2 to 4 s, 50 from 6 to 8 s.
    assert load["throughput_bps"].tolist() == pytest.approx([0, 100, 300, 200, 200])
    assert load["response_s"].tolist()[2:] == [3, 3, 2]
    assert math.isnan(load["response_s"][0])


def test_a_servers_cpu_is_busy_as_its_bytes_are_moved() -> None:
    # 2.5 s for the 250 bytes of all files; the first session's server is that of all.
    hosts = [{"sender": {"cpu_busy_s": 2.5}}, {"sender": {"cpu_busy_s": 9}}, {}]
    busy = [{**own, "host": host} for own, host in zip(DATA["sessions"], hosts, strict=True)]
    load = load_of({**DATA, "sessions": busy}, average_s=4, step_s=2)
    assert load["cpu"].tolist() == pytest.approx([0, 0.125, 0.375, 0.25, 0.25])
    assert load_of(DATA, average_s=4, step_s=2)["cpu"].isna().all()


def test_of_no_transfer_there_is_no_load() -> None:
    nobody = {"scenario": {"sessions": [{"server_memory_bytes": 0}]}, "sessions": [{}]}
    load = load_over_time(transfers(nobody), average_s=60, step_s=1)
    assert load["throughput_bps"].sum() == 0
