"""The schema file: what both engines print is of its form, and nothing else is."""

from __future__ import annotations

import copy
import json
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from conftest import ROOT, Runner

from analysis.read import result_schema, results, stored
from analysis.statistics import sharing, swing
from experiments.store.store import Run, Store

SMALL = {"file-size": "1MB", "chunk-size": "400KB", "delay": "2ms"}
BESIDE = {
    **SMALL,
    "queue": "10p",
    "sessions": [{}, {"mode": "aimd", "start": "0.2s", "delay": "8ms"}],
    "background": [{"tcp": "newreno", "stop": "1s"}, {"start": "0.1s"}],
}
LOST = {"random-loss": "0.9", "file-size": "1MB"}
KINDS: dict[str, dict[str, Any]] = {
    "done": SMALL,
    "download": {**SMALL, "direction": "download", "data-channels": "cached"},
    "several sessions and background": BESIDE,
    "several downloads and background": {**BESIDE, "direction": "download"},
    "failed": LOST,
    "failed beside others": {**LOST, "sessions": [{}, {}], "background": [{"stop": "1s"}]},
}
"""Lines of a batch, by the kind of result that they give."""

SCHEMA_1 = ROOT / "tests" / "data" / "schema-1.jsonl"
"""Results as they were printed in schema 1: a transfer, sessions beside others, a failed one."""

# Not in results of before they were told
OPTIONAL = {"buffers", "notes"}


