"""The study of assumptions: each claim under each setting of what the paper leaves unsaid.

Its sweep has every block once for each setting; a label is the setting's name, `SETTING_MARK` and
the block's own label. The paper's ``claims.toml`` tells which blocks stand for what its claims are
judged on: ``studied`` of ``[transfers]`` names that of the single transfers, ``studied`` of
``[sweeps.<name>]`` the label there of each block. A claim about a sweep for which no block stands
is not studied.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from .. import papers
from ..papers import Paper
from ..read import stored, tuners
from ..read.results import Result, ResultError
from ..read.stored import SETTING_MARK, TOGETHER
from . import Judged, Transfers, claims_of, judge
from .runs import Kept, judge_run_claim, run_claims_of
from .sweeps import judge_sweep, sweep_claims_of


def judge_settings(store: Path, sweep: str) -> pd.DataFrame:
    """Return every claim judged under every setting.

    The paper's conditions do not apply: a setting departs from them on purpose.

    Returns:
        One row per setting and claim, in the order of the sweep and of the claims: ``setting``,
        ``claim``, ``verdict``, ``measured``, ``reason``.

    Raises:
        ResultError: the store cannot be read.
    """
    rows = [
        (setting, item.id, item.verdict, item.measured, item.reason)
        for setting, _, items in _settings(store, sweep)
        for item in items
    ]
    return pd.DataFrame(rows, columns=["setting", "claim", "verdict", "measured", "reason"])


Name = tuple[str, str]
"""What a number is, and its unit; either may be empty."""


def moves(store: Path, sweep: str) -> dict[str, str]:
    """Return the range of each claim's numbers over the settings, in words, by claim.

    Such as "MI 0.24 to 0.31 over 22 settings of the unspecified parameters; 0.25 with start times
    spread over 100 ms". A study of start times alone has the second part only.

    Raises:
        ResultError: the store cannot be read.
    """
    found: dict[str, list[tuple[float, dict[Name, float]]]] = {}
    for _, jitter, items in _settings(store, sweep):
        for item in items:
            if own := _numbers(item):
                found.setdefault(item.id, []).append((jitter, own))
    return {claim: told for claim, under in found.items() if (told := _moved(under))}


def _numbers(item: Judged) -> dict[Name, float]:
    """Return the numbers of a claim that mean the same under each setting, by what they are."""
    own: dict[Name, float | None] = {
        (" ".join(filter(None, (tuners.label(mode) if mode != "fixed" else "", name))), ""): one[
            "value"
        ]
        for mode, told in item.values.get("modes", {}).items()
        for name, one in told["measures"].items()
        if name != "slope"  # SI units, which nobody reads
    }
    if item.values.get("goodput_bps") is not None:
        own["", "Mbit/s"] = item.values["goodput_bps"] / 1e6
    if item.values.get("value") is not None:
        own["", item.values["unit"]] = item.values["value"] / item.values["scale"]
    return {name: value for name, value in own.items() if value is not None}


def _moved(under: Sequence[tuple[float, Mapping[Name, float]]]) -> str:
    """Return how far numbers move, from how far starts are spread, s, and the numbers, by setting.

    The first one is of the setting as shipped.
    """
    first, shipped = under[0]
    widest, spread = max(under, key=lambda one: one[0])
    told = []
    if len(under) > (2 if widest > first else 1):
        names = dict.fromkeys(name for _, numbers in under for name in numbers)
        ranges = ", ".join(_range(name, under) for name in names)
        told.append(f"{ranges} over {len(under)} settings of the unspecified parameters")
    if widest > first:
        texts = [_told(numbers) for numbers in (shipped, spread)]
        with_it = "the same" if texts[0] == texts[1] else texts[1]
        told.append(f"{with_it} with start times spread over {widest * 1e3:g} ms")
    return "; ".join(told)


def _told(numbers: Mapping[Name, float]) -> str:
    return ", ".join(
        " ".join(filter(None, (_number(value), unit))) for (_, unit), value in numbers.items()
    )


def _range(name: Name, under: Iterable[tuple[float, Mapping[Name, float]]]) -> str:
    what, unit = name
    values = [numbers[name] for _, numbers in under if name in numbers]
    ends = dict.fromkeys(map(_number, (min(values), max(values))))
    return " ".join(filter(None, (what, " to ".join(ends), unit)))


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


Settings = Iterable[tuple[str, float, list[Judged]]]
"""Each setting, how far starts are spread with it, s, and the claims judged under it."""


def _settings(store: Path, sweep: str) -> Settings:
    """Return the settings of a study; the figure and `moves` are made of the same."""
    if not store.is_file():
        return _judge_settings(store, sweep)
    about = store.stat()
    return _judged_once(store, sweep, about.st_mtime_ns, about.st_size)


@functools.lru_cache(maxsize=4)
def _judged_once(store: Path, sweep: str, _changed: int, _size: int) -> Settings:
    return tuple(_judge_settings(store, sweep))


def _judge_settings(store: Path, sweep: str) -> Iterator[tuple[str, float, list[Judged]]]:
    """Yield what `_settings` returns."""
    table = stored.session_table(store, sweep)
    if not len(table):
        return
    if not table["label"].str.contains(SETTING_MARK, regex=False).all():
        raise ResultError("its labels name no setting; allowed: a spec with [[setting]] tables")
    table[["setting", "block"]] = table["label"].str.split(
        SETTING_MARK, n=1, expand=True, regex=False
    )
    paper = _paper_of(sweep, set(table["block"]))
    once = table.loc[table["block"] == _once(paper), "label"].unique()
    single = _single_results(store, sweep, once)
    kept = _kept(store, sweep) if run_claims_of(paper) else {}
    blocks = _blocks_of(paper, set(table["block"]))
    for setting, runs in table.groupby("setting", sort=False):
        items = [
            *_judge(paper, single.get(setting, {}), runs),
            *_judge_runs(paper, kept.get(setting, []), blocks),
        ]
        yield str(setting), float(runs["start_jitter_s"].max()), items


def _paper_of(sweep: str, blocks: set[str]) -> Paper:
    """Return whose claims a study is about: the sweep's paper, or the one that knows its blocks.

    Raises:
        ResultError: there is none, or more than one.
    """
    paper = papers.of_sweep(sweep)
    if paper is not None:
        return paper
    found = [p for p in papers.papers().values() if blocks & {_once(p), *_labels(p)}]
    if len(found) != 1:
        known = ", ".join(one.name for one in found) or "none"
        raise ResultError(
            f"its blocks should be named as in `studied` of the claims of one paper ({known}); "
            "allowed: a spec in the paper's folder, too"
        )
    return found[0]


def _once(paper: Paper) -> str | None:
    """Return the block that stands for the paper's single transfers, if any."""
    return paper.toml("claims.toml").get("transfers", {}).get("studied")


