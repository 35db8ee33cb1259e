"""ns-2 2.35 as an independent witness: one 100 MB chunk over N parallel Reno connections.

tests/ns2/reference.json holds what ns-2 gave; tests/ns2/README.md how it was made.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from ns2 import regenerate

REFERENCE = json.loads(regenerate.REFERENCE.read_text(encoding="ascii"))
LOSSLESS = (1, 2, 4)
CHUNK_BYTES = 100_000_000
Transfer = Callable[..., float]

needs_ns2 = pytest.mark.skipif(
    not regenerate.available(), reason="ns-2 is not installed (Debian: ns2)"
)


@pytest.fixture(scope="module")
def transfer() -> Transfer:
    """Return a function that runs gridftp-transfer and returns the chunk's goodput, bit/s."""
    folder = os.environ.get("GRIDFTP_BUILD_DIR")
    program = Path(folder or "", "gridftp-transfer")
    if not folder or not os.access(program, os.X_OK):
        pytest.skip("gridftp-transfer is not built (GRIDFTP_BUILD_DIR, set by ./gridftp test)")

    def run(n: int, *options: str) -> float:
        shape = ["--mode=fixed", f"--parallelism={n}", "--layout=static"]
        done = subprocess.run(
            [program, *shape, "--file-size=100MB", *options, "--json"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)
        assert result["status"] == "done", result["reason"]
        (chunk,) = result["sessions"][0]["gridftp"]["chunks"]
        assert (chunk["bytes"], chunk["parallelism"]) == (CHUNK_BYTES, n)
        return chunk["goodput_bps"]

    return run


@needs_ns2
@pytest.mark.parametrize("name", [f"n{n}" for n in LOSSLESS])
def test_ns2_repeats_a_single_run_to_the_last_digit(name: str) -> None:
    stored = REFERENCE["single"][name]
    again = regenerate.run(stored["options"])
    assert not list(regenerate.differences(stored["result"], again))


@needs_ns2
@pytest.mark.parametrize("name", ["n8-jitter", "n16-tau50-jitter"])
def test_ns2_repeats_a_jittered_run_to_the_last_digit(name: str) -> None:
    stored = REFERENCE["repeated"][name]
    last = stored["runs"][-1]
    again = regenerate.run(stored["options"], last["run"])
    assert not list(regenerate.differences(last, again))


@needs_ns2
@pytest.mark.parametrize(("segments", "drops"), [(10, 0), (11, 0), (12, 1), (13, 2)])
def test_ns2_limit_counts_the_segment_in_service(segments: int, drops: int) -> None:
    # A burst arrives within 1.2 us a segment; the bottleneck takes 120 us for its first.
    # limit_ 11: one in service, ten waiting, so the queue of "10 waiting" is limit_ 11.
    burst = {"n": 1, "chunk": segments * 1460, "windowInit_": segments, "limit": 11}
    assert regenerate.run(burst)["drops"] == drops


@needs_ns2
@pytest.mark.parametrize("option", ["bugFix_", "no-such-option", "NaN"])
def test_ns2_script_refuses_bad_options_in_one_line(option: str) -> None:
    words = {"bugFix_": "maybe", "no-such-option": "1", "NaN": "1"}
    done = subprocess.run(
        ["ns", "chunk.tcl", option, words[option]],
        cwd=regenerate.HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert option in line


@pytest.mark.parametrize("name", sorted(REFERENCE["repeated"]))
def test_stored_summary_is_of_the_stored_runs(name: str) -> None:
    case = REFERENCE["repeated"][name]
    runs = case["runs"]
    assert [run["run"] for run in runs] == list(range(1, 21))
    assert len({run["goodput_bps"] for run in runs}) == len(runs)
    assert case["goodput_bps"] == regenerate.summary(run["goodput_bps"] for run in runs)


@pytest.mark.parametrize("n", LOSSLESS)
def test_stored_lossless_goodput_is_a_window_a_round_trip(n: int) -> None:
    # R by hand, in us: propagation 20,000 + 4 x 10; data 1500 byte at 100 Mbit/s 120, at
    # 10 Gbit/s twice 1.2; ACK 40 byte 3.2, twice 0.032. 44 x 1460 byte a window.
    # N = 4 fills the pipe: there the bottleneck's 1460 / 1500 is the smaller bound.
    rtt = 20_165.664e-6
    bound = min(n * 44 * 1460 * 8 / rtt, 100e6 * 1460 / 1500)
    result = REFERENCE["single"][f"n{n}"]["result"]
    assert (result["drops"], result["timeouts"], result["retransmissions"]) == (0, 0, 0)
    # Slow start costs the rest: under 100 ms, log2(44) round trips.
    assert 0 < result["duration_s"] - 8 * CHUNK_BYTES / bound < 0.1


def test_readme_shows_the_stored_table() -> None:
    text = (regenerate.HERE / "README.md").read_text(encoding="ascii")
    assert regenerate.table(REFERENCE["variants"]) in text


@pytest.mark.parametrize("engine", ["segment", "ns3"])
@pytest.mark.parametrize("n", LOSSLESS)
def test_the_engines_agree_where_nothing_is_lost(transfer: Transfer, engine: str, n: int) -> None:
    witness = REFERENCE["single"][f"n{n}"]["result"]["goodput_bps"]
    assert transfer(n, f"--engine={engine}") == pytest.approx(witness, rel=0.01)


def goodputs(transfer: Transfer, n: int, runs: int, *options: str) -> list[float]:
    """Return the goodputs of that many replications with starts spread over 100 ms, bit/s."""
    common = ("--start-jitter=100ms", "--access-bandwidth=10Gbps", *options)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda run: transfer(n, *common, f"--run={run}"), range(1, runs + 1)))


@pytest.mark.parametrize(("name", "n", "delay"), [("n8", 8, "10ms"), ("n16-tau50", 16, "50ms")])
def test_segment_agrees_in_the_mean_where_losses_rule(
    transfer: Transfer, name: str, n: int, delay: str
) -> None:
    # Means over 20 runs have a standard error of up to 2 %, those over 200 one of 0.7 %.
    witness = REFERENCE["repeated"][f"{name}-jitter"]["goodput_bps"]
    measured = goodputs(transfer, n, 200, f"--delay={delay}")
    assert len(set(measured)) > 100
    assert statistics.fmean(measured[:20]) == pytest.approx(witness["mean"], rel=0.07)
    assert statistics.fmean(measured) == pytest.approx(witness["mean"], rel=0.07)


def test_segment_is_ns3_where_both_differ_from_ns2(transfer: Transfer) -> None:
    segment = goodputs(transfer, 8, 2)
    ns3 = goodputs(transfer, 8, 2, "--engine=ns3")
    assert len(set(ns3)) > 1
    assert segment == pytest.approx(ns3, rel=1e-9)
