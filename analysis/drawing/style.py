"""One look for every figure, and one way to save them.

Colours are Okabe and Ito's (safe for colour-blind readers) and differ in lightness; marker and line
style repeat the distinction for a reader in grey. The same data give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.colors
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend_handler import HandlerTuple
from matplotlib.lines import Line2D

from ..files import write_atomically
from ..read import tuners

FORMATS = ("png", "pdf", "svg")

RC = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same glyphs on every machine
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "lines.linewidth": 1.3,
    "lines.markersize": 4,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "legend.handlelength": 3.2,
    "figure.constrained_layout.use": True,
    "savefig.dpi": 220,
    "svg.hashsalt": "gridftp",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}

LIMIT = {"color": "#555555", "linewidth": 1.0, "linestyle": (0, (1, 1.5)), "zorder": 1.5}
"""How a limit, such as the bottleneck's rate, is drawn."""

GREY = "#555555"


@dataclass(frozen=True)
class Look:
    """How one mode is drawn everywhere.

    Where modes coincide, as they do when a transfer starts, all stay visible: the later one has the
    more open line and the smaller marker, and is drawn on top.
    """

    label: str
    color: str
    marker: str
    size: float
    linestyle: Any
    order: int

    def line(self, scale: float = 1.0) -> dict[str, Any]:
        """Return the keywords of matplotlib's ``plot``: a line with hollow markers.

        Args:
            scale: of the marker and the line's width, below 1 where points are dense.
        """
        return {
            "label": self.label,
            "color": self.color,
            "linestyle": self.linestyle,
            "linewidth": RC["lines.linewidth"] * scale,
            "marker": self.marker,
            "markersize": self.size * scale,
            "markerfacecolor": "white",
            "markeredgecolor": self.color,
            "markeredgewidth": 1.1 * scale,
            "zorder": 3 + self.order,
        }


class Looks(Mapping[str, Look]):
    """The looks of the modes that the program declares, in its order.

    Any other mode has a look, too: its own name and a plain line, so that what is kept can be drawn
    without the program.
    """

    def __init__(self) -> None:
        self._others: dict[str, Look] = {}

    def __getitem__(self, mode: str) -> Look:
        """Return the look of a mode, declared or not."""
        return self.get(mode) or self._others.setdefault(mode, self._plain(mode))

    def __iter__(self) -> Iterator[str]:
        """Yield the declared modes."""
        return iter(tuners.declared())

    def __len__(self) -> int:
        """Return how many modes are declared."""
        return len(tuners.declared())

    def __contains__(self, mode: object) -> bool:
        """Return whether a mode is declared."""
        return mode in tuners.declared()

    def get(self, mode: str, default: Any = None) -> Any:
        """Return the look of a mode, the default where it is not declared."""
        if mode not in self:
            return default
        tuner, order = tuners.declared()[mode], list(self).index(mode)
        line = (0, tuner.dashes) if tuner.dashes else "-"
        return Look(tuner.label, tuner.color, tuner.marker, tuner.marker_size, line, order)

    def _plain(self, mode: str) -> Look:
        number = len(self._others)
        color = matplotlib.color_sequences["tab10"][number % 10]
        return Look(mode, matplotlib.colors.to_hex(color), "o", 4.0, "-", number)


LOOKS = Looks()
"""How each mode is drawn."""


def variant(label: str, color: str) -> dict[str, Any]:
    """Return the keywords for a curve beside the main ones: thin and light, without markers.

    Args:
        label: of the set: each has a line style of its own.
        color: of the mode.
    """
    dashes = {"access-1gbps": "-", "access-bottleneck": (0, (1.5, 1.5))}[label]
    return {
        "color": color, "linestyle": dashes, "linewidth": 0.9, "alpha": 0.5, "marker": "",
        "zorder": 2,
    }  # fmt: skip


def samples(looks: Iterable[Mapping[str, Any]], label: str) -> tuple[Line2D, ...]:
    """Return what stands in a legend for lines of several colours: a sample of each.

    Args:
        looks: keywords of each, as for `variant`.
        label: that the first one has, and `legend` shows.
    """
    return tuple(Line2D([], [], **{**look, "label": label}) for look in looks)


def legend(figure: Figure, handles: Iterable[Artist | tuple[Line2D, ...]], **more: Any) -> None:
    """Put a legend above the panels; a tuple, of `samples`, is drawn side by side."""
    shown = list(handles)
    figure.legend(
        shown,
        [(one[0] if isinstance(one, tuple) else one).get_label() for one in shown],
        loc="outside upper center",
        fontsize=8,
        handler_map={tuple: HandlerTuple(ndivide=None, pad=0.2)},
        **more,
    )


INK = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "black": "#000000",
    "vermilion": "#D55E00",
}
"""Colours for what is not a mode."""


