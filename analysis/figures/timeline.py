"""What the figures of one transfer share: a quantity of every chunk over time, the start magnified.

The rows are a store's chunks (`analysis.stored.chunk_table`). Sets, by their labels: ``segment``,
one run of each mode, drawn as a line with filled markers; ``jittered``, replications of it, a band;
``ns3``, the reference engine, hollow markers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..drawing import bands, style
from ..drawing.bands import Bands
from ..drawing.words import missing_lines
from ..read import stored, tuners
from ..read.results import ResultError, main_chunks
from ..read.sets import require
from ..statistics import fluid
from ..statistics.curve import VARIANTS
from ..statistics.interval import mean_interval

DENSE = 0.7
"""How much smaller lines and markers are where the whole transfer is shown."""

LINE, BAND, REFERENCE = "segment", "jittered", "ns3"
"""Labels of the sets."""

MODEL = {"color": style.INK["green"], "linewidth": 0.8, "zorder": 1.4}
"""How the fluid model is drawn."""

_MAY_DIFFER = {"mode", "run", "engine"}


@dataclass(frozen=True)
class Timeline:
    """What such a figure is drawn from.

    Attributes:
        rows: one per chunk of `results.MAIN_SESSION`.
        bands: per mode and chunk: ``low`` and ``high`` of the mean over replications, 95 %.
        undone: how many runs are declared and not done.
        predictions: the fluid model's at its best N, None without.
        drawn_bands: what is drawn of the intervals, to tell what is seen of them.
    """

    rows: pd.DataFrame
    bands: pd.DataFrame
    undone: int
    predictions: pd.DataFrame | None
    drawn_bands: Bands = field(default_factory=Bands)

    def of(self, label: str, mode: str) -> pd.DataFrame:
        """Return the chunks of one set and mode."""
        return self.rows[(self.rows["label"] == label) & (self.rows["mode"] == mode)]

    @property
    def modes(self) -> list[str]:
        """The modes there are a line of."""
        there = set(self.rows.loc[self.rows["label"] == LINE, "mode"])
        return tuners.ordered(there)


def chunks_of(store: Path, sweep: str) -> pd.DataFrame:
    """Return the rows for such a figure."""
    return stored.chunk_table(store, sweep, undone=True)


def read(rows: pd.DataFrame, column: str, predictions: pd.DataFrame | None) -> Timeline:
    """Return what a figure of a column of the chunks is drawn from.

    Raises:
        ResultError: no line can be drawn, or the lines are of different scenarios.
    """
    require(rows, [LINE], "index")
    done = rows.dropna(subset="index")
    done = main_chunks(done)
    lines = done[done["label"] == LINE]
    if lines.duplicated(["mode", "index"]).any():
        raise ResultError(f"set {LINE} has more than one run of a mode")
    if differing := differing_keys(lines):
        raise ResultError(f"its runs differ in {', '.join(differing)}")
    undone = int(rows["index"].isna().sum())
    best = None if predictions is None else fluid.best(predictions)
    return Timeline(done, _bands(done, column), undone, best)


def differing_keys(chunks: pd.DataFrame) -> list[str]:
    """Return the keys of the scenario in which runs differ, the mode and the run being allowed."""
    keys = [key for key in chunks if key not in stored.CHUNK_COLUMNS and key not in _MAY_DIFFER]
    return [key for key in keys if chunks[key].nunique(dropna=False) > 1]


def _bands(chunks: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the 95 % interval of a column's mean over replications, by mode and chunk."""
    rows = []
    jittered = chunks[chunks["label"] == BAND]
    for (mode, index), same in jittered.groupby(["mode", "index"]):
        if len(same) > 1:
            interval = mean_interval(same[column].tolist())
            rows.append((mode, index, same["completed_s"].mean(), interval.low, interval.high))
    columns = ["mode", "index", "completed_s", "low", "high"]
    numbers = dict.fromkeys(columns[1:], float)
    return pd.DataFrame(rows, columns=columns).astype(numbers)


def two_panels(table: pd.DataFrame) -> tuple[Figure, Axes, Axes]:
    """Return a figure of two panels with a common vertical axis: the start, and everything.

    The start is as long as the slowest mode needs for its first eight chunks.
    """
    figure = style.new_figure(7.2, 3.6)
    start, whole = figure.subplots(1, 2, sharey=True, width_ratios=(1, 1.7))
    first = table.groupby("mode")["completed_s"].apply(lambda times: times.iloc[:8].max()).max()
    start.set_xlim(0, first * 1.04)
    whole.set_xlim(0, table["completed_s"].max() * 1.02)
    start.set_title("(a) the start")
    whole.set_title("(b) the whole transfer")
    for axes in (start, whole):
        axes.set_xlabel("Time since the start of the transfer (s)")
    return figure, start, whole


def look_of(mode: str, scale: float = 1.0) -> dict[str, Any]:
    """Return how a mode's line is drawn: with filled markers, as hollow ones are engine ns3's."""
    look = style.LOOKS[mode].line(scale)
    return {**look, "markerfacecolor": look["color"]}


