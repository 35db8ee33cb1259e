"""The tables and figures of the paper that profiles hosts, and what it publishes."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pandas as pd
import pytest
from conftest import ROOT
from matplotlib.figure import Figure
from spec_tools import transfer

from analysis import figures
from analysis.claims.tables import COLUMNS
from analysis.drawing import style
from papers.luu import judges
from papers.luu.figures import cells, paths, tables

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept

FOLDER = ROOT / "papers/luu"

MB = paths.MB_PER_S / 1e6
"""One MB/s of the paper's in Mbit/s, as `swept.runs` takes goodputs."""

ABE_POPLE = {"bandwidth_bps": 1e9, "delay_s": 0.009, "access_bandwidth_bps": 1e10}
ABE_RANGER = {"bandwidth_bps": 1e10, "delay_s": 0.0135, "access_bandwidth_bps": 1e10}
BREADBOARD_POPLE = {"bandwidth_bps": 1e9, "delay_s": 0.009, "access_bandwidth_bps": 1e9}

COMMON = {
    "direction": "upload",
    "buffers": "linux-receiver",
    "tcp": "cubic",
    "block_size_bytes": 262144,
    "source": "memory",
    "sink": "memory",
}


def row(label: str, goodputs_mb: list[float], **scenario: object) -> pd.DataFrame:
    """Return the runs of a point, with these rates in the paper's MB/s."""
    told = {**COMMON, **scenario}
    count = told.pop("parallelism", 1)
    values = {count: [rate * MB for rate in goodputs_mb]}
    return swept.runs(label, "fixed", "parallelism", values, **told)


def frame(*rows: pd.DataFrame) -> pd.DataFrame:
    return swept.frame(*rows)


def cell(table: pd.DataFrame, where: str, column: str, label: str | None = None) -> pd.Series:
    chosen = table[(table["row"] == where) & (table["column"] == column)]
    chosen = chosen if label is None else chosen[chosen["label"] == label]
    assert len(chosen) == 1
    return chosen.iloc[0]


