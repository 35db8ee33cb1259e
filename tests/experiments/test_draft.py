"""A line of a batch as flat options: on a command line they stand for the same."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from experiments.programs.draft import Draft, command_line, draft_of, lab_address
from experiments.programs.option_table import OptionTable
from experiments.programs.program import locate
from experiments.programs.resolve import resolve_lines

LINES: list[dict[str, Any]] = [
    {},
    {"mode": "aimd", "eta": "0.5", "run": "3"},
    {"engine": "ns3", "sack": True, "timestamps": "on"},
    # as the store keeps lines that named files: SI units
    {"bandwidth_bps": 612_000_000, "delay_s": 0.0001, "access_delay_s": 0, "window_bytes": 15300,
     "file_size_bytes": 4_590_000_000, "receiver_packet_cpu_s": 1.01e-7, "queue_packets": 7,
     "sack": False, "beta": 0.25, "topology": "dumbbell", "tool_fobs_batch_packets": 3},
    {"tcp": "newreno", "background": [{}, {"load": "0.1"}]},
    {"mode": "aimd", "sessions": [{}, {}, {"mode": "mi", "delay": "30ms"}]},
    {"window": "1MiB", "sessions": [{"window": "64KiB"}, {"start": "2s"}, {"window": "32KiB"}]},
    {"faults": [{"kind": "dtp-dies", "at": "5s"}], "retries": "1"},
    {"arrivals": [], "parallelism": "4", "mode": "fixed"},
]  # fmt: skip


@pytest.fixture(scope="module")
def table(programs: Path) -> OptionTable:
    return OptionTable.read(locate("gridftp-transfer").object("--describe"))


@pytest.mark.parametrize("line", LINES)
def test_the_command_line_stands_for_the_same(line: dict[str, Any], table: OptionTable) -> None:
    program = locate("gridftp-transfer")
    draft = draft_of(line, table)
    assert draft is not None
    begin, verb, *options = shlex.split(command_line(draft))
    assert (begin, verb) == ("./gridftp", "run")
    (meant,) = resolve_lines(program, [line])
    assert program.resolve(*options) == meant
    assert resolve_lines(program, [draft.line()]) == [meant]


def test_numbers_are_short_and_defaults_are_left_out(table: OptionTable) -> None:
    draft = draft_of(LINES[3], table)
    assert draft is not None
    assert command_line(draft) == (
        "./gridftp run --bandwidth=612Mbps --delay=100us --queue=7p --access-delay=0ns "
        "--tool-fobs-batch=3 --beta=0.25 --file-size=4590MB --window=15300B "
        "--receiver-packet-cpu=101ns"
    )


@pytest.mark.parametrize(
    "line",
    [
        {"arrivals": [{"count": "3", "interval": "1s", "process": "fixed"}]},
        {"sessions": [{"delay": "30ms"}]},
    ],
)
def test_what_flat_options_cannot_say(line: dict[str, Any], table: OptionTable) -> None:
    assert draft_of(line, table) is None


def test_an_address_is_escaped() -> None:
    draft = Draft({"mode": "external:a b&c=#"}, ["mode=mi,delay=30ms"])
    assert lab_address(draft) == (
        "http://127.0.0.1:8000/#mode=external:a%20b%26c%3D%23&session=mode%3Dmi,delay%3D30ms"
    )
