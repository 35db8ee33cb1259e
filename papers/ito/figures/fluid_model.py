"""Goodput over N and W beside what the fluid model predicts, Eq. (1) of Ito et al.

Sets, by their labels: ``segment``, all points; ``ns3`` and ``ns3-twin``, some of them on both
engines with smaller files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from analysis.drawing import heatmap, style
from analysis.drawing.words import give_or_take, listed, missing, replications, share
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means, with_common
from analysis.statistics.pairs import agreement_in

CLOSE = 0.05
"""Relative difference up to which the model is said to be right."""

_N, _W, _DELAY = "parallelism", "window_bytes", "delay_s"
_POINT = [_DELAY, _W, _N]
_LIMITS = {"window": "the windows limit", "network": "the network limits"}


def _draw(runs: pd.DataFrame, predictions: pd.DataFrame | None) -> Drawn:
    table = _table(runs, predictions)
    delays = sorted(runs[_DELAY].unique())
    figure = style.new_figure(7.2, 1.1 + 2.3 * len(delays))
    panels = figure.subplots(len(delays), 2, sharex=True, sharey=True, squeeze=False)
    for (goodput, error), delay in zip(panels, delays, strict=True):
        path = f"$\\tau$ = {delay * 1e3:g} ms"
        used = _grid(table, runs, delay, "used")
        heatmap.draw(goodput, used, lambda value: f"{value * 100:.0f}", (0, 1), 6)
        goodput.set_title(f"{path}: measured goodput in % of B")
        factor = _grid(table, runs, delay, "ratio")
        # Shaded by the distance from 1, either way, up to a factor of two.
        heatmap.draw(error, factor.map(np.log2).abs(), factor.map("{:.2f}".format), (0, 1), 6)
        error.set_title(f"{path}: predicted over measured")
        for axes in (goodput, error):
            heatmap.frame(axes, _grid(table, runs, delay, "limited_by") == "window")
            heatmap.ring(axes, _grid(runs[runs["label"] == "ns3"], runs, delay, "run").notna())
            heatmap.label(axes, used, "{:g}".format, style.binary_bytes)
        goodput.set_ylabel("Window W of a connection")
    for axes in panels[-1]:
        axes.set_xlabel("Connections N")
    figure.supxlabel(_caption(table, runs, predictions), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame, predictions: pd.DataFrame | None) -> pd.DataFrame:
    """Return the means, and what the model predicts of them.

    Raises:
        ResultError: no run is done, or a point has runs of different scenarios.
    """
    require(runs, ["segment"])
    table = means(runs[runs["label"] == "segment"], _POINT, "goodput_bps")
    # One prediction is of all N at a delay and a window, on whichever engine.
    table = with_common(table, runs, [_DELAY, _W], "bandwidth_bps")
    table["used"] = table["mean"] / table["bandwidth_bps"]
    if predictions is None:
        return table.assign(predicted_bps=np.nan, limited_by=None).assign(**_ratios(table, np.nan))
    told = predictions[[*_POINT, "goodput_bps", "limited_by"]]
    told = told.rename(columns={"goodput_bps": "predicted_bps"})
    table = table.merge(told, how="left", on=_POINT)
    return table.assign(**_ratios(table, table["predicted_bps"]))


def _ratios(table: pd.DataFrame, predicted: Any) -> dict[str, pd.Series]:
    """Return predicted over measured with its 95 % interval."""
    columns = {"ratio": "mean", "ratio_low": "high", "ratio_high": "low"}
    return {name: predicted / table[column] for name, column in columns.items()}


def _grid(rows: pd.DataFrame, runs: pd.DataFrame, delay: float, column: str) -> pd.DataFrame:
    """Return a column over W (rows) and N (columns) at one delay."""
    chosen = rows[rows[_DELAY] == delay]
    grid = chosen.pivot_table(index=_W, columns=_N, values=column, aggfunc="first", dropna=False)
    every = runs[runs["label"] == "segment"]
    return grid.reindex(index=sorted(every[_W].unique()), columns=sorted(every[_N].unique()))


def _caption(table: pd.DataFrame, runs: pd.DataFrame, predictions: pd.DataFrame | None) -> str:
    first = runs[(runs["label"] == "segment") & runs["goodput_bps"].notna()].iloc[0]
    lines = [
        style.conditions(first, first["engine"], (_DELAY, _W, "eta")),
        f"{replications(table, first)}; framed: points where, by the model, the windows limit "
        "the goodput; "
        "predictions by gridftp-optimum",
    ]
    if said := agreement_in(runs).told():
        sizes = runs.loc[runs["label"] == "ns3", "file_size_bytes"].unique()
        told = " and ".join(style.decimal_bytes(size) for size in sorted(sizes))
        lines.append(f"rings: {said} (files of {told})")
    gaps = ["the fluid model's predictions"] if predictions is None else []
    wanted = runs.loc[runs["label"] == "segment", _POINT].drop_duplicates()
    if lacking := len(wanted) - len(table):
        gaps.append(f"{lacking} of {len(wanted)} points")
    if predictions is not None and (silent := int(table["ratio"].isna().sum())):
        gaps.append(f"predictions of {silent} points, outside the model's domain")
    return "\n".join([*lines, *missing(gaps, runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    known = table.dropna(subset="ratio")
    if not len(known):
        return [
            "The accuracy of the fluid model cannot be determined: its predictions are missing."
        ]
    return [*_limits(known), _choice(known)]


def _limits(known: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence on each side of the model's maximum."""
    for limit, name in _LIMITS.items():
        rows = known[known["limited_by"] == limit]
        if not len(rows):
            yield f"No point was simulated where, by Eq. (1), {name} the goodput."
            continue
        told = listed(_spread(same, delay) for delay, same in rows.groupby(_DELAY))
        near = (rows["ratio"] - 1).abs() <= CLOSE
        yield (
            f"Where, by Eq. (1), {name} the goodput, it predicts {told}; it is right within "
            f"{CLOSE * 100:g} % at {near.sum()} of {len(rows)} points{_worst(rows)}."
        )


