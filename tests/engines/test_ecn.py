"""--ecn: queue disciplines mark packets, and senders slow down without a loss."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Runner

TRANSFER = "gridftp-transfer"
FULL = (
    "--mode=fixed", "--parallelism=2", "--bandwidth=20Mbps", "--delay=5ms", "--window=128KiB",
    "--file-size=6MB", "--chunk-size=6MB",
)  # fmt: skip
"""A queue of packets that wait for up to 80 ms, unless a discipline keeps it short."""

SENDERS = ("--engine=ns3", "--engine=segment", "--stack=linux")


def run(run_program: Runner, *words: str) -> dict[str, Any]:
    """Return the result of a transfer that has to succeed."""
    done = run_program(TRANSFER, *FULL, *words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("discipline", ["red", "codel", "fq-codel", "pie"])
@pytest.mark.parametrize("senders", SENDERS)
def test_packets_are_marked_where_they_were_dropped(
    senders: str, discipline: str, run_program: Runner
) -> None:
    queue = (senders, "--queue=1000p", f"--queue-discipline={discipline}", "--detail=on")
    (without,) = run(run_program, *queue)["links"]
    (marked,) = run(run_program, *queue, "--ecn=on")["links"]
    assert "marks" not in without
    assert without["drops"] > 0
    assert marked["marks"] > 0
    assert marked["drops"] < without["drops"]
    # Without ECN and discipline windows of 256 KiB wait for 80 ms
    assert marked["mean_queue_delay_s"] < 0.04


@pytest.mark.parametrize("discipline", ["red", "codel", "fq-codel", "pie"])
def test_both_engines_mark_the_same_packets(discipline: str, run_program: Runner) -> None:
    words = ("--queue=1000p", f"--queue-discipline={discipline}", "--ecn=on", "--detail=on")
    own, reference = (run(run_program, *words, engine) for engine in SENDERS[1::-1])
    assert own["links"][0]["marks"] > 0
    assert own["links"] == reference["links"]
    assert own["sessions"] == reference["sessions"]


def test_both_kinds_of_devices_mark_the_same_packets(run_program: Runner) -> None:
    words = ("--engine=ns3", "--queue=1000p", "--queue-discipline=fq-codel", "--ecn=on")
    lean, usual = (run(run_program, *words, f"--links={links}") for links in ("lean", "ns3"))
    assert lean["links"][0]["marks"] > 0
    assert lean["links"] == usual["links"]
    assert lean["sessions"] == usual["sessions"]


@pytest.mark.parametrize("senders", SENDERS)
def test_drop_tail_marks_nothing(senders: str, run_program: Runner) -> None:
    (link,) = run(run_program, senders, "--queue=20p", "--ecn=on")["links"]
    assert link["marks"] == 0
    assert link["drops"] > 0


@pytest.mark.parametrize("senders", SENDERS)
def test_the_text_has_the_marks(senders: str, run_program: Runner) -> None:
    done = run_program(TRANSFER, *FULL, senders, "--ecn=on", "--queue-discipline=codel")
    assert done.returncode == 0
    line = next(line for line in done.stdout.splitlines() if "bottleneck: utilisation" in line)
    assert " drops, " in line
    assert " marks, queue " in line
