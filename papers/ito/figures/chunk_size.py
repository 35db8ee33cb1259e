"""Goodput over the size of the file and of its chunks: where does the tuning stop paying?

Sets, by their labels: ``segment``, the tuning modes over all sizes; ``fixed``, numbers of
connections that do not change, the file in one chunk; ``ns3`` and ``ns3-twin``, points of the first
on both engines.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.claims.conditions import conditions_of
from analysis.drawing import heatmap, style
from analysis.drawing.words import each, give_or_take, listed, missing, replications, share
from analysis.figures import Drawn, Kind
from analysis.figures.curves import MODES
from analysis.papers import paper_of
from analysis.read import tuners
from analysis.read.sets import require
from analysis.statistics.interval import Interval
from analysis.statistics.means import means, ratio
from analysis.statistics.pairs import agreement_in

TUNED, FIXED = "segment", "fixed"
"""Labels of the sets."""

CLOSE = 0.9
"""Share of the best fixed N's goodput from which on little is lost by tuning."""

_FILE, _CHUNK = "file_size_bytes", "chunk_size_bytes"
_REFERENCES = {"single": "a single connection", "best": "the best fixed N"}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    table = _table(runs)
    figure = style.new_figure(7.2, 5.6)
    panels = figure.subplots(len(_REFERENCES), len(MODES), sharex=True, sharey=True)
    for row, reference in enumerate(_REFERENCES):
        for axes, mode in zip(panels[row], MODES, strict=True):
            values = _grid(table, runs, mode, f"over_{reference}")
            heatmap.draw(axes, values, _words(reference), (0.2, 3 if row == 0 else 1), 5.6)
            heatmap.frame(axes, _framed(table, runs, mode, reference))
            heatmap.ring(axes, _grid(runs[runs["label"] == "ns3"], runs, mode, "run").notna())
            heatmap.label(axes, values, style.decimal_bytes, style.decimal_bytes)
            axes.tick_params(axis="x", rotation=90, labelsize=7)
            axes.tick_params(axis="y", labelsize=7)
            unit = "goodput over that of" if row == 0 else "goodput in % of that of"
            axes.set_title(f"{style.LOOKS[mode].label}, {unit}\n{_REFERENCES[reference]}",
                           fontsize=7.5)  # fmt: skip
    figure.supylabel("Size of a chunk", fontsize=9)
    figure.supxlabel(_caption(table, runs), fontsize=7, color=style.GREY)
    for axes in panels[-1]:
        axes.set_xlabel("Size of the file")
    return figure, table


