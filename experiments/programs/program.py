"""The simulation programs: where they are, what they resolve options to, which build they are."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import ProgramError, UserError

BUILD_DIR = "GRIDFTP_BUILD_DIR"


@dataclass(frozen=True)
class Usage:
    """What a whole process took: user and system time, and the time that passed, in seconds."""

    cpu_s: float
    wall_s: float


@dataclass(frozen=True)
class Program:
    """One built program."""

    path: Path

    @property
    def name(self) -> str:
        """File name of the program."""
        return self.path.name

    def command(self, *options: str) -> list[str]:
        """Return the command line that runs it with the options."""
        return [str(self.path), *options]

    def call(self, *options: str) -> bytes:
        """Run it to its end and return what it printed.

        Raises:
            UserError: it refuses its input (exit status 2); the text is its own line.
            ProgramError: it cannot be started or ends with another status than 0.
        """
        try:
            done = subprocess.run(
                self.command(*options), stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
        except OSError as error:
            raise ProgramError(f"{self.path}: {error.strerror}") from None
        self._check(done.returncode, done.stderr, options)
        return done.stdout

    def measure(self, *options: str) -> tuple[bytes, Usage]:
        """Run it to its end and return what it printed, and what the whole process took.

        Raises:
            UserError, ProgramError: as for `call`.
        """
        with tempfile.TemporaryFile() as said:
            begun = time.monotonic()
            try:
                process = subprocess.Popen(
                    self.command(*options), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=said,
                )  # fmt: skip
            except OSError as error:
                raise ProgramError(f"{self.path}: {error.strerror}") from None
            text, usage = _reap(process)
            wall_s = time.monotonic() - begun
            said.seek(0)
            self._check(process.returncode, said.read(), options)
        return text, Usage(usage.ru_utime + usage.ru_stime, wall_s)

    def _check(self, status: int, said: bytes, options: tuple[str, ...]) -> None:
        """Raise if a process did not end well."""
        lines = said.decode(errors="replace").strip().splitlines()
        if status == 2:
            raise UserError(lines[-1] if lines else f"{self.name} refuses {' '.join(options)}")
        if status != 0:
            why = f": {lines[-1]}" if lines else ""
            raise ProgramError(f"{self.name} {ended(status)}{why}")

    def object(self, *options: str) -> dict[str, Any]:
        """Run it and return the one JSON object it printed.

        Raises:
            UserError, ProgramError: as for `call`; also if it prints anything else.
        """
        try:
            data = json.loads(self.call(*options))
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise ProgramError(f"{self.name} {' '.join(options)} printed no JSON object")
        return data

    def resolve(self, *options: str) -> dict[str, Any]:
        """Return the complete scenario the options stand for, without simulating it.

        Raises:
            UserError, ProgramError: as for `object`.
        """
        return self.object(*options, "--resolve")

    @cached_property
    def provenance(self) -> dict[str, str]:
        """What it says of itself: version, commit, ns3_version, build_profile, compiler.

        Raises:
            ProgramError: as for `object`; also if it does not say.
        """
        about = self.object("--file-size=1B", "--json").get("provenance")
        if not isinstance(about, dict):
            raise ProgramError(f"{self.name} reports no provenance")
        return about


def _reap(process: subprocess.Popen[bytes]) -> tuple[bytes, resource.struct_rusage]:
    """Read all that a process prints, and wait for it; end it if that is interrupted."""
    try:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    return text, usage


def locate(name: str) -> Program:
    """Return a built program.

    Raises:
        ProgramError: it is not built.
    """
    folder = os.environ.get(BUILD_DIR)
    if not folder:
        raise ProgramError(f"{BUILD_DIR} is not set: use ./gridftp, which builds and sets it")
    path = Path(folder, name)
    if not os.access(path, os.X_OK):
        raise ProgramError(f"{path} is not built: run ./gridftp build")
    return Program(path)


def ended(status: int) -> str:
    """Return how a process ended, in words, from its return code (negative: the signal)."""
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"
