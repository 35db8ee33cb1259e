"""Goodput and swing of N over AIMD's alpha and beta, beside MI and MI+.

Sets, by their labels: ``segment``, AIMD; ``others``, the modes it is compared with; ``ns3`` and
``ns3-twin``, points of the first on both engines with smaller files.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from analysis.claims.conditions import conditions_of
from analysis.drawing import heatmap, style
from analysis.drawing.words import give_or_take, listed, missing, replications
from analysis.figures import Drawn, Kind
from analysis.figures.curves import MODES
from analysis.papers import paper_of
from analysis.read.sets import require
from analysis.statistics import curve, swing
from analysis.statistics.means import means, with_common
from analysis.statistics.pairs import agreement_in

RELATED = 0.3
"""Rank correlation from which on two quantities are said to go with each other."""

_ALPHA, _BETA, _DELAY = "alpha", "beta", "delay_s"
_LABELS = ("segment", "others")
_MEASURED = (*curve.MEASURED, *swing.MEASURED)
_MBIT = 1e-6


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    table = _table(runs)
    delays = sorted(runs.loc[runs["label"] == "segment", _DELAY].unique())
    figure = style.new_figure(7.2, 1.2 + 1.9 * len(delays))
    panels = figure.subplots(len(delays), 2, sharex=True, sharey=True, squeeze=False)
    for (goodput, range_), delay in zip(panels, delays, strict=True):
        here = table[table[_DELAY] == delay]
        path = f"$\\tau$ = {delay * 1e3:g} ms"
        values = _grid(here, runs, "mean")
        most = here["bandwidth_bps"].max()
        heatmap.draw(goodput, values, lambda value: f"{value * _MBIT:.1f}", (0, most), 7.5)
        goodput.set_title(f"{path}: goodput (Mbit/s){_others(here)}", fontsize=8)
        heatmap.frame(goodput, values >= here.loc[here["mode"] != "aimd", "mean"].max())
        swings = _grid(here, runs, "swing")
        heatmap.draw(range_, swings, _ranges(here, runs), (0, table["swing"].max()), 7.5)
        range_.set_title(f"{path}: range of N over the later half", fontsize=8)
        for axes in (goodput, range_):
            heatmap.ring(axes, _grid(_at_ns3(runs, delay), runs, "run").notna())
            heatmap.label(axes, values, "{:g}".format, "{:g}".format)
        goodput.set_ylabel(r"Decrease $\beta$")
    for axes in panels[-1]:
        axes.set_xlabel(r"Increase $\alpha$ (connections)")
    figure.supxlabel(_caption(table, runs), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the means of the goodput, and of the range of N.

    Raises:
        ResultError: no run of AIMD is done, or a point has runs of different scenarios.
    """
    require(runs, ["segment"])
    chosen = runs[runs["label"].isin(_LABELS)]
    point = ["mode", _DELAY, _ALPHA, _BETA]
    table = means(chosen, point, "goodput_bps", _MEASURED)
    table = with_common(table, chosen, [_DELAY], "bandwidth_bps")
    for name in swing.MEASURED:
        others = means(chosen, point, name, _MEASURED)
        table[name] = others["mean"]
        if name == "swing":
            table[["swing_low", "swing_high"]] = others[["low", "high"]]
    return table


