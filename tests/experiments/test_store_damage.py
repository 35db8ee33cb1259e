"""A store in which bits have flipped: what is damaged is named, and the rest goes on."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from store_tools import fill

from experiments.__main__ import main

NAMES = ("mi", "mi-plus", "aimd")
RESULTS = [json.loads((ROOT / f"tests/data/runs/{name}.json").read_text()) for name in NAMES]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of three runs of one sweep."""
    labelled = list(zip(NAMES, RESULTS, strict=True))
    return fill(tmp_path / "store.sqlite", "mine", labelled, figure="goodput")


def flip(path: Path, column: str, draw: random.Random, run: int = 0) -> str:
    """Flip a bit of a run's column, so that it is still a text where it was one; return its key."""
    with sqlite3.connect(path) as database:
        rows = database.execute(f"SELECT key, {column} FROM run ORDER BY key").fetchall()
        key, old = rows[run]
        content = bytearray(old.encode() if isinstance(old, str) else old)
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(7)
        new: Any = content.decode() if isinstance(old, str) else bytes(content)
        database.execute(f"UPDATE run SET {column} = ? WHERE key = ?", (new, key))
    database.close()
    return key


@pytest.mark.parametrize("column", ["result", "scenario", "digest"])
def test_every_flipped_bit_is_found(
    column: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = path.read_bytes()
    assert main(["store", "check", "--store", str(path)]) == 0
    assert capsys.readouterr().out == "3 runs, 0 damaged\n"
    for seed in range(60):
        key = flip(path, column, random.Random(seed))
        assert main(["store", "check", "--store", str(path)]) == 1
        told = capsys.readouterr().out.splitlines()
        assert len(told) == 2
        assert f"run {key[:12]}: the " in told[0]
        assert " damaged (" in told[0]
        assert told[1] == "3 runs, 1 damaged"
        path.with_name("store.sqlite-wal").unlink(missing_ok=True)
        path.write_bytes(whole)


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        (["store", "export", "mine", "all.csv"], 2),
        (["store", "export", "mine", "x.csv", "--chunks"], 2),
    ],
)
def test_a_damaged_result_is_named_once_and_the_rest_goes_on(
    words: list[str],
    rows: int,
    path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(path.parent)
    key = flip(path, "result", random.Random(1))
    assert main([*words, "--store", str(path)]) == 0
    (told,) = [record.getMessage() for record in caplog.records]
    assert f"run {key[:12]}: the result is damaged" in told
    assert "\n" not in told
    left = Path(words[3]).read_text().splitlines()[1:]
    assert len({line.split(",")[0] for line in left}) == rows


def test_what_cannot_be_read_is_shown_as_it_is(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect(path) as database:
        database.execute("UPDATE run SET line = '{', scenario = 'x' WHERE rowid = 1")
    assert main(["store", "list", "mine", "--store", str(path)]) == 0
    assert "damaged: {" in capsys.readouterr().out
    key = flip(path, "result", random.Random(1))
    assert main(["store", "show", key, "--store", str(path)]) == 1
    error = capsys.readouterr().err
    assert f"run {key[:12]}: the result is damaged" in error
    assert error.count("\n") == 1


def test_mending_queues_what_can_be_simulated_again(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = flip(path, "result", random.Random(2), run=0)
    lost = flip(path, "scenario", random.Random(2), run=1)
    assert main(["store", "check", "--mend", "--store", str(path)]) == 0
    assert "3 runs, 2 damaged; the next ./gridftp sweep" in capsys.readouterr().out
    with sqlite3.connect(path) as database:
        states = dict(database.execute("SELECT key, state FROM run"))
    assert states.pop(again) == "queued"
    assert lost not in states
    assert list(states.values()) == ["done"]
    assert main(["store", "check", "--store", str(path)]) == 0


def test_a_file_that_sqlite_cannot_read_is_one_line(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = bytearray(path.read_bytes())
    for page in range(2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 64] = bytes(64)
    path.write_bytes(content)
    assert main(["store", "check", "--store", str(path)]) == 1
    error = capsys.readouterr().err
    assert str(path) in error or "cannot read the store" in error
    assert error.count("\n") == 1
