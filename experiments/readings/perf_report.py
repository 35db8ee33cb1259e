"""``perf report --stdio``: which functions a CPU's time went to.

The layout is that of perf's default sort order: a line of headings, one of dots that are as wide as
the columns, and a row for each function of each program. Read were reports of perf 6.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from .texts import read_text, told, whole_lines, wrong

TOOL = "perf report --stdio --no-children -g none"

LEAST_COVERED = 0.9
"""Of all samples: rows that have less are not all there are. Two decimals are left of each share,
and with thousands of rows that loses a percent."""

_EVENT = re.compile(r"# Samples: \S+ +of events? '(?P<event>.*)'")
_TIME_EVENT = re.compile(r"(?:\w+/)?(?:cpu-cycles|cycles|cpu-clock|task-clock)(?:/\w*)?(?::\w+)?")
_SHARE = re.compile(r"(\d+(?:\.\d+)?)%")
_SYMBOL = re.compile(r"\[(?P<where>.)\] (?P<name>.+)")
_CHAIN = re.compile(r"[\s|]*(?:\||--|-\+-)")
_NEEDED = ("Command", "Shared Object", "Symbol")


@dataclass(frozen=True)
class Row:
    """A function.

    Attributes:
        line: of the file.
        share: of all samples of the event.
        command: the program in whose time it ran, as the kernel calls it: 15 characters.
        object: library, program, or module of the kernel in brackets.
        symbol: the function.
    """

    line: int
    share: float
    command: str
    object: str
    symbol: str


@dataclass(frozen=True)
class PerfReport:
    """One file of ``perf report --stdio``.

    Attributes:
        path: the file.
        event: what was sampled: clock or cycles.
        rows: the functions, none twice.
    """

    path: Path
    event: str
    rows: tuple[Row, ...]

    @property
    def covered(self) -> float:
        """Share of the samples that the rows have."""
        return sum(row.share for row in self.rows)


@dataclass(frozen=True)
class _Columns:
    """Where the columns of a table begin and end; the last one has no end."""

    spans: dict[str, tuple[int, int | None]]

    def cell(self, line: str, name: str) -> str:
        start, end = self.spans[name]
        return line[start:end].strip()


def read_perf_report(path: Path) -> PerfReport:
    """Read a file that ``perf report --stdio`` printed.

    Raises:
        UserError: anything is wrong with it, as ``FILE:LINE: what``.
    """
    return parse_perf_report(path, read_text(path))


def parse_perf_report(path: Path, text: str) -> PerfReport:
    """Return what `read_perf_report` does from the text itself."""
    event: str | None = None
    columns: _Columns | None = None
    heading = ""
    rows: list[Row] = []
    lines = whole_lines(path, text)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not line.startswith("#"):
            if columns is None or event is None:
                what = f"{told(line.strip())} stands before any table; allowed: {TOOL}"
                raise wrong(path, number, what)
            rows.append(_row(path, number, line, columns))
        elif found := _EVENT.match(line):
            if rows:
                raise wrong(path, number, "a second event begins; allowed: samples of one event")
            event, columns = _time_event(path, number, found["event"]), None
        elif set(line) <= set("# .") and "." in line:
            columns = _columns(path, number, heading, line)
        else:
            heading = line
    if event is None or not rows:
        raise wrong(path, len(lines), f"ends without a table of functions; allowed: {TOOL}")
    report = PerfReport(path, event, tuple(rows))
    _refuse_parts(report)
    return report


def _time_event(path: Path, line: int, event: str) -> str:
    if not _TIME_EVENT.fullmatch(event):
        what = f"{told(event)} does not count time; allowed: cycles, cpu-clock or task-clock"
        raise wrong(path, line, what)
    return event


def _columns(path: Path, line: int, heading: str, dots: str) -> _Columns:
    """Return the columns from their headings and the dots below these."""
    # Of the first column the mark of a comment takes a part, which rows may use.
    starts = [found.start() for found in re.finditer(r"\.+", dots)]
    starts[0] = 0
    ends: list[int | None] = [*starts[1:], None]
    names = [heading[start:end].strip("# ") for start, end in zip(starts, ends, strict=True)]
    spans = dict(zip(names, zip(starts, ends, strict=True), strict=True))
    # What is right-aligned, as shares are, may also be wider than its heading.
    missing = [name for name in _NEEDED if name not in spans]
    if missing or not {"Overhead", "Self"} & spans.keys():
        shown = ", ".join(names)
        allowed = f"Overhead, {', '.join(_NEEDED)}, as {TOOL} has them"
        raise wrong(path, line - 1, f"the columns are {told(shown)}; allowed: {allowed}")
    return _Columns(spans)


def _row(path: Path, line: int, text: str, columns: _Columns) -> Row:
    share = _SHARE.fullmatch(columns.cell(text, "Self" if "Self" in columns.spans else "Overhead"))
    if share is None and _CHAIN.match(text):
        raise wrong(path, line, f"is a chain of calls; allowed: rows alone, as {TOOL} has them")
    symbol = _SYMBOL.fullmatch(columns.cell(text, "Symbol"))
    if share is None or symbol is None or float(share[1]) > 100:
        what = f"{told(text.strip())} is no row of the table; allowed: all that {TOOL} prints"
        raise wrong(path, line, what)
    command, where = columns.cell(text, "Command"), columns.cell(text, "Shared Object")
    return Row(line, float(share[1]) / 100, command, where, symbol["name"])


def _refuse_parts(report: PerfReport) -> None:
    if report.covered < LEAST_COVERED:
        raise wrong(
            report.path,
            report.rows[-1].line,
            f"the rows end at {report.covered:.0%} of the samples; "
            f"allowed: {LEAST_COVERED:.0%} or more, all that {TOOL} prints",
        )
    # Half of the last decimal, of each row.
    most = 1 + 0.00005 * len(report.rows) + 0.0001
    if report.covered > most:
        raise wrong(
            report.path,
            report.rows[-1].line,
            f"the rows have {report.covered:.1%} of the samples; allowed: 100 %, one report alone",
        )
