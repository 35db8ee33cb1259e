"""Right-sizing next to hosts of today: made-up runs, figure and answer."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import ROOT
from matplotlib.figure import Figure

from analysis import figures
from analysis.drawing import style
from analysis.read.results import ResultError
from experiments.__main__ import main
from papers.gardner.figures.policies import POLICY

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept

MIB = 2**20
KIND = figures.kinds("gardner/any")["right-sizing-today"]
KEY = "file_size_bytes"
LINUX = {"stack": "linux", "buffers": "linux-receiver"}


def runs(label: str, values: swept.Values, peak: float = 1, **scenario: Any) -> pd.DataFrame:
    """Return the runs of a line; peak is that of its buffer, MiB."""
    usual = {"stack": "classic", "tcp": "reno", "buffers": "fixed", "random_loss": 0.0,
             "direction": "third-party", "start_jitter_s": 0.1}  # fmt: skip
    rows = swept.runs(label, "fixed", KEY, values, **{**usual, **scenario})
    return rows.assign(receive_peak_bytes=peak * MIB)


def sample() -> pd.DataFrame:
    return swept.frame(
        runs("no loss", {MIB: [4.0, 4.0], 64 * MIB: [5.0, 5.0]}, 1 / 16),
        runs("no loss", {64 * MIB: [60.0, 62.0]}, 8, buffers="drs-gridftp"),
        runs("no loss", {64 * MIB: [70.0, 74.0]}, 6, buffers="linux-receiver"),
        runs("no loss", {64 * MIB: [82.0, 84.0]}, 4, tcp="cubic", **LINUX),
        runs("random loss", {64 * MIB: [40.0, 60.0]}, 5, tcp="cubic", random_loss=1e-4, **LINUX),
        runs("random loss", {64 * MIB: [80.0, 80.0]}, 3, tcp="bbr", random_loss=1e-4, **LINUX),
        runs("random loss", {64 * MIB: [50.0, None]}, 16, tcp="cubic", random_loss=1e-4,
             stack="linux", window_bytes=16 * MIB),
    )  # fmt: skip


def drawn(rows: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    with style.styled():
        figure, table = KIND.draw(rows, None)
        figure.draw_without_rendering()
    return figure, table


def test_lines_are_told_apart_by_stack_tcp_and_buffers() -> None:
    figure, table = drawn(sample())
    assert [axes.get_title("left") for axes in figure.axes[:2]] == [
        "no loss",
        "random loss, 0.0001",
    ]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "stock, 64 KiB, Reno",
        "DRS-enabled GridFTP, Reno",
        "Linux's receiver, Reno",
        "Linux, CUBIC, tunes buffers itself",
        "Linux, CUBIC, asked for 16 MiB",
        "Linux, BBR, tunes buffers itself",
    ]
    rows = table.set_index(["label", POLICY, KEY])
    found = rows.loc[("random loss", "linux cubic", 64 * MIB)]
    assert (found["mean"], found["receive_peak_bytes"], found["runs"]) == (50e6, 5 * MIB, 2)
    assert rows.loc[("no loss", "linux cubic", 64 * MIB), "mean"] == 83e6
    goodput, buffers = figure.axes[0], figure.axes[2]
    assert list(goodput.get_lines()[0].get_ydata()) == [4, 5]
    assert list(buffers.get_lines()[0].get_ydata()) == [1 / 16, 1 / 16]


def test_the_answer_has_goodput_and_buffer_of_each_line() -> None:
    no_loss, loss = KIND.answer(drawn(sample())[1])
    assert no_loss.startswith(
        "No loss, file of 64 MiB: stock, 64 KiB 5.0 \u00b1 0.0 Mbit/s (buffer "
    )
    assert "Linux's receiver 72.0 \u00b1 25.5 Mbit/s (buffer 6 MiB)" in no_loss
    assert no_loss.endswith("and Linux with CUBIC 83.0 \u00b1 12.8 Mbit/s (buffer 4 MiB).")
    assert "Linux with BBR 80.0 \u00b1 0.0 Mbit/s (buffer 3 MiB), Linux with CUBIC 50.0" in loss
    assert loss.endswith("Linux with CUBIC asked for 16 MiB 50.0 Mbit/s (buffer 16 MiB).")
    assert KIND.ours


def test_what_is_missing_is_named() -> None:
    figure, _ = drawn(sample())
    assert "set short queue; 1 of 16 runs" in figure.get_supxlabel()
    assert "2 (no loss) and 1 (random loss) runs" in figure.get_supxlabel()
    with pytest.raises(ResultError, match="no set is labelled"):
        drawn(sample().assign(label="other"))


@pytest.mark.usefixtures("svg_alone")
def test_the_shipped_sweep_made_small(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(programs))
    text = (ROOT / "papers/gardner/sweeps/today-sizing.toml").read_text(encoding="utf-8")
    text = re.sub(r"replications = \d+", "replications = 2", text)
    text = text.replace('"1MiB", "4MiB", "16MiB", "64MiB", "256MiB"', '"1MiB", "4MiB"')
    (tmp_path / "sizing.toml").write_text(text, encoding="utf-8")
    kept = f"--store={tmp_path / 'store.sqlite'}"
    assert main(["sweep", str(tmp_path / "sizing.toml"), kept]) == 0
    assert main(["plot", "sizing", kept, f"--results={tmp_path}"]) == 0
    table = pd.read_csv(tmp_path / "figures/sizing.csv")
    assert len(table) == 3 * 7 * 2  # sets, lines, sizes
    peak = table.set_index(["label", POLICY, KEY])["receive_peak_bytes"]
    assert peak["no loss", "linux cubic, 16 MiB", MIB] == 32 * MIB, "the kernel doubles it"
    assert peak["no loss", "linux cubic", 4 * MIB] > peak["no loss", "linux cubic", MIB] > 2**17
