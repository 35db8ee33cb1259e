"""Storage with tools other than GridFTP: options, results and what is refused."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from analysis.read import result_schema

Runner = Callable[..., subprocess.CompletedProcess[str]]

TOOLS = ("rbudp", "bbftp", "udt", "fobs")
PATH = (
    "--bandwidth=50Mbps",
    "--delay=2ms",
    "--queue=500p",
    "--window=256KiB",
    "--tool-rate=40Mbps",
)

KINDS = {
    "disk": {"rate": "20Mbps"},
    "parallel": {"rate": "30Mbps", "total-rate": "20Mbps"},
    "nfs": {"rate": "40Mbps", "latency": "1ms"},
    "page-cache": {"rate": "20Mbps", "memory-rate": "1Gbps", "dirty": "100KB", "cached": "100KB"},
}


def session(run_program: Runner, *words: str) -> dict[str, Any]:
    """Return the session of a transfer that comes to its end; the result is as its schema says."""
    done = run_program("gridftp-transfer", *PATH, *words, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result_schema.fault(result) is None
    return result["sessions"][0]


@pytest.mark.parametrize("engine", ["segment", "ns3"])
@pytest.mark.parametrize("tool", TOOLS)
def test_every_storage_goes_with_every_tool(run_program: Runner, tool: str, engine: str) -> None:
    for kind, parameters in KINDS.items():
        words = [f"--tool={tool}", f"--engine={engine}", "--file-size=1MB"]
        for end in ("source", "sink"):
            words += [f"--{end}={kind}", *(f"--{end}-{k}={v}" for k, v in parameters.items())]
        made = session(run_program, *words, "--direction=download")
        for use in ("read", "write"):
            assert made["storage"][use]["bytes"] == 1_000_000, kind
        assert ("receiver_drops" in made.get("udp", {})) == (tool != "bbftp")


@pytest.mark.parametrize("tool", TOOLS)
def test_the_cpu_takes_time_for_blocks(run_program: Runner, tool: str) -> None:
    words = (f"--tool={tool}", "--file-size=1MB", "--sink=disk", "--sink-rate=1Gbps")
    free = session(run_program, *words)
    slow = session(run_program, *words, "--receiver-file-rate=4Mbps")
    assert free["duration_s"] < 1
    assert slow["duration_s"] > 2  # 1 MB at 4 Mbit/s
    assert slow["host"]["receiver"]["cpu_file_system_s"] == pytest.approx(2, rel=1e-3)


def test_a_table_for_people_has_a_line_about_storage(run_program: Runner) -> None:
    words = ("--tool=udt", "--file-size=1MB", "--sink=disk", "--sink-rate=20Mbps")
    told = run_program("gridftp-transfer", *PATH, *words).stdout
    assert "  storage: wrote " in told


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("end", ["source", "sink"])
def test_a_disk_that_stands_still_holds_every_tool(
    run_program: Runner, tool: str, end: str
) -> None:
    words = (f"--tool={tool}", "--file-size=1MB", f"--{end}=disk", f"--{end}-rate=10Mbps")
    server = "server" if end == "sink" else "client"
    fault = f"--fault=kind=disk-stall,at=300ms,for=5s,server={server}"
    free = session(run_program, *words)["duration_s"]
    assert 0.8 < free < 2
    assert session(run_program, *words, fault)["duration_s"] == pytest.approx(free + 5, abs=1.5)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--source-depth=4"],
            '"--source-depth=4" is only for GridFTP; allowed with tool={}: 2',
        ),
        (["--sink-depth=1"], '"--sink-depth=1" is only for GridFTP; allowed with tool={}: 2'),
        (["--sink=disk"], "needs sink-rate"),
        (["--sink-rate=-1bps"], "--sink-rate=-1bps"),
        (["--fault=kind=disk-stall,at=1s,for=2s"], "needs a storage that takes time"),
        (["--sink=disk", "--sink-rate=1Gbps", "--fault=kind=disk-stall,at=1s"], "forever is only"),
        (["--tool-receive-buffer=1B"], "--tool-receive-buffer=1B"),
    ],
)
@pytest.mark.parametrize("tool", TOOLS)
def test_what_cannot_be_is_refused_in_one_line(
    run_program: Runner, tool: str, words: list[str], said: str
) -> None:
    done = run_program("gridftp-transfer", f"--tool={tool}", *words)
    assert done.returncode == 2
    assert not done.stdout
    (line,) = done.stderr.splitlines()
    assert said.format(tool).replace('"', "") in line.replace('"', "")
    assert "allowed" in line
