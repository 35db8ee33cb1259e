"""A tuner from outside: what a program is told, what becomes of those that do not answer well."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner
from patience import PATIENCE
from stand_ins import in_folder, shell_command

from analysis.read import stored
from experiments.__main__ import main

TRANSFER = "gridftp-transfer"
ENGINES = ("segment", "ns3")
SMALL = ("--file-size=2500KB", "--chunk-size=1MB")
FIXED = {"mode": "fixed", "parallelism": "5"}

# It answers 2, then one more each time, and keeps what it has heard.
RISING = """
import json, sys
with open(sys.argv[1], "a") as kept:
    for line in sys.stdin:
        kept.write(line)
        kept.flush()
        heard = json.loads(line)
        n = 2 if heard["event"] == "hello" else heard["parallelism"] + 1
        print(json.dumps({"parallelism": n}), flush=True)
    kept.write("end\\n")
"""


@pytest.fixture
def rising(tmp_path: Path) -> str:
    """A command whose N rises, and which keeps what it hears in ``heard``."""
    (tmp_path / "rising.py").write_text(RISING)
    return shell_command(sys.executable, tmp_path / "rising.py", tmp_path / "heard")


def heard(folder: Path) -> list[Any]:
    """What the rising program has heard; "end" is the end of its standard input."""
    lines = (folder / "heard").read_text().splitlines()
    (folder / "heard").unlink()
    return [line if line == "end" else json.loads(line) for line in lines]


def outcome(text: str) -> dict[str, Any]:
    """What has to be equal on both engines."""
    result = json.loads(text)
    assert result["scenario"]["mode"] == "external"
    return {key: result[key] for key in ("status", "reason", "sessions")}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_program_is_told_of_each_chunk_and_decides_on_the_next(
    engine: str, rising: str, run_program: Runner, tmp_path: Path
) -> None:
    words = (f"--engine={engine}", "--run=7", "--seed=3", "--random-loss=0.003", *SMALL, "--json")
    done = run_program(TRANSFER, f"--mode=external:{rising}", *words)
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert result["scenario"]["external_command"] == rising
    chunks = result["sessions"][0]["gridftp"]["chunks"]
    assert [chunk["parallelism"] for chunk in chunks] == [2, 3, 4]
    hello, *told, end = heard(tmp_path)
    assert end == "end"
    assert hello == {
        "event": "hello",
        "protocol": 1,
        "session": 0,
        "pair": 0,
        "pairs": 1,
        "max_parallelism": 1024,
        "file_size_bytes": 2_500_000,
        "chunk_size_bytes": 1_000_000,
        "window_bytes": 65536,
        "segment_bytes": 1460,
        "seed": 3,
        "run": 7,
    }
    assert [line["index"] for line in told] == [0, 1, 2]
    assert [line["remaining_bytes"] for line in told] == [1_500_000, 500_000, 0]
    assert [line["valid"] for line in told] == [True, True, False]
    assert sum(line["retransmitted"] for line in told) > 0
    for line, chunk in zip(told, chunks, strict=True):
        assert line["loss_share"] == line["retransmitted"] / line["segments"]
        keys = ("bytes", "goodput_bps", "parallelism", "rtt_s", "window_bytes")
        assert {key: line[key] for key in keys} == {key: chunk[key] for key in keys}
        assert line["duration_s"] == pytest.approx(chunk["end_s"] - chunk["start_s"], rel=1e-9)


def test_both_engines_tell_and_do_the_same(
    rising: str, run_program: Runner, tmp_path: Path
) -> None:
    told = []
    for engine in ENGINES:
        words = (f"--engine={engine}", "--random-loss=0.003", *SMALL, "--json")
        done = run_program(TRANSFER, f"--mode=external:{rising}", *words)
        told.append((outcome(done.stdout), heard(tmp_path)))
    assert told[0] == told[1]


def test_a_batch_starts_a_program_for_each_session(
    rising: str, run_program: Runner, tmp_path: Path
) -> None:
    external = {"mode": "external", "external-command": rising}
    size = {"file-size": "2500KB", "chunk-size": "1MB"}
    lines = [
        {**size, "engine": engine, "sessions": [external, external, FIXED]} for engine in ENGINES
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    done = run_program(TRANSFER, f"--batch={batch}")
    assert (done.returncode, done.stderr) == (0, "")
    own, reference = (outcome(line) for line in done.stdout.splitlines())
    assert own == reference
    for session, expected in zip(own["sessions"], ([2, 3, 4], [2, 3, 4], [5, 5, 5]), strict=True):
        chunks = session["gridftp"]["chunks"]
        assert [chunk["parallelism"] for chunk in chunks] == expected
    sessions = [line["session"] for line in heard(tmp_path) if "session" in line]
    assert sorted(sessions) == [0, 0, 1, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_each_pair_of_stripes_has_a_program(
    engine: str, rising: str, run_program: Runner, tmp_path: Path
) -> None:
    words = ("--stripes=2x2", "--stripe-tuning=each", *SMALL, "--json", f"--engine={engine}")
    done = run_program(TRANSFER, f"--mode=external:{rising}", *words)
    assert done.returncode == 0, done.stdout
    hellos = [line for line in heard(tmp_path) if line != "end" and line["event"] == "hello"]
    assert sorted(line["pair"] for line in hellos) == [0, 1]
    assert {line["pairs"] for line in hellos} == {1}


BY_PAIR = """
import json, sys
for line in sys.stdin:
    heard = json.loads(line)
    n = 5 - 3 * heard["pair"] if heard["event"] == "hello" else heard["parallelism"]
    print(json.dumps({"parallelism": n}), flush=True)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_pairs_of_stripes_have_what_their_own_programs_say(
    engine: str, run_program: Runner, tmp_path: Path
) -> None:
    (tmp_path / "by_pair.py").write_text(BY_PAIR)
    command = shell_command(sys.executable, tmp_path / "by_pair.py")
    words = ("--stripes=2x2", "--stripe-tuning=each", *SMALL, "--json", f"--engine={engine}")
    done = run_program(TRANSFER, f"--mode=external:{command}", *words)
    assert done.returncode == 0, done.stdout
    chunks = json.loads(done.stdout)["sessions"][0]["gridftp"]["chunks"]
    # Of the pair with most, from the first chunk on.
    assert [chunk["parallelism"] for chunk in chunks] == [5, 5, 5]


