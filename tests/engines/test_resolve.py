"""Good command lines: --describe, --help and --resolve agree with each other and with the run."""

from __future__ import annotations

import csv
import json
import random
import re
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

TRANSFER = "gridftp-transfer"
OPTIMUM = "gridftp-optimum"

Json = dict[str, Any]
Runner = Callable[..., "subprocess.CompletedProcess[str]"]
Answer = Callable[..., Json]


IDLE = re.compile(r"^gridftp-transfer: --\S+ has no effect; it needs --")


@pytest.fixture(scope="session")
def answer(run_program: Runner) -> Answer:
    """Return a function that runs a program that has to succeed, and gives its JSON."""

    def run(name: str, *words: str) -> Json:
        done = run_program(name, *words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        # Random options may have no effect or meet a fault of ns-3: a line for each
        said = [
            line
            for line in done.stderr.splitlines()
            if not IDLE.search(line) and "its issues 1190 and 1349" not in line
        ]
        assert said == [], words
        assert done.stdout.count("\n") == 1, words
        return json.loads(done.stdout, parse_constant=pytest.fail)

    return run


def test_describe(answer: Answer) -> None:
    table = answer(TRANSFER, "--describe")
    assert table["schema"] == 1
    resolved = answer(TRANSFER, "--resolve")
    for option in table["options"]:
        name = option["name"]
        assert set(option) >= {"name", "key", "kind", "unit", "scope", "default", "engines", "help"}
        if option["kind"] in ("whole", "real"):
            low, high = option["minimum"], option["maximum"]
            value = option.get("default_value", resolved[option["key"]])
            assert low < value < high or value in (low, high), name
            assert not (option["open_minimum"] and value == low), name
            assert not (option["open_maximum"] and value == high), name
        if "default_value" in option:
            assert resolved.get(option["key"], option["default_value"]) == option["default_value"]
        if option["scope"] == "output" or name == "arrivals":  # which become sessions
            assert option["key"] not in resolved, name
        else:
            assert option["key"] in resolved, name


def test_help_names_every_option(run_program: Runner, answer: Answer) -> None:
    said = run_program(TRANSFER, "--help", "--json").stdout
    named = re.findall(r"^  --([a-z-]+)[= ]", said, re.MULTILINE)
    table = {option["name"]: option for option in answer(TRANSFER, "--describe")["options"]}
    assert sorted(named) == sorted(table)
    assert set(re.findall(r"--([a-z][a-z-]+)", said)) - {"name"} <= set(table)
    lines = " ".join(said.split())
    for option in table.values():
        assert option["help"] in lines
        assert f"[{option['default']}]" in lines or not option["default"]


def test_resolve_knows_every_session_and_background_connection(answer: Answer) -> None:
    words = ["--session", "mode=aimd,start=1.5s,file-size=7MB", "--session=delay=25ms"]
    words += ["--background", "tcp=newreno,start=2s,stop=3s", "--background=window=1MiB"]
    words += ["--fault", "session=2,at=1.5s", "--eta=0.5", "--window=32KiB"]
    scenario = answer(TRANSFER, *words, "--resolve")
    first, second, third = scenario["sessions"]
    assert without(first, "files_of").items() <= scenario.items()
    changed = {"mode": "aimd", "start_s": 1.5, "file_size_bytes": 7_000_000}
    # Each has files of its own, its index tells.
    assert second == {**first, **changed, "files_of": 1}
    assert third == {**first, "delay_s": 0.025, "files_of": 2}
    plain = {
        "direction": "upload",
        "load": 0,
        "tcp": first["tcp"],
        "delay_s": scenario["delay_s"],
        "start_s": 0,
        "stop_s": 0,
    }
    plain |= {"window_bytes": 32768, "buffers": "fixed", "max_buffer_bytes": 16 << 20}
    described = answer(TRANSFER, "--describe")["options"]
    plain |= {row["key"]: scenario[row["key"]] for row in described if row["scope"] == "tcp"}
    one, two = scenario["background"]
    assert one == {**plain, "tcp": "newreno", "start_s": 2, "stop_s": 3}
    assert two == {**plain, "window_bytes": 1 << 20}
    fault = {"kind": "control-reset", "session": 2, "server": "server", "at_s": 1.5}
    fault |= {"stripe": 0, "connection": 0, "for_s": 1e-9, "idle_s": 300, "mtu_bytes": 1400}
    assert scenario["faults"] == [fault]
    # The keys are those that --describe tells of.
    for option in answer(TRANSFER, "--describe")["options"]:
        if "members" in option and option["name"] != "arrivals":
            keys = [member["key"] for member in option["members"]]
            assert [list(item) for item in scenario[option["key"]][-1:]] == [keys]


def good_line(draw: random.Random) -> list[str]:
    """Make up a small transfer, quick to simulate, written in many ways."""
    timestamps = draw.choice(["on", "off"])
    packet = draw.choice([100, 576, 1500, 9000])
    segment = packet - (52 if timestamps == "on" else 40)
    mode = draw.choice(["mi", "mi-plus", "aimd", "fixed"])
    choices: dict[str, list[str]] = {
        "bandwidth": ["0.5Mbps", "10Mbit/s", "100Mbps", "1.5Gbps"],
        "delay": ["0s", "100us", "0.01s", "123456ns"],
        "queue": ["5", "100p", "1000"],
        "link-header": ["0B", "38"],
        "limit-rate": ["1Mbps", "20Mbit/s"],
        "limit-kind": ["policer", "shaper"],
        "limit-burst": ["9000B", "64KiB"],
        "limit-queue": ["10p"],
        "limit-at": ["client", "server"],
        "access-bandwidth": ["1Gbps", "40Gbit/s"],
        "access-delay": ["0ms", "0.5us"],
        "random-loss": ["0", "0.001", "0.01"],
        "initial-window": ["1", "10"],
        "min-rto": ["10ms", "1s"],
        "delayed-ack": ["2"],
        "sack": ["on", "off"],
        "limited-transmit": ["on", "off"],
        "ecn": ["on", "off"],
        "eta": ["0.5", "1", "0.75"],
        "gamma": ["1.5", "3"],
        "alpha": ["1", "2.25"],
        "beta": ["0.125", "0.9"],
        "rtt-samples": ["1", "100"],
        "tuner-window": ["asked", "buffer"],
        "chunk-size": ["1000", "3.5KB", "100MB"],
        "block-size": ["100B", "1KiB", "1PB"],
        "tcp": ["reno", "newreno", "ns3::TcpCubic"],
        "direction": ["upload", "download"],
        "data-channels": ["fresh", "cached"],
        "layout": ["dynamic", "static"],
        "start-jitter": ["1ns", "3.5ms"],
        "seed": ["1", "4000000000"],
        "run": ["0", "7", "9223372036854775807"],
        "set": ["ns3::Ipv4L3Protocol::DefaultTtl=9", "ns3::TcpSocketBase::ReTxThreshold=4"],
    }
    words = [
        f"--mode={mode}",
        f"--timestamps={timestamps}",
        f"--packet-size={packet}",
        f"--window={segment * draw.choice([1, 2, 7, 40])}B",
        f"--file-size={draw.choice(['1', '17B', '10KB', '12.345KB'])}",
    ]
    words += [
        f"--{name}={draw.choice(texts)}" for name, texts in choices.items() if draw.random() < 0.3
    ]
    if mode == "fixed":
        words.append(f"--parallelism={draw.randint(1, 6)}")
    else:
        words += [f"--initial-parallelism={draw.randint(1, 3)}", "--max-parallelism=6"]
    only_ns3 = ("--set=", "--tcp=ns3::")
    if draw.random() < 0.5 or any(word.startswith(only_ns3) for word in words):
        words.append("--engine=ns3")
    draw.shuffle(words)
    return words


def test_resolved_is_what_runs(answer: Answer) -> None:
    draw = random.Random(20080519)
    lines = [good_line(draw) for _ in range(60)]

    def both(words: list[str]) -> tuple[Json, Json]:
        return answer(TRANSFER, *words, "--resolve"), answer(TRANSFER, *words, "--json")

    with ThreadPoolExecutor(2) as pool:
        for words, (scenario, result) in zip(lines, pool.map(both, lines), strict=True):
            assert result["scenario"] == scenario, words
            assert result["engine"] == scenario["engine"], words
            assert result["status"] == "done", words
            chunks = result["sessions"][0]["gridftp"]["chunks"]
            assert sum(chunk["bytes"] for chunk in chunks) == scenario["file_size_bytes"], words
            first = without(scenario["sessions"][0], "files_of")
            assert first.items() <= scenario.items(), words
            assert scenario["set"] == [w.removeprefix("--set=") for w in words if "--set=" in w]


def without(result: Json, *keys: str) -> Json:
    return {key: value for key, value in result.items() if key not in keys}


LOSSY = ["--file-size=3MB", "--chunk-size=1MB", "--random-loss=0.001", "--queue=10"]


@pytest.mark.parametrize("extra", [[], ["--start-jitter=5ms"], ["--direction=download"]])
def test_same_seed_and_run_same_result(run_program: Runner, extra: list[str]) -> None:
    words = [*LOSSY, *extra, "--json"]
    first, again = (run_program(TRANSFER, *words).stdout for _ in range(2))
    begin = first.index('"provenance": ')
    end = first.index("}", begin)
    cost = first.index('"cost": ')
    assert begin < end < cost
    # byte by byte, but for these two
    assert again.startswith(first[:begin])
    assert first[end:cost] == again[again.index("}", begin) : again.index('"cost": ')]
    other = json.loads(run_program(TRANSFER, *words, "--run=2").stdout)
    assert other["sessions"] != json.loads(first)["sessions"]


def test_jitter_and_only_it_makes_runs_differ(answer: Answer) -> None:
    small = ["--file-size=2MB", "--chunk-size=1MB", "--json"]

    def result(*words: str) -> Json:
        return without(answer(TRANSFER, *small, *words), "provenance", "cost", "scenario")

    plain = result()
    assert result("--run=2") == plain
    assert result("--seed=2") == plain
    jitter = result("--start-jitter=5ms")
    assert jitter != plain
    assert result("--start-jitter=5ms", "--run=1", "--seed=1") == jitter
    assert result("--start-jitter=5ms", "--run=2") != jitter
    assert result("--start-jitter=5ms", "--seed=2") != jitter


@pytest.mark.parametrize("direction", ["upload", "download"])
@pytest.mark.parametrize("channels", ["fresh", "cached"])
@pytest.mark.parametrize("layout", ["dynamic", "static"])
def test_tiny_files_and_chunks(answer: Answer, direction: str, channels: str, layout: str) -> None:
    shape = [f"--direction={direction}", f"--data-channels={channels}", f"--layout={layout}"]
    shape += ["--mode=fixed", "--parallelism=3", "--json"]
    cases = {
        "--file-size=1": [1],
        "--file-size=1 --chunk-size=1": [1],
        "--file-size=5 --chunk-size=1 --block-size=1": [1] * 5,
        "--file-size=5 --chunk-size=2": [2, 2, 1],
        "--file-size=3000 --chunk-size=1000 --block-size=7": [1000] * 3,
    }
    for words, sizes in cases.items():
        result = answer(TRANSFER, *words.split(), *shape)
        session = result["sessions"][0]
        assert result["status"] == "done"
        assert result["reason"] is None
        chunks = session["gridftp"]["chunks"]
        assert [chunk["bytes"] for chunk in chunks] == sizes
        assert [chunk["index"] for chunk in chunks] == list(range(len(sizes)))
        # A chunk shorter than asked for tells a tuner nothing.
        whole = result["scenario"]["chunk_size_bytes"]
        assert [chunk["valid"] for chunk in chunks] == [size == whole for size in sizes]
        assert {chunk["parallelism"] for chunk in chunks} == {3}
        for before, chunk in pairwise(chunks):
            assert before["start_s"] < before["end_s"] < chunk["start_s"]
        seconds = chunks[-1]["end_s"] - chunks[0]["start_s"]
        assert session["duration_s"] == pytest.approx(seconds)
        assert session["goodput_bps"] == pytest.approx(8 * sum(sizes) / seconds)
        assert session["gridftp"]["settled_at_s"] == chunks[0]["start_s"]
        # 10 ms each way is the least that any round trip takes.
        assert all(chunk["rtt_s"] >= 0.02 for chunk in chunks)


@pytest.mark.parametrize("engine", ["segment", "ns3"])
def test_a_window_of_one_segment(answer: Answer, engine: str) -> None:
    # ns-3 asserts on it unless told otherwise, see TcpSocketGuarded.
    for words in (["--window=1460B"], ["--window=1B", "--packet-size=41B"]):
        words += [f"--engine={engine}", "--file-size=2KB", "--max-parallelism=1", "--json"]
        result = answer(TRANSFER, *words)
        assert result["status"] == "done"
        # A segment in flight at a time, for at least a round trip each.
        segments = result["sessions"][0]["tcp"]["segments"]
        assert result["sessions"][0]["duration_s"] > 0.02 * segments


def test_an_attribute_is_set(answer: Answer) -> None:
    # Two routers: three hops are enough, and of two given the last one counts.
    words = ["--engine=ns3", "--file-size=1KB", "--json"]
    ttl = "--set=ns3::Ipv4L3Protocol::DefaultTtl="
    assert answer(TRANSFER, *words, f"{ttl}3")["status"] == "done"
    assert answer(TRANSFER, *words, f"{ttl}2", f"{ttl}3")["status"] == "done"


def test_a_failed_transfer_says_why(run_program: Runner) -> None:
    done = run_program(
        TRANSFER, "--engine=ns3", "--set=ns3::Ipv4L3Protocol::DefaultTtl=2", "--json"
    )
    assert done.returncode == 1
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert result["status"] == "failed"
    assert result["reason"] == "session 0: the control connection was refused"
    session = result["sessions"][0]
    assert session["gridftp"]["chunks"] == []
    assert session["gridftp"]["final_parallelism"] is None
    assert session["gridftp"]["settled_at_s"] is None


def test_optimum_json_and_csv(answer: Answer, tmp_path: Path) -> None:
    file = tmp_path / "curve.csv"
    # B = 88 Mbit/s as measured, R over the paper's dumbbell: MI+ takes 4 (see the C++ tests).
    words = ["--stack=classic", "--bandwidth=88Mbps", "--rtt=20.06ms", "--window=64KiB"]
    told = answer(OPTIMUM, *words, f"--csv={file}", "--json")
    assert set(told) == {"schema", "scenario", "optimum", "curve"}
    assert told["schema"] == 1
    scenario = {"bandwidth_bps": 88_000_000, "rtt_s": 0.02006, "window_bytes": 65536}
    assert told["scenario"].items() >= scenario.items()
    best = told["optimum"]
    assert set(best) == {"parallelism", "goodput_bps", "loss", "limited_by"}
    assert best["parallelism"] == 4
    assert best["goodput_bps"] == pytest.approx(87.91417e6, rel=1e-6)
    assert best["loss"] == pytest.approx(9.75291e-4, rel=1e-5)
    assert best["limited_by"] == "network"

    curve = told["curve"]
    assert [point["parallelism"] for point in curve] == list(range(1, len(curve) + 1))
    assert len(curve) >= 8
    assert max(curve, key=lambda point: point["goodput_bps"])["parallelism"] == 4
    with file.open(encoding="ascii", newline="") as lines:
        rows = [
            {key: float(text) if text else None for key, text in row.items()}
            for row in csv.DictReader(lines)
        ]
    assert rows == curve
    # Every point is Eq. (1), whose second term is B (1 - p).
    for point in curve:
        assert point["network_limit_bps"] == pytest.approx(88e6 * (1 - point["loss"]))
        limits = point["window_limit_bps"], point["network_limit_bps"]
        assert point["goodput_bps"] == min(limits)


def test_optimum_outside_the_model(answer: Answer, run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "curve.csv"
    told = answer(OPTIMUM, "--stack=classic", "--bandwidth=1kbps", f"--csv={file}", "--json")
    assert told["optimum"]["parallelism"] == 1
    assert told["optimum"]["loss"] is None
    assert {point["loss"] for point in told["curve"]} == {None}
    assert file.read_text().splitlines()[1].endswith(",,")
    assert (
        "the model does not cover its losses"
        in run_program(OPTIMUM, "--stack=classic", "--bandwidth=1kbps").stdout
    )


def test_optimum_with_random_loss(answer: Answer, run_program: Runner) -> None:
    words = [
        "--stack=classic",
        "--bandwidth=1Gbps",
        "--rtt=80ms",
        "--window=16MiB",
        "--loss=5e-5",
    ]
    result = answer(OPTIMUM, *words, "--json")
    assert result["scenario"]["loss"] == 5e-5
    models = {model["name"]: model for model in result["loss_models"]}
    # By hand in gridftp-loss-model-test.cc
    optima = {name: model["optimum"]["parallelism"] for name, model in models.items()}
    assert optima == {"mathis": 1, "hacker": 40, "cubic": 26}
    assert models["cubic"]["one_connection"]["goodput_bps"] == pytest.approx(38.923596e6, rel=1e-6)
    assert models["mathis"]["optimum"]["limited_by"] == "loss"
    assert "RFC 9438" in models["cubic"]["source"]
    shown = run_program(OPTIMUM, *words).stdout
    assert re.search(r"hacker +25\.29 +40 +999\.95 +network\n", shown)
    assert "loss_models" not in answer(OPTIMUM, "--stack=classic", "--json")


def test_the_curve_has_the_models_with_random_loss(
    answer: Answer, run_program: Runner, tmp_path: Path
) -> None:
    file = tmp_path / "curve.csv"
    words = [
        "--stack=classic",
        "--bandwidth=1Gbps",
        "--rtt=80ms",
        "--window=16MiB",
        "--loss=1e-3",
        f"--csv={file}",
    ]
    result = answer(OPTIMUM, *words, "--json")
    models = {model["name"]: model for model in result["loss_models"]}
    assert "curve" not in models["mathis"]  # of one connection
    # 1460 x 8 bit / 80 ms x sqrt(1.5 / 0.001) = 5.654 Mbit/s each, until 999 Mbit/s are full
    curve = models["hacker"]["curve"]
    assert len(curve) == len(result["curve"]) == 4 * 177
    assert curve[9]["goodput_bps"] == pytest.approx(56.545e6, rel=1e-3)
    assert [point["limited_by"] for point in curve[175:177]] == ["loss", "network"]
    assert curve[176] == models["hacker"]["optimum"]
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert len(rows) == len(curve)
    for model in ("hacker", "cubic"):
        column = [float(row[f"{model}_goodput_bps"]) for row in rows]
        assert column == pytest.approx([point["goodput_bps"] for point in models[model]["curve"]])
    shown = run_program(OPTIMUM, *words).stdout
    assert shown.startswith("Without random loss:\nbest number of connections  1\n")


def test_optimum_for_people(run_program: Runner) -> None:
    done = run_program(OPTIMUM, "--stack=classic", "--bandwidth=88Mbps", "--rtt=20.06ms")
    assert done.returncode == 0
    assert re.search(r"best number of connections +4\n", done.stdout)
    assert re.search(r"predicted goodput +87\.91 Mbit/s of 88\.00\n", done.stdout)
    assert re.search(r"limited by +network\n", done.stdout)


def test_optimum_of_hosts_of_today(answer: Answer, run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "curve.csv"
    words = ["--bandwidth=50Mbps", "--rtt=40ms", "--file-size=20MB", "--repeat=2", "--queue=50p"]
    told = answer(OPTIMUM, *words, f"--csv={file}", "--json")
    assert told["scenario"]["stack"] == "linux"
    assert told["scenario"]["tcp"] == "cubic"
    assert "window_bytes" not in told["scenario"]  # it tunes itself
    curve = told["curve"]
    counts = [point["parallelism"] for point in curve]
    assert counts == [2**power for power in range(len(curve))]
    best, highest = told["optimum"], max(point["goodput_bps"] for point in curve)
    assert best in curve
    assert highest / best["goodput_bps"] <= 1.02
    assert all(
        point["goodput_bps"] < highest / 1.02
        for point in curve
        if point["parallelism"] < best["parallelism"]
    )
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert [{key: float(text) for key, text in row.items()} for row in rows] == curve
    # Each of them is an ordinary transfer
    same = [
        "--stack=linux", "--bandwidth=50Mbps", "--delay=19980us", "--start-jitter=40ms",
        "--file-size=20MB", "--chunk-size=20MB", "--queue=50p", "--mode=fixed", "--parallelism=4",
    ]  # fmt: skip
    results = [answer(TRANSFER, *same, f"--run={number}", "--json") for number in (1, 2)]
    goodputs = [result["sessions"][0]["goodput_bps"] for result in results]
    four = curve[counts.index(4)]
    assert sorted(goodputs) == [four["least_bps"], four["most_bps"]]
    shown = run_program(OPTIMUM, *words).stdout
    assert f"best number of connections  {best['parallelism']}," in shown


def test_optimum_with_a_window_on_hosts_of_today(answer: Answer, run_program: Runner) -> None:
    # 64 KiB are doubled, and 0.63 of that is window: 82 kB in 100 ms are 6.6 Mbit/s each
    words = ["--bandwidth=40Mbps", "--rtt=100ms", "--window=64KiB", "--file-size=20MB"]
    told = answer(OPTIMUM, *words, "--repeat=1", "--max-parallelism=4", "--json")
    assert told["scenario"]["window_bytes"] == 65536
    assert [point["parallelism"] for point in told["curve"]] == [1, 2, 4]
    goodputs = [point["goodput_bps"] for point in told["curve"]]
    # The path carries 38.6; slow start takes a larger part of a shorter transfer
    assert goodputs == pytest.approx([6.4e6, 12.4e6, 23e6], rel=0.1)
    assert told["optimum"]["parallelism"] == 4
    done = run_program(OPTIMUM, "--stack=classic", "--queue=50p")
    assert done.returncode == 2
    assert "--queue=50p has no effect with --stack=classic" in done.stderr
    assert done.stderr.count("\n") == 1
