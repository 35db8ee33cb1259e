"""What the paper left open: the measures by hand, the figures from small sweeps, the sentences."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Runner
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis import (
    check,
    curve,
    fairness,
    figures,
    heatmap,
    means,
    pairs,
    sharing,
    stored,
    style,
    swing,
    words,
)
from analysis.figures import Kind, aimd_parameters, chunk_size, fairness_answer
from analysis.results import ResultError
from experiments.__main__ import main
from experiments.predictions import predictions
from experiments.programs import locate
from experiments.store import Store
from experiments.sweep import PROGRAM, load_sweeps

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(Path(__file__).parent / "data"))
import swept  # noqa: E402

# Student's t for 95 % and two degrees of freedom, from a table
T2 = 4.302653

KINDS = {
    "chunk-size": "chunk-size",
    "fluid-model": "fluid-model",
    "aimd": "aimd-parameters",
    "fairness": "fairness",
}
"""The sweeps, and the kinds of figures they are drawn as."""

SPECS = {
    "chunk-size": """
[[block]]
label = "segment"
replications = 2
[block.cross]
mode = ["mi", "mi-plus", "aimd"]
file-size = ["1MB", "4MB", "16MB"]
chunk-size = ["1MB", "4MB"]
[[block]]
label = "fixed"
replications = 2
[block.fixed]
mode = "fixed"
[block.cross]
parallelism = [1, 4]
file-size = ["1MB", "4MB", "16MB"]
[block.follow]
chunk-size = { same-as = "file-size" }
""",
    "fluid-model": """
[fixed]
mode = "fixed"
file-size = "4MB"
[[block]]
label = "segment"
replications = 2
[block.cross]
delay = ["10ms", "50ms"]
window = ["64KiB", "1MiB"]
parallelism = [1, 4, 20]
[[block]]
label = "ns3"
engine = "ns3"
[block.cross]
delay = ["10ms"]
window = ["64KiB"]
parallelism = [4]
[[block]]
label = "ns3-twin"
[block.cross]
delay = ["10ms"]
window = ["64KiB"]
parallelism = [4]
""",
    "aimd": """
[fixed]
file-size = "40MB"
chunk-size = "4MB"
[[block]]
label = "segment"
replications = 2
[block.fixed]
mode = "aimd"
[block.cross]
delay = ["10ms", "50ms"]
alpha = [1, 4]
beta = [0.1, 0.5]
[[block]]
label = "others"
replications = 2
[block.cross]
mode = ["mi", "mi-plus"]
delay = ["10ms", "50ms"]
""",
    "fairness": """
