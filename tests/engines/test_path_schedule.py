"""--path-schedule: a path that changes, from the command line and from files, on both engines."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner
from manual_pages import manual

TRANSFER = "gridftp-transfer"
SMALL = ("--file-size=2MB", "--chunk-size=1MB", "--json")
ROWS = "0s:20Mbps:50ms,500ms:2Mbps:20ms,1s:0bps:20ms,1200ms:40Mbps:5ms"


def result(run_program: Runner, *words: str) -> dict[str, Any]:
    """What comes of a small transfer, without what differs from run to run."""
    done = run_program(TRANSFER, *SMALL, *words)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return {key: told[key] for key in ("scenario", "sessions", "links")}


def schedule(run_program: Runner, value: str, *words: str) -> str:
    """What a value resolves to."""
    done = run_program(TRANSFER, "--resolve", f"--path-schedule={value}", *words)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)["path_schedule"]


@pytest.mark.parametrize(
    "value", [ROWS, f"{ROWS},repeat=1500ms", "random,interval=100ms,duration=9s"]
)
def test_both_engines_and_both_kinds_of_links_agree_in_every_digit(
    value: str, run_program: Runner
) -> None:
    words = ("--mode=fixed", "--parallelism=3", "--data-channels=cached")
    given = (f"--path-schedule={value}", *words)
    own = result(run_program, *given)
    for links in ("lean", "ns3"):
        other = result(run_program, *given, "--engine=ns3", f"--links={links}")
        assert {**other["scenario"], "engine": "segment", "links": "lean"} == own["scenario"]
        assert other["sessions"] == own["sessions"], links
        (link,), (own_link,) = other["links"], own["links"]
        for key, tolerance in (("utilisation", 1e-4), ("mean_queue_packets", 1e-3)):
            assert link.pop(key) == pytest.approx(own_link[key], abs=tolerance), links
        assert {**own_link, **link} == own_link, links


def test_rows_that_change_nothing_change_nothing(run_program: Runner) -> None:
    plain = result(run_program, "--bandwidth=10Mbps", "--delay=7ms")
    same = result(run_program, "--path-schedule=0s:10Mbps:7ms,100ms:10Mbps:7ms,repeat=300ms")
    assert same.pop("scenario") != plain.pop("scenario")
    (link,), (same_link,) = plain["links"], same["links"]
    assert same_link.pop("utilisation") == pytest.approx(link.pop("utilisation"), rel=1e-12)
    assert same == plain


def test_utilisation_is_of_what_the_path_could_carry(run_program: Runner) -> None:
    # Never more than the integral of the rate, and nearly all of it with windows enough; the mean
    # of its largest rate would be a third
    told = result(
        run_program, "--path-schedule=0s:20Mbps:1ms,1s:5Mbps:1ms,repeat=8s", "--file-size=20MB",
        "--chunk-size=20MB", "--queue=1000p",
    )  # fmt: skip
    (link,) = told["links"]
    assert 0.95 < link["utilisation"] <= 1
    assert told["sessions"][0]["goodput_bps"] < 0.5 * told["scenario"]["bandwidth_bps"]


def test_files_become_rows(run_program: Runner, tmp_path: Path) -> None:
    table = tmp_path / "path.csv"
    table.write_text("time_s,rate_Mbps,delay_ms\n0,20,50\n20,5,120\n")
    assert schedule(run_program, str(table)) == "0s:20Mbps:50ms,20s:5Mbps:120ms"
    again = schedule(run_program, f"{table},repeat=60s")
    assert again == "0s:20Mbps:50ms,20s:5Mbps:120ms,repeat=60s"
    trace = tmp_path / "up.trace"
    trace.write_text("".join(f"{ms}\n" for ms in range(1, 201)))  # one a ms: 12 Mbit/s
    rows = schedule(run_program, str(trace), "--delay=30ms")
    assert rows == "0s:12Mbps:30ms,100ms:12Mbps:30ms,repeat=200ms"
    told = result(run_program, f"--path-schedule={trace}", "--delay=30ms")
    assert told["scenario"]["path_schedule"] == rows
    assert told["sessions"] == result(run_program, "--bandwidth=12Mbps", "--delay=30ms")["sessions"]
    table.write_text("time_s,rate_Mbps,delay_ms\n0,20,50\n20,x,120\n")
    done = run_program(TRANSFER, f"--path-schedule={table}")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"gridftp-transfer: --path-schedule=\S+ line 3: rate 'x' .*\n", done.stderr)
    for value in (tmp_path / "none.csv", tmp_path, "/dev/zero", "0s:1Mbps,0s:2Mbps"):
        done = run_program(TRANSFER, f"--path-schedule={value}", "--engine=ns3")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1


COOKED = "1506436807.25 4.0729\n1506436807.75 1.5\n"
"""A trace as Pensieve's are."""


