"""The pool of processes: whatever a program does to a run, the other runs go on."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from stand_ins import write_bare_program

from experiments.errors import ProgramError
from experiments.programs import pool
from experiments.programs.pool import Answer, Limits, Task, run_pool
from experiments.programs.processes import end
from experiments.programs.program import Program

STAND_IN = """
import json, os, signal, sys, time
for text in sys.stdin:
    line = json.loads(text)
    do = line.get("do", "answer")
    if do == "crash":
        sys.stderr.write("terminate called\\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    if do == "leave":
        sys.stderr.write("no more of this\\n")
        sys.exit(3)
    if do == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    if do == "rubbish":
        print("Segmentation fault? No: 42")
    elif do == "half":
        sys.stdout.write('{"status": "do')
        sys.stdout.flush()
        sys.exit(0)
    elif do == "eat":
        try:
            much = bytearray(3_000_000_000)
        except MemoryError:
            sys.stderr.write("out of memory\\n")
            sys.exit(1)
        print(json.dumps({"status": "done", "n": len(much)}))
    elif do == "write":
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # as a program in C++ has it
        while True:
            sys.stderr.write("x" * 1_000_000)
    else:
        print(json.dumps({"status": "done", "n": line["n"], "pid": os.getpid()}))
    sys.stdout.flush()
"""


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(write_bare_program(tmp_path / "stand-in", STAND_IN))


def go(program: Program, wants: list[str], limits: Limits | None = None) -> dict[str, Answer]:
    """Run one task for each thing wanted, named by its place; return the answers."""
    tasks = [Task(str(n), {"do": want, "n": n}) for n, want in enumerate(wants)]
    begun: list[str] = []
    answers: dict[str, Answer] = {}

    def answered(answer: Answer) -> None:
        assert answer.key not in answers
        answers[answer.key] = answer

    run_pool(program, tasks, 2, limits or Limits(), begun.append, answered)
    assert begun == [task.key for task in tasks]
    assert answers.keys() == set(begun)
    return answers


def test_a_process_answers_many(program: Program) -> None:
    answers = go(program, ["answer"] * 100)
    assert all(answer.reason is None for answer in answers.values())
    pids = {answer.text.split(b'"pid": ')[1] for answer in answers.values()}
    assert len(pids) == 2


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("crash", "was killed by SIGSEGV: terminate called"),
        ("leave", "ended with exit status 3: no more of this"),
        ("rubbish", "printed something that is not a result: 'Segmentation fault? No: 42\\n'"),
        ("half", 'printed something that is not a result: \'{"status": "do\''),
    ],
)
def test_what_goes_wrong_is_told_and_the_others_go_on(
    what: str, reason: str, program: Program
) -> None:
    answers = go(program, ["answer", what, "answer", what, "answer", "answer"])
    for number, answer in answers.items():
        if number in ("1", "3"):
            assert answer.text is None
            assert answer.reason == reason
            assert not answer.timed_out
        else:
            assert f'"n": {number}'.encode() in answer.text


def test_what_hangs_is_ended(program: Program) -> None:
    answers = go(program, ["hang", "answer", "answer"], Limits(wall_s=0.5))
    assert answers["0"].timed_out
    assert answers["0"].reason == "took longer than 0.5 s"
    assert answers["1"].reason is answers["2"].reason is None


def test_what_takes_too_much_memory_fails(program: Program) -> None:
    answers = go(program, ["eat", "answer"], Limits(memory_bytes=1_000_000_000))
    assert answers["0"].reason == "ended with exit status 1: out of memory"
    assert answers["1"].reason is None


def test_what_would_fill_the_disk_is_ended(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "MOST_WRITTEN", 3_000_000)
    answers = go(program, ["answer", "write", "answer"])
    assert answers["1"].reason == "wrote more than 3 MB"
    assert answers["0"].reason is answers["2"].reason is None


def test_a_lower_limit_of_the_machine_stays(program: Program) -> None:
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (10**8, 10**8))\n"
        "from pathlib import Path; import test_pool\n"
        "from experiments.programs.program import Program\n"
        "answers = test_pool.go(Program(Path(sys.argv[1])), ['answer', 'answer'])\n"
        "assert all(answer.reason is None for answer in answers.values()), answers\n"
    )
    here = Path(__file__).parent
    folders = (here, here.parent / "tools", here.parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code, program.path],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="no-such"):
        go(Program(tmp_path / "no-such"), ["answer"])


def test_the_end_of_a_process_that_has_just_ended_is_awaited() -> None:
    async def run_and_end() -> int | None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", "", process_group=0)
        # Nothing else happens here until it is gone: asyncio has not heard of it.
        while Path(f"/proc/{process.pid}").exists():
            time.sleep(0.01)
        assert process.returncode is None
        await end(process)
        return process.returncode

    assert asyncio.run(run_and_end()) == 0
