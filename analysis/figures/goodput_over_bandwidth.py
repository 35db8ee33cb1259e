"""Goodput over the bottleneck's bandwidth B (Figure 5 of Ito et al.)."""

from __future__ import annotations

import pandas as pd
from matplotlib.ticker import FuncFormatter

from ..drawing import style
from . import Drawn, Kind, curves

_MBIT = 1e-6


def _draw(frame: pd.DataFrame, predictions: pd.DataFrame | None) -> Drawn:
    sweep = curves.read(frame, "bandwidth_bps", predictions)
    figure, goodput, share, engines = curves.panels(sweep)
    curves.draw_on(goodput, sweep, _MBIT)
    curves.draw_on(share, sweep, _MBIT, share=True)
    ticks = curves.swept_values(sweep, _MBIT)
    title = "Bottleneck bandwidth B (Mbit/s)"
    for axes in (goodput, share):
        axes.set_xscale("log")
        curves.plain_ticks(axes, ticks)
        axes.set_xlabel(title)
    if engines is not None:
        engines.set_xscale("log")
        curves.draw_reference(engines, sweep, _MBIT, title)
        curves.plain_ticks(engines, ticks)
        engines.set_yscale("log")
        engines.autoscale(axis="y")
        engines.margins(y=0.15)
        engines.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    goodput.plot(ticks, ticks, **style.LIMIT)
    goodput.annotate("bottleneck", (ticks[-1], ticks[-1]), xytext=(-8, 0), ha="right", va="center",
                     textcoords="offset points", fontsize=8, color=style.GREY)  # fmt: skip
    goodput.set_yscale("log")
    goodput.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    goodput.set_ylabel("Goodput G (Mbit/s)")
    goodput.set_title("(a) goodput")
    style.limit_line(share, 1, "bottleneck")
    share.set_ylim(-0.025, 1.1)
    share.set_ylabel("Use of the bottleneck, G / B")
    share.set_title("(b) share of the bottleneck")
    return curves.finish(figure, sweep)


FIGURE = Kind("Goodput over the bottleneck's bandwidth", _draw, key="bandwidth_bps")
