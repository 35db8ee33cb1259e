"""How far a build has got, on a terminal and elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time

from .messages import say

STILL_S = 60.0
"""Where no line renews itself, there is a line about a build as often as that, s."""

WAF_STEP = re.compile(r"\[ *(\d+)/(\d+)\] (\w+) (\S+)")
"""waf's "[ 3/40] Compiling name"."""
CMAKE_STEP = re.compile(r"\[ *(\d+)(?:/|%\])(\d*)\]? (\w+) (?:\S+ )*(\S+)")
"""The same of Ninja, "[3/40] Building CXX object name", and of make, "[ 7%] Building ..."."""


class Progress:
    """The steps of a build as one line that renews itself, where that can be seen."""

    def __init__(self, name: str, step: re.Pattern[str] = WAF_STEP) -> None:
        self._name = name
        self._step = step
        self._terminal = sys.stderr.isatty()
        self._shown = time.monotonic()
        self.steps = 0

    def line(self, text: str) -> None:
        """Take a line of the build's output."""
        step = self._step.match(text)
        if not step:
            return
        if not self.steps and not self._terminal:
            say(f"building (log in build/{self._name}.log)")
        self.steps += 1
        done, total, what, file = step.groups()
        share = f"{done}/{total}" if total else f"{done} %"
        if not self._terminal and time.monotonic() - self._shown >= STILL_S:
            self._shown = time.monotonic()
            say(f"still building, {share}")
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            shown = f"gridftp: {what.lower()} {share} {os.path.basename(file)}"[:width]
            print(f"\r{shown:<{width}}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave the line empty."""
        if self._terminal and self.steps:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
