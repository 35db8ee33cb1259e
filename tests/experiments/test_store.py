"""The store: every run once, with what it was made from, whatever happens to the sweep."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

from analysis.read import stored
from analysis.read.results import ResultError
from experiments.errors import UserError
from experiments.programs.pool import Answer
from experiments.programs.program import Program, locate
from experiments.programs.resolve import resolve_lines
from experiments.run.simulate import settle
from experiments.store.store import DONE, FAILED, QUEUED, RUNNING, TIMED_OUT, Ended, Run, Store

SMALL = {"file-size": "2MB", "chunk-size": "1MB", "mode": "fixed"}


@pytest.fixture(scope="session")
def program(programs: Path) -> Program:
    return locate("gridftp-transfer")


def runs_of(program: Program, *lines: dict[str, Any], sources: str = "s") -> list[Run]:
    return [
        Run(line, scenario, sources)
        for line, scenario in zip(lines, resolve_lines(program, lines), strict=True)
    ]


def answers(program: Program, runs: list[Run], tmp_path: Path) -> list[Answer]:
    """What the program answers to them."""
    batch = tmp_path / "lines.jsonl"
    batch.write_text("".join(f"{json.dumps(run.line)}\n" for run in runs))
    lines = program.call(f"--batch={batch}").splitlines(keepends=True)
    return [Answer(run.key, 0.1, line) for run, line in zip(runs, lines, strict=True)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "folder" / "store.sqlite", create=True) as opened:
        yield opened


def test_a_run_is_kept_once_and_found_again(store: Store, program: Program, tmp_path: Path) -> None:
    runs = runs_of(program, SMALL, {**SMALL, "run": "2"})
    store.plan("one", [("a", run) for run in runs])
    assert store.states(run.key for run in runs) == {run.key: QUEUED for run in runs}
    told = answers(program, runs, tmp_path)
    ended = [settle(run, program, answer) for run, answer in zip(runs, told, strict=True)]
    store.record([run.key for run in runs], ended)
    store.plan("two", [("b", runs[0])])  # of another sweep, too, and still done
    assert set(store.states(run.key for run in runs).values()) == {DONE}
    assert stored.sweeps(store.path) == {"one": {DONE: 2}, "two": {DONE: 1}}
    table = stored.session_table(store.path, "one")
    assert list(table["label"]) == ["a", "a"]
    assert list(table["run"]) == [1, 2]
    assert (table["file_size_bytes"] == 2_000_000).all()
    assert (table["goodput_bps"] > 1e6).all()
    assert store.twins("one") == 1  # without jitter a replication is the same again
    assert len(stored.chunk_table(store.path, "one")) == 4
    assert len(stored.session_table(store.path, "two")) == 1
    assert store.is_whole()


def test_what_a_key_depends_on(program: Program) -> None:
    one, same, other = runs_of(program, SMALL, {**SMALL, "mode": "fixed", "parallelism": "1"},
                               {**SMALL, "run": "2"})  # fmt: skip
    assert one.key == same.key  # the same scenario in other words
    assert one.key != other.key
    assert one.key != Run(one.line, one.scenario, "other sources").key


def test_only_a_valid_result_of_the_scenario_is_done(program: Program, tmp_path: Path) -> None:
    run, other = runs_of(program, SMALL, {**SMALL, "run": "2"})
    (answer, wrong) = answers(program, [run, other], tmp_path)
    assert settle(run, program, answer).state == DONE
    bad = settle(run, program, Answer(run.key, 1, wrong.text))
    assert (bad.state, bad.reason) == (
        FAILED, "the result is of another scenario than the one asked for"
    )  # fmt: skip
    data = json.loads(answer.text)
    data["sessions"][0]["gridftp"]["chunks"][0]["bytes"] -= 1
    bad = settle(run, program, Answer(run.key, 1, json.dumps(data).encode()))
    assert bad.state == FAILED
    assert "add up to 1999999 bytes" in bad.reason
    bad = settle(run, program, Answer(run.key, 1, b'{"status": "failed", "reason": "lost"}'))
    assert (bad.state, bad.reason) == (FAILED, "lost")
    late = settle(run, program, Answer(run.key, 9, reason="too long", timed_out=True, stderr="x"))
    assert (late.state, late.stderr) == (TIMED_OUT, "x")
    assert "--batch=-" in late.command
    assert '"file-size": "2MB"' in late.command


def test_the_kept_command_can_be_pasted(program: Program, tmp_path: Path) -> None:
    tuner = """while read line; do printf '{"parallelism": 2}\\n'; done"""
    (run,) = runs_of(program, {**SMALL, "mode": "external", "external-command": tuner})
    (answer,) = answers(program, [run], tmp_path)
    told = settle(run, program, answer)
    assert told.state == DONE
    shell = ["/bin/sh", "-c", told.command]
    done = subprocess.run(shell, capture_output=True, check=True, timeout=PATIENCE, cwd=tmp_path)
    again = json.loads(done.stdout)
    assert again["scenario"] == run.scenario
    assert again["sessions"] == json.loads(answer.text)["sessions"]


def test_failures_are_kept_and_tried_again_when_asked(store: Store, program: Program) -> None:
    (run,) = runs_of(program, SMALL)
    store.plan("one", [("a", run)])
    store.record([run.key], [Ended(run.key, FAILED, 1.0, reason="why", command="c", status=3)])
    ((state, attempts, reason, status),) = store.query(
        "SELECT state, attempts, reason, exit_status FROM run"
    )
    assert (state, attempts, reason, status) == (FAILED, 1, "why", 3)
    store.plan("one", [("a", run)])
    assert store.states([run.key])[run.key] == FAILED
    assert store.retry("no such sweep") == 0
    assert store.retry("one") == 1
    assert store.states([run.key])[run.key] == QUEUED


def test_what_a_dead_owner_left_running_is_queued(store: Store, program: Program) -> None:
    (run,) = runs_of(program, SMALL)
    store.plan("one", [("a", run)])
    store.record([run.key], [])
    assert store.states([run.key])[run.key] == RUNNING
    with store.claim():
        assert store.states([run.key])[run.key] == QUEUED


def _try_to_claim(path: Path, told: Any) -> None:
    try:
        with Store(path) as store, store.claim():
            told.put("claimed")
    except UserError as error:
        told.put(str(error))


def test_a_second_sweep_is_refused_at_once(store: Store) -> None:
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    for expected in ("another sweep is using this store", "claimed"):
        process = context.Process(target=_try_to_claim, args=(store.path, told))
        if expected == "claimed":
            process.start()
        else:
            with store.claim():
                process.start()
                process.join(PATIENCE)
        process.join(PATIENCE)
        assert expected in told.get(timeout=PATIENCE)


def test_gc_forgets_other_sources_and_what_no_sweep_has(store: Store, program: Program) -> None:
    old, kept = runs_of(program, SMALL, sources="old") + runs_of(program, SMALL)
    (alone,) = runs_of(program, {**SMALL, "run": "9"})
    store.plan("one", [("a", old), ("a", kept), ("a", alone)])
    store.plan("one", [("a", old), ("a", kept)])
    assert store.forget({"segment": "s"}, really=False)[0] == 2
    assert store.forget({"segment": "s"})[0] == 2
    assert store.states([old.key, kept.key, alone.key]) == {kept.key: QUEUED}


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no store"):
        Store(tmp_path / "missing.sqlite")
    text = tmp_path / "text.sqlite"
    text.write_text("not a database, but long enough to be looked at as one" * 100)
    with pytest.raises(UserError, match="not a store"):
        Store(text)
    with pytest.raises(ResultError, match="not a store"):
        stored.sweeps(text)
    other = tmp_path / "other.sqlite"
    sqlite3.connect(other).execute("CREATE TABLE mine (a)").connection.close()
    for create in (False, True):
        with pytest.raises(UserError, match="not a store of this suite"):
            Store(other, create=create)


def test_a_newer_schema_is_refused(store: Store) -> None:
    database = sqlite3.connect(store.path)
    database.execute("UPDATE about SET schema = 99")
    database.commit()
    database.close()
    with pytest.raises(UserError, match="schema 99 is newer than"):
        Store(store.path)
    with pytest.raises(ResultError, match="schema 99 is newer than"):
        stored.sweeps(store.path)
