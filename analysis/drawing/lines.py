"""How many lines of one figure are told apart: by colour, dashes and marker, each with a meaning.

What differs most has the colours, all else together dashes and markers. Values of a key that is a
number have colours in their order, from dark to light; anything else has Okabe and Ito's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib
import matplotlib.colors

from . import style

_DASHES = ("-", (0, (4, 2)), (0, (1.2, 1.4)), (0, (3, 1.2, 1, 1.2)))
_MARKERS = "osD^vP<>X*hp"

_NAMED = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#7A5C00")
"""Okabe and Ito's colours, brown in place of yellow, which white paper swallows."""

_LIGHTEST = 0.88
"""Where the colour map of numbers ends: what is lighter can hardly be seen."""

_FEWEST_ORDERED = 3

Line = Mapping[str, Any]
"""What sets a line apart from the others: key and value."""


def looks(lines: Sequence[Line], mode: str = "") -> list[dict[str, Any]]:
    """Return how each line is drawn, as keywords of matplotlib's ``plot``.

    Args:
        lines: all with the same keys.
        mode: of all lines, where they do not differ in it.
    """
    hue = _hue(lines)
    colors = _colors([line[hue] for line in lines], hue) if hue else {None: _alone(mode)}
    rests = list(dict.fromkeys(_rest(line, hue) for line in lines))
    found = []
    for line in lines:
        value = line[hue] if hue else None
        rest = rests.index(_rest(line, hue))
        # A marker repeats what nothing else tells in grey.
        marker = rest if len(rests) > 1 else list(colors).index(value)
        turn = 0 if len(rests) > 1 else list(colors).index(value) // len(_NAMED)
        found.append(
            {
                "color": colors[value],
                "linestyle": _DASHES[(rest + turn) % len(_DASHES)],
                "marker": _MARKERS[marker % len(_MARKERS)],
                "markersize": 3.6,
            }
        )
    return found


def _hue(lines: Sequence[Line]) -> str | None:
    """Return the key that has the colours.

    It is the mode, where dashes do for the rest, or else the key with the most values.
    """
    keys = list(lines[0])
    if not keys:
        return None
    if "mode" in keys:
        rests = {_rest(line, "mode") for line in lines}
        if len(rests) <= len(_DASHES):
            return "mode"
    return max(keys, key=lambda key: len({line[key] for line in lines}))


def _rest(line: Line, hue: str | None) -> tuple[Any, ...]:
    return tuple(value for key, value in line.items() if key != hue)


def _colors(values: Sequence[Any], key: str) -> dict[Any, str]:
    """Return the colour of each value, in the order in which they come."""
    there = list(dict.fromkeys(values))
    if key == "mode" and all(mode in style.LOOKS for mode in there):
        return {mode: style.LOOKS[mode].color for mode in there}
    ordered = all(isinstance(v, int | float) and not isinstance(v, bool) for v in there)
    if ordered and len(there) >= _FEWEST_ORDERED:
        shades = matplotlib.colormaps["viridis"]
        step = _LIGHTEST / (len(there) - 1)
        rank = {value: place for place, value in enumerate(sorted(there))}
        return {value: matplotlib.colors.to_hex(shades(rank[value] * step)) for value in there}
    return {value: _NAMED[place % len(_NAMED)] for place, value in enumerate(there)}


def _alone(mode: str) -> str:
    look = style.LOOKS.get(mode)
    return look.color if look else _NAMED[0]
