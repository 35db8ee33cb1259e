"""What Figures 5 to 7 share: goodput over a swept key, by mode, beside the reference and the model.

The curves are engine segment's, with their confidence bands. Engine ns3 has smaller files, of which
finding N takes a larger share: they have a panel of their own, hollow markers, and crosses within
them for engine segment on the very same scenarios. What is missing is said below the panels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..drawing import bands, style
from ..drawing.axes import value_ticks, width_of
from ..drawing.bands import Bands
from ..drawing.words import missing_lines
from ..read.sets import require
from ..statistics import fluid
from ..statistics.curve import CURVES, REFERENCE, VARIANTS, declared, points

MODES = ("mi", "mi-plus", "aimd")
"""The tuning modes of the paper."""

# Thin and below the limit's dots, which it nearly touches.
_FLUID = {"color": style.INK["green"], "linewidth": 0.8, "marker": "", "zorder": 1.4}
_FLUID_STYLES = {"best N": "-", "N = 1": (0, (7, 3))}


@dataclass(frozen=True)
class Sweep:
    """What one figure is drawn from.

    Attributes:
        key: the swept key.
        single: whether a single connection is drawn beside the modes.
        runs: one row per run.
        table: the means, from `points`.
        predictions: the fluid model's, None without.
        bands: what is drawn of the intervals, to tell what is seen of them.
    """

    key: str
    single: bool
    runs: pd.DataFrame
    table: pd.DataFrame
    predictions: pd.DataFrame | None
    bands: Bands = field(default_factory=Bands)

    @property
    def series(self) -> list[tuple[str, str]]:
        """Label and mode of every curve."""
        return [("segment", mode) for mode in MODES] + [("single", "fixed")] * self.single

    def below(self, bound: float) -> Sweep:
        """Return the sweep without the points where the swept key is at least the bound."""
        rows = None if self.predictions is None else self.predictions[self.key] < bound
        return replace(
            self,
            runs=self.runs[self.runs[self.key] < bound],
            table=self.table[self.table[self.key] < bound],
            predictions=None if rows is None else self.predictions[rows],
        )

    @property
    def limit_bps(self) -> float:
        """The bottleneck's rate, where it is the same everywhere."""
        return float(self.table["bandwidth_bps"].max())


def read(
    frame: pd.DataFrame, key: str, predictions: pd.DataFrame | None, single: bool = True
) -> Sweep:
    """Return what a figure is drawn from.

    Raises:
        ResultError: no run of a curve is done, or runs of one point differ in their scenario.
    """
    require(frame, CURVES if single else CURVES[:1])
    return Sweep(key, single, frame, points(frame, key), predictions)


def panels(sweep: Sweep, share_y: bool = False) -> tuple[Figure, Axes, Axes, Axes | None]:
    """Return a figure with two panels side by side, and one below where there is a reference.

    Args:
        sweep: what is to be drawn.
        share_y: whether the two have a common vertical axis.
    """
    beside = any(_has(sweep, label) for label in REFERENCE)
    figure = style.new_figure(7.2, 6.1 if beside else 4.1)
    grid = figure.add_gridspec(2 if beside else 1, 2, height_ratios=(1.7, 1) if beside else None)
    first = figure.add_subplot(grid[0, 0])
    second = figure.add_subplot(grid[0, 1], sharey=first if share_y else None)
    if share_y:
        second.tick_params(labelleft=False)
    return figure, first, second, figure.add_subplot(grid[1, :]) if beside else None


def draw_reference(axes: Axes, sweep: Sweep, scale: float, title: str) -> None:
    """Draw the reference engine's points, and the other engine's on the same scenarios.

    Args:
        axes: the panel; its horizontal axis is set up by the caller.
        sweep: what to draw.
        scale: factor from the swept key to the horizontal axis.
        title: of the horizontal axis.
    """
    for mode in dict.fromkeys(mode for _, mode in sweep.series):
        _reference(axes, sweep, mode, scale)
    most = sweep.table.loc[sweep.table["label"].isin(REFERENCE), "goodput_bps"].max() / 1e6
    axes.set_ylim(-0.08 * most, 1.12 * most)  # room for whole markers
    axes.set_xlabel(title)
    axes.set_ylabel("Goodput G (Mbit/s)")
    axes.set_title(f"(c) both engines, files of {_reference_sizes(sweep)}")


def draw_on(axes: Axes, sweep: Sweep, scale: float, share: bool = False) -> None:
    """Draw every curve and the model's lines.

    Args:
        axes: to draw on.
        sweep: what to draw.
        scale: factor from the swept key to the horizontal axis.
        share: draw goodput over the bottleneck's rate, not Mbit/s.
    """
    for label, mode in sweep.series:
        rows = _rows(sweep, label, mode, scale, share)
        look = _look(mode)
        axes.plot(rows["x"], rows["mean"], **look)
        ink = {"color": look["color"], "zorder": look["zorder"]}
        sweep.bands.draw(axes, rows["x"], rows["low"], rows["high"], **ink)
    _variants(axes, sweep, scale, share)
    if sweep.predictions is not None:
        _model(axes, sweep, scale, share)


