"""``perf report --stdio``: which functions a CPU's time went to.

Read are tables with the columns of perf's default sort order: a line of headings, one of dots that
are as wide as the columns, and a row for each function of each program; with -t the headings alone,
and a separator between the cells. Lines of call chains, and what perf says of itself, are left out.
Forms: tools/perf/ui/stdio/hist.c of Linux 3.2 to 6.12.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..errors import UserError
from .perf_events import CLOCKS, Event, events_of, of_time
from .texts import quoted, read_text, whole_lines, without_escapes, wrong

TOOL = "perf report --stdio --no-children -g none"

LEAST_COVERED = 0.9
"""Of all samples: rows that have less are not all there are. Two decimals are left of each share,
and with thousands of rows that loses a percent."""

# Before Linux 3.2 "# Events: 10K cycles".
_EVENT = re.compile(r"# Samples: \S+ +of events? '(?P<event>.*)'|# Events: +\S+ +(?P<old>\S+) *")
_COUNT = re.compile(r"# Event count \(approx\.\): (\d+)")
_ELIDED = re.compile(r"# (comm|dso|symbol): (.+)")
_SEPARATED = re.compile(r"# *(?:Overhead|Children) *(?P<separator>[^\w .*#])")
_SHARE = re.compile(r"(\d+(?:\.\d+)?)%")
_SYMBOL = re.compile(r"(?:0x[0-9a-f]+ +\S +)?\[.\](?: +(?P<name>.+))?")
_FOLDED = re.compile(r"\d+(?:\.\d+)?%? \S.*")
_INDENT = re.compile(r"^( +)# (?:Samples|Events): ", re.MULTILINE)

_SHARES_BEFORE = 11
"""Columns in which the first share of a row begins; a line that has none there is of a chain."""

_COMMAND, _OBJECT, _SYMBOL_NAME = "Command", "Shared Object", "Symbol"
_NEEDED = (_COMMAND, _OBJECT, _SYMBOL_NAME)
_ELIDED_COLUMNS = {"comm": _COMMAND, "dso": _OBJECT, "symbol": _SYMBOL_NAME}
_OTHER_NAMES = {"Pid:Command": _COMMAND, "Tid:Command": _COMMAND}
_ID = re.compile(r"\d+:")


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
        event: what was sampled: a clock or cycles, or several with a plus between them.
        rows: the functions.
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
    """Where the columns of a table are.

    Attributes:
        spans: by name; with a separator the number of the cell, else where in a line it begins and
            ends, None for the end of the line.
        separator: between the cells; empty: they are as wide as the dots below the headings.
        has_ids: whether commands have the number of their process before them.
    """

    spans: dict[str, tuple[int, int | None]]
    separator: str
    has_ids: bool

    def cells(self, line: str) -> dict[str, str]:
        """Return the cells of a line by the names of their columns."""
        if self.separator:
            parts = line.split(self.separator, len(self.spans) - 1)
            return {name: part.strip() for name, part in zip(self.spans, parts, strict=False)}
        return {name: line[start:end].strip() for name, (start, end) in self.spans.items()}


@dataclass
class _Table:
    """The table of an event, or of a group of events.

    Attributes:
        line: of the file, with the name of the event.
        events: of the group; one in most reports.
        elided: cells that all rows of the report have in common, by column.
        count: of the events; NaN where the report has none.
        columns: None until the headings were read.
        rows: with a share of each event.
    """

    line: int
    events: list[Event]
    elided: dict[str, str]
    count: float = math.nan
    columns: _Columns | None = None
    rows: list[tuple[Row, list[float]]] = field(default_factory=list)


def read_perf_report(path: Path) -> PerfReport:
    """Read a file that ``perf report --stdio`` printed.

    Raises:
        UserError: anything is wrong with it, as ``FILE:LINE: what``.
    """
    return parse_perf_report(path, read_text(path))


def parse_perf_report(path: Path, text: str) -> PerfReport:
    """Return what `read_perf_report` does from the text itself."""
    lines = whole_lines(path, _plain(text), _is_fragment)
    if not text.endswith("\n"):
        del lines[-1]  # of the shell, or of perf's last comment
    tables = [table for table in _tables(path, lines) if table.rows]
    if not tables:
        raise wrong(path, max(1, len(lines)), f"ends without a table of functions; allowed: {TOOL}")
    return _of_time(path, tables)


def _is_fragment(line: str) -> bool:
    """Return whether a line may be a row without its end: names may have lost letters.

    Rows begin with a share, which is indented by spaces or not.
    """
    return line[0].isspace() or line[0].isdigit()


def _plain(text: str) -> str:
    """Return a text without colours, and without what all of its lines are indented by."""
    text = without_escapes(text)
    indent = _INDENT.search(text)
    return text if indent is None else re.sub(rf"(?m)^ {{1,{len(indent[1])}}}", "", text)


def _tables(path: Path, lines: list[str]) -> list[_Table]:
    """Return the tables of a report; headings without rows have none."""
    tables: list[_Table] = []
    elided: dict[str, str] = {}
    heading, has_headings = "", False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if line.startswith("#"):
            if found := _EVENT.match(line):
                tables.append(_Table(number, _events(found), elided))
            elif found := _ELIDED.fullmatch(line.rstrip()):
                elided[_ELIDED_COLUMNS[found[1]]] = found[2].strip()
            else:
                has_headings |= _comment(path, number, line, heading, tables)
            heading = line
        elif tables and tables[-1].columns is not None:
            row = _row(path, number, line, tables[-1])
            tables[-1].rows += [] if row is None else [row]
        elif has_headings and not tables:
            what = "the table has no line with its event, such as # Samples: 10K of event 'cycles'"
            raise wrong(path, number, f"{what}; allowed: {TOOL}")
    return tables


def _events(found: re.Match[str]) -> list[Event]:
    return events_of(found["event"] or found["old"] or "")


def _comment(path: Path, line: int, text: str, heading: str, tables: list[_Table]) -> bool:
    """Read a line with a mark of a comment; return whether headings are complete with it."""
    table = tables[-1] if tables else None
    if _SEPARATED.match(text) or (set(text) <= set("# .") and "." in text):
        if table is not None:
            table.columns = _columns(path, line, heading, text, table)
        return True
    if table is not None and (found := _COUNT.match(text)):
        table.count = float(found[1])
    return False


def _columns(path: Path, line: int, heading: str, text: str, table: _Table) -> _Columns:
    """Return the columns from their headings and the dots below these, or with a separator."""
    separated = _SEPARATED.match(text)
    separator = separated["separator"] if separated else ""
    if separator:
        names = [name.strip("# ") for name in text.split(separator)]
        spans = {_name(name): (number, None) for number, name in enumerate(names)}
    else:
        # Of the first column the mark of a comment takes a part, which rows may use.
        starts = [found.start() for found in re.finditer(r"\.+", text)]
        starts[0], line = 0, line - 1
        ends: list[int | None] = [*starts[1:], None]
        names = [heading[start:end].strip("# ") for start, end in zip(starts, ends, strict=True)]
        spans = dict(zip(map(_name, names), zip(starts, ends, strict=True), strict=True))
    missing = [name for name in _NEEDED if name not in spans and name not in table.elided]
    if missing or not {"Overhead", "Self"} & spans.keys():
        shown = ", ".join(names)
        allowed = f"Overhead, {', '.join(_NEEDED)}, as {TOOL} has them"
        raise wrong(path, line, f"the columns are {quoted(shown)}; allowed: {allowed}")
    return _Columns(spans, separator, bool(_OTHER_NAMES.keys() & set(names)))


def _name(heading: str) -> str:
    return _OTHER_NAMES.get(heading, heading)


def _row(path: Path, line: int, text: str, table: _Table) -> tuple[Row, list[float]] | None:
    """Return a row with its share of each event; None for a line of a chain or of perf itself."""
    columns = table.columns
    first = next(iter(columns.spans))
    cells = table.elided | columns.cells(text)
    if not columns.separator and not text[:_SHARES_BEFORE].strip():
        return None
    shares = _shares(cells.get("Self" if "Self" in columns.spans else "Overhead", ""))
    if shares is None and _is_no_row(text, cells[first]):
        return None
    symbol = _SYMBOL.fullmatch(cells.get(_SYMBOL_NAME, ""))
    command, where = cells.get(_COMMAND, ""), cells.get(_OBJECT, "")
    if columns.has_ids:
        command = _ID.sub("", command, count=1)
    is_whole = shares is not None and symbol is not None and command and where
    if not is_whole or len(shares) != len(table.events):
        what = f"{quoted(text.strip())} is not a row of the table"
        raise wrong(path, line, f"{what}; allowed: the complete output of {TOOL}")
    return Row(line, 0.0, command, where, symbol["name"] or "unknown"), shares


def _shares(cell: str) -> list[float] | None:
    """Return a share of each event of a group; None if the cell is anything else."""
    found = [_SHARE.fullmatch(word) for word in cell.split()]
    if not found or None in found:
        return None
    shares = [float(one[1]) / 100 for one in found]
    return None if max(shares) > 1 else shares


def _is_no_row(text: str, first_cell: str) -> bool:
    """Return whether a line without a share is of a chain of calls or of perf itself."""
    is_chain = not first_cell or "|" in first_cell or "--" in first_cell
    is_folded = _FOLDED.fullmatch(text) is not None
    return is_chain or is_folded or text[0].isalpha() or text[0] == "["


def _of_time(path: Path, tables: Sequence[_Table]) -> PerfReport:
    """Return the rows of the event that counts time, or of several that do so together.

    Raises:
        UserError: there is none, or its rows are not all of the report.
    """
    found = [(table, place) for table in tables for place in range(len(table.events))]
    events = [table.events[place] for table, place in found]
    chosen = of_time(events)
    if not chosen:
        raise _no_time(path, tables[0].line, events)
    parts = [found[number] for number in chosen]
    weights = _weights(path, parts)
    rows: list[Row] = []
    for (table, place), weight in zip(parts, weights, strict=True):
        of_event = [replace(row, share=shares[place]) for row, shares in table.rows]
        _refuse_parts(PerfReport(path, table.events[place].text, tuple(of_event)))
        rows += [replace(row, share=row.share * weight) for row in of_event]
    return PerfReport(path, " + ".join(events[number].text for number in chosen), tuple(rows))


def _no_time(path: Path, line: int, events: Sequence[Event]) -> UserError:
    allowed = f"{', '.join(CLOCKS[:-1])} or {CLOCKS[-1]}"
    half = next((one for one in events if one.clock), None)
    if half is None:
        what = f"{quoted(', '.join(one.text for one in events))} does not count time"
        return wrong(path, line, f"{what}; allowed: {allowed}")
    where = "user space" if half.of_user else "the kernel"
    return wrong(
        path,
        line,
        f"{quoted(half.text)} counts only time in {where}; allowed: {allowed} of user space and "
        "kernel, as root gets with perf record -a (kernel.perf_event_paranoid)",
    )


def _weights(path: Path, parts: Sequence[tuple[_Table, int]]) -> list[float]:
    """Return the share of each event in all that was counted.

    Raises:
        UserError: there are several, and the report has no count of one.
    """
    if len(parts) == 1:
        return [1.0]
    counts = [table.count for table, _ in parts]
    is_group = any(len(table.events) > 1 for table, _ in parts)
    total = sum(counts)
    if is_group or not 0 < total < math.inf:
        table = parts[-1][0]
        names = quoted(", ".join(table.events[place].text for table, place in parts))
        what = f'{names} count time together, and "# Event count" of each is missing'
        raise wrong(
            path, table.line, f"{what}; allowed: the complete output of {TOOL}, without --group"
        )
    return [count / total for count in counts]


def _refuse_parts(report: PerfReport) -> None:
    if report.covered < LEAST_COVERED:
        raise wrong(
            report.path,
            report.rows[-1].line,
            f"the rows cover {report.covered:.0%} of the samples; "
            f"allowed: at least {LEAST_COVERED:.0%}, the complete output of {TOOL}",
        )
    # Half of the last decimal, of each row.
    most = 1 + 0.00005 * len(report.rows) + 0.0001
    if report.covered > most:
        raise wrong(
            report.path,
            report.rows[-1].line,
            f"the rows have {report.covered:.1%} of the samples; allowed: 100 %, a single report",
        )
