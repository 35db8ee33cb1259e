"""The verbs reproduce and plot, with a program that stands in for the simulator."""

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

from analysis import figures
from analysis.results import ResultError, load
from experiments import runner
from experiments.__main__ import main
from experiments.specs import FIGURES

DATA = Path(__file__).parent / "data"
ROOT = DATA.parent.parent
MODES = ("mi", "mi-plus", "aimd")


@pytest.fixture
def standins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build folder whose programs are stand-ins; returns that folder."""
    folder = tmp_path / "build"
    folder.mkdir()
    for name in ("gridftp-transfer", "gridftp-bulk-baseline"):
        # -S and -E: it starts in a few milliseconds.
        text = f'#!/bin/sh\nexec "{sys.executable}" -E -S "{DATA / "standin.py"}" "$@"\n'
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(folder))
    monkeypatch.setenv("STANDIN_LOG", str(tmp_path / "log"))
    monkeypatch.delenv("GRIDFTP_USER_CWD", raising=False)
    monkeypatch.delenv("STANDIN", raising=False)
    return folder


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes no time: what is drawn is tested elsewhere."""

    def draw(figure: figures.PaperFigure, results: dict[str, Any], folder: Path) -> list[Path]:
        missing = [name for name in figure.runs if name not in results]
        if missing:
            raise ResultError(f"{figure.name}: no kept result for {', '.join(missing)}")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{figure.name}.png"
        path.write_text("a picture")
        return [path]

    monkeypatch.setattr(figures, "draw", draw)


