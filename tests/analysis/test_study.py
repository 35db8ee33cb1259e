"""The study of assumptions: claims under settings, from a small sweep of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from some_papers import ITO, use_papers

from analysis import figures
from analysis.claims import Judged, claims_of, study
from analysis.claims.sweeps import sweep_claims_of
from analysis.drawing import style
from analysis.read import stored
from analysis.read.results import ResultError
from experiments.__main__ import main
from experiments.errors import UserError
from experiments.programs.option_table import OptionTable
from experiments.programs.program import locate
from experiments.spec.load import Changes, load_spec

SPEC = """
title = "Two settings"
figure = "assumptions"
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


CROSSED = """
title = "Three settings, two of them alternatives"
[[setting]]
name = "not crossed"
[setting.fixed]
eta = 0.5
[[setting]]
name = "slow"
crossed = true
[setting.fixed]
access-bandwidth = "1Gbps"
[[setting]]
name = "slower"
crossed = true
[setting.follow]
access-bandwidth = { same-as = "bandwidth" }
[[setting]]
name = "cached"
crossed = true
[setting.fixed]
data-channels = "cached"
[[block]]
label = "x"
[block.fixed]
bandwidth = "20Mbps"
"""


def test_settings_are_combined(programs: Path, tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    path.write_text(CROSSED)
    table = OptionTable.read(locate("gridftp-transfer").object("--describe"))
    spec = load_spec(path, table, Changes(crossed=True))
    assert spec.name == "some-crossed"
    found = {one.label: one.line for one in spec.planned}
    assert list(found) == [
        "as shipped | x", "slow | x", "slower | x", "cached | x", "slow + cached | x",
        "slower + cached | x",
    ]  # fmt: skip
    assert found["slower + cached | x"]["access-bandwidth"] == "20Mbps"
    assert found["slower + cached | x"]["data-channels"] == "cached"
    assert "access-bandwidth" not in found["cached | x"]
    for old, new, message in (
        ("crossed = true", "crossed = 1", "true or false"),
        ("crossed = true", "crossed = false", "no [[setting]] has crossed = true"),
    ):
        path.write_text(CROSSED.replace(old, new))
        with pytest.raises(UserError, match=re.escape(message)):
            load_spec(path, table, Changes(crossed=True))


def test_a_setting_comes_before_what_the_file_sweeps_and_after_the_block(
    programs: Path, tmp_path: Path
) -> None:
    path = tmp_path / "some.toml"
    path.write_text(
        """
title = "Who comes first"
[fixed]
bandwidth = "20Mbps"
[cross]
delay = ["10ms", "20ms"]
[[setting]]
name = "long"
[setting.fixed]
delay = "50ms"
[setting.follow]
access-bandwidth = { same-as = "bandwidth" }
[[block]]
label = "a"
[[block]]
label = "b"
[block.fixed]
access-bandwidth = "1Gbps"
[block.cross]
delay = ["1ms"]
"""
    )
    table = OptionTable.read(locate("gridftp-transfer").object("--describe"))
    found = {one.label: one.line for one in load_spec(path, table).planned}
    assert len(load_spec(path, table).planned) == 2
    assert found["long | a"]["delay"] == "50ms"
    assert found["long | a"]["access-bandwidth"] == "20Mbps"
    assert found["long | b"]["delay"] == "1ms"
    assert found["long | b"]["access-bandwidth"] == "1Gbps"


def judged(*rows: tuple[str, str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["setting", "claim", "verdict"])


def test_effects_are_shares_with_and_without() -> None:
    table = study.effects(
        judged(
            ("as shipped", "c", "fails"), ("a", "c", "holds"), ("b", "c", "fails"),
            ("a + b", "c", "holds"), ("as shipped", "d", "cannot be judged"), ("a", "d", "holds"),
            ("b", "d", "fails"), ("a + b", "d", "fails"),
        )
    )  # fmt: skip
    rows = {(r["assumption"], r["claim"]): (r["with"], r["without"]) for _, r in table.iterrows()}
    assert rows == {
        ("a", "c"): (1.0, 0.0), ("a", "d"): (0.5, 0.0),
        ("b", "c"): (0.5, 0.5), ("b", "d"): (0.0, 1.0),
    }  # fmt: skip
    told = study.summary(table)
    assert told[0].startswith("c holds in 0% of the settings without and 100% of those with a,")
    assert told[1].startswith("d holds in 100% of the settings without and 0% of those with b,")


def test_what_holds_everywhere_nowhere_and_sometimes_is_said() -> None:
    told = study.summary(
        judged(
            ("as shipped", "c", "holds"), ("a", "c", "holds"), ("as shipped", "d", "fails"),
            ("a", "d", "fails"), ("as shipped", "e", "fails"), ("a", "e", "holds"),
        )
    )  # fmt: skip
    assert told == [
        "Of 3 claims, 1 hold under all 2 settings (c), and 1 under none (d).",
        "e fails as shipped, and holds under 1: a.",
    ]


def test_what_could_not_be_judged_everywhere_does_not_hold_everywhere() -> None:
    told = study.summary(
        judged(
            ("as shipped", "c", "holds"), ("a", "c", "cannot be judged"),
            ("as shipped", "d", "holds"), ("a", "d", "holds"),
        )
    )  # fmt: skip
    assert told[0].startswith("Of 2 claims, 1 hold under all 2 settings (d)")
    assert told[1] == "c can be judged under 1 and holds under 1."


def test_a_sweep_without_settings_is_no_study(programs: Path, tmp_path: Path) -> None:
    path = tmp_path / "plain.toml"
    path.write_text('title = "P"\n[[block]]\nlabel = "once"\n[block.fixed]\nfile-size = "1MB"\n')
    store = tmp_path / "store.sqlite"
    assert main(["sweep", str(path), f"--store={store}"]) == 0
    with pytest.raises(ResultError, match="its labels name no setting"):
        study.judge_settings(store, "plain")


def test_few_settings_are_a_matrix_of_verdicts() -> None:
    rows = [
        ("as shipped", "c", "holds"),
        ("as shipped", "d", "fails"),
        ("slow", "c", "cannot be judged"),
        ("slow", "d", "holds"),
    ]
    kind = figures.kinds()["assumptions"]
    with style.styled():
        picture, _ = kind.draw(judged(*rows).assign(measured="", reason=""), None)
    (axes,) = picture.axes
    # Row by row, and below each column under how many of the settings the claim holds.
    marks = [text.get_text() for text in axes.texts]
    assert marks == ["\u2713", "\u00d7", "?", "\u2713", "1 of 1", "1"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["c", "d"]
    named = [label.get_text() for label in axes.get_yticklabels()]
    assert named == ["as shipped", "slow", "settings, of 2, under which it holds"]
    lines = [*axes.get_xgridlines(), *axes.get_ygridlines(), *axes.spines.values()]
    assert not any(line.get_visible() for line in lines)


def test_many_settings_are_drawn_as_effects(tmp_path: Path) -> None:
    names = ["as shipped", *(f"s{i}" for i in range(6))]
    names += [f"s{i} + s{j}" for i in range(6) for j in range(6) if i < j] * 3
    rows = [(name, claim, "holds" if "s1" in name else "fails")
            for name in dict.fromkeys([*names, *(f"{n} + t" for n in names)])
            for claim in ("c", "d")]  # fmt: skip
    many = judged(*rows).assign(measured="", reason="")
    assert many["setting"].nunique() < 60
    kind = figures.kinds()["assumptions"]
    with style.styled():
        _, table = kind.draw(many, None)
    assert "verdict" in table
    more = pd.concat([many, many.assign(setting=many["setting"] + " + u")], ignore_index=True)
    files, table = figures.draw_rows("many", kind, more, tmp_path, None)
    assert "with" in table
    with style.styled():
        (axes,) = kind.draw(more, None)[0].axes
    assert len(axes.texts) == 2 * len(axes.get_yticks())
    assert {text.get_fontsize() for text in axes.texts} == {7.5}
    assert files[0].stat().st_size > 10_000


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('name = "slow access"', 'nam = "slow access"', 13, 'did you mean "name"'),
        ('name = "slow access"', 'name = "as shipped"', 13, "an earlier setting has"),
        ('window = "256KiB"', 'windw = "256KiB"', 15, 'did you mean "window"'),
        ("same-as = ", "sam-as = ", 17, 'did you mean "same-as"'),
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
    judged = study.judge_settings(store, "assumptions")
    claims = [claim.id for claim in (*claims_of(ITO), *sweep_claims_of(ITO))]
    assert judged["setting"].drop_duplicates().tolist() == ["as shipped", "slow access"]
    assert judged["claim"].tolist() == claims * 2
    # the paper's conditions do not apply, so nothing is refused for them
    assert not judged["reason"].str.contains("not under the paper").any()
    shares = study.shares(judged)
    assert shares["claim"].tolist() == claims
    assert (shares["holds"] <= shares["judged"]).all()
    assert (shares["judged"] > 0).sum() > len(claims) / 2
    moved = study.moves(store, "assumptions")
    runs = stored.session_table(store, "assumptions")
    own = runs[
        runs["label"].str.endswith(f"{stored.SETTING_MARK}bandwidth") & (runs["mode"] == "mi")
    ]
    least = (own["goodput_bps"] / own["bandwidth_bps"]).groupby(own["label"]).min()
    assert moved["ito-b-full"].startswith(
        f"MI smallest G/B {least.min():.3g} to {least.max():.3g}, MI+ smallest G/B "
    )
    assert moved["ito-b-full"].endswith(" over 2 settings of the unspecified parameters")
    assert "start times spread" not in moved["ito-b-full"]
    assert main(["report", f"--results={tmp_path}"]) == 0
    assert (tmp_path / "figures" / "assumptions.svg").stat().st_size > 1000
    page = (tmp_path / "report/own-sweeps.html").read_text()
    assert "Sensitivity to parameters that the paper does not specify" in page


def test_starts_that_are_really_spread_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one(value: float, goodput_bps: float) -> list[Judged]:
        measures = {"share": {"value": value}, "slope": {"value": 1e-9}}
        values = {"modes": {"mi": {"measures": measures}, "fixed": {"measures": measures}}}
        return [
            Judged("a", "", "", "", "holds", "", values),
            Judged("b", "", "", "", "holds", "", {"goodput_bps": goodput_bps}),
            Judged("c", "", "", "", "holds", "", {"path": [1, 2]}),
        ]

    settings = [("as it is", 0.0, one(0.5, 9e7)), ("little", 0.001, one(0.6, 8e7)),
                ("much", 0.1, one(0.55, 8.54e7))]  # fmt: skip
    monkeypatch.setattr(study, "_settings", lambda *_: iter(settings))
    assert study.moves(tmp_path, "x") == {
        "a": "MI share 0.5 to 0.6, share 0.5 to 0.6 over 3 settings of the unspecified parameters; "
        "0.55, 0.55 with start times spread over 100 ms",
        "b": "80 to 90 Mbit/s over 3 settings of the unspecified parameters; 85.4 Mbit/s with "
        "start times spread over 100 ms",
    }


OF_NUMBERS = """
[words]
about = 0.01
[conditions]
bandwidth_bps = 100e6
[sweeps.rates]
studied = { slow = "windows", fast = "wide" }
[[run_claim]]
id = "wider"
where = "Sec. 1"
text = "a wide window is at least twice as fast"
sweep = "rates"
label = "wide"
measure = "sessions.0.goodput_bps"
over = { label = "windows" }
at_least = 2
[[run_claim]]
id = "other"
where = "Sec. 1"
text = "of a sweep that no block stands for"
sweep = "others"
measure = "sessions.0.goodput_bps"
at_least = 2
"""

OF_WINDOWS = """
title = "Windows"
figure = "assumptions"
[fixed]
mode = "fixed"
file-size = "2MB"
[[setting]]
name = "far"
[setting.fixed]
delay = "50ms"
[[setting]]
name = "slow"
[setting.fixed]
bandwidth = "1Mbps"
[[block]]
label = "slow"
[[block]]
label = "fast"
[block.fixed]
window = "256KiB"
"""


def test_claims_about_numbers_are_studied_too(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = use_papers(tmp_path / "papers", monkeypatch) / "windows"
    (folder / "sweeps").mkdir(parents=True)
    (folder / "paper.toml").write_text('title = "Windows"\nheading = "Windows"\n')
    (folder / "claims.toml").write_text(OF_NUMBERS)
    spec = folder / "sweeps" / "assumptions.toml"
    spec.write_text(OF_WINDOWS)
    store = tmp_path / "store.sqlite"
    assert main(["sweep", str(spec), f"--store={store}"]) == 0
    judged = study.judge_settings(store, "windows/assumptions")
    # Under the paper's bandwidth and under another one: the conditions do not apply
    assert judged[["setting", "claim", "verdict"]].values.tolist() == [
        ["far", "wider", "holds"],
        ["slow", "wider", "fails"],
    ]
    (told,) = study.moves(store, "windows/assumptions").values()
    (low, high) = re.fullmatch(
        r"([\d.]+) to ([\d.]+) over 2 settings of the unspecified parameters", told
    ).groups()  # fmt: skip
    assert float(low) < 2 <= float(high)
