"""The page opened from disk, where it cannot run: it says so, and how it can."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("name", ["index.html", "tuner/index.html"])
def test_a_page_opened_from_disk_says_how_to_serve_it(
    chromium: Browser, lab_site: Path, name: str
) -> None:
    page = chromium.new_page()
    page.goto((lab_site / name).as_uri())
    told = page.get_by_role("alert")
    expect(told).to_contain_text("Opened from disk the laboratory cannot start")
    words = shlex.split(told.locator("pre").inner_text())
    assert words[:3] == ["python3", "-m", "http.server"]
    assert Path(words[words.index("--directory") + 1]) == lab_site
    expect(told).to_contain_text("http://127.0.0.1:8000/")
    page.close()