def _variants(axes: Axes, sweep: Sweep, scale: float, share: bool) -> None:
    """Draw the modes' curves under other access links, lighter."""
    for label in VARIANTS:
        for mode in MODES:
            rows = _rows(sweep, label, mode, scale, share)
            axes.plot(rows["x"], rows["mean"], **style.variant(label, style.LOOKS[mode].color))


def _look(mode: str) -> dict[str, Any]:
    """Return how a mode's curve is drawn: with small filled markers, as hollow ones are ns3's."""
    look = style.LOOKS[mode].line(0.85)
    filled = {"markerfacecolor": look["color"], "markersize": 2.6, "label": mode_name(mode)}
    return {**look, **filled}


def mode_name(mode: str) -> str:
    """Return what the legend calls a mode's curve."""
    return "single connection" if mode == "fixed" else style.LOOKS[mode].label


def _rows(sweep: Sweep, label: str, mode: str, scale: float, share: bool) -> pd.DataFrame:
    """Return one curve in the units of the axes: x, mean, low, high."""
    table = sweep.table[(sweep.table["label"] == label) & (sweep.table["mode"] == mode)]
    unit = table["bandwidth_bps"] if share else 1e6
    columns = {"mean": "goodput_bps", "low": "low_bps", "high": "high_bps"}
    values = {name: table[column] / unit for name, column in columns.items()}
    return pd.DataFrame({"x": table[sweep.key] * scale, **values})


def _reference(axes: Axes, sweep: Sweep, mode: str, scale: float) -> None:
    """Draw the reference engine's points of a mode, and the other engine's."""
    for label in REFERENCE:
        rows, look = _rows(sweep, label, mode, scale, share=False), _point(label, mode)
        axes.plot(rows["x"], rows["mean"], **look)
        axes.vlines(rows["x"], rows["low"], rows["high"], color=look["color"], linewidth=0.9)


def _point(label: str, mode: str) -> dict[str, Any]:
    """Return how a point of the reference or of its twin is drawn."""
    look = style.LOOKS[mode]
    hollow = {"marker": look.marker, "markersize": look.size + 2.5, "markerfacecolor": "none"}
    cross = {"marker": "x", "markersize": 3.2}
    ink = {"color": look.color, "linestyle": "", "markeredgewidth": 0.9, "zorder": 7}
    return {**ink, **(hollow if label == "ns3" else cross)}


def _model(axes: Axes, sweep: Sweep, scale: float, share: bool) -> None:
    """Draw the fluid model's lines."""
    bandwidths = sweep.table.groupby(sweep.key)["bandwidth_bps"].first()
    for name, rows in _model_lines(sweep).items():
        unit = bandwidths.reindex(rows[sweep.key]).to_numpy() if share else 1e6
        line = {**_FLUID, "linestyle": _FLUID_STYLES[name]}
        axes.plot(rows[sweep.key] * scale, rows["goodput_bps"] / unit, **line)


def _model_lines(sweep: Sweep) -> dict[str, pd.DataFrame]:
    """Return which of the model's lines are drawn: name and rows of each."""
    if sweep.predictions is None:
        return {}
    lines = {"best N": fluid.best(sweep.predictions)}
    if sweep.single:
        lines["N = 1"] = fluid.at(sweep.predictions, 1)
    return {name: rows.sort_values(sweep.key) for name, rows in lines.items()}


def plain_ticks(axes: Axes, values: list[float]) -> None:
    """Label the horizontal axis at these values, as plain numbers."""
    value_ticks(axes, values, width_of(axes))


def swept_values(sweep: Sweep, scale: float) -> list[float]:
    """Return the values of the swept key that there are points of, in the axis's unit."""
    labels = (*CURVES, *REFERENCE)
    return [round(x * scale, 9) for x in declared(sweep.runs, sweep.key, labels)]


def finish(figure: Figure, sweep: Sweep) -> tuple[Figure, pd.DataFrame]:
    """Put the legend above the panels, conditions and what is missing below; return both results.

    Returns:
        The figure, and the table of what is drawn: the means and, labelled ``fluid``, the model's.
    """
    handles: list[Any] = [Line2D([], [], **_look(mode)) for _, mode in sweep.series]
    if sweep.bands.seen():
        handles.append(bands.handle())
    modes = list(dict.fromkeys(mode for _, mode in sweep.series))
    for label, text in zip(
        REFERENCE, ("(c) hollow: engine ns3", "(c) engine segment"), strict=True
    ):
        if _has(sweep, label):
            handles.append(style.samples((_point(label, mode) for mode in modes), text))
    for name in _model_lines(sweep):
        ink = {**_FLUID, "linestyle": _FLUID_STYLES[name]}
        handles.append(Line2D([], [], label=f"fluid model, {name}", **ink))
    handles += [
        style.samples((style.variant(label, style.LOOKS[mode].color) for mode in MODES), text)
        for label, text in VARIANTS.items()
        if _has(sweep, label)
    ]
    style.legend(figure, handles, ncols=3, columnspacing=1.4)
    figure.supxlabel("\n".join(_captions(sweep)), fontsize=7, color=style.GREY)
    return figure, _drawn(sweep)


