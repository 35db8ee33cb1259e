"""Judging the claims: every verdict of every claim is reachable, by made-up results."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from some_papers import ITO, changed

from analysis import claims
from analysis.read.results import Result, ResultError, parse

DATA = Path(__file__).parents[1] / "data"
sys.path.insert(0, str(DATA))
import synthetic  # noqa: E402

HOLDS, FAILS, UNKNOWN = "holds", "fails", "cannot be judged"
# 100 MB at these rates and no pauses take 32, 16, 8.8 ... s.
GOODPUT = {1: 25.0, 2: 50.0, 3: 75.0, 4: 91.0, 5: 92.0, 6: 92.0, 8: 88.0, 16: 80.0}
FULL = 100


def run(
    mode: str,
    levels: list[int],
    goodput: dict[int, float] | None = None,
    count: int = FULL,
    gap_s: float = 0.0,
    **scenario: Any,
) -> Result:
    """Return a result of the paper's conditions whose chunks have these N; the last repeats."""
    chunks = synthetic.path(levels, {**GOODPUT, **(goodput or {})}, count)
    scenario.setdefault("file_size_bytes", count * 100_000_000)
    return parse(json.dumps(synthetic.make(mode, chunks, gap_s, **scenario)), mode)


def judged(name: str, *results: Result) -> claims.Judged:
    (claim,) = [claim for claim in claims.claims_of(ITO) if claim.id == name]
    return claims.judge(claim, claims.Transfers({result.mode: result for result in results}))


def test_the_claims_are_those_of_the_section() -> None:
    assert [claim.id for claim in claims.claims_of(ITO)] == [
        "ito-mi-n",
        "ito-mi-plus-n",
        "ito-converge",
        "ito-mi-g",
        "ito-mi-plus-g",
        "ito-aimd-slow",
    ]


@pytest.mark.parametrize(
    ("levels", "verdict"),
    [
        ([1, 2, 4, 8], HOLDS),
        ([1, 2, 4], FAILS),
        ([1, 2, 4, 8, 16], FAILS),
        ([1, 2, 4, 8, 8, 4], FAILS),
        ([1, 8], FAILS),
        ([1, 2, 4, *[8] * 97, 16], FAILS),
    ],
)
def test_mi_n(levels: list[int], verdict: str) -> None:
    found = judged("ito-mi-n", run("mi", levels))
    assert found.verdict == verdict
    assert found.measured.startswith("N: 1, ")


def test_mi_n_tells_when_it_settled() -> None:
    # 32 + 16 s and 800 Mbit / 91 Mbit/s = 8.79 s
    found = judged("ito-mi-n", run("mi", [1, 2, 4, 8]))
    assert found.reason == "stays at 8 from 56.8 s to the end"


@pytest.mark.parametrize(
    ("levels", "verdict"),
    [
        ([1, 2, 4, 8, 4], HOLDS),
        ([1, 2, 4], HOLDS),
        ([1, 2, 4, 8, 5], FAILS),
        ([1, 2, 4, 8], FAILS),
        ([1, *[2, 4] * 50], FAILS),
    ],
)
def test_mi_plus_n(levels: list[int], verdict: str) -> None:
    assert judged("ito-mi-plus-n", run("mi-plus", levels)).verdict == verdict


def test_convergence_is_the_end_of_the_first_chunk_that_all_send_with_their_last_n() -> None:
    # 32 + 16 + 800 / 91 = 56.79 s, N = 8 for 800 / 88 = 9.09 s, then MI has N = 8 once more and
    # MI+ N = 4 for 8.79 s: 74.97 and 74.67 s, 4.1 and 3.7 % away; 5 % are allowed
    found = judged("ito-converge", run("mi", [1, 2, 4, 8]), run("mi-plus", [1, 2, 4, 8, 4]))
    assert (found.verdict, found.measured) == (HOLDS, "MI 75.0 s, MI+ 74.7 s")
    assert "MI +4.1 %, MI+ +3.7 % compared with 72 s, 5 % allowed" in found.reason
    assert "both modes have sent the same" in found.reason