def band(axes: Axes, line: Timeline, mode: str, scale: float) -> None:
    """Draw the confidence band of a mode."""
    rows = line.bands[line.bands["mode"] == mode]
    look = style.LOOKS[mode]
    ink = {"color": look.color, "zorder": 3 + look.order}
    low, high = rows["low"] * scale, rows["high"] * scale
    line.drawn_bands.draw(axes, rows["completed_s"], low, high, **ink)


def variants(axes: Axes, line: Timeline, column: str, scale: float, drawstyle: str) -> None:
    """Draw the chunks under other access links, lighter."""
    for label in VARIANTS:
        for mode in line.modes:
            rows = line.of(label, mode)
            look = style.variant(label, style.LOOKS[mode].color)
            axes.plot(rows["completed_s"], rows[column] * scale, drawstyle=drawstyle, **look)


def reference(axes: Axes, line: Timeline, mode: str, column: str, scale: float) -> None:
    """Draw the reference engine's chunks of a mode."""
    rows = line.of(REFERENCE, mode)
    axes.plot(rows["completed_s"], rows[column] * scale, **_hollow(mode))


def _hollow(mode: str) -> dict[str, Any]:
    """Return how the reference engine's chunks of a mode are drawn."""
    look = style.LOOKS[mode]
    return {
        "color": look.color, "linestyle": "", "marker": look.marker, "markersize": look.size + 3.2,
        "markerfacecolor": "none", "markeredgewidth": 0.8, "zorder": 8,
    }  # fmt: skip


def finish(
    figure: Figure, line: Timeline, columns: list[str], model: Callable[[pd.Series], str] | None
) -> tuple[Figure, pd.DataFrame]:
    """Put the legend above the panels and the conditions below them; return what is drawn.

    Args:
        figure: with its panels drawn.
        line: what it is drawn from.
        columns: of the chunks that are drawn.
        model: from the row of the fluid model's predictions to what the legend calls it.
    """
    handles: list[Any] = [
        Line2D([], [], **look_of(mode)) for mode in line.modes
    ]  # as lines, whatever is drawn first
    if line.drawn_bands.seen():
        handles.append(bands.handle())
    if REFERENCE in set(line.rows["label"]):
        handles.append(style.samples(map(_hollow, line.modes), "hollow: engine ns3"))
    if model is not None and line.predictions is not None and len(line.predictions):
        handles.append(Line2D([], [], label=model(line.predictions.iloc[0]), **MODEL))
    handles += [
        style.samples((style.variant(label, style.LOOKS[mode].color) for mode in line.modes), text)
        for label, text in VARIANTS.items()
        if label in set(line.rows["label"])
    ]
    style.legend(figure, handles, ncols=3)
    figure.supxlabel("\n".join(_captions(line)), fontsize=7, color=style.GREY)
    return figure, _drawn(line, columns)


def _drawn(line: Timeline, columns: list[str]) -> pd.DataFrame:
    """Return the numbers drawn: the chunks, and beside those of the lines the band."""
    keys = ["mode", "index"]
    shown = line.rows[line.rows["label"].isin([LINE, REFERENCE, *VARIANTS])]
    shown = shown[["label", *keys, *columns]].astype({"index": int})
    bands = line.bands.drop(columns="completed_s").assign(label=LINE)
    shown = shown.merge(bands, how="left", on=["label", *keys])
    return shown.sort_values(["label", *keys], kind="stable", ignore_index=True)


def _captions(line: Timeline) -> list[str]:
    first = line.rows[line.rows["label"] == LINE].iloc[0]
    told = [style.conditions(first, first["engine"])]
    if len(line.bands):
        runs = int(line.rows.loc[line.rows["label"] == BAND, "run"].nunique())
        jitter = line.rows.loc[line.rows["label"] == BAND, "start_jitter_s"].max()
        seen = "band: " if line.drawn_bands.seen() else "narrower than the lines is the "
        told.append(
            f"lines: a single run; {seen}95 % interval of the mean of {runs} runs whose "
            f"connections start up to {jitter * 1e3:g} ms late"
        )
    others = line.rows[line.rows["label"] == REFERENCE]
    if len(others):
        size = style.decimal_bytes(others["file_size_bytes"].max())
        told.append(f"hollow: engine ns3, a file of {size}{_agreement(line)}")
    return [*told, *missing_lines(_missing(line))]


def _agreement(line: Timeline) -> str:
    """Return how far the reference's chunks are from those of the lines.

    The last one of a shorter file closes otherwise than in the middle of a longer one.
    """
    keys = ["mode", "index"]
    apart = []
    for mode in line.modes:
        both = line.of(REFERENCE, mode).merge(line.of(LINE, mode), on=keys, suffixes=("", "_line"))
        apart += (both["goodput_bps"] / both["goodput_bps_line"] - 1).abs().tolist()
    if not apart:
        return ""
    most = max(apart)
    return ", equal in every digit" if most == 0 else f", within {most * 100:.2g} %"


def _missing(line: Timeline) -> list[str]:
    told = []
    for label, name in ((BAND, "replications"), (REFERENCE, "engine ns3")):
        if label not in set(line.rows["label"]):
            told.append(f"no runs of {name}")
    if missed := [text for label, text in VARIANTS.items() if label not in set(line.rows["label"])]:
        told.append(f"no runs with {', '.join(missed)}")
    if line.undone:
        told.append(f"{line.undone} runs are not simulated")
    return told
