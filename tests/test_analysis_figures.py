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

from analysis import figures, style
from analysis.figures import bench, optimum
from analysis.results import Result, ResultError, load_folder, parse

DATA = Path(__file__).parent / "data"
sys.path.insert(0, str(DATA))
import synthetic  # noqa: E402

MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "svg": b"<?xml"}
REGISTRY = figures.registry()


@pytest.fixture(scope="module")
def sample() -> dict[str, Result]:
    return load_folder(DATA / "runs")


@pytest.fixture(scope="module")
def drawn(
    sample: dict[str, Result], tmp_path_factory: pytest.TempPathFactory
) -> dict[int, list[Path]]:
    folder = tmp_path_factory.mktemp("figures")
    return {number: figures.draw(figure, sample, folder) for number, figure in REGISTRY.items()}


def test_registry_has_the_figures() -> None:
    assert list(REGISTRY) == [3, 4]


@pytest.mark.parametrize("number", REGISTRY)
def test_figure_is_drawn_in_every_format(number: int, drawn: dict[int, list[Path]]) -> None:
    files = {path.suffix[1:]: path.read_bytes() for path in drawn[number]}
    assert set(files) == {"png", "pdf", "svg", "csv"}
    for kind, magic in MAGIC.items():
        assert files[kind].startswith(magic)
        assert len(files[kind]) > 10_000
    assert not re.search(rb"CreationDate|dc:date", files["pdf"] + files["svg"])
    assert not list(drawn[number][0].parent.glob(".*")), "temporary files are left"


def test_same_data_give_the_same_bytes(drawn: dict[int, list[Path]], tmp_path: Path) -> None:
    # In another process, with another order of sets and another time zone and language.
    code = (
        "import sys; from pathlib import Path; from analysis import figures, results\n"
        "runs = results.load_folder(Path(sys.argv[1]))\n"
        "for figure in figures.registry().values():\n"
        "    figures.draw(figure, runs, Path(sys.argv[2]))\n"
    )
    path = os.pathsep.join([str(DATA.parent.parent), os.environ.get("PYTHONPATH", "")])
    other = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    subprocess.run(
        [sys.executable, "-c", code, DATA / "runs", tmp_path],
        env={**other, "PYTHONPATH": path},
        check=True,
    )
    for files in drawn.values():
        for file in files:
            assert (tmp_path / file.name).read_bytes() == file.read_bytes(), file.name


def test_csv_has_the_numbers_of_the_results(
    sample: dict[str, Result], drawn: dict[int, list[Path]]
) -> None:
    for number, column in ((3, "goodput_bps"), (4, "next_parallelism")):
        table = pd.read_csv(next(path for path in drawn[number] if path.suffix == ".csv"))
        for mode, result in sample.items():
            rows = table[table["mode"] == mode]
            chunks = result.data["sessions"][0]["chunks"]
            start = chunks[0]["start_s"]
            assert rows[column].tolist() == pytest.approx([chunk[column] for chunk in chunks])
            times = [chunk["end_s"] - start for chunk in chunks]
            assert rows["completed_s"].tolist() == pytest.approx(times)


def test_what_is_drawn_is_the_adjusted_parallelism_at_each_completion(
    sample: dict[str, Result],
) -> None:
    with style.styled():
        picture, _ = REGISTRY[4].draw(sample)
    lines = {line.get_label(): line for line in picture.axes[1].get_lines()}
    for mode, result in sample.items():
        chunks = result.data["sessions"][0]["chunks"]
        line = lines[style.LOOKS[mode].label]
        levels = [chunks[0]["parallelism"], *[chunk["next_parallelism"] for chunk in chunks]]
        assert list(line.get_ydata()) == levels
        assert line.get_drawstyle() == "steps-post"


def test_goodput_is_drawn_below_the_bottleneck_as_a_limit(sample: dict[str, Result]) -> None:
    with style.styled():
        picture, _ = REGISTRY[3].draw(sample)
    axes = picture.axes[1]
    limits = [line for line in axes.get_lines() if len(set(line.get_ydata())) == 1]
    bandwidth = sample["mi"].scenario["bandwidth_bps"] / 1e6
    assert bandwidth in [line.get_ydata()[0] for line in limits]
    assert "Mbit/s" in picture.axes[0].get_ylabel()
    assert all("(s)" in axes.get_xlabel() for axes in picture.axes)


def test_missing_mode_is_told_and_nothing_is_written(
    sample: dict[str, Result], tmp_path: Path
) -> None:
    rest = {name: result for name, result in sample.items() if name != "aimd"}
    with pytest.raises(ResultError, match="fig3: no kept result for aimd"):
        figures.draw(REGISTRY[3], rest, tmp_path)
    assert not list(tmp_path.iterdir())


def test_results_of_different_scenarios_are_not_drawn_together(
    sample: dict[str, Result], tmp_path: Path
) -> None:
    data = json.loads(json.dumps(sample["aimd"].data))
    data["scenario"]["delay_s"] = 0.5
    mixed = {**sample, "aimd": parse(json.dumps(data), "aimd")}
    with pytest.raises(ResultError, match="results differ in delay_s"):
        figures.draw(REGISTRY[4], mixed, tmp_path)


def test_failure_while_drawing_leaves_the_earlier_figure(
    sample: dict[str, Result],
    drawn: dict[int, list[Path]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for file in drawn[3]:
        (tmp_path / file.name).write_bytes(b"earlier")

    def full_disk(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("analysis.files.os.fsync", full_disk)
    with pytest.raises(OSError, match="No space left"):
        figures.draw(REGISTRY[3], sample, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {file.name for file in drawn[3]}
    assert all(path.read_bytes() == b"earlier" for path in tmp_path.iterdir())


def test_modes_differ_in_every_way_a_reader_may_need() -> None:
    looks = list(style.LOOKS.values())
    for key in ("color", "marker", "linestyle", "label"):
        assert len({str(getattr(look, key)) for look in looks}) == len(looks)

    def lightness(color: str) -> float:
        red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    levels = sorted(lightness(look.color) for look in looks)
    assert all(b - a > 0.1 for a, b in pairwise(levels))


def test_hundred_chunks_of_each_mode_are_drawn(tmp_path: Path) -> None:
    goodput = {1: 25.4, 2: 50.5, 3: 74.0, 4: 95.5, 5: 93.0, 8: 90.0}
    levels = {
        "mi": [1, 2, 4, 8],
        "mi-plus": [1, 2, 4, 8, 4],
        "aimd": [1, *[2, 3, 4, 5] * 30],
    }
    full = {
        mode: parse(json.dumps(synthetic.make(mode, synthetic.path(path, goodput, 100))), mode)
        for mode, path in levels.items()
    }
    files = figures.draw(REGISTRY[3], full, tmp_path)
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
        "ratios": [{"of": "ns2", "to": "segment", "pairs": [40.0, 40.0], "median": 40.0}],
    }
    data = {
        "schema": 2,
        "contenders": [{"name": "segment", "label": "Seg"}, {"name": "ns2", "label": "ns-2"}],
        "repeat": 2,
        "cases": [{"parallelism": n, **case} for n in (1, 4)],
    }
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(data))
    files = bench.draw(bench.load(path), tmp_path / "bench")
    assert [file.suffix for file in files] == [".png", ".svg", ".csv"]
    assert len(pd.read_csv(files[-1])) == 8
    for schema, wrong in ((3, "newer"), (1, "older")):
        path.write_text(json.dumps({**data, "schema": schema}))
        with pytest.raises(ResultError, match=f"schema {schema} is {wrong}"):
            bench.load(path)
