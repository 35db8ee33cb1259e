"""The verb compare, with a program that stands in, and the intervals it judges by."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from stand_ins import write_bare_program

from analysis.statistics.interval import mean_interval, t_quantile
from experiments.__main__ import main
from experiments.verbs import compare

DATA = Path(__file__).parents[1] / "data"

# Answers a batch. TWIST is JSON: what goodput to multiply by, depending on the point.
STANDIN = """
import json, os, pathlib, sys, time
sys.path.insert(0, {data!r})
import standin
if "--batch=-" not in sys.argv:
    print(json.dumps(standin.result(standin.read(sys.argv[1:]))["scenario"]))
    sys.exit()
twist = json.loads(os.environ.get("TWIST", "{{}}"))
log = open({log!r}, "a")
for text in sys.stdin:
    line = json.loads(text)
    made = standin.result({{**line, "parallelism": 1}})
    n, run, engine = int(line["parallelism"]), int(line["run"]), line["engine"]
    made["scenario"] |= {{"parallelism": n, "sessions": [{{}}]}}
    for name, unit, factor in (
        ("bandwidth_bps", "Mbps", 1e6), ("delay_s", "ms", 1e-3), ("queue_packets", "p", 1),
        ("window_bytes", "KiB", 1024), ("window_bytes", "MiB", 1048576),
    ):
        word = line[name.rsplit("_", 1)[0]]
        if word.endswith(unit):
            made["scenario"][name] = int(word.removesuffix(unit)) * factor
    session = made["sessions"][0]
    lossy = n >= 4
    made["links"][0]["drops"] = 7 if lossy else 0
    session["tcp"]["retransmissions"] = 9 if lossy else 0
    session["goodput_bps"] = n * 1e6 + (run * 1000 if line["start-jitter"] != "0ms" else 0)
    if engine == "segment" and line["bandwidth"] == "100Mbps":
        low, high = twist.get(str(n), [1, 1])
        session["goodput_bps"] *= (low, high)[run % 2]
        made["scenario"]["delay_s"] += twist.get("delay", 0)
        if "die" in twist:
            print("out of memory", file=sys.stderr)
            sys.exit(3)
        time.sleep(twist.get("sleep", 0))
        if "fail" in twist and line["start-jitter"] != "0ms":
            made |= {{"status": "failed", "reason": "control connection failed"}}
    told = (engine, n, run, line["start-jitter"], line["file-size"], os.getpid())
    print(*told, file=log, flush=True)
    print(json.dumps(made), flush=True)
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a program that stands in, which logs what it was asked."""
    folder = tmp_path / "build"
    folder.mkdir()
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(folder))
    monkeypatch.delenv("GRIDFTP_USER_CWD", raising=False)
    path = tmp_path / "log"
    text = STANDIN.format(data=str(DATA), log=str(path))
    write_bare_program(folder / "gridftp-transfer", text)
    return path


@pytest.fixture
def twist(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Tells the program in what to differ."""

    def tell(**told: Any) -> None:
        monkeypatch.setenv("TWIST", json.dumps(told))

    return tell


def test_compare_simulates_the_same_draws_in_both_engines(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["compare", "--part", "--replications=3", "--results", str(out)]) == 0
    asked = [line.split()[:5] for line in log.read_text().splitlines()]
    survey, runs = asked[: len(compare.PART)], asked[len(compare.PART) :]
    assert {tuple(words[2:]) for words in survey} == {("1", "0ms", compare.PART_FILE_SIZE)}
    places = len(compare.PART) // 3
    expected = [
        [engine, str(n), str(run), "0ms" if n == 1 else "1ms", compare.PART_FILE_SIZE]
        for engine in compare.ENGINES
        for n in (1, 4, 32)
        for run in range(1, 2 if n == 1 else 4)
        for _ in range(places)
    ]
    assert sorted(runs) == sorted(expected)
    data = json.loads((out / "compare.json").read_text())
    assert data["holds"]
    assert data["mean_ratio"] == 1
    assert [point["lossy"] for point in data["points"]].count(False) == places
    for point in data["points"]:
        assert point["ratio"] == {"mean": 1, "low": 1, "high": 1}
        assert [run["run"] for run in point["runs"]] == ([1, 2, 3] if point["lossy"] else [1])
        for run in point["runs"]:
            assert run["segment"] == run["ns3"]
    assert (out / "figures/compare.png").read_bytes().startswith(b"\x89PNG")
    drawn = (out / "figures/compare.svg").read_text()
    for legend in ("100 Mbit/s", "10 ms"):
        assert f"<!-- {legend} -->" in drawn or f">{legend}<" in drawn
    rows = (out / "figures/compare.csv").read_text().splitlines()
    assert len(rows) == 1 + len(compare.PART)
    told = capsys.readouterr()
    assert (
        f"{places} points without losses: {places} within the tolerance, {places} equal" in told.out
    )
    assert "mean goodput ratio of segment to ns3: 1; the engines agree" in told.out
    assert "\x1b" not in told.err, "not a terminal: plain lines"


