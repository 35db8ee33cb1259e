"""Axes to draw a curve in by hand, and the curve that the engine gives, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from ..predictions import TIME, Curve

_WIDTH, _HEIGHT = 660, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 12, 12, 46
_TICKS = 10
_ROUND = (1, 2, 2.5, 5, 10)


def axes(curve: Curve, right: Sequence[float] = ()) -> str:
    """Return the axes of a curve.

    Args:
        curve: that is to be drawn.
        right: what is drawn already: its values, in its unit; none on a handout.
    """
    drawn = ["".join(_grid(curve)), _labels(curve)]
    if right:
        points = [
            f"{_x(curve, x):.1f},{_y(curve, y):.1f}" for x, y in zip(curve.x, right, strict=True)
        ]
        drawn.append(f'<polyline class="curve" points="{" ".join(points)}" />')
    told = f"{curve.label_y} over {curve.label_x}" + ("" if right else ", to be drawn")
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(told)}">'
        f"{''.join(drawn)}</svg>"
    )


def _grid(curve: Curve) -> Iterator[str]:
    """Yield the lines of the grid, with a number at each."""
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    for value in _ticks(0, curve.maximum):
        y = _y(curve, value)
        yield f'<path d="M{_LEFT} {y:.1f}H{right}" />'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
    over_time = curve.over == TIME
    for value in _ticks(0, curve.x[-1]) if over_time else curve.x:
        x = _x(curve, value)
        yield f'<path d="M{x:.1f} {_TOP}V{bottom}" />'
        yield f'<text x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{value:g}</text>'


def _labels(curve: Curve) -> str:
    across, middle = (_LEFT + _WIDTH - _RIGHT) / 2, (_TOP + _HEIGHT - _BOTTOM) / 2
    along, up = escape(curve.label_x), escape(f"{curve.label_y}, {curve.unit}")
    return (
        f'<text x="{across}" y="{_HEIGHT - 8}" text-anchor="middle">{along}</text>'
        f'<text transform="translate(14 {middle}) rotate(-90)" text-anchor="middle">{up}</text>'
    )


def _x(curve: Curve, value: float) -> float:
    return _LEFT + (value / curve.x[-1]) * (_WIDTH - _RIGHT - _LEFT)


def _y(curve: Curve, value: float) -> float:
    room = _HEIGHT - _BOTTOM - _TOP
    return _HEIGHT - _BOTTOM - min(value / curve.maximum, 1) * room


def _ticks(begin: float, end: float) -> list[float]:
    """Return round numbers from one to the other, no more than some ten."""
    least = (end - begin) / _TICKS
    decade = 10 ** math.floor(math.log10(least))
    step = next(decade * factor for factor in _ROUND if decade * factor >= least)
    return [begin + place * step for place in range(int((end - begin) / step + 1e-9) + 1)]
