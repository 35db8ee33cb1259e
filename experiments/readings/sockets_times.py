"""Times in front of the lines of a text and between them, as ``ts`` and ``date`` print them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

DAY_S = 86400.0

_CLOCK = r"\d{1,2}:\d\d:\d\d(?:[.,]\d+)?"
_ZONE = r"(?:Z|[+-]\d\d:?\d\d|\s?UTC)?"
_ISO = rf"(?P<iso>\d{{4}}-\d\d-\d\d[T _]{_CLOCK}){_ZONE}"
# Seconds, as date +%s.%N; milliseconds; nanoseconds, as date +%s%N.
_EPOCH = r"(?P<epoch>\d{19}|\d{13}|\d{10}(?:\.\d+)?|\d{1,9}\.\d+)"
_MONTH = rf"(?P<month>[A-Z][a-z]{{2}}\s+\d{{1,2}}) (?P<at>{_CLOCK})"
_TIME = rf"(?:{_ISO}|{_EPOCH}|{_MONTH}|(?P<clock>{_CLOCK}))"
_PREFIX = re.compile(rf"\[?\s?{_TIME}\]?(?:[:;|]?\s|[,;]|$)")
_LONE = re.compile(rf"\W*{_TIME}\W*$")
_DATE = re.compile(
    rf"(?:^|\s)[A-Z][a-z]{{2}},? (?:(?P<month>[A-Z][a-z]{{2}})\s+(?P<day>\d{{1,2}})"
    rf"|(?P<day2>\d{{1,2}}) (?P<month2>[A-Z][a-z]{{2}}) (?P<year2>\d{{4}}))"
    rf"\s+(?P<at>{_CLOCK})(?: [AP]M)?(?: [A-Z]{{3,5}})?(?: (?P<year>\d{{4}}))?"
)
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


class Clock:
    """The time of the newest line that has one.

    Contract: lines come in order of time; a time of day that is less than the one before is of
    the next day.
    """

    def __init__(self) -> None:
        self.time_s: float | None = None

    def see(self, time_s: float | None) -> None:
        """Take the time of a line; None: it has none."""
        if time_s is None:
            return
        if self.time_s is not None and time_s < DAY_S:
            while time_s < self.time_s and self.time_s - time_s > DAY_S / 2:
                time_s += DAY_S
        self.time_s = time_s


def split_time(line: str) -> tuple[float | None, str]:
    """Return the time in front of a line, in seconds on any clock, and the line behind it.

    Args:
        line: any; without a time in front it comes back as it is, with None.
    """
    found = _PREFIX.match(line)
    if found is None:
        return None, line
    return _seconds(found), line[found.end() :]


def time_of_line(line: str) -> float | None:
    """Return the time that a line of its own is, as of ``date``; None where it is none."""
    if found := _LONE.match(line):
        return _seconds(found)
    if found := _DATE.search(line):
        month = found["month"] or found["month2"]
        day, year = found["day"] or found["day2"], found["year"] or found["year2"] or "1972"
        return _of_date(month, day, int(year), found["at"])
    return None


def _seconds(found: re.Match[str]) -> float | None:
    if found["epoch"]:
        digits = len(found["epoch"].partition(".")[0])
        return float(found["epoch"]) / {13: 1e3, 19: 1e9}.get(digits, 1.0)
    if found["iso"]:
        day, clock = found["iso"][:10], found["iso"][11:]
        try:
            return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() + _of_clock(clock)
        except ValueError:
            return None
    if found["month"]:
        month, day = found["month"].split()
        return _of_date(month, day, 1972, found["at"])
    return _of_clock(found["clock"])


def _of_date(month: str, day: str, year: int, clock: str) -> float | None:
    if month not in _MONTHS:
        return None
    try:
        date = datetime(year, _MONTHS.index(month) + 1, int(day), tzinfo=UTC)
    except ValueError:
        return None
    return date.timestamp() + _of_clock(clock)


def _of_clock(text: str) -> float:
    hours, minutes, seconds = text.replace(",", ".").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)
