"""Goodput over the bottleneck's propagation delay tau (Figure 6 of Ito et al.)."""

from __future__ import annotations

import pandas as pd

from ..drawing import style
from . import Drawn, Kind, curves

_MS = 1e3


def _draw(frame: pd.DataFrame, predictions: pd.DataFrame | None) -> Drawn:
    sweep = curves.read(frame, "delay_s", predictions)
    # The claim is of a straight line, so one panel is linear; the other shows the short delays.
    figure, straight, spread, engines = curves.panels(sweep, share_y=True)
    title = r"Propagation delay $\tau$ of the bottleneck (ms)"
    limit = sweep.limit_bps / 1e6
    for axes in (straight, spread):
        curves.draw_on(axes, sweep, _MS)
        style.limit_line(axes, limit, f"bottleneck, {limit:g} Mbit/s")
        axes.set_xlabel(title)
    straight.set_ylim(-0.025 * limit, limit * 1.1)  # room for markers near 0
    straight.set_xlim(left=0)
    straight.set_ylabel("Goodput G (Mbit/s)")
    straight.set_title("(a) linear scale")
    spread.set_xscale("log")
    curves.plain_ticks(spread, curves.swept_values(sweep, _MS))
    spread.set_title("(b) logarithmic scale")
    if engines is not None:
        engines.set_xscale("log")
        curves.draw_reference(engines, sweep, _MS, title)
        curves.plain_ticks(engines, curves.swept_values(sweep, _MS))
    return curves.finish(figure, sweep)


FIGURE = Kind("Goodput over the propagation delay", _draw, key="delay_s")
