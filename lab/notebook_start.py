"""Starts the notebook: marimo's editor on this machine, which asks nobody whether it is new."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

NOTEBOOK = Path(__file__).resolve().parent / "notebook.py"

QUIET = {"MARIMO_SKIP_UPDATE_CHECK": "1"}
"""What else marimo does over the network: it looks for a newer version of itself."""


def command(port: int, browser: bool, options: Sequence[str]) -> list[str]:
    """Return the command line that serves the notebook on the loopback address.

    Args:
        port: to listen on; 0 takes any that is free.
        browser: whether it is opened in the user's browser; its address, which has a password in
            it, is printed in any case.
        options: of the scenario that it begins with, as words ``--name=value``.
    """
    marimo = [sys.executable, "-m", "marimo", "edit", "--host=127.0.0.1", "--no-sandbox"]
    marimo.append("--skip-update-check")
    if port:
        marimo.append(f"--port={port}")
    if not browser:
        marimo.append("--headless")
    return [*marimo, str(NOTEBOOK), *(["--", *options] if options else [])]


def start(port: int, browser: bool, options: Sequence[str] = ()) -> NoReturn:
    """Turn this process into marimo's: Ctrl-C and the exit status are its own."""
    words = command(port, browser, options)
    os.execve(words[0], words, {**os.environ, **QUIET})
