"""One transfer that asks for the number of connections of each of its chunks."""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import weakref
from collections.abc import Mapping
from typing import IO, Any

from ..errors import ProgramError, UserError
from ..programs.program import Program

GRACE_S = 10.0
"""Seconds that a program has to end once it is told to."""


class Dialogue:
    """A running program with ``--mode=external:-``: a line from it, an answer to it, in turns."""

    def __init__(self, program: Program, options: Mapping[str, str]) -> None:
        """Start the program.

        Args:
            program: that simulates.
            options: of its command line, by their names.

        Raises:
            ProgramError: it cannot be started.
        """
        words = [f"--{name}={value}" for name, value in options.items()]
        command = program.command(*words, "--mode=external:-", "--json")
        self._said: IO[str] = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed by _end()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, text=True
            )
        except OSError as error:
            self._said.close()
            raise ProgramError(f"{program.path}: {error.strerror}") from None
        # Also where nobody calls close()
        self._end = weakref.finalize(self, _end, self._process, self._said)

    def hear(self) -> dict[str, Any]:
        """Return the next thing it says: ``event`` is "hello" or "chunk"; the result has none.

        Raises:
            UserError: it refuses its options; the text is its own line.
            ProgramError: it has ended without a result.
        """
        line = self._process.stdout.readline()
        try:
            return json.loads(line)
        except ValueError:
            pass
        status = self._process.wait()
        self._said.seek(0)
        lines = self._said.read().strip().splitlines()
        if status == 2 and lines:
            raise UserError(lines[-1])
        why = f": {lines[-1]}" if lines else ""
        raise ProgramError(
            f"the transfer ended with exit status {status} and without a result{why}"
        )

    def answer(self, parallelism: int) -> None:
        """Say how many connections the next chunk is to have."""
        with contextlib.suppress(BrokenPipeError):  # what has become of it is heard next
            self._process.stdin.write(f'{{"parallelism": {parallelism}}}\n')
            self._process.stdin.flush()

    def close(self) -> None:
        """Have the program end, whatever it is doing."""
        self._end()


def _end(process: subprocess.Popen[str], said: IO[str]) -> None:
    said.close()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    if process.poll() is None:
        process.terminate()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
