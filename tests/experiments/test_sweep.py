"""Sweeps: what a spec declares is simulated once, whatever interrupts it."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from patience import PATIENCE

from analysis.read import stored
from experiments.__main__ import main
from experiments.run import simulate
from experiments.store.store import Store

SPEC = """
title = "A small sweep"

[fixed]
file-size = "{size}"
chunk-size = "10MB"
start-jitter = "1ms"

[[block]]
label = "curve"
replications = {replications}
[block.cross]
mode = ["mi", "aimd"]
bandwidth = ["20Mbps", "100Mbps"]
"""


def write_spec(folder: Path, size: str = "20MB", replications: int = 3) -> Path:
    path = folder / "small.toml"
    path.write_text(SPEC.format(size=size, replications=replications))
    return path


def counts(store: Path) -> dict[str, int]:
    return stored.sweeps(store).get("small", {})


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


def test_a_sweep_is_simulated_once(
    programs: Path, tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["sweep", str(write_spec(tmp_path)), f"--store={store}"]
    assert main([*words, "--dry-run"]) == 0
    assert "12 simulations, 0 done, 12 to do" in capsys.readouterr().out
    assert not store.exists()
    assert main(words) == 0
    told = capsys.readouterr()
    assert "12 to do" in told.err
    assert "small: 12 done" in told.out
    assert main(words) == 0
    assert "12 already stored; 0 to do" in capsys.readouterr().err
    table = stored.session_table(store, "small")
    assert len(table) == 12
    assert set(table["label"]) == {"curve"}
    assert table.groupby(["mode", "bandwidth_bps"])["run"].apply(list).tolist() == [[1, 2, 3]] * 4
    # more of it: what is there stays
    write_spec(tmp_path, replications=5)
    assert main([*words, "--dry-run"]) == 0
    told = capsys.readouterr().out
    assert "20 simulations, 12 done, 8 to do" in told
    assert re.search(r"time: segment about [\d.]+ s", told)
    assert re.search(r"disk: about [\d.]+ MB", told)


def test_a_refused_value_names_the_spec(
    programs: Path, tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_spec(tmp_path, size="20 bananas")
    assert main(["sweep", str(path), f"--store={store}"]) == 2
    told = capsys.readouterr().err
    assert str(path) in told
    assert "20 bananas" in told
    assert told.count("\n") == 1
    assert not store.exists()


def test_failures_do_not_stop_it(
    programs: Path, tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "small.toml"
    path.write_text(
        'title = "One of three cannot be done"\n[[block]]\nlabel = "x"\n[block.fixed]\n'
        'mode = "fixed"\nfile-size = "10KB"\n[block.cross]\n'
        'bandwidth = ["1kbps", "1Mbps", "2Mbps"]\n'
    )
    words = ["sweep", str(path), f"--store={store}"]
    for more in ([], ["--retry"]):
        assert main([*words, *more]) == 1
        assert "session 0: control connection failed" in capsys.readouterr().out
        assert counts(store) == {"done": 2, "failed": 1}
    assert main(["store", "list", "--state=failed", f"--store={store}"]) == 0
    assert "control connection failed" in " ".join(capsys.readouterr().out.split())


def start(words: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "experiments", *words],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def test_killed_at_random_moments_it_goes_on(programs: Path, tmp_path: Path, store: Path) -> None:
    path = write_spec(tmp_path, size="3GB", replications=15)
    words = ["sweep", str(path), f"--store={store}", "--jobs=2"]
    draw = random.Random(7)
    done: list[int] = []
    for _ in range(5):
        process = start(words)
        time.sleep(draw.uniform(0.3, 1.5))
        process.kill()
        process.wait()
        if store.exists():
            database = sqlite3.connect(store)
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            database.close()
            done.append(counts(store).get("done", 0))
    assert done == sorted(done)  # nothing that was done is lost
    assert start(words).wait() == 0
    assert counts(store) == {"done": 60}
    table = stored.session_table(store, "small")
    assert len(table) == 60
    assert not table.duplicated(["mode", "bandwidth_bps", "run"]).any()


def test_ctrl_c_ends_it_cleanly(programs: Path, tmp_path: Path, store: Path) -> None:
    path = write_spec(tmp_path, size="10GB", replications=25)
    process = start(["sweep", str(path), f"--store={store}", "--jobs=2"])
    until = time.monotonic() + PATIENCE
    while not (store.exists() and counts(store).get("done")):
        assert time.monotonic() < until, "nothing is done"
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    left = subprocess.run(["pgrep", "-s", str(process.pid)], capture_output=True, check=False)
    assert left.stdout == b""
    assert counts(store)["done"] > 0
    assert set(counts(store)) <= {"done", "queued"}


def test_a_full_disk_ends_it_and_nothing_is_lost(
    programs: Path,
    tmp_path: Path,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["sweep", str(write_spec(tmp_path, replications=40)), f"--store={store}"]
    opened = Store.__init__

    def on_a_small_disk(self: Store, *path: Path, **how: bool) -> None:
        opened(self, *path, **how)
        ((pages,),) = self.query("PRAGMA page_count")
        self.query(f"PRAGMA max_page_count = {max(pages, 440)}")

    with monkeypatch.context() as small:
        small.setattr(Store, "__init__", on_a_small_disk)
        small.setattr(simulate, "FLUSH_S", 0.0)
        assert main(words) == 1
    assert f"{store}: database or disk is full" in capsys.readouterr().err
    with Store(store) as kept:
        assert kept.is_whole()
    before = counts(store)
    assert 0 < before["done"] < 160
    assert main(words) == 0
    assert counts(store) == {"done": 160}
    assert f"{before['done']} already stored" in capsys.readouterr().err


def test_two_specs_of_one_name_are_refused_and_a_replaced_one_is_told(
    programs: Path, tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = write_spec(tmp_path, replications=1)
    (tmp_path / "other").mkdir()
    second = write_spec(tmp_path / "other", replications=1)
    assert main(["sweep", str(first), str(second), f"--store={store}"]) == 2
    assert "another of the specs is called 'small', too" in capsys.readouterr().err
    second.write_text(second.read_text().replace("A small sweep", "Another one"))
    assert main(["sweep", str(first), f"--store={store}"]) == 0
    assert "replaces" not in capsys.readouterr().err
    assert main(["sweep", str(second), f"--store={store}"]) == 0
    assert "small: replaces the stored sweep of that name: A small sweep" in capsys.readouterr().err


def test_nothing_is_left_of_a_sweep_whose_engine_has_changed(
    programs: Path, tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_spec(tmp_path, replications=1)
    spec.write_text(spec.read_text().replace("\n[fixed]", 'figure = "goodput"\n[fixed]', 1))
    assert main(["sweep", str(spec), f"--store={store}"]) == 0
    with sqlite3.connect(store) as database:
        database.execute("UPDATE run SET sources = 'those of long ago'")
    assert main(["store", "gc", f"--store={store}"]) == 0
    assert "4 runs are deleted" in capsys.readouterr().out
    assert main(["plot", f"--store={store}", f"--results={tmp_path}"]) == 1
    assert "there is nothing to draw" in capsys.readouterr().err


def test_chunks_of_each_session_are_exported_as_its_own(
    programs: Path, tmp_path: Path, store: Path
) -> None:
    spec = tmp_path / "two.toml"
    spec.write_text(
        'title = "Two"\n[[block]]\nlabel = "x"\n[block.fixed]\nfile-size = "2MB"\n'
        'sessions = [{ mode = "mi" }, { mode = "aimd", delay = "40ms", file-size = "1MB" }]\n'
    )
    assert main(["sweep", str(spec), f"--store={store}"]) == 0
    table = stored.chunk_table(store, "two")
    rows = table.drop_duplicates("session").set_index("session")
    assert rows["mode"].tolist() == ["mi", "aimd"]
    assert rows["delay_s"].tolist() == [0.01, 0.04]
    assert rows["file_size_bytes"].tolist() == [2_000_000, 1_000_000]
    alone, with_others = (stored.session_table(store, "two", beside=b) for b in (False, True))
    assert "beside" not in alone
    assert alone["session"].tolist() == [0, 1]
    assert alone["mode"].tolist() == ["mi", "aimd"]
    assert alone["delay_s"].tolist() == [0.01, 0.04]
    beside = [json.loads(text)[0]["mode"] for text in with_others["beside"]]
    assert beside == ["aimd", "mi"]
    ((kept,),) = sqlite3.connect(store).execute("SELECT goodput_bps FROM run").fetchall()
    assert kept == alone["goodput_bps"].sum()
    with sqlite3.connect(store) as database:
        database.execute("UPDATE run SET state = 'queued', result = NULL")
    undone = stored.session_table(store, "two")
    assert undone["mode"].tolist() == ["mi", "aimd"]
    assert undone["goodput_bps"].isna().all()
    assert not len(stored.session_table(store, "two", undone=False))


def test_export_and_show(
    programs: Path, tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["sweep", str(write_spec(tmp_path, replications=1)), f"--store={store}"])
    for name, more, rows in (("runs.csv", [], 4), ("chunks.csv", ["--chunks"], 8)):
        out = tmp_path / name
        assert main(["store", "export", "small", str(out), *more, f"--store={store}"]) == 0
        assert len(out.read_text().splitlines()) == rows + 1
    table = pd.read_csv(tmp_path / "runs.csv")
    for result, row in zip(stored.results(store, "small"), table.to_dict("records"), strict=True):
        for key in ("mean_queue_packets", "max_queue_packets", "utilisation", "drops"):
            assert row[key] == pytest.approx(result[1].data["links"][0][key])
    assert main(["store", "export", "small", str(tmp_path / "x.xls"), f"--store={store}"]) == 2
    assert main(["store", "export", "smal", str(out), f"--store={store}"]) == 2
    assert "stored: small" in capsys.readouterr().err
    ((key,),) = sqlite3.connect(store).execute("SELECT key FROM run LIMIT 1").fetchall()
    assert main(["store", "show", key[:12], f"--store={store}"]) == 0
    kept = json.loads(capsys.readouterr().out)
    assert kept["state"] == "done"
    assert kept["result"]["status"] == "done"
    assert main(["store", "show", "zz", f"--store={store}"]) == 2
