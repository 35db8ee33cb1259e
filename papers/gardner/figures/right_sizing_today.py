"""Right-sizing next to hosts of today: goodput and receive buffer over the size of the file.

Sets, by their labels, one a column: ``no loss``; ``random loss``; ``short queue``. Lines are who
sizes the buffers: policies of the paper and of its time with the classic stack, and Linux with
CUBIC or BBR, which tunes its buffers itself or has the size that the application asks for. The
buffer of Linux is memory (sk_rcvbuf), of which 5/8 are window with full segments.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from analysis.drawing import style, tcps
from analysis.drawing.words import give_or_take, listed, missing
from analysis.figures import Drawn, Kind
from analysis.read.sets import require
from analysis.statistics.means import means
from papers.gardner.figures.panels import told_conditions
from papers.gardner.figures.policies import POLICY, Look, look, ordered, with_policy

SETS = ("no loss", "random loss", "short queue")
"""Labels of the sets."""

_SIZE = "file_size_bytes"
_MIB = 2**20
_ROWS = {
    "goodput_bps": (1e-6, "Goodput (Mbit/s)"),
    "receive_peak_bytes": (1 / _MIB, "Receive buffer, at most (MiB)"),
}
_COLORS = {"cubic": ("#0072B2", "s"), "bbr": ("#E69F00", "v")}


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    require(runs, SETS)
    looks = _looks(runs)
    runs = _named(runs)
    by = ["label", POLICY, _SIZE]
    tables = {value: means(runs, by, value) for value in _ROWS}
    there = [label for label in SETS if label in set(tables["goodput_bps"]["label"])]
    figure = style.new_figure(7.4, 5.6)
    panels = figure.subplots(2, len(there), sharex=True, sharey="row", squeeze=False)
    for row, (value, (scale, name)) in zip(panels, _ROWS.items(), strict=True):
        for axes, label in zip(row, there, strict=True):
            table = tables[value]
            _panel(axes, table[table["label"] == label], looks, scale)
            axes.set_title(_title(runs, label), fontsize=8)
        row[0].set_ylabel(name)
    for axes in panels[-1]:
        axes.set_xlabel("Size of the file")
    sizes = sorted(runs[_SIZE].unique())
    panels[0][0].set_xscale("log", base=2)
    panels[0][0].set_xticks(sizes, [style.binary_bytes(size) for size in sizes])
    for axes in panels[-1]:
        axes.tick_params(axis="x", rotation=45)
        axes.minorticks_off()
    panels[0][0].set_ylim(bottom=0)
    panels[1][0].set_yscale("log", base=2)
    panels[1][0].yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    handles = [Line2D([], [], **looks[name].line()) for name in _order(looks, runs)]
    figure.legend(handles=handles, loc="outside upper center", ncols=2, fontsize=8)
    figure.supxlabel(_caption(tables["goodput_bps"], runs), fontsize=7, color=style.GREY)
    peak = tables["receive_peak_bytes"][[*by, "mean"]]
    peak = peak.rename(columns={"mean": "receive_peak_bytes"})
    return figure, tables["goodput_bps"].merge(peak, how="left", on=by)


def _names(runs: pd.DataFrame) -> list[str]:
    """Return who sizes the buffers of each run: a name of `policies.LOOKS`, or one of Linux."""
    names = []
    for row in with_policy(runs).to_dict("records"):
        linux = f"linux {row['tcp']}"
        asked = f"{linux}, {style.binary_bytes(row['window_bytes'])}"
        tuned = linux if row["buffers"] != "fixed" else asked
        names.append(tuned if row["stack"] == "linux" else row[POLICY])
    return names


def _named(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs with a column of who sizes their buffers.

    What differs between the lines is left out: the stack and all that it sets.
    """
    return runs.assign(**{POLICY: _names(runs)})


