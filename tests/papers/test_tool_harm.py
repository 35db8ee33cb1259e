"""What tools take from others: harm and Jain's index of made-up runs, and what is said of them."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from analysis.drawing import style
from analysis.read.results import ResultError
from papers.anglano.figures import tool_harm


def run(label: str, contender: str, number: int, own: float, other: float, tcp: float) -> Any:
    return {
        "label": label, "contender": contender, "run": number, "goodput_bps": own,
        "others_bps": other, "background_bps": tcp, "bandwidth_bps": 20e6, "delay_s": 0.01,
        "engine": "segment", "eta": 1, "window_bytes": 262144, "queue_packets": 100,
        "file_size_bytes": 1e8, "chunk_size_bytes": 1e8,
    }  # fmt: skip


RUNS = pd.DataFrame(
    [
        run("beside-slow", "GridFTP, N = 1", 1, 10, 10, 8.0),
        run("beside-slow", "GridFTP, N = 1", 2, 10, 10, 10.0),
        run("beside-slow", "RBUDP at 1 B", 1, 19, 19, 2.0),
        run("beside-slow", "RBUDP at 1 B", 2, 19, 19, 5.0),
        run("beside-slow", "UDT", 3, 10, 10, 5.0),
        run("pair-slow", "RBUDP at 1 B", 1, 12, 6, 0.0),
        run("pair-slow", "UDT", 1, 9, 9, 0.0),
        run("pair-slow", "UDT", 2, math.nan, math.nan, math.nan),
    ]
)


def test_harm_is_against_the_run_with_the_same_number() -> None:
    with style.styled():
        figure, table = tool_harm.FIGURE.draw(RUNS, None)
    found = table.set_index(["measure", "contender"])["mean"]
    assert found["harm", "GridFTP, N = 1"] == 0
    assert found["harm", "RBUDP at 1 B"] == pytest.approx((6 / 8 + 5 / 10) / 2)
    assert ("harm", "UDT") not in found, "there is no run to compare it with"
    assert found["jain", "RBUDP at 1 B"] == pytest.approx(18**2 / (2 * (12**2 + 6**2)))
    assert found["jain", "UDT"] == 1
    assert "1 of 8 runs" in figure.get_supxlabel()
    assert tool_harm.FIGURE.answer is not None
    assert tool_harm.FIGURE.answer(table) == [
        "With 20 Mbit/s and 20 ms RBUDP at 1 B is the worst: harm 0.62.",
        "With 20 Mbit/s and 20 ms RBUDP at 1 B is the worst: index 0.90.",
    ]


def test_without_such_runs_nothing_is_drawn() -> None:
    with pytest.raises(ResultError, match="no set is labelled"):
        tool_harm.FIGURE.draw(RUNS.assign(label="other"), None)
