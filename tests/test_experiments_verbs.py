"""The verbs bench and optimum, with programs that stand in; reproduce with the real program."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.results import load
from experiments import bench
from experiments.__main__ import main

DATA = Path(__file__).parent / "data"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Makes programs: name and Python text."""
    folder = tmp_path / "build"
    folder.mkdir()
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(folder))
    monkeypatch.delenv("GRIDFTP_USER_CWD", raising=False)

    def make(name: str, text: str) -> None:
        source = folder / f"{name}.py"
        source.write_text(f"import json, sys\nsys.path.insert(0, {str(DATA)!r})\n{text}")
        path = folder / name
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -E -S "{source}" "$@"\n')
        path.chmod(0o755)

    return make


CONTENDER = """
import pathlib, standin
options = standin.read(sys.argv[1:])
made = standin.result(options)
log = pathlib.Path({log!r})
count = len(log.read_text().splitlines()) if log.exists() else 0
log.open("a").write({name!r} + " " + options["parallelism"] + "\\n")
made["cost"]["wall_s"] = {cost} * (1 + 0.1 * (count // 2)) * 1e-6
made["sessions"][0]["summary"]["segments"] = 1000
made["scenario"]["queue_packets"] = {queue}
print(json.dumps(made))
"""


def contenders(
    program: Callable[[str, str], None], log: Path, queues: tuple[int, int] = (100, 100)
) -> None:
    """Make two contenders, of 10 and 10.5 us per segment, that get slower as time goes on."""
    for name, cost, queue in (
        ("gridftp-bulk-baseline", 10_000, queues[0]),
        ("gridftp-transfer", 10_500, queues[1]),
    ):
        program(name, CONTENDER.format(log=str(log), name=name, cost=cost, queue=queue))


def test_bench_takes_turns_and_divides_neighbours(
    program: Callable[[str, str], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    contenders(program, log)
    out = tmp_path / "out"
    assert main(["bench", "--repeat=3", "--file-size=100MB", "--results", str(out)]) == 0
    taken = [line.split() for line in log.read_text().splitlines()]
    expected = [
        [name, str(n)]
        for n in bench.PARALLELISM
        for _ in range(3)
        for name in ("gridftp-bulk-baseline", "gridftp-transfer")
    ]
    assert taken == expected
    data = json.loads((out / "bench.json").read_text())
    # Both slow down alike, so every pair has the ratio 1.05 although costs double.
    for case in data["cases"]:
        assert case["ratios"]["gridftp"]["pairs"] == pytest.approx([1.05] * 3)
    assert data["ratio_median"]["gridftp"] == pytest.approx(1.05)
    first = data["cases"][0]["contenders"]["bulk"]
    # 10 ms over 1000 segments, then 10 % more each round
    assert first["cost_ns_per_segment"] == pytest.approx([10_000, 11_000, 12_000])
    assert {path.name for path in (out / "figures").iterdir()} == {
        "bench.png",
        "bench.svg",
        "bench.csv",
    }
    told = capsys.readouterr().out
    assert "GridFTP over BulkSend to PacketSink: 1.050" in told
    assert "25.40" in told, "goodput at N = 1"
    before = (out / "figures/bench.svg").read_bytes()
    (out / "figures/bench.svg").unlink()
    assert main(["plot", "--results", str(out)]) == 0
    assert (out / "figures/bench.svg").read_bytes() == before


def test_bench_refuses_to_compare_different_dumbbells(
    program: Callable[[str, str], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contenders(program, tmp_path / "log", queues=(100, 50))
    assert main(["bench", "--repeat=1", "--results", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert "not the same dumbbell: queue_packets is bulk 100, gridftp 50" in told
    assert not (tmp_path / "out").exists()


def test_bench_tells_of_a_failing_contender(
    program: Callable[[str, str], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contenders(program, tmp_path / "log")
    program("gridftp-transfer", "print('no route', file=sys.stderr); sys.exit(1)")
    assert main(["bench", "--repeat=1", "--results", str(tmp_path / "out")]) == 1
    told = capsys.readouterr().err
    assert told == "gridftp bench: gridftp-transfer ended with exit status 1: no route\n"
    program("gridftp-transfer", "print('fast')")
    assert main(["bench", "--repeat=1", "--results", str(tmp_path / "out")]) == 1
    assert "gridftp: not one JSON object" in capsys.readouterr().err


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


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--bandwidth=none", "--figure=a.png"], 2, "--bandwidth=none is not a rate"),
        (["--figure=a.gif"], 2, "'a.gif' does not end with .png, .pdf, .svg"),
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


def test_reproduce_with_the_real_program(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", "--file-size=20MB", "--results", str(tmp_path)]) == 0
    folder = tmp_path / "file-size-20MB"
    results = [load(folder / f"runs/{mode}.json") for mode in ("mi", "mi-plus", "aimd")]
    for result in results:
        chunks = result.chunks()
        assert chunks["bytes"].sum() == 20_000_000
        # One connection of 64 KiB per 20 ms round trip is a quarter of the bottleneck.
        assert 20e6 < chunks["goodput_bps"].iloc[0] < 27e6
    assert (folder / "figures/fig3.svg").exists()
    assert "cannot be judged" in (folder / "claims.md").read_text()
    kept = [(folder / f"runs/{mode}.json").stat().st_mtime_ns for mode in ("mi", "aimd")]
    assert main(["reproduce", "--file-size=20MB", "--results", str(tmp_path)]) == 0
    assert "mi kept from before" in capsys.readouterr().out
    assert kept == [(folder / f"runs/{mode}.json").stat().st_mtime_ns for mode in ("mi", "aimd")]
