"""Simulate what is queued in a store, and keep how each run ended."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from rich.console import Console

from analysis.read.results import ResultError, parse

from ..programs.pool import Answer, Limits, Pool, Task, run_pool
from ..programs.program import Program
from ..store.costs import Costs
from ..store.store import DONE, FAILED, QUEUED, TIMED_OUT, Ended, Run, Store
from ..terminal import present
from ..terminal.progress import CostProgress, duration

FLUSH_S = 0.5
FLUSH_RUNS = 500
"""How long, and how many, ended runs wait to be written together."""

_MOST_SHOWN = 60
"""Characters of a value in a progress line."""


def simulate(
    store: Store,
    program: Program,
    runs: Sequence[Run],
    at_once: int,
    limits: Limits,
    console: Console,
    pool: Pool = run_pool,
) -> None:
    """Simulate those of the runs that are queued, the longest first; keep how each ended.

    Args:
        store: that is claimed by the caller, and written here alone.
        program: that simulates.
        runs: planned in the store.
        at_once: simulations at a time on this machine.
        limits: of each of them.
        console: for progress.
        pool: simulates them.

    Raises:
        ProgramError: the program cannot be started, or the store cannot be written.
        KeyboardInterrupt: interrupted; what had ended is kept.
    """
    by_key = {run.key: run for run in runs}
    states = store.states(by_key)
    costs = Costs.of(store)
    guess = {key: costs.guess_s(run) for key, run in by_key.items() if states[key] == QUEUED}
    queued = sorted(guess, key=guess.__getitem__, reverse=True)
    kept = sum(state == DONE for state in states.values())
    here = ""
    if pool is run_pool:  # another one tells itself how many it has at a time
        expected = _expected(guess.values(), at_once, costs)
        here = f", {min(at_once, len(queued))} at a time{expected}"
    present.say(
        console,
        f"{len(by_key)} simulations, {kept} already stored; {len(queued)} to do{here}",
    )
    if not queued:
        return
    tasks = [_task(by_key[key], guess[key]) for key in queued]
    journal = Journal(store)
    with CostProgress(console, sum(guess.values())) as shown:

        def answered(answer: Answer) -> None:
            run = by_key[answer.key]
            journal.ended(settle(run, program, answer))
            shown.advance(guess[answer.key], describe(run))

        try:
            pool(program, tasks, at_once, limits, journal.begun, answered)
        finally:
            journal.flush()


def _expected(guess: Collection[float], at_once: int, costs: Costs) -> str:
    """Return how long it will take, in words."""
    if not guess:
        return ""
    basis = "" if costs.exact_s else " (a rough guess: nothing is measured yet)"
    return f": about {duration(sum(guess) / min(at_once, len(guess)))}{basis}"


def settle(run: Run, program: Program, answer: Answer) -> Ended:
    """Return how an answered run ended: only a valid result of its scenario is done."""
    asked = shlex.quote(json.dumps(dict(run.line)))
    # Not echo: that of some shells makes something of a backslash.
    command = f"printf '%s\\n' {asked} | {shlex.join(program.command('--batch=-'))}"
    reason, state = answer.reason, TIMED_OUT if answer.timed_out else FAILED
    if answer.text is not None:
        data = json.loads(answer.text)
        try:
            if data["status"] != DONE:
                raise ResultError(str(data.get("reason") or "failed without a reason"))
            if data.get("scenario") != run.scenario:
                raise ResultError("the result is of another scenario than the one asked for")
            result = parse(answer.text, "the result")
        except ResultError as error:
            reason = str(error)
        else:
            return Ended(run.key, DONE, answer.wall_s, answer.text, result.data, command=command)
    return Ended(run.key, state, answer.wall_s, reason=reason, command=command,
                 status=answer.status, stderr=answer.stderr)  # fmt: skip


@dataclass
class Journal:
    """Writes what happens to the store, some at a time: a transaction takes a while."""

    store: Store
    _begun: list[str] = field(default_factory=list)
    _ended: list[Ended] = field(default_factory=list)
    _last: float = field(default_factory=time.monotonic)

    def begun(self, key: str) -> None:
        """A run has begun."""
        self._begun.append(key)
        self._flush_in_time()

    def ended(self, ended: Ended) -> None:
        """A run has ended."""
        self._ended.append(ended)
        self._flush_in_time()

    def _flush_in_time(self) -> None:
        if time.monotonic() - self._last >= FLUSH_S or len(self._ended) >= FLUSH_RUNS:
            self.flush()

    def flush(self) -> None:
        """Write all that waits."""
        self.store.record(self._begun, self._ended)
        self._begun, self._ended = [], []
        self._last = time.monotonic()


def describe(run: Run) -> str:
    """Return a run in a few words, for a progress line."""
    return ", ".join(f"{key}={_short(value)}" for key, value in run.line.items())


def _short(value: object) -> str:
    """Return a value, or the beginning of a long one, such as all rows of a schedule."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _task(run: Run, guess_s: float) -> Task:
    return Task(run.key, run.line, run.engine, run.sources, guess_s)
