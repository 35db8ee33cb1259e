"""Loading and validating results."""

from __future__ import annotations

import ast
import copy
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.read import results

DATA = Path(__file__).parents[1] / "data"
sys.path.insert(0, str(DATA))
import synthetic  # noqa: E402

ROOT = DATA.parent.parent


def good() -> dict[str, Any]:
    return synthetic.make(
        "mi", [(1, 25.0, 2), (2, 50.0, 2)], gap_s=0.5, begin_s=3.0, file_size_bytes=150_000_000
    )


def test_good_result_becomes_tables() -> None:
    result = results.parse(json.dumps(good()), "it")
    chunks = result.chunks()
    assert list(chunks["bytes"]) == [100_000_000, 50_000_000]
    # 100 MB at 25 Mbit/s take 32 s; then 0.5 s pass, and 50 MB at 50 Mbit/s take 8 s.
    assert chunks["completed_s"].tolist() == pytest.approx([32.0, 40.5])
    sessions = result.sessions()
    assert sessions.loc[0, "mode"] == "mi"
    assert sessions.loc[0, "segments"] == 102740
    assert sessions.loc[0, "goodput_bps"] == pytest.approx(150e6 * 8 / 40.5)


def set_in(*path: Any, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


def remove(*path: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


SESSION = ("sessions", 0)
GRIDFTP = (*SESSION, "gridftp")
CHUNK = (*GRIDFTP, "chunks", 1)

REFUSED = {
    "newer schema": (set_in("schema", value=3), "schema 3 is newer than 2"),
    "no schema": (remove("schema"), "there is no 'schema'"),
    "odd schema": (set_in("schema", value=True), "not a version number"),
    "bytes one too few": (
        set_in(*CHUNK, "bytes", value=49_999_999),
        "chunks add up to 149999999 bytes, the file has 150000000",
    ),
    "failed": (set_in("status", value="failed"), "the run failed: no reason given"),
    "odd status": (set_in("status", value="running"), "status is 'running'"),
    "no scenario": (remove("scenario"), "scenario is missing"),
    "no file size": (
        remove("scenario", "sessions", 0, "file_size_bytes"),
        r"scenario\.sessions\[0\]\.file_size_bytes is missing",
    ),
    "no sessions": (set_in("sessions", value=[]), "sessions is empty"),
    "a session too many": (
        lambda data: data["sessions"].append(data["sessions"][0]),
        "2 sessions, but the scenario has 1",
    ),
    "no chunks": (set_in(*GRIDFTP, "chunks", value=[]), "chunks is empty"),
    "text for a number": (
        set_in(*CHUNK, "goodput_bps", value="fast"),
        r"sessions\[0\]\.gridftp\.chunks\[1\]\.goodput_bps is 'fast', not a number",
    ),
    "true for a number": (set_in(*CHUNK, "parallelism", value=True), "not a whole number"),
    "null goodput": (set_in(*CHUNK, "goodput_bps", value=None), "goodput_bps is 'None'"),
    "infinite": (set_in(*CHUNK, "end_s", value=math.inf), "Infinity is not JSON"),
    "not a number": (set_in(*CHUNK, "end_s", value=math.nan), "NaN is not JSON"),
    "no connections": (set_in(*CHUNK, "parallelism", value=0), "not at least 1"),
    "takes no time": (set_in(*CHUNK, "end_s", value=35.5), "end_s is not after start_s"),
    "out of order": (set_in(*CHUNK, "index", value=0), "out of order"),
    "overlapping": (set_in(*CHUNK, "start_s", value=34.0), "out of order"),
    "no wall time": (remove("cost", "wall_s"), r"cost\.wall_s is missing"),
    "no segments": (
        remove(*SESSION, "tcp", "segments"),
        r"sessions\[0\]\.tcp\.segments is missing",
    ),
    "no chunks at all": (remove(*GRIDFTP), r"sessions\[0\]\.gridftp is missing"),
    "bytes of a session": (set_in(*SESSION, "bytes", value=7), "bytes is 7, the file has 1500"),
    "a failed session": (
        lambda data: data["sessions"][0].update(status="failed", reason="lost"),
        r"sessions\[0\]\.status is 'failed', but that of the run 'done'",
    ),
    "a reason for nothing": (set_in("reason", value="none"), "reason is 'none', not null"),
    "unknown key": (set_in("summary", value={}), "summary is no key of a result"),
    "long key": (set_in("x" * 5000, value={}), f"{'x' * 57}\\.\\.\\. is no key of a result"),
    "unknown key of a chunk": (
        set_in(*CHUNK, "owner", value="me"),
        r"sessions\[0\]\.gridftp\.chunks\[1\]\.owner is no key of a result",
    ),
    "unknown key of a link": (set_in("links", 0, "loss", value=0), r"links\[0\]\.loss is no key"),
    "no link": (set_in("links", value=[]), "links is empty"),
    "an object in a scenario": (set_in("scenario", "delay_s", value={}), r"scenario\.delay_s is"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_result_is_refused(name: str) -> None:
    change, message = REFUSED[name]
    data = copy.deepcopy(good())
    change(data)
    with pytest.raises(results.ResultError, match=message) as refused:
        results.parse(json.dumps(data), "it")
    assert "\n" not in str(refused.value)
    assert str(refused.value).startswith("it: ")


@pytest.mark.parametrize("text", ["", "hello", "[]", "null", "{}", '{"schema": 1}', "[" * 100_000])
def test_rubbish_is_refused(text: str) -> None:
    with pytest.raises(results.ResultError):
        results.parse(text, "it")


def test_null_is_allowed_where_there_is_nothing_to_measure() -> None:
    data = good()
    data["sessions"][0]["gridftp"]["chunks"][0]["rtt_s"] = None
    data["sessions"][0]["gridftp"]["settled_at_s"] = None
    results.parse(json.dumps(data), "it")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(results.ResultError, match="No such file"):
        results.load(tmp_path / "none.json")


def test_analysis_neither_imports_the_running_side_nor_starts_programs() -> None:
    forbidden = {"experiments", "subprocess", "multiprocessing", "asyncio"}
    files = list((ROOT / "analysis").rglob("*.py"))
    assert files
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            assert not forbidden & {name.split(".")[0] for name in names}, path
