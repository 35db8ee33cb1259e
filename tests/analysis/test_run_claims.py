"""Claims about any number of results: paths, conditions that are words or numbers, bounds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.claims.conditions import departures, fits
from analysis.claims.paths import numbers_at
from analysis.claims.runs import judge_run_claim, run_claims_of
from analysis.papers import Paper
from analysis.read.results import Result, ResultError

DATA = {
    "links": [{"drops": 3}, {"drops": 4}],
    "sessions": [{"tcp": {"timeouts": 2}}, {"tcp": {"timeouts": 6}}, {"tcp": None}],
    "status": "done",
}


@pytest.mark.parametrize(
    ("path", "numbers"),
    [
        ("links.0.drops", [3]),
        ("links.*.drops", [3, 4]),
        ("sessions.*.tcp.timeouts", [2, 6]),
        ("sessions.2.tcp.timeouts", []),
    ],
)
def test_a_path_leads_to_numbers(path: str, numbers: list[float]) -> None:
    assert numbers_at(DATA, path) == numbers


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("link.0.drops", "there is no 'link'; allowed: links, sessions, status"),
        ("links.2.drops", "there is no '2'; allowed: \\* or 0 to 1"),
        ("links.0.drops.x", "there is no 'x'; allowed: a single value is there"),
        ("status", "'done' is no number"),
    ],
)
def test_a_path_to_nothing_is_told(path: str, message: str) -> None:
    with pytest.raises(ResultError, match=message):
        numbers_at(DATA, path)


@pytest.mark.parametrize(
    ("value", "wanted", "same"),
    [
        ("download", "download", True),
        ("upload", "download", False),
        ("upload", ["download", "upload"], True),
        (100e6, 100_000_000, True),
        (0.1 + 0.2, 0.3, True),
        (1, "1", False),
        ("1", 1, False),
        (True, 1, False),
        (True, True, True),
        (None, 1, False),
    ],
)
def test_a_condition_is_a_word_or_a_number(value: Any, wanted: Any, same: bool) -> None:
    assert fits(value, wanted) == same


def test_departures_are_told_once_each() -> None:
    scenarios = [{"direction": "upload", "eta": 0.5}, {"direction": "upload"}]
    told = departures({"direction": "download", "eta": [0.5, 0.6]}, scenarios)
    assert told == "direction is upload instead of download, eta is unknown instead of 0.5"


CLAIM = """
[words]
about = 0.1
few = 3
[[run_claim]]
id = "a"
where = "Sec. 1"
text = "few drops"
sweep = "one"
"""


def paper(folder: Path, claim: str) -> Paper:
    """Return a paper with one claim."""
    (folder / "claims.toml").write_text(CLAIM + claim)
    return Paper("tiny", folder, "Tiny", "Tiny")


def kept(*drops: int, label: str = "set", **scenario: Any) -> list[tuple[str, Result]]:
    """Return a run for each number, which the first of two links drops."""
    return [
        (label, Result({"scenario": scenario, "links": [{"drops": n}, {"drops": 1}]}, "test"))
        for n in drops
    ]


@pytest.mark.parametrize(
    ("claim", "verdict", "value"),
    [
        ('measure = "links.0.drops"\nat_most = "few"', "holds", 3),
        ('measure = "links.0.drops"\nat_most = 2.9', "fails", 3),
        ('measure = "links.*.drops"\nat_least = 4', "holds", 4),
        ('measure = "links.*.drops"\nin_a_run = "largest"\nat_least = 4', "fails", 3),
        ('measure = "links.0.drops"\nover_runs = "sum"\nabout = 8.2', "holds", 9),
        ('measure = "links.0.drops"\nover_runs = "sum"\nabout = 8', "fails", 9),
        ('measure = "links.0.drops"\nover_runs = "smallest"\nabout = 2', "holds", 2),
        ('measure = "links.0.drops"\nat_least = 2\nat_most = 2.5', "fails", 3),
    ],
)
def test_a_number_is_held_against_its_bounds(
    claim: str, verdict: str, value: float, tmp_path: Path
) -> None:
    (one,) = run_claims_of(paper(tmp_path, claim))
    found = judge_run_claim(one, kept(2, 3, 4))
    assert (found.verdict, found.values["value"]) == (verdict, value)
    assert json.dumps(found.values)


def test_a_mean_is_told_with_its_interval(tmp_path: Path) -> None:
    (one,) = run_claims_of(paper(tmp_path, 'measure = "links.0.drops"\nat_most = 5'))
    # Student's t for two degrees of freedom, 4.303, times 1 / sqrt(3)
    assert judge_run_claim(one, kept(2, 3, 4)).measured == "mean links.0.drops: 3 \u00b1 2"


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ([{"run": 1}], "one run, deterministic"),
        ([{"run": 1, "parallelism": 1}, {"run": 1, "parallelism": 2}], "2 runs, deterministic"),
        ([{"run": 1, "random_loss": 1e-6}], "one run, random but not replicated"),
        ([{"run": 1, "sessions": [{"start_jitter_s": 0.1}]}],
         "one run, random but not replicated"),
        ([{"run": 1, "random_loss": 0}, {"run": 2, "random_loss": 0}], ""),
    ],
)  # fmt: skip
def test_what_single_runs_are_worth_is_said_in_words(
    runs: list[dict[str, Any]], told: str, tmp_path: Path
) -> None:
    (one,) = run_claims_of(paper(tmp_path, 'measure = "links.0.drops"\nat_most = 5'))
    found = [run for scenario in runs for run in kept(3, **scenario)]
    assert judge_run_claim(one, found).moves == told
    assert judge_run_claim(one, []).moves == ""


def test_a_number_is_told_in_its_unit_and_a_ratio_without(tmp_path: Path) -> None:
    text = 'measure = "links.0.drops"\nname = "drops"\nunit = "dozen"\nscale = 12\nat_most = 30\n'
    (one,) = run_claims_of(paper(tmp_path, text))
    found = judge_run_claim(one, kept(24, 36, 48))
    assert found.measured == "mean drops: 3 \u00b1 2 dozen"
    assert found.reason == "required: at most 2.5 dozen (not met); 3 runs"
    (ratio,) = run_claims_of(paper(tmp_path, f'{text}label = "a"\nover = {{ label = "b" }}'))
    found = judge_run_claim(ratio, [*kept(24, label="a"), *kept(12, label="b")])
    assert found.measured == "mean drops of set a, divided by that of set b: 2"
    assert found.reason == "required: at most 30 (met); 2 runs"


def test_what_is_no_mean_of_runs_has_no_interval(tmp_path: Path) -> None:
    text = 'measure = "links.0.drops"\nat_most = 9\n'
    (total,) = run_claims_of(paper(tmp_path, f'{text}over_runs = "sum"'))
    assert judge_run_claim(total, kept(2, 3, 4)).measured == "total links.0.drops: 9"
    (ratio,) = run_claims_of(paper(tmp_path, f'{text}label = "a"\nover = {{ label = "b" }}'))
    found = judge_run_claim(ratio, [*kept(2, 4, label="a"), *kept(1, 3, label="b")])
    assert found.measured == "mean links.0.drops of set a, divided by that of set b: 1.5"


def test_runs_are_chosen_by_label_and_by_words(tmp_path: Path) -> None:
    text = (
        'measure = "links.0.drops"\nabout = 2\nlabel = "set"\nruns = { direction = "download" }\n'
    )
    (one,) = run_claims_of(paper(tmp_path, text))
    others = [*kept(50, direction="upload"), *kept(70, label="b", direction="download")]
    found = judge_run_claim(one, [*others, *kept(2, direction="download")])
    assert (found.verdict, found.values["runs"]) == ("holds", 1)
    found = judge_run_claim(one, others)
    assert (found.verdict, found.measured) == ("cannot be judged", "-")


def test_one_set_over_another(tmp_path: Path) -> None:
    text = """measure = "links.0.drops"
