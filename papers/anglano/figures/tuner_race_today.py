"""The race of tuners with hosts of today: a race for each TCP of the transfer.

Sets, by their labels: ``tuned`` and ``fixed``, as those of `tuner_race`, with several values of
``tcp``. N = 1 takes part in the race as well: it shows what tuners gain over a transfer that does
not tune. Measures are those of `race_measures`. Means over all paths, alone and next to a
background flow, are taken run by run; their intervals are over the runs.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from analysis.drawing import style, tcps
from analysis.drawing.words import each, give_or_take, listed, missing, replications
from analysis.figures import Drawn, Kind
from analysis.read import tuners
from analysis.read.results import ResultError
from analysis.read.sets import require
from analysis.statistics.interval import LOSS
from analysis.statistics.means import summary
from papers.anglano.figures import race_measures as race
from papers.anglano.figures import tuner_race

SINGLE = "fixed 1"
"""The contender that has one connection."""

_TITLES = {
    ("regret", False): "regret alone, %",
    ("regret", True): "regret next to a CUBIC flow, %",
    ("reach_s", False): "time to within 5 %, alone, s",
    ("harm", True): "harm to the CUBIC flow, %",
}


def _rows(store: Path, sweep: str) -> pd.DataFrame:
    return race.rows_of(store, sweep)


def _draw(runs: pd.DataFrame, _: pd.DataFrame | None) -> Drawn:
    for label in (race.TUNED, race.FIXED):
        require(runs, [label])
    shown = tcps.ordered(runs["tcp"])
    table = pd.concat([_table(runs, tcp) for tcp in shown], ignore_index=True)
    if table.empty:
        raise ResultError("no path has runs of a tuner and of a fixed N that are done")
    figure = style.new_figure(7.2, 1.8 + 3.8 * len(shown))
    panels = figure.subplots(2 * len(shown), 2, sharex=True, sharey=True)
    for place, tcp in enumerate(shown):
        own = table[table["tcp"] == tcp]
        for axes, part in zip(
            panels[2 * place : 2 * place + 2].flat, tuner_race.PANELS, strict=True
        ):
            column, beside, _title, scale, bounds = part
            title = f"{tcps.name(tcp)}: {_TITLES[column, beside]}"
            tuner_race.panel(axes, own, (column, beside, title, scale, bounds), table, _column)
    figure.supxlabel(_caption(table, runs), fontsize=7, color=style.GREY)
    return figure, table


def _table(runs: pd.DataFrame, tcp: str) -> pd.DataFrame:
    """Return the race of one TCP, as `race.table_of`, with the means of `_overall`."""
    own = runs[runs["tcp"] == tcp]
    single = own[(own["label"] == race.FIXED) & (own["parallelism"] == 1)]
    own = pd.concat([own, single.assign(label=race.TUNED, contender=SINGLE)])
    table = race.table_of(own)
    if table.empty:
        return table
    table.insert(0, "tcp", tcp)
    return table.merge(_overall(own, table), how="left", on="contender")


def _overall(own: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Return regret and harm of each contender over all settings, with their intervals.

    The best fixed N of each setting is a contender, too.
    """
    done = own.dropna(subset="goodput_bps")
    best = table.drop_duplicates([*race.SETTING])[[*race.SETTING, "best_parallelism"]]
    fixed = done[done["label"] == race.FIXED].merge(best, on=list(race.SETTING))
    chosen = fixed[fixed["parallelism"] == fixed["best_parallelism"]]
    single = fixed[fixed["parallelism"] == 1]
    where = [*race.SETTING, "run"]
    pairs = pd.concat([done[done["label"] == race.TUNED], chosen])
    pairs = pairs.merge(chosen[[*where, "goodput_bps"]], on=where, suffixes=("", "_best"))
    pairs = pairs.merge(single[[*where, "background_bps"]], on=where, suffixes=("", "_single"))
    pairs["regret"] = 1 - pairs["goodput_bps"] / pairs["goodput_bps_best"]
    pairs["harm"] = 1 - pairs["background_bps"] / pairs["background_bps_single"]
    rows = []
    for contender, same in pairs.groupby("contender"):
        row: dict[str, object] = {"contender": contender}
        for measure in ("regret", "harm"):
            values = same.groupby("run")[measure].mean().dropna().tolist()
            found = summary(values, LOSS) if values else {}
            for key, column in (("mean", ""), ("low", "_low"), ("high", "_high")):
                row[f"all_{measure}{column}"] = found.get(key, float("nan"))
        rows.append(row)
    return pd.DataFrame(rows)