@pytest.fixture(scope="module", params=["segment", "ns3"])
def printed(
    request: pytest.FixtureRequest, run_program: Runner, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """The result of each kind, from one of the engines."""
    batch = tmp_path_factory.mktemp("kinds") / "lines.jsonl"
    lines = [json.dumps({**line, "engine": request.param}) for line in KINDS.values()]
    batch.write_text("\n".join(lines))
    answers = run_program("gridftp-transfer", f"--batch={batch}").stdout.splitlines()
    return dict(zip(KINDS, map(json.loads, answers), strict=True))


def test_the_file_is_a_schema() -> None:
    form = json.loads(result_schema.PATH.read_text())
    assert form["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema_rs.meta.validate(form)
    for part in objects(form):
        if "properties" in part and "required" in part:
            assert "additionalProperties" in part, part["required"]


def test_what_an_engine_prints_is_of_the_schema(printed: dict[str, dict[str, Any]]) -> None:
    for name, result in printed.items():
        assert result_schema.fault(result) is None, name
        assert result["status"] == ("failed" if name.startswith("failed") else "done")
        if result["status"] == "done":
            results.validate(result, name)
        for key in ("sessions", "background"):
            assert len(result[key]) == len(result["scenario"][key]), name
        for session in result["sessions"]:
            assert session["tool"] == "gridftp"
            assert session["bytes"] == sum(one["bytes"] for one in session["gridftp"]["chunks"])


def test_each_part_tells_how_it_ended(printed: dict[str, dict[str, Any]]) -> None:
    failed = printed["failed beside others"]
    first = failed["sessions"][0]
    assert first["status"] == "failed"
    assert failed["reason"] == f"session 0: {first['reason']}"
    assert (first["start_s"], first["goodput_bps"]) == (None, 0)
    done = printed["several sessions and background"]
    parts = [done, *done["sessions"], *done["background"]]
    assert {(part["status"], part["reason"]) for part in parts} == {("done", None)}


def test_the_scenario_has_every_option_and_no_other(
    printed: dict[str, dict[str, Any]], run_program: Runner
) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)["options"]
    members = {one["name"]: one["members"] for one in described if "members" in one}
    outside = {one["key"] for one in described if one["scope"] not in ("output", "traffic")}
    scenario = printed["several sessions and background"]["scenario"]
    assert set(scenario) == outside | {"sessions", "background", "faults"}
    for name, lists in (("session", "sessions"), ("background", "background")):
        for one in scenario[lists]:
            assert set(one) == {member["key"] for member in members[name]}


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object within a value, itself included."""
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value:
        if isinstance(one, dict | list):
            yield from objects(one)


def test_no_key_may_be_added_or_left_out(printed: dict[str, dict[str, Any]]) -> None:
    result = printed["several sessions and background"]
    count = 0
    for number, part in enumerate(objects(result)):
        if any(part is one for one in objects(result["scenario"])):
            continue
        changed = copy.deepcopy(result)
        copied = list(objects(changed))[number]
        copied["never"] = 0
        assert result_schema.fault(changed).endswith("never is no key of a result")
        del copied["never"]
        for key in part:
            if key in OPTIONAL:
                continue
            value = copied.pop(key)
            fault = result_schema.fault(changed)
            assert fault is not None, key
            # In place of a connection, a background may have datagrams
            assert f"{key} is missing" in fault or (key == "tcp" and "background" in fault), key
            copied[key] = value
            count += 1
        assert result_schema.fault(changed) is None
    assert count > 100


def test_a_line_that_is_no_scenario_is_answered_in_its_form(
    run_program: Runner, tmp_path: Path
) -> None:
    batch = tmp_path / "lines.jsonl"
    batch.write_text('{"bandwidth": "fast"}\nnonsense\n')
    form = json.loads(result_schema.PATH.read_text())
    error = jsonschema_rs.validator_for({"$ref": "#/$defs/error", "$defs": form["$defs"]})
    for line in run_program("gridftp-transfer", f"--batch={batch}").stdout.splitlines():
        error.validate(json.loads(line))
        assert not error.is_valid({**json.loads(line), "schema": 1})


def test_another_tool_has_the_parts_that_apply_to_it(run_program: Runner) -> None:
    done = run_program("gridftp-bulk-baseline", "--file-size=1MB", "--parallelism=2", "--json")
    result = results.parse(done.stdout, "the baseline")
    (session,) = result.data["sessions"]
    assert (session["tool"], session["bytes"]) == ("bulk-send", 1_000_000)
    assert "gridftp" not in session
    assert len(result.chunks()) == 0
    row = result.sessions().iloc[results.MAIN_SESSION]
    assert row["goodput_bps"] == session["goodput_bps"] > 1e6
    assert row["segments"] == session["tcp"]["segments"]
    assert row["final_parallelism"] is None


def test_columns_are_those_of_the_schema() -> None:
    storage = result_schema.kinds("storage_use")
    cpu = result_schema.kinds("cpu_use")
    assert (
        "duration_s", "goodput_bps", "bytes_resent", "final_parallelism", "settled_at_s",
        "segments", "retransmissions", "timeouts", "rtt_sample_count", "rtt_mean_s", "rtt_p95_s",
        "rtt_min_s", "rtt_max_s", "jain_index", *result_schema.kinds("buffers"),
        *result_schema.kinds("processing"),
        *(f"{end}_{key}" for end in ("read", "write") for key in storage),
        *(f"{end}_{key}" for end in ("sender", "receiver") for key in cpu),
    ) == results.SESSION  # fmt: skip
    assert results.SESSION_KINDS["mbps_per_mib"] is float
    assert results.SESSION_KINDS["settled_at_s"] is float
    assert results.SESSION_KINDS["final_parallelism"] is int
    assert results.CHUNK_KINDS["valid"] is bool
    assert len(results.CHUNK) == 12


def test_no_column_of_a_measurement_has_the_name_of_an_option(run_program: Runner) -> None:
    # A table of a sweep has both: what is measured would hide what was asked for, and claims that
    # are conditional on the option could not be judged.
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)["options"]
    options = {option["key"] for option in described}
    assert "rtt_samples" in options
    assert not options & {*results.SESSION, *results.LINK}


# ---- Schema 1 -----------------------------------------------------------------------------------


def old_results() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SCHEMA_1.read_text().splitlines()]


def test_results_of_schema_1_are_read() -> None:
    alone, beside, failed = old_results()
    for number, old in enumerate((alone, beside)):
        new = results.parse(json.dumps(old), "it").data
        assert new["schema"] == 2
        assert new["cost"] == old["cost"]
        assert [{"name": "bottleneck", **old["bottleneck"]}] == new["links"], number
        for before, now in zip(old["sessions"], new["sessions"], strict=True):
            assert now["gridftp"]["chunks"] == before["chunks"]
            told = {**now, **now["gridftp"], **now["tcp"]}
            assert before["summary"].items() <= told.items()
        for before, now in zip(old["background"], new["background"], strict=True):
            assert before.items() <= {**now, **now["tcp"]}.items()
    with pytest.raises(results.ResultError, match="it: the run failed: session 0: data connection"):
        results.parse(json.dumps(failed), "it")
    converted = results.upgraded(failed, "it")
    assert result_schema.fault(converted) is None
    assert converted["sessions"][0]["reason"] == failed["reason"]


@pytest.mark.parametrize("key", ["scenario", "sessions", "bottleneck", "provenance"])
def test_incomplete_results_of_schema_1_are_refused_in_one_line(key: str) -> None:
    (old, *_) = old_results()
    del old[key]
    with pytest.raises(results.ResultError, match="it: of schema 1 and not complete") as refused:
        results.parse(json.dumps(old), "it")
    assert key in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_store_with_results_of_schema_1_is_read(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    kept = old_results()[:2]
    with Store(path, create=True) as store:
        runs = [Run({}, old["scenario"], "of before") for old in kept]
        store.plan("old", [("x", run) for run in runs])
    with sqlite3.connect(path) as database:
        for run, old in zip(runs, kept, strict=True):
            packed = zlib.compress(json.dumps(old).encode())
            change = "UPDATE run SET state = 'done', result = ? WHERE key = ?"
            database.execute(change, (packed, run.key))
    sessions = [session for old in kept for session in old["sessions"]]
    table = stored.session_table(path, "old")
    assert list(table["session"]) == [0, 0, 1]
    assert list(table["mode"]) == ["mi", "mi", "aimd"]
    for key in results.SESSION:
        told = [value if value == value else None for value in table[key]]
        # What that schema did not know is not told.
        assert told == [session["summary"].get(key) for session in sessions], key
    assert list(table["drops"]) == [kept[n]["bottleneck"]["drops"] for n in (0, 1, 1)]
    chunks = stored.chunk_table(path, "old")
    assert list(chunks["end_s"]) == [one["end_s"] for s in sessions for one in s["chunks"]]
    swings = swing.swing_table(path, "old")
    moved = [[one["parallelism"] for one in session["chunks"]] for session in sessions]
    assert list(swings["n_high"]) == [max(levels[len(levels) // 2 :]) for levels in moved]
    (_, shared) = sharing.sharing_table(path, "old").to_dict("records")
    assert shared["goodput_bps"] == sum(one["summary"]["goodput_bps"] for one in sessions[1:])
