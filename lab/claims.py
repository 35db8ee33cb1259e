"""Claims of a lesson: what its text says and the engine can show."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .lesson_keys import Keys, Scenario
from .measures import CONDITION_KEYS, Condition, Evidence, Measure, read_condition

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class Claim:
    """A statement and what must hold for it.

    Attributes:
        id: its name within the lesson.
        text: the sentence, in Markdown.
        conditions: one; with `runs` one for each run.
    """

    id: str
    text: str
    conditions: tuple[Condition, ...]

    def measures(self) -> list[Measure]:
        """Return all that is measured for it."""
        both = [(condition.measure, condition.ratio_to) for condition in self.conditions]
        return [measure for pair in both for measure in pair if measure is not None]

    def values(self, evidence: Evidence) -> list[Any]:
        """Return what comes out, for each condition."""
        return [condition.value(evidence) for condition in self.conditions]

    def holds(self, evidence: Evidence) -> bool:
        """Return whether it is so."""
        return all(condition.holds(evidence) for condition in self.conditions)


def read_claim(keys: Keys, scenario: Scenario) -> Claim:
    """Read one `[[claim]]` of a lesson with that scenario."""
    keys.only("id", "text", "runs", *CONDITION_KEYS)
    name = keys.text("id")
    if not _ID.fullmatch(name):
        raise (keys.at / "id").bad(name, "small letters, digits and hyphens, as slow-start")
    bases = [scenario]
    if "runs" in keys:
        bases = [{**scenario, "run": f"{run:g}"} for run in keys.numbers("runs")]
    return Claim(name, keys.text("text"), tuple(read_condition(keys, base) for base in bases))
