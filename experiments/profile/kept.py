"""A profile in a store: what it still lacks there, and what is found when it is all there."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence

from ..spec.blocks import Planned
from ..store.store import DONE, QUEUED, RUNNING, Run, Store
from .cells import Profile
from .judge import AS_IS


class KeptProfile:
    """A profile whose simulations are kept.

    Args:
        profile: that is made of them.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._cells = {cell.label(AS_IS): (cell, AS_IS) for cell in profile.cells}
        self._taken: set[str] = set()
        self._asked: set[str] = set(self._cells)

    def planned(self) -> tuple[Planned, ...]:
        """Return the transfers as they are, with which a profile begins."""
        return tuple(Planned(cell.label(AS_IS), cell.line) for cell in self._profile.cells)

    def further(self, store: Store, runs: Sequence[tuple[str, Run]]) -> list[Planned]:
        """Return what is to be simulated besides.

        Args:
            store: has what is done.
            runs: all of the profile so far, with their labels.

        Raises:
            UserError, ProgramError: as for `Profile.missing`.
        """
        for label, run in runs:
            if label not in self._taken:
                self._take(store, label, run)
        found = []
        for cell, what, line in self._profile.missing():
            label = cell.label(what)
            if label not in self._asked:
                self._asked.add(label)
                self._cells[label] = (cell, what)
                found.append(Planned(label, line))
        return found

    def _take(self, store: Store, label: str, run: Run) -> None:
        """Take how a simulation has ended, if it has."""
        rows = store.query("SELECT state, result FROM run WHERE key = ?", (run.key,))
        if not rows or rows[0][0] in (QUEUED, RUNNING):
            return
        ((state, packed),) = rows
        data = json.loads(zlib.decompress(packed)) if state == DONE else None
        cell, what = self._cells[label]
        self._profile.take(cell, what, run.scenario, data)
        if state == DONE:
            self._taken.add(label)  # what has failed may be tried again
