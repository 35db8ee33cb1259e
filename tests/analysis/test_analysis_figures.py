"""Drawing every figure from the stored sample."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from store_tools import fill

from analysis import figures
from analysis.drawing import style
from analysis.figures import bench, optimum
from analysis.read.results import ResultError
from analysis.statistics.curve import VARIANTS

DATA = Path(__file__).parents[1] / "data"
sys.path.insert(0, str(DATA))
import synthetic  # noqa: E402

MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}
KINDS = {"fig03": "chunk-goodput", "fig04": "chunk-parallelism"}
MODES = ("mi", "mi-plus", "aimd")


def sample() -> dict[str, dict[str, Any]]:
    """Return a small real result of each mode."""
    return {mode: json.loads((DATA / f"runs/{mode}.json").read_text()) for mode in MODES}


def with_run(data: dict[str, Any], run: int, goodput: float = 1.0) -> dict[str, Any]:
    """Return a result as another replication has it, with other goodput."""
    other = json.loads(json.dumps(data))
    other["scenario"] |= {"run": run, "start_jitter_s": 0.001}
    other["scenario"]["sessions"][0]["start_jitter_s"] = 0.001
    for chunk in other["sessions"][0]["gridftp"]["chunks"]:
        chunk["goodput_bps"] *= goodput
    return other


def labelled() -> list[tuple[str, dict[str, Any]]]:
    """Return the results of all sets: lines, replications, and the reference engine."""
    found = []
    for data in sample().values():
        found.append(("segment", data))
        found += [
            ("jittered", with_run(data, run, goodput))
            for run, goodput in ((1, 0.98), (2, 1), (3, 1.02))
        ]
        for number, label in enumerate(VARIANTS):
            variant = json.loads(json.dumps(data))
            variant["scenario"]["access_bandwidth_bps"] = (number + 1) * 1_000_000_000
            found.append((label, variant))
        ns3 = with_run(data, 1)
        ns3["engine"] = ns3["scenario"]["engine"] = "ns3"
        found.append(("ns3", ns3))
    return found


def keep(path: Path, of: list[tuple[str, dict[str, Any]]], **more: Any) -> Path:
    """Keep results as those of both figures."""
    for name, kind in KINDS.items():
        fill(path, name, of, kind, **more)
    return path


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return keep(tmp_path_factory.mktemp("store") / "store.sqlite", labelled())


@pytest.fixture(scope="module")
def drawn(store: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    folder = tmp_path_factory.mktemp("figures")
    return {name: draw(name, store, folder) for name in KINDS}


def draw(name: str, store: Path, folder: Path) -> list[Path]:
    return figures.draw(name, figures.kinds()[KINDS[name]], store, folder, None)[0]


def picture(name: str, store: Path) -> Figure:
    kind = figures.kinds()[KINDS[name]]
    with style.styled():
        return kind.draw(kind.rows(store, name), None)[0]


def test_every_kind_is_found_by_its_modules_name() -> None:
    assert {"chunk-goodput", "goodput-over-bandwidth", "assumptions"} <= set(figures.kinds())
    for kind in figures.kinds().values():
        assert kind.title


@pytest.mark.parametrize("name", KINDS)
def test_figure_is_drawn_in_every_format(name: str, drawn: dict[str, list[Path]]) -> None:
    files = {path.suffix[1:]: path.read_bytes() for path in drawn[name]}
    assert set(files) == {"png", "pdf", "svg", "csv"}
    assert drawn[name][0].stem == name
    for kind, magic in MAGIC.items():
        assert files[kind].startswith(magic)
        assert len(files[kind]) > 10_000
    assert not re.search(rb"CreationDate|dc:date", files["pdf"] + files["svg"])
    assert not list(drawn[name][0].parent.glob(".*")), "temporary files are left"


def test_same_data_give_the_same_bytes(
    store: Path, drawn: dict[str, list[Path]], tmp_path: Path
) -> None:
    # In another process, with another order of sets and another time zone and language. One figure
    # will do: all are saved in one place.
    one = next(iter(KINDS))
    code = (
        "import sys; from pathlib import Path; from test_analysis_figures import draw\n"
        "draw(sys.argv[3], Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    other = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    subprocess.run(
        [sys.executable, "-c", code, store, tmp_path, one],
        env={**other, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    for file in drawn[one]:
        assert (tmp_path / file.name).read_bytes() == file.read_bytes(), file.name


def test_csv_has_the_numbers_of_the_results(drawn: dict[str, list[Path]]) -> None:
    for name, column in (("fig03", "goodput_bps"), ("fig04", "next_parallelism")):
        table = pd.read_csv(next(path for path in drawn[name] if path.suffix == ".csv"))
        for mode, data in sample().items():
            chunks = data["sessions"][0]["gridftp"]["chunks"]
            start = chunks[0]["start_s"]
            for label in ("segment", "ns3"):
                rows = table[table["mode"].eq(mode) & table["label"].eq(label)]
                assert rows[column].tolist() == pytest.approx([chunk[column] for chunk in chunks])
                times = [chunk["end_s"] - start for chunk in chunks]
                assert rows["completed_s"].tolist() == pytest.approx(times)
    table = pd.read_csv(drawn["fig03"][-1])
    rows = table[table["label"].eq("segment")]
    # 0.98, 1, 1.02: a standard error of 0.02 / sqrt(3), and t = 4.3027
    half = 4.302653 * 0.02 / math.sqrt(3)
    assert (rows["low"] / rows["goodput_bps"]).tolist() == pytest.approx([1 - half] * len(rows))
    assert (rows["high"] / rows["goodput_bps"]).tolist() == pytest.approx([1 + half] * len(rows))


def test_what_is_drawn_is_the_adjusted_parallelism_at_each_completion(store: Path) -> None:
    lines = {line.get_label(): line for line in picture("fig04", store).axes[1].get_lines()}
    for mode, data in sample().items():
        chunks = data["sessions"][0]["gridftp"]["chunks"]
        line = lines[style.LOOKS[mode].label]
        levels = [chunks[0]["parallelism"], *[chunk["next_parallelism"] for chunk in chunks]]
        assert list(line.get_ydata()) == levels
        assert line.get_drawstyle() == "steps-post"


def test_goodput_is_drawn_below_the_bottleneck_as_a_limit(store: Path) -> None:
    shown = picture("fig03", store)
    limits = [line for line in shown.axes[1].get_lines() if len(set(line.get_ydata())) == 1]
    assert sample()["mi"]["scenario"]["bandwidth_bps"] / 1e6 in [x.get_ydata()[0] for x in limits]
    assert "Mbit/s" in shown.axes[0].get_ylabel()
    assert all("(s)" in axes.get_xlabel() for axes in shown.axes)


@pytest.mark.parametrize(
    ("name", "column", "unit"), [("fig03", "goodput_bps", 1e6), ("fig04", "next_parallelism", 1)]
)
def test_the_start_shows_what_stands_beside_the_lines(
    store: Path, name: str, column: str, unit: float
) -> None:
    start = picture(name, store).axes[0]
    bands = [band.get_facecolor()[0].tolist() for band in start.collections]
    for mode, data in sample().items():
        color = style.LOOKS[mode].color
        values = [chunk[column] / unit for chunk in data["sessions"][0]["gridftp"]["chunks"]]
        own = [line for line in start.get_lines() if line.get_color() == color]
        # Those of the other access links, of the reference engine, and the mode's own.
        thin = [line for line in own if line.get_alpha() == 0.5]
        hollow = [line for line in own if line.get_markerfacecolor() == "none"]
        assert len(thin) == len(VARIANTS)
        assert len({line.get_linestyle() for line in thin}) == len(VARIANTS)
        assert len(hollow) == 1
        for line in (*thin, *hollow):
            assert list(line.get_ydata())[-len(values) :] == pytest.approx(values)
        assert [*to_rgb(color), 0.25] in bands


def test_the_caption_tells_replications_reference_and_what_is_missing(
    store: Path, tmp_path: Path
) -> None:
    told = picture("fig03", store).get_supxlabel()
    assert "mean of 3 runs whose connections start up to 1 ms late" in told
    assert "engine ns3" in told
    assert "equal in every digit" in told
    assert "Missing" not in told
    few = [("segment", data) for data in list(sample().values())[:2]]
    lost = [("segment", sample()["aimd"]["scenario"])]
    shown = picture("fig03", keep(tmp_path / "few.sqlite", few, undone=lost))
    told = shown.get_supxlabel()
    assert "Missing: no runs of replications; no runs of engine ns3; no runs with" in told
    assert "1 runs are not simulated" in told
    assert max(map(len, told.splitlines())) <= 125
    named = [text.get_text() for text in shown.legends[0].get_texts()]
    assert named == ["MI", "MI+"]


def test_nothing_to_draw_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    lost = [("segment", sample()["mi"]["scenario"])]
    empty = keep(tmp_path / "store.sqlite", [], undone=lost)
    with pytest.raises(ResultError, match="fig03: no run of the sweep is done"):
        draw("fig03", empty, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_sets_under_other_labels_are_named(tmp_path: Path) -> None:
    mine = [("mine", sample()["mi"])]
    with pytest.raises(ResultError, match=r'no set is labelled "segment" \(found: "mine"\)'):
        picture("fig03", keep(tmp_path / "store.sqlite", mine))


def test_results_of_different_scenarios_are_not_drawn_together(tmp_path: Path) -> None:
    mixed = sample()
    mixed["aimd"]["scenario"]["delay_s"] = 0.5
    mixed["aimd"]["scenario"]["sessions"][0]["delay_s"] = 0.5
    store = keep(tmp_path / "store.sqlite", [("segment", data) for data in mixed.values()])
    with pytest.raises(ResultError, match="fig04: its runs differ in delay_s"):
        draw("fig04", store, tmp_path / "out")


def test_failure_while_drawing_leaves_the_earlier_figure(
    store: Path, drawn: dict[str, list[Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in drawn["fig03"]:
        (tmp_path / file.name).write_bytes(b"earlier")

    def full_disk(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("analysis.files.os.fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        draw("fig03", store, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {file.name for file in drawn["fig03"]}
    assert all(path.read_bytes() == b"earlier" for path in tmp_path.iterdir())


def test_modes_differ_in_every_way_a_reader_may_need() -> None:
    looks = list(style.LOOKS.values())
    for key in ("color", "marker", "linestyle", "label"):
        assert len({str(getattr(look, key)) for look in looks}) == len(looks)

    def lightness(color: str) -> float:
        red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    # Eleven such levels do not fit between black and white. What the reader decides, or a program
    # of the reader's, has a look that depends on hue, marker and dashes alone.
    own = [look for mode, look in style.LOOKS.items() if mode not in ("by-hand", "external")]
    levels = sorted(lightness(look.color) for look in own)
    assert all(b - a > 0.1 for a, b in pairwise(levels))


def test_hundred_chunks_of_each_mode_are_drawn(tmp_path: Path) -> None:
    goodput = {1: 25.4, 2: 50.5, 3: 74.0, 4: 95.5, 5: 93.0, 8: 90.0}
    levels = {
        "mi": [1, 2, 4, 8],
        "mi-plus": [1, 2, 4, 8, 4],
        "aimd": [1, *[2, 3, 4, 5] * 30],
    }
    full = [
        ("segment", synthetic.make(mode, synthetic.path(path, goodput, 100)))
        for mode, path in levels.items()
    ]
    files = draw("fig03", keep(tmp_path / "store.sqlite", full), tmp_path)
    assert len(pd.read_csv(files[-1])) == 300


def curve() -> dict[str, Any]:
    # Any shape will do: a straight line up to a ceiling that falls, with its end unknown.
    rows = []
    for n in range(1, 65):
        network = 100e6 * (1 - n / 200) if n < 40 else None
        rows.append(
            {
                "parallelism": n,
                "goodput_bps": min(26e6 * n, network) if network else None,
                "window_limit_bps": 26e6 * n,
                "network_limit_bps": network,
                "loss": n / 200 if network else None,
            }
        )
    return {
        "schema": 1,
        "scenario": {
            "bandwidth_bps": 100000000,
            "rtt_s": 0.02,
            "window_bytes": 65536,
            "packet_size_bytes": 1500,
            "max_parallelism": 64,
        },
        "optimum": {
            "parallelism": 4,
            "goodput_bps": 98e6,
            "loss": 0.02,
            "limited_by": "network",
        },
        "curve": rows,
    }


@pytest.mark.parametrize("kind", style.FORMATS)
def test_optimum_is_drawn(kind: str) -> None:
    with style.styled():
        picture = optimum.draw(curve())
        assert style.render(picture, kind).startswith(MAGIC[kind])
    goodput = picture.axes[0].get_lines()[0].get_ydata()
    assert goodput[0] == 26
    assert math.isnan(goodput[-1])


def test_optimum_shows_the_models_with_random_loss() -> None:
    data = curve()
    points = [{"parallelism": row["parallelism"], "goodput_bps": 1e6} for row in data["curve"]]
    best = {"parallelism": 7, "goodput_bps": 1e6, "limited_by": "loss"}
    lossy = [
        {"name": "mathis", "optimum": best},
        {"name": "hacker", "optimum": best, "curve": points},
        {"name": "cubic", "optimum": best, "curve": points},
    ]
    data = {**data, "scenario": {**data["scenario"], "loss": 0.001}, "loss_models": lossy}
    table = optimum.curve_table(data)
    assert list(table.columns[-2:]) == ["hacker_goodput_bps", "cubic_goodput_bps"]
    with style.styled():
        axes = optimum.draw(data).axes[0]
    labels = [line.get_label() for line in axes.get_lines()]
    numbers = "loss of 0.001; N = 7: 1 Mbit/s"
    assert {f"hacker, {numbers}", f"cubic, {numbers}"} <= set(labels)


def test_bench_is_drawn(tmp_path: Path) -> None:
    told = {"file_size_bytes": 10**8, "segments": 68493, "same_size_goodput_bps": 25e6}
    case = {
        "path": {"bandwidth_bps": 1e8, "queue_packets": 100},
        "contenders": {
            name: {
                **told,
                "cpu_ns_per_segment": costs,
                "wall_ns_per_segment": costs,
                "median_cpu_ns_per_segment": costs[0],
            }
            for name, costs in (("segment", [24.0, 25.0]), ("ns2", [960.0, 1000.0]))
        },
    }
    ratio = {"of": "ns2", "to": "segment"}
    ratios = [[{**ratio, "pairs": [x, x], "median": x}] for x in (40.0, 2345.6)]
    data = {
        "schema": 2,
        "contenders": [{"name": "segment", "label": "Seg"}, {"name": "ns2", "label": "ns-2"}],
        "repeat": 2,
        "cases": [
            {"parallelism": n, **case, "ratios": one} for n, one in zip((1, 4), ratios, strict=True)
        ],
    }
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(data))
    files = bench.draw(bench.load(path), tmp_path / "bench")
    assert [file.suffix for file in files] == [".png", ".svg", ".csv"]
    assert len(pd.read_csv(files[-1])) == 8
    svg = files[1].read_text()
    # Text is drawn as paths, with a comment that has it
    assert "<!-- 40.0 -->" in svg
    assert "<!-- 2,346 -->" in svg
    for schema, wrong in ((3, "newer"), (1, "older")):
        path.write_text(json.dumps({**data, "schema": schema}))
        with pytest.raises(ResultError, match=f"schema {schema} is {wrong}"):
            bench.load(path)
