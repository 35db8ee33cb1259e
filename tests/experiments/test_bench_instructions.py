"""The verb bench --instructions, with programs that stand in and, where it is, with valgrind."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stand_ins import write_bare_program

from experiments.__main__ import main
from experiments.bench import instructions as bench
from experiments.programs.program import Program

# Keeps to itself that it runs a program, and counts what that one says in its result.
VALGRIND = """
import json, subprocess, sys
if sys.argv[1:] == ["--version"]:
    print("valgrind-3.0")
    sys.exit()
*options, profile = sys.argv[1:4]
assert options == ["--quiet", "--tool=callgrind"]
done = subprocess.run(sys.argv[4:], capture_output=True, text=True)
sys.stderr.write(done.stderr)
sys.stdout.write(done.stdout)
if "{" in done.stdout:
    count = json.loads(done.stdout)["instructions"]
    with open(profile.removeprefix("--callgrind-out-file="), "w") as file:
        file.write(f"events: Ir\\n\\nfn=main\\n1 7\\n\\ntotals: {count}\\n")
sys.exit(done.returncode)
"""

# A segment is 1000 bytes; a connection costs 1000 instructions, and each of its segments `cost`.
TRANSFER = """
import json, sys
size = next(int(w[12:-1]) for w in sys.argv if w.startswith("--file-size="))
files = next((int(w[8:]) for w in sys.argv if w.startswith("--files=")), 1)
segments = files * -(-size // 1000)
told = {{"segments": segments}}
sessions = 1 + sum(w.startswith("--session=") for w in sys.argv)
background = sum(w.startswith("--background=") for w in sys.argv)
print(json.dumps({{
    "provenance": {{"version": "1", "commit": {commit!r}, "compiler": "g++"}},
    "sessions": sessions * [{session}],
    "background": background * [{background}],
    "instructions": (sessions + background) * (1000 + {cost} * segments),
}}))
"""


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Makes programs in the folder of the built ones: name and Python text."""
    folder = tmp_path / "build"
    folder.mkdir()
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(folder))
    monkeypatch.setenv("GRIDFTP_USER_CWD", str(tmp_path))

    def make(name: str, text: str) -> Path:
        return write_bare_program(folder / name, text)

    return make


