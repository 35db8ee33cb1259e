"""Profiles: the matrix that a spec declares, and the verb on small transfers."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

from experiments.__main__ import main
from experiments.errors import UserError
from experiments.profile.cells import BUFFER, cells_of
from experiments.programs.option_table import OptionTable
from experiments.programs.program import Program, locate
from experiments.spec.load import Changes, load_spec

# ---- The matrix -----------------------------------------------------------------------------


@pytest.fixture
def program(programs: Path) -> Program:
    return locate("gridftp-transfer")


def spec_of(folder: Path, text: str) -> Path:
    path = folder / "server.toml"
    path.write_text(f'title = "A server"\n{text}')
    return path


def cells(program: Program, path: Path) -> list[Any]:
    table = OptionTable.read(program.object("--describe"))
    return cells_of(program, load_spec(path, table, Changes(profiled=True)).planned)


def test_the_usual_matrix(program: Program, tmp_path: Path) -> None:
    made = cells(program, spec_of(tmp_path, '[fixed]\nbandwidth = "1Gbps"\ndelay = "10ms"\n'))
    assert len(made) == 6 * 5 * 3
    assert list(made[0].axes) == [BUFFER, "parallelism", "block-size"]
    assert [cell.axes[BUFFER] for cell in made[::15]] == [
        "default", "BDP", "4MB", "8MB", "16MB", "32MB",
    ]  # fmt: skip
    assert made[0].line["buffers"] == "linux-receiver"
    # 1 Gbit/s for 20.04 ms, of which the access links are 0.04
    assert made[15].line["window"] == f"{10**9 * 0.02004 / 8:.0f}B"
    assert {cell.line["mode"] for cell in made} == {"fixed"}


def test_a_storage_in_fixed_is_one_end_of_the_matrix(program: Program, tmp_path: Path) -> None:
    text = (
        '[fixed]\nsource = "disk"\nsource-rate = "1Gbps"\n[cross]\nqueue = ["10p", "90p"]\n'
        '[profile]\nbuffer = ["default"]\nparallelism = [4]\nblock-size = ["1MiB"]\n'
    )
    made = cells(program, spec_of(tmp_path, text))
    assert [cell.axes for cell in made] == [
        {"queue": queue, "source": source}
        for queue in ("10p", "90p")
        for source in ("memory", "disk")
    ]


def test_blocks_are_profiled_as_they_are(program: Program, tmp_path: Path) -> None:
    text = (
        '[[block]]\nlabel = "a"\nengine = "ns3"\nreplications = 3\n[block.cross]\n'
        'delay = ["1ms", "9ms"]\n'
    )
    made = cells(program, spec_of(tmp_path, text))
    assert [cell.line for cell in made] == [
        {"delay": "1ms", "run": "1"}, {"delay": "9ms", "run": "1"},
    ]  # fmt: skip


def test_hosts_are_of_today_unless_the_spec_says_otherwise(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def stacks(text: str) -> set[str | None]:
        matrix = '[profile]\nbuffer = ["default", "BDP"]\nparallelism = [4]\n'
        made = cells(program, spec_of(tmp_path, text + matrix))
        return {cell.line.get("stack") for cell in made}

    assert stacks("") == {"linux"}
    assert stacks('[fixed]\nstack = "classic"\n') == {"classic"}
    assert stacks('[cross]\nstack = ["classic", "linux"]\n') == {"classic", "linux"}
    assert capsys.readouterr().err == ""
    # HighSpeed TCP and buffers that applications size are not in the Linux stack
    for text in ('[fixed]\ntcp = "highspeed"\n', '[fixed]\nbuffers = "drs-kernel"\n'):
        assert stacks(text) == {None}
        said = capsys.readouterr().err
        assert said.startswith("gridftp profile: all transfers have --stack=classic: ")
        assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[profile]\nbufer = []", ':3: "bufer" is unknown here; did you mean "buffer"?'),
        ("[profile]\nbuffer = []", ':3: "buffer": an empty list is not allowed; allowed: a list'),
        ('[profile]\nbuffer = ["BPD"]', ':3: "buffer": "BPD" is not allowed; allowed: "default", '),
        ('[profile]\nbuffer = ["4MB", "4MB"]', ':3: "buffer": "4MB" comes twice'),
        ("[profile]\nparallelism = [0]", ':3: "parallelism": 0 is not allowed; allowed: a whole'),
        ('[profile]\nsource = ["tape"]', ':3: "source": "tape" is not allowed; allowed: "memory"'),
        ("profile = 3", ':2: "profile": 3 is not allowed; allowed: a table'),
        (
            '[cross]\nwindow = ["1MiB"]\n[profile]\nbuffer = ["BDP"]',
            '"buffer" sets "window", which',
        ),
        ('[profile]\n[[block]]\nlabel = "a"', '"profile" and "block" exclude each other'),
    ],
)
def test_a_slip_in_the_matrix_is_told(
    program: Program, tmp_path: Path, text: str, said: str
) -> None:
    path = spec_of(tmp_path, text)
    with pytest.raises(UserError, match=re.escape(said)) as caught:
        cells(program, path)
    assert str(caught.value).startswith(f"{path}:")


# ---- The verb -------------------------------------------------------------------------------

SMALL = """
[fixed]
delay = "20ms"
queue = "300p"
file-size = "20MB"
chunk-size = "20MB"
source-rate = "40Mbps"

