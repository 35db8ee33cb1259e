"""Programs that the launcher runs, with their output in a log."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

from launcher import processes


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_a_command_is_being_started_leaves_nothing_behind(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[str]] = []

    class Interrupted(subprocess.Popen):  # type: ignore[type-arg]
        """The signal arrives when the command runs and before the caller knows of it."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self)
            os.kill(os.getpid(), number)

    def ended(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    before = {one: signal.signal(one, ended) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        with pytest.raises(KeyboardInterrupt):
            processes.follow(["sleep", "600"], tmp_path / "log")
        assert {one: signal.getsignal(one) for one in before} == dict.fromkeys(before, ended)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        started[0].kill()
        assert started[0].stdout
        started[0].stdout.close()
    assert started[0].wait(PATIENCE) == -signal.SIGTERM


def test_a_command_that_there_is_not_leaves_the_handlers_as_they_were(tmp_path: Path) -> None:
    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    with pytest.raises(FileNotFoundError):
        processes.follow([str(tmp_path / "none")], tmp_path / "log")
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == before
