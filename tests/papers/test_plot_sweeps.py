"""Figures and claims over swept keys, from the store alone."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pandas as pd
import pytest
from small_specs import small_copy, tiny_copy
from some_papers import ITO, ito_without_sweeps

from analysis.drawing import style
from experiments.__main__ import main

SWEEPS = ("fig05", "fig06", "fig07")


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a paper's sweeps, which has none yet; claims and figures are Ito's."""
    return ito_without_sweeps(tmp_path / "papers", monkeypatch) / "sweeps"


@pytest.mark.usefixtures("svg_alone")
def test_figures_and_claims_from_the_store(
    programs: Path, specs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = [f"--store={tmp_path / 'store.sqlite'}"]
    where = [*kept, f"--results={tmp_path}"]
    assert main(["plot", *where]) == 1
    assert "there is nothing to draw" in capsys.readouterr().err
    files = [str(small_copy(name, specs)) for name in SWEEPS]
    assert main(["sweep", *files, *kept]) == 0
    assert "warning" not in capsys.readouterr().out  # the jitter makes replications differ
    assert main(["plot", *where]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "ito/fig05: 24 runs of engine segment" in told
    for number in (5, 6, 7):
        for kind in ("svg", "csv"):
            assert (tmp_path / "ito/figures" / f"fig0{number}.{kind}").stat().st_size > 100
    judged = {
        claim["id"]: claim
        for claim in json.loads((tmp_path / "ito/claims.json").read_text())["claims"]
    }
    # smaller files than the paper's: measured, and no verdict
    for name in ("ito-b-full", "ito-tau-mi", "ito-eta-aimd"):
        assert judged[name]["verdict"] == "cannot be judged"
        assert "file_size_bytes is 20000000" in judged[name]["reason"]
        assert judged[name]["measured"] != "-"


def test_a_figure_whose_sweep_is_not_kept(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = [f"--store={tmp_path / 'store.sqlite'}"]
    assert main(["sweep", str(small_copy("fig07", tmp_path)), *kept]) == 0
    assert main(["plot", "--figure", "6", *kept, f"--results={tmp_path}"]) == 2
    # Of which paper's Figure 6 is said first does not matter
    assert re.search(r"\./gridftp sweep papers/\w+/sweeps/fig06.toml", capsys.readouterr().err)


@pytest.mark.usefixtures("blank_pictures")
def test_figures_that_are_named_leave_claims_alone(
    programs: Path, specs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [f"--store={tmp_path / 'store.sqlite'}", f"--results={tmp_path}"]
    mine = small_copy("fig07", tmp_path, new_name="mine")
    assert main(["sweep", str(small_copy("fig07", specs)), str(mine), where[0]]) == 0
    capsys.readouterr()
    for named, drawn in ((["mine"], "figures/mine"), (["--figure=7"], "ito/figures/fig07")):
        assert main(["plot", *named, *where]) == 0
        told = capsys.readouterr().out
        assert "Claims of the paper" not in told
        assert f"{drawn}.{{svg,csv}}" in told
        assert ": Goodput over eta" in told
        assert not (tmp_path / "ito/claims.csv").exists()
    assert main(["plot", *where]) == 0
    assert "Claims of the paper" in capsys.readouterr().out
    assert (tmp_path / "ito/claims.csv").exists()


@pytest.mark.usefixtures("blank_pictures")
def test_the_report_needs_nothing_else(
    programs: Path, specs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [f"--results={tmp_path}"]
    assert main(["report", *where]) == 1
    assert "there is nothing to draw" in capsys.readouterr().err
    store = f"--store={tmp_path / 'store.sqlite'}"
    assert main(["sweep", str(small_copy("fig07", specs)), store]) == 0
    assert main(["report", *where]) == 0
    names = ("report.html", "report/ito.html")
    first, page = ((tmp_path / name).read_text() for name in names)
    assert main(["report", *where]) == 0
    assert [(tmp_path / name).read_text() for name in names] == [first, page]
    assert page.count("data:image/svg+xml;base64,") == 1
    # nothing is fetched from anywhere
    assert not re.search(r'src="(?!data:)|@import|url\(', first + page)
    links = set(re.findall(r'href="([^"#]*)', first + page))
    assert links == {"report/ito.html", "../report.html", "http://127.0.0.1:8000/"}
    assert main(["report", *where, "--lab=../site/lab"]) == 0
    texts = [(tmp_path / name).read_text() for name in names]
    for text, lab in zip(texts, ("../site/lab/", "../../site/lab/"), strict=True):
        assert f'href="{lab}index.html#mode=' in text
        assert "127.0.0.1" not in text
    assert "ito-eta-mi" in first
    assert "ito-eta-mi" in page
    # the scenario in the middle, which is simulated again, and shown, with options alone
    assert "#mode=mi-plus&amp;eta=0.5&amp;file-size=20MB&amp;" in page
    assert "<code>./gridftp run --mode=mi-plus --eta=0.5 --file-size=20MB " in page
    assert "<code>./gridftp reproduce --paper ito --figure 7</code>" in page
    assert "cannot be judged" in page
    # the same scenarios on both engines: three values of eta in three modes
    assert re.search(
        r"<td>ito/fig07</td>\s*<td class=\"number\">9</td><td class=\"number\">9</td>", page
    )
    for text in ("Minimum retransmission timeout", "0.2", "Where the numbers come from", "ns-3"):
        assert text in page


@pytest.mark.usefixtures("blank_pictures")
def test_a_sweep_of_ones_own(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [f"--store={tmp_path / 'store.sqlite'}", f"--results={tmp_path}"]
    # The first list is that of all blocks but those of both engines.
    values = 'bandwidth = ["30Mbps", "70Mbps"]'
    spec = small_copy("fig05", tmp_path, new_name="mine")
    spec.write_text(re.sub(r"(?m)^bandwidth = .*", values, spec.read_text(), count=1))
    assert main(["plot", str(spec), *where]) == 2
    assert "there is no sweep 'mine'" in capsys.readouterr().err
    assert main(["sweep", str(spec), where[0]]) == 0
    assert main(["plot", str(spec), *where]) == 0
    table = pd.read_csv(tmp_path / "figures" / "mine.csv")
    assert set(table.loc[table["label"] == "segment", "bandwidth_bps"]) == {30e6, 70e6}
    # it is no sweep that a claim is about
    assert not (tmp_path / "claims.json").exists()
    capsys.readouterr()
    spec.write_text(spec.read_text().replace("figure =", "figur ="))
    assert main(["sweep", str(spec), where[0]]) == 2
    assert 'did you mean "figure"?' in capsys.readouterr().err
    spec.write_text(re.sub("figur = .*", "", spec.read_text()))
    assert main(["sweep", str(spec), where[0]]) == 0
    assert main(["plot", "mine", *where]) == 2
    assert "mine: its spec sets no figure" in capsys.readouterr().err
    assert main(["plot", "yours", *where]) == 2
    assert "there is no sweep 'yours' (stored: mine)" in capsys.readouterr().err


@pytest.mark.usefixtures("blank_pictures")
def test_a_store_of_the_first_schema_is_brought_up_to_date(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "store.sqlite"
    where = [f"--store={path}", f"--results={tmp_path}"]
    spec = small_copy("fig07", tmp_path)
    assert main(["sweep", str(spec), where[0]]) == 0
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE sweep")
        database.execute("UPDATE about SET schema = 1")
    assert main(["store", "list", where[0]]) == 0
    assert main(["plot", "fig07", *where]) == 2
    assert main(["sweep", str(spec), where[0]]) == 0
    assert "0 to do" in capsys.readouterr().err
    assert main(["plot", "fig07", *where]) == 0


MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}


# Every eighth one by default, with few settings and in one format: what a spec has to have,
# test_spec_shipped.py asks of all, and test_analysis_figures.py has all formats.
@pytest.mark.parametrize(
    ("part", "most_settings", "formats"),
    [
        (slice(1, None, 8), 4, ("svg",)),
        pytest.param(slice(None), None, style.FORMATS, marks=pytest.mark.extensive),
    ],
    ids=["some", "all"],
)
def test_every_shipped_spec_is_drawn_and_reported(
    programs: Path,
    specs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    part: slice,
    most_settings: int | None,
    formats: tuple[str, ...],
) -> None:
    monkeypatch.setattr(style, "FORMATS", formats)
    store = f"--store={tmp_path / 'store.sqlite'}"
    names = sorted(path.stem for path in ITO.folder.glob("sweeps/*.toml"))[part]
    files = [str(tiny_copy(name, specs, most_settings)) for name in names]
    assert main(["sweep", *files, store]) == 0
    assert main(["report", store, f"--results={tmp_path}"]) == 0
    assert "not drawn" not in capsys.readouterr().err
    for name in names:
        for kind in formats:
            picture = (tmp_path / "ito/figures" / f"{name}.{kind}").read_bytes()
            assert picture.startswith(MAGIC[kind])
            assert len(picture) > 10_000
        assert len(pd.read_csv(tmp_path / "ito/figures" / f"{name}.csv")) > 0
    page = (tmp_path / "report/ito.html").read_text()
    assert page.count("data:image/svg+xml;base64,") == len(names)
    for heading in (
        "Sensitivity to parameters that the paper does not specify",
        "Questions that the paper left open",
    ):
        assert heading in page


@pytest.mark.usefixtures("blank_pictures")
def test_a_question_that_is_not_the_papers_has_a_section_of_its_own(
    programs: Path, specs: Path, tmp_path: Path
) -> None:
    store = f"--store={tmp_path / 'store.sqlite'}"
    assert main(["sweep", str(tiny_copy("today-delay", specs)), store]) == 0
    assert main(["report", store, f"--results={tmp_path}"]) == 0
    page = (tmp_path / "report/ito.html").read_text()
    assert "Further questions: ours, not the paper&#x27;s" in page
    assert "Questions that the paper left open" not in page
