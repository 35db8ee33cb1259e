"""Tables of readings for a terminal."""

from __future__ import annotations

from rich.table import Table


def table(title: str, *headings: str) -> Table:
    """Return a table with a heading for each column, the first one to the left, others right."""
    made = Table(title=title, title_justify="left")
    for number, heading in enumerate(headings):
        made.add_column(heading, justify="left" if number == 0 else "right", overflow="fold")
    return made


def plain(text: str) -> str:
    """Return a text in which brackets are no markup."""
    return text.replace("[", r"\[")


def number(value: float | None) -> str:
    """Return a number as a text, ``-`` for none."""
    return "-" if value is None else f"{value:g}"


def mbps(bps: float | None) -> str:
    """Return a rate in Mbit/s, ``-`` for none: a decimal, or three digits where it is small."""
    if bps is None:
        return "-"
    rate = bps / 1e6
    return f"{rate:.1f}" if rate >= 10 or not rate else f"{rate:.3g}"
