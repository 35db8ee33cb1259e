"""Goodput of each tool over each path, beside what the paper's Table 3 has.

Sets, by their labels: ``low``, paths without a limited host; ``policer`` and ``shaper``, those with
one, by what limits it; the same with ``-linux`` behind, of bbFTP; ``tuners``, GridFTP on the paths
of the first; ``ns3`` and ``ns3-twin``, a path of it on both engines.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from analysis.drawing import style
from analysis.drawing.words import listed, missing
from analysis.figures import Drawn, Kind
from analysis.read import stored
from analysis.read.sets import require
from analysis.statistics.means import summary
from analysis.statistics.pairs import agreement_in
from papers.anglano.figures import table3

_PANELS = {
    "low": "Without a limit",
    "policer": "Taiwan limited by a policer",
    "shaper": "Taiwan limited by a shaper",
}
"""Label of a set, and what its part of the figure is called."""

_TUNERS = "tuners"
_ONE, _BEST = "one connection", "GridFTP, best tuner"

_LOOKS = {
    "RBUDP": ("#D55E00", "o"),
    "UDT": ("#0072B2", "s"),
    "UDT 4": ("#56B4E9", "s"),
    "FOBS": ("#009E73", "^"),
    table3.FOBS_OFF: ("#117733", "v"),
    table3.FOBS_CLOCK: ("#44AA99", "<"),
    "bbFTP-5": ("#E69F00", "D"),
    "bbFTP-10": ("#CC79A7", "D"),
    "bbFTP-15": ("#882255", "D"),
    _ONE: ("#000000", "P"),
    _BEST: ("#666666", "X"),
}
"""Color and marker of each column, in the order in which they stand beside each other."""

_WIDTH = 0.8
"""Of a path, in which its tools stand, of the distance between two."""

_KEYS = ["label", "row", "column"]


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    rows = []
    for label, scenario, result in stored.declared(store, sweep):
        plain = {k: v for k, v in scenario.items() if not isinstance(v, dict | list)}
        goodput = math.nan if result is None else result.data["sessions"][0]["goodput_bps"]
        rows.append({**plain, "label": label, "goodput_bps": goodput})
    return pd.DataFrame(rows)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, [next(iter(_PANELS))])
    table = _table(runs)
    # A quick trial has the first part alone; the caption tells what is missing.
    shown = [label for label in _PANELS if label in set(table["label"])]
    figure = style.new_figure(7.2, 1.4 + 2.4 * len(shown))
    panels = figure.subplots(len(shown), 1, squeeze=False)[:, 0]
    for axes, label in zip(panels, shown, strict=True):
        _panel(axes, table[table["label"] == label])
        axes.set_title(_PANELS[label], fontsize=8)
    handles = {
        name: handle
        for axes in panels
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    order = [name for name in _LOOKS if name in handles]
    figure.legend(
        [handles[name] for name in order], order, loc="outside upper center", ncols=4, fontsize=7
    )
    figure.supylabel("Goodput (Mbit/s)", fontsize=8)
    figure.supxlabel(_caption(runs), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each cell of the paper's table: mean and interval of our runs, and its."""
    done = runs[~runs["label"].isin(["ns3", "ns3-twin"])].dropna(subset="goodput_bps")
    found = table3.table_of(
        (row["label"], row, row["goodput_bps"]) for row in done.to_dict("records")
    )
    rows = []
    for where, same in found.groupby(_KEYS, sort=False):
        first = same.iloc[0]
        rows.append({**dict(zip(_KEYS, where, strict=True)), **summary(list(same["value"])),
                     "published": first["published"], "deviation": first["deviation"]})  # fmt: skip
    return _tuned(pd.DataFrame(rows))


def _tuned(table: pd.DataFrame) -> pd.DataFrame:
    """Put GridFTP's cells into the first part: of its tuners the best one of each row."""
    own = table["label"] == _TUNERS
    gridftp = table[own].sort_values("mean", ascending=False)
    fixed = gridftp["column"] == table3.GRIDFTP + "fixed"
    best = gridftp[~fixed].drop_duplicates("row")
    added = [
        gridftp[fixed].assign(column=_ONE, label="low", tuner=""),
        best.assign(
            column=_BEST, label="low", tuner=best["column"].str.removeprefix(table3.GRIDFTP)
        ),
    ]
    return pd.concat([table[~own].assign(tuner=""), *added], ignore_index=True)


def _panel(axes: Axes, cells: pd.DataFrame) -> None:
    paths = list(dict.fromkeys(table3.published()["row"]))
    paths = [path for path in paths if path in set(cells["row"])]
    columns = [name for name in _LOOKS if name in set(cells["column"])]
    for place, name in enumerate(columns):
        color, marker = _LOOKS[name]
        shift = (place - (len(columns) - 1) / 2) * _WIDTH / len(columns)
        own = cells[cells["column"] == name].set_index("row")
        own = own.loc[[path for path in paths if path in own.index]]
        x = pd.Series([paths.index(path) + shift for path in own.index], own.index)
        look: dict[str, Any] = {"color": color, "marker": marker, "linestyle": "", "markersize": 4}
        half = ((own["high"] - own["low"]) / 2).fillna(0) / 1e6
        axes.errorbar(x, own["mean"] / 1e6, yerr=half, elinewidth=0.8, label=name, **look)
        told = own.dropna(subset="published")
        axes.errorbar(
            x[told.index] + _WIDTH / len(columns) / 2.5, told["published"] / 1e6,
            yerr=told["deviation"] / 1e6, elinewidth=0.5, markerfacecolor="white", **look,
        )  # fmt: skip
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylim(1, 200)
    axes.set_xticks(range(len(paths)), paths, fontsize=7)
    for between in range(1, len(paths)):
        axes.axvline(between - 0.5, color=style.GREY, linewidth=0.4)


def _caption(runs: pd.DataFrame) -> str:
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    differ = {"bandwidth_bps", "delay_s", "eta", "engine", "chunk_size_bytes"}
    lines = [
        style.conditions(first, "", differ),
        "paths: client-server; cross traffic: a tenth of the bottleneck; filled: simulated "
        "means and their 95 % intervals; open: Table 3 and its standard deviations",
    ]
    if said := agreement_in(runs).told():
        lines.append(said)
    return "\n".join([*lines, *missing([], runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    told = []
    for label, title in _PANELS.items():
        cells = table[(table["label"] == label) & table["published"].notna()]
        if not len(cells):
            continue
        ratio = cells["mean"] / cells["published"]
        near = [
            f"{name} on {int((abs(own - 1) <= _SIMILAR).sum())} of {len(own)}"
            for name, own in ratio.groupby(cells["column"], sort=False)
        ]
        told.append(f"{title}: within {_SIMILAR * 100:g} % of Table 3 are {listed(near)} paths.")
    return told


_SIMILAR = 0.15
"""Share by which goodput may be off and is still like that of the paper."""

FIGURE = Kind(
    "Tools over the paths of Table 3",
    _draw,
    rows=_rows,
    question="Which tool transfers a file fastest over which path?",
    answer=_answer,
    unit="bit/s",
)
