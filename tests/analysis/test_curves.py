"""Curves over a swept key, and Figures 5 to 7 drawn from them."""

from __future__ import annotations

import functools
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import Runner
from matplotlib.figure import Figure

from analysis import figures
from analysis.drawing import style
from analysis.read.results import ResultError
from analysis.statistics import curve, fluid
from experiments.errors import UserError
from experiments.programs.predictions import predictions
from experiments.programs.program import Program

DATA = Path(__file__).parents[1] / "data"
sys.path.insert(0, str(DATA))
import swept  # noqa: E402

MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}
NAMES = {5: "fig05", 6: "fig06", 7: "fig07"}
REGISTRY = {
    5: figures.kinds()["goodput-over-bandwidth"],
    6: figures.kinds()["goodput-over-delay"],
    7: figures.kinds()["goodput-over-eta"],
}
KEYS = {5: "bandwidth_bps", 6: "delay_s", 7: "eta"}
VALUES = {5: (10e6, 100e6, 1e9), 6: (0.001, 0.01, 0.1), 7: (0.1, 0.5, 1.0)}
MODES = ("mi", "mi-plus", "aimd")
# Student's t for 95 % and two degrees of freedom, from a table
T2 = 4.302653


# ---- curves -------------------------------------------------------------------------------------


def test_points_are_means_with_students_interval() -> None:
    frame = swept.runs("segment", "mi", "delay_s", {0.2: [5.0, 5.0, 5.0], 0.1: [1.0, 2.0, 3.0]})
    table = curve.points(frame, "delay_s")
    assert table["delay_s"].tolist() == [0.1, 0.2]
    assert table["runs"].tolist() == [3, 3]
    first, second = table.itertuples()
    # s = 1, n = 3
    assert first.goodput_bps == pytest.approx(2e6)
    assert first.error_bps == pytest.approx(1e6 / math.sqrt(3))
    assert first.high_bps == pytest.approx(2e6 + T2 * 1e6 / math.sqrt(3))
    assert first.low_bps == pytest.approx(2e6 - T2 * 1e6 / math.sqrt(3))
    assert (second.low_bps, second.high_bps) == (5e6, 5e6)


def test_single_run_has_no_interval_and_undone_ones_do_not_count() -> None:
    frame = swept.runs("segment", "mi", "eta", {0.1: [7.0, None], 0.2: [None, None]})
    (point,) = curve.points(frame, "eta").itertuples()
    assert (point.eta, point.runs, point.goodput_bps) == (0.1, 1, 7e6)
    assert math.isnan(point.low_bps)
    assert math.isnan(point.error_bps)
    assert curve.declared(frame, "eta", ["segment"]) == [0.1, 0.2]


def test_runs_of_different_scenarios_are_not_averaged() -> None:
    frame = swept.runs("segment", "mi", "eta", {0.1: [1.0, 2.0]})
    frame.loc[1, "queue_packets"] = 20
    with pytest.raises(ResultError, match=r"segment, mode mi, eta = 0.1: the runs differ in queue"):
        curve.points(frame, "eta")


def test_runs_without_the_swept_key_are_of_no_point() -> None:
    frame = swept.runs("segment", "mi", "eta", {0.1: [1.0, 2.0]})
    apart = frame.assign(label="once", eta=math.nan, run=1, queue_packets=[20, 30])
    (point,) = curve.points(swept.frame(frame, apart), "eta").itertuples()
    assert (point.label, point.runs) == ("segment", 2)


def test_sessions_of_a_run_are_no_replications() -> None:
    frame = swept.runs("segment", "mi", "eta", {0.1: [9.0]})
    with pytest.raises(ResultError, match="the runs differ in session"):
        curve.points(swept.frame(frame, frame.assign(session=1, run=2)), "eta")


def test_run_that_is_there_twice_is_refused() -> None:
    frame = swept.runs("segment", "mi", "eta", {0.1: [1.0, 2.0]})
    with pytest.raises(ResultError, match=r"eta = 0.1: a run is there twice"):
        curve.points(swept.frame(frame, frame.iloc[:1]), "eta")


def test_missing_column_is_named() -> None:
    frame = swept.runs("segment", "mi", "eta", {0.1: [1.0]})
    with pytest.raises(ResultError, match="the runs have no column 'seed'"):
        curve.points(frame.drop(columns="seed"), "eta")


def curve_of(values: swept.Values) -> curve.Curve:
    frame = swept.runs("segment", "mi", "eta", values)
    return curve.curve_of(curve.points(frame, "eta"), "eta", "segment", "mi")


