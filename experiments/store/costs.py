"""What simulations will cost, from what the kept ones have cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .store import Run, Store

_GUESS_S_PER_BYTE = {"segment": 2e-11, "ns3": 1e-8}
"""Where nothing is measured yet, only for the order: the longest first."""


@dataclass(frozen=True)
class Costs:
    """Measured costs.

    Attributes:
        exact_s: wall time by scenario, whatever the sources were.
        per_byte_s: mean wall time for a byte of a file, by engine.
        row_bytes: mean size of a kept result; None: nothing is kept.
    """

    exact_s: Mapping[str, float]
    per_byte_s: Mapping[str, float]
    row_bytes: float | None

    @classmethod
    def of(cls, store: Store) -> Costs:
        """Return what a store tells."""
        rows = store.query("SELECT scenario, wall_s FROM run WHERE state = 'done'")
        rates = store.query(
            "SELECT engine, SUM(wall_s), "
            "SUM((SELECT SUM(value ->> 'file_size_bytes') "
            "     FROM json_each(scenario, '$.sessions'))) "
            "FROM run WHERE state = 'done' AND json_valid(scenario) GROUP BY engine"
        )
        ((row_bytes,),) = store.query(
            "SELECT AVG(LENGTH(result) + LENGTH(scenario) + LENGTH(line)) FROM run "
            "WHERE state = 'done'"
        )
        return cls(dict(rows), {engine: wall / size for engine, wall, size in rates}, row_bytes)

    def measured_s(self, run: Run) -> float | None:
        """Return the wall time a run will take; None if nothing like it is measured."""
        if (exact := self.exact_s.get(run.scenario_text)) is not None:
            return exact
        rate = self.per_byte_s.get(run.engine)
        return None if rate is None else rate * _bytes(run.scenario)

    def guess_s(self, run: Run) -> float:
        """Return `measured_s`, or a rough guess."""
        measured = self.measured_s(run)
        if measured is not None:
            return measured
        return _GUESS_S_PER_BYTE.get(run.engine, 1e-8) * _bytes(run.scenario)


def _bytes(scenario: Mapping[str, Any]) -> float:
    return sum(session["file_size_bytes"] for session in scenario["sessions"])
