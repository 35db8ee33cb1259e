"""The verbs bench and optimum, with programs that stand in."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stand_ins import write_bare_program

from experiments.__main__ import main
from experiments.bench.contenders import Run, Told
from experiments.programs.program import Usage, locate
from experiments.verbs import bench

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Makes programs: name and Python text."""
    folder = tmp_path / "build"
    folder.mkdir()
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(folder))
    monkeypatch.delenv("GRIDFTP_USER_CWD", raising=False)

    def make(name: str, text: str) -> None:
        start = f"import json, sys\nsys.path.insert(0, {str(DATA)!r})\n"
        write_bare_program(folder / name, start + text)

    return make


CONTENDER = """
import pathlib, standin
options = standin.read(sys.argv[1:])
made = standin.result(options)
made["scenario"] |= {{"queue_packets": {queue}, "access_bandwidth_bps": 1e10,
                     "access_delay_s": 1e-5, "links": options.get("links", "lean")}}
if "resolve" in options:
    print(json.dumps(made["scenario"]))
    sys.exit()
pathlib.Path({log!r}).open("a").write(" ".join([{name!r}, *sys.argv[1:]]) + "\\n")
print(json.dumps(made))
"""

NS2 = """
import pathlib
words = dict(zip(sys.argv[2::2], sys.argv[3::2]))
pathlib.Path({log!r}).open("a").write(" ".join(["ns", *sys.argv[1:]]) + "\\n")
segments = -(-int(words["chunk"]) // 1460)
print(json.dumps({{"segments": segments, "goodput_bps": 25.25e6, "wall_s": 0.5}}))
"""

CASES = (bench.Case(1), bench.Case(64, ("--bandwidth=1Gbps", "--queue=1000p"), 3))
NAMES = ["segment", "ns3-lean", "ns3-ns3", "bulk", "ns2"]


