"""The figure of tuning with hosts of today: goodput and N by window, beside the best fixed N."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis import figures, papers
from analysis.drawing import style
from analysis.read.results import ResultError

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept

papers.papers()["ito"].modules("figures")  # puts the papers on Python's path
from papers.ito.figures.hosts_of_today import ASKED, ASSUMED, FIXED, KERNEL  # noqa: E402

KIND = figures.kinds("ito/any")["hosts-of-today"]
BANDWIDTHS = (100_000_000, 1_000_000_000)


def runs(label: str, tcp: str, mbps: tuple[float, float], n: float, **more: Any) -> pd.DataFrame:
    """Return two runs at each bandwidth, 2 Mbit/s apart, with these means in Mbit/s."""
    values = {
        bandwidth: [mean - 1, mean + 1] for bandwidth, mean in zip(BANDWIDTHS, mbps, strict=True)
    }
    mode = "fixed" if label == FIXED else "mi"
    rows = swept.runs(label, mode, "bandwidth_bps", values, tcp=tcp, stack="linux", **more)
    return rows.assign(n_low=n, n_high=n, n_mean=n, swing=0)


def sample() -> pd.DataFrame:
    return swept.frame(
        runs(KERNEL, "bbr", (94, 600), 1),
        runs(KERNEL, "cubic", (94, 170), 1),
        runs(ASSUMED, "cubic", (93, 350), 32),
        runs(ASKED, "cubic", (74, 130), 32),
        *(runs(FIXED, "cubic", (94 - n / 16, 170 + n), n, parallelism=n) for n in (1, 4, 16)),
    )


def drawn(rows: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    with style.styled():
        figure, table = KIND.draw(rows, None)
        figure.draw_without_rendering()
    return figure, table


def test_share_and_connections_by_congestion_control() -> None:
    figure, table = drawn(sample())
    assert [axes.get_title("left") for axes in figure.axes] == ["CUBIC", "CUBIC", "BBR", "BBR"]
    goodput, connections = figure.axes[:2]
    lines = [list(line.get_ydata()) for line in connections.get_lines()]
    # One line for each set, and the best fixed N: at 100 Mbit/s four and one differ by 0.2 %.
    assert lines == [[1, 1], [32, 32], [32, 32], [1, 16]]
    assert list(goodput.get_lines()[0].get_ydata()) == pytest.approx([0.94, 0.17])
    row = table[(table["label"] == ASSUMED) & (table["bandwidth_bps"] == 1e9)].iloc[0]
    assert (row["share"], row["n_mean"], row["runs"]) == (pytest.approx(0.35), 32, 2)
    assert "present-day Linux hosts (stack linux)" in figure.get_supxlabel()
    assert "best fixed N: the least of 1, 4, 16 within 1 %" in figure.get_supxlabel()


def test_the_answer_has_n_and_goodput_at_the_largest_bandwidth() -> None:
    cubic, bbr = KIND.answer(drawn(sample())[1])
    assert cubic.startswith(
        "CUBIC at 1000 Mbit/s. Windows of the kernel: N = 1.0; 170.0 \u00b1 12.8 "
    )
    assert "Windows of the kernel, W = 64 KiB: N = 32.0; 350.0" in cubic
    assert "Best fixed N: 16, 186.0 \u00b1 12.8 Mbit/s." in cubic
    assert bbr == "BBR at 1000 Mbit/s. Windows of the kernel: N = 1.0; 600.0 \u00b1 12.8 Mbit/s."


def over_eta() -> pd.DataFrame:
    """Return runs of MI at two values of eta, and of fixed N, which have the default one."""
    parts = [
        swept.runs(KERNEL, "mi", "eta", {0.1: [92, 94], 1.0: [94, 96]}),
        *(
            swept.runs(FIXED, "fixed", "eta", {0.8: [95 - n, 97 - n]}, parallelism=n)
            for n in (1, 4)
        ),
    ]
    parts[0] = parts[0].assign(n_mean=parts[0]["eta"].map({0.1: 8, 1.0: 1}))
    return swept.frame(*parts).assign(tcp="cubic", stack="linux")


def test_fixed_n_does_not_depend_on_eta() -> None:
    figure, table = drawn(over_eta())
    goodput, connections = figure.axes
    assert goodput.get_xlabel() == "Control parameter $\\eta$"
    assert goodput.get_xscale() == "linear"
    tuned, best = connections.get_lines()
    assert (list(tuned.get_xdata()), list(tuned.get_ydata())) == ([0.1, 1], [8, 1])
    assert (list(best.get_xdata()), list(best.get_ydata())) == ([0.1, 1], [1, 1])
    assert KIND.answer(table) == [
        f"CUBIC at eta = {eta}. Windows of the kernel: N = {n}; {mean} \u00b1 12.8 Mbit/s. "
        "Best fixed N: 1, 95.0 \u00b1 12.8 Mbit/s."
        for eta, n, mean in (("0.1", "8.0", "93.0"), ("1", "1.0", "95.0"))
    ]


def test_what_is_missing_is_said() -> None:
    rows = sample()
    figure, _ = drawn(rows[rows["label"] == KERNEL])
    assert f"set {ASSUMED}; set {ASKED}; set {FIXED}" in " ".join(figure.get_supxlabel().split())
    assert "best fixed N:" not in figure.get_supxlabel()
    with pytest.raises(ResultError, match="no set is labelled"):
        drawn(rows[rows["label"] == FIXED])
