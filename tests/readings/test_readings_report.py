"""Readings for people, and the file of a host."""

from __future__ import annotations

import io
import re
from pathlib import Path

import made_up_readings as made_up
import pytest
from made_up_readings import DIFFERENT, MadeUp
from rich.console import Console

from experiments.__main__ import main
from experiments.programs.program import locate
from experiments.readings.costs import COSTS
from experiments.readings.files import read_runs
from experiments.readings.fit import FITTED, TOTAL, FittedCost
from experiments.readings.host_file import NAMES, host_file, r2_text, reasons, setting
from experiments.readings.report import Report, describe, print_report

FILES = Path(__file__).parent / "samples"


def printed(report: Report) -> str:
    console = Console(file=io.StringIO(), width=160, highlight=False)
    print_report(console, report)
    return console.file.getvalue()


def cells(text: str, *first: str) -> list[str]:
    """Return the cells of the row that begins with some."""
    rows = ([cell.strip() for cell in line[1:-1].split("│")] for line in text.splitlines())
    return next(row for row in rows if row[: len(first)] == list(first))


def settings(text: str) -> dict[str, str]:
    """Read a file as sysctl does: a comment begins a line, the rest is name = value."""
    lines = [line for line in text.splitlines() if line.strip() and line[0] not in "#;"]
    found = dict(line.split(" = ") for line in lines)
    assert len(found) == len(lines)
    return found


def test_a_real_run() -> None:
    text = printed(describe(sorted(FILES.glob("p4-sender.*"))))
    row = cells(text, "p4-sender", "sender")
    assert row[2:8] == ["400.5", "4", "28226", "5043", "1440", "2.00/2"]
    # RTT, cwnd, MSS, rcv_space of a connection.
    assert cells(text, "p4-sender", "0.07")[:5] == ["p4-sender", "0.07", "225", "1448", "14480"]
    assert cells(text, "rpc-cpu")[1:3] == ["rpc", "-"]


def test_a_table_of_costs() -> None:
    """One run: the first cost of each module has the module's time."""
    report = describe(sorted(FILES.glob("p4-sender.*")))
    (fit,) = report.fits
    rates, modules = report.readings[0].rates, report.readings[0].modules
    text = printed(report)
    ns = round(modules["driver"] / rates.packets * 1e9)
    assert cells(text, "packet-cpu")[1:3] == ["driver", f"{ns}ns"]
    assert cells(text, "packet-cpu")[3].endswith(" ns of CPU time for each packet in or out")
    assert cells(text, "stream-cpu")[3].startswith(
        "not distinguishable from segment-cpu, to which its time was attributed; readings with"
    )
    *_, measured, fitted, residual, r2 = cells(text, "p4-sender", "driver")
    assert measured == fitted == f"{modules['driver']:.4f}"
    assert (float(residual), r2) == (0, "-")
    assert "R^2 is unknown: as many costs as equations, or readings that are alike" in text
    assert f"up to {modules['file_system']:.3g} CPU s/s of file system" in text
    assert fit.unexplained == (("file_system", modules["file_system"]),)


def test_both_ends_have_a_file_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(file) for file in sorted(FILES.iterdir())]
    assert main(["profile", "--readings", *files, "--hosts", str(tmp_path / "hosts")]) == 0
    assert "Costs of the receiver's host" in capsys.readouterr().out
    written = {
        file.name: file.read_text(encoding="utf-8") for file in (tmp_path / "hosts").iterdir()
    }
    report = describe([Path(file) for file in files])
    assert written == {f"{end}.conf": text for end, text in report.host_files().items()}
    assert sorted(written) == ["receiver.conf", "sender.conf"]
    sender = settings(written["sender.conf"])
    assert (sender["host.cores"], sender["host.call-size"]) == ("2", "131072B")
    assert (
        "#   p4-sender: p4-sender.sadf.json, p4-sender.perf.txt, p4-sender.iperf3.json"
        in (written["sender.conf"])
    )
    # The receiver has no file of perf.
    assert [row.module for row in report.fits[1].rows] == [TOTAL]


