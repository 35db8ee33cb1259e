"""What the paper left open: the measures, by hand."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Runner
from matplotlib.figure import Figure

from analysis.drawing import heatmap, words
from analysis.read.results import ResultError
from analysis.statistics import fairness, means, pairs, swing
from experiments.programs.predictions import predictions

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept

# Student's t for 95 % and two degrees of freedom, from a table
T2 = 4.302653


def test_jains_index() -> None:
    assert fairness.jain([3, 3, 3]) == 1
    assert fairness.jain([5, 0]) == pytest.approx(1 / 2)
    # (1 + 3)^2 / (2 (1 + 9))
    assert fairness.jain([1, 3]) == pytest.approx(0.8)
    assert fairness.jain([10, 30]) == fairness.jain([1, 3])
    for nothing in ([], [0, 0]):
        with pytest.raises(ValueError, match="nothing is shared"):
            fairness.jain(nothing)


def test_harm_is_the_share_that_is_lost() -> None:
    assert fairness.harm(20, 15) == pytest.approx(0.25)
    assert fairness.harm(20, 20) == 0
    assert fairness.harm(20, 25) == pytest.approx(-0.25)
    with pytest.raises(ValueError, match="is 0, not above 0"):
        fairness.harm(0, 1)


def chunk(start: float, end: float, size: int) -> dict[str, float]:
    return {"start_s": start, "end_s": end, "bytes": size}


def test_goodput_within_the_common_period() -> None:
    first = [chunk(0, 4, 1000), chunk(5, 9, 1000)]
    second = [chunk(2, 12, 1000)]
    assert fairness.common_period([first, second]) == (2, 9)
    # Half of the first chunk, all of the second one: 1500 bytes in 7 s.
    assert fairness.goodput_within(first, 2, 9) == pytest.approx(8 * 1500 / 7)
    assert fairness.goodput_within(second, 2, 9) == pytest.approx(8 * 700 / 7)
    assert fairness.common_period([first, [chunk(9, 10, 1)]]) is None


def test_swing_is_of_the_later_half() -> None:
    found = swing.swing([1, 9, 2, 5, 3, 4])
    assert found == {"n_low": 3, "n_high": 5, "n_mean": 4, "swing": 2}
    assert swing.swing([7])["swing"] == 0


def test_means_and_their_ratio() -> None:
    runs = swept.frame(
        swept.runs("segment", "mi", "eta", {0.1: [1.0, 2.0, 3.0]}),
        swept.runs("segment", "aimd", "eta", {0.1: [3.0, 4.0, 5.0, None], 0.2: [7.0]}),
    )
    table = means.means(runs, ["mode", "eta"], "goodput_bps").set_index(["mode", "eta"])
    mi, aimd = table.loc["mi", 0.1], table.loc["aimd", 0.1]
    assert (mi["runs"], aimd["runs"]) == (3, 3)
    assert mi["high"] == pytest.approx(2e6 + T2 * 1e6 / math.sqrt(3))
    # As in test_curves: var(4 / 2) = 5 / 12 with 2.94 degrees of freedom, so 2.
    found = means.ratio(aimd, mi)
    assert found.mean == pytest.approx(2)
    assert found.high - 2 == pytest.approx(T2 * math.sqrt(5 / 12), rel=1e-4)
    alone = table.loc["aimd", 0.2]
    assert math.isnan(alone["low"])
    assert math.isnan(means.ratio(alone, mi).low)
    assert means.ratio(alone, alone).high == 1


def test_runs_of_different_scenarios_have_no_mean() -> None:
    runs = swept.runs("segment", "mi", "eta", {0.1: [1.0, 2.0]})
    runs.loc[1, "queue_packets"] = 20
    with pytest.raises(ResultError, match=r"eta = 0\.1: the runs differ in queue_packets"):
        means.means(runs, ["mode", "eta"], "goodput_bps")


def test_runs_of_one_draw_count_once() -> None:
    runs = swept.runs("segment", "mi", "eta", {0.1: [1.0, 3.0, 7.0, 9.0]})
    runs["draw"] = ["a", "a", "b", "b"]
    (row,) = means.means(runs, ["mode", "eta"], "goodput_bps", draw="draw").to_dict("records")
    # The means of the draws are 2 and 8: s = 6 / sqrt(2).
    assert (row["runs"], row["mean"], row["error"]) == (2, 5e6, pytest.approx(3e6))
    # Within a single draw the runs are independent, but not two rows of the same run.
    (row,) = means.means(
        runs.assign(draw="a", run=[1, 1, 2, 2]), ["mode", "eta"], "goodput_bps", draw="draw"
    ).to_dict("records")
    assert (row["runs"], row["error"]) == (2, pytest.approx(3e6))


def test_engines_are_compared_on_the_same_scenario_only() -> None:
    def both(twin: list[float]) -> pairs.Agreement:
        runs = [
            swept.runs(label, "mi", "eta", {0.1: values[:1], 0.2: values[1:]})
            for label, values in (("ns3", [4.0, 8.0]), ("ns3-twin", twin))
        ]
        return pairs.agreement_in(swept.frame(*runs))

    assert both([4.0, 8.0]) == pairs.Agreement(2, 2, 0.0, 0)
    assert (
        both([4.0, 8.0]).told()
        == "2 runs of engine ns3: those of engine segment are equal in every digit"
    )
    assert both([4.0, 6.0]) == pairs.Agreement(2, 1, 0.25, 0)
    assert "at most 25 % different" in both([4.0, 6.0]).told()
    assert both([4.0, np.nan]) == pairs.Agreement(1, 1, 0.0, 1, 1)
    assert (
        both([4.0, np.nan]).told().endswith("every digit, 1 more of engine ns3 have no counterpart")
    )
    nothing = both([np.nan, np.nan])
    assert nothing.told() == "no run of engine segment to compare with 2 of engine ns3"
    undone = swept.runs("ns3", "mi", "eta", {0.1: [None], 0.2: [None]})
    assert pairs.agreement_in(undone).told() == "no run of engine ns3 is stored"
    some = swept.frame(
        swept.runs("ns3", "mi", "eta", {0.1: [4.0], 0.2: [None]}),
        swept.runs("ns3-twin", "mi", "eta", {0.1: [4.0], 0.2: [8.0]}),
    )
    assert pairs.agreement_in(some).told().endswith("every digit, 1 more are not simulated")
    assert pairs.agreement_in(swept.runs("segment", "mi", "eta", {0.1: [1.0]})).told() == ""


def test_words() -> None:
    assert words.listed(["a"]) == "a"
    assert words.listed(["a", "b", "c"]) == "a, b and c"
    names = {"mi": "MI", "aimd": "AIMD", "mi-plus": "MI+"}
    assert words.each(names, lambda mode: "never") == "never"
    said = words.each(names, lambda mode: "never" if mode == "aimd" else "always")
    assert said == "always (MI and MI+) and never (AIMD)"
    # The interval is never told narrower than it is.
    assert words.give_or_take({"mean": 2.04, "high": 2.31}) == "2.0 \u00b1 0.3"
    assert words.give_or_take({"mean": 2.04, "high": 2.041}, 10, "%") == "20.40 \u00b1 0.01 %"
    assert words.give_or_take({"mean": 2.04, "high": math.nan}, unit="s") == "2.0 s"
    close = {"mean": 0.97, "low": 0.86, "high": 0.99}
    assert words.give_or_take(close, digits=2) == "0.97 (0.86 to 0.99)"
    assert words.give_or_take(close, 100, "%", 0) == "97 % (86 to 99 %)"
    assert words.give_or_take({"mean": 0.5, "low": 0.3, "high": 0.7001}) == "0.5 \u00b1 0.3"
    assert (words.share(0.1234), words.share(0.0123)) == ("12 %", "1.2 %")


def test_frame_goes_around_the_region() -> None:
    axes = Figure().subplots()
    heatmap.frame(axes, pd.DataFrame([[True, True], [False, True]]))
    (lines,) = axes.collections
    # Three cells in an L: eight edges, none between two of them.
    assert len(lines.get_segments()) == 8


def test_shades_are_told_apart_in_grey() -> None:
    colors = heatmap.SHADES(np.linspace(0, 1, 11))[:, :3]
    lightness = colors @ [0.299, 0.587, 0.114]
    assert (np.diff(lightness) < -0.03).all()


def test_every_n_is_predicted_by_the_program(run_program: Runner, programs: Path) -> None:
    def told_of(window: str) -> dict[str, Any]:
        done = run_program(
            "gridftp-optimum", "--stack=classic", "--rtt=20.04ms", f"--window={window}", "--json"
        )
        return json.loads(done.stdout)

    runs = swept.frame(
        swept.runs("segment", "fixed", "parallelism", {1: [9.0], 60: [9.0]}, window_bytes=2**20),
        swept.runs("segment", "fixed", "parallelism", {1: [9.0]}, window_bytes=2**16),
    )
    table = predictions(runs, ("delay_s", "window_bytes"))
    for window, text in ((2**20, "1MiB"), (2**16, "64KiB")):
        told = told_of(text)
        own = pd.DataFrame(told["curve"])
        rows = table[table["window_bytes"] == window]
        assert rows["parallelism"].tolist() == list(range(1, len(rows) + 1))
        assert rows["goodput_bps"].tolist()[: len(own)] == own["goodput_bps"].tolist()
        (best,) = rows[rows["best"]].to_dict("records")
        assert best["parallelism"] == told["optimum"]["parallelism"]
        assert best["goodput_bps"] == told["optimum"]["goodput_bps"]
    # Beyond the program's 16 the network limits, whatever the window: as for another window.
    beyond = table[(table["window_bytes"] == 2**20) & (table["parallelism"] > 16)]
    other = pd.DataFrame(told_of("16KiB")["curve"]).set_index("parallelism")
    assert len(beyond) >= 44
    for row in beyond[beyond["parallelism"] <= 60].itertuples():
        assert row.limited_by == "network"
        assert row.goodput_bps == other.loc[row.parallelism, "network_limit_bps"]
    limits = table.loc[table["window_bytes"] == 2**16, "limited_by"].tolist()
    assert limits[:5] == ["window"] * 3 + ["network"] * 2
