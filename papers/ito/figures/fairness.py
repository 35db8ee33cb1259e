"""How sessions share a bottleneck: with their like, with another mode, and with plain TCP.

Sets, by their labels: ``one mode``, sessions of the same mode; ``two modes``, two of different
ones; ``beside a session``, ``beside plain TCP`` and ``alone``, a background connection; ``ns3`` and
``ns3-twin``, points of the first on both engines with smaller files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from analysis.drawing import style
from analysis.drawing.words import missing, replications
from analysis.figures import Drawn, Kind
from analysis.figures.curves import MODES, mode_name
from analysis.read import tuners
from analysis.read.results import ResultError
from analysis.read.sets import require
from analysis.statistics.fairness import harm
from analysis.statistics.interval import LOSS, SHARE, Bounds
from analysis.statistics.means import means
from analysis.statistics.pairs import agreement_in
from analysis.statistics.sharing import MEASURED, sharing_table
from papers.ito.figures.fairness_answer import answer

ONE, TWO, BESIDE, PLAIN, ALONE = (
    "one mode", "two modes", "beside a session", "beside plain TCP", "alone"
)  # fmt: skip
"""Labels of the sets."""

_APART = (*MEASURED, "start_s", "starts", "background_start_s")
"""Columns in which runs of a point may differ."""

_RUN = ["run", "seed"]
"""Columns that tell replications apart: runs that are compared with each other have the same."""

_POINT = ["modes", "sessions", "delays"]
_TCP = {"color": style.GREY, "marker": "v"}
_TITLES = {"equal": "equal delays", "unequal": "unequal delays"}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    table = _table(runs)
    figure = style.new_figure(7.2, 5.4)
    panels = figure.subplots(2, 3)
    for column, delays in enumerate(_TITLES):
        for axes, what, name in (
            (panels[0][column], "jain", "Jain's index"),
            (panels[1][column], "used", "Goodput of all over B"),
        ):
            _over_sessions(axes, table[(table["what"] == what) & (table["delays"] == delays)])
            axes.set_ylabel(name)
            axes.set_title(f"({'abde'[column + 2 * (what == 'used')]}) {_TITLES[delays]}")
    _pairs(panels[0][2], table[table["what"] == "share"])
    _harms(panels[1][2], table[table["what"] == "harm"])
    _legend(figure, table)
    figure.supxlabel(_caption(table, runs), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return everything that is drawn or told, one row per mean.

    Columns: ``what`` ("jain", "used", "share", "harm", and "jain less" and "used less": AIMD's less
    that of ``beside``, run by run), ``modes``, ``beside``, ``sessions``, ``delays``,
    ``background_window_bytes``, and those of `means`, ``draws`` in place of ``runs``: replications
    of the same starts, and runs in which two modes swap them, count once; where there is a single
    draw of starts, each replication does.

    Raises:
        ResultError: no run of sessions of one mode is done, or none of them has a common period.
    """
    require(runs, [ONE])
    one = runs[runs["label"] == ONE]
    if one["jain"].isna().all():
        raise ResultError(
            "in no run do the sessions have a common period: their files are too small"
        )
    two = runs[runs["label"] == TWO]
    parts = [
        *(_means(one, _POINT, what, SHARE).assign(what=what) for what in ("jain", "used")),
        *_differences(one, "jain"),
        *_differences(one, "used"),
        _means(two, ["modes"], "share", SHARE).assign(what="share"),
        _means(_harm_of(runs), ["beside", "background_window_bytes"], "harm", LOSS).assign(
            what="harm"
        ),
    ]
    columns = ["what", "modes", "beside", "sessions", "delays", "background_window_bytes"]
    table = pd.concat([part for part in parts if len(part)], ignore_index=True)
    table = table.rename(columns={"runs": "draws"})
    return table.reindex(columns=[*columns, *(c for c in table if c not in columns)])


def _means(
    rows: pd.DataFrame, by: list[str], what: str, within: Bounds | None = None
) -> pd.DataFrame:
    return means(rows, by, what, _APART, "draw", within)


def _differences(one: pd.DataFrame, what: str) -> Iterator[pd.DataFrame]:
    """Yield the means of how much more of something AIMD has than each other tuning mode."""
    same = ["sessions", "delays", "starts", "paths", "draw", *_RUN]
    aimd = one.loc[one["modes"] == "aimd", [*same, what]]
    for mode in MODES:
        if mode != "aimd":
            both = aimd.merge(one.loc[one["modes"] == mode, [*same, what]], on=same)
            both["less"] = both[f"{what}_x"] - both[f"{what}_y"]
            kept = both[["sessions", "delays", "draw", *_RUN, "less"]]
            told = _means(kept, ["sessions", "delays"], "less")
            yield told.assign(what=f"{what} less", modes="aimd", beside=mode)


