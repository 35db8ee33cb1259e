"""Amounts as options and lines of sysctl.conf have them, from SI numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

_SIZES = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
_FILES = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))
_RATES = ((10**9, "Gbps"), (10**6, "Mbps"), (10**3, "kbps"))

LARGEST_BUFFER = 1 << 30
"""Bytes, of a TCP window: RFC 7323, Section 2.2."""


def size(count: float) -> str:
    """Return bytes as an option takes them, in the largest unit that they are whole in."""
    return _in(math.ceil(count), _SIZES, "B")


def any_size(count: float) -> str:
    """Return bytes as an option takes them, by 1000 or by 1024, whichever is shorter."""
    return min((_in(math.ceil(count), units, "B") for units in (_SIZES, _FILES)), key=len)


def rate(bps: float) -> str:
    """Return a rate as an option takes it, likewise."""
    return _in(math.ceil(bps), _RATES, "bps")


def time(seconds: float) -> str:
    """Return a time as an option takes it."""
    return _in(round(seconds * 1e9), ((10**6, "ms"), (10**3, "us")), "ns")


def _in(number: int, units: tuple[tuple[int, str], ...], least: str) -> str:
    for factor, unit in units:
        if number and number % factor == 0:
            return f"{number // factor}{unit}"
    return f"{number}{least}"


def power_of_two(count: float) -> int:
    """Return the least power of two that is no less, as buffers are; at most the largest."""
    return min(1 << max(0, math.ceil(count) - 1).bit_length(), LARGEST_BUFFER)


def two_digits(number: float) -> int:
    """Return the least number with two digits, and zeros behind them, that is no less."""
    unit = 10 ** max(0, len(str(math.ceil(number))) - 2)
    return math.ceil(number / unit) * unit


_SAID_RATES = ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1, "bit/s"))
_SAID_SIZES = (*_SIZES, (1, "B"))
_SAID_FILES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B"))


def said_rate(bps: float) -> str:
    """Return a rate for people, in three digits."""
    return _said(bps, _SAID_RATES)


def said_size(count: float) -> str:
    """Return bytes for people, in three digits."""
    return _said(count, _SAID_SIZES)


def said_file(count: float) -> str:
    """Return the size of a file for people, in three digits."""
    return _said(count, _SAID_FILES)


def _said(number: float, units: Sequence[tuple[float, str]]) -> str:
    # What would be rounded up to 1000 of a unit is one of the next.
    factor, unit = next((one for one in units if number >= 0.9995 * one[0]), units[-1])
    return f"{number / factor:.4g} {unit}" if number >= 999.5 * factor else (
        f"{number / factor:.3g} {unit}"
    )  # fmt: skip


def percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{share * 100:.0f} %" if share >= 0.1 or share == 0 else f"{share * 100:.2g} %"
