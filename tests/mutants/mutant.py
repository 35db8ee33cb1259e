"""What a mutant is, and how some of very many are drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A change of one line of one source."""

    file: str
    """Relative to the repository."""
    line: int
    """From 1."""
    before: str
    """The line as it is, without its end."""
    after: str
    """The line as the mutant has it."""
    nth: int = 0
    """Which one of the lines of this file that read so, from 0."""

    @property
    def key(self) -> str:
        """A name that lasts while the line does, wherever in its file it stands."""
        return order_of(self.file, self.before.strip(), self.after.strip(), self.nth)[:12]

    def apply(self, text: str) -> str:
        """Return the source with the change.

        Raises:
            ValueError: the line is not there.
        """
        lines = text.split("\n")
        if self.line > len(lines) or lines[self.line - 1] != self.before:
            raise ValueError(f"{self.file}:{self.line} does not read '{self.before.strip()}'")
        lines[self.line - 1] = self.after
        return "\n".join(lines)


def order_of(*parts: object) -> str:
    """Return where something stands in the order of draws, which has no meaning.

    It depends on nothing but what is drawn, so that a change of the sources changes few draws.
    """
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()


def one_of_each_line(mutants: Iterable[Mutant]) -> Iterator[Mutant]:
    """Yield mutants but those of a line that had one."""
    lines = set()
    for mutant in mutants:
        if (mutant.file, mutant.line) not in lines:
            lines.add((mutant.file, mutant.line))
            yield mutant
