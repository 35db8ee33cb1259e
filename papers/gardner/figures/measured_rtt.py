"""The round-trip time that right-sizing measures in a third-party transfer (Figure 4).

On the control channels it is the client's, on the data channel the data's. Sets, by their labels:
``segment``; ``ns3`` and ``ns3-twin``, points of it on both engines.
"""

from __future__ import annotations

from collections.abc import Iterator

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

_KEY = "client_delay_s"
_PANELS = {
    "measured_rtt_s": (1e3, "Round-trip time measured (ms)"),
    "receive_peak_bytes": (2**-20, "Largest receive buffer (MiB)"),
    "goodput_bps": (1e-6, "Goodput (Mbit/s)"),
}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, ["segment"])
    runs = with_policy(runs)
    chosen = runs[runs["label"] == "segment"]
    tables = {value: means(chosen, [POLICY, _KEY], value) for value in _PANELS}
    first = chosen[chosen["goodput_bps"].notna()].iloc[0]
    path = 2 * (first["delay_s"] + 2 * first["access_delay_s"])
    figure = style.new_figure(7.6, 3.4)
    panels = figure.subplots(1, len(_PANELS))
    for axes, letter, (value, (scale, name)) in zip(panels, "abc", _PANELS.items(), strict=True):
        _panel(axes, tables[value], scale)
        axes.set_title(f"({letter})")
        axes.set_ylabel(name)
    panels[0].axhline(path * 1e3, **style.LIMIT)
    panels[0].set_ylim(bottom=0)
    handles = [Line2D([], [], **look(name).line()) for name in ordered(chosen[POLICY])]
    handles.append(Line2D([], [], label="the data's path, without queues", **style.LIMIT))
    figure.legend(handles=handles, loc="outside upper center", ncols=3, fontsize=8)
    lines = [f"third party, {told_conditions(first, _KEY)}"]
    if said := agreement_in(runs).told():
        lines.append(said)
    figure.supxlabel("\n".join([*lines, *missing([], runs)]), fontsize=7, color=style.GREY)
    table = tables["measured_rtt_s"][[POLICY, _KEY, "mean"]].rename(
        columns={"mean": "measured_rtt_s"}
    )
    for value in ("receive_peak_bytes", "goodput_bps"):
        own = tables[value][[POLICY, _KEY, "mean"]].rename(columns={"mean": value})
        table = table.merge(own, how="outer", on=[POLICY, _KEY])
    return figure, table.assign(path_rtt_s=path)


def _panel(axes: Axes, table: pd.DataFrame, scale: float) -> None:
    for name in ordered(table[POLICY]):
        rows = table[table[POLICY] == name]
        axes.plot(rows[_KEY] * 1e3, rows["mean"] * scale, **look(name).line())
    axes.set_xlabel("Client's delay (ms)")
    axes.set_ylim(bottom=0)


def _answer(table: pd.DataFrame) -> list[str]:
    return list(_sentences(table))


def _sentences(table: pd.DataFrame) -> Iterator[str]:
    for name in ordered(table[POLICY]):
        rows = table[table[POLICY] == name].dropna(subset="measured_rtt_s")
        if len(rows):
            over = rows["measured_rtt_s"] / rows["path_rtt_s"]
            yield (
                f"{look(name).label} measures {over.min():.2f} to {over.max():.2f} times the "
                f"round-trip time of the data's path of {rows['path_rtt_s'].iloc[0] * 1e3:.1f} ms, "
                f"with a client {rows[_KEY].min() * 1e3:g} to {rows[_KEY].max() * 1e3:g} ms away."
            )


FIGURE = Kind("The round-trip time that right-sizing measures", _draw, answer=_answer)
