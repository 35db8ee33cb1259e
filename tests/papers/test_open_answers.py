"""What the paper left open: the sentences that the numbers make."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from open_samples import MEASURED, SPECS, drawn, kind_of, rows_of, sweep_small
from some_papers import ITO

from analysis.drawing import style
from analysis.statistics import swing
from papers.ito.figures import aimd_parameters, chunk_size, fairness_answer


@pytest.fixture(scope="module")
def store(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sweep_small(tmp_path_factory.mktemp("open"))


def answer(name: str, table: pd.DataFrame) -> str:
    """Return the sentences, which are three where nothing is missing."""
    told = kind_of(name).answer(table)
    assert all(sentence.endswith(".") for sentence in told)
    return " ".join(told)


@pytest.fixture(scope="module")
def tables(store: Path) -> dict[str, pd.DataFrame]:
    """The numbers drawn of each small sweep."""
    return {name: drawn(name, rows_of(name, store))[1] for name in SPECS}


@pytest.mark.parametrize("name", SPECS)
def test_there_are_three_sentences_and_a_question(
    name: str, tables: dict[str, pd.DataFrame]
) -> None:
    assert kind_of(name).question.endswith("?")
    told = kind_of(name).answer(tables[name])
    assert len(told) == 3
    assert "nan" not in " ".join(told)


def tuned(over_single: list[float], over_best: list[float]) -> pd.DataFrame:
    """Return a table of MI with chunks of 1 and 10 MB, files of 30 and 100 MB, and fixed N."""
    mega = 1_000_000
    points = [(30, 1), (30, 10), (100, 1), (100, 10)]
    rows = [
        {
            "label": "segment", "mode": "mi", "parallelism": 1, "file_size_bytes": size * mega,
            "chunk_size_bytes": part * mega, "mean": best * 90, "runs": 3, "over_single": single,
            "over_single_low": single - 0.01, "over_single_high": single + 0.01,
            "over_best": best, "over_best_low": best - 0.01, "over_best_high": best + 0.01,
        }
        for (size, part), single, best in zip(points, over_single, over_best, strict=True)
    ]  # fmt: skip
    rows += [
        {"label": "fixed", "mode": "fixed", "parallelism": n, "file_size_bytes": size * mega,
         "chunk_size_bytes": size * mega, "mean": goodput}
        for size in (30, 100)
        for n, goodput in ((1, 20.0), (4, 90.0), (8, 45.0))
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_where_tuning_pays_is_told_by_the_numbers() -> None:
    said = answer("chunk-size", tuned([0.5, 2, 0.6, 3], [0.1, 0.4, 0.2, 0.93]))
    assert "tuning pays off from files of 30 MB on, if" in said
    assert "The best chunk is 1/3 to 1/10 of the file" in said
    assert "2 of 4 points, all with chunks of 1 MB, are slower than a single connection" in said
    assert "at worst MI with 50 % of its goodput (file 30 MB, chunk 1 MB)" in said
    assert "90 % of the goodput with the best chunk size from files of 100 MB on" in said
    assert "it gets 93.0 \u00b1 1.0 % at most (MI, chunks of 10 MB)" in said
    assert "a fixed N = 4 gets at least 100 % at every size, and no tuning beats it" in said

    said = answer("chunk-size", tuned([0.5, 0.9, 1.2, 1.1], [0.1, 0.2, 1.2, 1.1]))
    assert "tuning pays off from files of 100 MB on, if" in said
    assert "and tuning beats it with files of 100 MB" in said
    said = answer("chunk-size", tuned([0.5, 0.9, 0.6, 1.005], [0.1, 0.2, 0.2, 0.2]))
    assert "tuning pays off never, if" in said
    assert "with the best chunk size at no size" in said
    said = answer("chunk-size", tuned([1.5, 1.9, 1.6, 1.5], [0.1, 0.2, 0.2, 0.2]))
    assert "tuning is slower than a single connection with no tested chunk size" in said


def test_single_runs_are_judged_by_the_mean_and_that_is_said() -> None:
    table = tuned([0.5, 2, 0.6, 3.6], [0.1, 0.4, 0.2, 0.93])
    bounds = ["over_single_low", "over_single_high"]
    said = answer("chunk-size", table.assign(**dict.fromkeys(bounds, np.nan)))
    assert "tuning pays off from files of 30 MB on, if" in said
    assert "at all; judged by the means, as there is no interval." in said
    assert "2 of 4 points, all with chunks of 1 MB, are slower" in said
    table.loc[1, bounds] = np.nan
    said = answer("chunk-size", table)
    assert "judged by the means, as there is no interval of 1 of 4 points." in said
    assert "interval" not in answer("chunk-size", tuned([0.5, 2, 0.6, 3.6], [0.1] * 4))


def test_papers_values_are_those_of_its_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    goodputs = {(1, 0.1): 88, (1, 0.5): 44, (4, 0.1): 86, (4, 0.5): 60}
    moved = {"alpha": (4,), "beta": (0.1,), "chunk_size_bytes": (10e6, 1e6)}
    monkeypatch.setattr(aimd_parameters, "conditions_of", lambda _: moved)
    monkeypatch.setattr(chunk_size, "conditions_of", lambda _: moved)
    assert "the paper's alpha = 4 and beta = 0.1 86.0" in answer("aimd", aimd(goodputs, [1] * 4))
    said = answer("chunk-size", tuned([0.5, 2, 0.6, 3], [0.1, 0.4, 0.2, 0.93]))
    assert "with the paper's chunks of 10 MB from files of 30 MB on" in said


UNDONE = {
    "chunk-size": ("label", "mode", "file_size_bytes"),
    "fluid-model": ("label", "delay_s", "window_bytes", "parallelism"),
    "aimd": ("label", "mode", "delay_s", "alpha"),
    "fairness": ("label", "modes", "delays"),
}
"""Columns by whose values runs are left undone in turn."""


@pytest.mark.parametrize("each_set", [False, pytest.param(True, marks=pytest.mark.extensive)])
@pytest.mark.parametrize("name", SPECS)
def test_half_done_sweeps_have_answers(name: str, each_set: bool, store: Path) -> None:
    runs = rows_of(name, store)
    measured = [column for column in runs if column in MEASURED]
    needed = runs["label"] == ("one mode" if name == "fairness" else "segment")
    labels = runs["label"]
    sets = [labels == label for label in labels.unique()] if each_set else [labels.notna()]
    step = 1 if each_set else 3
    answered = 0
    for column in UNDONE[name]:
        for value in runs[column].unique()[::step]:
            for some in sets:
                gone = some & (runs[column] == value)
                if gone.any() and not gone[needed].all():
                    half = runs.copy()
                    half.loc[gone, measured] = np.nan
                    assert "nan" not in answer(name, drawn(name, half)[1])
                    answered += 1
    assert answered > 5 // step


def test_what_an_answer_leaves_out_is_said(store: Path) -> None:
    def without(name: str, gone: str) -> str:
        runs = rows_of(name, store)
        measured = [column for column in runs if column in MEASURED]
        runs.loc[runs.query(gone).index, measured] = np.nan
        return answer(name, drawn(name, runs)[1])

    said = without("chunk-size", "label == 'fixed' and file_size_bytes == 16e6")
    assert "a single connection, as runs are missing: MI, MI+ and AIMD with files of 16 MB." in said
    assert "the best fixed N, as runs are missing: MI, MI+ and AIMD with files of 16 MB." in said
    assert "with files of 4 MB it gets" in said
    said = without("chunk-size", "label == 'fixed' and file_size_bytes == 4e6 and parallelism > 1")
    assert "Not compared with a single connection" not in said
    assert "the best fixed N, as runs are missing: MI, MI+ and AIMD with files of 4 MB." in said
    assert "a fixed N = 1 gets at least" in said
    said = without("chunk-size", "mode == 'aimd' or mode == 'mi' and file_size_bytes == 16e6")
    assert "runs are missing: MI with files of 16 MB and AIMD with all files." in said
    said = without(
        "chunk-size", "label == 'fixed' and (parallelism > 1) != (file_size_bytes < 5e6)"
    )
    assert "the goodput of one fixed N at every size cannot be determined" in said

    said = without("aimd", "label == 'segment' and delay_s == 0.05")
    assert said.endswith("At a delay of 50 ms there are no runs of AIMD.")
    assert "at 50 ms" not in said
    said = without("aimd", "mode == 'mi' or mode == 'mi-plus' and delay_s == 0.01")
    assert "At a delay of 10 ms and 50 ms there are no runs of MI." in said
    assert "At a delay of 10 ms there are no runs of MI+." in said
    said = without("aimd", "mode == 'aimd' and delay_s == 0.01 and alpha == 4")
    assert "At 10 ms 0 of 2 pairs" in said or "At 10 ms 1 of 2" in said or "At 10 ms 2 of 2" in said
    assert "whether alpha or beta matters more cannot be determined: pairs are missing" in said


def test_what_is_compared_with_nothing_is_said() -> None:
    table = tuned([0.5, 2, 0.6, 3], [0.1, 0.4, 0.2, 0.93])
    one = table[(table["label"] != "fixed") | (table["parallelism"] == 1)]
    assert "with the best fixed N cannot be determined" in answer("chunk-size", one)
    none = table[table["label"] != "fixed"].assign(over_single=np.nan)
    assert "cannot be determined" in answer("chunk-size", none)


def predicted(window: float, network: float) -> pd.DataFrame:
    """Return a table in which the model is off by these factors."""
    rows = [
        (0.01, 65536, n, goodput, limit, factor)
        for n, goodput, limit, factor in (
            (1, 25e6, "window", window), (4, 90e6, "network", network), (8, 80e6, "network", 1.0)
        )
    ]  # fmt: skip
    columns = ["delay_s", "window_bytes", "parallelism", "mean", "limited_by", "ratio"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(
        predicted_bps=table["mean"] * table["ratio"],
        ratio_low=table["ratio"] - 0.02,
        ratio_high=table["ratio"] + 0.02,
    )


def test_where_the_model_is_right_is_told_by_the_numbers() -> None:
    said = answer("fluid-model", predicted(1.02, 1.5))
    assert "the windows limit the goodput, it predicts 1.02 to 1.02 times" in said
    assert "right within 5 % at 1 of 1 points." in said
    assert "right within 5 % at 1 of 2 points, and farthest away, by a factor of 1.50" in said
    assert "at N = 4, W = 64 KiB and 10 ms" in said
    assert "100 % at 10 ms (W = 64 KiB: N = 4, best 4)" in said
    # Too low is as far away as too high.
    said = answer("fluid-model", predicted(1.3, 0.5))
    assert "right within 5 % at 0 of 1 points, and farthest away, by a factor of 1.30" in said
    assert "by a factor of 0.50" in said
    assert "89 % at 10 ms (W = 64 KiB: N = 8, best 4)" in said
    nothing = predicted(1, 1).assign(ratio=np.nan)
    assert "cannot be determined: its predictions are missing" in answer("fluid-model", nothing)
    window = predicted(1, 1)
    said = answer("fluid-model", window[window["limited_by"] == "window"])
    assert "No point was simulated where, by Eq. (1), the network limits the goodput." in said


def aimd(goodputs: dict[tuple[float, float], float], swings: list[float]) -> pd.DataFrame:
    """Return a table of AIMD with alpha and beta, MI at 80 and MI+ at 85 Mbit/s."""
    rows = [("aimd", a, b, goodput) for (a, b), goodput in goodputs.items()]
    rows += [("mi", 1, 0.5, 80), ("mi-plus", 1, 0.5, 85)]
    table = pd.DataFrame(rows, columns=["mode", "alpha", "beta", "mean"])
    table["mean"] *= 1e6
    moved = [*swings, 0, 0]
    return table.assign(
        delay_s=0.01, high=table["mean"] + 1e6, swing=moved, swing_high=np.array(moved) + 1.0
    )


def test_the_best_alpha_and_beta_are_told_by_the_numbers() -> None:
    goodputs = {(1, 0.1): 88, (1, 0.5): 44, (4, 0.1): 86, (4, 0.5): 60}
    said = answer("aimd", aimd(goodputs, [1, 4, 2, 3]))
    assert "with alpha = 1 and beta = 0.1, 88.0 \u00b1 1.0 Mbit/s" in said
    assert (
        "the paper's alpha = 1 and beta = 0.5 44.0 \u00b1 1.0, MI 80.0 \u00b1 1.0, MI+ 85.0" in said
    )
    assert "2 of 4 pairs get as much as MI and MI+, and beta matters more than alpha" in said
    assert "by 1 \u00b1 1 connections with the best pair and 4 \u00b1 1 with the paper's" in said
    assert "the more it swings the less goodput, rank correlation -1.00" in said

    goodputs = {(1, 0.1): 40, (1, 0.5): 44, (4, 0.1): 60, (4, 0.5): 70}
    said = answer("aimd", aimd(goodputs, [1, 2, 3, 4]))
    assert "0 of 4 pairs get as much" in said
    assert "beta matters less than alpha" in said
    assert "the more it swings the more goodput, rank correlation 1.00" in said
    said = answer("aimd", aimd(goodputs, [2, 3, 4, 1]))
    assert "the swing is hardly related to goodput" in said
    alone = aimd(goodputs, [1, 2, 3, 4]).iloc[:4]
    assert "pairs get as much" not in answer("aimd", alone)


def shared(less: list[tuple[float, float]], used: tuple[float, float]) -> pd.DataFrame:
    """Return a table of fairness: differences of the index in two cases, and of the use in one."""
    rows: list[dict[str, Any]] = [
        {"what": "jain less", "modes": "aimd", "beside": "mi", "sessions": n, "delays": "equal",
         "mean": mean, "low": mean - half, "high": mean + half}
        for n, (mean, half) in zip((2, 8), less, strict=True)
    ]  # fmt: skip
    rows.append({"what": "used less", "modes": "aimd", "beside": "mi", "mean": used[0],
                 "low": used[0] - used[1], "high": used[0] + used[1]})  # fmt: skip
    for n in (2, 8):
        for mode, index in (("mi", 0.6), ("aimd", 0.9)):
            one = {"modes": mode, "sessions": n, "delays": "equal", "mean": index, "high": 0.95}
            rows += [{"what": "jain", **one}, {"what": "used", **one}]
    rows.append({"what": "share", "modes": "mi, aimd", "mean": 0.7, "high": 0.75})
    for beside, mean in (("mi", 0.4), ("aimd", 0.1), ("tcp", 0.5)):
        rows.append({"what": "harm", "beside": beside, "background_window_bytes": 65536,
                     "mean": mean, "high": mean + 0.1})  # fmt: skip
    return pd.DataFrame(rows)


def test_who_is_fairer_is_told_by_the_numbers() -> None:
    fewer = (-0.1, 0.05)
    said = answer("fairness", shared([(0.3, 0.1), (0.1, 0.2)], fewer))
    assert said.startswith("AIMD is fairer where the difference is significant, as Section 5")
    assert "above that of MI in 1 of 2 cases and below it in none (mean differences 0.10" in said
    assert "differ most with 2 sessions over equal delays, 0.60 \u00b1 0.35 (MI), 0.90" in said
    assert "It has a price in use of the bottleneck" in said
    assert "less than with MI in 1 of 1 cases and more in none" in said
    assert "MI gets 70 \u00b1 5 % next to AIMD" in said
    assert "40.0 \u00b1 10.0 % next to MI, 10.0 \u00b1 10.0 % next to AIMD and 50.0" in said

    said = answer("fairness", shared([(-0.3, 0.1), (0.1, 0.2)], (0.1, 0.05)))
    assert said.startswith("AIMD is less fair where the difference is significant; Section 5")
    assert "It pays in use of the bottleneck" in said
    said = answer("fairness", shared([(-0.3, 0.1), (0.3, 0.2)], (0.1, 0.2)))
    assert said.startswith("AIMD is fairer in some cases and less fair in others")
    assert "It costs nothing in use" in said
    said = answer("fairness", shared([(-0.3, 0.4), (0.3, 0.4)], fewer))
    assert said.startswith("No difference in fairness is significant")


@pytest.mark.parametrize(
    ("label", "gap", "sentence"),
    [
        ("two modes", "two modes next to each other", "next to each other cannot be determined"),
        (
            "alone",
            "plain TCP next to sessions, and alone",
            "the loss of plain TCP next to them cannot",
        ),
    ],
)
def test_sets_that_fairness_lacks_are_said(
    label: str, gap: str, sentence: str, store: Path
) -> None:
    runs = rows_of("fairness", store)
    picture, table = drawn("fairness", runs[runs["label"] != label])
    assert gap in picture.get_supxlabel()
    assert sentence in answer("fairness", table)
    alone = runs[(runs["label"] != "one mode") | (runs["modes"] != "aimd")]
    picture, table = drawn("fairness", alone)
    assert "the same draws of AIMD and of MI or MI+" in picture.get_supxlabel()
    assert answer("fairness", table).startswith("Whether AIMD is fairer cannot be determined")


def test_sets_that_the_other_figures_lack_are_said(store: Path) -> None:
    runs = rows_of("chunk-size", store)
    caption = drawn("chunk-size", runs[runs["label"] != "fixed"])[0].get_supxlabel()
    assert "a single connection at 3 of 3 sizes of files" in caption
    assert "other fixed N at 3 of 3" in caption
    runs = rows_of("aimd", store)
    there = runs["delay_s"].eq(0.01) & runs["alpha"].eq(4) & runs["beta"].eq(0.1)
    runs.loc[there, ["goodput_bps", *swing.MEASURED]] = np.nan
    caption = drawn("aimd", runs[runs["mode"] != "mi"])[0].get_supxlabel()
    assert "Missing: 1 of 8 points of AIMD; mode MI; 2 of 20 runs" in caption
    runs = rows_of("fluid-model", store)
    with style.styled():
        picture, table = kind_of("fluid-model").draw(runs, None)
    assert "Missing: the fluid model's predictions" in picture.get_supxlabel()
    assert "cannot be determined" in answer("fluid-model", table)


def test_one_draw_of_starts_says_nothing_of_fairness() -> None:
    shipped = pd.read_csv(ITO.reference / "fairness.csv")
    assert fairness_answer.answer(shipped)[0].startswith("AIMD is fairer where")
    single = shipped.assign(low=math.nan, high=math.nan, error=math.nan, draws=1)
    told = fairness_answer.answer(single)[0]
    assert told.startswith(
        "Whether AIMD is fairer cannot be determined: one replication has no conf"
    )
    assert "higher by 0.03 to 0.35 (MI)" in told