at_least = 2
runs = { direction = "upload" }
over = { runs = { direction = "download" } }
"""
    (one,) = run_claims_of(paper(tmp_path, text))
    up, down = kept(6, 8, direction="upload"), kept(3, direction="download")
    found = judge_run_claim(one, [*up, *down])
    assert (found.verdict, found.values["value"]) == ("holds", pytest.approx(7 / 3))
    nothing = judge_run_claim(one, [*up, *kept(0, direction="download")])
    assert nothing.reason == "cannot divide by links.0.drops: it is 0"


FLOWS = """measure = "background.*.goodput_bps"
of = { buffers = "fixed" }
over = { of = { buffers = "drs-kernel" } }
about = 0.5
in_a_run = "mean"
"""


def test_flows_are_chosen_by_what_the_scenario_says_of_them(tmp_path: Path) -> None:
    (one,) = run_claims_of(paper(tmp_path, FLOWS))
    policies = ["fixed", "drs-kernel", "fixed", "linux-receiver"]
    scenario = {"sessions": [], "background": [{"buffers": name} for name in policies]}
    flows = [{"goodput_bps": rate} for rate in (1, 4, 3, 90)]
    data = {"scenario": scenario, "sessions": [], "background": flows}
    found = judge_run_claim(one, [("set", Result(data, "test"))])
    assert (found.verdict, found.values["value"]) == ("holds", 0.5)
    assert "all sets, buffers drs-kernel" in found.measured
    # None is such a flow: nothing was measured
    scenario["background"][1]["buffers"] = "fixed"
    found = judge_run_claim(one, [("set", Result(data, "test"))])
    assert found.verdict == "cannot be judged"


def test_other_conditions_allow_no_verdict(tmp_path: Path) -> None:
    text = 'measure = "links.0.drops"\nabout = 2\nconditions = { tcp = "reno" }\n'
    (one,) = run_claims_of(paper(tmp_path, text))
    assert judge_run_claim(one, kept(2, tcp="reno")).verdict == "holds"
    found = judge_run_claim(one, kept(2, tcp="cubic"))
    assert found.verdict == "cannot be judged"
    assert "tcp is cubic instead of reno" in found.reason
    assert found.measured == "mean links.0.drops: 2"


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("at_most = 1", "a has no 'measure'"),
        ('measure = "x"', "a has no bound; allowed: at_least, at_most, about"),
        ('measure = "x"\nat_mots = 1', "'at_mots' is no key; allowed: "),
        ('measure = "x"\nat_most = "many"', "'many' is no number and no word of "),
        ('measure = "x"\nat_most = 1\nover_runs = "median"', "over_runs is 'median'; allowed: sum"),
        ('measure = "x"\nat_most = 1\nover = { run = 1 }', "over: 'run' is no key; allowed: label"),
    ],
)
def test_wrong_entry_is_refused(claim: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ResultError, match=message):
        run_claims_of(paper(tmp_path, claim))
