"""Jitter, reordering and the random processing time of hosts, from the command line."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from conftest import Runner
from manual_pages import manual

TRANSFER = "gridftp-transfer"
ONE = ("--mode=fixed", "--parallelism=1")


def run(run_program: Runner, *words: str) -> dict[str, Any]:
    """Return the result of a transfer that has to succeed."""
    done = run_program(TRANSFER, *words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def page() -> str:
    """Return the text of the manual."""
    return manual()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--reorder=0.1", "--delay=0ms"],
            "--reorder=0.1 needs a delay that packets can skip; allowed with it: --delay or "
            "--delay-jitter above 0ms",
        ),
        (
            ["--delay-jitter=1ms", "--engine=ns3", "--links=ns3"],
            "--delay-jitter=1ms is not for ns-3's own devices; allowed with --links=ns3: 0ms",
        ),
        (
            ["--reorder=0.1", "--engine=ns3", "--links=ns3"],
            "--reorder=0.1 is not for ns-3's own devices; allowed with --links=ns3: 0",
        ),
        (
            ["--host-overhead=1ms", "--engine=ns3", "--links=ns3"],
            "--host-overhead=1ms is not for ns-3's own devices; allowed with --links=ns3: 0ms",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    words: list[str], message: str, run_program: Runner
) -> None:
    done = run_program(TRANSFER, *words)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{TRANSFER}: {message}\n")


@pytest.mark.parametrize(
    "word",
    [
        "--reorder=1.1",
        "--reorder=-0.1",
        "--reorder-gap=0p",
        "--reorder-correlation=1",
        "--delay-jitter-correlation=1",
        "--delay-jitter-distribution=gauss",
        "--delay-jitter-order=none",
        "--delay-jitter-at=forward",
        "--delay-jitter=-1ms",
        "--host-overhead=11s",
    ],
)
def test_values_out_of_range_are_named(word: str, run_program: Runner) -> None:
    done = run_program(TRANSFER, word)
    assert done.returncode == 2
    assert re.fullmatch(rf"{TRANSFER}: {word} .*; allowed: .*\n", done.stderr)


def test_goodput_is_that_of_the_manual(run_program: Runner) -> None:
    path = ("--file-size=100MB", "--chunk-size=100MB", "--window=512KiB")
    table = page().partition(".. csv-table:: One connection\n")[2].partition("\n\nA packet")[0]
    rows = re.findall(r"^   (none|``[^`]+``), ([0-9.]+)$", table, re.MULTILINE)
    assert len(rows) == 7
    for options, goodput in rows:
        words = () if options == "none" else options.strip("`").split()
        (session,) = run(run_program, *ONE, *path, *words)["sessions"]
        assert f"{session['goodput_bps'] / 1e6:.1f}" == goodput, options


def test_the_shorter_connection_gets_more_where_hosts_take_a_random_time(
    run_program: Runner,
) -> None:
    (command,) = re.findall(r"^   gridftp-transfer (.*--background=delay=40ms)$", page(), re.M)
    table = page().partition(".. csv-table:: Goodput of the connection")[2]
    rows = re.findall(r"^   (\d[\d.]*[um]s), ([0-9.]+)(?: to ([0-9.]+))?$", table, re.MULTILINE)
    assert len(rows) == 5
    for overhead, least, most in rows:
        ratios = []
        for number in range(1, 6 if most else 2):
            words = (*command.split(), f"--host-overhead={overhead}", f"--run={number}")
            result = run(run_program, *words)
            shorter, longer = result["sessions"][0], result["background"][0]
            ratios.append(shorter["goodput_bps"] / longer["goodput_bps"])
            assert ("notes" in result) == (overhead == "0ms")
        digits = len(least.partition(".")[2])
        told = [f"{bound(ratios):.{digits}f}" for bound in (min, max)]
        assert told == [least, most or least], overhead
    ratio = {overhead: float(least) for overhead, least, _ in rows}
    assert ratio["0ms"] < 1 < 2 < ratio["1.2ms"]


def test_phase_effects_are_noted(run_program: Runner) -> None:
    words = ("--bandwidth=10Mbps", "--queue=10p", "--file-size=2MB", *ONE, "--background=start=0s")
    note = (
        "nothing here is random, so phase effects may decide the shares of competing connections; "
        "--host-overhead=1202us removes them"
    )
    assert run(run_program, *words)["notes"] == [note]
    assert run_program(TRANSFER, *words).stdout.endswith(f"  note: {note}\n")
    for engine in ("segment", "ns3"):
        quiet = run(run_program, *words, "--host-overhead=100us", f"--engine={engine}")
        assert "notes" not in quiet
    alone = run(run_program, *words[:-1])
    assert alone["links"][0]["drops"] > 0
    assert "notes" not in alone
