"""The verb reproduce: simulate what is missing, draw, judge, check; with small specs."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from conftest import Started
from patience import PATIENCE
from small_specs import small_copy
from some_papers import ITO, ito_without_sweeps
from stand_ins import write_bare_program

from analysis import check, papers
from analysis.read import stored
from analysis.read.results import ResultError
from experiments.__main__ import main

FORMATS = ("png", "pdf", "svg", "csv")
"""Of a figure; where several are drawn here, svg and csv do."""


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have small specs of Figures 3, 4 and 7 instead of the shipped ones."""
    folder = ito_without_sweeps(tmp_path / "papers", monkeypatch) / "sweeps"
    for name in ("fig03", "fig04", "fig07"):
        small_copy(name, folder)
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def reproduce(out: Path, *more: str) -> int:
    return main(["reproduce", f"--results={out}", *more])


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.usefixtures("svg_alone")
def test_all_of_it(
    programs: Path, specs: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reproduce(out) == 0
    told = capsys.readouterr()
    assert names(out / "ito/figures") == {
        f"{name}.{kind}" for name in ("fig03", "fig04", "fig07") for kind in ("svg", "csv")
    }
    assert {"ito", "report.html", "store.sqlite"} <= names(out)
    assert {"claims.md", "claims.csv", "claims.json", "figures"} == names(out / "ito")
    claims = json.loads((out / "ito/claims.json").read_text())["claims"]
    assert {claim["id"] for claim in claims} == {
        "ito-mi-n", "ito-mi-plus-n", "ito-converge", "ito-mi-g", "ito-mi-plus-g", "ito-aimd-slow",
        "ito-eta-mi", "ito-eta-aimd",
    }  # fmt: skip
    # smaller files than the paper's: measured, and no verdict
    assert {claim["verdict"] for claim in claims} == {"cannot be judged"}
    assert "2 replications" in next(c["measured"] for c in claims if c["id"] == "ito-mi-g")
    assert "fig04.{svg,csv}" in told.out
    assert "Time: simulations" in told.out
    # Figure 4 is drawn from the simulations of Figure 3
    assert stored.sweeps(out / "store.sqlite")["ito/fig03"] == {"done": 21}
    database = sqlite3.connect(out / "store.sqlite")
    keys = [
        database.execute("SELECT label, key FROM plan WHERE sweep = ? ORDER BY place", (name,))
        for name in ("ito/fig03", "ito/fig04")
    ]
    assert keys[0].fetchall() == keys[1].fetchall()
    # Again: nothing is simulated, and everything is the same.
    before = {path: path.read_bytes() for path in out.rglob("*.*") if "store" not in path.name}
    assert reproduce(out) == 0
    assert "0 to do" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before


def test_one_figure_alone(
    programs: Path, specs: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reproduce(out, "--figure", "3") == 0
    assert "fig03.{png,pdf,svg,csv}" in capsys.readouterr().out
    assert names(out / "ito/figures") == {f"fig03.{kind}" for kind in FORMATS}
    assert list(stored.sweeps(out / "store.sqlite")) == ["ito/fig03"]
    assert not (out / "report.html").exists()


@pytest.mark.usefixtures("blank_pictures")
def test_the_numbers_are_compared_with_those_shipped(
    programs: Path, specs: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (specs / "fig04.toml").unlink()
    assert reproduce(out, "--check", "--figure", "3") == 1
    assert "differs  ito/fig03: no reference numbers are shipped" in capsys.readouterr().out
    assert reproduce(out, "--write-reference") == 0
    capsys.readouterr()
    assert reproduce(out, "--check") == 0
    told = capsys.readouterr().out
    for name in ("fig03", "fig07", "claims"):
        assert f"as shipped  ito/{name}: " in told
    path = specs.parent / "reference" / "fig07.csv"
    table = pd.read_csv(path)
    table.loc[3, "goodput_bps"] *= 1 + 2 * check.TOLERANCE
    table.to_csv(path, index=False)
    assert reproduce(out, "--check", "--figure", "3", "7") == 1
    told = capsys.readouterr().out
    assert "differs  ito/fig07: " in told
    assert "ito/fig07, row 4 (" in told
    assert "as shipped  ito/fig03: " in told
    # what is not asked for is not compared
    assert reproduce(out, "--check", "--figure", "3") == 0


def test_a_table_of_other_shape_or_columns_differs(tmp_path: Path) -> None:
    table = pd.DataFrame({"id": ["a", "b"], "x": [1.0, float("nan")], "reason": ["long", "longer"]})
    (file,) = check.write({"t": table}, tmp_path)
    assert "reason" not in file.read_text()
    assert check.check("t", table, tmp_path).wrong == ()
    assert check.check("t", table, tmp_path).compared == 4
    assert "has 1 rows, shipped are 2" in check.check("t", table[:1], tmp_path).wrong[0]
    assert "has no column x" in check.check("t", table[["id"]], tmp_path).wrong[0]
    for other in ({"id": ["a", "c"]}, {"x": [1.0, 2.0]}, {"x": [float("nan")] * 2}):
        assert len(check.check("t", table.assign(**other), tmp_path).wrong) == 1
    with pytest.raises(ResultError, match="no reference numbers"):
        check.check("u", table, tmp_path)


@pytest.mark.extensive
def test_another_file_size_or_engine_leaves_the_results_alone(
    programs: Path, specs: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = ["--figure", "7"]
    # What a spec says of the size itself stays.
    spec = specs / "fig07.toml"
    spec.write_text(re.sub(r"(?m)^(file|chunk)-size = \"(20|1)MB\"\n", "", spec.read_text()))
    assert reproduce(out, *usual, "--file-size=10GB") == 0  # the program's default
    assert names(out) == {"store.sqlite", "ito", "store.sqlite.lock"}
    assert reproduce(out, *usual, "--file-size=8MB") == 0
    small = stored.session_table(out / "file-size-8MB/store.sqlite", "ito/fig07")
    assert set(small.loc[small["label"] == "segment", "file_size_bytes"]) == {8_000_000}
    # what a block says itself stays
    assert set(small.loc[small["label"] == "ns3", "file_size_bytes"]) == {3_000_000}
    capsys.readouterr()
    assert reproduce(out, *usual, "--file-size=8MB", "--engine=ns3") == 0
    assert re.search(r"2 at a time: about .* rough guess", capsys.readouterr().err)
    other = stored.session_table(out / "engine-ns3-file-size-8MB/store.sqlite", "ito/fig07")
    assert other.groupby("label")["engine"].unique().map(list).to_dict() == {
        "segment": ["ns3"], "ns3": ["ns3"], "ns3-twin": ["segment"],
        "access-1gbps": ["ns3"], "access-bottleneck": ["ns3"],
    }  # fmt: skip
    # both engines give the same numbers
    columns = ["label", "mode", "eta", "run", "goodput_bps"]
    pd.testing.assert_frame_equal(small[columns], other[columns])


@pytest.mark.usefixtures("blank_pictures")
def test_what_fails_is_told_and_missing_in_the_figure(
    programs: Path,
    specs: Path,
    out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    text = (
        "import os, signal, subprocess, sys\n"
        f"real = {str(programs / 'gridftp-transfer')!r}\n"
        "if '--batch=-' not in sys.argv or '--resolve' in sys.argv:\n"
        "    os.execv(real, [real, *sys.argv[1:]])\n"
        "with subprocess.Popen([real, '--batch=-'], stdin=subprocess.PIPE) as process:\n"
        "    for line in sys.stdin.buffer:\n"
        "        if b'aimd' in line and not os.path.exists('" + str(tmp_path / "mended") + "'):\n"
        "            process.kill()\n"
        "            os.kill(os.getpid(), signal.SIGSEGV)\n"
        "        process.stdin.write(line)\n"
        "        process.stdin.flush()\n"
    )
    write_bare_program(broken / "gridftp-transfer", text)
    (broken / "gridftp-optimum").symlink_to(programs / "gridftp-optimum")
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(broken))
    assert reproduce(out, "--figure", "3") == 1
    told = capsys.readouterr().out
    assert "was killed by SIGSEGV" in told
    assert stored.sweeps(out / "store.sqlite")["ito/fig03"] == {"done": 14, "failed": 7}
    assert (out / "ito/figures/fig03.svg").exists()
    claims = {c["id"]: c for c in json.loads((out / "ito/claims.json").read_text())["claims"]}
    assert claims["ito-aimd-slow"]["reason"] == "no stored result for aimd"
    # kept as failed until it is asked for again
    (tmp_path / "mended").touch()
    assert reproduce(out, "--figure", "3") == 1
    assert main(["store", "retry", f"--store={out / 'store.sqlite'}"]) == 0
    assert reproduce(out, "--figure", "3") == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["reproduce", "--figure", "99"], "--figure: '99' is not one of 1, 2, 3, 4, 5, 6, 7, 8, 9"),
        (["reproduce", "--figure", "three"], "--figure: 'three' is not one of 1, 2, 3"),
        (["reproduce", "--jobs", "0"], "--jobs: '0' is not a whole number from 1 to 10000"),
        (["reproduce", "--jobs", "nan"], "--jobs: 'nan' is not a whole number"),
        (["reproduce", "--fig", "3"], "unrecognized arguments: --fig 3"),
        (["reproduce", "--engine", "ns2"], "--engine=ns2"),
        (["reproduce", "--file-size", "huge"], "--file-size=huge"),
        (["reproduce", "--file-size=1GB", "--check"], "--check: the shipped numbers are for the"),
        (
            ["reproduce", "--check", "--write-reference"],
            "--check: would compare the numbers with them",
        ),
        (["reproduce", "--quick", "--figure", "3"], "--quick: selects one figure of each paper"),
        (["reproduce", "--quick", "--write-reference"], "--quick: simulates a part of the figures"),
        (["reproduce", "--results="], "--results: '' is not a path"),
        (["plot", "--figure", "x"], "--figure: 'x' is not one of"),
        (["bench", "--repeat=-1"], "--repeat: '-1' is not a whole number"),
        (
            ["draw"],
            "'draw' is not a command; allowed: reproduce, sweep, profile, store, plot, report, "
            "bench",
        ),
        ([], "nothing is not a command; allowed: reproduce"),
    ],
)
def test_bad_arguments_get_one_line(
    arguments: list[str], message: str, programs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


def test_without_programs_it_says_what_to_do(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(tmp_path))
    assert reproduce(out) == 1
    assert "gridftp-transfer is not built: run ./gridftp build" in capsys.readouterr().err
    monkeypatch.delenv("GRIDFTP_BUILD_DIR")
    assert reproduce(out) == 1
    assert "GRIDFTP_BUILD_DIR is not set" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_leaves_nothing_half_written(
    number: signal.Signals,
    programs: Path,
    tmp_path: Path,
    out: Path,
    started: Callable[..., Started],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paper = ito_without_sweeps(tmp_path / "papers", monkeypatch)
    small_copy("fig07", paper / "sweeps", size="2GB")
    code = (
        "import sys; from pathlib import Path; from analysis import papers\n"
        f"papers.FOLDER = Path({str(paper.parent)!r})\n"
        "from experiments.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    process = started("-c", code, "reproduce", "--jobs=2", f"--results={out}")
    store = out / "store.sqlite"
    process.until(lambda: store.exists() and stored.sweeps(store).get("ito/fig07", {}).get("done"))
    process.send_signal(number)
    _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert told.splitlines()[-1] == "gridftp reproduce: interrupted"
    assert "Traceback" not in told
    assert not (out / "ito/figures").exists()
    assert set(stored.sweeps(store)["ito/fig07"]) <= {"done", "queued"}


def test_the_shipped_numbers_are_those_of_the_shipped_specs() -> None:
    for paper in papers.papers().values():
        tables = {path.stem for path in paper.reference.glob("*.csv")}
        assert tables == {*map(papers.own_name, paper.sweeps()), "claims"}


@pytest.mark.usefixtures("blank_pictures")
def test_the_transfers_of_the_paper_come_out_as_shipped(
    programs: Path,
    tmp_path: Path,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The whole 10 GB by engine segment: whoever changes it has to say so."""
    shipped = ITO
    paper = ito_without_sweeps(tmp_path / "papers", monkeypatch)
    spec = (shipped.folder / "sweeps/fig03.toml").read_text(encoding="utf-8")
    fast, _, _ = spec.partition("# The first 1 GB on ns-3's own")
    (paper / "sweeps/fig03.toml").write_text(fast, encoding="utf-8")
    table = pd.read_csv(shipped.reference / "fig03.csv")
    (paper / "reference").mkdir(exist_ok=True)
    table[~table["label"].str.startswith("ns3")].to_csv(paper / "reference/fig03.csv", index=False)
    assert reproduce(out, "--figure", "3", "--check") == 0
    assert "as shipped  ito/fig03: " in capsys.readouterr().out


@pytest.mark.extensive
@pytest.mark.parametrize("number", ["3", "4"])
def test_so_do_those_on_ns3(
    number: str, programs: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And 1 GB on ns-3's stack, which takes minutes."""
    assert reproduce(out, "--figure", number, "--check") == 0
    assert f"as shipped  ito/fig0{number}: " in capsys.readouterr().out