def _harm_of(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the harm to the background connection beside something, one row per run.

    A draw is told by its start, as the sessions are others beside something and alone.
    """
    of = ["background_window_bytes", "background_start_s", *_RUN]
    alone = runs.loc[runs["label"] == ALONE, [*of, "background_bps"]]
    beside = runs.loc[
        runs["label"].isin([BESIDE, PLAIN]), ["label", "modes", *of, "background_bps"]
    ]
    both = beside.merge(alone, on=of, suffixes=("", "_alone")).dropna()
    rows = [
        {
            "beside": "tcp" if row.label == PLAIN else row.modes,
            "background_window_bytes": row.background_window_bytes,
            "draw": row.background_start_s,
            **{key: getattr(row, key) for key in _RUN},
            "harm": harm(row.background_bps_alone, row.background_bps),
        }
        for row in both.itertuples()
    ]
    return pd.DataFrame(rows, columns=["beside", "background_window_bytes", "draw", *_RUN, "harm"])


def _look(mode: str) -> dict[str, Any]:
    """Return how a mode's points are drawn, or plain TCP's."""
    if mode == "tcp":
        return {**_TCP, "markersize": 5, "markerfacecolor": "white"}
    look = style.LOOKS[mode]
    return {
        "color": look.color, "marker": look.marker, "markersize": look.size * 0.5 + 2.5,
        "markerfacecolor": "white",
    }  # fmt: skip


def _points(axes: Axes, places: list[float], rows: pd.DataFrame, mode: str, line: Any) -> None:
    """Draw means with their intervals."""
    axes.errorbar(
        places, rows["mean"], yerr=[rows["mean"] - rows["low"], rows["high"] - rows["mean"]],
        linestyle=line, linewidth=1, elinewidth=1, capsize=2, markeredgewidth=1.1, **_look(mode),
    )  # fmt: skip


def _over_sessions(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw a quantity over the number of sessions, by mode."""
    counts = sorted(rows["sessions"].unique())
    there = tuners.ordered(rows["modes"])
    for place, mode in enumerate(there):
        own = rows[rows["modes"] == mode].sort_values("sessions")
        shift = (place - (len(there) - 1) / 2) * 0.1
        places = [counts.index(count) + shift for count in own["sessions"]]
        _points(axes, places, own, mode, style.LOOKS[mode].linestyle)
    axes.axhline(1, **style.LIMIT)
    axes.set_ylim(0, 1.08)
    _categories(axes, [f"{count:g}" for count in counts])
    axes.set_xlabel("Sessions")


def _pairs(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw which share each of two modes gets."""
    names = []
    for place, row in enumerate(rows.to_dict("records")):
        first, second = row["modes"].split(", ")
        names.append(f"{style.LOOKS[first].label}\n{style.LOOKS[second].label}")
        for mode, sign in ((first, 1), (second, -1)):
            own = pd.DataFrame([{key: row[key] for key in ("mean", "low", "high")}])
            own = own if sign > 0 else 1 - own.rename(columns={"low": "high", "high": "low"})
            _points(axes, [place], own, mode, "")
    axes.axhline(0.5, **style.LIMIT)
    axes.set_ylim(0, 1)
    _categories(axes, names)
    axes.set_ylabel("Share of the goodput")
    axes.set_title("(c) two modes, equal delays")


def _harms(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw what plain TCP loses beside each mode, and beside its like."""
    windows = sorted(rows["background_window_bytes"].unique())
    there = tuners.ordered(rows["beside"])
    for place, mode in enumerate(there):
        own = rows[rows["beside"] == mode].sort_values("background_window_bytes")
        shift = (place - (len(there) - 1) / 2) * 0.16
        places = [windows.index(window) + shift for window in own["background_window_bytes"]]
        _points(axes, places, own, mode, "")
    axes.axhline(0, **style.LIMIT)
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -0.05), max(high, 1))
    _categories(axes, [f"W = {style.binary_bytes(window)}" for window in windows])
    axes.set_ylabel("Share of its goodput lost")
    axes.set_title("(f) harm to plain TCP")


def _categories(axes: Axes, names: list[str]) -> None:
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.5, max(len(names), 1) - 0.5)
    axes.grid(axis="x", visible=False)


def _legend(figure: Figure, table: pd.DataFrame) -> None:
    there = {*table["modes"].dropna(), *table["beside"].dropna()}
    alone = [mode for mode in there if ", " not in mode]
    handles = []
    for mode in tuners.ordered(alone):
        name = "plain TCP" if mode == "tcp" else mode_name(mode)
        line = "" if mode == "tcp" else style.LOOKS[mode].linestyle
        handles.append(
            Line2D([], [], label=name, linestyle=line, linewidth=1, markeredgewidth=1.1,
                   **_look(mode))
        )  # fmt: skip
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), fontsize=8)


def _caption(table: pd.DataFrame, runs: pd.DataFrame) -> str:
    done = runs[(runs["label"] == ONE) & runs["jain"].notna()]
    first = done.iloc[0]
    drawn = table[~table["what"].str.endswith("less")]
    times = ", sessions start at other times in each" if done["draw"].nunique() > 1 else ""
    lines = [
        style.conditions(first, first["engine"], "eta"),
        f"{replications(drawn, first, 'draws')}{times}; bars: 95 % intervals",
        "goodput of (a) to (e) in the common period, from when the last session has begun until "
        f"the first one has ended: {done['period_s'].min():.0f} to {done['period_s'].max():.0f} s",
    ]
    if said := agreement_in(runs, MEASURED).told():
        lines.append(said)
    return "\n".join([*lines, *missing(_gaps(table, runs), runs)])


def _gaps(table: pd.DataFrame, runs: pd.DataFrame) -> list[str]:
    """Return what the figure lacks beside runs that are not done."""
    names = {
        "share": "two modes next to each other",
        "harm": "plain TCP next to sessions, and alone",
        "jain less": "the same draws of AIMD and of MI or MI+",
    }
    there = set(table["what"])
    gaps = [name for what, name in names.items() if what not in there]
    apart = runs[(runs["label"] == ONE) & runs["goodput_bps"].notna() & runs["jain"].isna()]
    return gaps + ([f"a common period of {len(apart)} runs"] if len(apart) else [])


FIGURE = Kind(
    "How sessions share a bottleneck",
    _draw,
    sharing_table,
    question="Is AIMD fairer than MI and MI+?",
    answer=answer,
    unit="1",
)
