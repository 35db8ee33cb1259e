"""The round-trip time that right-sizing measures in a third-party transfer (Figure 4).

On the control channels it is the client's, on the data channel the data's, and what waits before it
there. Sets, by their labels: ``segment``; ``small blocks``, the same where the answer on the data
channel has less to wait for; ``least``, where the least round-trip time counts, not the last one;
``ns3`` and ``ns3-twin``, points of the first on both engines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from analysis.drawing import style
from analysis.drawing.words import missing
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means
from analysis.statistics.pairs import agreement_in
from papers.gardner.figures.panels import told_conditions
from papers.gardner.figures.policies import POLICY, look, ordered, with_policy

_KEY, _SMALL, _LEAST = "client_delay_s", "small blocks", "least"
_BY = ["label", POLICY, _KEY]
_PANELS = {
    "measured_rtt_s": (1e3, "Round-trip time measured (ms)"),
    "receive_peak_bytes": (2**-20, "Largest receive buffer (MiB)"),
    "goodput_bps": (1e-6, "Goodput (Mbit/s)"),
}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    runs = with_policy(runs)
    chosen = runs[runs["label"].isin(["segment", _SMALL, _LEAST])]
    tables = {value: means(chosen, _BY, value) for value in _PANELS}
    first = chosen[chosen["goodput_bps"].notna()].iloc[0]
    path = 2 * (first["delay_s"] + 2 * first["access_delay_s"])
    figure = style.new_figure(7.6, 3.4)
    panels = figure.subplots(1, len(_PANELS))
    for axes, letter, (value, (scale, name)) in zip(panels, "abc", _PANELS.items(), strict=True):
        _panel(axes, tables[value], chosen, scale)
        axes.set_title(f"({letter})")
        axes.set_ylabel(name)
    panels[0].axhline(path * 1e3, **style.LIMIT)
    panels[0].set_ylim(bottom=0)
    handles = [Line2D([], [], **_line(label, name, own)) for label, name, own in _lines(chosen)]
    handles.append(Line2D([], [], label="data path, without queues", **style.LIMIT))
    figure.legend(handles=handles, loc="outside upper center", ncols=3, fontsize=8)
    lines = [f"third party, {told_conditions(first, _KEY)}"]
    if said := agreement_in(runs).told():
        lines.append(said)
    figure.supxlabel("\n".join([*lines, *missing([], runs)]), fontsize=7, color=style.GREY)
    table = chosen[[*_BY, "block_size_bytes"]].drop_duplicates()
    for value, found in tables.items():
        own = found[[*_BY, "mean"]].rename(columns={"mean": value})
        table = table.merge(own, how="left", on=_BY)
    return figure, table.assign(path_rtt_s=path).sort_values(_BY, ignore_index=True)


def _lines(rows: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield set, policy and rows of each line."""
    for label in ("segment", _SMALL, _LEAST):
        own = rows[rows["label"] == label]
        for name in ordered(own[POLICY]):
            yield label, name, own[own[POLICY] == name]


def _line(label: str, name: str, rows: pd.DataFrame) -> dict[str, Any]:
    line = look(name).line()
    if name == "drs-gridftp":  # the other one in the figure has its colour, too
        line["color"] = style.INK["blue"]
    if label == _SMALL:
        size = style.binary_bytes(rows["block_size_bytes"].iloc[0])
        line |= {"label": f"{line['label']}, blocks of {size}", "linestyle": (0, (1, 1))}
    if label == _LEAST:
        size = style.binary_bytes(rows["block_size_bytes"].iloc[0])
        name = f"{line['label']}, {size}, least"
        line |= {"label": name, "color": "black", "marker": "s"}
    return line


def _panel(axes: Axes, table: pd.DataFrame, sizes: pd.DataFrame, scale: float) -> None:
    for label, name, rows in _lines(table):
        own = sizes[sizes["label"] == label]
        axes.plot(rows[_KEY] * 1e3, rows["mean"] * scale, **_line(label, name, own))
    axes.set_xlabel("Client's delay (ms)")
    axes.set_ylim(bottom=0)


def _answer(table: pd.DataFrame) -> list[str]:
    return list(_sentences(table))


def _sentences(table: pd.DataFrame) -> Iterator[str]:
    for label, name, every in _lines(table):
        rows = every.dropna(subset="measured_rtt_s")
        if len(rows):
            over = rows["measured_rtt_s"] / rows["path_rtt_s"]
            path = rows["path_rtt_s"].iloc[0]
            yield (
                f"{_line(label, name, rows)['label']} measures {over.min():.2f} to "
                f"{over.max():.2f} times the round-trip time of the data path, which is "
                f"{path * 1e3:.1f} ms, with a client {rows[_KEY].min() * 1e3:g} to "
                f"{rows[_KEY].max() * 1e3:g} ms away."
            )


FIGURE = Kind("The round-trip time that right-sizing measures", _draw, answer=_answer)