def drawn(kind: str, rows: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    with style.styled():
        figure, table = figures.kinds("luu/any")[kind].draw(rows, None)
        figure.draw_without_rendering()
    return figure, table


@pytest.mark.parametrize("file", sorted(FOLDER.glob("topologies/*.topology")), ids=lambda f: f.stem)
def test_every_path_is_known_by_the_file_it_is_from(file: Path) -> None:
    read = transfer().resolve(f"--topology={file}")
    client, server = (name.capitalize() for name in file.stem.split("-"))
    assert paths.ends({**read, "direction": "upload"}) == (client, server)
    assert paths.ends({**read, "direction": "download"}) == (server, client)


def test_round_trip_times_are_those_told_or_products_over_a_rate() -> None:
    told = paths.published("paths")
    for file in FOLDER.glob("topologies/*.topology"):
        client, server = (name.capitalize() for name in file.stem.split("-"))
        if client == server or {client, server} == {"Breadboard", "Ranger"}:
            continue
        same = told[[{a, b} == {client, server} for a, b in zip(told["a"], told["b"], strict=True)]]
        read = transfer().resolve(f"--topology={file}")
        known = same["round_trip_ms"].dropna()
        wanted = known.iloc[0] / 1e3 if len(known) else same["bdp_mb"].max() / 111
        assert 2 * (read["delay_s"] + 2 * read["access_delay_s"]) == pytest.approx(wanted, rel=2e-3)


def settings(host: str) -> dict[str, list[int]]:
    """Return what a file of a host says, as sysctl reads it."""
    found = {}
    for line in (FOLDER / f"hosts/{host}.conf").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith(("#", "host.")):
            key, _, value = line.partition("=")
            found[key.strip()] = [int(number) for number in value.split()]
    return found


@pytest.mark.parametrize("host", ["abe", "pople", "ranger", "breadboard"])
def test_settings_of_hosts_are_those_of_table_2(host: str) -> None:
    read = settings(host)
    told = paths.published("table2")
    parts = ["min", "default", "max"]
    for line in told.to_dict("records"):
        place = parts.index(line["part"]) if line["part"] in parts else 0
        own = line[f"{host}_kb"]
        wanted = line[f"{host}_packets"] if math.isnan(own) else 1024 * own
        assert read[line["setting"]][place] == wanted, line["setting"]


def test_new_settings_of_breadboard_are_those_of_abe_but_for_the_backlog() -> None:
    assert settings("breadboard-tuned") == {
        **settings("abe"),
        "net.core.netdev_max_backlog": [30000],
    }


def test_table_4_has_each_direction_of_a_path() -> None:
    rows = frame(
        row("segment", [113.9], **ABE_POPLE),
        row("segment", [100.0], **{**ABE_POPLE, "direction": "download"}),
        row("segment", [500.0], **ABE_RANGER),
        row("ns3", [1.0], **ABE_RANGER),
    )
    table = tables.memory(cells.done(rows))
    assert set(COLUMNS) <= set(table.columns)
    assert list(table["row"]) == ["Abe-Pople", "Pople-Abe", "Abe-Ranger"]
    assert table["value"].iloc[0] == pytest.approx(table["published"].iloc[0])
    assert table["published"].iloc[1] == pytest.approx(115.94 * paths.MB_PER_S)
    _, drawn_cells = drawn("memory-rates", rows)
    assert list(drawn_cells["row"]) == ["Abe-Pople", "Pople-Abe", "Abe-Ranger"]
    answer = figures.kinds("luu/any")["memory-rates"].answer(drawn_cells)
    assert answer[0] == "With a stream, 2 of 3 rates are within 10% of Table 4."


def test_table_5_takes_the_best_number_of_streams_and_its_share_of_memory() -> None:
    rows = frame(
        row("disk", [40.0, 44.0], parallelism=1, **ABE_POPLE),
        row("disk", [56.0, 58.0], parallelism=4, **ABE_POPLE),
        row("disk", [57.0, 53.0], parallelism=16, **ABE_POPLE),
        row("memory", [114.0], **ABE_POPLE),
    )
    table = cells.summarised(tables.disk(cells.done(rows)))
    rate = cell(table, "Abe-Pople", "rate")
    assert rate["mean"] == pytest.approx(57 * paths.MB_PER_S)
    assert rate["published"] == pytest.approx(56.76 * paths.MB_PER_S)
    assert cell(table, "Abe-Pople", "share")["mean"] == pytest.approx(0.5)
    assert cell(table, "Abe-Pople", "share")["published"] == 0.5
    _, told = drawn("disk-rates", rows)
    assert set(told["label"]) == {"fitted"}
    assert figures.kinds("luu/any")["disk-rates"].answer(told) == [
        "Of 1 fitted rates 1 are within 10% of Table 5; on average "
        "they differ by 0%, at most by 0%."
    ]


def loaded(label: str, rate: float, **scenario: object) -> pd.DataFrame:
    """Return a run of a host that was busy 10 s of 900, 4 of them in the kernel."""
    return row(label, [rate], **scenario).assign(
        sender_cpu_busy_s=10.0, sender_cpu_tcp_s=3.0, sender_cpu_driver_s=1.0,
        sender_cpu_file_system_s=0.0, sender_cpu_rpc_s=0.0, sender_cpu_peak_load=0.25,
        sender_packets_in=9000, sender_packets_out=18000, receiver_cpu_busy_s=5.0,
        receiver_cpu_driver_s=0.1, receiver_cpu_file_system_s=0.2, receiver_cpu_rpc_s=0.0,
    )  # fmt: skip


def test_table_3_tells_rate_and_loads_by_the_number_of_streams() -> None:
    rows = frame(
        *(
            loaded("segment", rate, parallelism=p, **BREADBOARD_POPLE)
            for p, rate in [(1, 45.86), (2, 29.18)]
        )
    )
    table = tables.streams(cells.done(rows))
    assert cell(table, "P = 1", "peak load")["value"] == 0.25
    assert cell(table, "P = 1", "peak load")["published"] == pytest.approx(0.222)
    assert cell(table, "P = 2", "kernel load")["value"] == pytest.approx(0.4)
    assert cell(table, "P = 2", "kernel load")["published"] == pytest.approx(0.486)
    _, told = drawn("stream-load", rows)
    answer = figures.kinds("luu/any")["stream-load"].answer(told)
    assert answer[0] == "The predicted rate differs from Table 3 by -50% (P = 2)."


def test_table_1_tells_packets_a_second_by_the_buffer_asked_for() -> None:
    asked = {"buffers": "fixed", "window_bytes": 4 * 2**20}
    rows = frame(
        loaded("old default", 10.0, **BREADBOARD_POPLE),
        loaded("new asked", 40.0, **BREADBOARD_POPLE, **asked),
    )
    table = tables.server(cells.done(rows))
    old = cell(table, "default", "packets out", "old")
    assert (old["value"], old["published"]) == (20.0, 15529.0)
    assert cell(table, "4MB", "packets in", "new")["published"] == 38725.0
    assert cell(table, "4MB", "peak load", "new")["published"] == pytest.approx(0.282)
    figure, _ = drawn("server-load", rows)
    assert len(figure.axes) == 3


def test_table_6_tells_shares_of_modules_at_both_ends() -> None:
    rows = frame(loaded("segment", 50.0, **{**BREADBOARD_POPLE, "sink": "nfs"}))
    table = tables.modules(cells.done(rows))
    at = cell(table, "memory to disk, receiver", "nfs")
    assert at["value"] == pytest.approx(0.04)
    assert at["published"] == pytest.approx(0.02423)
    assert cell(table, "memory to disk, sender", "tg3")["value"] == pytest.approx(0.1)
    drawn("module-load", rows)


def buffers_of(settings: str, rates: dict[str, float]) -> list[pd.DataFrame]:
    """Return a run for each buffer from Breadboard to Pople."""
    windows = {"BDP": 2 * 2**20, **{f"{size:g}MB": size * 2**20 for size in paths.SIZES}}
    return [
        row(
            f"{settings} asked",
            [rate],
            buffers="fixed",
            window_bytes=windows[asked],
            **BREADBOARD_POPLE,
        )
        if asked in windows
        else row(f"{settings} default", [rate], **BREADBOARD_POPLE)
        for asked, rate in rates.items()
    ]


def test_figures_2_and_3_tell_how_much_the_buffer_matters() -> None:
    rows = frame(
        *buffers_of("old", {"default": 30.0, "BDP": 15.0, "4MB": 10.0}),
        *buffers_of("new", {"default": 50.0, "BDP": 49.0, "4MB": 50.0}),
    )
    table = tables.buffers(cells.done(rows))
    pair = "Breadboard-Pople"
    assert cell(table, pair, tables.SPREAD, "old")["value"] == pytest.approx(3)
    assert cell(table, pair, "default over the smallest", "new")["value"] == pytest.approx(50 / 49)
    faster = tables.speedups(cells.done(rows))
    assert cell(faster, pair, "4MB")["value"] == pytest.approx(5)
    _, told = drawn("rates-by-buffer", rows)
    assert figures.kinds("luu/any")["rates-by-buffer"].answer(told) == [
        "With Breadboard's old settings the buffer changes the rate by at most 10 % on 0 of 1 "
        "pairs, and most from Breadboard to Pople: 3 times.",
        "With Breadboard's new settings the buffer changes the rate by at most 10 % on 1 of 1 "
        "pairs, and most from Breadboard to Pople: 1.02 times.",
    ]


def test_figure_4_has_a_panel_for_each_sender() -> None:
    rows = frame(
        *(row("segment", [rate], parallelism=p, **ABE_POPLE) for p, rate in [(1, 40.0), (4, 60.0)]),
        row("clean", [60.0], parallelism=1, **ABE_POPLE),
    )
    table = tables.growth(cells.done(rows))
    assert cell(table, "Abe-Pople", "P = 4", "segment")["value"] == pytest.approx(
        60 * paths.MB_PER_S
    )
    assert cell(table, "Abe-Pople", tables.SPREAD, "segment")["value"] == pytest.approx(1.5)
    figure, _ = drawn("rates-by-streams", rows)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        f"from {h}" for h in paths.HOSTS
    ]


def test_figure_5_is_over_the_size_of_blocks() -> None:
    rows = frame(
        *(
            row("segment", [rate], block_size_bytes=size * 1024, **ABE_POPLE)
            for size, rate in [(64, 55.0), (256, 50.0)]
        )
    )
    table = tables.blocks(cells.done(rows))
    assert cell(table, "Abe-Pople", tables.SPREAD)["value"] == pytest.approx(1.1)
    figure, _ = drawn("rates-by-block", rows)
    assert [text.get_text() for text in figure.axes[2].get_xticklabels()] == ["64", "256"]


def test_claims_are_judged_on_tables_that_there_are() -> None:
    assert {"memory", "disk", "streams", "server", "modules"} <= set(judges.TABLES)
    told = {
        "cpu_busy_s": 4.0,
        "cpu_tcp_s": 1.0,
        "cpu_driver_s": 0.5,
        "cpu_file_system_s": 0.25,
        "cpu_rpc_s": 0.25,
    }
    result = {"sessions": [{"host": {"sender": told}}]}
    assert judges.kernel_load(result) == pytest.approx(0.5)
