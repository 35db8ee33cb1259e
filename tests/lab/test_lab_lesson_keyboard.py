"""Lessons, one after the other to the end of each, with nothing but a keyboard: in Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boxes import faults
from by_keyboard import each_size, walk
from test_lab_access import findings

if TYPE_CHECKING:
    from browser import NewLab


@each_size("1366 x 768", 2)
def test_lessons_to_their_end_by_keyboard(
    new_lab: NewLab, lab_site: Path, size: str, count: int | None
) -> None:
    lab = new_lab()
    found = {}
    for place in walk(lab.page, lab.address, lab_site, size, count):
        found[place] = faults(lab.page)
        # Of some lesson, test_lab_access.py asks it anyway.
        if count is None and place.endswith("solved"):
            found[place] += findings(lab)
    assert {place: lines for place, lines in found.items() if lines} == {}