def _grid(rows: pd.DataFrame, runs: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column of AIMD's over beta (rows) and alpha (columns)."""
    chosen = rows[rows["mode"] == "aimd"]
    grid = chosen.pivot_table(index=_BETA, columns=_ALPHA, values=column, aggfunc="first")
    every = runs[runs["label"] == "segment"]
    return grid.reindex(index=sorted(every[_BETA].unique()), columns=sorted(every[_ALPHA].unique()))


def _ranges(here: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Return the texts of the cells: smallest and largest N."""
    low, high = (_grid(here, runs, name) for name in ("n_low", "n_high"))
    return low.map("{:.0f}".format) + "\u2013" + high.map("{:.0f}".format)


def _at_ns3(runs: pd.DataFrame, delay: float) -> pd.DataFrame:
    return runs[(runs["label"] == "ns3") & (runs[_DELAY] == delay)]


def _others(here: pd.DataFrame) -> str:
    """Return what a title tells of the other modes."""
    others = here[here["mode"] != "aimd"]
    told = (
        f"{style.LOOKS[row['mode']].label} {row['mean'] * _MBIT:.1f}"
        for _, row in others.iterrows()
    )
    return f"; {', '.join(told)}" if len(others) else ""


def _caption(table: pd.DataFrame, runs: pd.DataFrame) -> str:
    first = runs[(runs["label"] == "segment") & runs["goodput_bps"].notna()].iloc[0]
    lines = [
        style.conditions(first, first["engine"], (_DELAY,)),
        f"{replications(table, first)}; framed: at least the goodput of MI and MI+",
    ]
    if said := agreement_in(runs, _MEASURED).told():
        sizes = runs.loc[runs["label"] == "ns3", "file_size_bytes"].unique()
        told = " and ".join(style.decimal_bytes(size) for size in sorted(sizes))
        lines.append(f"rings: {said} (files of {told})")
    aimd = runs[runs["label"] == "segment"]
    wanted = len(aimd[[_DELAY, _ALPHA, _BETA]].drop_duplicates())
    gone = wanted - int((table["mode"] == "aimd").sum())
    gaps = [f"{gone} of {wanted} points of AIMD"] if gone else []
    lacking = [mode for mode in ("mi", "mi-plus") if mode not in set(table["mode"])]
    gaps += [f"mode {style.LOOKS[mode].label}" for mode in lacking]
    return "\n".join([*lines, *missing(gaps, runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    every = list(table.groupby(_DELAY))
    paths = [(delay, here) for delay, here in every if len(_aimd(here))]
    if not paths:
        return ["The best alpha and beta cannot be determined: there are no runs of AIMD."]
    return [
        f"AIMD has the highest goodput {'; '.join(_best(here, delay) for delay, here in paths)}.",
        f"{_capital('; '.join(_weights(here, delay) for delay, here in paths))}.",
        f"Over the later half N swings {'; '.join(_swings(here, delay) for delay, here in paths)}.",
        *_lacking(every),
    ]


def _lacking(every: list[tuple[float, pd.DataFrame]]) -> Iterator[str]:
    """Yield a sentence on each mode that has no runs at some delays."""
    for mode in MODES:
        gone = [f"{delay * 1e3:g} ms" for delay, here in every if mode not in set(here["mode"])]
        if gone:
            yield f"At a delay of {listed(gone)} there are no runs of {style.LOOKS[mode].label}."


def _aimd(here: pd.DataFrame) -> pd.DataFrame:
    return here[here["mode"] == "aimd"]


def _papers(aimd: pd.DataFrame) -> pd.DataFrame:
    """Return the row of the paper's pair, if there is one."""
    paper = conditions_of(paper_of(__name__))
    return aimd[aimd[_ALPHA].isin(paper[_ALPHA]) & aimd[_BETA].isin(paper[_BETA])]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _pair(row: pd.Series) -> str:
    return f"alpha = {row[_ALPHA]:g} and beta = {row[_BETA]:g}"


def _best(here: pd.DataFrame, delay: float) -> str:
    """Return the best pair, and what it gets beside the paper's and the other modes."""
    aimd = _aimd(here)
    best = aimd.loc[aimd["mean"].idxmax()]
    told = (
        f"at a delay of {delay * 1e3:g} ms with {_pair(best)}, "
        f"{give_or_take(best, _MBIT, 'Mbit/s')}"
    )
    beside = []
    paper = _papers(aimd)
    if len(paper):
        beside.append(f"the paper's {_pair(paper.iloc[0])} {_mbit(paper.iloc[0])}")
    for _, row in here[here["mode"] != "aimd"].iterrows():
        beside.append(f"{style.LOOKS[row['mode']].label} {_mbit(row)}")
    return f"{told} ({', '.join(beside)})" if beside else told


def _mbit(row: pd.Series) -> str:
    return give_or_take(row, _MBIT)


def _weights(here: pd.DataFrame, delay: float) -> str:
    """Return how many pairs keep up with the other modes, and what the goodput hangs on."""
    aimd, others = _aimd(here), here[here["mode"] != "aimd"]
    told = f"at {delay * 1e3:g} ms "
    if len(others):
        enough = int((aimd["mean"] >= others["mean"].max()).sum())
        names = listed(style.LOOKS[mode].label for mode in others["mode"])
        told += f"{enough} of {len(aimd)} pairs get as much as {names}, and "
    grid = aimd.pivot(index=_BETA, columns=_ALPHA, values="mean")
    by_beta, by_alpha = _most_over_least(grid), _most_over_least(grid.T)
    if pd.isna(by_beta) or pd.isna(by_alpha):
        return f"{told}whether alpha or beta matters more cannot be determined: pairs are missing"
    word = (
        "more than" if by_beta > by_alpha else "less than" if by_beta < by_alpha else "as much as"
    )
    return (
        f"{told}beta matters {word} alpha (the best beta gets {by_beta:.2f} times the goodput of "
        f"the worst, the best alpha {by_alpha:.2f} times, medians)"
    )


def _most_over_least(grid: pd.DataFrame) -> float:
    """Return the median of the best over the worst in each column that has both, nan if none."""
    both = grid.loc[:, grid.count() > 1]
    return float((both.max() / both.min()).median())


def _swings(here: pd.DataFrame, delay: float) -> str:
    """Return by how much N swings with the best and the paper's pair, and what it costs."""
    aimd = _aimd(here)
    best = aimd.loc[aimd["mean"].idxmax()]
    told = f"at {delay * 1e3:g} ms by {_swing(best)} connections with the best pair"
    paper = _papers(aimd)
    if len(paper):
        told += f" and {_swing(paper.iloc[0])} with the paper's"
    related = aimd["swing"].rank().corr(aimd["mean"].rank())
    if pd.isna(related):
        return told
    if abs(related) < RELATED:
        cost = "the swing is hardly related to goodput"
    else:
        cost = f"the more it swings the {'less' if related < 0 else 'more'} goodput"
    return f"{told} ({cost}, rank correlation {related:.2f})"


def _swing(row: pd.Series) -> str:
    return give_or_take({"mean": row["swing"], "high": row["swing_high"]}, digits=0)


FIGURE = Kind(
    "Goodput and swing of N over AIMD's alpha and beta",
    _draw,
    swing.swing_table,
    question="How should AIMD's alpha and beta be chosen?",
    answer=_answer,
    unit="bit/s",
)
