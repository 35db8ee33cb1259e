"""What of a spec cannot matter is told before it is simulated."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.__main__ import main
from experiments.programs.program import Program, locate
from experiments.spec.pointless import has_chance

QUEUES = '[block.cross]\nqueue = ["100p", "150p", "1000p"]\n'
FIXED = {"mode": "fixed", "parallelism": 4, "file-size": "20MB", "chunk-size": "10MB"}


@pytest.fixture
def program(programs: Path) -> Program:
    return locate("gridftp-transfer")


def spec_of(folder: Path, fixed: dict[str, object], more: str = QUEUES, runs: int = 1) -> Path:
    told = "".join(
        f'{key} = "{value}"\n' if isinstance(value, str) else f"{key} = {value}\n"
        for key, value in fixed.items()
    )
    path = folder / "mine.toml"
    path.write_text(
        f'title = "Mine"\n[[block]]\nlabel = "x"\nreplications = {runs}\n'
        f"[block.fixed]\n{told}{more}"
    )
    return path


def told_of(spec: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    capsys.readouterr()
    assert main(["sweep", str(spec), "--dry-run", f"--store={spec.parent / 'none.sqlite'}"]) == 0
    return [line for line in capsys.readouterr().err.splitlines() if "warning" in line]


def test_a_queue_that_cannot_matter_is_told_and_does_not(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = spec_of(tmp_path, FIXED)
    (line,) = told_of(spec, capsys)
    assert line.startswith("mine: warning: queue cannot matter at 1 point: ")
    store, table = f"--store={tmp_path / 'store.sqlite'}", tmp_path / "mine.csv"
    assert main(["sweep", str(spec), store]) == 0
    assert "queue cannot matter" in capsys.readouterr().err
    assert main(["store", "export", "mine", str(table), store]) == 0
    head, *rows = (line.split(",") for line in table.read_text().splitlines())
    assert len(rows) == 3
    assert len({row[head.index("goodput_bps")] for row in rows}) == 1
    assert {row[head.index("drops")] for row in rows} == {"0"}


@pytest.mark.parametrize(
    "other",
    [
        {"parallelism": 8},  # 512 KiB, more than 250 kB on the path and 150 kB in the queue
        {"parallelism": 1, "window": "1MiB"},
        {"delay": "30ms", "parallelism": 6},  # fits, but half of it not into the queue
        {"random-loss": 0.001},
        {"mode": "mi"},
        {"data-channels": "cached"},
        {"initial-window": 60},
        {"background": [{"window": "64KiB"}]},
        {"sessions": [{}, {}]},
        {"tool": "bbftp"},
    ],
)
def test_a_queue_that_may_matter_is_not_told(
    programs: Path, tmp_path: Path, other: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    fixed = {**FIXED, **other}
    if other.get("mode") or other.get("tool"):
        del fixed["parallelism"]
    if other.get("tool"):
        del fixed["mode"]
    lists = {key: fixed.pop(key) for key in ("background", "sessions") if key in fixed}
    more = "".join(
        f"{key} = [{', '.join(toml(row) for row in rows)}]\n" for key, rows in lists.items()
    )
    assert told_of(spec_of(tmp_path, fixed, more + QUEUES), capsys) == []


def toml(row: dict[str, str]) -> str:
    return "{ " + ", ".join(f'{key} = "{value}"' for key, value in row.items()) + " }"


def test_replications_without_chance_are_told(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    modes = '[block.cross]\nmode = ["mi", "aimd"]\n'
    (line,) = told_of(spec_of(tmp_path, {"file-size": "1MB"}, modes, 3), capsys)
    assert "replications of 2 points will be identical" in line
    assert told_of(spec_of(tmp_path, {"file-size": "1MB"}, modes, 1), capsys) == []
    for other in ({"start-jitter": "1ms"}, {"random-loss": 0.01}, {"path-schedule": "random"}):
        assert told_of(spec_of(tmp_path, other, modes, 3), capsys) == []


def test_chance_is_found_wherever_it_is(program: Program) -> None:
    assert not has_chance(program.resolve())
    for option in (
        "--start-jitter=1ms",
        "--random-loss=0.001",
        "--session=mode=aimd,start-jitter=1ms",
        "--background=load=0.1",
        "--tool=udt",
        "--file-sizes=lognormal",
    ):
        assert has_chance(program.resolve(option)), option
