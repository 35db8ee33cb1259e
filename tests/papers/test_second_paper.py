"""A second paper is one folder: swept, drawn, judged, checked and reported by what is there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from some_papers import ITO, use_papers

from analysis import papers
from analysis.claims.measures import judges_of
from analysis.read import stored
from analysis.read.results import ResultError
from experiments.__main__ import main
from experiments.programs.option_table import OptionTable
from experiments.programs.program import locate
from experiments.spec.load import load_spec

DATA = Path(__file__).parent / "data"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> papers.Paper:
    """The small paper of the tests, and that of Ito and others beside it."""
    folder = use_papers(tmp_path / "papers", monkeypatch)
    shutil.copytree(DATA / "small", folder / "small")
    (folder / "ito").symlink_to(ITO.folder)
    return papers.papers()["small"]


def verdicts(folder: Path) -> dict[str, str]:
    claims = json.loads((folder / "claims.json").read_text())["claims"]
    return {claim["id"]: claim["verdict"] for claim in claims}


def test_it_is_reproduced_and_checked(
    programs: Path, small: papers.Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["reproduce", "--paper=small", "--check", f"--results={out}"]) == 0
    told = capsys.readouterr().out
    assert "as shipped  small/fig02: " in told
    assert "as shipped  small/claims: " in told
    assert "ito" not in told
    assert list(stored.sweeps(out / "store.sqlite")) == ["small/fig02"]
    assert {file.suffix for file in (out / "small/figures").iterdir()} == {
        ".png", ".pdf", ".svg", ".csv",
    }  # fmt: skip
    assert verdicts(out / "small") == {
        "small-none": "fails",
        "small-drops": "holds",
        "small-other": "cannot be judged",
        "small-both": "holds",
    }
    page = (out / "report/small.html").read_text()
    for text in ("Queues and directions, simulated again", "Figure 2: What a queue", "small-drops"):
        assert text in page
    assert "Ito" not in page + (out / "report.html").read_text()
    assert "small/figures/fig02.csv" in page
    # A number that is another is told.
    table = small.reference / "fig02.csv"
    table.write_text(table.read_text().replace("upload,20,", "upload,20,1"))
    assert main(["reproduce", "--paper=small", "--check", f"--results={out}"]) == 1
    assert "differs  small/fig02: " in capsys.readouterr().out


@pytest.mark.usefixtures("blank_pictures")
def test_a_quick_trial_is_a_part_from_which_the_whole_goes_on(
    programs: Path, small: papers.Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["reproduce", "--paper=small", f"--results={tmp_path / 'out'}"]
    store = tmp_path / "out/store.sqlite"
    later = """
