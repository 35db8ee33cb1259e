"""Builds of the launcher: once for each change, one at a time, repaired when they were cut off."""

from __future__ import annotations

import fcntl
import signal
import sys
from pathlib import Path

from launcher_sandbox import Sandbox
from patience import PATIENCE

from launcher.processes import logged
from launcher.progress import Progress


def test_only_a_changed_source_is_a_reason_to_build(ready: Sandbox) -> None:
    (ready.root / "README.md").touch()
    ready.launch("run")
    assert ready.builds() == 1
    ready.write_source("changed")
    ready.launch("run")
    assert ready.builds() == 2
    (ready.root / "scratch/new.h").touch()
    ready.launch("run")
    assert ready.builds() == 3


def test_tests_are_compiled_by_build_and_not_by_run(fresh: Sandbox) -> None:
    compiled = fresh.root / "build/wheel/with-tests"
    assert fresh.launch("run").returncode == 7
    assert not compiled.exists()
    assert fresh.launch("build").returncode == 0
    assert compiled.exists()
    # A changed test is no reason for `run` to build, but one for `build`.
    (fresh.root / "contrib/gridftp/test/new.cc").touch()
    fresh.launch("run")
    assert fresh.builds() == 2
    fresh.launch("build")
    assert fresh.builds() == 3


def test_a_failed_build_shows_the_compiler_and_is_tried_again(ready: Sandbox) -> None:
    ready.write_source("broken")
    for _ in range(2):
        done = ready.launch("run")
        assert (done.returncode, done.stdout) == (1, "")
        assert "gridftp-transfer.cc:1:1: error: broken\n" in done.stderr
        assert "Compiling" not in done.stderr
        assert done.stderr.endswith("the build failed (all of it: build/wheel.log)\n")
    ready.write_source("fine")
    assert ready.launch("run").returncode == 7


def test_two_at_once_build_once(ready: Sandbox) -> None:
    ready.write_source("slow")
    first = ready.start("run", "first")
    ready.wait_for_build()
    second = ready.start("run", "second")
    assert second.stderr
    assert "waiting for another ./gridftp" in second.stderr.readline()
    ready.let_build_go_on()
    assert first.communicate(timeout=PATIENCE)[0].endswith("first\n")
    assert second.communicate(timeout=PATIENCE)[0].endswith("second\n")
    assert ready.builds() == 2


def test_what_is_built_is_there_while_tests_are_added(ready: Sandbox) -> None:
    ready.write_source("slow")
    ready.let_build_go_on()
    ready.launch("run")
    ready.hold_builds()
    adding = ready.start("build")
    ready.wait_for_build()
    done = ready.launch("run")
    assert (done.returncode, done.stderr) == (7, "")
    ready.let_build_go_on()
    adding.communicate(timeout=PATIENCE)
    assert adding.returncode == 0


def test_the_lock_of_a_launcher_that_died_holds_nobody_up(ready: Sandbox) -> None:
    ready.write_source("slow")
    first = ready.start("run")
    ready.wait_for_build()
    first.kill()
    first.communicate()
    ready.write_source("fine")
    done = ready.launch("run")
    assert done.returncode == 7
    assert "waiting" not in done.stderr


def test_a_lock_that_is_held_is_waited_for(ready: Sandbox) -> None:
    ready.write_source("changed")
    with open(ready.root / "build/launcher.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = ready.start("run")
        assert waiting.stderr
        assert "waiting for another" in waiting.stderr.readline()
        assert ready.builds() == 1
    waiting.communicate(timeout=PATIENCE)
    assert (waiting.returncode, ready.builds()) == (7, 2)


def test_ctrl_c_ends_it_cleanly(ready: Sandbox) -> None:
    ready.write_source("slow")
    running = ready.start("run")
    ready.wait_for_build()
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=PATIENCE)
    assert (running.returncode, output) == (130, "")
    assert "Traceback" not in errors
    ready.let_build_go_on()
    assert ready.launch("run").returncode == 7


def test_a_log_can_be_followed_while_it_is_written(tmp_path: Path) -> None:
    log = tmp_path / "tool.log"
    followed = []

    class Follower(Progress):
        """Reads the log as soon as the tool has said something."""

        def line(self, text: str) -> None:
            followed.append(log.read_text(encoding="utf-8"))

    tool = [sys.executable, "-c", "print('one'); print('two')"]
    logged(tool, log, "it failed", progress=Follower("tool"))
    assert followed == ["one\n", "one\ntwo\n"]