def test_the_other_readings_of_convergence_are_told_with_their_verdicts() -> None:
    found = judged("ito-converge", run("mi", [1, 2, 4, 8]), run("mi-plus", [1, 2, 4, 8, 4]))
    assert "never changes again (MI 56.8 s, MI+ 65.9 s) the claim fails" in found.reason
    assert "does not raise N (MI 65.9 s, MI+ 65.9 s) the claim fails" in found.reason
    assert "sent with the last N (MI 65.9 s, MI+ 74.7 s) the claim fails" in found.reason
    verdicts = {name: one["verdict"] for name, one in found.values["readings"].items()}
    assert verdicts == {
        "settled": FAILS, "stopped": FAILS, "confirmed": FAILS, "confirmed_in_all": HOLDS,
    }  # fmt: skip
    ends = found.values["readings"]["settled"]["ends_s"]
    assert ends["MI+"] == pytest.approx(48 + 800 / 91 + 800 / 88)


def test_convergence_late_fails_though_another_reading_holds() -> None:
    # N = 2 takes 32 s, not 16: N = 8 is reached at 72.8 s, and sent by both until 91.0 s.
    slow = {2: 25.0}
    same = [run("mi", [1, 2, 4, 8], slow), run("mi-plus", [1, 2, 4, 8, 4], {**slow, 8: 800.0})]
    found = judged("ito-converge", *same)
    assert found.verdict == FAILS
    assert found.measured == "MI 91.0 s, MI+ 82.6 s"
    assert "never changes again (MI 72.8 s, MI+ 73.8 s) the claim holds" in found.reason


def test_convergence_of_one_that_never_settles_fails() -> None:
    never = run("mi-plus", [1, *[2, 4] * 50])
    found = judged("ito-converge", run("mi", [1, 2, 4, 8]), never)
    assert (found.verdict, found.measured) == (FAILS, "MI 56.8 s, MI+ never")


def test_convergence_after_the_end_of_one_transfer_fails() -> None:
    short = run("mi", [1, 2, 4, 8], count=4, file_size_bytes=10_000_000_000)
    (claim,) = [claim for claim in claims.claims_of(ITO) if claim.id == "ito-converge"]
    found = claim.judge({"mi": short, "mi-plus": run("mi-plus", [1, 2, 4, 8, 4])}, claim.parameters)
    assert (found.verdict, found.measured) == (FAILS, "MI never, MI+ 74.7 s")


@pytest.mark.parametrize(
    ("mbps", "verdict"),
    [(88.0, HOLDS), (92.3, HOLDS), (83.7, HOLDS), (92.5, FAILS), (83.5, FAILS)],
)
def test_mi_g(mbps: float, verdict: str) -> None:
    found = judged("ito-mi-g", run("mi", [1, 2, 4, 8], {8: mbps}))
    assert (found.verdict, found.measured) == (verdict, f"{mbps:.1f} Mbit/s")


@pytest.mark.parametrize(("mbps", "verdict"), [(87.0, HOLDS), (91.3, HOLDS), (95.5, FAILS)])
def test_mi_plus_g(mbps: float, verdict: str) -> None:
    assert judged("ito-mi-plus-g", run("mi-plus", [1, 2, 4, 8, 4], {4: mbps})).verdict == verdict


def test_goodput_at_a_point_that_does_not_exist_cannot_be_judged() -> None:
    found = judged("ito-mi-g", run("mi", [1, *[2, 4] * 50]))
    assert (found.verdict, found.measured) == (UNKNOWN, "-")


def test_goodput_is_that_of_the_first_settled_chunk() -> None:
    chunks = synthetic.path([1, 2, 4, 8], GOODPUT, FULL)
    chunks[3] = (8, 70.0, 8)
    result = parse(json.dumps(synthetic.make("mi", chunks)), "mi")
    found = judged("ito-mi-g", result)
    assert (found.verdict, found.measured) == (FAILS, "70.0 Mbit/s")
    # one chunk of 800/70 s and 96 of 800/88 s
    assert f"{97 * 800 / (800 / 70 + 96 * 800 / 88):.1f} Mbit/s" in found.reason


MI, MI_PLUS = [1, 2, 4, 8], [1, 2, 4, 8, 4]


@pytest.mark.parametrize(
    ("levels", "verdict"),
    [
        ([1, 2, 3, 4, 5, *[2, 3, 4, 5] * 30], HOLDS),
        ([1, 2, 3, 4, 5, 6], HOLDS),
        ([1, 2, 4, 5, 2], FAILS),  # not by equal steps
        ([1, 3, 5, 3], FAILS),  # sooner at 3 than MI
        ([1, 2, 1], UNKNOWN),  # one step is no rise
    ],
)
def test_aimd_slow(levels: list[int], verdict: str) -> None:
    aimd = run("aimd", levels if levels[-1] != 6 else [1, 2, 3, 4, 5, 6, 3])
    found = judged("ito-aimd-slow", aimd, run("mi", MI), run("mi-plus", MI_PLUS))
    assert found.verdict == verdict


