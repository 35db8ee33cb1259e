"""Transfers that servers have logged, one row each, and counts of all other lines.

The reader of a log calls `Transfers.add` for each transfer that has a rate, and counts
everything else in a `Tally`. Times are whole microseconds, sizes whole bytes.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

MOST_BAD_SHOWN = 5
"""Bad lines of a file whose number and fault are reported."""

UNKNOWN = -1
"""A TCP buffer or a count of retransmissions that a record does not have."""

NO_ADDRESS = "?"
"""An endpoint that a record does not name."""


@dataclass(frozen=True)
class Setting:
    """What a transfer was configured with, and between which endpoints.

    Attributes:
        source: host or address of the sender.
        destination: host or address of the receiver.
        streams: data connections of each pair of stripes, at least 1.
        stripes: hosts at each endpoint, at least 1.
        buffer: TCP buffer of a data connection in bytes; 0: the operating system's default, which
            it may tune; `UNKNOWN`.
    """

    source: str
    destination: str
    streams: int
    stripes: int
    buffer: int


@dataclass
class Tally:
    """Counts of everything in one file that is not a transfer with a rate.

    Attributes:
        path: the file.
        kind: its format, for people.
        lines: of text, or records of JSON.
        transfers: those with a rate.
        failed: those that failed, by their reply code or final state.
        listings: data connections that carried a directory listing.
        empty: transfers of no byte.
        instant: transfers that end in the microsecond in which they start.
        no_streams: transfers with a number of streams or stripes below 1, which count as 1.
        whole_operation: FTS records without the times of the transfer alone.
        other: lines or records about something else.
        bad: number of damaged lines or records.
        bad_shown: line number and fault of the first `MOST_BAD_SHOWN` of them.
        cut: why the file ends early; empty if it does not.
    """

    path: Path
    kind: str
    lines: int = 0
    transfers: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    listings: int = 0
    empty: int = 0
    instant: int = 0
    no_streams: int = 0
    whole_operation: int = 0
    other: int = 0
    bad: int = 0
    bad_shown: list[tuple[int, str]] = field(default_factory=list)
    cut: str = ""

    def add_bad(self, line: int, fault: str) -> None:
        """Count a damaged line or record."""
        self.bad += 1
        if len(self.bad_shown) < MOST_BAD_SHOWN:
            self.bad_shown.append((line, fault))


class Transfers:
    """All transfers with a rate, as columns: 36 bytes of memory each.

    Attributes:
        settings: the distinct settings, in the order in which they appear.
        setting: of each transfer, its place in `settings`.
        size: bytes.
        start_us: when it started, microseconds since 1970 (UTC).
        duration_us: microseconds, at least 1.
        retransmitted: segments sent again; `UNKNOWN` where the record has none.
    """

    def __init__(self) -> None:
        self.settings: list[Setting] = []
        self.setting = array("i")
        self.size = array("q")
        self.start_us = array("q")
        self.duration_us = array("q")
        self.retransmitted = array("q")
        self._places: dict[Setting, int] = {}

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.size)

    def add(
        self, setting: Setting, size: int, start_us: int, end_us: int, retransmitted: int = UNKNOWN
    ) -> None:
        """Add a transfer.

        Args:
            setting: its setting.
            size: bytes that it moved, at least 1.
            start_us: microseconds since 1970.
            end_us: likewise, later than `start_us`.
            retransmitted: segments sent again.
        """
        place = self._places.get(setting)
        if place is None:
            place = self._places[setting] = len(self.settings)
            self.settings.append(setting)
        self.setting.append(place)
        self.size.append(size)
        self.start_us.append(start_us)
        self.duration_us.append(end_us - start_us)
        self.retransmitted.append(retransmitted)


@dataclass(frozen=True)
class Record:
    """One transfer as its log reports it. Each field is valid; it may have failed or have no rate.

    Attributes:
        setting: its setting.
        size: bytes, at least 0.
        start_us: microseconds since 1970.
        end_us: likewise, not before `start_us`.
        failure: reply code or final state of a transfer that failed; empty for one that did not.
        retransmitted: segments sent again, or `UNKNOWN`.
        is_listing: it is a directory listing.
        is_whole_operation: its times include preparation and checksums.
        lacks_streams: the number of streams or stripes was below 1.
        is_behind_a_cut: the line begins with another one that is cut short: a server writes no
            line feed behind a line of more than 4,095 bytes.
    """

    setting: Setting
    size: int
    start_us: int
    end_us: int
    failure: str = ""
    retransmitted: int = UNKNOWN
    is_listing: bool = False
    is_whole_operation: bool = False
    lacks_streams: bool = False
    is_behind_a_cut: bool = False


def sort_in(record: Record, transfers: Transfers, tally: Tally) -> None:
    """Add a transfer that has a rate; count one that has none by the reason."""
    if record.is_listing:
        tally.listings += 1
    elif record.failure:
        tally.failed[record.failure] += 1
    elif record.size == 0:
        tally.empty += 1
    elif record.end_us == record.start_us:
        tally.instant += 1
    else:
        tally.transfers += 1
        tally.whole_operation += record.is_whole_operation
        tally.no_streams += record.lacks_streams
        transfers.add(
            record.setting, record.size, record.start_us, record.end_us, record.retransmitted
        )