@pytest.mark.usefixtures("blank_pictures")
@pytest.mark.parametrize(
    ("factors", "failing"),
    [
        # without losses: 1 %
        ({"1": [1.0, 1.0099]}, 0),
        ({"1": [1.0, 1.0101]}, 2),
        ({"1": [1.0, 0.9899]}, 2),
        # with losses: the mean is 1.03 or 1.045, t(2) = 4.303, s.d. / sqrt(3) is 0.0033
        ({"4": [1.0234, 1.0333]}, 0),
        ({"4": [1.0384, 1.0483]}, 2),
        # on average right, but nobody can tell
        ({"4": [0.9, 1.05]}, 2),
    ],
)
def test_compare_fails_where_a_point_is_outside(
    factors: dict[str, list[float]],
    failing: int,
    log: Path,
    twist: Callable[..., None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    twist(**factors)
    arguments = ["compare", "--part", "--replications=3", "--results", str(tmp_path)]
    assert main(arguments) == (1 if failing else 0)
    data = json.loads((tmp_path / "compare.json").read_text())
    bad = [point for point in data["points"] if not point["holds"]]
    assert len(bad) == failing
    assert {str(point["parallelism"]) for point in bad} <= set(factors)
    told = capsys.readouterr().out
    assert told.count("FAILS: goodput ratio") == failing
    assert ("DISAGREE" in told) == bool(failing)


@pytest.mark.usefixtures("blank_pictures")
def test_compare_fails_where_all_points_are_off_a_little(
    log: Path, twist: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = tuple(p for p in compare.PART if p.bandwidth == "100Mbps" and p.parallelism > 1)
    monkeypatch.setattr(compare, "PART", places)
    twist(**{"4": [1.021, 1.021], "32": [1.021, 1.021]})
    arguments = ["compare", "--part", "--replications=2", "--results", str(tmp_path)]
    assert main(arguments) == 1
    data = json.loads((tmp_path / "compare.json").read_text())
    assert all(point["holds"] for point in data["points"])
    assert data["mean_ratio"] == pytest.approx(1.021)
    assert not data["holds"]


@pytest.mark.usefixtures("blank_pictures")
def test_compare_tells_what_went_wrong(
    log: Path, twist: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = ["compare", "--part", "--replications=2", "--jobs=2", "--results", str(out)]
    twist(delay=0.001)
    assert main(arguments) == 1
    assert "the runs have different scenarios: delay_s differ" in capsys.readouterr().err
    twist(die=1)
    assert main(arguments) == 1
    told = capsys.readouterr().err
    assert "gridftp-transfer ended with exit status 3 at {" in told
    assert told.endswith("}: out of memory\n")
    assert not out.exists()
    twist(fail=1)
    assert main(arguments) == 1
    assert "FAILS: run 1, engine segment: control connection failed" in capsys.readouterr().out
    points = json.loads((out / "compare.json").read_text())["points"]
    assert sum(bool(point["failures"]) for point in points) == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--replications=1"], "'1' is not a whole number from 2 to 10000"),
        (["--replications=many"], "'many' is not a whole number"),
        (["--jobs=0"], "'0' is not a whole number"),
        (["--file-size=big"], "--file-size=big is not a size"),
        (["--points"], "unrecognized arguments: --points"),
    ],
)
def test_compare_refuses_bad_input_in_one_line(
    options: list[str],
    message: str,
    log: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["compare", "--results", str(tmp_path / "out"), *options]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert not log.exists()
    assert not (tmp_path / "out").exists()


def test_compare_ends_at_once_on_ctrl_c(
    log: Path, twist: Callable[..., None], tmp_path: Path, root: Path
) -> None:
    twist(sleep=0.2)
    words = [sys.executable, "-m", "experiments", "compare", "--part", "--jobs=2"]
    process = subprocess.Popen(
        [*words, "--results", str(tmp_path / "out")],
        cwd=root,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    while not log.exists() or log.read_text().count("\n") < 2:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    # Before it, where that took long, how far it was
    assert told.splitlines()[-1] == "gridftp compare: interrupted"
    assert not (tmp_path / "out").exists()
    for number in {int(line.split()[5]) for line in log.read_text().splitlines()}:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_grid_and_its_part() -> None:
    assert len(set(compare.GRID)) == 6 * 3 * 3 * 2 * 3
    assert set(compare.PART) < set(compare.GRID)
    assert compare.Place(4, "100Mbps", "10ms", "64KiB", "100p") in compare.PART, "the paper's path"


@pytest.mark.parametrize(
    ("freedom", "level", "quantile"),
    # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2
    [
        (1, 0.95, 12.706),
        (2, 0.95, 4.303),
        (3, 0.95, 3.182),
        (10, 0.95, 2.228),
        (19, 0.95, 2.093),
        (100, 0.95, 1.984),
        (1, 0.99, 63.657),
        (19, 0.99, 2.861),
        (20, 0.9, 1.725),
    ],
)
def test_quantile_of_student(freedom: int, level: float, quantile: float) -> None:
    assert t_quantile(freedom, level) == pytest.approx(quantile, abs=0.0006)


def test_interval_of_a_mean() -> None:
    interval = mean_interval([1.0, 2.0, 3.0])
    assert interval.mean == 2
    half = 4.3027 / 3**0.5
    assert interval.low == pytest.approx(2 - half, abs=1e-4)
    assert interval.high == pytest.approx(2 + half, abs=1e-4)
    assert mean_interval([5.0] * 20).low == mean_interval([5.0] * 20).high == 5
