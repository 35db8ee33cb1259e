"""Many files: several at a time (concurrency) or commands sent before replies (pipelining)?

Sets, by their labels: ``sizes``, both numbers over the size of a file; ``ahead`` and ``at a time``,
one of them, the other being 1, for files of one size; ``ns3`` and ``ns3-twin``, points of the first
on both engines.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.drawing import style
from analysis.drawing.words import listed, missing
from analysis.figures import Drawn, Kind
from analysis.read import stored
from analysis.read.sets import require
from analysis.statistics.load import transfers
from analysis.statistics.pairs import agreement_in

_SIZES, _AHEAD, _TOGETHER = "sizes", "ahead", "at a time"
_LABELS = (_SIZES, _AHEAD, _TOGETHER)
_SIZE = "file_size_bytes"
_NUMBERS = ["concurrency", "pipelining"]
_WAYS = ("upload", "download")
_ENOUGH = 0.9
"""Share of the narrowest link's rate from which on little is left to gain."""
_GAIN = 1.05
"""By so much something has to get more, else it gets as much."""
_LOOKS = {
    (False, False): {"color": "#000000", "marker": "o"},
    (False, True): {"color": "#0072B2", "marker": "s", "linestyle": (0, (4, 2))},
    (True, False): {"color": "#D55E00", "marker": "^", "linestyle": (0, (6, 2, 1, 2))},
    (True, True): {"color": "#009E73", "marker": "D", "linestyle": (0, (1, 1.5))},
}
"""By whether several files are moved at a time, and whether several are asked for."""


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    """Return a row for each run: the goodput of all its sessions together."""
    rows = []
    for label, scenario, result in stored.declared(store, sweep):
        plain = {k: v for k, v in scenario.items() if not isinstance(v, list | dict)}
        goodput = np.nan if result is None else _goodput(transfers(result.data))
        together = len(scenario["sessions"])
        rows.append({"label": label, **plain, "concurrency": together, "goodput_bps": goodput})
    return pd.DataFrame(rows)


def _goodput(moved: pd.DataFrame) -> float:
    """Return the goodput from the first file's start to the last one's end, in bit/s."""
    return moved["size_bytes"].sum() * 8 / (moved["end_s"].max() - moved["start_s"].min())


def _draw(rows: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(rows, [_SIZES])
    done = rows[rows["label"].isin(_LABELS) & rows["goodput_bps"].notna()]
    columns = ["label", "direction", *_NUMBERS, _SIZE, "goodput_bps", "bandwidth_bps"]
    table = done[columns].sort_values(columns[:5], ignore_index=True)
    directions = [way for way in _WAYS if way in set(table["direction"])]
    figure = style.new_figure(7.2, 6.0)
    panels = figure.subplots(2, len(directions), sharey="row", squeeze=False)
    for (over_size, over_number), way in zip(panels.T, directions, strict=True):
        own = table[table["direction"] == way]
        _over_size(over_size, own[own["label"] == _SIZES], way)
        _over_number(over_number, own, way)
    for axes in panels[:, 0]:
        axes.set_ylabel("Goodput of all files (Mbit/s)")
    handles, names = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=2)
    figure.supxlabel(_caption(table, rows), fontsize=7, color=style.GREY)
    return figure, table


def _name(together: int, ahead: int) -> str:
    told = [
        f"{number} {count}"
        for number, count in zip(_NUMBERS, (together, ahead), strict=True)
        if count > 1
    ]
    return ", ".join(told) or "one at a time"


def _look(together: int, ahead: int) -> dict[str, Any]:
    return {**_LOOKS[together > 1, ahead > 1], "markerfacecolor": "white"}


def _over_size(axes: Any, own: pd.DataFrame, way: str) -> None:
    for numbers, rows in own.groupby(_NUMBERS):
        line = {"label": _name(*numbers), **_look(*numbers)}
        axes.plot(rows[_SIZE], rows["goodput_bps"] / 1e6, **line)
    style.limit_line(axes, own["bandwidth_bps"].max() / 1e6, "bottleneck")
    axes.set_xscale("log")
    axes.set_yscale("log")
    decades = [size for size in sorted(own[_SIZE].unique()) if np.log10(size) % 1 == 0]
    axes.set_xticks(decades, [style.decimal_bytes(size) for size in decades])
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_xlabel("Size of a file")
    axes.set_title(f"{way}s")


def _over_number(axes: Any, own: pd.DataFrame, way: str) -> None:
    rows = own[own["label"].isin((_AHEAD, _TOGETHER))]
    if not len(rows):
        axes.set_visible(False)
        return
    for label, number in ((_AHEAD, "pipelining"), (_TOGETHER, "concurrency")):
        line = _look(2 if label == _TOGETHER else 1, 2 if label == _AHEAD else 1)
        chosen = rows[rows["label"] == label]
        axes.plot(chosen[number], chosen["goodput_bps"] / 1e6, **line)
    style.limit_line(axes, rows["bandwidth_bps"].max() / 1e6, "bottleneck")
    counts = sorted(set(rows["pipelining"]) | set(rows["concurrency"]))
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, [f"{count}" for count in counts])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("Concurrency, or pipelining")
    axes.set_title(f"{way}s, files of {_sizes_of(rows)}")