def _column(contender: str) -> str:
    return "N = 1" if contender == SINGLE else tuner_race.name_of(contender)


def _long_name(contender: str) -> str:
    if contender in (SINGLE, race.FIXED):
        return {SINGLE: "one connection", race.FIXED: "the best fixed N"}[contender]
    mode, _, search = contender.partition(" ")
    return tuners.label(mode) + (f" ({search})" if search else "")


def _caption(table: pd.DataFrame, runs: pd.DataFrame) -> str:
    first = runs[(runs["label"] == race.TUNED) & runs["goodput_bps"].notna()].iloc[0]
    differ = (*race.SETTING, *race.CONTENDER, "mode", "tcp", "window_bytes")
    lines = [
        f"present-day Linux hosts (stack {first['stack']}), "
        + style.conditions(first, first["engine"], differ),
        replications(table, first),
        "rows: bottleneck, round trip, random loss, file; rings: least regret of the row",
        "time: only of runs that have a chunk with 95 % of the best fixed N's goodput; hatched: "
        "no such run",
        "harm: goodput that the CUBIC flow loses, as a share of its goodput next to "
        "a single connection",
    ]
    return "\n".join([*lines, *missing([], runs)])


def _answer(table: pd.DataFrame) -> list[str]:
    sentences = []
    for tcp in tcps.ordered(table["tcp"]):
        own, name = table[table["tcp"] == tcp], tcps.name(tcp)
        sentences += [f"{name}: {text}" for text in (_best(own), _regrets(own), *_harms(own))]
    return sentences


def _best(own: pd.DataFrame) -> str:
    """Return how often which fixed N is the best one."""
    counts = own.drop_duplicates([*race.SETTING])["best_parallelism"].value_counts().sort_index()
    often = listed(f"{number:g} ({count})" for number, count in counts.items())
    return f"of {counts.sum()} combinations of path and traffic, the best fixed N is {often}."


def _regrets(own: pd.DataFrame) -> str:
    ranked = _ranked(own[own["contender"] != race.FIXED], "regret")
    return f"mean regret against it: {ranked}."


def _harms(own: pd.DataFrame) -> list[str]:
    rows = own[own["contender"] != SINGLE].dropna(subset="all_harm")
    if not len(rows):
        return []
    return [
        "mean share of its goodput next to one connection that the CUBIC flow loses: "
        f"{_ranked(rows, 'harm')}."
    ]


def _ranked(own: pd.DataFrame, measure: str) -> str:
    """Return each contender's mean over all settings and its interval, the least one first."""
    rows = own.drop_duplicates("contender").sort_values(f"all_{measure}", kind="stable")
    rows = rows.set_index("contender")
    columns = {"mean": "", "low": "_low", "high": "_high"}

    def _mean(contender: str) -> str:
        row = rows.loc[contender]
        found = {key: row[f"all_{measure}{end}"] for key, end in columns.items()}
        return give_or_take(found, 100, "%")

    return each({contender: _long_name(contender) for contender in rows.index}, _mean)


FIGURE = Kind(
    "Comparison of tuners with present-day hosts",
    _draw,
    rows=_rows,
    question="Which tuner transfers a file fastest with present-day hosts, and how much do "
    "competing flows lose?",
    answer=_answer,
    ours=True,
)