[[block]]
label = "later"
first-run = 4
[block.fixed]
direction = "upload"
queue = "20p"
"""
    spec, toml = small.spec("small/fig02"), small.folder / "paper.toml"
    spec.write_text(spec.read_text() + later)
    toml.write_text(toml.read_text() + '\n[quick]\nsweep = "fig02"\nlabels = ["queues"]\n')
    assert main([*arguments, "--quick", "--check"]) == 0
    assert stored.sweeps(store)["small/fig02"] == {"done": 12, "queued": 1}
    told = capsys.readouterr().out
    assert "as shipped  small/fig02: " in told
    # what could not be judged is not compared: three of four ids and verdicts
    assert "as shipped  small/claims: 6 values" in told
    assert "small-drops" in (tmp_path / "out/report.html").read_text()
    # A verdict that differs is told.
    claims = small.reference / "claims.csv"
    text = claims.read_text()
    claims.write_text(text.replace("small-drops,holds", "small-drops,fails"))
    assert main([*arguments, "--quick", "--check"]) == 1
    assert "differs  small/claims: " in capsys.readouterr().out
    assert main(arguments) == 0
    assert "1 to do" in capsys.readouterr().err
    assert stored.sweeps(store)["small/fig02"] == {"done": 13}


def test_what_a_quick_trial_has_of_each_paper(programs: Path) -> None:
    table = OptionTable.read(locate("gridftp-transfer").object("--describe"))
    quick = {name: papers.quick_of(paper) for name, paper in papers.papers().items()}
    assert {name: one.sweep for name, one in quick.items() if one} == {
        "allcock": "allcock/fig05", "anglano": "anglano/table3", "gardner": "gardner/fig01",
        "ito": "ito/fig03", "luu": "luu/fig02",
    }  # fmt: skip
    for name, one in quick.items():
        planned = load_spec(papers.papers()[name].spec(one.sweep), table).planned
        assert {*(one.labels or ())} <= {run.label for run in planned}


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ('sweep = "fig03"', r"sweep = 'fig03'; allowed: fig02"),
        ('sweeps = "fig02"', r"has 'sweeps'; allowed: sweep, labels"),
    ],
)
def test_a_quick_trial_of_what_is_not_there(small: papers.Paper, told: str, message: str) -> None:
    assert papers.quick_of(small) == papers.Quick("small/fig02")
    toml = small.folder / "paper.toml"
    toml.write_text(f"{toml.read_text()}\n[quick]\n{told}\n")
    with pytest.raises(ResultError, match=message):
        papers.quick_of(small)


@pytest.mark.usefixtures("blank_pictures")
def test_its_sweep_has_the_names_of_both(
    programs: Path, small: papers.Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [f"--results={tmp_path}", f"--store={tmp_path / 'store.sqlite'}"]
    spec = small.spec("small/fig02")
    assert main(["sweep", str(spec), where[1]]) == 0
    for word in ("small/fig02", "fig02", str(spec), "--figure=2"):
        shutil.rmtree(tmp_path / "small", ignore_errors=True)
        assert main(["plot", word, *where]) == 0
        assert (tmp_path / "small/figures/fig02.svg").exists()
    assert main(["store", "export", "fig02", str(tmp_path / "a.csv"), where[1]]) == 0
    capsys.readouterr()
    assert main(["plot", "ito/fig02", *where]) == 2
    assert "there is no sweep 'ito/fig02' (stored: small/fig02)" in capsys.readouterr().err


@pytest.mark.usefixtures("blank_pictures")
def test_assumptions_are_told_of_the_sweep_that_they_name(
    programs: Path, small: papers.Paper, tmp_path: Path
) -> None:
    spec = small.spec("small/fig02")
    other = spec.read_text().replace('bandwidth = "20Mbps"', 'bandwidth = "30Mbps"')
    (spec.parent / "fig01.toml").write_text(other)
    store = f"--store={tmp_path / 'store.sqlite'}"
    assert main(["sweep", str(spec.parent / "fig01.toml"), str(spec), store]) == 0
    assumption = '[[assumption]]\nwhat = "Rate"\nkey = "bandwidth_bps"\nwhy = "a test"\n'
    page = tmp_path / "report/small.html"
    for named, told in (("", "30 Mbit/s"), ('sweep = "fig02"\n', "20 Mbit/s")):
        (small.folder / "assumptions.toml").write_text(named + assumption)
        assert main(["report", store, f"--results={tmp_path}"]) == 0
        assert f'<td class="number">{told}</td><td>a test' in page.read_text()


def test_a_name_that_two_papers_have_is_not_guessed() -> None:
    assert papers.whole_name("fig02", ["ito/fig03", "small/fig02"]) == "small/fig02"
    assert papers.whole_name("fig02", ["ito/fig02", "small/fig02"]) == "fig02"
    # A sweep of one's own, or one that a store has from before there were names of papers
    assert papers.whole_name("fig02", ["ito/fig02", "fig02"]) == "fig02"


@pytest.mark.usefixtures("blank_pictures")
def test_a_copy_elsewhere_is_a_sweep_of_ones_own(
    programs: Path, small: papers.Paper, tmp_path: Path
) -> None:
    where = [f"--results={tmp_path}", f"--store={tmp_path / 'store.sqlite'}"]
    shutil.copy(small.spec("small/fig02"), tmp_path / "mine.toml")
    assert main(["sweep", str(tmp_path / "mine.toml"), where[1]]) == 0
    assert main(["plot", "mine", *where]) == 0
    assert (tmp_path / "figures/mine.svg").exists()
    assert not (tmp_path / "small").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--paper=smal"], "--paper: invalid choice: 'smal' (choose from 'ito', 'small')"),
        (["--paper=small", "--figure=3"], "small has no figure 3; allowed: 2"),
        (["--figure=9"], "'9' is not one of 2, 3, 4, 5, 6, 7"),
    ],
)
def test_what_no_paper_has_is_told(
    arguments: list[str], message: str, programs: Path, small: papers.Paper, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    assert main(["reproduce", *arguments, f"--results={tmp_path / 'out'}"]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_judge_of_its_own(small: papers.Paper) -> None:
    assert "of_its_own" not in judges_of(small)
    (small.folder / "judges.py").write_text('JUDGES = {"of_its_own": lambda results, given: None}')
    assert "of_its_own" in judges_of(small)
    assert "of_its_own" not in judges_of(papers.papers()["ito"])


def test_a_paper_is_cited_in_full(small: papers.Paper) -> None:
    known = papers.papers()
    assert known["ito"].citation == (
        "Takeshi Ito, Hiroyuki Ohsaki, Makoto Imase. Automatic Parameter Configuration Mechanism "
        "for Data Transfer Protocol GridFTP. International Symposium on Applications and the "
        "Internet (SAINT 2006), Phoenix, Arizona, pp. 32-38, 2006, doi:10.1109/SAINT.2006.17."
    )
    assert known["small"].citation == ""
    assert all(paper.citation for name, paper in known.items() if name != "small")
    toml = small.folder / "paper.toml"
    plain = toml.read_text()
    for told, message in (
        ('authors = ["A. Author"]\n', "has no title"),
        ('authors = "A. Author"\n', "has authors = 'A. Author'; allowed: authors"),
        ('authors = ["A"]\ntitle = "T"\nyaer = 2006\n', "has yaer = 2006; allowed: authors"),
    ):
        toml.write_text(f"{plain}\n[citation]\n{told}")
        with pytest.raises(ResultError, match=message):
            papers.papers()
    told = 'authors = ["A. Author"]\ntitle = "T"\nwhere = "SC 2005"\npages = "54"\n'
    toml.write_text(f"{plain}\n[citation]\n{told}")
    assert papers.papers()["small"].citation == "A. Author. T. SC 2005, p. 54."


def test_a_paper_without_a_heading_is_told(small: papers.Paper) -> None:
    (small.folder / "paper.toml").write_text('title = "A paper"\n')
    with pytest.raises(ResultError, match=r"small/paper.toml: heading is missing"):
        papers.papers()