def test_nothing_is_written_unless_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["profile", "--readings", str(FILES / "p4-sender.ss.txt")]) == 0
    assert list(tmp_path.iterdir()) == []
    out = capsys.readouterr().out
    assert "Data connections (ss)" in out
    assert out.endswith("p4-sender: without a file of sadf, so no costs are fitted to it\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--hosts", "x"], "--hosts: needs measurements of hosts; allowed: with --readings"),
        (["server.toml", "--readings", "x"], "--readings: cannot be combined with "),
        (["--readings", "x", "--check"], "cannot be combined with --check; allowed: one of them"),
        (["--readings"], "--readings: expected at least one argument"),
        (["--readings", "nowhere.json"], "nowhere.json"),
        (
            ["--readings", str(FILES / "p4-sender.ss.txt"), "--hosts", "x"],
            "x: no reading of a transfer has a file of sadf, so there is no host",
        ),
    ],
)
def test_bad_words_are_refused_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["profile", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_what_a_file_may_set_are_options_of_both_ends(programs: Path) -> None:
    options = {one["name"] for one in locate("gridftp-transfer").object("--describe")["options"]}
    assert {f"{end}-{name}" for end in ("sender", "receiver") for name in NAMES} <= options


def test_a_transfer_reads_the_file_of_each_end(tmp_path: Path, programs: Path) -> None:
    """What the program makes of a file is what was fitted, of all costs that were."""
    runs = [file for name, one in DIFFERENT.items() for file in made_up.write(tmp_path, name, one)]
    (fit,) = describe(runs).fits
    path = tmp_path / "host.conf"
    path.write_text(host_file(fit), encoding="utf-8")
    program = locate("gridftp-transfer")
    found = settings(path.read_text(encoding="utf-8"))
    assert len(found) > len(COSTS) / 2
    for end in ("sender", "receiver"):
        words = [f"--{end}-{name.removeprefix('host.')}={value}" for name, value in found.items()]
        read = program.object(f"--{end}-host={path}", "--file-size=10MB", "--json")
        told = program.object(*words, "--file-size=10MB", "--json")
        host = read["sessions"][0]["host"][end]
        assert host == told["sessions"][0]["host"][end]
        assert host["cpu_busy_s"] > 0


def test_a_file_sets_what_was_fitted_in_units_of_options(tmp_path: Path) -> None:
    runs = [file for name, one in DIFFERENT.items() for file in made_up.write(tmp_path, name, one)]
    (fit,) = describe(runs).fits
    found = settings(host_file(fit))
    assert set(found) == {
        f"host.{name}" for name in NAMES if name not in ("call-size", "file-rate", "file-cpu")
    }
    for name, value in found.items():
        kind = {"host.cores": r"\d+", "host.copy-rate": r"\d+bps"}.get(name, r"\d+ns")
        assert re.fullmatch(kind, value), (name, value)
    # Of calls of three sizes none can be set.
    assert (
        "# host.call-size: the readings have calls of several sizes (8192, 65536, 131072 bytes)"
        in (host_file(fit))
    )
    assert "R^2 1.0000 over 28 equations; largest residual " in host_file(fit)


def test_names_with_brackets_are_printed_as_they_are(tmp_path: Path) -> None:
    report = describe(made_up.write(tmp_path, "[b]run", MadeUp()))
    assert cells(printed(report), "[b]run", "sender")
    assert cells(printed(report), "[b]run", "driver")


def test_a_cost_that_may_be_none_is_told_to_be() -> None:
    cost = COSTS[0]
    sure = FittedCost(cost, FITTED, 12.34567e-6, 1.5e-6)
    assert reasons(sure) == ["packet-cpu: 12350 +- 1500 ns of CPU time for each packet in or out"]
    assert setting(sure) == "12346ns"
    unsure = FittedCost(cost, FITTED, 1.2e-9, 1.3e-9)
    assert reasons(unsure) == [
        "packet-cpu: 1.2 +- 1.3 ns of CPU time for each packet in or out;",
        "  it may be 0: its standard error is larger than the value",
    ]
    assert setting(unsure) == "1ns"


@pytest.mark.parametrize(("r2", "text"), [(None, "-"), (0.98761, "0.9876"), (-3.0, "below 0")])
def test_r2_as_a_text(r2: float | None, text: str) -> None:
    assert r2_text(r2) == text


def test_runs_have_the_name_up_to_the_first_dot(tmp_path: Path) -> None:
    one = made_up.write(tmp_path, "a.b", MadeUp())
    two = made_up.write(tmp_path, "c", MadeUp())
    assert [run.name for run in read_runs([*one, *two])] == ["a", "c"]
