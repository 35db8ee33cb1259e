"""Which reader a file of readings goes to, and the JSON values in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.errors import UserError
from experiments.readings import files
from experiments.readings.content import Content, Reader
from experiments.readings.reading import Run


def test_each_reader_fills_a_field_of_a_run() -> None:
    fields = Run.__dataclass_fields__
    assert [reader.part for reader in files.READERS if reader.part not in fields] == []


def test_a_file_with_several_runs_makes_a_run_of_each(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def parse(content: Content) -> list[object]:
        return [node["many"].whole() for node in content.values]

    reader = Reader("iperf3", "many", lambda content: content.has_member("many"), parse)
    monkeypatch.setattr(files, "READERS", (reader,))
    file = tmp_path / "run.json"
    file.write_text('{"many": 3}\n{"many":\n 5} {"many": 7}', encoding="utf-8")
    runs = files.read_runs([file])
    assert [(run.name, run.iperf3) for run in runs] == [("run", 3), ("run#2", 5), ("run#3", 7)]


def test_values_one_behind_the_other_have_the_lines_of_the_file() -> None:
    content = Content(Path("x"), '\n{"a": 1}\n\n[{"b":\n true}] {"c": 1}\n')
    lines = [(node.at.line, node.value) for node in content.values]
    assert lines == [(2, {"a": 1}), (4, [{"b": True}]), (5, {"c": 1})]
    with pytest.raises(UserError, match=r'^x:4: "b": true is not allowed; allowed: a number'):
        content.values[1].items()[0]["b"].number()
    with pytest.raises(UserError, match=r"^x:4: text follows the JSON; allowed: the output of one"):
        _ = content.top


def test_a_value_that_is_cut_short_is_at_its_line() -> None:
    content = Content(Path("x"), '{"a": 1}\n{"a":\n')
    assert content.has_member("a")
    assert not content.has_member("b")
    with pytest.raises(
        UserError, match=r"^x:3: the JSON is cut short here; allowed: the complete output of"
    ):
        _ = content.values


def test_each_reader_gets_the_error_of_a_damaged_file() -> None:
    content = Content(Path("x"), '{"a":\n')
    for _ in range(2):
        with pytest.raises(UserError, match=r"^x:2: the JSON is cut short here"):
            content.has_member("a")
        with pytest.raises(UserError, match=r"^x:2: the JSON is cut short here"):
            _ = content.values