@pytest.fixture
def behave(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Tells the stand-in what to do in which mode."""

    def tell(**modes: str) -> None:
        named = {mode.replace("_", "-"): word for mode, word in modes.items()}
        monkeypatch.setenv("STANDIN", json.dumps(named))

    return tell


def simulated(tmp_path: Path) -> list[str]:
    """Return the modes simulated so far, sorted."""
    log = tmp_path / "log"
    return sorted(line.split()[0] for line in log.read_text().splitlines()) if log.exists() else []


def reproduce(tmp_path: Path, *more: str) -> int:
    """Reproduce Figures 3 and 4, or what `more` says; the stand-in knows no sweeps."""
    chosen = any(word.startswith(("--figure", "--engine", "--file-size")) for word in more)
    figures = [] if chosen else ["--figure", "3", "4"]
    return main(["reproduce", "--results", str(tmp_path / "out"), *figures, *more])


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_reproduce_keeps_draws_and_judges(
    standins: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reproduce(tmp_path) == 0
    out = tmp_path / "out"
    runs = {f"{mode}{suffix}" for mode in MODES for suffix in (".json", ".key.json")}
    assert names(out / "runs") == runs
    assert names(out / "figures") == {
        f"fig{number}.{kind}" for number in FIGURES for kind in ("png", "pdf", "svg", "csv")
    }
    assert {"claims.md", "claims.csv", "claims.json"} < names(out)
    verdicts = {
        entry["id"]: entry["verdict"]
        for entry in json.loads((out / "claims.json").read_text())["claims"]
    }
    # The stand-in's MI+ has 95.5 Mbit/s at N = 4, and settles at 65 s: those claims fail.
    assert verdicts == {
        "ito-mi-n": "holds",
        "ito-mi-plus-n": "holds",
        "ito-converge": "fails",
        "ito-mi-g": "holds",
        "ito-mi-plus-g": "fails",
        "ito-aimd-slow": "holds",
    }
    told = capsys.readouterr()
    assert "ito-mi-n" in told.out
    assert "fig4.{png,pdf,svg,csv}" in told.out
    assert "claims.{md,csv,json}" in told.out
    assert "mi: started" in told.err
    assert "aimd: done after" in told.err


def test_kept_result_is_what_the_program_printed(
    standins: Path, tmp_path: Path, quick: None
) -> None:
    reproduce(tmp_path)
    printed = subprocess.run(
        [standins / "gridftp-transfer", "--mode=aimd", "--json"], stdout=subprocess.PIPE, check=True
    ).stdout
    assert (tmp_path / "out/runs/aimd.json").read_bytes() == printed


def test_second_reproduce_simulates_nothing(standins: Path, tmp_path: Path, quick: None) -> None:
    reproduce(tmp_path)
    assert simulated(tmp_path) == sorted(MODES)
    reproduce(tmp_path)
    assert simulated(tmp_path) == sorted(MODES)


def test_a_changed_program_is_run_again(standins: Path, tmp_path: Path, quick: None) -> None:
    reproduce(tmp_path)
    with (standins / "gridftp-transfer").open("a") as program:
        program.write("# another build\n")
    reproduce(tmp_path)
    assert simulated(tmp_path) == sorted(MODES * 2)


def test_another_engine_is_run_again(standins: Path, tmp_path: Path, quick: None) -> None:
    reproduce(tmp_path)
    reproduce(tmp_path, "--engine", "segment")
    assert simulated(tmp_path) == sorted(MODES * 2)
    assert load(tmp_path / "out/runs/mi.json").engine == "segment"


@pytest.mark.parametrize("damage", ["result", "key", "no key"])
def test_a_damaged_result_is_not_reused(
    damage: str, standins: Path, tmp_path: Path, quick: None
) -> None:
    reproduce(tmp_path)
    runs = tmp_path / "out/runs"
    if damage == "result":
        text = (runs / "mi.json").read_text()
        (runs / "mi.json").write_text(text.replace('"drops": 0', '"drops": 7'))
    elif damage == "key":
        (runs / "mi.key.json").write_text("{")
    else:
        (runs / "mi.key.json").unlink()
    reproduce(tmp_path)
    assert simulated(tmp_path) == sorted((*MODES, "mi"))


def test_a_smaller_file_leaves_the_full_results_alone(
    standins: Path, tmp_path: Path, quick: None
) -> None:
    reproduce(tmp_path)
    before = (tmp_path / "out/runs/mi.json").read_bytes()
    assert reproduce(tmp_path, "--file-size", "500MB") == 0
    assert (tmp_path / "out/runs/mi.json").read_bytes() == before
    small = tmp_path / "out/file-size-500MB"
    assert load(small / "runs/mi.json").scenario["file_size_bytes"] == 500_000_000
    assert "cannot be judged" in (small / "claims.md").read_text()
    # The usual size, given explicitly, is no other file.
    reproduce(tmp_path, "--file-size=10000MB")
    assert simulated(tmp_path) == sorted(MODES * 2)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("crash", "was killed by SIGSEGV: about to crash"),
        ("rubbish", "mi-plus: not one JSON object"),
        ("failed", "ended with exit status 1: 425 data connection refused"),
        ("newer", "schema 2 is newer than 1"),
        ("short", "chunks add up to 9999999999 bytes, the file has 10000000000"),
        ("other scenario", "not the scenario asked for: delay_s differ"),
    ],
)
def test_a_failed_run_is_recorded_and_does_not_stop_the_others(
    behaviour: str,
    reason: str,
    standins: Path,
    tmp_path: Path,
    quick: None,
    behave: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    behave(mi_plus=behaviour)
    assert reproduce(tmp_path) == 1
    out = tmp_path / "out"
    assert names(out / "runs") == {
        "mi.json",
        "mi.key.json",
        "aimd.json",
        "aimd.key.json",
        "mi-plus.failed.json",
    }
    record = json.loads((out / "runs/mi-plus.failed.json").read_text())
    assert reason in record["reason"]
    assert record["command"][0] == str(standins / "gridftp-transfer")
    assert "--mode=mi-plus" in record["command"]
    assert record["exit_status"] == {"crash": -signal.SIGSEGV, "failed": 1}.get(behaviour, 0)
    assert "progress" not in record["stderr"]
    told = capsys.readouterr().err
    assert f"mi-plus: failed: {record['reason']}" in told
    assert "not drawn: fig3: no kept result for mi-plus" in told
    assert not (out / "figures").exists()
    # Mended, it alone is run again, and the record of the failure goes.
    behave()
    assert reproduce(tmp_path) == 0
    assert simulated(tmp_path) == sorted((*MODES, "mi-plus"))
    assert "mi-plus.failed.json" not in names(out / "runs")


def test_a_failure_keeps_the_earlier_result_but_does_not_draw_it(
    standins: Path, tmp_path: Path, quick: None, behave: Callable[..., None]
) -> None:
    reproduce(tmp_path)
    runs = tmp_path / "out/runs"
    before = (runs / "mi.json").read_bytes()
    (tmp_path / "out/figures/fig3.png").unlink()
    with (standins / "gridftp-transfer").open("a") as program:
        program.write("# another build\n")
    behave(mi="crash")
    assert reproduce(tmp_path) == 1
    assert (runs / "mi.json").read_bytes() == before
    assert not (tmp_path / "out/figures/fig3.png").exists()


def test_what_a_program_says_is_passed_on(
    standins: Path,
    tmp_path: Path,
    quick: None,
    behave: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    behave(mi="talk")
    assert reproduce(tmp_path) == 0
    assert "mi: the queue is small" in capsys.readouterr().err


def test_the_longest_is_started_first(standins: Path, tmp_path: Path, quick: None) -> None:
    reproduce(tmp_path, "--jobs=1")
    log = tmp_path / "log"
    assert [line.split()[0] for line in log.read_text().splitlines()] == list(MODES)
    path = tmp_path / "out/runs/aimd.json"
    path.write_text(path.read_text().replace('"wall_s": 1.0', '"wall_s": 9.0'))
    with (standins / "gridftp-transfer").open("a") as program:
        program.write("# another build\n")
    log.unlink()
    reproduce(tmp_path, "--jobs=1")
    assert [line.split()[0] for line in log.read_text().splitlines()] == ["aimd", "mi", "mi-plus"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "--figure", "9"], "--figure: '9' is not one of 3, 4, 5, 6, 7"),
        (["reproduce", "--figure", "three"], "--figure: 'three' is not one of 3, 4, 5"),
        (["reproduce", "--jobs", "0"], "--jobs: '0' is not a whole number from 1 to 10000"),
        (["reproduce", "--jobs", "nan"], "--jobs: 'nan' is not a whole number"),
        (["reproduce", "--fig", "3"], "unrecognized arguments: --fig 3"),
        (
            ["reproduce", "--figure", "5", "--engine=ns3"],
            "are for Figures 3 and 4; allowed: a copy",
        ),
        (["reproduce", "--file-size", "huge"], "--file-size=huge is not a size"),
        (["reproduce", "--results="], "--results: '' is not a path"),
        (["plot", "extra"], "unrecognized arguments: extra"),
        (["bench", "--repeat=-1"], "--repeat: '-1' is not a whole number"),
        (
            ["draw"],
            "'draw' is not one of reproduce, sweep, store, plot, report, bench, compare, optimum",
        ),
        ([], "nothing is not one of"),
    ],
)
def test_bad_arguments_get_one_line(
    arguments: list[str],
    message: str,
    standins: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_without_programs_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(tmp_path))
    assert reproduce(tmp_path) == 1
    assert "gridftp-transfer is not built: run ./gridftp build" in capsys.readouterr().err
    monkeypatch.delenv("GRIDFTP_BUILD_DIR")
    assert reproduce(tmp_path) == 1
    assert "GRIDFTP_BUILD_DIR is not set" in capsys.readouterr().err


def test_plot_needs_no_program(
    standins: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["plot", "--results", str(tmp_path / "out")]) == 1
    assert "no kept results: run ./gridftp reproduce first" in capsys.readouterr().err
    reproduce(tmp_path, "--figure", "3")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out/figures").iterdir()}
    claims = (tmp_path / "out/claims.md").read_bytes()
    for name in before:
        (tmp_path / "out/figures" / name).unlink()
    monkeypatch.delenv("GRIDFTP_BUILD_DIR")
    # A relative path is the user's.
    monkeypatch.setenv("GRIDFTP_USER_CWD", str(tmp_path))
    assert main(["plot", "--results", "out", "--figure", "3"]) == 0
    assert names(tmp_path / "out/figures") == {f"fig3.{k}" for k in ("png", "pdf", "svg", "csv")}
    for path in (tmp_path / "out/figures").iterdir():
        assert path.read_bytes() == before[path.name]
    assert (tmp_path / "out/claims.md").read_bytes() == claims


def test_plot_refuses_a_newer_result(
    standins: Path, tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str]
) -> None:
    reproduce(tmp_path)
    path = tmp_path / "out/runs/mi.json"
    path.write_text(path.read_text().replace('"schema": 1', '"schema": 2', 1))
    capsys.readouterr()
    assert main(["plot", "--results", str(tmp_path / "out")]) == 1
    assert "schema 2 is newer than 1" in capsys.readouterr().err


def test_a_program_that_ignores_the_end_is_killed(
    standins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "GRACE_S", 0.2)
    text = (
        "#!/bin/sh\n"
        'case "$*" in *--resolve*)'
        f' exec "{sys.executable}" -E -S "{DATA / "standin.py"}" "$@";; esac\n'
        "trap '' TERM\n"
        'echo "$$" >> "$STANDIN_LOG"\n'
        "while :; do sleep 0.05; done\n"
    )
    (standins / "gridftp-transfer").write_text(text)
    log = tmp_path / "log"
    code = (
        "import sys; from experiments import runner; runner.GRACE_S = 0.2\n"
        "from experiments.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    with started(
        ["-c", code, "reproduce", "--figure", "3", "4", "--jobs=2", "--results", tmp_path / "out"]
    ) as process:
        wait_until(lambda: log.exists() and len(log.read_text().split()) == 2)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    assert_gone([int(word) for word in log.read_text().split()])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_ends_the_programs_and_leaves_nothing_half_written(
    number: signal.Signals, standins: Path, tmp_path: Path, behave: Callable[..., None]
) -> None:
    behave(mi_plus="hang", aimd="hang")
    log = tmp_path / "log"
    arguments = [
        "-m",
        "experiments",
        "reproduce",
        "--figure",
        "3",
        "4",
        "--jobs=2",
        "--results",
        tmp_path / "out",
    ]
    with started(arguments) as process:
        wait_until(lambda: len(simulated(tmp_path)) == 3)
        process.send_signal(number)
        _, told = process.communicate(timeout=20)
    assert process.returncode == 130
    assert told.splitlines()[-1] == "gridftp reproduce: interrupted"
    assert "Traceback" not in told
    assert_gone([int(line.split()[1]) for line in log.read_text().splitlines()])
    # The one that was done is kept, whole; the others left no trace.
    assert names(tmp_path / "out") == {"runs"}
    assert names(tmp_path / "out/runs") == {"mi.json", "mi.key.json"}
    load(tmp_path / "out/runs/mi.json")


def started(arguments: list[Any]) -> subprocess.Popen[str]:
    """Start Python with the repository on its path."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_until(true: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def assert_gone(processes: list[int]) -> None:
    assert processes
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