def test_interval_of_a_mean_is_students() -> None:
    found = curve.propagated(lambda c: float(c.y[1]), curve_of({0: [9, 11], 1: [1, 2, 3]}))
    assert found.mean == pytest.approx(2e6)
    assert found.high == pytest.approx(2e6 + T2 * 1e6 / math.sqrt(3))


def test_interval_of_a_ratio_is_from_both_errors() -> None:
    # 2 and 4 with errors 1 / sqrt(3) each: var(4 / 2) = (1/2)^2 / 3 + (4 / 2^2)^2 / 3 = 5 / 12.
    # Degrees of freedom: (5/12)^2 / ((1/12)^2 / 2 + (1/3)^2 / 2) = 2.94, so 2.
    values = {0: [1, 2, 3], 1: [3, 4, 5]}
    found = curve.propagated(lambda c: float(c.y[1] / c.y[0]), curve_of(values))
    assert found.mean == pytest.approx(2)
    assert found.high - 2 == pytest.approx(T2 * math.sqrt(5 / 12), rel=1e-4)


def test_interval_is_unknown_only_if_a_point_that_counts_has_one_run() -> None:
    one = curve_of({0: [5], 1: [1, 2, 3]})
    assert math.isnan(curve.propagated(lambda c: float(c.y.max()), one).high)
    assert curve.propagated(lambda c: float(c.y.min()), one).high > 2e6
    same = curve.propagated(lambda c: float(c.y.min()), curve_of({0: [5, 5], 1: [7, 7]}))
    assert (same.low, same.high) == (5e6, 5e6)


def test_share_scales_errors_too() -> None:
    share = curve_of({0: [1, 2, 3], 1: [4, 5, 6]}).share_of(np.array([4e6, 10e6]))
    assert share.y.tolist() == [0.5, 0.5]
    assert share.error.tolist() == pytest.approx([1 / math.sqrt(3) / 4, 1 / math.sqrt(3) / 10])


# ---- figures ------------------------------------------------------------------------------------


def sample(number: int, reference: bool = True) -> pd.DataFrame:
    """Return runs of every set: a falling curve per mode, three replications."""
    key, values = KEYS[number], VALUES[number]
    parts = []
    for place, mode in enumerate(MODES if number == 7 else (*MODES, "fixed")):
        label = "single" if mode == "fixed" else "segment"
        curves = {x: [9 - place - i + d for d in (-0.1, 0, 0.1)] for i, x in enumerate(values)}
        parts.append(swept.runs(label, mode, key, curves))
        if reference:
            few = {x: curves[x][:1] for x in values[::2]}
            parts += [swept.runs(label, mode, key, few) for label in curve.REFERENCE]
        if mode != "fixed":
            one = {x: curves[x][:1] for x in values}
            parts += [swept.runs(label, mode, key, one) for label in curve.VARIANTS]
    return swept.frame(*parts)


def model(number: int) -> pd.DataFrame:
    """Return what the model predicts: the best N is 4, and one connection is outside it once."""
    rows = [(x, 4, 9e6, True) for x in VALUES[number]]
    rows += [(x, 1, 8e6 - i * 1e6, False) for i, x in enumerate(VALUES[number][:2])]
    return pd.DataFrame(rows, columns=[KEYS[number], "parallelism", "goodput_bps", "best"])


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[Path]]:
    folder = tmp_path_factory.mktemp("figures")
    return {number: draw(number, sample(number), model(number), folder) for number in REGISTRY}


def draw(
    number: int, frame: pd.DataFrame, predicted: pd.DataFrame | None, folder: Path
) -> list[Path]:
    def ask(_: pd.DataFrame, key: str) -> pd.DataFrame | None:
        assert key == KEYS[number]
        return predicted

    kind = REGISTRY[number]
    return figures.draw_rows(
        NAMES[number], kind, frame, folder, None if predicted is None else ask
    )[0]


def picture(number: int, frame: pd.DataFrame, predicted: pd.DataFrame | None) -> Figure:
    with style.styled():
        return REGISTRY[number].draw(frame, predicted)[0]


@functools.cache
def all_sets(number: int) -> Figure:
    """Return the picture with all sets, drawn once for all tests: they only look at it."""
    return picture(number, sample(number), model(number))


def caption(number: int, frame: pd.DataFrame, predicted: pd.DataFrame | None) -> str:
    return picture(number, frame, predicted).get_supxlabel()


def test_registry_has_the_figures() -> None:
    assert {number: figure.key for number, figure in REGISTRY.items()} == KEYS


