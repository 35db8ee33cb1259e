"""What the tests of specs share: the program's table of options, and specs drawn at random."""

from __future__ import annotations

import json
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from experiments.errors import UserError
from experiments.programs.option_table import OptionTable
from experiments.programs.program import Program, locate
from experiments.spec.load import Spec, load_spec

POOLS: dict[str, list[str]] = {
    "bandwidth": ['"10Mbps"', '"33.5Mbps"', '"1Gbps"', '"622Mbit/s"'],
    "delay": ['"1ms"', '"10us"', '"0.1s"'],
    "queue": ['"20p"', '"100"', '"7p"'],
    "packet-size": ['"1500B"', '"576"', '"9KB"'],
    "mode": ['"mi"', '"mi-plus"', '"aimd"'],
    "eta": ["0.1", "1", '"0.75"', "5e-1"],
    "gamma": ["2", "1.5"],
    "beta": ["0.25", "0.50"],
    "window": ['"64KiB"', '"1MiB"'],
    "tcp": ['"reno"', '"newreno"'],
    "layout": ['"static"', '"dynamic"'],
    "initial-window": ["2", "10", "4"],
    "start-jitter": ['"1ms"', '"0s"', '"2.5ms"'],
    "sessions": ['[{}, { start = "5s", eta = 0.5 }]', '[{ delay = "200ms" }]'],
    "background": ["[]", '[{ tcp = "newreno" }, {}]'],
}
"""Values that go with each other, in TOML, no two of an option the same."""

RANGES: dict[str, list[tuple[str, int]]] = {
    "bandwidth": [('{ from = "10Mbps", to = "50Mbps", step = "20Mbps" }', 3)],
    "delay": [('{ from = "1ms", to = "100ms", per-decade = 2, log = true }', 5)],
    "queue": [('{ from = "10p", to = "1000p", count = 4, log = true }', 4)],
    "eta": [("{ from = 0.1, to = 0.4, step = 0.1 }", 4)],
    "initial-window": [("{ from = 1, to = 3, step = 1 }", 3)],
}
"""Ranges, and how many points each has."""

FOLLOWS = {
    "access-bandwidth": [
        ('{ same-as = "bandwidth" }', "bandwidth"),
        ('{ times = 10, of = "bandwidth" }', "bandwidth"),
    ],
    "access-delay": [('{ times = 0.5, of = "delay" }', "delay")],
    "max-parallelism": [('{ by = "mode", map = { mi = 8, mi-plus = 16, aimd = 24 } }', "mode")],
    "direction": [('{ by = "tcp", map = { reno = "upload", newreno = "download" } }', "tcp")],
}
"""What follows, and what it follows."""


@dataclass(frozen=True)
class Drawn:
    """A valid spec.

    Attributes:
        text: its TOML.
        size: the number of simulations it declares.
        names: the keys in it that are options, each with its line.
        words: the keys in it that are the spec's own, each with its line.
    """

    text: str
    size: int
    names: list[tuple[str, int]]
    words: list[tuple[str, int]]


class _Writer:
    """Lines of a spec, and where the keys are."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.names: list[tuple[str, int]] = []
        self.words: list[tuple[str, int]] = []

    def say(self, *lines: str) -> None:
        for line in lines:
            self.lines.append(line)
            if self.draw.random() < 0.2:
                # Nothing that looks like a key here is one.
                self.lines.append(self.draw.choice(["", "# bandwidth = 3", "  # [block.fixed]"]))

    def key(self, name: str, value: str, option: bool) -> None:
        kept = self.names if option else self.words
        kept.append((name, len(self.lines) + 1))
        shown = f'"{name}"' if self.draw.random() < 0.2 else name
        self.say(f"{shown} = {value}{self.draw.choice(['', ' # eta = 1'])}")


def drawn(number: int) -> Drawn:
    """Return a valid spec of some hundred simulations at most."""
    writer = _Writer(random.Random(number))
    draw = writer.draw
    writer.key(
        "title", draw.choice(['"A"', "'eta = [fixed] # \"'", '"""[[block]] \\"" """']), False
    )
    if draw.random() < 0.5:
        writer.say("[fixed]")
        for name in draw.sample(sorted(POOLS), 2):
            writer.key(name, draw.choice(POOLS[name]), True)
    size = sum(_block(writer, label) for label in ("one", "two")[: draw.randint(1, 2)])
    return Drawn("\n".join(writer.lines) + "\n", size, writer.names, writer.words)


def _block(writer: _Writer, label: str) -> int:
    """Write a block; return how many simulations it declares."""
    draw = writer.draw
    writer.say("[[block]]")
    writer.key("label", f'"{label}"', False)
    size = draw.randint(1, 3)
    writer.key("replications", str(size), False)
    if draw.random() < 0.3:
        writer.key("first-run", "7", False)
    if draw.random() < 0.3:
        writer.key("engine", '["segment", "ns3"]', False)
        size *= 2
    free = draw.sample(sorted(POOLS), len(POOLS))
    used: list[str] = []
    writer.say("[block.fixed]")
    for _ in range(draw.randint(0, 2)):
        used.append(free.pop())
        writer.key(used[-1], draw.choice(POOLS[used[-1]]), True)
    writer.say("[block.cross]")
    for _ in range(draw.randint(0, 2)):
        used.append(free.pop())
        size *= _swept(writer, used[-1])
    for _ in range(draw.randint(0, 1)):
        writer.say("[[block.zip]]")
        for _ in range(draw.randint(1, 3)):
            used.append(free.pop())
            writer.key(used[-1], f"[{', '.join(POOLS[used[-1]][:2])}]", True)
        size *= 2
    writer.say("[block.follow]")
    for name, rules in FOLLOWS.items():
        value, source = draw.choice(rules)
        if source in used:
            writer.key(name, value, True)
    return size


def _swept(writer: _Writer, name: str) -> int:
    """Write a swept option; return how many values it has."""
    if name in RANGES and writer.draw.random() < 0.5:
        value, count = writer.draw.choice(RANGES[name])
    else:
        count = writer.draw.randint(1, len(POOLS[name]))
        value = f"[{', '.join(writer.draw.sample(POOLS[name], count))}]"
    writer.key(name, value, True)
    return count


def read_table() -> OptionTable:
    """Return the options of the built program."""
    return OptionTable.read(transfer().object("--describe"))


def transfer() -> Program:
    """Return the built program."""
    return locate("gridftp-transfer")


def load(folder: Path, text: str, table: OptionTable) -> Spec:
    """Return the spec of a text, as ``<folder>/some.toml``."""
    path = folder / "some.toml"
    path.write_text(text, encoding="utf-8")
    return load_spec(path, table)


def refusal(folder: Path, text: str, table: OptionTable) -> tuple[int, str]:
    """Return the line and the message with which a text is refused."""
    with pytest.raises(UserError) as caught:
        load(folder, text, table)
    said = str(caught.value)
    assert "\n" not in said
    file, line, message = said.split(":", 2)
    assert file == str(folder / "some.toml")
    return int(line), message.strip()


def resolve(tmp: Path, specs: list[Spec]) -> list[dict[str, Any]]:
    """Return the scenario of every simulation of the specs, or the program's complaint."""
    lines = [planned.line for spec in specs for planned in spec.planned]
    batch = tmp / "lines.jsonl"
    batch.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    done = subprocess.run(
        transfer().command(f"--batch={batch}", "--resolve"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(lines)
    return answers
