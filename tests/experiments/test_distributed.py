"""Sweeps on workers of Dask: a real scheduler and real workers, as processes on this machine.

Whatever happens to workers, programs or the sweep, the store has each run once.
"""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import ROOT
from patience import PATIENCE
from stand_ins import write_bare_program
from test_pool import STAND_IN
from test_sweep import counts, start, write_spec

WHY = "the packages of the group dask are not installed; ./gridftp test installs them"
pytest.importorskip("distributed", reason=WHY)

import psutil  # noqa: E402
from dask_tools import Cluster, simulating, wait_for  # noqa: E402

from experiments.__main__ import main  # noqa: E402
from experiments.cluster import dask_worker, distributed  # noqa: E402
from experiments.cluster.dispatcher import BATCH_RUNS, batch_s, take  # noqa: E402
from experiments.cluster.distributed import DaskPool  # noqa: E402
from experiments.programs.pool import Answer, Limits, Task  # noqa: E402
from experiments.programs.program import Program, locate  # noqa: E402
from experiments.programs.sources import engine_hash  # noqa: E402
from experiments.verbs import sweep  # noqa: E402

# A stand-in of test_pool.py that can also end the worker that has started it.
KILLER = '    if do == "kill":\n        os.kill(os.getppid(), signal.SIGKILL)\n'
LEAVE = '    if do == "leave":\n'
assert LEAVE in STAND_IN


