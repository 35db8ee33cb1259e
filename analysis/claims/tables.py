"""Claims about a table that a paper publishes: its rows and columns, beside ours.

The paper's ``judges.py`` makes the table of the runs of a sweep: a function by its name in
``TABLES`` from the labelled done runs to `COLUMNS`, one row per run. A claim asks for bounds of a
number of each row of the table, or of each cell::

    [[table_claim]]
    id = "similar"
    where = "Table 3"
    text = "tools over UDP get what those over TCP get"
    sweep = "table3"                     # of the paper
    table = "goodputs"                   # of TABLES
    label = "low"                        # which set of it
    rows = ["Atlanta-Houston"]           # which rows; else all that the set has
    of = ["RBUDP", "UDT"]                # columns: the largest of them in each row
    over = ["bbFTP-5", "bbFTP-10"]       # divided by the largest of these; or "published", the
                                         # published cell of each column of `of`
    about = 1                            # a word of [words] or a number; at_least, at_most
    within = "similar"                   # share by which `about` may be missed
    in_rows = 4                          # it is enough if so many rows, or cells, keep it
    name = "goodput"                     # what readers call the number, without `over`
    unit = "Mbit/s"                      # and its unit, which is so many
    scale = 1e6                          # of the table's own

``order = true`` in place of `over` and bounds: in each row, each two columns of `of` whose
published values differ by more than both published deviations are in the published order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pandas as pd

from ..papers import Paper
from ..read.results import ResultError
from . import Judged
from .measures import Verdict
from .runs import Kept, check_keys, number_of

COLUMNS = ("label", "row", "column", "value", "published", "deviation")
"""Of a table, one row per run: where it belongs, what was measured and what is published of it,
nan where nothing is."""

PUBLISHED = "published"
"""What is divided by, where each cell is compared with the published one."""

TableOf = Callable[[Kept], pd.DataFrame]
"""From the done runs of a sweep to a table."""

_REQUIRED = ("id", "where", "text", "sweep", "table", "label", "of")
_BOUNDS = ("at_least", "at_most", "about")
_OPTIONAL = ("rows", "over", "order", "within", "in_rows", "name", "unit", "scale", *_BOUNDS)


@dataclass(frozen=True)
class TableClaim:
    """One claim about a published table, as its TOML entry has it; see the module for the keys."""

    id: str
    where: str
    text: str
    sweep: str
    table: TableOf
    label: str
    rows: tuple[str, ...] | None
    of: tuple[str, ...]
    over: tuple[str, ...] | str | None
    order: bool
    bounds: Mapping[str, float]
    within: float
    in_rows: int | None
    name: str
    unit: str
    scale: float

    def keeps(self, value: float) -> bool:
        """Return whether a number is within the bounds; nan is not."""
        wanted = self.bounds
        return (
            value >= wanted.get("at_least", -math.inf)
            and value <= wanted.get("at_most", math.inf)
            and ("about" not in wanted
                 or abs(value - wanted["about"]) <= self.within * abs(wanted["about"]))
        )  # fmt: skip

    def number(self, value: float, digits: int = 4) -> str:
        """Return a number for readers: in its unit, a ratio as it is."""
        return f"{value / (1 if self.over else self.scale):.{digits}g}"

    def told_bounds(self) -> str:
        """Return the bounds for readers."""
        told = [
            f"{key.replace('_', ' ')} {self.number(bound)}"
            + (f" (within {self.within * 100:g} %)" if key == "about" else "")
            for key, bound in self.bounds.items()
        ]
        return " and ".join(told)


def table_claims_of(paper: Paper) -> list[TableClaim]:
    """Read a paper's claims about tables that it publishes.

    Raises:
        ResultError: an entry lacks a key, has one that is none, names no table, or has a word that
            is not explained.
    """
    data = paper.toml("claims.toml")
    tables = {
        name: table
        for module in paper.modules("")
        for name, table in getattr(module, "TABLES", {}).items()
    }
    words = data.get("words", {})
    return [_read(paper, tables, words, entry) for entry in data.get("table_claim", [])]


def table_sweeps_of(paper: Paper) -> list[str]:
    """Return the names of the sweeps that a paper's claims about tables are judged on."""
    return list(dict.fromkeys(claim.sweep for claim in table_claims_of(paper)))


def _read(
    paper: Paper,
    tables: Mapping[str, TableOf],
    words: Mapping[str, Any],
    entry: Mapping[str, Any],
) -> TableClaim:
    where = f"{paper.folder / 'claims.toml'}: {entry.get('id', 'a claim')}"
    check_keys(entry, (*_REQUIRED, *_OPTIONAL), where)
    for key in _REQUIRED:
        if key not in entry:
            raise ResultError(f"{where} has no {key!r}")
    if entry["table"] not in tables:
        known = ", ".join(tables) or "none"
        raise ResultError(f"{where}: there is no table {entry['table']!r}; known: {known}")
    bounds = {key: number_of(entry[key], words, where) for key in _BOUNDS if key in entry}
    if bool(bounds) == entry.get("order", False):
        raise ResultError(f"{where} has to have either order or one of {', '.join(_BOUNDS)}")
    over = entry.get("over")
    return TableClaim(
        **{key: entry[key] for key in ("id", "where", "text", "label")},
        sweep=paper.sweep(entry["sweep"]),
        table=tables[entry["table"]],
        rows=tuple(entry["rows"]) if "rows" in entry else None,
        of=tuple(entry["of"]),
        over=over if over is None or over == PUBLISHED else tuple(over),
        order=entry.get("order", False),
        bounds=bounds,
        within=number_of(entry.get("within", 0), words, where),
        in_rows=entry.get("in_rows"),
        name=entry.get("name", "value"),
        unit=entry.get("unit", ""),
        scale=float(entry.get("scale", 1)),
    )


