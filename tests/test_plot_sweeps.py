"""Figures and claims over swept keys, from the store alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from experiments.__main__ import main

SHIPPED = Path(__file__).parent.parent / "experiments" / "figures"

SWEEPS = ("fig05", "fig06", "fig07")


def small_copy(name: str, folder: Path) -> Path:
    """Write a shipped spec with three points, two replications and small files."""
    text = (SHIPPED / f"{name}.toml").read_text()
    text = re.sub(r"^replications = \d+$", "replications = 2", text, flags=re.MULTILINE)
    text = text.replace('file-size = "1GB"', 'file-size = "3MB"')
    text = re.sub(r'((?:bandwidth|delay) = \[(?:"[^"]+", ){2})[^\]]*("[^"]+"\])', r"\1\2", text)
    text = re.sub(r"eta = \{[^}]*\}", "eta = [0.2, 0.5, 0.8]", text)
    text = re.sub(r"eta = \[[^\]]*\]", "eta = [0.2, 0.5, 0.8]", text)
    text = text.replace(
        '[fixed]\nstart-jitter = "1ms"',
        '[fixed]\nstart-jitter = "1ms"\nfile-size = "20MB"\nchunk-size = "1MB"',
    )
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


def test_figures_and_claims_from_the_store(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = [f"--store={tmp_path / 'store.sqlite'}"]
    where = [*kept, f"--results={tmp_path}"]
    assert main(["plot", "--figure", "5", *where]) == 1
    assert "no kept results" in capsys.readouterr().err
    specs = [str(small_copy(name, tmp_path)) for name in SWEEPS]
    assert main(["sweep", *specs, *kept]) == 0
    assert "warning" not in capsys.readouterr().out  # the jitter makes replications differ
    assert main(["plot", *where]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "fig05: 24 runs of engine segment" in told
    for number in (5, 6, 7):
        for kind in ("png", "pdf", "svg", "csv"):
            assert (tmp_path / "figures" / f"fig{number}.{kind}").stat().st_size > 100
    judged = {
        claim["id"]: claim for claim in json.loads((tmp_path / "claims.json").read_text())["claims"]
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
    assert main(["plot", "--figure", "6", *kept, f"--results={tmp_path}"]) == 1
    assert "./gridftp sweep experiments/figures/fig06.toml" in capsys.readouterr().err


def test_the_report_needs_nothing_else(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = [f"--results={tmp_path}"]
    assert main(["report", *where]) == 1
    assert "no kept results" in capsys.readouterr().err
    store = f"--store={tmp_path / 'store.sqlite'}"
    assert main(["sweep", str(small_copy("fig07", tmp_path)), store]) == 0
    assert main(["report", *where]) == 0
    page = (tmp_path / "report.html").read_text()
    assert main(["report", *where]) == 0
    assert (tmp_path / "report.html").read_text() == page
    assert page.count("data:image/svg+xml;base64,") == 1
    # nothing is fetched from anywhere
    assert not re.search(r'(?:src|href)="(?!data:)', page)
    assert "ito-eta-mi" in page
    assert "cannot be judged" in page
    # the same scenarios on both engines: three values of eta in three modes
    assert re.search(
        r"<td>fig07</td>\s*<td class=\"number\">9</td><td class=\"number\">9</td>", page
    )
    for text in ("Minimum retransmission timeout", "0.2", "Where the numbers come from", "ns-3"):
        assert text in page