def _blocks(paper: Paper) -> dict[str, Mapping[str, str]]:
    """Return for each sweep that claims are judged on which blocks stand for which labels."""
    sweeps = paper.toml("claims.toml").get("sweeps", {})
    return {paper.sweep(name): entry.get("studied", {}) for name, entry in sweeps.items()}


def _blocks_of(paper: Paper, study: Collection[str]) -> dict[str, Mapping[str, str]]:
    """Return what `_blocks` does, of the blocks of one study: a paper may have several."""
    return {
        sweep: {block: label for block, label in labels.items() if block in study}
        for sweep, labels in _blocks(paper).items()
    }


def _labels(paper: Paper) -> Iterator[str]:
    for blocks in _blocks(paper).values():
        yield from blocks


def shares(judged: pd.DataFrame) -> pd.DataFrame:
    """Return for each claim under how many of the settings it holds, and of how many.

    Columns: ``claim``, ``holds``, ``judged`` (where there is a verdict).
    """
    rows = []
    for claim, rest in judged.groupby("claim", sort=False):
        known = rest[rest["verdict"] != "cannot be judged"]
        rows.append((claim, int((known["verdict"] == "holds").sum()), len(known)))
    return pd.DataFrame(rows, columns=["claim", "holds", "judged"])


def effects(judged: pd.DataFrame) -> pd.DataFrame:
    """Return how often each claim holds with each assumption, and without it.

    Args:
        judged: of combined settings, from `judge_settings`.

    Returns:
        One row per assumption and claim: ``assumption``, ``claim``, ``with`` and ``without``:
        shares of those settings that have a verdict; nan where none has.
    """
    known = judged[judged["verdict"] != "cannot be judged"]
    parts = {name: set(name.split(TOGETHER)) for name in judged["setting"].unique()}
    names = dict.fromkeys(name for some in parts.values() if len(some) == 1 for name in some)
    holds = known["verdict"] == "holds"
    rows = []
    for name in names:
        has = known["setting"].map(lambda setting, name=name: name in parts[setting])
        for claim in judged["claim"].unique():
            of = known["claim"] == claim
            rows.append((name, claim, holds[of & has].mean(), holds[of & ~has].mean()))
    table = pd.DataFrame(rows, columns=["assumption", "claim", "with", "without"])
    # The setting of none is no assumption.
    return table[table["assumption"] != judged["setting"].iloc[0]].reset_index(drop=True)


