"""--detail: RTT under load, queueing delay and each data connection, on both engines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner

from analysis.read import results

TRANSFER = "gridftp-transfer"
FULL = (
    "--mode=fixed", "--parallelism=4", "--queue=30p", "--window=128KiB", "--bandwidth=20Mbps",
    "--file-size=6MB", "--chunk-size=2MB",
)  # fmt: skip
"""Four connections whose windows do not fit into the queue."""


def run(run_program: Runner, *words: str) -> dict[str, Any]:
    """Return the result of a transfer that has to succeed."""
    done = run_program(TRANSFER, *FULL, *words, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("more", [(), ("--data-channels=cached",), ("--direction=download",)])
def test_both_engines_measure_the_same_in_every_digit(
    more: tuple[str, ...], run_program: Runner
) -> None:
    own = run(run_program, "--detail=on", *more)
    other = run(run_program, "--detail=on", "--engine=ns3", *more)
    assert own["sessions"] == other["sessions"]
    (link,), (other_link,) = own["links"], other["links"]
    for key in ("mean_queue_delay_s", "p95_queue_delay_s", "max_queue_delay_s"):
        assert link[key] == other_link[key]


SLOW_BACK = (
    "--mode=fixed", "--parallelism=8", "--window=1MiB", "--queue=400p", "--reverse-bandwidth=1Mbps",
    "--file-size=10MB", "--chunk-size=10MB", "--detail=on", "--json",
)  # fmt: skip
"""A transfer whose ACKs fill the reverse direction."""


def test_acks_that_wait_are_part_of_the_queueing_delay(run_program: Runner) -> None:
    links = []
    for engine in ("segment", "ns3"):
        done = run_program(TRANSFER, *SLOW_BACK, f"--engine={engine}")
        assert (done.returncode, done.stderr) == (0, "")
        links.append(json.loads(done.stdout)["links"])
    assert links[0] == links[1]
    _, reverse = links[0]
    # Little's law: packets that wait = packets per second x their wait. An ACK of 42 bytes takes
    # 0.336 ms, of which the link transmits 1 / 0.336 ms a second while it is busy.
    per_second = reverse["utilisation"] / (42 * 8 / 1e6)
    assert reverse["mean_queue_delay_s"] == pytest.approx(
        reverse["mean_queue_packets"] / per_second, rel=0.05
    )
    assert reverse["mean_queue_delay_s"] > 0.05
    assert reverse["max_queue_delay_s"] <= 1.008 * 401 * 42 * 8 / 1e6 + 0.01


def test_a_failed_transfer_prints_no_goodput_that_nobody_measured(run_program: Runner) -> None:
    black_hole = "--fault=kind=mtu-black-hole,mtu=1400"
    done = run_program(TRANSFER, "--file-size=1MB", black_hole, "--stall-timeout=30s")
    assert done.returncode == 1
    assert "  no chunk was completed, so neither goodput nor the links are measured" in done.stdout
    assert "utilisation" not in done.stdout
    assert "0.00 Mbit/s" not in done.stdout
    assert "FAILED: session 0: the server answered 426 no data for 30 s" in done.stdout


def test_what_is_measured_fits_the_path_and_the_sums(run_program: Runner) -> None:
    result = run(run_program, "--detail=on")
    (session,), (link,) = result["sessions"], result["links"]
    tcp, chunks = session["tcp"], session["gridftp"]["chunks"]
    rows = tcp["connections"]
    assert [row["index"] for row in rows] == [0, 1, 2, 3]
    assert [row["opened"] for row in rows] == [3] * 4
    for key in ("segments", "retransmissions", "timeouts", "rtt_sample_count"):
        assert sum(row[key] for row in rows) == tcp[key]
    assert tcp["retransmissions"] > 0
    # Headers of MODE E blocks come on top of the file
    assert 6_000_000 < sum(row["bytes"] for row in rows) < 6_010_000
    assert 0.25 < tcp["jain_index"] <= 1
    assert tcp["jain_index"] == pytest.approx(
        sum(chunk["jain_index"] for chunk in chunks) / 3, rel=1e-3
    )
    for row in rows:
        assert row["rtt_min_s"] <= row["rtt_mean_s"] <= row["rtt_max_s"] <= tcp["rtt_max_s"]
        assert row["goodput_bps"] == pytest.approx(8 * row["bytes"] / row["open_s"])
        assert 1460 < row["mean_cwnd_bytes"] < 200_000
    # The queue holds 30 packets of 1502 bytes at 20 Mbit/s, and one is in service
    most = 31 * 1502 * 8 / 20e6
    assert most / 2 < link["max_queue_delay_s"] <= most
    assert link["mean_queue_delay_s"] < link["p95_queue_delay_s"] <= link["max_queue_delay_s"]
    idle = chunks[0]["rtt_s"]
    assert idle < tcp["rtt_min_s"] + 1e-3 < tcp["rtt_mean_s"] < tcp["rtt_p95_s"] < idle + 1.1 * most
    assert tcp["rtt_mean_s"] - idle == pytest.approx(link["mean_queue_delay_s"], rel=0.2)
    assert all(chunk["loaded_rtt_s"] > chunk["rtt_s"] for chunk in chunks)


def test_nothing_else_changes_and_json_has_it_on_demand_alone(run_program: Runner) -> None:
    plain, detailed = run(run_program), run(run_program, "--detail=on")
    assert "rtt_mean_s" not in plain["sessions"][0]["tcp"]
    assert "max_queue_delay_s" not in plain["links"][0]
    assert plain["scenario"] == {**detailed["scenario"], "detail": "auto"}
    for chunk in detailed["sessions"][0]["gridftp"]["chunks"]:
        del chunk["loaded_rtt_s"], chunk["jain_index"]
    tcp = detailed["sessions"][0]["tcp"]
    detailed["sessions"][0]["tcp"] = {key: tcp[key] for key in plain["sessions"][0]["tcp"]}
    detailed["links"][0] = {key: detailed["links"][0][key] for key in plain["links"][0]}
    assert (detailed["sessions"], detailed["links"]) == (plain["sessions"], plain["links"])
    assert detailed["cost"]["events"] == plain["cost"]["events"]


def test_a_table_has_both_round_trip_times(run_program: Runner) -> None:
    for engine in ("segment", "ns3"):
        table = run_program(TRANSFER, *FULL, f"--engine={engine}").stdout
        head, row = table.splitlines()[:2]
        assert head.endswith("  idle RTT, ms  loaded RTT, ms")
        idle, loaded = (float(cell) for cell in row.split()[-2:])
        assert idle < loaded
        assert "RTT under load: " in table
        assert "queueing delay of bottleneck: " in table
        assert "4 data connections, Jain's index " in table
        assert "mean cwnd" not in table
        listed = run_program(TRANSFER, *FULL, f"--engine={engine}", "--detail=on").stdout
        assert "mean cwnd" in listed
        assert listed.startswith(table[: table.index("  bottleneck: ")])
    plain = run_program(TRANSFER, *FULL, "--detail=off").stdout
    assert plain.splitlines()[0].endswith("  idle RTT, ms")
    assert "loaded" not in plain
    assert "queueing delay" not in plain


def test_batches_and_other_tools_have_it(run_program: Runner, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    scenario = {"file_size_bytes": 1e6, "detail": "on", "background": [{}]}
    lines.write_text(
        json.dumps(scenario) + "\n"
        '{"file_size_bytes": 1e6, "detail": "on", "tool": "bbftp", "tool_streams": 3}\n'
        '{"file_size_bytes": 1e6, "detail": "on", "tool": "udt"}\n'
    )
    done = run_program(TRANSFER, f"--batch={lines}")
    assert done.returncode == 0, done.stderr
    beside, bbftp, udt = (json.loads(line) for line in done.stdout.splitlines())
    for one in (beside, bbftp, udt):
        results.validate(one)
        assert one["links"][0]["max_queue_delay_s"] > 0
    assert len(beside["background"][0]["tcp"]["connections"]) == 1
    assert beside["background"][0]["tcp"]["rtt_mean_s"] > 0
    assert [row["index"] for row in bbftp["sessions"][0]["tcp"]["connections"]] == [0, 1, 2]
    assert "tcp" not in udt["sessions"][0]
    (row,) = results.measured(bbftp)
    assert row["rtt_p95_s"] == bbftp["sessions"][0]["tcp"]["rtt_p95_s"]


def test_rtt_over_time_is_the_same_on_both_engines(run_program: Runner, tmp_path: Path) -> None:
    for engine in ("segment", "ns3"):
        run(run_program, f"--trace={tmp_path / engine}", f"--engine={engine}", "--detail=on")
    rows = (tmp_path / "segment" / "rtt.csv").read_text().splitlines()
    assert rows[0] == "time_s,session,chunk,connection,rtt_s,srtt_s,rto_s"
    assert rows == (tmp_path / "ns3" / "rtt.csv").read_text().splitlines()
    samples = [float(row.split(",")[4]) for row in rows[1:] if row.split(",")[4]]
    assert len(samples) == run(run_program, "--detail=on")["sessions"][0]["tcp"]["rtt_sample_count"]