def _sizes_of(rows: pd.DataFrame) -> str:
    return listed(style.decimal_bytes(size) for size in sorted(rows[_SIZE].unique()))


def _caption(table: pd.DataFrame, rows: pd.DataFrame) -> str:
    first = rows[rows["goodput_bps"].notna()].iloc[0]
    gaps = [label for label in _LABELS if label not in set(table["label"])]
    lines = [
        style.conditions(first, first["engine"], ("eta", _SIZE, "chunk_size_bytes")),
        "one persistent data connection for each concurrent file; after an idle time of one "
        "retransmission timeout it returns to slow start; one run per point",
    ]
    if said := agreement_in(rows).told():
        lines.append(said)
    return "\n".join([*lines, *missing(gaps, rows)])


def _answer(table: pd.DataFrame) -> list[str]:
    told = {way: _of_one_way(table[table["direction"] == way]) for way in _WAYS}
    sentences: list[str] = []
    for up, down in zip_longest(*told.values()):
        if up == down:
            sentences.append(f"Both ways: {up}")
        else:
            both = zip(_WAYS, (up, down), strict=True)
            sentences += [f"{way.capitalize()}s: {said}" for way, said in both if said]
    return sentences


def _of_one_way(own: pd.DataFrame) -> list[str]:
    sizes = own[own["label"] == _SIZES].set_index([*_NUMBERS, _SIZE])["goodput_bps"].sort_index()
    return [_which(sizes), _gains(sizes), _from_size(own), _of_use(own)] if len(sizes) else []


def _which(sizes: pd.Series) -> str:
    """Return for which sizes which of both numbers gets more."""
    by = {_name(*pair): sizes.loc[pair] for pair in _pairs(sizes) if min(pair) == 1 < max(pair)}
    if len(by) != 2:
        return "which is faster cannot be determined, since runs are missing."
    (one, own), (other, others) = by.items()
    ratio = (own / others).dropna()
    told = [
        f"{name} with files of {_listed(rows.index, ratio.index)}"
        for name, rows in ((one, ratio[ratio >= _GAIN]), (other, ratio[ratio <= 1 / _GAIN]))
        if len(rows)
    ]
    least = f"at least {(_GAIN - 1) * 100:.0f} %"
    return f"what gets more, by {least}, is {listed(told) or f'neither {one} nor {other}'}."


def _pairs(sizes: pd.Series) -> list[tuple[int, int]]:
    """Return which pairs of concurrency and pipelining there are."""
    return sorted({(together, ahead) for together, ahead, _ in sizes.index})


def _listed(some: pd.Index, of: pd.Index) -> str:
    """Return sizes, as a range where there are no others in between."""
    told = [style.decimal_bytes(size) for size in some]
    between = of[(of >= some.min()) & (of <= some.max())]
    return f"{told[0]} to {told[-1]}" if len(some) == len(between) > 1 else listed(told)


def _gains(sizes: pd.Series) -> str:
    """Return how many times as much the smallest files get."""
    size = sizes.index.get_level_values(_SIZE).min()
    least = sizes.xs(size, level=_SIZE)
    told = f"of files of {style.decimal_bytes(size)}"
    if (1, 1) not in least.index:
        return f"{told} it is not known what one at a time gets."
    times = [
        f"{value / least[1, 1]:.1f} times as much with {_name(*pair)}"
        for pair, value in least.items()
        if pair != (1, 1)
    ]
    one = f"{told} {_name(1, 1)} gets {least[1, 1] / 1e6:.2g} Mbit/s"
    return f"{one}; it is {listed(times)}." if times else f"{one}."


def _from_size(own: pd.DataFrame) -> str:
    """Return from which size on nearly all is got that there is."""
    enough = own[(own["label"] == _SIZES) & (own["goodput_bps"] >= _ENOUGH * own["bandwidth_bps"])]
    least = enough.groupby(_NUMBERS)[_SIZE].min()
    told = [f"{style.decimal_bytes(size)} on ({_name(*pair)})" for pair, size in least.items()]
    share = f"{_ENOUGH * 100:.0f} % of the bottleneck's rate"
    return f"{share} is got from {listed(told)}." if told else f"{share} is never got."


def _of_use(own: pd.DataFrame) -> str:
    """Return up to where each of both numbers is of use."""
    told = []
    for label, number in zip((_TOGETHER, _AHEAD), _NUMBERS, strict=True):
        rows = own[own["label"] == label].set_index(number)["goodput_bps"].sort_index()
        if len(rows) > 1:
            grows = rows.index[1:][(rows / rows.shift())[1:] >= _GAIN]
            last = grows.max() if len(grows) else rows.index[0]
            told.append(f"{number} up to {last} ({rows[last] / 1e6:.3g} Mbit/s)")
    if not told:
        return "the useful range of either number cannot be determined, since runs are missing."
    sizes = _sizes_of(own[own["label"].isin((_AHEAD, _TOGETHER))])
    more = f"{(_GAIN - 1) * 100:.0f} % more than the number before it"
    return f"with files of {sizes}, {listed(told)} still gets {more}."


FIGURE = Kind(
    "Many files: several at a time (concurrency) or commands sent before replies (pipelining)",
    _draw,
    rows=_rows,
    question="Many small files: is concurrency or pipelining faster?",
    answer=_answer,
)