def means_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of the runs of each cell: columns ``label`` to ``deviation``."""
    keys = ["label", "row", "column"]
    return table.groupby(keys, sort=False, as_index=False).agg(
        {"value": "mean", "published": "first", "deviation": "first"}
    )


def judge_table_claims(claims: Iterable[TableClaim], runs: Mapping[str, Kept]) -> Iterator[Judged]:
    """Judge those claims whose sweeps are among the done runs, by their sweeps' names."""
    made: dict[tuple[str, TableOf], pd.DataFrame] = {}
    for claim in claims:
        if claim.sweep in runs:
            key = (claim.sweep, claim.table)
            if key not in made:
                made[key] = means_of(claim.table(runs[claim.sweep]))
            yield judge_table_claim(claim, made[key])


def judge_table_claim(claim: TableClaim, means: pd.DataFrame) -> Judged:
    """Judge one claim on the means (`means_of`) of its table."""
    cells = means[(means["label"] == claim.label) & means["column"].isin(_columns(claim))]
    if claim.rows is not None:
        cells = cells[cells["row"].isin(claim.rows)]
    verdict = _verdict(claim, cells)
    return Judged(
        claim.id, claim.where, claim.text, verdict.measured or "-", verdict.verdict,
        verdict.reason, verdict.values,
    )  # fmt: skip


def _columns(claim: TableClaim) -> set[str]:
    return {*claim.of, *(claim.over if isinstance(claim.over, tuple) else ())}


def _verdict(claim: TableClaim, cells: pd.DataFrame) -> Verdict:
    lacking = sorted(_columns(claim) - set(cells["column"]))
    if lacking:
        return Verdict.unknown(
            "", f"the results contain no run of {', '.join(lacking)} in set {claim.label}"
        )
    found = dict(_orders(claim, cells) if claim.order else _numbers(claim, cells))
    if not found:
        return Verdict.unknown("", "the paper publishes no value to compare with")
    kept = [where for where, (_, good) in found.items() if good]
    enough = len(found) if claim.in_rows is None else claim.in_rows
    measured = "; ".join(f"{where} {told}" for where, (told, _) in found.items())
    unit = claim.unit if not claim.over and not claim.order else ""
    asked = "the published order" if claim.order else f"{claim.told_bounds()} {unit}".strip()
    cases = f"all {len(found)}" if enough == len(found) else f"at least {enough} of {len(found)}"
    reason = f"required in {cases} cases: {asked}; met in {len(kept)}"
    if len(found) == enough == 1:
        reason = f"required: {asked} ({'met' if kept else 'not met'})"
    values = {where: told for where, (told, _) in found.items()}
    return Verdict.of(
        f"{_title(claim)}{unit and f', {unit}'}: {measured}", len(kept) >= enough, reason, values
    )


def _title(claim: TableClaim) -> str:
    if claim.order:
        return (
            f"pairs in the published order (exceptions in parentheses) among {', '.join(claim.of)}"
        )
    if claim.over == PUBLISHED:
        return f"{claim.name} divided by the published value"
    most = _most(claim.of)
    return f"{claim.name} of {most}" + (
        f" divided by that of {_most(claim.over)}" if claim.over else ""
    )


def _most(columns: Sequence[str]) -> str:
    return columns[0] if len(columns) == 1 else f"the best of {', '.join(columns)}"


def _numbers(claim: TableClaim, cells: pd.DataFrame) -> Iterator[tuple[str, tuple[str, bool]]]:
    """Yield each row, or cell, with its number for readers and whether it keeps the bounds."""
    for row, same in cells.groupby("row", sort=False):
        values = same.set_index("column")["value"]
        if claim.over == PUBLISHED:
            published = same.set_index("column")["published"]
            ratios = {f"{row}, {c}": values[c] / published[c] for c in claim.of}
            yield from (
                (where, (claim.number(ratio), claim.keeps(ratio)))
                for where, ratio in ratios.items()
                if not math.isnan(ratio)
            )
            continue
        number = values[list(claim.of)].max()
        if isinstance(claim.over, tuple):
            number /= values[list(claim.over)].max()
        yield str(row), (claim.number(number), claim.keeps(number))


def _orders(claim: TableClaim, cells: pd.DataFrame) -> Iterator[tuple[str, tuple[str, bool]]]:
    """Yield each row that has an order, with the pairs that are not in it and whether none is."""
    for row, same in cells.groupby("row", sort=False):
        by_name = same.set_index("column")
        pairs = [
            (a, b) if by_name["published"][a] > by_name["published"][b] else (b, a)
            for a, b in combinations(claim.of, 2)
            if abs(by_name["published"][a] - by_name["published"][b])
            > by_name["deviation"][[a, b]].max()
        ]
        wrong = [
            f"{b} above {a}" for a, b in pairs if not by_name["value"][a] > by_name["value"][b]
        ]
        if pairs:
            told = f"{len(pairs) - len(wrong)} of {len(pairs)} pairs"
            yield str(row), (told + (f" ({', '.join(wrong)})" if wrong else ""), not wrong)
