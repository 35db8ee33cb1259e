"""Axes of swept keys: in which unit readers see them, and which ticks have room for a number."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.ticker import FixedFormatter, FixedLocator, NullFormatter

_UNITS: dict[str, Sequence[tuple[float, str]]] = {
    "_bps": ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1, "bit/s")),
    "_s": ((1, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"), (1e-9, "ns")),
    "_packets": ((1, "packets"),),
    "_segments": ((1, "segments"),),
}
"""By the ending of a key: factor to its SI unit and name, largest first."""

_BINARY = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "bytes"))
_DECIMAL = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "bytes"))

_LONGEST = 1e5
"""Where a unit leaves numbers as large as this, each value has its own."""

_FEW_BYTES = 10_000
"""Fewer are told in bytes: a packet has 1500."""

_GROUPED = 10_000
"""From here on thousands are told apart."""

LOG_FROM = 25
"""Values that far apart are drawn on a logarithmic axis."""

_GAP_PT, _CHARACTER_PT = 5.0, 5.0
"""Least gap between two tick labels, and width of a character, in points."""

_NO_INK = str.maketrans("", "", "${}^")
"""What mathematical text has beside what is seen."""

_USED = 0.82
"""Which part of its share of a figure an axis takes, roughly."""


@dataclass(frozen=True)
class Axis:
    """How readers see the values of a key.

    Attributes:
        key: of the scenario.
        name: in words.
        scale: factor from the key's values to what is shown.
        unit: of what is shown, "" for none.
        each: whether the values are so far apart that each has a unit of its own.
    """

    key: str
    name: str
    scale: float = 1
    unit: str = ""
    each: bool = False

    @property
    def title(self) -> str:
        """The axis's title, with the unit in brackets."""
        return f"{self.name} ({self.unit})" if self.unit and not self.each else self.name

    def text(self, shown: float) -> str:
        """Return what stands at a tick of what is shown."""
        return told(self.key, shown / self.scale) if self.each else _number(shown)


def axis_of(key: str, values: Iterable[float]) -> Axis:
    """Return how the values of a key are shown: in the largest unit that leaves none below 1."""
    known = [abs(value) for value in values if value and not math.isnan(value)]
    all_units = {**_UNITS, "_bytes": _bytes_units(known)}
    for suffix, units in all_units.items():
        if key.endswith(suffix):
            return _in_unit(key, in_words(key.removesuffix(suffix)), units, known or [1])
    return Axis(key, in_words(key))


def _bytes_units(known: Sequence[float]) -> Sequence[tuple[float, str]]:
    """Return the units that sizes are written shorter in: 65536 is 64 KiB, and 64000 is 64 kB."""

    def digits(units: Sequence[tuple[float, str]]) -> int:
        return sum(
            min(len(f"{value / one:.10g}") for one, _ in units if value >= one) for value in known
        )

    whole = [value for value in known if value >= 1]
    if len(whole) < len(known):
        return _DECIMAL
    return _BINARY if digits(_BINARY) < digits(_DECIMAL) else _DECIMAL


def told(key: str, value: float) -> str:
    """Return a value of a key with a unit of its own, such as "64 KiB" or "300,000 packets"."""
    axis = axis_of(key, [value])
    if axis.unit == "kB" and value < _FEW_BYTES and value == int(value):
        axis = Axis(key, axis.name, 1, "bytes")
    shown = value * axis.scale
    text = f"{shown:,.0f}" if _GROUPED <= abs(shown) < 1e15 else f"{shown:.6g}"
    return f"{text} {axis.unit}".rstrip()


def _in_unit(
    key: str, name: str, units: Sequence[tuple[float, str]], known: Sequence[float]
) -> Axis:
    # A value such as 0.9999999 of a unit is one of it.
    least = min(known) * (1 + 1e-9)
    factor, unit = next((one for one in units if least >= one[0]), units[-1])
    each = len(units) > 1 and max(known) / factor >= _LONGEST
    return Axis(key, name, 1 / factor, unit, each)


