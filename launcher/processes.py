"""Other processes: one launcher at a time, tools with their output in a log, becoming a program."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Iterator, NoReturn

from .messages import UserError, say
from .places import BUILD, ROOT
from .progress import Progress


@contextlib.contextmanager
def only_one(file: Path = BUILD / "launcher.lock") -> Iterator[None]:
    """Keep a second launcher waiting while this one changes .venv or build/; or what has `file`."""
    file.parent.mkdir(exist_ok=True)
    with open(file, "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another ./gridftp that is setting up or building here")
            fcntl.flock(lock, fcntl.LOCK_EX)
        # The system releases it when this process ends, however it ends.
        yield


def logged(
    command: list[str],
    log: Path,
    failed: str,
    environment: dict[str, str] | None = None,
    progress: Progress | None = None,
) -> None:
    """Run a command with its output in a log; where it fails, show what it complained about."""
    status, output = follow(command, log, environment, progress)
    if status:
        for line in complaints(output):
            print(line, file=sys.stderr)
        raise UserError(f"{failed} (all of it: {log.relative_to(ROOT)})")


def follow(
    command: list[str],
    log: Path,
    environment: dict[str, str] | None = None,
    progress: Progress | None = None,
) -> tuple[int, list[str]]:
    """Run a command with its output in a log; return its exit status and the lines of the output.

    The command, with what it has started (CMake starts Ninja, which starts compilers), ends when
    this process is interrupted.
    """
    output: list[str] = []
    # By the line, for whoever follows the log: what fills a buffer can take a build minutes.
    with open(log, "a", encoding="utf-8", buffering=1) as file, _started(
        command, environment
    ) as child:
        assert child.stdout
        try:
            for line in child.stdout:
                file.write(line)
                output.append(line.rstrip("\n"))
                if progress:
                    progress.line(line)
        finally:
            if progress:
                progress.clear()
        status = child.wait()
    return status, output


@contextlib.contextmanager
def _started(
    command: list[str], environment: dict[str, str] | None
) -> Iterator[subprocess.Popen[str]]:
    """Start a command in a session of its own; whatever of it runs at the end is terminated.

    A signal that arrives while the command is being started is handled once it has been: Python
    would leave Popen() with an exception, and nobody would know what to terminate.
    """
    child: subprocess.Popen[str] | None = None
    came: list[int] = []
    held = (signal.SIGINT, signal.SIGTERM)
    handlers = {one: signal.signal(one, lambda number, _: came.append(number)) for one in held}
    try:
        try:
            child = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        finally:
            for one, handler in handlers.items():
                signal.signal(one, handler)
        for number in came:
            signal.raise_signal(number)
        yield child
    finally:
        if child:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGTERM)
                child.wait()
            if child.stdout:
                child.stdout.close()


def complaints(output: list[str], most: int = 60) -> list[str]:
    """The part of a tool's output that a person needs: no progress, no commands, not endless."""
    waf = (
        r"\[ *\d+/\d+\] |\d\d:\d\d:\d\d runner |Waf: |Setting \w+ to |Checking for .*: (yes|/)|"
        + (r"Build failed| -> task in |\s*\{task |\['/|\(complete log in ")
    )
    uv = r"(Using|Resolved|Prepared|Installed|Uninstalled|Audited) | [+~-] "
    # Without a network pip tries five times, and prints why each time; once is enough.
    pip = (
        r"Collecting |  (Downloading|Using cached) |Installing |Looking in |\[notice\]|"
        + r"WARNING: Retrying \(Retry\(total=[0-3],"
    )
    compiler = r"    inlined from |\s*$"
    noise = re.compile(f"{waf}|{uv}|{pip}|{compiler}")
    kept = [line[:300] for line in output if not noise.match(line)]
    if len(kept) > most:
        kept = [*kept[:most], f"... {len(kept) - most} lines more"]
    return kept


def become(
    program: Path, arguments: list[str], environment: dict[str, str] | None = None
) -> NoReturn:
    """Turn into another program: its exit status and its signals are then the user's."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(program, [str(program), *arguments], environment or dict(os.environ))