@pytest.fixture(scope="module")
def folder(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real programs, and a stand-in."""
    folder = tmp_path_factory.mktemp("bin")
    for program in programs.iterdir():
        (folder / program.name).symlink_to(program.resolve())
    write_bare_program(folder / "stand-in", STAND_IN.replace(LEAVE, KILLER + LEAVE))
    return folder


@pytest.fixture(scope="module")
def cluster(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One with two workers."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), folder)
    cluster.start_worker()
    cluster.start_worker()
    yield cluster
    cluster.close()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


def rows(store: Path) -> list[tuple[str, str, str, int]]:
    """Key, state, digest and attempts of each run."""
    database = sqlite3.connect(store)
    try:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return database.execute(
            "SELECT key, state, digest, attempts FROM run ORDER BY key"
        ).fetchall()
    finally:
        database.close()


def simulated(store: Path) -> bool:
    return store.exists() and counts(store).get("done", 0) > 0


# ---- real sweeps --------------------------------------------------------------------------------


def test_it_keeps_what_a_sweep_on_this_machine_keeps(
    cluster: Cluster, tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_spec(tmp_path, replications=5)
    assert len(cluster.workers()) == 2
    assert main(["sweep", str(path), f"--store={store}", f"--dask={cluster.address}"]) == 0
    told = capsys.readouterr()
    assert "20 simulations, 0 already stored; 20 to do\n" in told.err
    assert "Dask: 2 workers, 2 runs at a time" in told.err
    assert "small: 20 done" in told.out
    here = tmp_path / "here.sqlite"
    assert main(["sweep", str(path), f"--store={here}"]) == 0
    assert rows(store) == rows(here)
    assert main(["sweep", str(path), f"--store={store}", f"--dask={cluster.address}"]) == 0
    assert "20 already stored; 0 to do" in capsys.readouterr().err
    assert cluster.log().count("Run preload setup: experiments.cluster.dask_worker") == 2
    assert "Failed" not in cluster.log()


def test_a_worker_takes_the_hashes_when_it_starts(programs: Path) -> None:
    engine_hash.cache_clear()
    dask_worker.dask_setup(None)
    missed = engine_hash.cache_info().misses
    assert missed == 2
    program = locate("gridftp-transfer")
    sources = {engine: engine_hash(program, engine) for engine in ("segment", "ns3")}
    assert dask_worker.refusal("gridftp-transfer", sources) is None
    assert engine_hash.cache_info().misses == missed


def holds(worker: psutil.Process) -> bool:
    """Whether a worker simulates something; if so it is stopped, and cannot end that."""
    worker.suspend()
    if simulating(worker):
        return True
    worker.resume()
    return False


def test_what_a_killed_worker_had_is_done_by_another(
    cluster: Cluster, tmp_path: Path, store: Path
) -> None:
    path = write_spec(tmp_path, size="3GB", replications=4)
    first, _ = cluster.workers()
    process = start(["sweep", str(path), f"--store={store}", f"--dask={cluster.address}"])
    wait_for(lambda: simulated(store) and holds(first))
    first.kill()
    assert counts(store)["done"] < 16
    assert process.wait(PATIENCE) == 0
    here = tmp_path / "here.sqlite"
    assert main(["sweep", str(path), f"--store={here}"]) == 0
    assert rows(store) == rows(here)


def test_ctrl_c_ends_what_the_workers_do(cluster: Cluster, tmp_path: Path, store: Path) -> None:
    path = write_spec(tmp_path, size="3TB", replications=2)  # longer than this test waits
    process = start(["sweep", str(path), f"--store={store}", f"--dask={cluster.address}"])
    workers = cluster.workers()

    def programs() -> list[psutil.Process]:
        return [child for worker in workers for child in simulating(worker)]

    wait_for(lambda: len(programs()) == 2)
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    assert {state for _, state, _, _ in rows(store)} == {"queued"}
    wait_for(lambda: not programs())
    # and so they do if the sweep is killed
    process = start(["sweep", str(path), f"--store={store}", f"--dask={cluster.address}"])
    wait_for(lambda: len(programs()) == 2)
    process.kill()
    process.wait()
    wait_for(lambda: not programs())


def test_a_worker_that_is_ended_ends_what_it_does(
    folder: Path, tmp_path: Path, store: Path
) -> None:
    cluster = Cluster(tmp_path, folder)
    nanny = cluster.start_worker()
    (worker,) = cluster.workers(1)
    path = write_spec(tmp_path, size="3TB", replications=2)
    process = start(["sweep", str(path), f"--store={store}", f"--dask={cluster.address}"])
    try:
        wait_for(lambda: simulating(worker))
        (program,) = simulating(worker)
        nanny.terminate()
        nanny.wait(PATIENCE)
        wait_for(lambda: not program.is_running())
        assert process.poll() is None  # it waits for another one
    finally:
        process.kill()
        process.wait()
        cluster.close()


def test_workers_that_are_started_here(programs: Path, tmp_path: Path, store: Path) -> None:
    words = [f"--store={store}", "--dask=local", "--jobs=2"]
    assert main(["sweep", str(write_spec(tmp_path)), *words]) == 0
    assert counts(store) == {"done": 12}
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments", "sweep", str(write_spec(tmp_path, "3TB")), *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stderr.readline().endswith("12 to do\n")
        assert process.stderr.readline() == "Dask: 2 workers, 2 runs at a time\n"
        started = psutil.Process(process.pid).children(recursive=True)
        assert len(started) >= 3
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, told = process.communicate(timeout=PATIENCE)
    finally:
        process.terminate()
        process.communicate()
    # Before it, where that took long, how far it was
    assert told.splitlines()[-1] == "gridftp sweep: interrupted"
    assert process.returncode == 130
    wait_for(lambda: not any(map(psutil.Process.is_running, started)))


@pytest.mark.extensive
def test_workers_may_come_late_and_the_scheduler_may_go(
    folder: Path, tmp_path: Path, store: Path
) -> None:
    cluster = Cluster(tmp_path, folder)
    words = ["sweep", str(write_spec(tmp_path, size="100GB", replications=9)), f"--store={store}"]
    process = subprocess.Popen(
        [sys.executable, "-m", "experiments", *words, f"--dask={cluster.address}"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr.readline().endswith("36 to do\n")
        assert "waiting for a worker; to start one: " in process.stderr.readline()
        cluster.start_worker()
        assert process.stderr.readline() == "Dask: 1 worker, 1 at a time\n"
        wait_for(lambda: simulated(store))
        cluster.scheduler.kill()
        _, told = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        cluster.close()
    # Before it, where that took long, how far it was
    assert told.splitlines()[-1] == (
        "gridftp sweep: the connection to Dask's scheduler is lost; completed runs are stored"
    )
    assert process.returncode == 1
    assert counts(store).keys() == {"done", "queued"}


# A batch system of one node, which runs what is submitted at once.
SBATCH = """#!/bin/sh
cp "$1" job.sh
setsid sh job.sh > job.log 2>&1 &
echo $! > job.pid
echo "Submitted batch job 1"
"""


@pytest.mark.extensive
def test_the_example_for_slurm(programs: Path, tmp_path: Path, store: Path) -> None:
    text = (ROOT / "contrib/gridftp/doc/how-to/machines.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.S)
    example = example.replace("cores=16", "cores=1").replace("jobs=10", "jobs=1")
    (tmp_path / "slurm.py").write_text(example)
    for name in ("experiments", "analysis", "contrib", "launcher"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "build/current").mkdir(parents=True)
    (tmp_path / "build/current/bin").symlink_to(programs.resolve())
    launcher = f'#!/bin/sh\nexec "{sys.executable}" -m experiments "$@"\n'
    for name, lines in (("gridftp", launcher), ("sbatch", SBATCH), ("scancel", "#!/bin/sh\n")):
        (tmp_path / name).write_text(lines)
        (tmp_path / name).chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    process = subprocess.run(
        [sys.executable, "slurm.py", str(write_spec(tmp_path)), f"--store={store}"],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    job = int((tmp_path / "job.pid").read_text())
    wait_for(lambda: not psutil.pid_exists(job))
    assert process.returncode == 0, process.stderr
    assert "experiments.cluster.dask_worker" in (tmp_path / "job.log").read_text()
    assert counts(store) == {"done": 12}


# ---- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "http://127.0.0.1:1", ""])
def test_a_wrong_address_is_refused_in_one_line(
    address: str,
    programs: Path,
    tmp_path: Path,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(distributed, "CONNECT_S", 0.5)
    path = write_spec(tmp_path)
    assert main(["sweep", str(path), f"--store={store}", f"--dask={address}"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"gridftp sweep: --dask {address}: no Dask scheduler answers: ")
    assert told.count("\n") == 1
    assert not store.exists()


def test_without_dask_it_says_how_to_get_it(
    programs: Path,
    tmp_path: Path,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delitem(sys.modules, "experiments.cluster.distributed")
    monkeypatch.setitem(sys.modules, "distributed", None)
    path = write_spec(tmp_path)
    assert main(["sweep", str(path), f"--store={store}", "--dask=local"]) == 2
    told = capsys.readouterr().err
    assert told == (
        "gridftp sweep: --dask: distributed is not installed: use ./gridftp sweep, "
        "which installs it\n"
    )
    assert not store.exists()


def test_a_worker_of_other_sources_is_refused(
    cluster: Cluster,
    tmp_path: Path,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sweep, "engine_hash", lambda *_: "of another checkout")
    cluster.workers(1)  # those that the tests before have killed come back
    path = write_spec(tmp_path)
    assert main(["sweep", str(path), f"--store={store}", f"--dask={cluster.address}"]) == 2
    told = capsys.readouterr().err
    assert f"worker on {os.uname().nodename}" in told
    assert "the sources of engine segment differ from those of this sweep" in told
    assert told.count("\n") == 1
    assert not store.exists()


def test_a_worker_without_this_project_is_refused(
    folder: Path, tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cluster = Cluster(tmp_path, folder)
    try:
        cluster.start_worker(PYTHONPATH="")
        assert len(cluster.workers(1)) == 1
        path = write_spec(tmp_path)
        assert main(["sweep", str(path), f"--store={store}", f"--dask={cluster.address}"]) == 2
        told = capsys.readouterr().err
        assert "does not find this project" in told
        assert "start it with ./gridftp dask worker" in told
        assert told.count("\n") == 1
    finally:
        cluster.close()


# ---- programs that go wrong ---------------------------------------------------------------------


def go(cluster: Cluster, folder: Path, wants: list[str], limits: Limits) -> dict[str, Answer]:
    """Have the stand-in do each thing wanted, named by its place; return the answers."""
    program = Program(folder / "stand-in")
    sources = engine_hash(program, "segment")
    tasks = [Task(str(n), {"do": want, "n": n}, "segment", sources) for n, want in enumerate(wants)]
    begun: list[str] = []
    answers: dict[str, Answer] = {}

    def answered(answer: Answer) -> None:
        assert answer.key not in answers
        answers[answer.key] = answer

    DaskPool(cluster.address)(program, tasks, 1, limits, begun.append, answered)
    assert begun == [task.key for task in tasks]
    assert answers.keys() == set(begun)
    return answers


def test_what_goes_wrong_on_a_worker_fails_its_run_only(cluster: Cluster, folder: Path) -> None:
    wants = ["answer", "crash", "answer", "hang", "eat", "rubbish", "answer"]
    answers = go(cluster, folder, wants, Limits(wall_s=0.5, memory_bytes=1_000_000_000))
    reasons = [answers[str(number)].reason for number in range(len(wants))]
    assert reasons == [
        None,
        "was killed by SIGSEGV: terminate called",
        None,
        "took longer than 0.5 s",
        "ended with exit status 1: out of memory",
        "printed something that is not a result: 'Segmentation fault? No: 42\\n'",
        None,
    ]
    assert answers["3"].timed_out
    assert all(b'"done"' in answers[number].text for number in "026")


def test_a_run_that_kills_its_workers_is_found_among_others(cluster: Cluster, folder: Path) -> None:
    wants = ["answer"] * 5 + ["kill"] + ["answer"] * 5
    answers = go(cluster, folder, wants, Limits())
    assert answers.pop("5").reason.startswith(
        "2 workers died while they simulated it; the last was tcp://127.0.0.1:"
    )
    assert all(answer.reason is None for answer in answers.values())


def test_a_worker_that_comes_with_other_sources_fails_its_runs(
    cluster: Cluster, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.engine_hash", lambda *_: "of another checkout")
    (answer,) = go(cluster, folder, ["answer"], Limits()).values()
    assert answer.text is None
    assert f"worker on {os.uname().nodename}: the sources of engine segment" in answer.reason


def test_a_worker_without_programs_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(tmp_path))
    assert "is not built" in dask_worker.refusal("gridftp-transfer", {"segment": "any"})


# ---- batches ------------------------------------------------------------------------------------


def test_cheap_runs_go_together_and_long_ones_alone() -> None:
    waiting = deque(Task(str(s), {}, guess_s=s) for s in (50, 3, 1.2, 0.7, 0.2, 0.2))
    taken = [[task.guess_s for task in take(waiting, 2.0)] for _ in range(4)]
    assert taken == [[50], [3], [1.2, 0.7], [0.2, 0.2]]
    waiting = deque([Task("cheap", {}, guess_s=1e-6)] * (BATCH_RUNS + 1))
    assert [len(take(waiting, 2.0)) for _ in range(2)] == [BATCH_RUNS, 1]


def test_what_is_left_makes_four_batches_a_thread_within_bounds() -> None:
    assert batch_s(8.0, 2) == 1.0
    assert batch_s(16.01, 2) == batch_s(1e9, 1000) == 2.0
    assert batch_s(0.79, 2) == batch_s(0.0, 2) == 0.1
    # No worker is there yet: the first one will have one thread or more.
    assert batch_s(4.0, 0) == 1.0


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("exit 7", "the local workers ended with exit status 7"),
        ("exec sleep 300", "2 workers have not started in 0.2 s"),
    ],
)
def test_local_workers_that_do_not_start(
    program: str,
    told: str,
    tmp_path: Path,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{program}\n")
    python.chmod(0o755)
    monkeypatch.setattr(distributed, "sys", SimpleNamespace(executable=str(python)))
    if "sleep" in program:
        monkeypatch.setattr(distributed, "START_S", 0.2)
    words = ["sweep", str(write_spec(tmp_path)), f"--store={store}", "--dask=local", "--jobs=2"]
    assert main(words) == 1
    assert f"Dask: {told}\n" in capsys.readouterr().err
    assert counts(store) == {"queued": 12}
