"""What the launcher says to its user."""

from __future__ import annotations

import sys

APT_LINE = "sudo apt install git g++ python3 python3-venv"


class UserError(Exception):
    """One line for the user, and the exit status: 2 for bad input, 1 for the rest."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(text)
        self.status = status


def say(text: str) -> None:
    """A line about progress. Standard output belongs to the program that is started."""
    print(f"gridftp: {text}", file=sys.stderr, flush=True)
