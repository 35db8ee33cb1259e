"""What the paper left open: the figures, from small sweeps."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from open_samples import MEASURED, SPECS, drawn, kind_of, rows_of, sweep_small

from analysis import figures
from analysis.drawing import style
from analysis.read import stored
from analysis.read.results import ResultError
from analysis.statistics import fairness, pairs, sharing, swing
from experiments.programs.predictions import predictions
from experiments.programs.program import locate
from experiments.store.store import Store
from experiments.verbs.sweep import PROGRAM, load_sweeps

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept  # noqa: E402

# Student's t for 95 % and two degrees of freedom, from a table
T2 = 4.302653


@pytest.fixture(scope="module")
def store(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sweep_small(tmp_path_factory.mktemp("open"))


@pytest.fixture(scope="module")
def files(store: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("figures")
    return [
        path
        for name in SPECS
        for path in figures.draw(name, kind_of(name), store, folder, predictions)[0]
    ]


@pytest.mark.extensive
def test_every_figure_is_drawn_the_same_twice(
    store: Path, files: list[Path], tmp_path: Path
) -> None:
    assert len(files) == 4 * len(SPECS)
    assert {path.suffix for path in files} == {".png", ".pdf", ".svg", ".csv"}
    # In another process, with another order of the runs; test_analysis_figures.py has all formats.
    code = (
        "import functools, sys; from pathlib import Path; import test_open_questions as t\n"
        "t.style.save = functools.partial(t.style.save, formats=('svg',))\n"
        "for name in t.SPECS:\n"
        "    kind = t.kind_of(name)\n"
        "    runs = kind.rows(Path(sys.argv[1]), name).sample(frac=1, random_state=3)\n"
        "    t.figures.draw_rows(name, kind, runs, Path(sys.argv[2]), t.predictions)\n"
    )
    other = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    subprocess.run(
        [sys.executable, "-c", code, store, tmp_path],
        env={**other, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    again = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(again) == 2 * len(SPECS)
    assert {path.name: path.read_bytes() for path in files if path.name in again} == again


AXES = {
    "chunk-size": (["Size of the file"] * 3, ["Size of a chunk"] * 2),
    "fluid-model": (["Connections N"] * 2, ["Window W of a connection"] * 2),
    "aimd": ([r"Increase $\alpha$ (connections)"] * 2, [r"Decrease $\beta$"] * 2),
    "fairness": (["Sessions", "Sessions", "W = 16 KiB"], ["Jain's index", "Goodput of all over B"]),
}
"""What the axes at the bottom and at the left are called, or their categories."""


def _ticks(axes: Axes) -> str:
    return ", ".join(tick.get_text() for tick in axes.get_xticklabels())


@pytest.mark.parametrize("name", SPECS)
def test_axes_are_named_and_nothing_is_missing(name: str, store: Path) -> None:
    picture, _ = drawn(name, rows_of(name, store))
    assert all(axes.get_title(loc="left") for axes in picture.axes)
    # Panels above each other share the axis that is named below the last one.
    across = AXES[name]
    last = [axes for axes in picture.axes if axes.get_subplotspec().is_last_row()]
    assert [axes.get_xlabel() or _ticks(axes) for axes in last] == across[0]
    first = [axes for axes in picture.axes if axes.get_subplotspec().is_first_col()]
    assert [axes.get_ylabel() or picture.get_supylabel() for axes in first] == across[1]
    caption = picture.get_supxlabel()
    assert "B = 100 Mbit/s" in caption
    assert "connections starting up to 20 ms late" in caption
    assert "Missing" not in caption


@pytest.mark.parametrize("name", SPECS)
def test_what_is_not_done_is_said(name: str, store: Path) -> None:
    runs = rows_of(name, store)
    measured = [column for column in runs if column in MEASURED]
    runs.loc[runs.index[0], measured] = np.nan
    picture, _ = drawn(name, runs)
    assert f"1 of {len(runs)} runs" in " ".join(picture.get_supxlabel().split())
    runs[measured] = np.nan
    for nothing in (runs, runs.iloc[:0], pd.DataFrame()):
        with pytest.raises(ResultError, match="no run of the sweep is done"), style.styled():
            kind_of(name).draw(nothing, None)


@pytest.mark.parametrize("name", SPECS)
def test_sets_under_other_labels_are_named(name: str, store: Path) -> None:
    runs = rows_of(name, store)
    needed = "one mode" if name == "fairness" else "segment"
    with (
        pytest.raises(ResultError, match=f'no set is labelled "{needed}" \\(found: "mine"\\)'),
        style.styled(),
    ):
        kind_of(name).draw(runs.assign(label="mine"), None)
    runs.loc[runs["label"] == needed, "goodput_bps"] = np.nan
    if runs["goodput_bps"].notna().any():
        with pytest.raises(ResultError, match=f'no run of set "{needed}" is done'), style.styled():
            kind_of(name).draw(runs, None)


def replicated(runs: pd.DataFrame) -> pd.DataFrame:
    """Return runs of fairness, and second replications in which all gets less equal."""
    again = runs.assign(
        run=2,
        jain=runs["jain"] ** np.where(runs["modes"] == "aimd", 2, 3),
        share=runs["share"] / 2,
        background_bps=runs["background_bps"] * np.where(runs["label"] == "alone", 0.9, 0.7),
    )
    return swept.frame(runs, again)


def test_replications_of_fairness_are_compared_run_by_run(store: Path) -> None:
    runs = rows_of("fairness", store)
    both = replicated(runs)
    _, table = drawn("fairness", both)
    less = table[(table["what"] == "jain less") & (table["beside"] == "mi")]
    assert less["draws"].tolist() == [2, 2]
    one = both[(both["label"] == "one mode") & (both["delays"] == "equal")]
    index = one.set_index(["modes", "starts", "run"])["jain"]
    apart = (index["aimd"] - index["mi"]).groupby("starts").mean()
    (row,) = less[less["delays"] == "equal"].to_dict("records")
    assert row["mean"] == pytest.approx(apart.mean())
    assert row["error"] == pytest.approx(apart.std() / math.sqrt(2))

    sent = both[both["label"].isin(["alone", "beside a session"])]
    sent = sent[(sent["label"] == "alone") | (sent["modes"] == "mi")]
    rate = sent.set_index(["label", "background_start_s", "run"])["background_bps"]
    lost = 1 - (rate["beside a session"] / rate["alone"]).groupby("background_start_s").mean()
    harms = table[table["what"] == "harm"]
    assert set(harms["draws"]) == {2}
    (row,) = harms[harms["beside"] == "mi"].to_dict("records")
    assert (row["mean"], row["error"]) == pytest.approx((lost.mean(), lost.std() / math.sqrt(2)))


def test_replications_of_the_same_starts_alone_are_the_draws(store: Path) -> None:
    runs = replicated(rows_of("fairness", store))
    first = runs["starts"].isin(["0, 1"]) | (runs["background_start_s"] == 1)
    picture, table = drawn("fairness", runs[first])
    # Not each run of AIMD with each of the other mode, which would be four.
    assert set(table["draws"]) == {2}
    assert "means of 2 draws, connections" in picture.get_supxlabel()
    assert "sessions at other times" not in picture.get_supxlabel()


def test_two_modes_that_swap_their_starts_count_once(store: Path) -> None:
    runs = rows_of("fairness", store)
    two = runs[runs["label"] == "two modes"]
    late = two.assign(draw="0, 7", share=two["share"] * [0.5, 0.7])
    _, table = drawn("fairness", swept.frame(runs, late))
    (row,) = table[table["what"] == "share"].to_dict("records")
    one, other = two["share"].mean(), late["share"].mean()
    assert row["draws"] == 2
    assert row["mean"] == pytest.approx((one + other) / 2)
    assert row["error"] == pytest.approx(abs(one - other) / 2)
    (row,) = drawn("fairness", runs)[1].query("what == 'share'").to_dict("records")
    assert row["draws"] == 1
    assert math.isnan(row["low"])


def test_paths_of_two_bandwidths_are_not_one_point(store: Path) -> None:
    def doubled(runs: pd.DataFrame, chosen: pd.Series) -> pd.DataFrame:
        rate = runs["bandwidth_bps"].where(~chosen, 2e8).astype(int)
        return runs.assign(bandwidth_bps=rate)

    for name in ("fluid-model", "aimd"):
        runs = rows_of(name, store)
        every = pd.Series(data=True, index=runs.index)
        # Each point at both; and one of the two bandwidths at every point.
        for two in (
            swept.frame(runs, doubled(runs, every)),
            doubled(runs, runs["parallelism"].eq(20) | runs["mode"].eq("mi")),
        ):
            with pytest.raises(ResultError, match="the runs differ in bandwidth_bps"):
                drawn(name, two)
    # Along the delay it may change: every point has its own, and its own prediction.
    runs = rows_of("fluid-model", store)
    _, before = drawn("fluid-model", runs)
    _, after = drawn("fluid-model", doubled(runs, runs["delay_s"] == 0.05))
    far = before["delay_s"] == 0.05
    assert set(after.loc[far, "bandwidth_bps"]) == {2e8}
    assert (after["used"][far] == before["used"][far] / 2).all()
    assert (after["predicted_bps"] == before["predicted_bps"])[~far].all()
    single = far & (before["parallelism"] == 20) & (before["window_bytes"] == 2**20)
    assert (after["predicted_bps"] > 1.2 * before["predicted_bps"])[single].all()


def test_sessions_that_never_meet_are_no_comparison(store: Path) -> None:
    runs = rows_of("fairness", store)
    one = runs["label"] == "one mode"
    runs.loc[one & (runs.index > 0), ["jain", "used", "share"]] = np.nan
    assert f"a common period of {one.sum() - 1} runs" in " ".join(
        drawn("fairness", runs)[0].get_supxlabel().split()
    )
    runs.loc[one, ["jain", "used", "share"]] = np.nan
    with pytest.raises(ResultError, match="common period: their files are too small"):
        drawn("fairness", runs)


def test_runs_that_are_only_planned_are_missing(store: Path, tmp_path: Path) -> None:
    spec = store.parent / "fairness.toml"
    path = tmp_path / "store.sqlite"
    with Store(path, create=True) as planned:
        ((read, runs),) = load_sweeps([spec], locate(PROGRAM))
        planned.plan(read.name, runs, read.title, read.figure)
    table = sharing.sharing_table(path, "fairness")
    assert len(table) == len(runs)
    assert table["jain"].isna().all()
    assert list(table["sessions"]) == list(sharing.sharing_table(store, "fairness")["sessions"])
    assert swing.swing_table(path, "fairness")["swing"].isna().all()


def test_engines_agree_in_the_small_sweep(store: Path) -> None:
    (row,) = pairs.agreement_table(store, SPECS).to_dict("records")
    assert (row["sweep"], row["compared"], row["equal"]) == ("fluid-model", 1, 1)
    picture, _ = drawn("fluid-model", rows_of("fluid-model", store))
    assert "1 run of engine ns3: those of engine segment are equal in every digit" in (
        picture.get_supxlabel()
    )


def test_table_of_sharing_has_what_the_chunks_say(store: Path) -> None:
    table = sharing.sharing_table(store, "fairness")
    results = [result for _, result in stored.results(store, "fairness")]
    assert len(table) == len(results)
    for row, result in zip(table.itertuples(), results, strict=True):
        if row.sessions < 2:
            assert math.isnan(row.jain)
            continue
        chunks = [session["gridftp"]["chunks"] for session in result.data["sessions"]]
        start = max(own[0]["start_s"] for own in chunks)
        end = min(own[-1]["end_s"] for own in chunks)
        got = [fairness.goodput_within(own, start, end) for own in chunks]
        assert row.jain == pytest.approx(sum(got) ** 2 / 2 / (got[0] ** 2 + got[1] ** 2))
        assert row.used == pytest.approx(sum(got) / 1e8)
        assert row.period_s == pytest.approx(end - start)
    harms = table[table["label"] == "alone"].set_index("background_start_s")["background_bps"]
    assert (harms > 0).all()
    assert set(table.loc[table["label"] == "one mode", "delays"]) == {"equal", "unequal"}
