"""Goodput over the control parameter eta (Figure 7 of Ito et al.)."""

from __future__ import annotations

import pandas as pd

from ..drawing import style
from . import Drawn, Kind, curves


def _draw(frame: pd.DataFrame, predictions: pd.DataFrame | None) -> Drawn:
    sweep = curves.read(frame, "eta", predictions, single=False)
    figure, whole, close, engines = curves.panels(sweep)
    title = r"Control parameter $\eta$"
    limit = sweep.limit_bps / 1e6
    for axes, shown in ((whole, sweep), (close, sweep.below(1))):
        curves.draw_on(axes, shown, 1)
        style.limit_line(axes, limit, f"bottleneck, {limit:g} Mbit/s")
        curves.plain_ticks(axes, curves.swept_values(shown, 1))
        axes.set_xlabel(title)
    whole.set_ylim(0, limit * 1.1)
    whole.set_ylabel("Goodput G (Mbit/s)")
    whole.set_title("(a) all values")
    close.set_ylim(_floor(sweep.below(1)), limit * 1.03)
    close.set_title(r"(b) magnified, without $\eta$ = 1")
    if engines is not None:
        curves.draw_reference(engines, sweep, 1, title)
        curves.plain_ticks(engines, curves.swept_values(sweep, 1))
    return curves.finish(figure, sweep)


def _floor(sweep: curves.Sweep) -> float:
    """Return where the magnified axis begins: below everything drawn."""
    least = sweep.table["goodput_bps"].min() / 1e6
    return 0 if pd.isna(least) else 10 * (least * 0.98 // 10)


FIGURE = Kind("Goodput over the control parameter eta", _draw, key="eta")