def _table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the means, and those of the tuned ones over the references.

    Raises:
        ResultError: no run of a tuning mode is done.
    """
    require(runs, [TUNED])
    chosen = runs[runs["label"].isin([TUNED, FIXED])]
    table = means(chosen, ["label", "mode", "parallelism", _FILE, _CHUNK], "goodput_bps")
    fixed = table[table["label"] == FIXED]
    for reference in _REFERENCES:
        over = [
            _over(row, _reference(fixed, row[_FILE], reference)) if row["label"] == TUNED else None
            for _, row in table.iterrows()
        ]
        for name in ("mean", "low", "high"):
            suffix = "" if name == "mean" else f"_{name}"
            values = [np.nan if one is None else getattr(one, name) for one in over]
            table[f"over_{reference}{suffix}"] = np.array(values, dtype=float)
    return table


def _reference(fixed: pd.DataFrame, size: int, reference: str) -> pd.Series | None:
    """Return the row of what a file of this size is compared with, None if there is none."""
    rows = fixed[fixed[_FILE] == size]
    one = rows["parallelism"] == 1
    if reference == "single":
        rows = rows[one]
    elif one.all():
        return None
    return rows.loc[rows["mean"].idxmax()] if len(rows) else None


def _over(row: pd.Series, reference: pd.Series | None) -> Interval | None:
    return None if reference is None else ratio(row, reference)


def _grid(rows: pd.DataFrame, runs: pd.DataFrame, mode: str, column: str) -> pd.DataFrame:
    """Return a column over chunk (rows) and file (columns), nan where there is only one chunk."""
    tuned = runs[runs["label"] == TUNED]
    chosen = rows[(rows["mode"] == mode) & (rows[_CHUNK] < rows[_FILE])]
    if "over_single" in rows:
        chosen = chosen[chosen["label"] == TUNED]
    grid = chosen.pivot_table(index=_CHUNK, columns=_FILE, values=column, aggfunc="first")
    return grid.reindex(index=sorted(tuned[_CHUNK].unique()), columns=sorted(tuned[_FILE].unique()))


def _framed(table: pd.DataFrame, runs: pd.DataFrame, mode: str, reference: str) -> pd.DataFrame:
    """Return which cells the frame is around."""
    if reference == "single":
        return _grid(table, runs, mode, "over_single_low") > 1
    return _grid(table, runs, mode, "over_best") >= CLOSE


def _words(reference: str) -> heatmap.Words:
    if reference == "single":
        return lambda value: f"{value:.1f}"
    return lambda value: f"{value * 100:.0f}"


def _caption(table: pd.DataFrame, runs: pd.DataFrame) -> str:
    first = runs[(runs["label"] == TUNED) & runs["goodput_bps"].notna()].iloc[0]
    lines = [
        style.conditions(first, first["engine"], (_FILE, _CHUNK)),
        replications(table, first),
        f"framed, upper row: the 95 % interval is above 1, lower row: {CLOSE * 100:.0f} % or more; "
        "hatched: a single chunk, so N is not tuned",
    ]
    if said := agreement_in(runs).told():
        lines.append(f"rings: {said}")
    return "\n".join([*lines, *missing(_gaps(table, runs), runs)])


def _gaps(table: pd.DataFrame, runs: pd.DataFrame) -> list[str]:
    """Return what the figure lacks beside runs that are not done."""
    gaps = [f"mode {style.LOOKS[mode].label}" for mode in MODES if mode not in set(table["mode"])]
    fixed = table[table["label"] == FIXED]
    sizes = set(runs.loc[runs["label"] == TUNED, _FILE])
    for name, one in (("a single connection", True), ("other fixed N", False)):
        there = set(fixed.loc[(fixed["parallelism"] == 1) == one, _FILE])
        if lacking := len(sizes - there):
            gaps.append(f"{name} at {lacking} of {len(sizes)} sizes of files")
    return gaps


def _answer(table: pd.DataFrame) -> list[str]:
    tuned = table[(table["label"] == TUNED) & (table[_CHUNK] < table[_FILE])]
    if tuned["over_single"].isna().all():
        return [
            "Where tuning stops paying off cannot be determined: runs of a single connection, "
            "or of the "
            "modes, are missing."
        ]
    # Of a single run there is no interval: there the mean itself has to be on the right side.
    tuned = tuned.assign(
        low=tuned["over_single_low"].fillna(tuned["over_single"]),
        high=tuned["over_single_high"].fillna(tuned["over_single"]),
    )
    return [
        _against_single(tuned),
        _chunks(tuned),
        _against_best(table, tuned),
        *_left_out(table, tuned),
    ]


def _modes(rows: pd.DataFrame) -> dict[str, str]:
    """Return what readers call the modes that there are rows of."""
    return {mode: tuners.label(mode) for mode in tuners.ordered(rows["mode"])}


def _against_single(tuned: pd.DataFrame) -> str:
    known = tuned.dropna(subset="over_single")
    fit = each(_modes(known), lambda mode: _pays_from(known[known["mode"] == mode]))
    told = (
        f"Compared with a single connection, tuning pays off {fit}, if the chunks are small enough"
    )
    size = conditions_of(paper_of(__name__))[_CHUNK][0]
    paper = known[known[_CHUNK] == size]
    if len(paper):
        at = each(_modes(paper), lambda mode: _pays_from(paper[paper["mode"] == mode]))
        told += f", and with the paper's chunks of {style.decimal_bytes(size)} {at}"
    return f"{told}; a file of a single chunk is not tuned at all{_no_interval(known)}."


def _no_interval(known: pd.DataFrame) -> str:
    """Return what is to be said where goodputs over a single connection's have no interval."""
    without = int(known["over_single_low"].isna().sum())
    if not without:
        return ""
    where = "" if without == len(known) else f" of {without} of {len(known)} points"
    return f"; judged by the means, as there is no interval{where}"


def _pays_from(rows: pd.DataFrame) -> str:
    """Return from which size of the file on there is a chunk with which tuning pays."""
    best = rows.groupby(_FILE)["low"].max().sort_index(ascending=False)
    paying = best[(best > 1).cumprod().astype(bool)]
    return f"from files of {style.decimal_bytes(paying.index[-1])} on" if len(paying) else "never"


