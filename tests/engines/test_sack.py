"""SACK, timestamps and limited transmit on both engines, and what engine ns3 says of ns-3."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import Runner

TRANSFER = "gridftp-transfer"
BASE = ("--mode=fixed", "--parallelism=2", "--file-size=6MB", "--delay=10ms", "--json")
PRR = "--set=ns3::TcpL4Protocol::RecoveryType=ns3::TcpPrrRecovery"


def result(run_program: Runner, engine: str, *words: str) -> dict[str, Any]:
    """Return the session's result."""
    done = run_program(TRANSFER, f"--engine={engine}", *BASE, *words)
    assert done.returncode == 0, done.stderr
    session: dict[str, Any] = json.loads(done.stdout)["sessions"][0]
    return session


@pytest.mark.parametrize(
    "options",
    [
        ("--sack=on",),
        ("--timestamps=on",),
        ("--limited-transmit=on",),
        ("--sack=on", "--timestamps=on"),
        ("--timestamps=on", "--limited-transmit=on", "--delayed-ack=2"),
    ],
)
@pytest.mark.parametrize("tcp", ["reno", "cubic"])
def test_both_engines_are_equal(run_program: Runner, options: tuple[str, ...], tcp: str) -> None:
    words = (*options, f"--tcp={tcp}", "--queue=20p", "--window=1MiB", "--random-loss=0.01")
    session = result(run_program, "segment", *words)
    assert session == result(run_program, "ns3", *words)
    assert session["tcp"]["retransmissions"] > 0


def test_sack_is_that_of_ns3_after_3_48(run_program: Runner) -> None:
    # Stock ns-3 3.44 has 32.3 Mbit/s: contrib/gridftp/doc/how-to/ns3-tree.md
    words = ("--sack=on", "--tcp=cubic", "--queue=20p", "--window=1MiB")
    for engine in ("segment", "ns3"):
        assert f"{result(run_program, engine, *words)['goodput_bps'] / 1e6:.1f}" == "42.8", engine


def test_engine_ns3_names_the_faults_of_ns3(run_program: Runner) -> None:
    def said(engine: str, *words: str) -> str:
        return run_program(TRANSFER, f"--engine={engine}", *BASE, *words).stderr

    assert said("segment", "--sack=on") == ""
    assert said("ns3", "--timestamps=on", "--limited-transmit=on") == ""
    assert "its issues 1190 and 1349" in said("ns3", "--sack=on")
    assert "its issues 1282, 1350 and 1351" in said("ns3", PRR)
