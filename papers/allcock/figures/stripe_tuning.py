"""One tuner for all pairs of stripes, or one for each: which gets more, and by how much?

Sets, by their labels: ``equal``, ``unequal``, ``background`` and ``loss``, the tuning modes with
both; ``equal, fixed`` and so on, numbers of connections that do not change; ``ns3`` and
``ns3-twin``, points of the second on both engines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import each, give_or_take, listed, missing, replications
from analysis.figures import Drawn, Kind
from analysis.read import tuners
from analysis.read.sets import require
from analysis.statistics.means import COLUMNS, means, ratio, summary
from analysis.statistics.pairs import agreement_in

_SETTINGS = {
    "equal": "equal parts",
    "unequal": "unequal parts",
    "background": "equal parts, competing with plain TCP",
    "loss": "equal parts and random loss",
}
_FIXED = ", fixed"
_WHOLE, _EACH = "whole", "each"
_GAIN, _BEST = "each over whole", "over best fixed"
_LEAST = 0.001
"""Share of goodput below which a difference is none: what is said of pairs takes time, too."""
_BY = ["label", "mode", "stripe_tuning", "parallelism"]
_SIDES = {_WHOLE: (-0.13, "white"), _EACH: (0.13, None)}
_NAMES = {_WHOLE: "one tuner for all pairs", _EACH: "a tuner for each pair"}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, list(_SETTINGS))
    table = _table(runs)
    labels = [label for label in _SETTINGS if label in set(table["label"])]
    figure = style.new_figure(7.2, 5.0)
    panels = figure.subplots(2, 2, sharey=True).flat
    for axes, label in zip(panels, labels, strict=False):
        _panel(axes, table, label)
    for axes in [axes for axes in figure.axes if not axes.has_data()]:
        axes.set_visible(False)
    for axes in figure.axes[::2]:
        axes.set_ylabel("Goodput (Mbit/s)")
    handles = [
        figure.axes[0].plot([], [], "o", color=style.GREY, markerfacecolor=fill, label=_NAMES[key])
        for key, (_, fill) in _SIDES.items()
    ]
    figure.legend(handles=[handle for (handle,) in handles], loc="outside upper center", ncols=2)
    figure.supxlabel(_caption(table, runs), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the means, what each pair's tuner gains run by run, and what all lose to the best N.

    The column ``what`` tells which a row is: ``goodput``, in bit/s; `_GAIN`, a share of the goodput
    with one tuner, of runs with the same start delays; `_BEST`, a share of the best fixed N's.
    """
    chosen = runs[runs["label"].str.removesuffix(_FIXED).isin(list(_SETTINGS))]
    goodputs = means(chosen, _BY, "goodput_bps")
    rows = [{"what": "goodput", **row} for row in goodputs.to_dict("records")]
    tuned = chosen[~chosen["label"].str.endswith(_FIXED)]
    for (label, mode), same in tuned.groupby(["label", "mode"], sort=False):
        by_run = same.pivot(index="run", columns="stripe_tuning", values="goodput_bps")
        if {_WHOLE, _EACH} <= set(by_run) and len(gains := _gains(by_run)):
            rows.append({"what": _GAIN, "label": label, "mode": mode, **summary(gains)})
    for row in goodputs[~goodputs["label"].str.endswith(_FIXED)].to_dict("records"):
        best = _best(goodputs, row["label"])
        if best is not None:
            over = ratio(pd.Series(row), best)
            numbers = (row["runs"], over.mean, over.low, over.high)
            found = dict(zip(COLUMNS[:4], numbers, strict=True))
            rows.append({"what": _BEST, **{key: row[key] for key in _BY}, **found})
    return pd.DataFrame(rows, columns=["what", *_BY, *COLUMNS])


def _gains(by_run: pd.DataFrame) -> list[float]:
    return (by_run[_EACH] / by_run[_WHOLE] - 1).dropna().tolist()


def _best(table: pd.DataFrame, label: str) -> pd.Series | None:
    """Return the row of the fixed N with the largest goodput, if there is any."""
    rows = table[table["label"] == label + _FIXED]
    return rows.loc[rows["mean"].idxmax()] if len(rows) else None


def _panel(axes: Any, table: pd.DataFrame, label: str) -> None:
    goodputs = table[table["what"] == "goodput"]
    own = goodputs[goodputs["label"] == label]
    modes = tuners.ordered(own["mode"])
    for place, mode in enumerate(modes):
        look = style.LOOKS[mode]
        for key, (aside, fill) in _SIDES.items():
            side = own[(own["mode"] == mode) & (own["stripe_tuning"] == key)]
            for row in side.to_dict("records"):
                half = 0 if pd.isna(row["high"]) else (row["high"] - row["mean"]) / 1e6
                axes.errorbar(
                    place + aside, row["mean"] / 1e6, yerr=half, color=look.color, capsize=3,
                    marker=look.marker, markersize=7, markerfacecolor=fill or look.color,
                )  # fmt: skip
        for row in _rows(table, _GAIN, label=label, mode=mode).to_dict("records"):
            axes.annotate(
                _percent(row), (place, 0.04), xycoords=("data", "axes fraction"), ha="center",
                fontsize=7.5,
            )  # fmt: skip
    best = _best(goodputs, label)
    if best is not None:
        style.limit_line(axes, best["mean"] / 1e6, f"best fixed, N = {best['parallelism']:g}")
    axes.set_xticks(range(len(modes)), [tuners.label(mode) for mode in modes])
    axes.set_xlim(-0.5, len(modes) - 0.5)
    axes.set_ylim(0, table.loc[table["what"] == "goodput", "mean"].max() / 1e6 * 1.12)
    axes.set_title(_SETTINGS[label])


