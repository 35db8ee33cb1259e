"""What of a spec cannot matter is told before it is simulated."""

from __future__ import annotations

import json
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest

from analysis.read.chance import has_chance
from experiments.__main__ import main
from experiments.programs.option_table import Option, OptionTable
from experiments.programs.program import Program, locate
from experiments.programs.resolve import answers_to, refused
from experiments.store.store import digest_of

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
        {"reverse-random-loss": 0.001},
        {"reverse-bandwidth": "1Mbps"},
        {"reverse-delay": "0ms"},  # 125 kB on the path, half as much
        {"queue-discipline": "red"},
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
        "--queue-discipline=red",
        "--session=mode=aimd,start-jitter=1ms",
        "--background=load=0.1",
        "--tool=udt",
        "--file-sizes=lognormal",
    ):
        assert has_chance(program.resolve(option)), option


def warned(spec: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what a sweep warns of before it is simulated, and afterwards."""
    assert main(["sweep", str(spec), f"--store={spec.parent / 'store.sqlite'}"]) == 0
    lines = capsys.readouterr().err.splitlines()
    return [line.removeprefix("mine: warning: ") for line in lines if "warning" in line]


SHORT = {"file-size": "12MB", "chunk-size": "2MB", "window": "32KiB"}


def test_an_option_that_no_mode_knows_is_told_and_does_not_matter(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    swept = '[block.cross]\nmode = ["fixed", "aimd", "mi"]\neta = [0.3, 0.5, 0.9]\n'
    (line,) = warned(spec_of(tmp_path, SHORT, swept), capsys)
    assert line == "eta cannot matter at 1 point: only mode mi or mi-plus or aimd uses it"
    # Where two of three modes know it, it matters; where none does, it is told afterwards, too.
    alone = "[block.cross]\neta = [0.3, 0.5, 0.9]\ngamma = [2, 3]\n"
    lines = warned(spec_of(tmp_path, {**SHORT, "mode": "fixed"}, alone), capsys)
    assert [line.partition(":")[0] for line in lines] == [
        "eta cannot matter at 2 points", "gamma cannot matter at 3 points",
        "eta has changed nothing", "gamma has changed nothing",
    ]  # fmt: skip
    assert lines[2].endswith("its 3 values give the same results at 2 points")


def two_of(option: Option) -> tuple[str, str]:
    """Return two values of a number, or of a list of numbers."""
    if not option.is_number:
        return "1", "2"
    low = option.minimum if not option.open_minimum else option.minimum + Decimal("0.25")
    step = Decimal(1) if option.kind == "whole" else Decimal("0.5")
    return str(low), str(low + step)


def test_no_option_matters_in_a_mode_that_the_table_does_not_name(program: Program) -> None:
    table = OptionTable.read(program.object("--describe"))
    limited = [option for option in table.options.values() if option.modes]
    assert {"eta", "fts-streams", "initial-parallelism"} <= {option.name for option in limited}
    modes = [mode for mode in table["mode"].choices if mode != "external"]
    lines, of = [], []
    for option in limited:
        values = option.choices or two_of(option)
        assert values[0] != values[1]
        for mode in modes:
            if mode in option.modes:
                continue
            told = [{**SHORT, "mode": mode, option.name: value} for value in values[:2]]
            if not any(map(refused, answers_to(program, told))):
                lines += told
                of += [(option.name, mode)] * 2
    assert len(set(of)) > 60
    asked = "".join(f"{json.dumps(line)}\n" for line in lines)
    done = subprocess.run(
        program.command("--batch=-"), input=asked, capture_output=True, text=True, check=True
    )
    found: dict[tuple[str, str], set[str]] = {}
    for name, answer in zip(of, done.stdout.splitlines(), strict=True):
        found.setdefault(name, set()).add(digest_of(json.loads(answer)))
    assert [name for name, digests in found.items() if len(digests) > 1] == []


def test_an_option_of_another_tool_is_told_afterwards(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    swept = '[block.cross]\ntool-rate = ["5Mbps", "20Mbps"]\nwindow = ["32KiB", "64KiB"]\n'
    told = ["tool-rate has changed nothing: its 2 values give the same results at 2 points"]
    assert warned(spec_of(tmp_path, {"file-size": "1MB"}, swept), capsys) == told
    # It matters where rbudp sends, and both in one set: nothing is told.
    swept += 'tool = ["gridftp", "rbudp"]\n'
    assert [w for w in warned(spec_of(tmp_path, {"file-size": "1MB"}, swept), capsys)
            if w.startswith("tool-rate")] == []  # fmt: skip


def test_sets_in_which_nothing_changed_are_named(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rates = '[block.cross]\ntool-rate = ["5Mbps", "20Mbps"]\n'
    more = (
        f'{rates}[[block]]\nlabel = "y"\n[block.fixed]\ntool = "rbudp"\nfile-size = "1MB"\n{rates}'
    )
    (line,) = warned(spec_of(tmp_path, {"file-size": "1MB"}, more), capsys)
    assert line.endswith("its 2 values give the same results at 1 point of x")


def test_engines_that_agree_and_what_only_a_server_measures_are_not_told(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = 'engine = ["segment", "ns3"]\n[block.fixed]\nfile-size = "100KB"\n'
    path = tmp_path / "mine.toml"
    path.write_text(f'title = "Mine"\n[[block]]\nlabel = "x"\n{more}')
    assert warned(path, capsys) == []
    fixed = {
        "file-size": "1MB",
        "direction": "download",
        "server-host": "shared",
        "server-memory": "1MiB",
    }
    memory = '[block.cross]\nhost-memory = ["512KiB", "2MiB"]\n'
    assert warned(spec_of(tmp_path, fixed, memory), capsys) == []
