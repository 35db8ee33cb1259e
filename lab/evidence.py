"""Simulating what lessons speak of, with the built program: each scenario once."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from experiments.errors import ProgramError, UserError
from experiments.programs.program import Program

from .lesson_keys import Scenario
from .traces import Traces


class NativeEvidence:
    """Results and traces of the segment engine as it is built."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._results: dict[str, Mapping[str, Any]] = {}
        self._traces: dict[str, Traces] = {}

    def result(self, scenario: Scenario) -> Mapping[str, Any]:
        """Return the result of `run --json`.

        Raises:
            UserError: the program refuses the scenario.
            ProgramError: it does not do what it should.
        """
        key = json.dumps(scenario, sort_keys=True)
        if key not in self._results:
            self._results[key] = self._program.object(*command_line(scenario), "--json")
        return self._results[key]

    def traces(self, scenario: Scenario) -> Traces:
        """Return the traces of `run --trace`.

        Raises:
            UserError, ProgramError: as for `result`.
        """
        key = json.dumps(scenario, sort_keys=True)
        if key not in self._traces:
            with tempfile.TemporaryDirectory(prefix="gridftp-lesson-") as folder:
                self._program.call(*command_line(scenario), "--json", f"--trace={folder}")
                self._traces[key] = Traces(*_tables(Path(folder)))
        return self._traces[key]


def _tables(folder: Path) -> Iterator[pd.DataFrame]:
    for name in ("cwnd", "queue", "drops"):
        try:
            yield pd.read_csv(folder / f"{name}.csv")
        except OSError as error:
            raise ProgramError(f"{folder / name}.csv: {error.strerror}") from None


def command_line(scenario: Scenario) -> list[str]:
    """Return a scenario as options of the command line.

    Raises:
        UserError: a command line cannot say it: the first session has options of its own, or
            another one or a background connection has none.
    """
    sessions = scenario.get("sessions", [{}])
    if sessions[:1] != [{}]:
        raise UserError('"sessions": the first one has options; allowed: outside the list only')
    words = [f"--{key}={value}" for key, value in scenario.items() if isinstance(value, str)]
    further = [("session", one) for one in sessions[1:]]
    further += [("background", one) for one in scenario.get("background", [])]
    further += [("fault", one) for one in scenario.get("faults", [])]
    for name, table in further:
        if not table:
            raise UserError(f'"{name}": one of them is empty; allowed: an option, as start = "0s"')
        words.append(f"--{name}={','.join(f'{key}={value}' for key, value in table.items())}")
    return words