def _spread(rows: pd.DataFrame, delay: float) -> str:
    ratios = rows["ratio"]
    return (
        f"{ratios.min():.2f} to {ratios.max():.2f} times what is measured at a delay of "
        f"{delay * 1e3:g} ms (median {ratios.median():.2f})"
    )


def _worst(rows: pd.DataFrame) -> str:
    """Return where the model is farthest away, either way, if it is not right throughout."""
    worst = rows.loc[np.log(rows["ratio"]).abs().idxmax()]
    if abs(worst["ratio"] - 1) <= CLOSE:
        return ""
    half = (worst["ratio_high"] - worst["ratio_low"]) / 2
    factor = give_or_take({"mean": worst["ratio"], "high": worst["ratio"] + half}, digits=2)
    return (
        f", and farthest away, by a factor of {factor}, at N = {worst[_N]:g}, "
        f"W = {style.binary_bytes(worst[_W])} and {worst[_DELAY] * 1e3:g} ms"
    )


def _choice(known: pd.DataFrame) -> str:
    """Return what the N that the model prefers is worth in the measurement."""
    rows = []
    for (delay, window), same in known.groupby([_DELAY, _W]):
        chosen = same.loc[same["predicted_bps"].idxmax()]
        best = same.loc[same["mean"].idxmax()]
        rows.append((delay, window, chosen[_N], best[_N], chosen["mean"] / best["mean"]))
    table = pd.DataFrame(rows, columns=[_DELAY, _W, "chosen", "best", "share"])
    parts = []
    for delay, same in table.groupby(_DELAY):
        worst = same.loc[same["share"].idxmin()]
        least = f"at least {share(worst['share'])}" if len(same) > 1 else share(worst["share"])
        parts.append(
            f"{least} at {delay * 1e3:g} ms (W = {style.binary_bytes(worst[_W])}: N = "
            f"{worst['chosen']:g}, best {worst['best']:g})"
        )
    return (
        "The N that the model prefers, among the simulated ones, reaches this share of the best "
        f"goodput at the same window: {listed(parts)}."
    )


FIGURE = Kind(
    "Goodput over N and W, and what the fluid model predicts",
    _draw,
    key=(_DELAY, _W),
    question="Where is the fluid model right, and how large is its error elsewhere?",
    answer=_answer,
    unit="bit/s",
)