def test_aimd_slow_says_when_each_was_there() -> None:
    aimd = run("aimd", [1, 2, 3, 4, 5, *[2, 3, 4, 5] * 30])
    found = judged("ito-aimd-slow", aimd, run("mi", MI), run("mi-plus", MI_PLUS))
    # AIMD: 32 + 16 + 800/75 + 800/91 = 67.5 s; MI: 32 + 16 + 800/91 = 56.8 s
    assert found.measured.startswith("+1 per chunk up to 5; reaches N = 5 at 67.5 s, MI at 56.8 s")


def test_as_fast_as_mi_is_not_slower() -> None:
    same = run("aimd", [1, 2, 3, 1])
    mi = run("mi", [1, 2, 3])
    assert judged("ito-aimd-slow", same, mi, run("mi-plus", [1, 2, 3])).verdict == FAILS


@pytest.mark.parametrize("claim", claims.claims_of(ITO), ids=lambda claim: claim.id)
def test_no_verdict_without_results_or_under_other_conditions(claim: claims.Claim) -> None:
    found = claims.judge(claim, claims.Transfers({}))
    assert found.verdict == UNKNOWN
    assert found.reason.startswith("no stored result for ")
    levels = {"mi": MI, "mi-plus": MI_PLUS, "aimd": [1, 2, 3, 4, 5, 2]}
    for other in ({"bandwidth_bps": 50e6}, {"eta": 0.5}, {"window_bytes": 32768}):
        results = {mode: run(mode, path, **other) for mode, path in levels.items()}
        found = claims.judge(claim, claims.Transfers(results))
        ((key, value),) = other.items()
        told = value if key == "eta" else int(value)
        assert found.verdict == UNKNOWN
        assert f"{key} is {told} instead of" in found.reason
        assert found.measured != "-", "what was measured is told all the same"


def test_small_file_cannot_be_judged() -> None:
    found = judged("ito-mi-n", run("mi", MI, count=10))
    assert found.verdict == UNKNOWN
    assert "file_size_bytes is 1000000000 instead of 10000000000" in found.reason


def test_table_is_written_in_three_formats(tmp_path: Path) -> None:
    results = {"mi": run("mi", MI), "mi-plus": run("mi-plus", MI_PLUS)}
    transfers = claims.Transfers(results)
    found = claims.judge_all(ITO, transfers)
    basis = [claims.basis(transfers), *claims.DEFINITIONS]
    files = claims.write(found, basis, tmp_path)
    assert [path.name for path in files] == ["claims.md", "claims.csv", "claims.json"]
    markdown = files[0].read_text()
    assert "single deterministic run" in markdown
    assert "N has converged at the end of the chunk after which" in markdown
    with files[1].open() as stream:
        rows = list(csv.DictReader(stream))
    kept = json.loads(files[2].read_text())
    assert kept["schema"] == 2
    for item, row, entry in zip(found, rows, kept["claims"], strict=True):
        assert item.id == row["id"] == entry["id"]
        assert item.verdict == row["verdict"] == entry["verdict"]
        assert f" | {item.where} | {item.id} |\n" in markdown
    assert [row["verdict"] for row in rows].count(UNKNOWN) == 1


def test_replications_tell_an_interval_and_whether_the_verdict_is_the_same() -> None:
    (claim,) = [claim for claim in claims.claims_of(ITO) if claim.id == "ito-mi-g"]
    single = {"mi": run("mi", MI)}
    again = [{"mi": run("mi", MI, {8: goodput})} for goodput in (87.0, 88.0, 89.0)]
    found = claims.judge(claim, claims.Transfers(single, again))
    # 88 +- t s / sqrt(3), with t = 4.3027 and s = 1: 2.48, which is 2.8 %
    assert found.measured == (
        "88.0 Mbit/s (same verdict in 3 of 3 replications, numbers \u00b13 %)"
    )
    again[0] = {"mi": run("mi", MI, {8: 50.0})}
    found = claims.judge(claim, claims.Transfers(single, again))
    assert found.verdict == HOLDS
    assert "same verdict in 2 of 3 replications" in found.measured
    same = claims.judge(claim, claims.Transfers(single, [single, single]))
    assert "all numbers equal" in same.measured


def test_unknown_judge_is_refused(tmp_path: Path) -> None:
    wrong = changed(ITO, tmp_path, '"settling_time"', '"settling_tim"')
    with pytest.raises(ResultError, match="ito-converge: there is no judge 'settling_tim'"):
        claims.claims_of(wrong)