def _rows(table: pd.DataFrame, what: str, **where: str) -> pd.DataFrame:
    rows = table[table["what"] == what]
    for column, value in where.items():
        rows = rows[rows[column] == value]
    return rows


def _is_none(row: Mapping[str, Any]) -> bool:
    return max(abs(row[key]) for key in ("mean", "low", "high") if not pd.isna(row[key])) < _LEAST


def _percent(row: Mapping[str, Any]) -> str:
    if _is_none(row):
        return f"less than {_LEAST * 100:g} %"
    told = give_or_take(row, 100, "%")
    return told if row["mean"] < 0 else f"+{told}"


def _caption(table: pd.DataFrame, runs: pd.DataFrame) -> str:
    first = runs[runs["label"].isin(list(_SETTINGS)) & runs["goodput_bps"].notna()].iloc[0]
    goodputs = table[table["what"] == "goodput"]
    lines = [
        style.conditions(first, first["engine"]),
        f"{replications(goodputs, first)}; bars: 95 % intervals; "
        "below: gain of a tuner for each pair, compared run by run",
    ]
    if said := agreement_in(runs).told():
        lines.append(said)
    return "\n".join([*lines, *missing(_gaps(table), runs)])


def _gaps(table: pd.DataFrame) -> list[str]:
    there = set(table["label"])
    gaps = [name for label, name in _SETTINGS.items() if label not in there]
    return [*gaps, *(f"fixed N with {name}" for label, name in _SETTINGS.items()
                     if label in there and label + _FIXED not in there)]  # fmt: skip


def _answer(table: pd.DataFrame) -> list[str]:
    gains = table[table["what"] == _GAIN]
    if not len(gains):
        return [
            "Which is better cannot be determined: there are no runs of both with the same "
            "start times."
        ]
    return [_verdict(gains), *_told(gains), *_against_best(table)]


def _verdict(gains: pd.DataFrame) -> str:
    if gains["low"].isna().all():
        return "Which is better cannot be determined: a single run has no confidence interval."
    parts = []
    more, less = gains[gains["low"] > _LEAST], gains[gains["high"] < -_LEAST]
    for what, rows in (("more", more), ("less", less)):
        where = [
            f"{name} ({listed(map(tuners.label, tuners.ordered(own['mode'])))})"
            for label, name in _SETTINGS.items()
            if len(own := rows[rows["label"] == label])
        ]
        cases = f"{len(rows)} of {len(gains)} cases" if len(rows) else "none"
        parts.append(f"{what} in {cases}" + (f", {listed(where)}" if where else ""))
    return (
        f"By the 95 % intervals, and by at least {_LEAST * 100:g} %, a tuner for each pair gets "
        f"{'; '.join(parts)}. By chance alone, about {0.05 * len(gains):.1f} of these cases "
        "would differ."
    )


def _told(gains: pd.DataFrame) -> list[str]:
    told = []
    for label, name in _SETTINGS.items():
        rows = gains[gains["label"] == label].set_index("mode")
        if len(rows):
            modes = {mode: tuners.label(mode) for mode in tuners.ordered(rows.index)}
            differs = each(modes, lambda mode, rows=rows: _percent(rows.loc[mode]))
            told.append(f"With {name} its goodput differs by {differs}.")
    return told


def _against_best(table: pd.DataFrame) -> list[str]:
    shares = table[table["what"] == _BEST]
    if not len(shares):
        return ["The loss compared with the best fixed N cannot be determined: runs are missing."]
    told = []
    for key in (_WHOLE, _EACH):
        rows = shares[shares["stripe_tuning"] == key]
        low, high = rows.loc[rows["mean"].idxmin()], rows.loc[rows["mean"].idxmax()]
        told.append(
            f"{give_or_take(low, 100, '%')} ({_case(low)}) to {give_or_take(high, 100, '%')} "
            f"({_case(high)}) with {_NAMES[key]}"
        )
    return [f"Of the goodput with the best fixed N it is {listed(told)}."]


def _case(row: Mapping[str, Any]) -> str:
    return f"{tuners.label(row['mode'])}, {_SETTINGS[row['label']]}"


FIGURE = Kind(
    "One tuner for all pairs of stripes, or one for each",
    _draw,
    question="Is a tuner for each pair of stripes better than one for all of them?",
    answer=_answer,
    unit=("what", {"goodput": "bit/s", "": "1"}),
)