[fixed]
window = "16KiB"
chunk-size = "1MB"
file-size = "10MB"
[[block]]
label = "one mode"
[block.cross]
mode = ["mi", "mi-plus", "aimd", "fixed"]
sessions = [
    [{}, { start = "1s" }],
    [{ start = "2s" }, {}],
    [{}, { start = "1s", delay = "40ms" }],
    [{ start = "2s" }, { delay = "40ms" }],
]
[[block]]
label = "two modes"
[block.cross]
sessions = [
    [{ mode = "mi" }, { mode = "aimd", start = "1s" }],
    [{ mode = "mi", start = "1s" }, { mode = "aimd" }],
]
[[block]]
label = "beside a session"
[block.fixed]
file-size = "50MB"
[block.cross]
mode = ["mi", "aimd"]
background = [[{ start = "1s", stop = "4s" }], [{ start = "2s", stop = "5s" }]]
[[block]]
label = "beside plain TCP"
[block.fixed]
mode = "fixed"
file-size = "1B"
start = "6s"
[block.cross]
background = [[{ start = "1s", stop = "4s" }, {}], [{ start = "2s", stop = "5s" }, {}]]
[[block]]
label = "alone"
[block.fixed]
mode = "fixed"
file-size = "1B"
start = "6s"
[block.cross]
background = [[{ start = "1s", stop = "4s" }], [{ start = "2s", stop = "5s" }]]
""",
}
"""Small sweeps of the same sets as the shipped ones; a second of simulations in all."""

MEASURED = {*curve.MEASURED, *swing.MEASURED, *sharing.MEASURED}
"""What a run that is not done lacks."""


# ---- measures, by hand --------------------------------------------------------------------------


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
        both([4.0, 8.0]).told() == "2 runs of engine ns3: engine segment's are equal in every digit"
    )
    assert both([4.0, 6.0]) == pairs.Agreement(2, 1, 0.25, 0)
    assert "at most 0.25 away" in both([4.0, 6.0]).told()
    assert both([4.0, np.nan]) == pairs.Agreement(1, 1, 0.0, 1, 1)
    assert both([4.0, np.nan]).told().endswith("every digit, none of segment's beside 1 more")
    nothing = both([np.nan, np.nan])
    assert nothing.told() == "no run of engine segment beside 2 of engine ns3"
    undone = swept.runs("ns3", "mi", "eta", {0.1: [None], 0.2: [None]})
    assert pairs.agreement_in(undone).told() == "no run of engine ns3 is done"
    some = swept.frame(
        swept.runs("ns3", "mi", "eta", {0.1: [4.0], 0.2: [None]}),
        swept.runs("ns3-twin", "mi", "eta", {0.1: [4.0], 0.2: [8.0]}),
    )
    assert pairs.agreement_in(some).told().endswith("every digit, 1 more are not done")
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


# ---- the fluid model for every N ----------------------------------------------------------------


def test_every_n_is_predicted_by_the_program(run_program: Runner, programs: Path) -> None:
    def told_of(window: str) -> dict[str, Any]:
        done = run_program("gridftp-optimum", "--rtt=20.04ms", f"--window={window}", "--json")
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


# ---- figures from small sweeps ------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the small sweeps, all done."""
    folder = tmp_path_factory.mktemp("open")
    path = folder / "store.sqlite"
    specs = []
    for name, text in SPECS.items():
        spec = folder / f"{name}.toml"
        head = f'title = "{name}"\nfigure = "{KINDS[name]}"\n'
        spec.write_text(head + ("" if "[fixed]" in text else "[fixed]\n") + text)
        spec.write_text(spec.read_text().replace("[fixed]", '[fixed]\nstart-jitter = "20ms"', 1))
        specs.append(str(spec))
    assert main(["sweep", *specs, f"--store={path}", "--jobs=1"]) == 0
    return path


def kind_of(name: str) -> Kind:
    return figures.kinds()[KINDS[name]]


