"""Opens the built site in a real browser: Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.errors import ProgramError

from .serve import server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""What Chromium is called; Playwright's own browsers are not used. The first one, Chromium without
all that belongs to a window, takes three quarters of the others' processor time."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder meanwhile, and give its address."""
    with server(folder, 0) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_address[1]}/"
        finally:
            running.shutdown()
            thread.join()


@contextmanager
def browser() -> Iterator[Browser]:
    """Give a browser without a window.

    Raises:
        ProgramError: there is none on this machine.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise ProgramError("no Chromium is installed: sudo apt install chromium")
    from playwright.sync_api import sync_playwright

    # Chromium's own sandbox does not start for root
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=arguments)
        try:
            yield running
        finally:
            running.close()
