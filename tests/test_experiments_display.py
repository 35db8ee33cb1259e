"""Progress: the estimate, the plain lines and the live display."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from experiments import display
from experiments.runner import Outcome, _Printed


def test_estimate_counts_what_runs_and_what_waits() -> None:
    estimate = display.Estimate(["a", "b", "c"], at_once=2)
    assert estimate.left_s(0) is None
    estimate.started("a", 0)
    estimate.started("b", 0)
    estimate.progressed("a", 0.5)
    assert estimate.left_s(10) is None, "nothing is known of b yet"
    estimate.progressed("b", 0.25)
    # a: 20 s in all, 10 left. b: 40 s in all, 30 left. c: (20 + 40) / 2 = 30 s, after a: 40 s.
    assert estimate.left_s(10) == pytest.approx(40)
    assert estimate.overall() == pytest.approx(0.25)
    estimate.finished("a", 20)
    estimate.started("c", 20)
    estimate.progressed("c", 0.5)
    estimate.progressed("b", 0.5)
    # b: 20 left. c: 10 s for half, 10 left.
    assert estimate.left_s(30) == pytest.approx(30)
    estimate.finished("b", 40)
    estimate.finished("c", 40)
    assert estimate.left_s(40) == 0
    assert estimate.overall() == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.6, "1 min 00 s"),
        (200, "3 min 20 s"),
        (3599.7, "1 h 00 min"),
        (3900, "1 h 05 min"),
    ],
)
def test_duration(seconds: float, text: str) -> None:
    assert display.duration(seconds) == text


def run_through(shown: display.LiveDisplay | display.PlainDisplay) -> None:
    with shown:
        for name in ("mi", "aimd"):
            shown.started(name)
            for chunk in range(5):
                told = {"sim_s": 7.0, "chunk": chunk, "chunks": 5, "parallelism": 2}
                shown.progressed(name, {**told, "fraction": chunk / 5})
            if isinstance(shown, display.LiveDisplay):
                shown._bars.refresh()
            shown.finished(Outcome(name, None, reason="it broke", wall_s=3.0))


def test_plain_lines_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(0, 1000, 4))
    monkeypatch.setattr(display.time, "monotonic", lambda: float(next(now)))
    text = io.StringIO()
    shown = display.display_for(["mi", "aimd"], 1, Console(file=text, width=100))
    assert isinstance(shown, display.PlainDisplay)
    run_through(shown)
    lines = text.getvalue().splitlines()
    assert lines[0] == "mi: started"
    assert lines[-1] == "aimd: failed after 3.0 s"
    # Four seconds pass from one event to the next, and ten at least between two of these lines.
    progress = [line for line in lines if "%" in line]
    assert 1 <= len(progress) <= 4
    assert "left" in progress[-1]
    assert "\x1b" not in text.getvalue()


def test_live_display_has_a_bar_for_each_run_and_one_for_all() -> None:
    text = io.StringIO()
    console = Console(file=text, force_terminal=True, width=100, _environ={"TERM": "xterm"})
    shown = display.display_for(["mi", "aimd"], 1, console)
    assert isinstance(shown, display.LiveDisplay)
    run_through(shown)
    for word in ("mi", "aimd", "all", "chunk 4/5, N = 2, 7 s simulated", "waiting", "failed"):
        assert word in text.getvalue()


def test_progress_and_messages_are_told_apart() -> None:
    class Heard:
        def __init__(self) -> None:
            self.told: list[Any] = []

        def progressed(self, name: str, progress: dict[str, Any]) -> None:
            self.told.append((name, progress["fraction"]))

    heard = Heard()
    printed = _Printed("mi", heard)
    # However the lines are cut by the pipe.
    text = (
        b'{"progress": {"fraction": 0.25}}\nwarning\n{"progress": 1}\n{"progress": {"fraction":1}}'
    )
    for at in range(len(text)):
        printed.feed(text[at : at + 1])
    printed.close()
    assert heard.told == [("mi", 0.25), ("mi", 1)]
    assert bytes(printed.messages) == b'warning\n{"progress": 1}\n'
    for _ in range(100):
        printed.feed(b"x" * 10_000)
    assert len(printed.messages) <= 65536
    assert len(printed._partial) <= 65536
