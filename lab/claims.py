"""Claims of a lesson: what its text says and the engine can show."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .lesson_keys import Keys, Scenario
from .measures import CONDITION_KEYS, Condition, Evidence, Measure, read_condition

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MARK = re.compile(r"\{([^{}]*)\}")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_MOST_MARKS = 2


@dataclass(frozen=True)
class Claim:
    """A statement and what must hold for it.

    Attributes:
        id: its name within the lesson.
        text: the sentence, in Markdown.
        conditions: one; with `runs` one for each run.
        marked: the measured numbers in the text, as they stand there: none, one, or the least and
            the largest of several runs.
        per_unit: what one of a marked number is in the measure's own unit.
        minus: what is taken off a value first; a marked number is how far it is from that.
    """

    id: str
    text: str
    conditions: tuple[Condition, ...]
    marked: tuple[str, ...] = ()
    per_unit: float = 1
    minus: float = 0

    def measures(self) -> list[Measure]:
        """Return all that is measured for it."""
        both = [(condition.measure, condition.ratio_to) for condition in self.conditions]
        return [measure for pair in both for measure in pair if measure is not None]

    def values(self, evidence: Evidence) -> list[Any]:
        """Return what comes out, for each condition."""
        return [condition.value(evidence) for condition in self.conditions]

    def measured(self, evidence: Evidence) -> tuple[str, ...]:
        """Return what the marked numbers should be, with the digits that they have.

        Where there is one for several runs that differ in these digits, all of them.
        """
        if not self.marked:
            return ()
        numbers = [abs(value - self.minus) / self.per_unit for value in self.values(evidence)]
        if len(self.marked) == _MOST_MARKS:
            pairs = zip((min(numbers), max(numbers)), self.marked, strict=True)
            return tuple(_as_marked(number, mark) for number, mark in pairs)
        (mark,) = self.marked
        return tuple(dict.fromkeys(_as_marked(number, mark) for number in numbers))

    def holds(self, evidence: Evidence) -> bool:
        """Return whether it is so."""
        return all(condition.holds(evidence) for condition in self.conditions)


def read_claim(keys: Keys, scenario: Scenario) -> Claim:
    """Read one `[[claim]]` of a lesson with that scenario."""
    keys.only("id", "text", "runs", "per-unit", "minus", *CONDITION_KEYS)
    name = keys.text("id")
    if not _ID.fullmatch(name):
        raise (keys.at / "id").bad(name, "small letters, digits and hyphens, as slow-start")
    bases = [scenario]
    if "runs" in keys:
        bases = [{**scenario, "run": f"{run:g}"} for run in keys.numbers("runs")]
    text = keys.text("text")
    return Claim(
        name,
        _MARK.sub(r"\1", text),
        tuple(read_condition(keys, base) for base in bases),
        _marks(keys, text),
        keys.number("per-unit", 1e-12, default=1),
        keys.number("minus", default=0),
    )


def _marks(keys: Keys, text: str) -> tuple[str, ...]:
    """Return the numbers in a text that are marked as measured."""
    marks = tuple(_MARK.findall(text))
    most = _MOST_MARKS if "runs" in keys else 1
    if len(marks) > most or not all(_NUMBER.fullmatch(mark) for mark in marks):
        allowed = "one measured number, as {26.2}, with runs the least and the largest of them"
        raise (keys.at / "text").bad(text, allowed)
    for key in ("per-unit", "minus"):
        if key in keys and not marks:
            raise (keys.at / key).error(f'"{key}" goes with a measured number in "text" only')
    return marks


def _as_marked(number: float, mark: str) -> str:
    """Return a number with as many decimals as a mark, and its separator of thousands."""
    digits = len(mark.partition(".")[2])
    return f"{number:,.{digits}f}" if "," in mark else f"{number:.{digits}f}"