SWEEP = """
title = "Two programs"
[fixed]
file-size = "2500KB"
chunk-size = "1MB"
[[block]]
label = "all"
[block.cross]
mode = ["mi", "external:{first}", "external:{second}"]
"""


def test_a_sweep_keeps_what_each_command_has_made(
    programs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(programs))
    echo = "while read line; do echo '{{\\\"parallelism\\\": {}}}'; done"
    answer = in_folder(tmp_path, f"echo {{}} >> started; {echo}")
    store = tmp_path / "store.sqlite"
    for names, started in (((3, 4), "34"), ((3, 4), "34"), ((3, 5), "345")):
        commands = [answer.format(name, name) for name in names]
        spec = SWEEP.format(first=commands[0], second=commands[1])
        (tmp_path / "programs.toml").write_text(spec)
        assert main(["sweep", str(tmp_path / "programs.toml"), f"--store={store}"]) == 0
        assert sorted((tmp_path / "started").read_text().split()) == list(started)
        table = stored.session_table(store, "programs")
        assert table["mode"].tolist() == ["mi", "external", "external"]
        assert table["final_parallelism"].tolist()[1:] == list(names)
    (tmp_path / "programs.toml").write_text(
        SWEEP.format(first="true", second="x").replace("external:x", "extern:x")
    )
    assert main(["sweep", str(tmp_path / "programs.toml"), f"--store={store}"]) == 2
    assert 'or "external:TEXT"' in capsys.readouterr().err