@pytest.mark.parametrize("number", REGISTRY)
def test_figure_is_drawn_in_every_format(number: int, drawn: dict[int, list[Path]]) -> None:
    files = {path.suffix[1:]: path.read_bytes() for path in drawn[number]}
    assert set(files) == {"png", "pdf", "svg", "csv"}
    for kind, magic in MAGIC.items():
        assert files[kind].startswith(magic)
        assert len(files[kind]) > 10_000
    assert not re.search(rb"CreationDate|dc:date", files["pdf"] + files["svg"])


@pytest.mark.extensive
def test_same_runs_give_the_same_bytes(drawn: dict[int, list[Path]], tmp_path: Path) -> None:
    # In another process, with another order of sets and of rows; test_analysis_figures.py has all
    # formats.
    code = (
        "import functools, sys; from pathlib import Path; import test_curves as t\n"
        "t.style.save = functools.partial(t.style.save, formats=('svg',))\n"
        "for number in t.REGISTRY:\n"
        "    frame = t.sample(number).sample(frac=1, random_state=3)\n"
        "    t.draw(number, frame, t.model(number), Path(sys.argv[1]))\n"
    )
    other = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        env={**other, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    again = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(again) == 2 * len(REGISTRY)
    all_of_it = [path for files in drawn.values() for path in files]
    assert {path.name: path.read_bytes() for path in all_of_it if path.name in again} == again


@pytest.mark.parametrize("number", REGISTRY)
def test_csv_has_the_numbers_drawn(number: int, drawn: dict[int, list[Path]]) -> None:
    table = pd.read_csv(next(path for path in drawn[number] if path.suffix == ".csv"))
    key, values = KEYS[number], VALUES[number]
    rows = table[(table["label"] == "segment") & (table["mode"] == "mi-plus")]
    assert rows[key].tolist() == pytest.approx(list(values))
    assert rows["goodput_bps"].tolist() == pytest.approx([8e6, 7e6, 6e6])
    assert rows["runs"].tolist() == [3, 3, 3]
    assert (rows["low_bps"] < rows["goodput_bps"]).all()
    assert table.loc[table["label"] == "ns3", "mode"].nunique() == (3 if number == 7 else 4)
    fluid = table[table["label"] == "fluid"]
    assert set(fluid["mode"]) == ({"best N"} if number == 7 else {"best N", "N = 1"})
    assert fluid.loc[fluid["mode"] == "best N", "goodput_bps"].tolist() == [9e6] * 3


@pytest.mark.parametrize("number", REGISTRY)
def test_everything_asked_for_is_drawn(number: int) -> None:
    shown = all_sets(number)
    (legend,) = shown.legends
    named = [text.get_text() for text in legend.get_texts()]
    assert named[:3] == ["MI", "MI+", "AIMD"]
    assert ("single connection" in named) == (number != 7)
    assert {
        "(c) hollow: engine ns3", "(c) engine segment", "fluid model, best N",
    } <= set(named)  # fmt: skip
    # Beside 100 Mbit/s the intervals of some 10 are too narrow to be seen.
    assert ("95 % interval of the mean" in named) == (number == 5)
    axes = shown.axes[0]
    lines = axes.get_lines()
    mi = style.LOOKS["mi"]
    (solid,) = [line for line in lines if line.get_label() == "MI"]
    assert solid.get_ydata().tolist() == pytest.approx([9, 8, 7])
    # Smaller files are in a panel of their own.
    assert not [line for line in lines if line.get_markerfacecolor() == "none"]
    assert shown.axes[2].get_title(loc="left") == "(c) both engines, files of 1 GB"
    beside = shown.axes[2].get_lines()
    hollow = [line for line in beside if line.get_markerfacecolor() == "none"]
    own = next(line for line in hollow if line.get_color() == mi.color)
    # the first replication at the first and the last point
    assert own.get_ydata().tolist() == pytest.approx([8.9, 6.9])
    assert len(axes.collections) >= len(MODES), "confidence bands"
    # One run of each point under each other access link, as thin curves.
    thin = [line for line in lines if line.get_alpha() == 0.5 and line.get_marker() == ""]
    for place, mode in enumerate(MODES):
        beside = [line for line in thin if line.get_color() == style.LOOKS[mode].color]
        assert len({line.get_linestyle() for line in beside}) == len(beside) == len(curve.VARIANTS)
        for line in beside:
            assert line.get_ydata().tolist() == pytest.approx([8.9 - place - i for i in range(3)])
    assert all("(" in axes.get_xlabel() or "eta" in axes.get_xlabel() for axes in shown.axes)
    assert "Mbit/s" in axes.get_ylabel()
    told = shown.get_supxlabel()
    assert "means of 3 runs" in told
    assert "files of 1 GB" in told
    assert "equal in every digit" in told
    assert "Missing" not in told


def test_use_of_the_bottleneck_is_goodput_over_its_rate() -> None:
    share = all_sets(5).axes[1]
    (line,) = [line for line in share.get_lines() if line.get_label() == "MI"]
    assert line.get_ydata().tolist() == pytest.approx([9 / 10, 8 / 100, 7 / 1000])
    (limit,) = [line for line in share.get_lines() if set(line.get_ydata()) == {1}]
    assert limit.get_linestyle() != "-"


def test_bottleneck_of_figure_5_is_slanted() -> None:
    goodput = all_sets(5).axes[0]
    assert any(list(line.get_ydata()) == [10, 100, 1000] for line in goodput.get_lines())


def test_eta_of_one_is_left_out_of_the_magnified_panel() -> None:
    whole, close, _ = all_sets(7).axes
    for axes, points in ((whole, 3), (close, 2)):
        (line,) = [line for line in axes.get_lines() if line.get_label() == "AIMD"]
        assert len(line.get_xdata()) == points


@pytest.mark.parametrize("number", REGISTRY)
def test_samples_of_the_legend_have_the_colours_of_what_they_stand_for(number: int) -> None:
    shown = all_sets(number)
    with style.styled():
        shown.draw_without_rendering()
    colors = {line.get_color() for line in shown.legends[0].get_lines()}
    assert {style.LOOKS[mode].color for mode in MODES} <= colors
    assert style.GREY not in colors


@pytest.mark.parametrize("number", REGISTRY)
def test_a_band_that_nobody_sees_is_not_announced(number: int) -> None:
    frame = sample(number)
    by = ["label", "mode", KEYS[number]]
    even = frame.assign(goodput_bps=frame.groupby(by)["goodput_bps"].transform("mean")
                        * (1 + 1e-6 * frame["run"]))  # fmt: skip
    shown = picture(number, even, model(number))
    named = [text.get_text() for text in shown.legends[0].get_texts()]
    assert "95 % interval of the mean" not in named
    assert "are narrower than the lines" in shown.get_supxlabel()


def test_without_a_reference_there_are_two_panels() -> None:
    assert len(picture(6, sample(6, reference=False), None).axes) == 2


@pytest.mark.usefixtures("svg_alone")
def test_a_bare_picture_has_its_caption_beside_it(tmp_path: Path) -> None:
    kind = figures.kinds()["goodput-over-eta"]
    plain, _ = figures.draw_rows("whole", kind, sample(7), tmp_path, lambda *_: model(7))
    bare, _ = figures.draw_rows("bare", kind, sample(7), tmp_path, lambda *_: model(7), bare=True)
    assert [path.name for path in bare if path not in plain][-1] == "bare.txt"
    text = (tmp_path / "bare.txt").read_text()
    assert text.startswith("Goodput over the control parameter eta.\nB = 100 Mbit/s")
    assert text.rstrip().splitlines()[1:] == all_sets(7).get_supxlabel().split("\n")
    # The caption takes no room and no ink.
    sizes = [len((tmp_path / f"{name}.svg").read_bytes()) for name in ("whole", "bare")]
    assert sizes[1] < sizes[0]


# ---- what is missing ----------------------------------------------------------------------------


def test_missing_sets_are_said() -> None:
    told = caption(6, sample(6, reference=False), None)
    assert "no runs of engine ns3" in told
    assert "no prediction of the fluid model" in told


def test_missing_points_of_curves_are_counted() -> None:
    frame = sample(5)
    gone = frame["label"].eq("segment") & frame["mode"].eq("aimd") & frame["bandwidth_bps"].gt(5e7)
    assert "Missing: 2 of 12 points of the curves" in caption(5, frame[~gone], model(5))
    alone = frame[frame["label"] != "single"]
    assert "Missing: 3 of 12 points of the curves" in caption(5, alone, model(5))


def test_points_of_which_no_run_is_done_are_missing() -> None:
    frame = sample(7)
    frame.loc[frame["eta"].eq(0.5), "goodput_bps"] = None
    told = caption(7, frame, model(7))
    # of three points nine runs, and one each under other access links
    assert f"Missing: 3 of 9 points of the curves; 15 of {len(frame)} runs" in told


def test_missing_points_of_the_reference_are_those_its_twin_has() -> None:
    frame = sample(6)
    gone = frame["label"].eq("ns3") & frame["mode"].eq("mi") & frame["delay_s"].gt(0.05)
    assert "Missing: 1 of 8 points of engine ns3" in caption(6, frame[~gone], model(6))


def test_engines_that_differ_are_told_by_how_much() -> None:
    frame = sample(6)
    frame.loc[frame["label"].eq("ns3") & frame["mode"].eq("mi"), "goodput_bps"] *= 1.02
    assert "in the same scenarios, within 2 %" in caption(6, frame, model(6))


def test_replications_that_are_missing_show_in_the_count() -> None:
    frame = sample(6)
    assert "means of 2 to 3 runs" in caption(6, frame.drop(index=frame.index[0]), model(6))


@pytest.mark.parametrize("number", REGISTRY)
def test_nothing_to_draw_is_an_error_and_writes_nothing(number: int, tmp_path: Path) -> None:
    frame = sample(number)
    for nothing in (
        frame.iloc[:0],
        pd.DataFrame(),
        frame.assign(goodput_bps=np.nan),
    ):
        with pytest.raises(ResultError, match="no run of the sweep is done"):
            draw(number, nothing, None, tmp_path)
    assert not list(tmp_path.iterdir())


def test_sets_under_other_labels_are_named() -> None:
    frame = sample(6)
    named = 'no set is labelled "segment" or "single" \\(found: "ns3", "ns3-twin"\\)'
    with pytest.raises(ResultError, match=named):
        picture(6, frame[frame["label"].isin(curve.REFERENCE)], None)
    many = swept.frame(*(swept.runs(f"mine {n}", "mi", "delay_s", {0.1: [9.0]}) for n in range(8)))
    with pytest.raises(ResultError, match='"mine 4", "mine 5" and 2 more\\)'):
        picture(6, many, None)
    frame.loc[frame["label"].isin(curve.CURVES), "goodput_bps"] = np.nan
    with pytest.raises(ResultError, match='no run of set "segment" or "single" is done'):
        picture(6, frame, None)


@pytest.mark.usefixtures("svg_alone")
def test_single_run_of_each_point_is_drawn(tmp_path: Path) -> None:
    frame = sample(5)
    frame = frame[frame["run"] == 1]
    assert "a single run at each point, no interval" in caption(5, frame, model(5))
    assert len(draw(5, frame, model(5), tmp_path)) == 2


@pytest.mark.usefixtures("svg_alone")
def test_other_values_than_the_papers_are_drawn(tmp_path: Path) -> None:
    values = {30e6: [20.0, 21.0], 70e6: [40.0, 41.0], 300e6: [100.0, 101.0]}
    frame = swept.runs("segment", "mi", "bandwidth_bps", values)
    draw(5, frame, None, tmp_path)
    ticks = picture(5, frame, None).axes[0].get_xticks()
    assert list(ticks) == [30, 70, 300]
    assert "Missing: 9 of 12 points of the curves" in caption(5, frame, None)


# ---- the fluid model along a sweep --------------------------------------------------------------


def test_predictions_are_the_programs(run_program: Runner, programs: Path) -> None:
    values = {0.001: [9.0], 0.1: [8.0]}
    found = predictions(swept.runs("segment", "mi", "delay_s", values), "delay_s")
    assert found["delay_s"].unique().tolist() == [0.001, 0.1]
    # twice the delay and four access links of 10 us
    for (_, rows), rtt in zip(found.groupby("delay_s"), ("2.04ms", "200.04ms"), strict=True):
        done = run_program("gridftp-optimum", "--stack=classic", f"--rtt={rtt}", "--json")
        data = json.loads(done.stdout)
        (best,) = fluid.best(rows).itertuples()
        assert best.parallelism == data["optimum"]["parallelism"]
        assert best.goodput_bps == data["optimum"]["goodput_bps"]
        told = [(point["parallelism"], point["goodput_bps"]) for point in data["curve"]]
        assert list(zip(rows["parallelism"], rows["goodput_bps"], strict=True)) == told


def test_equal_paths_are_asked_for_once(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    real = Program.object
    monkeypatch.setattr(Program, "object", lambda self, *o: asked.append(o) or real(self, *o))
    frame = swept.runs("segment", "mi", "eta", {0.1: [9.0], 0.5: [9.0], 1.0: [9.0]})
    assert len(fluid.best(predictions(frame, "eta"))) == 3
    assert len(asked) == 1


def test_path_the_program_refuses_is_told(programs: Path) -> None:
    frame = swept.runs("segment", "mi", "eta", {0.1: [9.0]}, window_bytes=10)
    with pytest.raises(UserError, match="--window=10B"):
        predictions(frame, "eta")
