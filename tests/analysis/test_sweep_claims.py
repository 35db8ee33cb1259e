"""Judging claims about curves: made-up runs where the answer is known, both ways."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from some_papers import ITO, changed

from analysis import claims
from analysis.claims import sweeps
from analysis.read.results import ResultError

DATA = Path(__file__).parents[1] / "data"
sys.path.insert(0, str(DATA))
import swept  # noqa: E402

HOLDS, FAILS, UNKNOWN = "holds", "fails", "cannot be judged"
B = tuple(mbps * 1e6 for mbps in (10, 20, 50, 100, 200, 500, 1000))
TAU = tuple(ms * 1e-3 for ms in (1, 2, 5, 10, 20, 50, 100, 200))
ETA = tuple(tenth / 10 for tenth in range(1, 11))
CLAIMS = {claim.id: claim for claim in sweeps.sweep_claims_of(ITO)}
MODES = ("mi", "mi-plus", "aimd")


def runs(mode: str, key: str, xs: Any, ys: Any, off: float = 0.0, **more: Any) -> pd.DataFrame:
    """Return three replications of a curve in Mbit/s, `off` below, at and above each value."""
    label = "single" if mode == "fixed" else "segment"
    values = {x: [y - off, y, y + off] for x, y in zip(xs, ys, strict=True)}
    return swept.runs(label, mode, key, values, **more)


def used(mode: str, shares: Any, xs: Any = B, off: float = 0.0) -> pd.DataFrame:
    """Return runs over B that use these shares of it."""
    mbps = [share * x / 1e6 for share, x in zip(shares, xs, strict=True)]
    return runs(mode, "bandwidth_bps", xs, mbps, off)


def judged(name: str, *parts: pd.DataFrame) -> claims.Judged:
    return sweeps.judge_sweep(CLAIMS[name], swept.frame(*parts))


def three(shares: Any, **others: Any) -> list[pd.DataFrame]:
    return [used(mode, others.get(mode.replace("-", "_"), shares)) for mode in MODES]


def test_the_claims_are_those_of_the_section() -> None:
    assert list(CLAIMS) == [
        "ito-b-full",
        "ito-b-slope",
        "ito-b-single",
        "ito-tau-mi",
        "ito-tau-aimd",
        "ito-eta-mi",
        "ito-eta-aimd",
    ]
    assert {claim.sweep for claim in CLAIMS.values()} == {"ito/fig05", "ito/fig06", "ito/fig07"}


def test_words_are_the_numbers_that_were_fixed() -> None:
    words = CLAIMS["ito-b-full"].parameters
    assert words["almost_fully"] == 0.85
    assert words["slightly"] == 0.15
    assert words["poor"] == 0.5
    assert words["hardly"] == 0.9
    assert words["almost_linearly"] == 0.95
    assert words["almost_independent"] == 1.05


# ---- bandwidth ----------------------------------------------------------------------------------

HIGH = (0.97, 0.96, 0.95, 0.94, 0.93, 0.91, 0.86)
DROPS = (0.97, 0.96, 0.95, 0.94, 0.84, 0.60, 0.30)


def test_full_use_holds() -> None:
    found = judged("ito-b-full", *three(HIGH))
    assert found.verdict == HOLDS
    assert "holds for B from 10 to 1000 Mbit/s (7 of 7 points)" in found.reason
    assert found.measured.startswith("smallest G/B: MI 0.86, MI+ 0.86")


def test_full_use_fails_where_one_mode_fails() -> None:
    found = judged("ito-b-full", *three(HIGH, aimd=DROPS))
    assert found.verdict == FAILS
    assert "not met by AIMD" in found.reason
    assert "holds for B from 10 to 100 Mbit/s (4 of 7 points)" in found.reason
    assert "separately: MI for B from 10 to 1000 Mbit/s" in found.reason
    assert found.values["holds_on"] == [10e6, 100e6]
    assert found.values["modes"]["aimd"]["measures"]["smallest G/B"]["value"] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("shares", "verdict", "slope"),
    [
        (HIGH, HOLDS, "met"),  # from 0.97 to 0.86: 11 %
        (DROPS, FAILS, "met"),  # falls by 69 %
        (HIGH[::-1], FAILS, "not met by MI, MI+, AIMD"),  # grows
        ((0.97, 0.95, 0.80, 0.95, 0.95, 0.95, 0.94), FAILS, "not met by"),  # dips by 18 %
    ],
)
def test_slightly_less_used(shares: Any, verdict: str, slope: str) -> None:
    found = judged("ito-b-slope", *three(shares))
    assert found.verdict == verdict
    assert f"slope under 0: {slope}" in found.reason


def test_fall_and_slope_are_those_of_the_points() -> None:
    xs, shares = (10e6, 505e6, 1000e6), (0.95, 0.90, 0.85)
    parts = [used(mode, shares, xs) for mode in MODES]
    values = judged("ito-b-slope", *parts).values["modes"]["mi"]["measures"]
    assert values["fall in all"]["value"] == pytest.approx(0.10 / 0.95)
    assert values["slope"]["value"] == pytest.approx(-0.10 / 990e6)
    assert "slope (per Mbit/s): MI -0.000101" in judged("ito-b-slope", *parts).measured


@pytest.mark.parametrize(
    ("shares", "verdict", "where"),
    [
        ((0.97, 0.9, 0.5, 0.26, 0.13, 0.05, 0.03), HOLDS, "for B from 100 to 1000 Mbit/s"),
        ((0.97, 0.9, 0.8, 0.7, 0.6, 0.55, 0.49), HOLDS, "at B = 1000 Mbit/s alone"),
        ((0.97, 0.9, 0.4, 0.3, 0.6, 0.55, 0.5), FAILS, "for B from 50 to 100 Mbit/s"),
        ((0.97, 0.9, 0.8, 0.7, 0.6, 0.55, 0.51), FAILS, "on no range of B"),
    ],
)
def test_single_connection_does_poorly(shares: Any, verdict: str, where: str) -> None:
    found = judged("ito-b-single", used("fixed", shares))
    assert found.verdict == verdict
    assert f"holds {where}" in found.reason


# ---- delay --------------------------------------------------------------------------------------


def over_tau(mode: str, ys: Any, off: float = 0.0) -> pd.DataFrame:
    return runs(mode, "delay_s", TAU, ys, off)


@pytest.mark.parametrize(
    ("last", "verdict", "where"),
    [(91.0, HOLDS, "1 to 200 ms (8 of 8"), (89.0, FAILS, "1 to 100 ms (7 of 8")],
)
def test_hardly_lower(last: float, verdict: str, where: str) -> None:
    flat = [100.0] * 7
    found = judged("ito-tau-mi", over_tau("mi", [*flat, 95.0]), over_tau("mi-plus", [*flat, last]))
    assert found.verdict == verdict
    assert f"tau from {where} points)" in found.reason


def test_higher_in_between_does_not_count_against_hardly_lower() -> None:
    rising = [80.0, 95.0, 95.0, 95.0, 90.0, 85.0, 80.0, 75.0]
    parts = [over_tau(mode, rising) for mode in ("mi", "mi-plus")]
    assert judged("ito-tau-mi", *parts).verdict == HOLDS


@pytest.mark.parametrize(
    ("ys", "verdict", "square"),
    [
        ([100 - 400 * x for x in TAU], HOLDS, 1.0),
        ([100 + 400 * x for x in TAU], FAILS, 1.0),  # grows
        ([0.5 / x for x in TAU], FAILS, None),  # falls, and is no line
        ([50.0] * 8, FAILS, None),  # does not fall
    ],
)
def test_almost_linearly_lower(ys: Any, verdict: str, square: float | None) -> None:
    found = judged("ito-tau-aimd", over_tau("aimd", ys))
    assert found.verdict == verdict
    if square:
        values = found.values["modes"]["aimd"]["measures"]
        assert values["R^2"]["value"] == pytest.approx(square)
        assert abs(values["slope"]["value"]) == pytest.approx(400e6)
    json.dumps(found.values, allow_nan=False)


def test_range_on_which_a_line_fits_is_found() -> None:
    # a line to 50 ms, then a constant
    ys = [100 - 1600 * min(x, 0.05) for x in TAU]
    found = judged("ito-tau-aimd", over_tau("aimd", ys))
    assert found.verdict == FAILS
    # With 100 ms too R^2 would be 0.84.
    assert "holds for tau from 1 to 50 ms (6 of 8 points)" in found.reason


# ---- eta ----------------------------------------------------------------------------------------


def over_eta(mode: str, ys: Any, off: float = 0.0) -> pd.DataFrame:
    return runs(mode, "eta", ETA, ys, off)


@pytest.mark.parametrize(("top", "verdict"), [(94.0, HOLDS), (95.0, FAILS)])
def test_almost_independent_and_eta_of_one_is_outside(top: float, verdict: str) -> None:
    flat = [90.0] * 4 + [top] + [90.0] * 4 + [25.0]
    parts = [over_eta(mode, flat) for mode in ("mi", "mi-plus")]
    found = judged("ito-eta-mi", *parts)
    assert found.verdict == verdict
    assert ("9 of 9" in found.reason) == (verdict == HOLDS)
    assert found.values["modes"]["mi"]["points"] == 9


@pytest.mark.parametrize(
    ("ys", "verdict"),
    [
        ([90 - i for i in range(9)], HOLDS),  # by 8.9 %
        ([90 - 2 * i for i in range(9)], FAILS),  # by 17.8 %
        ([80 + i for i in range(9)], FAILS),
    ],
)
def test_slightly_lower(ys: Any, verdict: str) -> None:
    assert judged("ito-eta-aimd", over_eta("aimd", [*ys, 25.0])).verdict == verdict


# ---- intervals ----------------------------------------------------------------------------------


def test_interval_that_straddles_the_bound_is_told_and_the_mean_decides() -> None:
    # 90.1 Mbit/s of 100 at tau = 200 ms; s = 1 and n = 3, so +- 2.5, and the first value's +- 2.5
    for last, verdict in ((90.1, HOLDS), (89.9, FAILS)):
        ys = [100.0] * 7 + [last]
        parts = [over_tau("mi", ys, off=1.0), over_tau("mi-plus", [100.0] * 8)]
        found = judged("ito-tau-mi", *parts)
        assert found.verdict == verdict
        assert "the bound lies within the 95 % interval: MI lowest over first value" in found.reason
        values = found.values["modes"]["mi"]["measures"]["lowest over first value"]
        assert values["low"] < 0.9 < values["high"]


def test_interval_that_is_clear_of_the_bound_is_not_told() -> None:
    found = judged("ito-b-single", used("fixed", [0.3] * 7, off=0.1))
    assert "the bound lies within" not in found.reason
    # s = 0.1, n = 3: 4.3027 * 0.1 / sqrt(3) = 0.248 Mbit/s of 1000
    assert found.measured == "G/B at the largest B: 0.3 \u00b1 0.0002"


def test_an_interval_that_the_digits_do_not_show_is_not_told() -> None:
    found = judged("ito-b-single", used("fixed", [0.3] * 7, off=0.0002))
    assert found.measured == "G/B at the largest B: 0.3"
    measured = found.values["modes"]["fixed"]["measures"]["G/B at the largest B"]
    assert 0 < measured["high"] - measured["value"] < 1e-6


def test_single_run_is_judged_without_interval() -> None:
    frame = used("fixed", [0.3] * 7)
    found = judged("ito-b-single", frame[frame["run"] == 1])
    assert found.verdict == HOLDS
    assert found.measured == "G/B at the largest B: 0.3"
    assert "no confidence interval: a single run" in found.reason
    json.dumps(found.values, allow_nan=False)


# ---- no verdict ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLAIMS)
def test_no_verdict_without_runs(name: str) -> None:
    for nothing in (None, pd.DataFrame()):
        found = sweeps.judge_sweep(CLAIMS[name], nothing)
        assert (found.verdict, found.measured) == (UNKNOWN, "-")
        assert found.reason == f"the results contain no run of sweep {CLAIMS[name].sweep}"


def test_no_verdict_where_points_are_missing() -> None:
    parts = [*three(HIGH)[:2], used("aimd", HIGH[:-1], B[:-1])]
    found = judged("ito-b-full", *parts)
    assert found.verdict == UNKNOWN
    assert found.reason.startswith("1 of 21 points are missing; ")
    assert found.measured.startswith("smallest G/B: MI 0.86"), "told all the same"


def test_no_verdict_where_a_mode_is_missing() -> None:
    found = judged("ito-b-full", *three(HIGH)[:2])
    assert (found.verdict, found.measured) == (UNKNOWN, "-")
    assert found.reason == "no point for AIMD"


def test_point_of_which_no_run_is_done_is_missing() -> None:
    frame = over_tau("aimd", [100 - 400 * x for x in TAU])
    frame.loc[frame["delay_s"] == 0.2, "goodput_bps"] = None
    found = judged("ito-tau-aimd", frame)
    assert found.verdict == UNKNOWN
    assert found.reason.startswith("1 of 8 points are missing")


def test_no_verdict_on_a_smaller_range_than_the_suites() -> None:
    found = judged("ito-b-single", used("fixed", HIGH[:4], B[:4]))
    assert found.verdict == UNKNOWN
    assert "cover B = 10 to 100 Mbit/s instead of 10 to 1000 Mbit/s" in found.reason


def test_wider_sweep_is_judged_on_the_suites_range_and_the_wider_one_is_told() -> None:
    found = judged("ito-b-single", used("fixed", [0.3] * 7 + [0.9], (*B, 10e9)))
    assert found.verdict == HOLDS
    assert "from 10 to 1000 Mbit/s (7 of 8 points)" in found.reason


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"delay_s": 0.05}, "delay_s is 0.05 instead of 0.01"),
        ({"file_size_bytes": 1e9}, "file_size_bytes is 1000000000 instead of 10000000000"),
        ({"eta": 0.5}, "eta is 0.5 instead of 0.8"),
    ],
)
def test_no_verdict_under_other_conditions(other: dict[str, float], told: str) -> None:
    found = judged("ito-b-single", used("fixed", [0.3] * 7).assign(**other))
    assert found.verdict == UNKNOWN
    assert found.reason.startswith(f"not under the paper's conditions: {told}; ")
    assert found.measured.startswith("G/B at the largest B: 0.3")


def test_runs_that_differ_are_no_basis() -> None:
    frame = used("fixed", [0.3] * 7)
    frame.loc[0, "queue_packets"] = 20
    found = judged("ito-b-single", frame)
    assert found.verdict == UNKNOWN
    assert "the runs differ in queue_packets" in found.reason


# ---- the table ----------------------------------------------------------------------------------


def test_all_are_judged_and_written_as_the_other_claims_are(tmp_path: Path) -> None:
    frames = {
        "ito/fig05": swept.frame(*three(HIGH), used("fixed", [0.3] * 7)),
        "ito/fig06": over_tau("aimd", [100 - 400 * x for x in TAU]),
    }
    found = [sweeps.judge_sweep(c, frames.get(c.sweep)) for c in sweeps.sweep_claims_of(ITO)]
    verdicts = {item.id: item.verdict for item in found}
    assert list(verdicts) == list(CLAIMS)
    assert verdicts["ito-b-full"] == verdicts["ito-b-single"] == verdicts["ito-tau-aimd"] == HOLDS
    assert verdicts["ito-tau-mi"] == verdicts["ito-eta-mi"] == UNKNOWN
    files = claims.write(found, ["why"], tmp_path)
    kept = json.loads(files[2].read_text())["claims"]
    assert [item["id"] for item in kept] == list(CLAIMS)
    told = sweeps.sweep_basis(frames)
    assert "ito/fig05: 84 runs of engine segment" in told


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"hardly_lower"', '"hardly_lowe"', "ito-tau-mi: there is no judge 'hardly_lowe'"),
        ('sweep = "fig07"', 'sweep = "fig77"', "ito-eta-mi has no 'fig77'"),
    ],
)
def test_wrong_entry_is_refused(before: str, after: str, message: str, tmp_path: Path) -> None:
    wrong = changed(ITO, tmp_path, before, after)
    with pytest.raises(ResultError, match=message):
        sweeps.sweep_claims_of(wrong)
