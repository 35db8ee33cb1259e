"""Which line a key of a TOML file is on, however it is written."""

from __future__ import annotations

import random
import tomllib
from typing import Any

import pytest

from experiments.spec.places import Keys, line_numbers

TRICKY = '''\
# [table]
title = "a # b = [c]"   # title = 1
a.b.c = 1
a."b.d" = 'x"y = ['
"quoted = \\"key\\"" = 2

[table] # a = 1
text = """
[block]
eta = 1 \\""" \\\\"""
lines = \'\'\'
[[block]]
it's = ''\'\'\'
after = "\\\\"
inline = { x = 1, y.z = { q = "}" }, "w w" = [1, {v = 2}] }
list = [ # ]
  1,
  # 2,
  [3,
   "]"],
]

  [ table . "in side" ]
  date = 1979-05-27 07:32:00Z
[[block]]
eta = 0.1
[block.cross]
eta = 0.2
[[block]]
eta=0.3
[[block.zip]]
eta = 0.4
[[block.zip]]
eta = 0.5
[late.part]
[late]
'''

EXPECTED: dict[Keys, int] = {
    ("title",): 2,
    ("a",): 3,
    ("a", "b"): 3,
    ("a", "b", "c"): 3,
    ("a", "b.d"): 4,
    ('quoted = "key"',): 5,
    ("table",): 7,
    ("table", "text"): 8,
    ("table", "lines"): 11,
    ("table", "after"): 14,
    ("table", "inline"): 15,
    ("table", "inline", "x"): 15,
    ("table", "inline", "y"): 15,
    ("table", "inline", "y", "z"): 15,
    ("table", "inline", "y", "z", "q"): 15,
    ("table", "inline", "w w"): 15,
    ("table", "inline", "w w", 0): 15,
    ("table", "inline", "w w", 1): 15,
    ("table", "inline", "w w", 1, "v"): 15,
    ("table", "list"): 16,
    ("table", "list", 0): 17,
    ("table", "list", 1): 19,
    ("table", "list", 1, 0): 19,
    ("table", "list", 1, 1): 20,
    ("table", "in side"): 23,
    ("table", "in side", "date"): 24,
    ("block",): 25,
    ("block", 0): 25,
    ("block", 0, "eta"): 26,
    ("block", 0, "cross"): 27,
    ("block", 0, "cross", "eta"): 28,
    ("block", 1): 29,
    ("block", 1, "eta"): 30,
    ("block", 1, "zip"): 31,
    ("block", 1, "zip", 0): 31,
    ("block", 1, "zip", 0, "eta"): 32,
    ("block", 1, "zip", 1): 33,
    ("block", 1, "zip", 1, "eta"): 34,
    ("late",): 36,
    ("late", "part"): 35,
}


def test_every_way_to_write_a_key() -> None:
    tomllib.loads(TRICKY)
    assert line_numbers(TRICKY) == EXPECTED


@pytest.mark.parametrize("text", ["", "\n\n", "# only this", "a = 1", "[t]", "[[t]]", "a = ''"])
def test_files_with_hardly_anything(text: str) -> None:
    assert set(line_numbers(text)) == set(_places(tomllib.loads(text)))


def _places(value: Any, keys: Keys = ()) -> list[Keys]:
    """Return where there is anything, from the value itself."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    own = [keys] if keys else []
    return own + [place for key, item in items for place in _places(item, (*keys, key))]


KEYS = ["a", "b-c", '"d e"', "'f.g'", '"h\\"i"', "1", "true", '"#"', '"]"', "''"]
SCALARS = [
    "1", "-0.5e3", "true", '"x = 1"', "'#'", '""', '"\\\\"', '"""\na = 1\n[t]\n"""', "07:32:00",
    "'''\n[[u]]'''", '"""x"""""', "'''y'''''", '""""z"""', "+inf", '"[{,}]"',
]  # fmt: skip


def _value(draw: random.Random, depth: int) -> str:
    kind = draw.random()
    if depth == 0 or kind < 0.6:
        return draw.choice(SCALARS)
    count = draw.randint(0, 3)
    if kind < 0.8:
        gap = draw.choice([", ", ",\n", " # ]\n , "])
        return f"[{gap.join(_value(draw, depth - 1) for _ in range(count))}]"
    keys = draw.sample(KEYS, count)
    return "{" + ", ".join(f"{key} = {_value(draw, depth - 1)}" for key in keys) + "}"


def _document(draw: random.Random) -> str:
    lines = []
    for number in range(draw.randint(0, 5)):
        name = f"t{number}" if draw.random() < 0.7 else f't{number} . "x.y"'
        lines += [f"[[{name}]]"] if draw.random() < 0.5 else [f"[{name}]"]
        for key in draw.sample(KEYS, draw.randint(0, 4)):
            dots = draw.choice(["", "", ".k", " . 'k k'"])
            lines.append(f"{draw.choice(['', '  '])}{key}{dots} = {_value(draw, 3)} # b = [")
    return "\n".join(lines)


def test_every_place_of_drawn_files_is_found_where_it_is() -> None:
    found = 0
    for number in range(500):
        text = _document(random.Random(number))
        lines = line_numbers(text)
        places = _places(tomllib.loads(text))
        assert set(lines) == set(places), text
        for place in places:
            # Up to the line that a key is on, the file has it, if perhaps not its whole value.
            assert 1 <= lines[place] <= text.count("\n") + 1
            if isinstance(place[-1], str):
                assert place[-1].strip("'") in text.splitlines()[lines[place] - 1].replace("\\", "")
                found += 1
    assert found > 2000