# ---- Over our own standard input and output --------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_who_has_started_the_program_may_be_asked(engine: str, programs: Path) -> None:
    words = (f"--engine={engine}", "--mode=external:-", *SMALL, "--json")
    with subprocess.Popen(
        [programs / TRANSFER, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines = []
        for n in (3, 5, 4, 4):
            lines.append(json.loads(process.stdout.readline()))
            process.stdin.write(f'{{"parallelism": {n}}}\n')
            process.stdin.flush()
        result = json.loads(process.stdout.read())
    assert [line["event"] for line in lines] == ["hello", "chunk", "chunk", "chunk"]
    chunks = result["sessions"][0]["gridftp"]["chunks"]
    assert [chunk["parallelism"] for chunk in chunks] == [3, 5, 4]
    assert result["status"] == "done"


def test_standard_input_that_has_ended_answers_nothing(run_program: Runner) -> None:
    done = run_program(TRANSFER, "--mode=external:-", *SMALL)
    assert done.returncode == 1
    told = "session 0: tuner '-', asked for the first chunk, ended without an answer"
    assert told in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--mode=external",), "--mode=external needs a program; allowed: external:COMMAND, or "),
        (("--mode=external:",), "--mode=external: is unknown; allowed: mi, "),
        (("--mode=mi:cat",), "--mode=mi:cat is unknown; allowed: mi, "),
        (("--mode=external:a\nb",), "has a control character"),
        (
            ("--mode=external:-", "--session", "delay=20ms"),
            "--external-command=- is used by 2 tuners",
        ),
        (
            ("--mode=external:-", "--stripes=2x2", "--stripe-tuning=each"),
            "--external-command=- is used by 2 tuners",
        ),
        (("--external-timeout=0s",), "--external-timeout=0s is out of range"),
        (("--session", "mode=external"), "--session 'mode=external' needs a program"),
    ],
)
def test_what_no_tuner_can_be_is_refused(
    words: tuple[str, ...], told: str, run_program: Runner
) -> None:
    done = run_program(TRANSFER, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_batch_has_its_standard_input_itself(run_program: Runner, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text('{"mode": "external:-"}\n')
    done = run_program(TRANSFER, f"--batch={batch}")
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["status"] == "error"
    assert '"external-command": "-" is our own standard input' in answer["reason"]


def test_the_resolved_scenario_says_which_program(run_program: Runner) -> None:
    told = [
        json.loads(run_program(TRANSFER, *words, "--resolve").stdout)
        for words in (
            ("--mode=external:./a b:c",),
            ("--external-command=./a b:c", "--mode=external"),
            ("--mode=external:x", "--external-command=./a b:c"),
            ("--mode=external:x", "--mode=external:./a b:c", "--mode=external"),
        )
    ]
    assert {one["mode"] for one in told} == {"external"}
    assert {one["external_command"] for one in told} == {"./a b:c"}


# ---- Programs that do not answer well --------------------------------------------------------

GOOD = """read line; echo '{"parallelism": 2}'; """
ALLOWED = """'; allowed: {"parallelism": N} on a line, N a whole number from 1 to 1024"""

BAD = {
    "silent": ("true", "first", "ended without an answer (exit status 0)"),
    "failing": ("exit 3", "first", "ended without an answer (exit status 3)"),
    "killed": ("kill -9 $$", "first", "ended without an answer (signal 9)"),
    "missing": ("/no/such/program", "first", "ended without an answer (exit status 127)"),
    "slow": ("sleep 1000", "first", "gave no answer within 1s"),
    "stuck": (f"{GOOD} sleep 1000", "chunk", "gave no answer within 1s"),
    "deaf": ("exec >&-; sleep 1000", "first", "ended without an answer (still running)"),
    "shut": (
        "read line; exec <&-; echo '{\"parallelism\": 2}'; sleep 1000",
        "chunk",
        "ended without an answer (still running)",
    ),
    "dying": (f"{GOOD} read line; exit 4", "chunk", "ended without an answer (exit status 4)"),
    "no JSON": ("read line; echo many", "first", f"answered 'many{ALLOWED}"),
    "zero": (
        """read line; echo '{"parallelism": 0}'""",
        "first",
        f"""answered '{{"parallelism": 0}}{ALLOWED}""",
    ),
    "two lines": (
        'read line; printf \'{"parallelism": 2}\\n{"parallelism": 2}\\n\'; sleep 1000',
        "chunk",
        """sent '{"parallelism": 2}?' without a request""",
    ),
    "no newline": (
        "read line; printf '{\"parallelism\": 2}'; sleep 1000",
        "first",
        """gave no answer within 1s, but '{"parallelism": 2}' without a newline""",
    ),
    "no newline, and gone": (
        "read line; printf 12",
        "first",
        "ended without an answer, but '12' without a newline (exit status 0)",
    ),
    "no end": (
        "read line; yes | tr -d '\\n'",
        "first",
        f"answered '{'y' * 80}...', which is not a line of up to 4096 bytes",
    ),
    "no text": ("read line; printf '\\377\\000\\n'", "first", f"answered '??{ALLOWED}"),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", BAD)
def test_a_program_that_does_not_answer_well_fails_the_session(
    name: str, engine: str, run_program: Runner, tmp_path: Path
) -> None:
    command, when, told = BAD[name]
    begin = time.monotonic()
    done = run_program(
        TRANSFER,
        "--mode=external",
        f"--external-command={in_folder(tmp_path, command)}",
        f"--external-timeout={'1s' if 'within 1s' in told or 'still running' in told else '60s'}",
        f"--engine={engine}",
        *SMALL,
        "--json",
    )
    assert time.monotonic() - begin < 0.9 * PATIENCE
    assert done.returncode == 1
    assert ("not found" in done.stderr) == (name == "missing")
    result = outcome(done.stdout)
    asked = "for the first chunk" if when == "first" else "after chunk 0"
    shown = in_folder(tmp_path, command)
    cut = shown if len(shown) <= 80 else f"{shown[:80]}..."
    assert result["status"] == "failed"
    assert result["reason"] == f"session 0: tuner '{cut}', asked {asked}, {told}"
    chunks = result["sessions"][0]["gridftp"]["chunks"]
    assert len(chunks) == (0 if when == "first" else 1)
    until(iter(lambda: not left_behind(tmp_path), None))


def test_both_engines_fail_alike(run_program: Runner) -> None:
    command = "for n in 2 3; do read line; echo '{\"parallelism\": '$n'}'; done"
    for further in ((), ("--direction=download",), ("--direction=third-party",), ("--retries=3",)):
        own, reference = (
            outcome(run_program(TRANSFER, f"--mode=external:{command}", *SMALL, "--json", *further,
                                f"--engine={engine}").stdout)
            for engine in ENGINES
        )  # fmt: skip
        assert own == reference
        assert own["status"] == "failed"
        assert len(own["sessions"][0]["gridftp"]["chunks"]) == 2


def test_a_program_that_never_reads_does_not_stop_us(run_program: Runner) -> None:
    # Lines wait in a pipe until it is full: 65,536 bytes, after some 200 chunks.
    command = "while sleep 0.001; do echo '{\"parallelism\": 1}'; done"
    words = ("--file-size=4MB", "--chunk-size=4KB", "--external-timeout=500ms")
    done = run_program(TRANSFER, f"--mode=external:{command}", *words)
    assert done.returncode == 1
    assert "without a request" in done.stdout or "gave no answer" in done.stdout


def left_behind(folder: Path) -> list[str]:
    """Processes that are in a folder: what a program there has left."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "cwd").readlink() == folder:
                found.append((process / "cmdline").read_bytes().decode().replace("\0", " "))
        except OSError:
            continue  # it has ended meanwhile, or is another user's
    return found


def until(true: Iterator[bool]) -> None:
    """Wait for something to be so."""
    end = time.monotonic() + PATIENCE
    while not next(true):
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_ends_the_program_too(
    number: signal.Signals, engine: str, programs: Path, tmp_path: Path
) -> None:
    command = in_folder(tmp_path, "touch begun; exec sleep 1000")
    words = (f"--engine={engine}", "--external-timeout=3600s", f"--mode=external:{command}")
    with subprocess.Popen(
        [programs / TRANSFER, *words], stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    ) as process:
        until(iter(lambda: (tmp_path / "begun").exists(), None))
        os.kill(process.pid, number)
        assert process.wait(PATIENCE) == -number
    until(iter(lambda: not left_behind(tmp_path), None))