def _chunks(tuned: pd.DataFrame) -> str:
    best = _best_chunks(tuned)
    parts = (best[_FILE] / best[_CHUNK]).round().astype(int)
    few, many = parts.min(), parts.max()
    told = f"The best chunk is 1/{few}" + (f" to 1/{many}" if many > few else "") + " of the file"
    known = tuned.dropna(subset="over_single")
    losing = known[known["high"] < 1]
    if not len(losing):
        return f"{told}; tuning is slower than a single connection with no tested chunk size."
    worst = losing.loc[losing["over_single"].idxmin()]
    mode = style.LOOKS[worst["mode"]].label
    sizes = [style.decimal_bytes(size) for size in sorted(losing[_CHUNK].unique())]
    return (
        f"{told}; too small chunks cost more than they gain: {len(losing)} of {len(known)} "
        f"points, all with chunks of {listed(sizes)}, are slower than a single connection, at "
        f"worst {mode} with {share(worst['over_single'])} of its goodput "
        f"(file {style.decimal_bytes(worst[_FILE])}, chunk {style.decimal_bytes(worst[_CHUNK])})."
    )


def _best_chunks(tuned: pd.DataFrame) -> pd.DataFrame:
    """Return the row of the best chunk size for each mode and file."""
    return tuned.loc[tuned.groupby(["mode", _FILE])["mean"].idxmax()]


def _against_best(table: pd.DataFrame, tuned: pd.DataFrame) -> str:
    best = _best_chunks(tuned).dropna(subset="over_best")
    if not len(best) or not (table.loc[table["label"] == FIXED, "parallelism"] > 1).any():
        return "The loss compared with the best fixed N cannot be determined: runs are missing."
    close = each(_modes(best), lambda mode: _close_from(best[best["mode"] == mode]))
    told = (
        f"Compared with the best fixed N, known beforehand, tuning gets {CLOSE * 100:.0f} % of the "
        f"goodput with the best chunk size {close}"
    )
    largest = best[best[_FILE] == best[_FILE].max()]
    top = largest.loc[largest["over_best"].idxmax()]
    row = {"mean": top["over_best"], "high": top["over_best_high"]}
    told += (
        f"; with files of {style.decimal_bytes(top[_FILE])} it gets {give_or_take(row, 100, '%')} "
        f"at most ({style.LOOKS[top['mode']].label}, chunks of {style.decimal_bytes(top[_CHUNK])})"
    )
    return f"{told}; {_guess(table, tuned)}."


def _close_from(best: pd.DataFrame) -> str:
    over = best.set_index(_FILE)["over_best"].sort_index(ascending=False)
    near = over[(over >= CLOSE).cumprod().astype(bool)]
    return f"from files of {style.decimal_bytes(near.index[-1])} on" if len(near) else "at no size"


def _guess(table: pd.DataFrame, tuned: pd.DataFrame) -> str:
    """Return how the one fixed N that does best at its worst compares with tuning."""
    fixed = table[table["label"] == FIXED].pivot(index=_FILE, columns="parallelism", values="mean")
    # An N that is not done at every size might be worse there.
    worst = fixed.div(fixed.max(axis=1), axis=0).dropna(axis="columns").min()
    if not len(worst):
        return (
            "the goodput of one fixed N at every size cannot be determined, as no N was "
            "simulated at all of them"
        )
    guess = worst.idxmax()
    most = tuned.groupby(_FILE)["mean"].max().reindex(fixed.index)
    ahead = fixed.index[(most > fixed[guess]).to_numpy()]
    beaten = (
        "and no tuning beats it"
        if not len(ahead)
        else f"and tuning beats it with files of {listed(map(style.decimal_bytes, ahead))}"
    )
    return f"a fixed N = {guess:g} gets at least {share(worst[guess])} at every size, {beaten}"


def _left_out(table: pd.DataFrame, tuned: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence on each comparison that lacks modes, or sizes of files."""
    sizes = sorted(size for size in table[_FILE].unique() if size > tuned[_CHUNK].min())
    for reference, name in _REFERENCES.items():
        known = tuned.dropna(subset=f"over_{reference}")
        gone: dict[str, list[str]] = {}
        for mode in MODES:
            there = set(known.loc[known["mode"] == mode, _FILE])
            lacking = [style.decimal_bytes(size) for size in sizes if size not in there]
            if lacking:
                where = f"files of {listed(lacking)}" if there else "all files"
                gone.setdefault(where, []).append(style.LOOKS[mode].label)
        told = listed(f"{listed(modes)} with {where}" for where, modes in gone.items())
        if told:
            yield f"Not compared with {name}, as runs are missing: {told}."


FIGURE = Kind(
    "Goodput over the size of the file and of its chunks",
    _draw,
    question="For which sizes of files and chunks does tuning pay off?",
    answer=_answer,
    unit="bit/s",
)