@pytest.fixture
def stage(
    program: Callable[[str, str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Makes all contenders, ns-2 among them, for two cases; gives the log of what they are told."""
    log = tmp_path / "log"
    for name in ("gridftp-bulk-baseline", "gridftp-transfer"):
        program(name, CONTENDER.format(log=str(log), name=name, queue=100))
    program("ns", NS2.format(log=str(log)))
    monkeypatch.setattr(bench, "CASES", CASES)
    monkeypatch.setattr("shutil.which", lambda name: str(tmp_path / "build" / name))
    return log


def measured(out: Path, *options: str) -> dict[str, Any]:
    """Run the verb and return what it keeps."""
    assert main(["bench", *options, "--results", str(out)]) == 0
    return json.loads((out / "bench.json").read_text())


@pytest.mark.usefixtures("blank_pictures")
def test_bench_takes_turns(stage: Path, tmp_path: Path) -> None:
    measured(tmp_path / "out", "--repeat=2")
    lines = stage.read_text().splitlines()
    who = []
    for line in lines:
        links = "--links=ns3" in line, "--links=lean" in line
        who.append({(True, False): "ns3-ns3", (False, True): "ns3-lean"}.get(links, "segment"))
        if line.startswith("gridftp-bulk"):
            who[-1] = "bulk"
        if line.startswith("ns "):
            who[-1] = "ns2"
    # Two rounds of everyone, then the quick ones at the size of the others; then segment alone.
    assert who[:24] == 2 * [*NAMES, *NAMES, "segment", "ns2"]
    assert who[24:] == 2 * len(bench.SINGLES) * ["segment"]


@pytest.mark.usefixtures("blank_pictures")
def test_bench_gives_everyone_the_same_chunk(stage: Path, tmp_path: Path) -> None:
    measured(tmp_path / "out", "--repeat=1", "--file-size=20MB")
    lines = stage.read_text().splitlines()[7:14]
    for line in lines:
        assert "--bandwidth=1Gbps --queue=1000p" in line or line.startswith("ns ")
    sizes = [re.findall(r"--chunk-size=(\d+)B --file-size=(\d+)B", line) for line in lines]
    chunk = "60000000"  # three times --file-size
    assert sizes[0] == [(chunk, "6000000000")]
    assert sizes[1] == sizes[2] == sizes[3] == sizes[5] == [(chunk, chunk)]
    wide = "bandwidth 100000000.0 delay 0.01 limit 101 access-bandwidth 10000000000.0"
    assert [line.partition(".tcl ")[2] for line in lines if line.startswith("ns ")] == [
        f"n 64 chunk {size} {wide} access-delay 1e-05 syn 1" for size in ("600000000", chunk)
    ]


@pytest.mark.extensive
def test_bench_keeps_every_measurement(
    stage: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    data = measured(out, "--repeat=2", "--file-size=100MB")
    assert [each["name"] for each in data["contenders"]] == NAMES
    for case in data["cases"]:
        for name, told in case["contenders"].items():
            assert len(told["cpu_s"]) == len(told["wall_s"]) == 2
            for cpu_s, cost in zip(told["cpu_s"], told["cpu_ns_per_segment"], strict=True):
                assert cost == pytest.approx(cpu_s * 1e9 / told["segments"])
            program = {"bulk": "gridftp-bulk-baseline", "ns2": "ns"}.get(name, "gridftp-transfer")
            assert told["command"][0] == program
    first = data["cases"][0]["contenders"]
    assert [first[name]["file_size_bytes"] for name in NAMES] == [
        10**10,
        10**8,
        10**8,
        10**8,
        10**9,
    ]
    assert first["segment"]["segments"] == -(-(10**10) // 1460)
    assert first["ns2"]["simulation_wall_ns_per_segment"] == [0.5e9 / 684932] * 2
    assert [first[name]["same_size_goodput_bps"] for name in ("ns3-ns3", "ns2")] == [
        pytest.approx(25.4e6),
        25.25e6,
    ]
    assert data["segment_engine"]["transfers"]["mi-10GB"]["command"] == [
        "gridftp-transfer",
        "--json",
    ]
    assert data["versions"]["bulk"]["version"] == "0"
    told = capsys.readouterr().out
    assert "ns-2 over engine segment: " in told
    assert "ns3, lean links over ns3, ns-3 links: " in told
    assert "25.40" in told, "goodput at N = 1"
    assert {path.suffix for path in (out / "figures").iterdir()} == {".png", ".svg", ".csv"}
    before = (out / "figures/bench.svg").read_bytes()
    (out / "figures/bench.svg").unlink()
    assert main(["plot", "--results", str(out)]) == 0
    assert (out / "figures/bench.svg").read_bytes() == before


def test_bench_goes_without_ns2(
    stage: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    data = measured(tmp_path / "out", "--repeat=1")
    assert list(data["cases"][0]["contenders"]) == NAMES[:-1]
    assert "ns2" not in data["versions"]
    assert {each["of"] for each in data["ratios"]} == set(NAMES[1:-1])


def test_bench_divides_runs_of_the_same_round() -> None:
    taken = bench.Taken()
    # Both slow down alike, so every round has the same ratio although costs double.
    for slow in (1.0, 1.5, 2.0):
        for name, cost, segments in (("quick", 0.2, 10_000_000), ("slow", 0.8, 1_000_000)):
            usage = Usage(cpu_s=cost * slow, wall_s=9.0)
            taken.add(name, [name], Run(Told(segments, 1e6, 0.1), usage))
    told = taken.told("quick")
    assert told["cpu_ns_per_segment"] == pytest.approx([20, 30, 40])
    assert told["median_cpu_ns_per_segment"] == pytest.approx(30)
    ratio = taken.ratio("slow", "quick")
    assert ratio["pairs"] == pytest.approx([40] * 3)
    assert ratio["median"] == pytest.approx(40)


def test_usage_is_of_the_whole_process(program: Callable[[str, str], None]) -> None:
    burn = "import time\nwhile time.process_time() < 0.05: pass\nprint(time.process_time())"
    program("burn", burn)
    text, usage = locate("burn").measure()
    assert usage.cpu_s >= float(text) >= 0.05
    program("sleep", "import time\ntime.sleep(0.2)")
    _, usage = locate("sleep").measure()
    assert usage.wall_s >= 0.2


def test_bench_refuses_to_compare_different_dumbbells(
    stage: Path,
    program: Callable[[str, str], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "gridftp-bulk-baseline"
    program(name, CONTENDER.format(log=str(stage), name=name, queue=50))
    assert main(["bench", "--repeat=1", "--results", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert (
        "the contenders ran on different paths: queue_packets is segment 100, ns3-lean 100" in told
    )
    assert "bulk 50" in told
    assert not (tmp_path / "out").exists()


def test_bench_tells_of_a_failing_contender(
    stage: Path,
    program: Callable[[str, str], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program("gridftp-bulk-baseline", "print('no route', file=sys.stderr); sys.exit(1)")
    assert main(["bench", "--repeat=1", "--results", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert told == "gridftp bench: gridftp-bulk-baseline ended with exit status 1: no route\n"
    program("gridftp-bulk-baseline", "print('fast')")
    assert main(["bench", "--repeat=1", "--results", str(tmp_path / "out")]) == 1
    assert "bulk: not one JSON object" in capsys.readouterr().err
    program("ns", "print('fast')")
    program("gridftp-bulk-baseline", CONTENDER.format(log=str(stage), name="bulk", queue=100))
    assert main(["bench", "--repeat=1", "--results", str(tmp_path / "out")]) == 1
    assert "ns2: the output is not a result of chunk.tcl" in capsys.readouterr().err


def test_bench_refuses_a_size_that_is_none(
    stage: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--file-size=huge", "--results", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == "gridftp: --file-size=huge is not a size\n"
    assert not stage.exists()


OPTIMUM = """
if "--bandwidth=none" in sys.argv:
    print("gridftp-optimum: --bandwidth=none is not a rate", file=sys.stderr)
    sys.exit(2)
assert sys.argv[1:] == ["--bandwidth=10Mbps", "--rtt", "20ms", "--json"], sys.argv
curve = [
    {"parallelism": n, "goodput_bps": 1e6 * n, "window_limit_bps": 1e6 * n,
     "network_limit_bps": 9e6 if n < 3 else None, "loss": 0.1 if n < 3 else None}
    for n in (1, 2, 3)
]
print(json.dumps({
    "schema": 1,
    "scenario": {"bandwidth_bps": 1e7, "rtt_s": 0.02, "window_bytes": 65536,
                 "packet_size_bytes": 1500, "max_parallelism": 3},
    "optimum": {"parallelism": 3, "goodput_bps": 3e6, "loss": 0.1, "limited_by": "window"},
    "curve": curve,
}))
"""


def test_optimum_draws_what_the_program_computes(
    program: Callable[[str, str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program("gridftp-optimum", OPTIMUM)
    monkeypatch.setenv("GRIDFTP_USER_CWD", str(tmp_path))
    options = ["optimum", "--bandwidth=10Mbps", "--rtt", "20ms"]
    assert main([*options, "--figure", "best.svg", "--csv=curve.csv"]) == 0
    assert (tmp_path / "best.svg").read_bytes().startswith(b"<?xml")
    lines = (tmp_path / "curve.csv").read_text().splitlines()
    assert lines[0] == "parallelism,goodput_bps,window_limit_bps,network_limit_bps,loss"
    assert lines[-1] == "3,3000000,3000000,,"
    told = capsys.readouterr().out
    assert "Best parallelism: 3; predicted goodput 3 Mbit/s (limited by the window)" in told
    assert main([*options, "--figure=best.PNG", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["optimum"]["parallelism"] == 3
    assert (tmp_path / "best.PNG").read_bytes().startswith(b"\x89PNG")


SIMULATED = """
curve = [
    {"parallelism": n, "goodput_bps": 4e6 * n ** 0.5, "least_bps": 3e6 * n ** 0.5,
     "most_bps": 5e6 * n ** 0.5, "resent": 0.01 * n}
    for n in (1, 2, 4)
]
print(json.dumps({
    "schema": 1,
    "scenario": {"bandwidth_bps": 1e7, "rtt_s": 0.02, "packet_size_bytes": 1500, "loss": 0,
                 "queue_packets": 100, "stack": "linux", "max_parallelism": 4, "tcp": "cubic",
                 "file_size_bytes": 10**9, "repeats": 3},
    "optimum": curve[-1],
    "curve": curve,
}))
"""


def test_optimum_draws_simulated_transfers(
    program: Callable[[str, str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program("gridftp-optimum", SIMULATED)
    monkeypatch.setenv("GRIDFTP_USER_CWD", str(tmp_path))
    assert main(["optimum", "--figure", "best.svg", "--csv=curve.csv"]) == 0
    drawn = (tmp_path / "best.svg").read_text()
    assert "cubic of Linux, queue of 100 packets, 1 GB, 3 runs" in drawn
    lines = (tmp_path / "curve.csv").read_text().splitlines()
    assert lines[0] == "parallelism,goodput_bps,least_bps,most_bps,resent"
    assert lines[-1] == "4,8000000,6000000,10000000,0.04"
    assert "Best parallelism: 4; simulated goodput 8 Mbit/s\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--bandwidth=none", "--figure=a.png"], 2, "--bandwidth=none is not a rate"),
        (["--figure=a.gif"], 2, "'a.gif' has another suffix; allowed: .png, .pdf, .svg"),
        (["--figure"], 2, "--figure: expected one argument"),
        (["--bandwidth=10Mbps", "--rtt", "20ms", "--figure=no/way/\0.png"], 2, "is not a path"),
    ],
)
def test_optimum_refuses_bad_input_in_one_line(
    options: list[str],
    status: int,
    message: str,
    program: Callable[[str, str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program("gridftp-optimum", OPTIMUM)
    monkeypatch.setenv("GRIDFTP_USER_CWD", str(tmp_path))
    assert main(["optimum", *options]) == status
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {"build"}


def test_peak_memory_is_the_programs_own(programs: Path) -> None:
    held = bytearray(b"x") * 200_000_000
    command = [programs / "gridftp-transfer", "--file-size=20MB", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert 500_000 < json.loads(done.stdout)["cost"]["peak_rss_bytes"] < len(held) / 2