def test_measured_tables_become_rows(run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "trace"
    rows = "0s:4072900bps:10ms,500ms:1500kbps:10ms"
    for text, key in (
        (COOKED.encode(), ""),
        ("\ufeffTime (s);Throughput (kbps)\r\n0,0;4072,9\r\n0,5;1500\r\n".encode(), ""),
        (",time,x,bw\n0,0,a,4072.9\n1,0.5,b,1500\n".encode("utf-16"), ",rate-unit=kbps"),
    ):
        file.write_bytes(text)
        done = run_program(TRANSFER, "--resolve", f"--path-schedule={file}{key}")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["path_schedule"] == rows
        assert done.stderr.count("\n") == 1
        assert f"--path-schedule={file} read as time (" in done.stderr
    own = result(run_program, f"--path-schedule={file},rate-unit=kbps")
    given = result(run_program, f"--path-schedule={rows}", "--engine=ns3")
    assert own["sessions"] == given["sessions"]


def test_tables_with_clocks_and_units_become_rows(run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "trace.csv"
    for text in (
        "time,downlink\n23:59:58,12.5 Mbit/s\n00:00:00.5,1.5MB/s\n",
        "Elapsed (min);rate (kBytes/sec)\n1;1562,5\n1,041666666666667;1500\n",
        "1289406399 500 59.8 10.7 3906250 2500\n1289406400 3500 59.8 10.7 4500000 3000\n",
        '[{"duration_ms": 2500, "rate_kbps": 12500}, {"duration_ms": 1, "rate_kbps": 12e3}]',
    ):
        file.write_text(text)
        key = ",rate-column=2" if text[0].isalpha() else ""
        done = run_program(TRANSFER, "--resolve", f"--path-schedule={file}{key}")
        assert (done.returncode, done.stderr.count("\n")) == (0, 1)
        rows = "0s:12500kbps:10ms,2500ms:12Mbps:10ms"
        assert json.loads(done.stdout)["path_schedule"] == rows
    for text, message in (
        ('{"start": {}, "end": {}}', " is JSON with 0 lists of objects or lists; allowed: a list "),
        ("time (weeks),rate\n1,5\n", " line 2: the unit of 'time (weeks)' is unknown; allowed: "),
    ):
        file.write_text(text)
        done = run_program("gridftp-path", f"--path-schedule={file}")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert message in done.stderr


def test_long_tables_are_resampled(run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    rates = [1 + (i * i) % 7 for i in range(30_001)]
    file.write_text("time_s,rate_Mbps\n" + "".join(f"{i},{r}\n" for i, r in enumerate(rates)))
    done = run_program(TRANSFER, "--resolve", f"--path-schedule={file}")
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert "30001 rows are resampled to 15001, of 2s each, with the mean rate" in done.stderr
    rows = json.loads(done.stdout)["path_schedule"].split(",")
    factors = {"kbps": 1e3, "Mbps": 1e6}
    bits = sum(
        2 * float(number) * factors[unit]
        for row in rows[:-1]
        for number, unit in [re.fullmatch(r"[^:]+:(\d+)(\w+):10ms", row).groups()]
    )
    assert bits == pytest.approx(sum(rates[:-1]) * 1e6, rel=1e-12)


def test_a_drawn_path_hangs_on_seed_and_run(run_program: Runner) -> None:
    rows = schedule(run_program, "random")
    assert rows.count(":") == 2 * 820
    assert rows.endswith(",repeat=16400s")
    assert schedule(run_program, "random", "--engine=ns3") == rows
    assert schedule(run_program, "random", "--run=2") != rows
    # Its defaults are those that the manual tells
    words = run_program(TRANSFER, "--path-schedule=random,x=1").stderr
    keys = re.search(r"allowed: the keys (.*)\n", words)[1].split(", ")
    text = manual()
    block = text[text.index(".. csv-table:: Keys of a random path") :]
    told = dict(re.findall(r"^   ``([\w-]+)``, ([^,]+),", block.split("\n\n")[1], re.M))
    assert list(told) == keys
    assert told.pop("run") == "that of the scenario"
    assert schedule(run_program, "random,run=1", "--run=2") == rows
    assert schedule(run_program, ",".join(["random", *map("=".join, told.items())])) == rows


def test_a_path_as_a_table(run_program: Runner) -> None:
    done = run_program("gridftp-path", "--path-schedule=0s:20Mbps:50ms,1.5s:0bps,2s:4Mbps:0s")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "time_s,rate_bps,delay_s,rtt_s,bdp_bits",
        "0,20000000,0.05,0.10004,2000800",
        "1.5,0,0.05,0.10004,0",
        "2,4000000,0,4e-05,160",
    ]
    plain = run_program("gridftp-path").stdout.splitlines()
    assert plain[1:] == ["0,100000000,0.01,0.02004,2004000"]
    day = run_program("gridftp-path", "--path-schedule=random,duration=86400s").stdout
    rows = [[float(cell) for cell in line.split(",")] for line in day.splitlines()[1:]]
    assert len(rows) == 86400 // 20
    assert all(26e3 <= row[1] <= 285e6 and 0.119 <= row[3] <= 0.475 for row in rows)
    for words, said in (
        (("--json",), "--json is not an option of the path"),
        (("--delay=x",), "--delay=x"),
    ):
        done = run_program("gridftp-path", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"gridftp-path: {said}")
