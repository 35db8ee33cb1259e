"""Every number of a figure's CSV has a unit: in its column's name, or in a column of its own."""

from __future__ import annotations

import tomllib

import pandas as pd
import pytest

from analysis import figures, papers

SHIPPED = [
    (name, path)
    for paper in papers.papers().values()
    for name in paper.sweeps()
    if (path := paper.reference / f"{papers.own_name(name)}.csv").is_file()
]


@pytest.mark.parametrize(("name", "path"), SHIPPED, ids=[name for name, _ in SHIPPED])
def test_means_have_units(name: str, path: object) -> None:
    paper = papers.of_sweep(name)
    assert paper is not None
    kind = figures.kinds(name)[tomllib.loads(paper.spec(name).read_text())["figure"]]
    table = pd.read_csv(path)
    told = figures.with_unit(table, kind.unit)
    if {"mean", "low"} & set(table):
        assert told["unit"].str.len().min() > 0
        assert list(told).index("unit") == list(table).index("mean" if "mean" in table else "low")
        assert list(told.drop(columns="unit")) == list(table)
    else:
        assert list(told) == list(table)


def test_a_unit_by_what_a_column_says() -> None:
    table = pd.DataFrame({"column": ["rate", "share", "rate"], "mean": [1.0, 2.0, 3.0]})
    told = figures.with_unit(table, ("column", {"share": "1", "": "bit/s"}))
    assert told["unit"].tolist() == ["bit/s", "1", "bit/s"]
    assert "unit" not in table