def name_of(key: str) -> str:
    """Return what readers call a key, without the unit at its end: "delay_s" is "Delay"."""
    return axis_of(key, []).name


def in_words(key: str) -> str:
    """Return what readers call a key: "chunk_size" is "Chunk size"."""
    text = key.replace("_", " ")
    return text[0].upper() + text[1:]


def is_log(values: Sequence[float]) -> bool:
    """Return whether values are so far apart that their axis is a logarithmic one."""
    return min(values) > 0 and max(values) / min(values) >= LOG_FROM


def value_ticks(
    axes: Axes, values: Iterable[float], width_pt: float, text: Callable[[float], str] | None = None
) -> None:
    """Put a tick at each of these values of the horizontal axis, and a number where there is room.

    Args:
        axes: whose scale is set, and whose horizontal limits are not changed afterwards but by the
            values themselves.
        values: in the axis's unit.
        width_pt: of the axis, in points, as far as it is known; `width_of` tells it.
        text: what stands at a tick; the number by default.
    """
    said = text or _number
    places = sorted(set(values))
    texts = [said(value) for value in places]
    chosen = with_room(places, texts, axes.get_xscale() == "log", width_pt)
    others = [value for value in places if value not in chosen]
    axes.xaxis.set_major_locator(FixedLocator(chosen))
    axes.xaxis.set_major_formatter(FixedFormatter([said(value) for value in chosen]))
    axes.xaxis.set_minor_locator(FixedLocator(others))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _number(value: float) -> str:
    """Return a number as a tick has it: 0.00002 is two times ten to the minus five."""
    text = f"{value:.6g}"
    if "e" not in text:
        return text
    digits, _, power = text.partition("e")
    factor = "" if digits == "1" else rf"{digits}\times"
    return f"${factor}10^{{{int(power)}}}$"


def with_room(
    values: Sequence[float], texts: Sequence[str], log: bool, width_pt: float
) -> list[float]:
    """Return those of ascending values whose texts do not touch.

    Of values equally far apart it is every one, every second one, and so on; of others both ends,
    and what has room between them from the left on.
    """
    if len(values) < 2:
        return list(values)
    places = [math.log(value) if log else value for value in values]
    scale = width_pt / (places[-1] - places[0])
    ends = [
        (place * scale - half, place * scale + half)
        for place, half in zip(places, map(_half_width_pt, texts), strict=True)
    ]
    steps = [after - before for before, after in pairwise(places)]
    if all(math.isclose(step, steps[0], rel_tol=1e-6) for step in steps):
        every = next(n for n in range(1, len(values) + 1) if _apart(ends[::n]))
        return list(values[::every])
    chosen = [0]
    for number in range(1, len(values) - 1):
        if _apart([ends[chosen[-1]], ends[number], ends[-1]]):
            chosen.append(number)
    return [values[number] for number in (*chosen, len(values) - 1)]


def _half_width_pt(text: str) -> float:
    """Return half the width of what stands at a tick, in points, roughly."""
    return len(re.sub(r"\\times", "xx", text).translate(_NO_INK)) * _CHARACTER_PT / 2


def _apart(ends: Sequence[tuple[float, float]]) -> bool:
    """Return whether texts from one place to another do not touch each other."""
    return all(after[0] >= before[1] + _GAP_PT for before, after in pairwise(ends))


def width_of(axes: Axes) -> float:
    """Return about how wide axes will be, in points: their share, less margins."""
    place = axes.get_subplotspec()
    columns = place.get_gridspec().ncols if place is not None else 1
    return axes.figure.get_size_inches()[0] * 72 / columns * _USED


def height_of(axes: Axes) -> float:
    """Return about how high axes will be, in points."""
    place = axes.get_subplotspec()
    rows = place.get_gridspec().nrows if place is not None else 1
    return axes.figure.get_size_inches()[1] * 72 / rows * _USED
