"""The figures of right-sizing: paths over time, goodput by who sizes buffers, shares of flows."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis import figures, papers
from analysis.drawing import style
from analysis.read.results import ResultError
from experiments.__main__ import main

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept

papers.papers()["gardner"].modules("figures")  # puts the papers on Python's path
from papers.gardner.figures.calibration import value_for  # noqa: E402
from papers.gardner.figures.goodput_over_streams import needed  # noqa: E402
from papers.gardner.figures.path import rows_of  # noqa: E402
from papers.gardner.figures.policies import POLICY, ordered, with_policy  # noqa: E402

MIB = 2**20
FIXED = {"buffers": "fixed", "random_loss": 0.0, "direction": "upload", "start_jitter_s": 0}
POLICIES = {
    "fixed, 64 KiB": {"buffers": "fixed", "window_bytes": 65536},
    "fixed, 16 MiB": {"buffers": "fixed", "window_bytes": 16 * MIB},
    "drs-kernel": {"buffers": "drs-kernel", "window_bytes": 65536},
}


def runs(label: str, policy: str, key: str, values: swept.Values, **scenario: Any) -> pd.DataFrame:
    """Return the runs of a line; what it gets of a MiB of buffer is a tenth of its goodput."""
    rows = swept.runs(label, "fixed", key, values, **{**FIXED, **POLICIES[policy], **scenario})
    peak = rows["goodput_bps"] * 0 + MIB
    return rows.assign(receive_peak_bytes=peak, mbps_per_mib=rows["goodput_bps"] / 1e7)


def drawn(kind: str, rows: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    with style.styled():
        figure, table = figures.kinds("gardner/any")[kind].draw(rows, None)
        figure.draw_without_rendering()
    return figure, table


def answer(kind: str, table: pd.DataFrame) -> str:
    return " ".join(figures.kinds("gardner/any")[kind].answer(table))


def legend(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_policies_are_told_by_the_scenario() -> None:
    windows = [65536, 217600, 1761280, 16 * MIB, 65536]
    kinds = ["fixed"] * 4 + ["drs-kernel"]
    rows = with_policy(pd.DataFrame({"buffers": kinds, "window_bytes": windows}))
    told = ["fixed, 64 KiB", "fixed, 212.5 KiB", "fixed, 1.68 MiB", "fixed, 16 MiB", "drs-kernel"]
    assert rows[POLICY].tolist() == told
    assert ordered(["x", *reversed(told)]) == [*told, "x"]


# ---- Goodput over sizes and streams -------------------------------------------------------------


def over_size() -> pd.DataFrame:
    key = "file_size_bytes"
    return swept.frame(
        runs("segment", "fixed, 64 KiB", key, {MIB: [4.0], 64 * MIB: [5.0]}),
        runs("segment", "drs-kernel", key, {MIB: [4.0], 64 * MIB: [70.0]}),
        runs("lossy", "drs-kernel", key, {MIB: [4.0, 4.2], 64 * MIB: [20.0, 40.0]},
             random_loss=1e-4),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "factor"), [("goodput-over-size", 1.0), ("goodput-per-buffer", 0.1)]
)
def test_a_panel_without_loss_and_one_with_it(kind: str, factor: float) -> None:
    figure, table = drawn(kind, over_size())
    without, lossy = figure.axes
    assert without.get_title("left") == "(a) without loss"
    assert lossy.get_title("left") == "(b) with random loss, 0.0001 of the packets"
    lines = {line.get_label(): line for line in without.get_lines()}
    assert lines["DRS in the kernel"].get_ydata() == pytest.approx([4 * factor, 70 * factor])
    assert len(lossy.get_lines()[0].get_xdata()) == 2
    mean = table[table["label"] == "lossy"].iloc[-1]
    assert mean["mean"] == pytest.approx(30.0 * (1e6 if factor == 1 else factor))
    assert mean["low"] < mean["mean"] < mean["high"]
    assert legend(figure) == ["stock, 64 KiB", "DRS in the kernel", "the paper measured"]
    assert "means of 2 runs" in figure.get_supxlabel()
    more = over_size()
    more = more[~(more["label"].eq("lossy") & more["file_size_bytes"].eq(MIB) & more["run"].eq(2))]
    assert "means of 1 to 2 runs" in drawn(kind, more)[0].get_supxlabel()
    assert [tick.get_text() for tick in without.get_xticklabels()] == ["64 MiB"]


def test_what_has_no_run_with_loss_is_said() -> None:
    rows = over_size()
    figure, _ = drawn("goodput-over-size", rows[rows["label"] == "segment"])
    assert "Missing: runs with random loss" in figure.get_supxlabel()


def test_runs_of_a_point_that_differ_are_refused() -> None:
    rows = over_size()
    rows.loc[rows["label"].eq("lossy") & rows["run"].eq(2), "random_loss"] = 0.5
    with pytest.raises(ResultError, match="the runs differ in random_loss"):
        drawn("goodput-over-size", rows)


def test_how_many_streams_give_a_goodput() -> None:
    streams, goodput = pd.Series([1, 2, 4]), pd.Series([5.0, 10.0, 20.0])
    assert needed(streams, goodput, 15.0) == 3
    assert needed(streams, goodput, 5.0) == 1
    assert math.isnan(needed(streams, goodput, 20.1))


def test_stock_streams_that_match_right_sized_ones() -> None:
    key = "parallelism"
    frame = swept.frame(
        runs("segment", "fixed, 64 KiB", key, {1: [5.0], 4: [20.0], 16: [80.0]}),
        runs("segment", "drs-kernel", key, {4: [50.0]}),
        runs("segment", "fixed, 16 MiB", key, {4: [85.0]}),
    )
    _, table = drawn("goodput-over-streams", frame.assign(direction="third-party"))
    told = answer("goodput-over-streams", table)
    assert "10.0 for DRS in the kernel's 50.0 Mbit/s" in told
    assert "more than 16 for over-provisioned, 16 MiB's 85.0 Mbit/s" in told


# ---- Buffers over time, and the loss ------------------------------------------------------------


def test_a_buffer_grows_from_the_shorter_transfers_to_the_longer_ones() -> None:
    rows = runs("segment", "drs-kernel", "file_size_bytes", {8 * MIB: [9.0], MIB: [4.0]})
    rows["duration_s"] = [10.0, 2.0]
    rows["receive_peak_bytes"] = [3 * MIB, MIB]
    figure, table = drawn("buffer-over-time", rows)
    line = figure.axes[0].get_lines()[0]
    assert line.get_xdata().tolist() == [2, 10]
    assert line.get_ydata().tolist() == [1, 3]
    assert table["receive_peak_bytes"].tolist() == [MIB, 3 * MIB]
    assert "bandwidth-delay product" in legend(figure)
    told = answer("buffer-over-time", table)
    assert told == "DRS in the kernel, without loss: the buffer ends at 3.0 MiB."


def test_the_value_that_gives_a_goodput() -> None:
    table = pd.DataFrame({"value": [1e-5, 1e-3], "mean": [60e6, 20e6]})
    # Half of the way in the logarithm
    assert value_for(table, 40e6) == pytest.approx(1e-4)
    assert math.isnan(value_for(table, 61e6))
    assert math.isnan(value_for(table[:0], 40e6))


def test_what_limited_a_stream() -> None:
    loss = {1e-5: [58.0, 62.0], 1e-3: [8.0, 10.0]}
    rates = {30e6: [28.0], 41e6: [41.0]}
    frame = swept.frame(
        runs("segment", "fixed, 16 MiB", "random_loss", loss, read_rate_bps=0),
        runs("slow reader", "fixed, 16 MiB", "read_rate_bps", rates),
    )
    figure, table = drawn("calibration", frame)
    # The last line stands at the loss that the number needs
    assert figure.axes[0].get_lines()[-1].get_xdata()[0] == pytest.approx(1.01e-4, rel=0.01)
    told = answer("calibration", table)
    assert "at random: 0.0001 gives the over-provisioned stream" in told
    assert "Rate at which a stream is read: 35.1 Mbit/s gives" in told
    assert "other sweeps use 35 Mbit/s" in told
    assert told.count("standard deviation") == 1
    _, table = drawn("calibration", frame[frame["random_loss"] == 1e-3])
    assert "lost at random: no tested value gives 34.5 Mbit/s (9.0 " in answer("calibration", table)


# ---- The path -----------------------------------------------------------------------------------


def test_rows_of_a_resolved_path() -> None:
    table = rows_of("0s:20000000bps:50000000ns,20s:8000000bps:99500000ns,repeat=40s", 0.00025)
    assert table["time_s"].tolist() == [0, 20]
    assert table["rate_bps"].tolist() == [20e6, 8e6]
    assert table["rtt_s"].tolist() == pytest.approx([0.101, 0.2])
    assert table["product_bytes"].tolist() == pytest.approx([252_500, 200_000])
    with pytest.raises(ResultError, match="on no path that changes"):
        rows_of("", 0)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("path-rate", "mean 14 Mbit/s, standard deviation 8.49 Mbit/s, least 8 Mbit/s"),
        ("path-round-trip", "median 150 ms, most 200 ms, every 20 s"),
        ("path-product", "least 0.2 MB, median 0.225 MB, most 0.25 MB"),
    ],
)
def test_a_path_over_time(kind: str, told: str) -> None:
    schedule = "0s:20000000bps:50000000ns,20s:8000000bps:100000000ns"
    rows = swept.runs("segment", "fixed", "delay_s", {0.05: [9.0]}, path_schedule=schedule)
    figure, table = drawn(kind, rows)
    assert told in figure.get_supxlabel()
    assert len(table) == 2
    assert figure.axes[0].get_lines()[0].get_xdata().tolist() == pytest.approx([0, 20 / 3600])


# ---- What the paper left open, and fairness -----------------------------------------------------


def test_whether_streams_are_needless() -> None:
    key, late = "parallelism", {"start_jitter_s": 0.1}
    frame = swept.frame(
        runs("alone", "fixed, 64 KiB", key, {1: [4.9, 5.1], 8: [39.0, 41.0]}, **late),
        runs("alone", "drs-kernel", key, {1: [88.0, 90.0], 8: [89.0, 91.0]}, **late),
        runs("random loss", "drs-kernel", key, {1: [14.0, 16.0], 8: [80.0, 84.0]}, **late),
    )
    figure, table = drawn("streams-or-buffers", frame)
    assert "Missing: set beside plain TCP" in figure.get_supxlabel()
    assert set(table["mbps_per_mib"]) == {0.5, 4.0, 8.9, 9.0, 1.5, 8.2}
    told = answer("streams-or-buffers", table)
    assert (
        "stock, 64 KiB gets 12 % of its best goodput with N = 1, and 95% of it from N = 8 on"
        in told
    )
    assert "DRS in the kernel needs no more than one stream" in told
    assert "Random loss: DRS in the kernel gets 18 % of its best goodput with N = 1" in told


def test_what_a_tuner_makes_of_buffers_that_move() -> None:
    frame = swept.frame(
        *(
            runs(label, policy, "queue_packets", {100: [rate, rate + 2]}, tuner_window=window,
                 n_low=n, n_high=n, n_mean=n, swing=0).assign(mode=mode)
            for label, policy, window, rate, n, mode in (
                ("fixed buffers", "fixed, 64 KiB", "buffer", 30.0, 16, "mi"),
                ("right-sized", "drs-kernel", "asked", 40.0, 8, "mi"),
                ("right-sized", "drs-kernel", "buffer", 20.0, 1, "mi"),
            )
        )
    )  # fmt: skip
    figure, table = drawn("tuned-windows", frame)
    named = ["fixed buffers", "right-sized, W as asked", "right-sized, W of the buffers"]
    assert legend(figure) == [named[0], "right-sized, W as requested", named[2]]
    assert table.set_index("way").loc[named, "n_mean"].tolist() == [16, 8, 1]
    told = answer("tuned-windows", table)
    assert "right-sized, W of the buffers: MI 21.0 \u00b1 12.8 (N = 1.0)." in told
    figure, _ = drawn("tuned-windows", frame[frame["label"] == "fixed buffers"])
    assert "Missing: set right-sized" in figure.get_supxlabel()


def test_the_round_trip_time_that_is_measured() -> None:
    rows = runs("segment", "drs-kernel", "client_delay_s", {0.001: [30.0], 0.1: [40.0]},
                delay_s=0.05, measured_rtt_s=0.3, block_size_bytes=MIB)  # fmt: skip
    rows["buffers"] = "drs-ftp"
    rows.loc[rows["client_delay_s"] == 0.001, "measured_rtt_s"] = 0.05002
    small = rows.assign(label="small blocks", buffers="drs-gridftp", block_size_bytes=65536)
    figure, table = drawn("measured-rtt", swept.frame(rows, small))
    assert table["measured_rtt_s"].tolist() == [0.05002, 0.3] * 2
    assert table["path_rtt_s"].tolist() == pytest.approx([0.10004] * 4)
    assert "DRS-enabled GridFTP, blocks of 64 KiB" in legend(figure)
    told = answer("measured-rtt", table)
    assert "drsFTP measures 0.50 to 3.00 times the round-trip time of the data path" in told
    assert figure.axes[0].get_lines()[-1].get_ydata()[0] == pytest.approx(100.04)


FLOWS = """
title = "Flows"
figure = "right-sized-fairness"
[fixed]
mode = "fixed"
file-size = "1B"
start = "8s"
[[block]]
label = "random loss"
[block.fixed]
random-loss = 0.02
[block.cross]
background = [
    [{ start = "0.1s" }, { buffers = "drs-kernel", start = "0.2s" }],
    [{ buffers = "drs-kernel", start = "0.1s" }, { start = "0.2s" }],
    [{ start = "0.3s" }, { buffers = "drs-kernel", start = "0.5s" }],
]
[[block]]
label = "full bottleneck"
[block.fixed]
bandwidth = "1Mbps"
[block.cross]
background = [
    [{ start = "0.1s", window = "3KiB" }, { buffers = "drs-kernel", start = "0.2s" }],
    [{ start = "0.3s", window = "3KiB" }, { buffers = "drs-kernel", start = "0.4s" }],
]
"""


def test_shares_of_flows_are_those_of_their_goodputs(programs: Path, tmp_path: Path) -> None:
    spec, store = tmp_path / "flows.toml", tmp_path / "store.sqlite"
    spec.write_text(FLOWS)
    assert main(["sweep", str(spec), f"--store={store}"]) == 0
    rows = figures.kinds("gardner/any")["right-sized-fairness"].rows(store, "flows")
    assert rows["flows"].tolist() == [2] * 5
    assert (rows["stock"] + rows["right-sized"]).tolist() == pytest.approx([2.0] * 5)
    # A window of two segments is less than a share, whatever the other flow does
    assert (rows["stock"][3:] < 1).all()
    _, table = drawn("right-sized-fairness", rows)
    shares = table.set_index(["what", "label"])
    # The first two runs are of one draw, with the flows in each other's places
    assert shares.loc[("stock", "random loss"), "runs"] == 2
    assert shares.loc[("stock", "random loss"), "mean"] == pytest.approx(
        (rows["stock"][:2].mean() + rows["stock"][2]) / 2
    )
    told = answer("right-sized-fairness", table)
    assert "Full bottleneck: right-sized flows get their share within 10% with 0 of 1" in told