def _looks(runs: pd.DataFrame) -> dict[str, Look]:
    """Return how each line is drawn, those of the classic stack first."""
    names = _names(runs)
    linux = [name for name in names if name.startswith("linux ")]
    looks = {name: look(name) for name in ordered(set(names).difference(linux))}
    looks = {
        name: Look(f"{one.label}, Reno", one.color, one.marker, one.dashes)
        for name, one in looks.items()
    }
    for tcp in tcps.ordered(runs.loc[runs["stack"] == "linux", "tcp"]):
        color, marker = _COLORS.get(tcp, (style.GREY, "."))
        for name in sorted({one for one in linux if one.split(",")[0] == f"linux {tcp}"}):
            _, _, asked = name.partition(", ")
            who = f"asked for {asked}" if asked else "tunes buffers itself"
            dashes = (1.5, 1.5) if asked else ()
            looks[name] = Look(
                f"Linux, {tcps.name(tcp)}, {who}", color, "x" if asked else marker, dashes
            )
    return looks


def _order(looks: dict[str, Look], runs: pd.DataFrame) -> Iterable[str]:
    """Return the lines that are there, in the order of the legend."""
    there = set(runs.loc[runs["goodput_bps"].notna(), POLICY])
    return [name for name in looks if name in there]


def _panel(axes: Axes, table: pd.DataFrame, looks: dict[str, Look], scale: float) -> None:
    for name, one in looks.items():
        rows = table[table[POLICY] == name]
        if len(rows):
            bounds = [rows["mean"] - rows["low"], rows["high"] - rows["mean"]]
            axes.errorbar(rows[_SIZE], rows["mean"] * scale, capsize=2,
                          yerr=[bound.fillna(0) * scale for bound in bounds],
                          **one.line())  # fmt: skip


def _title(runs: pd.DataFrame, label: str) -> str:
    rows = runs[runs["label"] == label].iloc[0]
    if label == "random loss":
        return f"random loss, {rows['random_loss']:g}"
    return label if label == "no loss" else f"queue of {rows['queue_packets']:g} packets"


def _caption(table: pd.DataFrame, runs: pd.DataFrame) -> str:
    first = runs[runs["goodput_bps"].notna()].iloc[0]
    counts = listed(
        f"{own['runs'].min():g} ({label})" for label, own in table.groupby("label", sort=False)
    )
    lines = [
        f"{first['direction']}, {told_conditions(first, _SIZE)}; lines of Linux: present-day hosts",
        f"means of {counts} runs, connections starting up to {first['start_jitter_s'] * 1e3:g} ms "
        "late; bars: 95 % intervals",
        "receive buffer of Linux: memory, 5/8 of which is window; of the others: the window",
    ]
    gaps = [f"set {label}" for label in SETS if label not in set(table["label"])]
    return "\n".join([*lines, *missing(gaps, runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    """Return a sentence for each set: goodput and buffer of each line with the largest file."""
    sentences = []
    largest = table[_SIZE].max()
    for label in SETS:
        rows = table[(table["label"] == label) & (table[_SIZE] == largest)].set_index(POLICY)
        if len(rows):
            names = [*ordered(set(rows.index) - _linux(rows)), *sorted(_linux(rows))]
            each = listed(f"{_short_name(name)} {_numbers(rows.loc[name])}" for name in names)
            sentences.append(
                f"{label.capitalize()}, file of {style.binary_bytes(largest)}: {each}."
            )
    return sentences


def _linux(rows: pd.DataFrame) -> set[str]:
    return {name for name in rows.index if name.startswith("linux ")}


def _short_name(name: str) -> str:
    if not name.startswith("linux "):
        return look(name).label
    tcp, _, asked = name.removeprefix("linux ").partition(", ")
    return f"Linux with {tcps.name(tcp)}" + (f" asked for {asked}" if asked else "")


def _numbers(row: pd.Series) -> str:
    buffer = row["receive_peak_bytes"] / _MIB
    return f"{give_or_take(row, 1e-6, 'Mbit/s')} (buffer {buffer:.2g} MiB)"


FIGURE = Kind(
    "Right-sizing and present-day hosts",
    _draw,
    question="Does right-sizing by applications still help where the kernel tunes buffers?",
    answer=_answer,
    unit="bit/s",
    ours=True,
)