def new_figure(width_in: float, height_in: float) -> Figure:
    """Return an empty figure; to be called, drawn on and saved inside `styled`."""
    return Figure(figsize=(width_in, height_in))


def styled() -> Any:
    """Return the context in which figures are made and saved."""
    return matplotlib.rc_context({**matplotlib.rcParamsDefault, "backend": "agg", **RC})


def limit_line(axes: Axes, value: float, text: str) -> None:
    """Draw a horizontal limit with its name above it, at the right end."""
    axes.axhline(value, **LIMIT)
    axes.annotate(
        text,
        xy=(1, value),
        xycoords=("axes fraction", "data"),
        xytext=(0, 2),
        textcoords="offset points",
        ha="right",
        va="bottom",
        fontsize=8,
        color=GREY,
    )


def conditions(
    scenario: Mapping[str, Any],
    engine: str,
    swept: str | Collection[str] | None = None,
    modes: Collection[str] = (),
) -> str:
    """Return a caption's line: the conditions of a run, from its own scenario.

    Args:
        scenario: resolved.
        engine: that simulated it.
        swept: the key on the horizontal axis, or all keys that differ, left out; with it, eta is
            told of the others, where the mode knows it.
        modes: that are drawn, where ``swept`` has all keys that differ; N is told of them, too.
    """
    apart = {swept} if isinstance(swept, str) else set(swept or ())
    drawn = modes if len(modes) else [scenario.get("mode", "")]
    tuning = {"eta": "$\\eta$", **({"parallelism": "N"} if len(modes) else {})}
    told = {
        "bandwidth_bps": f"B = {scenario['bandwidth_bps'] / 1e6:g} Mbit/s",
        "delay_s": f"$\\tau$ = {scenario['delay_s'] * 1e3:g} ms",
        **{
            key: f"{letter} = {scenario[key]:g}"
            for key, letter in tuning.items()
            if swept is not None and all(tuners.knows(mode, key) for mode in drawn)
        },
        "window_bytes": f"W = {binary_bytes(scenario['window_bytes'])}",
        "queue_packets": f"queue {scenario['queue_packets']:g} packets",
        "file_size_bytes": f"file {decimal_bytes(scenario['file_size_bytes'])}",
        "chunk_size_bytes": f"chunk {decimal_bytes(scenario['chunk_size_bytes'])}",
        "engine": f"engine {engine}",
    }
    return ", ".join(text for key, text in told.items() if text and key not in apart)


def decimal_bytes(count: float) -> str:
    """Return a size with a power-of-ten unit: 10000000000 is ``10 GB``."""
    return _scaled(count, 1000, ("B", "kB", "MB", "GB", "TB", "PB"))


def binary_bytes(count: float) -> str:
    """Return a size with a power-of-two unit: 65536 is ``64 KiB``."""
    return _scaled(count, 1024, ("B", "KiB", "MiB", "GiB", "TiB", "PiB"))


def _scaled(count: float, base: int, units: tuple[str, ...]) -> str:
    rank = 0
    while count >= base and rank < len(units) - 1:
        count /= base
        rank += 1
    return f"{count:.4g} {units[rank]}"


def render(figure: Figure, kind: str) -> bytes:
    """Return the figure's bytes in one format, free of dates; call inside `styled`."""
    stream = io.BytesIO()
    metadata: dict[str, Any] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(kind, {})
    if figure.get_layout_engine() is not None:
        # Hinting makes text wider or narrower with the resolution, and so the margin that it needs
        figure.set_dpi(RC["savefig.dpi"])
        figure.draw_without_rendering()
    # Everything has its place now: savefig would look for it twice more in every format
    with matplotlib.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)
        figure.savefig(stream, format=kind, metadata=metadata)
    return stream.getvalue()


def table_csv(table: pd.DataFrame) -> bytes:
    """Return a table as CSV, numbers to ten digits."""
    return table.to_csv(index=False, float_format="%.10g", lineterminator="\n").encode()


def save(
    figure: Figure, table: pd.DataFrame | None, stem: Path, formats: tuple[str, ...] | None = None
) -> list[Path]:
    """Write ``stem.png``, ``.pdf``, ``.svg`` and the drawn numbers as ``stem.csv``: all or none.

    Args:
        figure: made inside `styled`, which must still be active.
        table: the numbers drawn; None writes no CSV.
        stem: path without suffix; its folder is made.
        formats: which formats to write; None: all of `FORMATS`.

    Raises:
        OSError: a file cannot be written.
    """
    files = {
        stem.with_name(f"{stem.name}.{kind}"): render(figure, kind) for kind in formats or FORMATS
    }
    if table is not None:
        files[stem.with_name(f"{stem.name}.csv")] = table_csv(table)
    write_atomically(files)
    return list(files)
