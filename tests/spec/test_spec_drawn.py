"""Specs that nobody chose: drawn at random, counted, resolved, and misspelt."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from spec_tools import drawn, load, read_table, refusal, resolve

from experiments.programs.option_table import OptionTable
from experiments.spec.load import Spec

SPECS = 150


@pytest.fixture(scope="module")
def table() -> OptionTable:
    return read_table()


@pytest.fixture(scope="module")
def loaded(table: OptionTable, tmp_path_factory: pytest.TempPathFactory) -> list[Spec]:
    """Return the drawn specs, in the order of their numbers."""
    folder = tmp_path_factory.mktemp("drawn")
    return [load(folder, drawn(number).text, table) for number in range(SPECS)]


def test_drawn_specs_declare_as_many_as_the_product_of_their_sizes(loaded: list[Spec]) -> None:
    sizes = []
    for number, spec in enumerate(loaded):
        planned, wanted = spec.planned, drawn(number)
        assert len(planned) == wanted.size, wanted.text
        assert all(planned[i] not in planned[:i] for i in range(len(planned)))
        sizes.append(wanted.size)
    assert len(set(sizes)) > 10


def test_loading_is_deterministic(loaded: list[Spec], table: OptionTable) -> None:
    for number, first in enumerate(loaded):
        again = load(first.path.parent, drawn(number).text, table)
        assert first == again
        assert [list(p.line) for p in first.planned] == [list(p.line) for p in again.planned]


def test_every_line_of_a_drawn_spec_resolves(loaded: list[Spec], tmp_path: Path) -> None:
    answers = resolve(tmp_path, loaded)
    assert len(answers) > 1000
    assert [answer for answer in answers if "status" in answer] == []


def misspelt(name: str, draw: random.Random) -> str:
    """Return a name with one slip in it: a letter too much, too few, another, or two swapped."""
    at = draw.randrange(len(name) - 1)
    letter = draw.choice("aeiknorst")
    return draw.choice(
        [
            name[:at] + letter + name[at:],
            name[:at] + name[at + 1 :],
            name[:at] + letter + name[at + 1 :],
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        ]
    )


def test_misspelt_keys_are_refused_where_they_are(table: OptionTable, tmp_path: Path) -> None:
    draw = random.Random(7)
    told, tried = 0, 0
    while tried < 100:
        spec = drawn(draw.randrange(10_000))
        name, line = draw.choice(draw.choice([spec.names or spec.words, spec.words]))
        wrong = misspelt(name, draw)
        if wrong == name or wrong in table or wrong in ("from", "to", "count"):
            continue
        lines = spec.text.splitlines()
        lines[line - 1] = lines[line - 1].replace(name, wrong, 1)
        at, message = refusal(tmp_path, "\n".join(lines), table)
        assert at == line, (spec.text, message)
        assert f'"{wrong}"' in message
        told += f'did you mean "{name}"?' in message
        tried += 1
    assert told >= 95