[profile]
buffer = ["64KiB", "BDP"]
parallelism = [1, 4]
block-size = ["1MiB"]
source = ["memory", "disk"]
"""


def test_a_profile_is_made_once_and_told(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["profile", str(spec_of(tmp_path, SMALL)), f"--results={tmp_path}"]
    assert main([*words, "--dry-run"]) == 0
    assert "server-profile: 8 simulations, 0 done, 8 to do" in capsys.readouterr().out
    assert main(words) == 0
    told = capsys.readouterr()
    assert "server-profile: " in told.out
    assert "What limits 8 transfers: " in told.out
    folder = tmp_path / "server-profile"
    with open(folder / "transfers.csv") as stream:
        rows = {(row[BUFFER], row["parallelism"], row["source"]): row
                for row in csv.DictReader(stream)}  # fmt: skip
    assert rows["64KiB", "1", "memory"]["limit"] == "window"
    assert rows["64KiB", "1", "memory"]["advice"] == "--window=490KiB"
    assert rows["BDP", "1", "disk"]["limit"] == "source storage"
    assert float(rows["BDP", "1", "disk"]["advised_gain"]) > 0.5
    with open(folder / "samples.csv") as stream:
        assert [row["second"] for row in csv.DictReader(stream)][:2] == ["0", "1"]
    page = (folder / "profile.html").read_text()
    assert page.count('<tr id="t') == 8
    assert "<h3>source memory</h3>" in page
    assert re.findall(r"(?:src|href)=.(?!data:|#)", page) == []  # it needs nothing else
    # again: nothing is simulated, the same is told
    assert main(words) == 0
    again = capsys.readouterr()
    assert again.out == told.out
    assert re.findall(r"(\d+) to do", again.err) == ["0"]
    assert (folder / "profile.html").read_text() == page


TOOLS = """
[[block]]
label = "tools"
[block.fixed]
bandwidth = "50Mbps"
delay = "10ms"
queue = "300p"
file-size = "20MB"
window = "256KiB"
tool-rate = "45Mbps"
source-rate = "10Mbps"
sink-rate = "10Mbps"
[block.cross]
tool = ["gridftp", "rbudp", "bbftp", "udt", "fobs"]
source = ["memory", "disk"]
sink = ["memory", "disk"]
"""
"""Either disk is slower than the path, and both are equally slow."""


def test_storage_limits_every_tool(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["profile", str(spec_of(tmp_path, TOOLS)), f"--results={tmp_path}"]
    assert main(words) == 0, capsys.readouterr().err
    with open(tmp_path / "server-profile" / "transfers.csv") as stream:
        rows = {(row["tool"], row["source"], row["sink"]): row for row in csv.DictReader(stream)}
    tools = {tool for tool, *_ in rows}
    assert tools == {"gridftp", "rbudp", "bbftp", "udt", "fobs"}
    for tool in tools:
        assert rows[tool, "disk", "memory"]["limit"] == "source storage", tool
        assert rows[tool, "memory", "disk"]["limit"] == "sink storage", tool
        assert rows[tool, "disk", "disk"]["limit"].endswith("storage"), tool
        assert "storage" not in rows[tool, "memory", "memory"]["limit"], tool
    page = (tmp_path / "server-profile" / "profile.html").read_text()
    assert "is busy 9" in page


def test_the_report_tells_more_of_the_transfer_asked_for(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["profile", str(spec_of(tmp_path, SMALL)), f"--results={tmp_path}"]
    assert main([*words, "--transfer=4", "--threshold=0.2"]) == 0
    page = (tmp_path / "server-profile" / "profile.html").read_text()
    assert "<h2>Transfer 4: TCP buffer 64KiB, parallelism 4, source disk</h2>" in page
    assert "<h3>Storage</h3>" in page
    assert "more than 20 %" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "SPEC.toml is missing; allowed: a spec, --check or --readings"),
        (["server.toml", "--check"], "--check: generates its own transfers; allowed: without "),
        (["--check", "0"], "--check: '0' is not a whole number from 1 to 10000"),
        (["server.toml", "--threshold=1"], "--threshold: '1' is not a number above 0 and below 1"),
        (["server.toml", "--transfer=9"], "--transfer: 9 is not a transfer of "),
        (["nowhere.toml"], "nowhere.toml: No such file or directory"),
    ],
)
def test_bad_words_are_refused_in_one_line(
    programs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    spec_of(tmp_path, SMALL)
    assert main(["profile", *words, f"--results={tmp_path}"]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (tmp_path / "store.sqlite").exists()


def test_a_sweep_takes_no_matrix(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", str(spec_of(tmp_path, SMALL)), f"--store={tmp_path / 's'}"]) == 2
    assert '"profile" is the matrix of ./gridftp profile' in capsys.readouterr().err
