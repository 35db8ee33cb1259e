"""Claims about tables that papers publish: ratios of columns, published cells, orders."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.claims import Judged, tables
from analysis.claims.tables import TableClaim
from analysis.papers import papers
from analysis.read.results import ResultError

# What is measured twice, and what is published: row, column, runs, published, deviation
CELLS: list[tuple[str, str, list[float], float, float]] = [
    ("near", "A", [90, 110], 100, 5),
    ("near", "B", [60, 60], 80, 5),
    ("near", "C", [50, 50], 78, 1),
    ("far", "A", [10, 10], 10, 1),
    ("far", "B", [20, 20], 8, 1),
    ("far", "C", [5, 5], math.nan, math.nan),
]


def table(_: object) -> pd.DataFrame:
    rows = [
        ("set", row, column, value, published, deviation)
        for row, column, values, published, deviation in CELLS
        for value in values
    ]
    rows.append(("other", "near", "A", 1e9, math.nan, math.nan))
    return pd.DataFrame(rows, columns=list(tables.COLUMNS))


def judge(claim: TableClaim) -> Judged:
    (judged,) = tables.judge_table_claims([claim], {"paper/sweep": [], "paper/other": []})
    return judged


def claim(**keys: Any) -> TableClaim:
    """Return a claim about the table: by default one that all of it keeps."""
    own: dict[str, Any] = {
        "id": "id", "where": "Table 1", "text": "text", "sweep": "paper/sweep", "table": table,
        "label": "set", "rows": None, "of": ("A",), "over": None, "order": False, "bounds": {},
        "within": 0.0, "in_rows": None, "name": "goodput", "unit": "Mbit/s", "scale": 1.0,
    }  # fmt: skip
    return TableClaim(**{**own, **keys})


def test_a_number_of_each_row_keeps_its_bounds() -> None:
    found = judge(claim(bounds={"at_least": 10, "at_most": 100}))
    assert found.verdict == "holds"
    assert found.measured == "goodput of A, Mbit/s: near 100; far 10"
    assert found.reason == "required in all 2 cases: at least 10 and at most 100 Mbit/s; met in 2"
    assert judge(claim(bounds={"at_least": 10.5})).verdict == "fails"
    assert judge(claim(bounds={"at_least": 10.5}, rows=("near",))).verdict == ("holds")


def test_the_best_of_columns_is_divided_by_the_best_of_others() -> None:
    asked = claim(of=("A", "C"), over=("B",), bounds={"at_least": 1})
    found = judge(asked)
    assert found.measured == "goodput of the best of A, C divided by that of B: near 1.667; far 0.5"
    assert found.verdict == "fails"
    most = claim(of=("A", "C"), over=("B",), bounds={"at_least": 1}, in_rows=1)
    assert judge(most).verdict == "holds"


@pytest.mark.parametrize(("within", "verdict"), [(0.24, "fails"), (0.26, "holds")])
def test_cells_are_divided_by_the_published_ones(within: float, verdict: str) -> None:
    asked = claim(
        of=("A", "B"), over="published", bounds={"about": 1}, within=within, rows=("near",)
    )
    found = judge(asked)
    assert found.measured == "goodput divided by the published value: near, A 1; near, B 0.75"
    assert found.verdict == verdict


def test_what_is_not_published_is_not_compared() -> None:
    asked = claim(of=("C",), over="published", bounds={"about": 1}, within=0.5)
    assert judge(asked).measured.endswith("value: near, C 0.641")
    only = claim(of=("C",), over="published", bounds={"about": 1}, rows=("far",))
    assert judge(only).verdict == "cannot be judged"


def test_an_order_is_asked_of_pairs_that_are_further_apart_than_they_vary() -> None:
    # B and C are two apart, and B varies by five; of far, A and B by less than told of C: nothing
    found = judge(claim(of=("A", "B", "C"), order=True))
    assert found.measured == (
        "pairs in the published order (exceptions in parentheses) among A, B, C: "
        "near 2 of 2 pairs; far 0 of 1 pairs (B above A)"
    )
    assert found.verdict == "fails"


def test_what_was_not_run_cannot_be_judged() -> None:
    found = judge(claim(of=("A", "D"), bounds={"at_least": 1}))
    assert (found.verdict, found.reason) == (
        "cannot be judged",
        "the results contain no run of D in set set",
    )


ENTRY = """
[words]
similar = 0.15
[[table_claim]]
id = "x"
where = "Table 3"
text = "text"
sweep = "table3"
table = "goodputs"
label = "low"
of = ["RBUDP"]
"""


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("", "has to have either order or one of at_least, at_most, about"),
        ("order = true\nabout = 1", "has to have either order or one of"),
        ("colour = 1\nabout = 1", "'colour' is no key; allowed: id, "),
        ('about = "same"', "'same' is no number and no word of \\[words\\] \\(similar\\)"),
    ],
)
def test_an_entry_that_is_wrong_is_told(tmp_path: Path, more: str, message: str) -> None:
    (tmp_path / "claims.toml").write_text(ENTRY + more)
    (tmp_path / "judges.py").touch()  # the paper's own is what its name leads to
    paper = papers()["anglano"]
    changed = type(paper)(paper.name, tmp_path, paper.title, paper.heading)
    with pytest.raises(ResultError, match=message):
        tables.table_claims_of(changed)


def test_a_claim_whose_sweep_is_not_kept_is_not_judged() -> None:
    asked = claim(bounds={"at_least": 10})
    assert list(tables.judge_table_claims([asked], {"paper/other": []})) == []
