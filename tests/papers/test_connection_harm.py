"""Harm of N connections to one flow: made-up runs, figure and answer."""

from __future__ import annotations

import math
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
from papers.anglano.figures.connection_harm import ALONE, COMPETING

KIND = figures.kinds("anglano/any")["connection-harm"]


def run(label: str, flow: str, number: int, mbps: float, tcp: str = "cubic", n: int = 1) -> Any:
    return {
        "label": label, "flow_tcp": flow, "run": number, "goodput_bps": mbps * 1e6, "tcp": tcp,
        "parallelism": n, "queue_discipline": "drop-tail", "queue_packets": 100, "stack": "linux",
        "mode": "fixed", "bandwidth_bps": 50e6, "delay_s": 0.02, "engine": "segment", "eta": 1,
        "window_bytes": 65536, "file_size_bytes": 4e8, "chunk_size_bytes": 4e8,
        "start_jitter_s": 0.1,
    }  # fmt: skip


def sample() -> pd.DataFrame:
    return pd.DataFrame(
        [
            run(ALONE, "cubic", 1, 40),
            run(ALONE, "bbr", 1, 50),
            *(run(COMPETING, "cubic", number, 20 + number) for number in (1, 2)),
            *(run(COMPETING, "cubic", number, 5 * number, n=16) for number in (1, 2)),
            *(run(COMPETING, "cubic", number, 2, "bbr") for number in (1, 2)),
            *(run(COMPETING, "bbr", number, 45) for number in (1, 2)),
            run(COMPETING, "bbr", 3, math.nan),
        ]
    )


def drawn(rows: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    with style.styled():
        figure, table = KIND.draw(rows, None)
        figure.draw_without_rendering()
    return figure, table


def test_harm_and_what_is_left_of_the_share_against_an_equal_flow() -> None:
    figure, table = drawn(sample())
    titles = [axes.get_title("left") for axes in figure.axes]
    assert titles == ["CUBIC flow, DropTail, 100 packets", "BBR flow, DropTail, 100 packets"]
    rows = table.set_index(["flow_tcp", "tcp", "parallelism"])
    many = rows.loc[("cubic", "cubic", 16)]
    assert many["mean"] == pytest.approx(((40 - 5) / 40 + (40 - 10) / 40) / 2)
    assert many["low"] < many["mean"] < many["high"] <= 1
    assert many["of_equal"] == pytest.approx((5 / 21 + 10 / 22) / 2), "run by run"
    assert rows.loc[("cubic", "cubic", 1), "of_equal"] == 1
    assert rows.loc[("cubic", "bbr", 1), "mean"] == pytest.approx(0.95)
    assert math.isnan(rows.loc[("bbr", "cubic", 1), "of_equal"]), "no run against one BBR flow"
    assert "present-day Linux hosts (stack linux)" in figure.get_supxlabel()
    assert "1 of 11 runs" in figure.get_supxlabel()


def test_a_curve_for_each_tcp_of_the_transfer_and_the_yardstick() -> None:
    figure, _ = drawn(sample())
    curves, constants = ([], [])
    for line in figure.axes[0].get_lines():
        if line.get_marker() in ("o", "s"):
            curves.append(list(line.get_ydata()))
        elif line.get_color() == style.GREY:
            constants.append(list(line.get_ydata()))
    assert curves == [
        pytest.approx([1 - 21.5 / 40, 1 - 7.5 / 40]),  # CUBIC with N = 1 and 16
        pytest.approx([0.95]),  # BBR with N = 1
    ]
    assert constants == [pytest.approx([1 - 21.5 / 40] * 2)], "the harm by one equal flow"


def test_the_answer_compares_with_an_equal_flow() -> None:
    cubic, bbr = KIND.answer(drawn(sample())[1])
    assert cubic.startswith("A CUBIC flow, DropTail, 100 packets: one equal flow takes 46.2 % ")
    assert "; a transfer with CUBIC takes 81.2 % " in cubic
    assert "with N = 16, which leaves it 0.35 \u00b1 1.38 times its goodput next to an" in cubic
    assert (
        "; a transfer with BBR takes 95.0 \u00b1 0.0 % with N = 1, which leaves it 0.09 " in cubic
    )
    assert bbr == (
        "A BBR flow, DropTail, 100 packets: a transfer with CUBIC takes 10.0 \u00b1 0.0 % "
        "with N = 1."
    )


def test_both_sets_are_needed() -> None:
    rows = sample()
    for label in (COMPETING, ALONE):
        with pytest.raises(ResultError, match="no set is labelled"):
            drawn(rows[rows["label"] != label])


def test_the_question_is_not_the_papers() -> None:
    assert KIND.ours


@pytest.mark.usefixtures("svg_alone")
def test_the_shipped_sweep_made_small(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(programs))
    text = (ROOT / "papers/anglano/sweeps/today-harm.toml").read_text(encoding="utf-8")
    text = text.replace("replications = 10", "replications = 2").replace('"60s"', '"2s"')
    text = text.replace("400MB", "13MB").replace("[1, 2, 4, 8, 16]", "[1, 16]")
    (tmp_path / "harm.toml").write_text(text, encoding="utf-8")
    kept = f"--store={tmp_path / 'store.sqlite'}"
    assert main(["sweep", str(tmp_path / "harm.toml"), kept]) == 0
    assert main(["plot", "harm", kept, f"--results={tmp_path}"]) == 0
    table = pd.read_csv(tmp_path / "figures/harm.csv")
    assert len(table) == 24  # two TCPs of the flow and of the transfer, two N, three queues
    assert (table["runs"] == 2).all()
    assert table["of_equal"].notna().all()
    fair = table[table["queue_discipline"] == "fq-codel"]
    harms = fair.pivot_table("mean", ["flow_tcp", "tcp"], "parallelism")
    assert (harms[16] > harms[1]).all(), "FQ-CoDel shares by connection"
