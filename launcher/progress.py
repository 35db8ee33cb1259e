"""How far a build has got, on a terminal and elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import sys

from .messages import say


class Progress:
    """waf's "[ 3/40] Compiling name" as one line that renews itself, where that can be seen."""

    STEP = re.compile(r"\[ *(\d+)/(\d+)\] (\w+) (\S+)")

    def __init__(self, name: str) -> None:
        self._name = name
        self._terminal = sys.stderr.isatty()
        self.steps = 0

    def line(self, text: str) -> None:
        """Take a line of waf's output."""
        step = self.STEP.match(text)
        if not step:
            return
        if not self.steps and not self._terminal:
            say(f"building (log in build/{self._name}.log)")
        self.steps += 1
        if self._terminal:
            done, total, what, file = step.groups()
            width = shutil.get_terminal_size().columns - 1
            shown = f"gridftp: {what.lower()} {done}/{total} {os.path.basename(file)}"[:width]
            print(f"\r{shown:<{width}}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave the line empty."""
        if self._terminal and self.steps:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