def drawn(name: str, runs: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    kind = kind_of(name)
    predicted = None if kind.key is None else predictions(runs, kind.key)
    with style.styled():
        return kind.draw(runs, predicted)


def rows_of(name: str, store: Path) -> pd.DataFrame:
    return kind_of(name).rows(store, name)


@pytest.fixture(scope="module")
def files(store: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("figures")
    return [
        path
        for name in SPECS
        for path in figures.draw(name, kind_of(name), store, folder, predictions)[0]
    ]


def test_every_figure_is_drawn_the_same_twice(
    store: Path, files: list[Path], tmp_path: Path
) -> None:
    assert len(files) == 4 * len(SPECS)
    assert {path.suffix for path in files} == {".png", ".pdf", ".svg", ".csv"}
    # In another process, with another order of the runs.
    code = (
        "import sys; from pathlib import Path; import test_open_questions as t\n"
        "for name in t.SPECS:\n"
        "    kind = t.kind_of(name)\n"
        "    runs = kind.rows(Path(sys.argv[1]), name).sample(frac=1, random_state=3)\n"
        "    t.figures.draw_rows(name, kind, runs, Path(sys.argv[2]), t.predictions)\n"
    )
    folders = [str(ROOT / "tests"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    other = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    subprocess.run(
        [sys.executable, "-c", code, store, tmp_path],
        env={**other, "PYTHONPATH": os.pathsep.join(folders)},
        check=True,
    )
    for file in files:
        assert (tmp_path / file.name).read_bytes() == file.read_bytes(), file.name


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
    assert "1 run of engine ns3: engine segment's are equal in every digit" in (
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
        chunks = [session["chunks"] for session in result.data["sessions"]]
        start = max(own[0]["start_s"] for own in chunks)
        end = min(own[-1]["end_s"] for own in chunks)
        got = [fairness.goodput_within(own, start, end) for own in chunks]
        assert row.jain == pytest.approx(sum(got) ** 2 / 2 / (got[0] ** 2 + got[1] ** 2))
        assert row.used == pytest.approx(sum(got) / 1e8)
        assert row.period_s == pytest.approx(end - start)
    harms = table[table["label"] == "alone"].set_index("background_start_s")["background_bps"]
    assert (harms > 0).all()
    assert set(table.loc[table["label"] == "one mode", "delays"]) == {"equal", "unequal"}


# ---- sentences ----------------------------------------------------------------------------------


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
    assert "tuning pays from files of 30 MB on, if" in said
    assert "The best chunk is 1/3 to 1/10 of the file" in said
    assert "2 of 4 points, all with chunks of 1 MB, are slower than a single connection" in said
    assert "at worst MI with 50 % of its goodput (file 30 MB, chunk 1 MB)" in said
    assert "90 % of the goodput with the best chunk size from files of 100 MB on" in said
    assert "it gets 93.0 \u00b1 1.0 % at most (MI, chunks of 10 MB)" in said
    assert "a fixed N = 4 gets at least 100 % at every size, and no tuning beats it" in said

    said = answer("chunk-size", tuned([0.5, 0.9, 1.2, 1.1], [0.1, 0.2, 1.2, 1.1]))
    assert "tuning pays from files of 100 MB on, if" in said
    assert "and tuning beats it with files of 100 MB" in said
    said = answer("chunk-size", tuned([0.5, 0.9, 0.6, 1.005], [0.1, 0.2, 0.2, 0.2]))
    assert "tuning pays never, if" in said
    assert "with the best chunk size at no size" in said
    said = answer("chunk-size", tuned([1.5, 1.9, 1.6, 1.5], [0.1, 0.2, 0.2, 0.2]))
    assert "with none that was tried is tuning slower" in said


def test_single_runs_are_judged_by_the_mean_and_that_is_said() -> None:
    table = tuned([0.5, 2, 0.6, 3.6], [0.1, 0.4, 0.2, 0.93])
    bounds = ["over_single_low", "over_single_high"]
    said = answer("chunk-size", table.assign(**dict.fromkeys(bounds, np.nan)))
    assert "tuning pays from files of 30 MB on, if" in said
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


@pytest.mark.parametrize("name", SPECS)
def test_half_done_sweeps_have_answers(name: str, store: Path) -> None:
    runs = rows_of(name, store)
    measured = [column for column in runs if column in MEASURED]
    needed = runs["label"] == ("one mode" if name == "fairness" else "segment")
    # In all sets, and in each of them.
    sets = [runs["label"].notna(), *(runs["label"] == label for label in runs["label"].unique())]
    answered = 0
    for column in UNDONE[name]:
        for value in runs[column].unique():
            for some in sets:
                gone = some & (runs[column] == value)
                if gone.any() and not gone[needed].all():
                    half = runs.copy()
                    half.loc[gone, measured] = np.nan
                    assert "nan" not in answer(name, drawn(name, half)[1])
                    answered += 1
    assert answered > 10


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
    assert "what one fixed N gets at every size cannot be said" in said

    said = without("aimd", "label == 'segment' and delay_s == 0.05")
    assert said.endswith("At a delay of 50 ms there are no runs of AIMD.")
    assert "at 50 ms" not in said
    said = without("aimd", "mode == 'mi' or mode == 'mi-plus' and delay_s == 0.01")
    assert "At a delay of 10 ms and 50 ms there are no runs of MI." in said
    assert "At a delay of 10 ms there are no runs of MI+." in said
    said = without("aimd", "mode == 'aimd' and delay_s == 0.01 and alpha == 4")
    assert "At 10 ms 0 of 2 pairs" in said or "At 10 ms 1 of 2" in said or "At 10 ms 2 of 2" in said
    assert "whether alpha or beta counts more cannot be said: pairs are missing" in said


def test_what_is_compared_with_nothing_is_said() -> None:
    table = tuned([0.5, 2, 0.6, 3], [0.1, 0.4, 0.2, 0.93])
    one = table[(table["label"] != "fixed") | (table["parallelism"] == 1)]
    assert "with the best fixed N cannot be said" in answer("chunk-size", one)
    none = table[table["label"] != "fixed"].assign(over_single=np.nan)
    assert "cannot be said" in answer("chunk-size", none)


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
    assert "cannot be said: its predictions are missing" in answer("fluid-model", nothing)
    window = predicted(1, 1)
    said = answer("fluid-model", window[window["limited_by"] == "window"])
    assert "No point was measured where, says Eq. (1), the network limits the goodput." in said


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
    assert "2 of 4 pairs get as much as MI and MI+, and beta counts more than alpha" in said
    assert "by 1 \u00b1 1 connections with the best pair and 4 \u00b1 1 with the paper's" in said
    assert "the more it swings the less goodput, rank correlation -1.00" in said

    goodputs = {(1, 0.1): 40, (1, 0.5): 44, (4, 0.1): 60, (4, 0.5): 70}
    said = answer("aimd", aimd(goodputs, [1, 2, 3, 4]))
    assert "0 of 4 pairs get as much" in said
    assert "beta counts less than alpha" in said
    assert "the more it swings the more goodput, rank correlation 1.00" in said
    said = answer("aimd", aimd(goodputs, [2, 3, 4, 1]))
    assert "how much it swings hardly tells the goodput" in said
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
    assert said.startswith("AIMD is the fairer one where a difference can be told, as Section 5")
    assert "above that of MI in 1 of 2 cases and below it in none (mean differences 0.10" in said
    assert "differ most with 2 sessions over equal delays, 0.60 \u00b1 0.35 (MI), 0.90" in said
    assert "It has a price in use of the bottleneck" in said
    assert "less than with MI in 1 of 1 cases and more in none" in said
    assert "MI gets 70 \u00b1 5 % beside AIMD" in said
    assert "40.0 \u00b1 10.0 % beside MI, 10.0 \u00b1 10.0 % beside AIMD and 50.0" in said

    said = answer("fairness", shared([(-0.3, 0.1), (0.1, 0.2)], (0.1, 0.05)))
    assert said.startswith("AIMD is the less fair one where a difference can be told; Section 5")
    assert "It pays in use of the bottleneck" in said
    said = answer("fairness", shared([(-0.3, 0.1), (0.3, 0.2)], (0.1, 0.2)))
    assert said.startswith("AIMD is fairer in some cases and less fair in others")
    assert "It costs nothing in use" in said
    said = answer("fairness", shared([(-0.3, 0.4), (0.3, 0.4)], fewer))
    assert said.startswith("No difference in fairness can be told")


@pytest.mark.parametrize(
    ("label", "gap", "sentence"),
    [
        ("two modes", "two modes beside each other", "beside each other cannot be said"),
        (
            "alone",
            "plain TCP beside sessions, and alone",
            "what plain TCP loses beside them cannot",
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
    assert answer("fairness", table).startswith("Whether AIMD is fairer cannot be said")


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
    assert "cannot be said" in answer("fluid-model", table)


def test_one_draw_of_starts_says_nothing_of_fairness() -> None:
    shipped = pd.read_csv(check.REFERENCE / "fairness.csv")
    assert fairness_answer.answer(shipped)[0].startswith("AIMD is the fairer one")
    single = shipped.assign(low=math.nan, high=math.nan, error=math.nan, draws=1)
    told = fairness_answer.answer(single)[0]
    assert told.startswith(
        "Whether AIMD is fairer cannot be said: one draw of starts has no interv"
    )
    assert "higher by 0.03 to 0.35 (MI)" in told
