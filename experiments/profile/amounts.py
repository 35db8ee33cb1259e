"""Amounts as options and lines of sysctl.conf have them, from SI numbers."""

from __future__ import annotations

import math

_SIZES = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
_RATES = ((10**9, "Gbps"), (10**6, "Mbps"), (10**3, "kbps"))

LARGEST_BUFFER = 1 << 30
"""Bytes, of a TCP window: RFC 7323, Section 2.2."""


def size(count: float) -> str:
    """Return bytes as an option takes them, in the largest unit that they are whole in."""
    return _in(math.ceil(count), _SIZES, "B")


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


def said_rate(bps: float) -> str:
    """Return a rate for people, in three digits."""
    for factor, unit in ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s")):
        if bps >= factor:
            return f"{bps / factor:.3g} {unit}"
    return f"{bps:.3g} bit/s"


def said_size(count: float) -> str:
    """Return bytes for people, in three digits."""
    for factor, unit in _SIZES:
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count:.0f} B"


def said_file(count: float) -> str:
    """Return the size of a file for people, in three digits."""
    for factor, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= factor:
            return f"{count / factor:.3g} {unit}"
    return f"{count:.0f} B"


def percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{share * 100:.0f} %" if share >= 0.1 or share == 0 else f"{share * 100:.2g} %"
