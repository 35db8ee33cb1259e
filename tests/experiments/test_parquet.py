"""Tables as Parquet files: the numbers of the CSV, in types that do not depend on them."""

from __future__ import annotations

import csv
import sqlite3
import sys
from pathlib import Path

import pytest

from experiments.__main__ import main

WHY = "the packages of the group parquet are not installed; ./gridftp test installs them"
pytest.importorskip("pyarrow", reason=WHY)

from pyarrow import parquet  # noqa: E402

# Values that are whole in one sweep and not in the other, and some that are missing: a parallelism
# that keeps changing does not settle.
SPEC = """
title = "A small sweep"
[[block]]
label = "x"
[block.fixed]
file-size = "40MB"
chunk-size = "10MB"
mode = "aimd"
gamma = {gamma}
random-loss = {loss}
"""


@pytest.fixture
def store(programs: Path, tmp_path: Path) -> Path:
    """Two sweeps, named whole and real."""
    store = tmp_path / "store.sqlite"
    for name, gamma, loss in (("whole", "2", "0"), ("real", "1.5", "0.001")):
        path = tmp_path / f"{name}.toml"
        path.write_text(SPEC.format(gamma=gamma, loss=loss))
        assert main(["sweep", str(path), f"--store={store}"]) == 0
    return store


def value_of(text: str, like: object) -> object:
    """What a cell of a CSV file says, where it says something of the type of a value."""
    if like is None:
        return None if text == "" else text
    if isinstance(like, bool):
        return {"True": True, "False": False}.get(text, text)
    return type(like)(text)


@pytest.mark.parametrize("more", [[], ["--chunks"]])
@pytest.mark.parametrize("sweep", ["whole", "real"])
def test_it_has_the_numbers_of_the_csv(
    store: Path, tmp_path: Path, sweep: str, more: list[str]
) -> None:
    for kind in ("csv", "parquet"):
        words = ["store", "export", sweep, str(tmp_path / f"out.{kind}"), *more]
        assert main([*words, f"--store={store}"]) == 0
    with open(tmp_path / "out.csv", newline="") as file:
        expected = list(csv.DictReader(file))
    found = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert len(found) == len(expected) == (4 if more else 1)
    for row, texts in zip(found, expected, strict=True):
        assert row.keys() == texts.keys()
        assert row == {key: value_of(text, row[key]) for key, text in texts.items()}
    if not more:
        assert found[0]["settled_at_s"] is None
    about = parquet.read_schema(tmp_path / "out.parquet").metadata
    ((schema,),) = sqlite3.connect(store).execute("SELECT schema FROM about").fetchall()
    assert about == {
        b"gridftp.sweep": sweep.encode(),
        b"gridftp.store_schema": str(schema).encode(),
    }


@pytest.mark.parametrize("more", [[], ["--chunks"]])
def test_types_do_not_depend_on_values(store: Path, tmp_path: Path, more: list[str]) -> None:
    schemas = []
    for sweep in ("whole", "real"):
        path = tmp_path / f"{sweep}.parquet"
        assert main(["store", "export", sweep, str(path), *more, f"--store={store}"]) == 0
        schemas.append({field.name: str(field.type) for field in parquet.read_schema(path)})
    assert schemas[0] == schemas[1]
    expected = {"label": "string", "mode": "string", "run": "int64", "goodput_bps": "double"}
    if more:
        expected |= {"valid": "bool", "bytes": "int64", "start_s": "double"}
    else:
        expected |= {"gamma": "double", "random_loss": "double", "sack": "bool", "drops": "int64",
                     "bandwidth_bps": "int64", "delay_s": "double", "settled_at_s": "double",
                     "utilisation": "double", "tcp": "string"}  # fmt: skip
    assert expected.items() <= schemas[0].items()


def test_without_its_library_it_says_how_to_get_it(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "experiments.store.parquet", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    capsys.readouterr()
    out = tmp_path / "out.parquet"
    assert main(["store", "export", "whole", str(out), f"--store={store}"]) == 2
    assert capsys.readouterr().err == (
        "gridftp store export: out.parquet: pyarrow is not installed: use ./gridftp store export, "
        "which installs it\n"
    )
    assert not out.exists()