def _has(sweep: Sweep, label: str) -> bool:
    return bool((sweep.table["label"] == label).any())


def _captions(sweep: Sweep) -> list[str]:
    """Return the lines below the panels."""
    curves = sweep.runs[sweep.runs["label"].isin(CURVES)].dropna(subset="goodput_bps")
    first = curves.iloc[0]
    lines = [style.conditions(first, first["engine"], sweep.key), _precision(sweep)]
    if _has(sweep, "ns3"):
        lines.append(_about_reference(sweep))
    return [*lines, *missing_lines(missing(sweep))]


def _about_reference(sweep: Sweep) -> str:
    """Return what the reference's markers are, and how far the other engine is from them."""
    text = f"(c): hollow: engine ns3, files of {_reference_sizes(sweep)}"
    of_curves = sweep.runs.loc[sweep.runs["label"].isin(CURVES), "file_size_bytes"]
    of_both = sweep.runs.loc[sweep.runs["label"].isin(REFERENCE), "file_size_bytes"]
    if of_both.max() < of_curves.min():
        text += ", in which the search for N takes a larger share of the time"
    if not _has(sweep, "ns3-twin"):
        return text
    return f"{text}; crosses: engine segment in the same scenarios{_agreement(sweep)}"


def _reference_sizes(sweep: Sweep) -> str:
    """Return the sizes of the files of the reference's runs."""
    runs = sweep.runs[sweep.runs["label"].isin(REFERENCE)]
    return " and ".join(map(style.decimal_bytes, sorted(runs["file_size_bytes"].unique())))


def _precision(sweep: Sweep) -> str:
    """Return how many runs the curves are means of, and how wide their intervals are at most."""
    table = sweep.table[sweep.table["label"].isin(CURVES)]
    half = (table["high_bps"] - table["low_bps"]) / 2 / table["goodput_bps"]
    return bands.told(table["runs"], half, sweep.bands.seen())


def _agreement(sweep: Sweep) -> str:
    """Return how far the engines' means are apart at most."""
    by = ["mode", sweep.key]
    ns3, twin = (
        sweep.table[sweep.table["label"] == label].set_index(by)["goodput_bps"]
        for label in REFERENCE
    )
    apart = (ns3 / twin - 1).abs().max()
    if math.isnan(apart):
        return ""
    return ", equal in every digit" if apart == 0 else f", within {apart * 100:.2g} %"


def missing(sweep: Sweep) -> list[str]:
    """Return what the figure lacks, one text for each set of runs."""
    values = declared(sweep.runs, sweep.key, CURVES)
    wanted = {(label, mode, x) for label, mode in sweep.series for x in values}
    told = [_gap(sweep, wanted, "points of the curves")]
    reference = sweep.runs[sweep.runs["label"].isin(REFERENCE)]
    pairs = set(zip(reference["mode"], reference[sweep.key], strict=True))
    if missed := [text for label, text in VARIANTS.items() if not _has(sweep, label)]:
        told.append(f"no runs with {', '.join(missed)}")
    for label, name in zip(
        REFERENCE, ("engine ns3", "engine segment to compare with ns3"), strict=True
    ):
        if not _has(sweep, label):
            told.append(f"no runs of {name}")
        else:
            told.append(_gap(sweep, {(label, *pair) for pair in pairs}, f"points of {name}"))
    undone = int(sweep.runs["goodput_bps"].isna().sum())
    told.append(f"{undone} of {len(sweep.runs)} runs" if undone else "")
    told.append("" if sweep.predictions is not None else "no prediction of the fluid model")
    return [text for text in told if text]


def _gap(sweep: Sweep, wanted: set[tuple[str, str, float]], of: str) -> str:
    """Return how many of the wanted points are missing, "" if none."""
    columns = ["label", "mode", sweep.key]
    there = set(sweep.table[columns].itertuples(index=False, name=None))
    gone = len(wanted - there)
    return f"{gone} of {len(wanted)} {of}" if gone else ""


def _drawn(sweep: Sweep) -> pd.DataFrame:
    """Return the numbers drawn."""
    beside = (*REFERENCE, *VARIANTS)
    chosen = set(sweep.series) | {(label, mode) for label in beside for _, mode in sweep.series}
    keep = [pair in chosen for pair in zip(sweep.table["label"], sweep.table["mode"], strict=True)]
    tables = [sweep.table[keep].drop(columns="error_bps")]
    for name, rows in _model_lines(sweep).items():
        tables.append(rows[[sweep.key, "goodput_bps"]].assign(label="fluid", mode=name))
    return pd.concat(tables, ignore_index=True)
