"""The rows of iperf3's tables, which are of an interval or of the whole run.

Forms: iperf_locale.c of iperf3 3.0 to 3.21; numbers: unit_snprintf() of units.c. Transfers are in
units of 1024, rates in bits in units of 1000, each in three or four digits. A row that a terminal
or a mail program has wrapped is read as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .model import Amount

NUMBER = r"\d+(?:\.\d+)?"
_ID = r"\[\s*(?P<id>\d+|SUM)\](?:\[(?P<role>[TR]X)-[CS]\])?"
_SPAN = rf"\s+(?P<start>{NUMBER})\s*-\s*(?P<end>{NUMBER})\s+sec\b"
BEGIN_OF_ROW = re.compile(_ID + _SPAN)
_FRAGMENT_OF_ROW = re.compile(r"\[\s*(?:\d+|SUM)\]|\[\s*(?:\d*|S|SU|SUM)$")
ROW = re.compile(
    rf"{_ID}{_SPAN}\s+(?P<bytes>{NUMBER})\s+(?P<prefix>[KMGT]?)Bytes"
    rf"\s+(?P<rate>{NUMBER}|-?nan|inf)\s+(?P<rate_prefix>[KMGT]?)(?P<kind>bits|Bytes)/sec"
    rf"(?:\s+(?P<again>\d+))?(?:\s+(?P<cwnd>{NUMBER})\s+(?P<cwnd_prefix>[KMGT]?)Bytes)?"
    r"\s*+(?P<what>sender|receiver|\(omitted\))?\s*+$"
)
PEER = re.compile(
    r"\[\s*\d+\](?:\[[TR]X-[CS]\])? local (?P<local>\S+) port \d+ "
    r"connected (?:to|with) (?P<remote>\S+) port \d+"
)

ENDS = ("sender", "receiver")
"""What the rows at the end of a run are of."""

_LONGEST_REST = 60
"""Characters of a further part of a wrapped row."""

MUCH = 4
"""Times coarser than the transfer, from which on a printed rate is not taken."""

_BYTES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_BITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


@dataclass(frozen=True)
class Row:
    """A row of a table: of a stream, or of all of them (number None)."""

    number: int | None
    role: str
    start_s: float
    end_s: float
    amount: Amount | None
    bytes: int
    retransmissions: int | None
    cwnd_bytes: int | None
    what: str

    @property
    def identity(self) -> tuple[int | None, str, str]:
        """By which sums of a run differ."""
        return self.number, self.role, self.what


def is_fragment(line: str, has_again: bool) -> bool:
    """Return whether a line is a row without its end, or may be.

    Args:
        line: without a line feed.
        has_again: whether rows of the text have retransmissions, behind the rate.
    """
    row = ROW.search(line)
    if row is None:
        return _FRAGMENT_OF_ROW.search(line) is not None and not PEER.search(line)
    if row["what"] or row["cwnd"]:
        return False
    # The last number may have lost digits, or all of it; one that receives prints none.
    return row["again"] is not None or (has_again and row["role"] != "RX")


def unwrapped(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers, from 1; the parts of a wrapped row are one line."""
    number = 0
    while number < len(lines):
        begin, line = number, lines[number]
        number += 1
        if BEGIN_OF_ROW.search(line):
            while number < len(lines) and (whole := _joined(line, lines[number])):
                line = whole
                number += 1
        yield begin + 1, line


def _joined(line: str, after: str) -> str:
    """Return a row and the line behind it as one row; empty where they are none.

    A terminal wraps within words, a mail program between them.
    """
    if not after.strip() or "[" in after or len(after) > _LONGEST_REST:
        return ""
    cut, spaced = line + after, f"{line} {after.lstrip()}"
    row = ROW.search(line)
    if row is None:
        return next((one for one in (cut, spaced) if ROW.search(one)), "")
    for one in (spaced, cut):
        whole = ROW.search(one)
        if whole and (whole["what"] or whole["cwnd"]) and not row["what"]:
            return one
    return ""


def row_of(found: re.Match[str]) -> Row:
    """Return a row from what `ROW` found."""
    start, end = float(found["start"]), float(found["end"])
    amount = None if end <= start else _amount(found, end - start)
    cwnd = found["cwnd"]
    return Row(
        number=None if found["id"] == "SUM" else int(found["id"]),
        role=found["role"] or "",
        start_s=start,
        end_s=end,
        amount=amount,
        bytes=0 if amount is None else amount.bytes,
        retransmissions=None if found["again"] is None else int(found["again"]),
        cwnd_bytes=None if cwnd is None else round(float(cwnd) * _BYTES[found["cwnd_prefix"]]),
        what=found["what"] or "",
    )


def _amount(found: re.Match[str], seconds: float) -> Amount:
    """Return the bytes of a row by its rate, or by its transfer where the rate is coarser."""
    transfer = float(found["bytes"])
    by_transfer = round(transfer * _BYTES[found["prefix"]])
    text = found["rate"]
    if not text[0].isdigit() or not float(text) or not transfer:
        return Amount(by_transfer, seconds)
    rate = float(text)
    unit = (
        8 * _BYTES[found["rate_prefix"]]
        if found["kind"] == "Bytes"
        else _BITS[found["rate_prefix"]]
    )
    # A rate by the transfer has the error of the time, too, which is printed in hundredths.
    coarse = _last_digit(found["bytes"]) / transfer + 0.01 / seconds
    if _last_digit(text) / rate < MUCH * coarse:
        return Amount(round(rate * unit * seconds / 8), seconds)
    return Amount(by_transfer, seconds)


def _last_digit(number: str) -> float:
    """Return what one more in the last digit of a number is."""
    return 10.0 ** -len(number.partition(".")[2])
