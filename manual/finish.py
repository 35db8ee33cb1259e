"""What a theme leaves out for those who read without a mouse or without seeing."""

from __future__ import annotations

from pathlib import Path

_CHANGES = (
    # A caption in the table of contents is a heading, of which one has to know the level.
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    # Two landmarks of a kind have names of their own.
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="This page" class="toc-drawer'),
    # What is wider than the page can be scrolled with keys once it can have the focus.
    ("<pre>", '<pre tabindex="0">'),
    ('<div class="table-wrapper ', '<div tabindex="0" class="table-wrapper '),
    # The page that finds has a heading before it has found.
    ('<div id="search-results">', '<h1>Search</h1>\n<div id="search-results">'),
)


def finish(folder: Path) -> None:
    """Make the pages in a folder complete."""
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for before, after in _CHANGES:
            text = text.replace(before, after)
        page.write_text(text, encoding="utf-8")
