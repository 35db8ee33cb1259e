"""What the race of tuners answers, in words."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from analysis.drawing.words import each, listed, share
from analysis.read import tuners
from papers.anglano.figures import race_measures as race


def answer(table: pd.DataFrame) -> list[str]:
    """Return the sentences that the numbers make."""
    tuned = table[table["contender"] != race.FIXED]
    return [_wins(tuned), *_places(tuned), _overall(tuned), *_reach(tuned), *_harm(table)]


def _name(contender: str) -> str:
    mode, _, search = contender.partition(" ")
    return tuners.label(mode) + (f" ({search})" if search else "")


def _settings(rows: pd.DataFrame) -> int:
    return len(rows.groupby(list(race.SETTING)))


def _counted(rows: pd.DataFrame, column: str) -> str:
    """Return how often each was first, the most frequent one first; none that never was."""
    counts = rows.groupby("contender")[column].sum()
    names = [name for name in race.contenders(rows) if counts[name] > 0]
    names.sort(key=lambda name: -counts[name])
    return listed(f"{_name(name)} on {counts[name]:.0f}" for name in names)


def _wins(tuned: pd.DataFrame) -> str:
    return (
        f"Least regret in {_settings(tuned)} combinations of path, file and traffic: "
        f"{_counted(tuned, 'wins')}. Not behind the winner, by the 95 % interval of the "
        f"differences: {_counted(tuned, 'leads')}."
    )


def _places(tuned: pd.DataFrame) -> list[str]:
    """Return which regrets least where: by each property of the settings, and which least often."""
    kinds: list[tuple[str, Callable[[pd.DataFrame], pd.Series]]] = [
        ("next to plain TCP", lambda rows: rows["beside"]),
        ("alone", lambda rows: ~rows["beside"]),
        ("with random loss", lambda rows: rows["random_loss"] > 0),
        ("without", lambda rows: rows["random_loss"] == 0),
        ("with the shortest files", lambda rows: _is_least(rows["file_size_bytes"])),
        ("with longer ones", lambda rows: ~_is_least(rows["file_size_bytes"])),
    ]
    told = []
    for name, chosen in kinds:
        rows = tuned[chosen(tuned)]
        if len(rows) and len(rows) < len(tuned):
            mean = rows.groupby("contender")["regret"].mean()
            told.append(f"{_name(mean.idxmin())} {name} ({share(mean.min())})")
    return [f"The least mean regret has {listed(told)}."] if told else []


def _is_least(values: pd.Series) -> pd.Series:
    return values == values.min()


def _overall(tuned: pd.DataFrame) -> str:
    mean = tuned.groupby("contender")["regret"].mean().sort_values()
    worst = tuned.groupby("contender")["regret"].max()
    ranked = [
        f"{_name(name)} {share(value)} ({share(worst[name])})" for name, value in mean.items()
    ]
    first = tuned.groupby("contender")["first_parallelism"].mean()
    begins = each(
        {name: _name(name) for name in race.contenders(tuned)}, lambda name: f"{first[name]:g}"
    )
    return (
        f"Mean regret over all of them, in parentheses the largest: {listed(ranked)}. It includes "
        f"the first chunk, which has N = {begins}."
    )


def _reach(tuned: pd.DataFrame) -> list[str]:
    alone = tuned[~tuned["beside"]]
    if not len(alone):
        return []
    reached = alone.groupby("contender")["reached"].mean()
    order = sorted(race.contenders(alone), key=lambda name: -reached[name])
    told = [f"{_name(name)} {share(reached[name])}" for name in order]
    return [
        "Share of runs without competing traffic that have a chunk within 5 % of the goodput of "
        f"the best fixed N: {listed(told)}."
    ]


def _harm(table: pd.DataFrame) -> list[str]:
    beside = table[table["beside"]].dropna(subset="harm")
    if not len(beside):
        return []
    mean = beside.groupby("contender")["harm"].mean()
    own = mean.drop(race.FIXED).sort_values()
    told = (
        "Goodput that plain TCP loses, as a share of its goodput next to a single connection: "
        f"the best fixed N {share(mean[race.FIXED])}"
    )
    ranked = [f"{_name(name)} {share(value)}" for name, value in own.items()]
    return [f"{told}; {listed(ranked)}."]