def summary(judged: pd.DataFrame) -> list[str]:
    """Return what the study says of the claims, in sentences.

    Args:
        judged: from `judge_settings`, or from `effects`.
    """
    if "with" in judged:
        return _strongest(judged)
    table = shares(judged)
    count = judged["setting"].nunique()
    judged_all = table["judged"] == count
    always = table[judged_all & (table["holds"] == count)]["claim"].tolist()
    never = table[judged_all & (table["holds"] == 0)]["claim"].tolist()
    told = [
        f"Of {len(table)} claims, {len(always)} hold under all {count} settings"
        f"{_listed(always)}, and {len(never)} under none{_listed(never)}."
    ]
    first = judged["setting"].iloc[0]
    for claim, rest in judged.groupby("claim", sort=False):
        if claim in always or claim in never:
            continue
        verdicts = rest.set_index("setting")["verdict"]
        if "cannot be judged" in set(verdicts):
            known = verdicts[verdicts != "cannot be judged"]
            holds = int((known == "holds").sum())
            told.append(f"{claim} can be judged under {len(known)} and holds under {holds}.")
            continue
        other = "fails" if verdicts[first] == "holds" else "holds"
        where = [name for name in verdicts.index if verdicts[name] == other]
        named = f": {'; '.join(where)}" if len(where) <= MOST_NAMED else ""
        told.append(f"{claim} {verdicts[first]} {first}, and {other} under {len(where)}{named}.")
    return told


def _strongest(table: pd.DataFrame) -> list[str]:
    """Return which assumption matters most to each claim, in sentences."""
    told = []
    for claim, rest in table.assign(by=table["with"] - table["without"]).groupby(
        "claim", sort=False
    ):
        known = rest.dropna(subset="by")
        if len(known) and known["by"].abs().max() > 0:
            most = known.loc[known["by"].abs().idxmax()]
            told.append(
                f"{claim} holds in {most['without']:.0%} of the settings without and "
                f"{most['with']:.0%} of those with {most['assumption']}, the assumption with "
                "the largest effect."
            )
    return told


MOST_NAMED = 6
"""Settings that are named one by one."""


def _listed(names: list[str]) -> str:
    return f" ({'; '.join(names)})" if names else ""


def _single_results(
    store: Path, sweep: str, labels: Collection[str]
) -> dict[str, dict[str, Result]]:
    """Return the single transfers: by setting, then by mode."""
    found: dict[str, dict[str, Result]] = {}
    for label, _, result in stored.declared(store, sweep, labels):
        setting = label.partition(SETTING_MARK)[0]
        if result is not None:
            found.setdefault(setting, {})[result.mode] = result
    return found


def _judge(paper: Paper, results: Mapping[str, Result], runs: pd.DataFrame) -> Iterator[Judged]:
    for claim in claims_of(paper):
        yield judge(replace(claim, conditions={}), Transfers(results))
    frames = {name: _frame(runs, blocks) for name, blocks in _blocks(paper).items()}
    for claim in sweep_claims_of(paper):
        yield judge_sweep(replace(claim, conditions={}), frames.get(claim.sweep))


def _kept(store: Path, sweep: str) -> dict[str, list[tuple[str, Result]]]:
    """Return the done runs, each with its block: by setting."""
    found: dict[str, list[tuple[str, Result]]] = {}
    for label, result in stored.results(store, sweep):
        setting, _, block = label.partition(SETTING_MARK)
        found.setdefault(setting, []).append((block, result))
    return found


def _judge_runs(
    paper: Paper, kept: Kept, blocks: Mapping[str, Mapping[str, str]]
) -> Iterator[Judged]:
    for claim in run_claims_of(paper):
        if labels := blocks.get(claim.sweep):
            own = [(labels[block], result) for block, result in kept if block in labels]
            yield judge_run_claim(replace(claim, conditions={}), own)


def _frame(runs: pd.DataFrame, blocks: Mapping[str, str]) -> pd.DataFrame:
    """Return the runs of some blocks as the runs of a sweep, with its labels."""
    chosen = runs[runs["block"].isin(list(blocks))]
    return chosen.assign(label=chosen["block"].map(blocks)).drop(columns=["setting", "block"])
