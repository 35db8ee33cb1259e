"""How runs that have begun or ended reach the store: some at a time; and a line of progress."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from experiments.run import simulate
from experiments.run.simulate import Journal
from experiments.store.store import DONE, Ended, Run


class MadeUpStore:
    """Keeps what it is told to record."""

    def __init__(self) -> None:
        self.recorded: list[tuple[list[str], list[str]]] = []

    def record(self, begun: list[str], ended: list[Ended]) -> None:
        self.recorded.append((begun, [one.key for one in ended]))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(simulate, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


@pytest.fixture
def store() -> MadeUpStore:
    return MadeUpStore()


def done(key: str) -> Ended:
    return Ended(key, DONE, 0.0)


def test_half_a_second_is_written_together(clock: SimpleNamespace, store: MadeUpStore) -> None:
    journal = Journal(store)
    journal.flush()
    journal.begun("a")
    clock.now = 100.499
    journal.ended(done("a"))
    assert store.recorded == [([], [])]
    clock.now = 100.5
    journal.begun("b")
    assert store.recorded[1:] == [(["a", "b"], ["a"])]
    # The next half second begins with that.
    clock.now = 100.999
    journal.ended(done("b"))
    assert len(store.recorded) == 2
    journal.flush()
    assert store.recorded[2:] == [([], ["b"])]


def test_five_hundred_runs_wait_for_no_time(clock: SimpleNamespace, store: MadeUpStore) -> None:
    journal = Journal(store)
    journal.flush()
    for number in range(500):
        assert len(store.recorded) == 1
        journal.ended(done(str(number)))
    assert [len(ended) for _, ended in store.recorded] == [0, 500]


def test_a_line_of_progress_has_values_as_a_batch_has_them() -> None:
    line = {"mode": "mi", "sack": True, "background": [{"load": "0.1"}], "schedule": "1" * 61}
    told = simulate.describe(Run(line, {}, ""))
    assert told == (f'mode=mi, sack=true, background=[{{"load": "0.1"}}], schedule={"1" * 60}...')
