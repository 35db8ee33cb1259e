"""The paper's Table 3 beside ours: which run is where in it, and what is drawn and said of it."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from analysis.drawing import style
from papers.anglano.figures import table3, tools_over_paths

SCENARIO: dict[str, Any] = {
    "bandwidth_bps": 100e6, "delay_s": 0.01, "limit_rate_bps": 0, "limit_at": "client",
    "tool": "rbudp", "tool_streams": 1, "tool_udt_loss_gate": "any", "tool_fobs_control": "off",
    "tool_fobs_period_s": 0.0, "mode": "mi", "run": 1, "seed": 1, "eta": 1, "window_bytes": 131072,
    "queue_packets": 100, "file_size_bytes": 100e6, "chunk_size_bytes": 100e6,
}  # fmt: skip

OTTAWA = {"bandwidth_bps": 98e6, "delay_s": 0.0245}
TO_TAIWAN = {"bandwidth_bps": 97e6, "delay_s": 0.1145, "limit_rate_bps": 10e6}


def cells(label: str = "low", **changed: Any) -> list[tuple[str, str]]:
    """Return row and column of each place that a run has in the table."""
    found = table3.table_of([(label, {**SCENARIO, **changed}, 1e6)])
    return list(zip(found["row"], found["column"], strict=True))


def test_a_run_is_in_the_rows_of_its_path() -> None:
    assert cells() == [("Atlanta-Houston", "RBUDP")]
    assert cells(**OTTAWA) == [("Atlanta-Ottawa", "RBUDP"), ("Ottawa-Atlanta", "RBUDP")]
    assert cells(**TO_TAIWAN) == [("Taiwan-Atlanta", "RBUDP")]
    assert cells(delay_s=0.02) == []
    assert cells(**{**TO_TAIWAN, "limit_at": "server"}) == []
    assert cells(limit_rate_bps=10e6) == [], "its hosts have no limit"


@pytest.mark.parametrize(
    ("changed", "column"),
    [
        ({"tool": "bbftp", "tool_streams": 15}, "bbFTP-15"),
        ({"tool": "udt"}, "UDT 4"),
        ({"tool": "udt", "tool_udt_loss_gate": "rate"}, "UDT"),
        ({"tool": "fobs", "tool_fobs_control": "on"}, "FOBS"),
        ({"tool": "fobs"}, "FOBS without control"),
        ({"tool": "fobs", "tool_fobs_period_s": 0.01}, "FOBS on a 10 ms clock"),
        ({"tool": "gridftp"}, "GridFTP mi"),
    ],
)
def test_a_run_is_in_the_column_of_its_tool(changed: dict[str, Any], column: str) -> None:
    assert cells(**changed) == [("Atlanta-Houston", column)]


def test_what_the_paper_has_is_beside_ours() -> None:
    found = table3.table_of([("low-linux", {**SCENARIO, "tool": "bbftp", "tool_streams": 5}, 1.0)])
    assert found.to_dict("records") == [
        {"label": "low", "row": "Atlanta-Houston", "column": "bbFTP-5", "run": 1, "value": 1.0,
         "published": 87.94e6, "deviation": 0.51e6}
    ]  # fmt: skip
    (less,) = table3.table_of(
        [("shaper", {**SCENARIO, **TO_TAIWAN, "tool": "bbftp", "tool_streams": 5}, 1.0)]
    )["published"]
    assert math.isnan(less), 'the paper has "< 1"'


def runs() -> pd.DataFrame:
    rows = []
    for run in (1, 2):
        for label, goodput, changed in (
            ("low", 80e6 + run, {}),
            ("low-linux", 70e6, {"tool": "bbftp", "tool_streams": 10}),
            ("policer", 9e6, TO_TAIWAN),
            ("shaper", 8e6, TO_TAIWAN),
            ("tuners", 20e6, {"tool": "gridftp", "mode": "fixed"}),
            ("tuners", 40e6, {"tool": "gridftp", "mode": "mi"}),
            ("tuners", 50e6, {"tool": "gridftp", "mode": "fts"}),
            ("tuners", math.nan, {"tool": "gridftp", "mode": "apt"}),
            ("ns3", 5e6, {}),
            ("ns3-twin", 5e6, {}),
        ):
            own = {**SCENARIO, **changed, "run": run, "engine": "segment"}
            rows.append({**own, "label": label, "goodput_bps": goodput})
    return pd.DataFrame(rows)


def test_the_figure_and_its_answer() -> None:
    with style.styled():
        figure, table = tools_over_paths.FIGURE.draw(runs(), None)
    low = table[table["label"] == "low"].set_index("column")
    assert low["runs"].eq(2).all()
    assert low.loc["RBUDP", "mean"] == 80e6 + 1.5
    assert low.loc["one connection", "mean"] == 20e6
    assert list(low.loc["GridFTP, best tuner", ["mean", "tuner"]]) == [50e6, "fts"]
    assert len(figure.axes) == 3
    assert "2 runs of engine ns3" in figure.get_supxlabel()
    assert "2 of 20 runs" in figure.get_supxlabel()
    assert tools_over_paths.FIGURE.answer is not None
    first, second, third = tools_over_paths.FIGURE.answer(table)
    assert first == (
        "Without a limit: within 15 % of Table 3 are RBUDP on 1 of 1 and bbFTP-10 on 0 of 1 paths."
    )
    assert second.endswith("RBUDP on 0 of 1 paths.")
    assert third.startswith("Taiwan limited by a shaper: ")


def test_a_quick_trial_is_drawn_as_far_as_it_goes() -> None:
    part = runs()
    later = part["label"].isin(["policer", "shaper"])
    part["goodput_bps"] = part["goodput_bps"].mask(later)
    with style.styled():
        figure, table = tools_over_paths.FIGURE.draw(part, None)
    assert len(figure.axes) == 1
    assert "6 of 20 runs" in figure.get_supxlabel()
    assert set(table["label"]) == {"low"}
    assert tools_over_paths.FIGURE.answer is not None
    assert len(tools_over_paths.FIGURE.answer(table)) == 1
