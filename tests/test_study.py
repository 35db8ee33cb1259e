"""The study of assumptions: claims under settings, from a small sweep of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis import study
from analysis.claims import claims_of
from analysis.claims.sweeps import sweep_claims_of
from experiments.__main__ import main
from experiments.option_table import OptionTable
from experiments.programs import locate
from experiments.spec import load_spec

SPEC = """
title = "Two settings"
[fixed]
bandwidth = "100Mbps"
file-size = "30MB"
chunk-size = "3MB"

[[setting]]
name = "as shipped"

[[setting]]
name = "slow access"
[setting.fixed]
window = "256KiB"
[setting.follow]
access-bandwidth = { same-as = "bandwidth" }

[[block]]
label = "once"
[block.cross]
mode = ["mi", "mi-plus", "aimd"]
[[block]]
label = "bandwidth"
[block.cross]
mode = ["mi", "mi-plus", "aimd"]
bandwidth = ["10Mbps", "100Mbps", "1Gbps"]
[[block]]
label = "single"
[block.fixed]
mode = "fixed"
[block.cross]
bandwidth = ["10Mbps", "100Mbps", "1Gbps"]
[[block]]
label = "delay"
[block.cross]
mode = ["mi", "mi-plus", "aimd"]
delay = ["1ms", "20ms", "200ms"]
[[block]]
label = "eta"
[block.cross]
mode = ["mi", "mi-plus", "aimd"]
eta = [0.1, 0.5, 0.9]
"""


def test_settings_multiply_blocks(programs: Path, tmp_path: Path) -> None:
    path = tmp_path / "assumptions.toml"
    path.write_text(SPEC)
    table = OptionTable.read(locate("gridftp-transfer").object("--describe"))
    planned = load_spec(path, table).planned
    assert len(planned) == 2 * (3 + 9 + 3 + 9 + 9)
    first, *_, last = planned
    assert first.label == "as shipped | once"
    assert "access-bandwidth" not in first.line
    assert last.label == "slow access | eta"
    assert last.line["access-bandwidth"] == "100Mbps"
    wide = [one.line for one in planned if one.label == "slow access | single"]
    assert [line["access-bandwidth"] for line in wide] == ["10Mbps", "100Mbps", "1Gbps"]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('name = "slow access"', 'nam = "slow access"', 12, 'did you mean "name"'),
        ('name = "slow access"', 'name = "as shipped"', 12, "that of an earlier setting"),
        ('window = "256KiB"', 'windw = "256KiB"', 14, 'did you mean "window"'),
        ("same-as = ", "sam-as = ", 16, 'did you mean "same-as"'),
    ],
)
def test_what_is_wrong_in_a_setting_is_told(
    old: str, new: str, line: int, message: str, programs: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    path = tmp_path / "assumptions.toml"
    path.write_text(SPEC.replace(old, new))
    assert main(["sweep", str(path), f"--store={tmp_path / 's.sqlite'}"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"{path}:{line}: ")
    assert message in told


def test_every_claim_is_judged_under_every_setting(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "assumptions.toml"
    path.write_text(SPEC)
    store = tmp_path / "store.sqlite"
    assert main(["sweep", str(path), f"--store={store}"]) == 0
    judged = study.judge_settings(store, "ito")
    claims = [claim.id for claim in (*claims_of("ito"), *sweep_claims_of("ito"))]
    assert judged["setting"].drop_duplicates().tolist() == ["as shipped", "slow access"]
    assert judged["claim"].tolist() == claims * 2
    # the paper's conditions do not apply, so nothing is refused for them
    assert not judged["reason"].str.contains("not under the paper").any()
    shares = study.shares(judged)
    assert shares["claim"].tolist() == claims
    assert (shares["holds"] <= shares["judged"]).all()
    assert (shares["judged"] > 0).sum() > len(claims) / 2
    assert main(["plot", f"--results={tmp_path}"]) == 0
    assert (tmp_path / "figures" / "assumptions.svg").stat().st_size > 1000
    assert main(["report", f"--results={tmp_path}"]) == 0
    assert "study of assumptions" in (tmp_path / "report.html").read_text()
