"""The report: HTML that needs nothing else, made of what is kept.

``report.html`` has all claims of all papers in one table; ``report/<paper>.html`` is a page for
each paper, ``report/own-sweeps.html`` one for the sweeps of no paper.
"""

from __future__ import annotations

from ..page import document
from .pages import OWN_SWEEPS, own_page, paper_page
from .parts import OPEN, OTHER, OURS, PAPER, STUDY, Again, Origin, Part, Picture, Report
from .summary import SCRIPT, STYLE, summary
from .words import CARDS, in_words

__all__ = [
    "OPEN", "OTHER", "OURS", "OWN_SWEEPS", "PAPER", "STUDY", "Again", "Origin", "Part", "Picture",
    "Report", "build", "in_words",
]  # fmt: skip

TITLE = "GridFTP laboratory: report"


def build(report: Report) -> dict[str, str]:
    """Return the pages, by their file's name among the results; the same for the same data."""
    pages = {"report.html": document(TITLE, summary(report), STYLE, SCRIPT)}
    for part in report.parts:
        if part.name in report.drawn:
            title = f"{part.heading} ({TITLE})"
            pages[f"report/{part.name}.html"] = document(title, paper_page(part), CARDS)
    if report.pictures:
        title = f"Sweeps that belong to no paper ({TITLE})"
        pages[f"report/{OWN_SWEEPS}.html"] = document(title, own_page(report))
    return pages