@pytest.fixture
def stage(make: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes valgrind, this build's program and that of a build with an older schema."""
    valgrind = make("valgrind", VALGRIND)
    monkeypatch.setattr("shutil.which", lambda name: str(valgrind) if name == "valgrind" else None)
    new = {"session": '{"gridftp": {}, "tcp": told}', "background": '{"tcp": told}'}
    old = {"session": '{"chunks": [], "summary": told}', "background": "told"}
    make("gridftp-transfer", TRANSFER.format(commit="abc", cost=300, **new))
    make("before", TRANSFER.format(commit="def", cost=600, **old))


def counted(out: Path, *options: str) -> dict[str, Any]:
    """Run the verb and return what it keeps."""
    assert main(["bench --instructions", *options, "--results", str(out)]) == 0
    return json.loads((out / "bench-instructions.json").read_text())


def test_whole_processes_are_divided_by_all_segments(stage: None, tmp_path: Path) -> None:
    data = counted(tmp_path)
    assert list(data["points"]) == [point.name for point in bench.POINTS]
    counts = {name: point["counts"] for name, point in data["points"].items()}
    assert all(list(by_program) == ["this"] for by_program in counts.values())
    segments = {"n1": 10**6, "n4": 10**6, "n8": 10**6, "mi": 10**6}
    segments |= {
        "sessions": 4 * 10**5,
        "background": 2 * 10**5,
        "linux": 10**6,
        "files": 1000,
        "blocks": 10**5,
        "rbudp": 10**5,
        "udt": 10**5,
    }
    assert {name: count["this"]["segments"] for name, count in counts.items()} == segments
    assert counts["sessions"]["this"] == {
        "segments": 400_000,
        "instructions": 4 * (1000 + 300 * 100_000),
        "startup_instructions": 4 * (1000 + 300),
        "instructions_per_segment": pytest.approx(300.01),
        "startup_instructions_per_segment": pytest.approx(5200 / 400_000),
    }
    assert data["points"]["n4"]["command"] == [
        "gridftp-transfer",
        "--file-size=1000000000B",
        "--mode=fixed",
        "--chunk-size=1GB",
        "--parallelism=4",
        "--json",
    ]


def test_of_datagrams_those_count_that_were_not_sent_before() -> None:
    datagrams = {"udp": {"packets": 120, "retransmissions": 20}}
    background = [{"tcp": {"segments": 5}}]
    assert bench.delivered({"sessions": [datagrams, datagrams], "background": background}) == 205


def test_a_baseline_stands_beside_this_build(
    stage: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = counted(tmp_path / "out", "--baseline=build/before")
    assert {name: told["commit"] for name, told in data["programs"].items()} == {
        "this": "abc",
        "baseline": "def",
    }
    for point in data["points"].values():
        this, baseline = (point["counts"][name] for name in ("this", "baseline"))
        assert this["segments"] == baseline["segments"]
        assert this["instructions_per_segment"] == pytest.approx(300, rel=4e-3)
        assert baseline["instructions_per_segment"] == pytest.approx(600, rel=4e-3)
    row = next(line for line in capsys.readouterr().out.splitlines() if "four sessions" in line)
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    assert cells[2:6] == ["400000", "600.0", "300.0", "0.500"]


def test_without_valgrind_one_line_tells(
    stage: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert main(["bench --instructions", "--results", str(tmp_path / "out")]) == 1
    told = capsys.readouterr()
    why = "valgrind is not installed; to install it: sudo apt install valgrind"
    assert (told.out, told.err) == ("", f"gridftp bench --instructions: {why}\n")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("baseline", ["nowhere", "build", "build/before.py"])
def test_a_baseline_that_is_no_program_is_refused(
    stage: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], baseline: str
) -> None:
    assert main(["bench --instructions", f"--baseline={baseline}"]) == 2
    why = f"{baseline!r} is not a program; allowed: an executable file"
    assert capsys.readouterr().err == f"gridftp bench --instructions: --baseline: {why}\n"


@pytest.mark.parametrize(
    ("text", "status", "why"),
    [
        (
            "print('no route', file=sys.stderr); sys.exit(1)",
            1,
            "ended with exit status 1: no route",
        ),
        ("print('gridftp: --mode=fixed: no', file=sys.stderr); sys.exit(2)", 2, "--mode=fixed: no"),
        ("print('fast')", 1, "counted no instructions of"),
        ("""print('{"instructions": 1}')""", 1, "printed no result of gridftp-transfer"),
    ],
)
def test_what_a_failing_program_says_is_told(
    stage: None,
    make: Callable[[str, str], Path],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    text: str,
    status: int,
    why: str,
) -> None:
    make("gridftp-transfer", f"import sys\n{text}")
    assert main(["bench --instructions", "--results", str(tmp_path / "out")]) == status
    told = capsys.readouterr().err
    assert why in told
    assert told.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.extensive
@pytest.mark.skipif(not shutil.which("valgrind"), reason="needs Debian's package valgrind")
def test_valgrind_counts_the_same_each_time(programs: Path) -> None:
    valgrind = Program(Path(shutil.which("valgrind") or ""))
    transfer = Program(programs / "gridftp-transfer")
    point = next(point for point in bench.POINTS if point.name == "sessions")
    text, count = bench.run_counted(valgrind, transfer, point.words(500_000))
    assert bench.delivered(json.loads(text)) == 4 * 343
    _, again = bench.run_counted(valgrind, transfer, point.words(500_000))
    # but for the digits of the wall time
    assert again == pytest.approx(count, rel=1e-3)
    _, more = bench.run_counted(valgrind, transfer, point.words(1_000_000))
    assert more > 1.05 * count
