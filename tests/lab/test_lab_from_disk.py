"""The page opened from disk, where it cannot run: it says so, and how it can."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import expect

from lab import site

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("name", ["index.html", "tuner/index.html"])
def test_a_page_opened_from_disk_says_how_to_serve_it(
    chromium: Browser, lab_site: Path, name: str
) -> None:
    page = chromium.new_page()
    page.goto((lab_site / name).as_uri())
    told = page.get_by_role("alert")
    expect(told).to_contain_text("The laboratory cannot start from a file on disk")
    words = shlex.split(told.locator("pre").inner_text())
    assert words[:3] == ["python3", "-m", "http.server"]
    assert Path(words[words.index("--directory") + 1]) == lab_site
    expect(told).to_contain_text("http://127.0.0.1:8000/")
    page.close()


def test_where_the_manual_is_beside_it_both_are_served_and_it_can_be_read(
    chromium: Browser, lab_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "make", lambda: lab_site)
    top = tmp_path / "it's here"
    (top / "manual").mkdir(parents=True)
    (top / "manual/index.html").write_text("<title>The manual</title>", encoding="utf-8")
    site.export(top / "lab", "../manual/index.html")
    page = chromium.new_page()
    page.goto((top / "lab/tuner/index.html").as_uri())
    told = page.get_by_role("alert")
    expect(told).to_contain_text("Then open http://127.0.0.1:8000/lab/.")
    words = shlex.split(told.locator("pre").inner_text())
    assert Path(words[words.index("--directory") + 1]) == top
    told.get_by_role("link", name="The manual").click()
    expect(page).to_have_title("The manual")
    page.close()
