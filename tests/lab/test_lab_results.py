"""The engine in the page gives the numbers of the native one, every digit of them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from browser import Lab

from lab import site

DEFAULTS = [{"mode": mode, "tcp": tcp} for mode in ("mi", "mi-plus", "aimd")
            for tcp in ("reno", "newreno")]  # fmt: skip
"""The six default scenarios: 10 GB."""

SHORT = {"file-size": "1GB"}
"""What all but the first one have instead: a tenth of the time, and the same chunks before."""

WHO_AND_HOW_LONG = ("provenance", "cost")
"""What differs between two engines that give the same numbers."""

OTHERS = [
    {"file-size": "20MB", "delay": "1ms", "direction": "download", "sessions": [{},
     {"mode": "aimd", "delay": "30ms", "start": "500ms"}], "background": [{"tcp": "newreno"}]},
    {"file-size": "20MB", "random-loss": "0.001", "run": "3", "start-jitter": "20ms", "mode":
     "fixed", "parallelism": "5", "data-channels": "cached", "layout": "static"},
    {"file-size": "1MB", "random-loss": "0.9"},
]  # fmt: skip
"""Traffic beside a session, chance, and a transfer that fails."""


def digits(text: str) -> dict[str, Any]:
    """The parts of a result, numbers as the texts that they are."""
    result = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    return {key: value for key, value in result.items() if key not in WHO_AND_HOW_LONG}


def native(programs: Path, scenario: dict[str, Any]) -> dict[str, Any]:
    """The native engine's result of a scenario, by `digits`."""
    command = [programs / "gridftp-transfer", "--batch=-"]
    line = json.dumps(scenario) + "\n"
    done = subprocess.run(command, input=line, capture_output=True, text=True, check=False)
    return digits(done.stdout)


@pytest.fixture
def engine(lab: Lab) -> Lab:
    """The page, of which only the engine is wanted."""
    return lab.open()


def test_the_default_scenarios(engine: Lab, programs: Path) -> None:
    for scenario in [DEFAULTS[0], *({**one, **SHORT} for one in DEFAULTS[1:])]:
        ours = digits(engine.js("lab.laboratory.run(value)", scenario)["text"])
        assert ours == native(programs, scenario), scenario
        assert ours["status"] == "done"
        chunks = ours["sessions"][0]["gridftp"]["chunks"]
        assert len(chunks) == (10 if "file-size" in scenario else 100)


def test_the_lessons_scenarios(engine: Lab, programs: Path, lab_site: Path) -> None:
    lessons = site.read_data(lab_site / site.LESSONS)
    assert len(lessons) >= 6
    for lesson in lessons:
        ours = digits(engine.js("lab.laboratory.run(value)", lesson["scenario"])["text"])
        assert ours == native(programs, lesson["scenario"]), lesson["id"]


def test_other_scenarios(engine: Lab, programs: Path) -> None:
    statuses = []
    for scenario in OTHERS:
        ours = digits(engine.js("lab.laboratory.run(value)", scenario)["text"])
        assert ours == native(programs, scenario)
        statuses.append(ours["status"])
    assert statuses == ["done", "done", "failed"]


def test_a_run_that_was_watched_step_by_step(engine: Lab, programs: Path) -> None:
    scenario = {"mode": "aimd", "delay": "30ms", "file-size": "60MB", "chunk-size": "20MB"}
    engine.js("lab.player.setScenario(value)", scenario)
    # Played, stepped through packet by packet, played on, and to the end.
    engine.js("lab.player.setSpeed(1)")
    engine.js("lab.player.play()")
    engine.until("lab.player.state.t > 0.5")
    engine.js("lab.player.pause()")
    for _ in range(5):
        engine.next_frame("lab.player.step()")
    engine.js("lab.player.setSpeed(10000)")
    engine.js("lab.player.play()")
    engine.until("lab.player.state.ended")
    assert digits(engine.result()["text"]) == native(programs, scenario)


def test_the_traces(engine: Lab, run_program: Any, tmp_path: Path) -> None:
    scenario = {"mode": "fixed", "parallelism": "3", "queue": "20p", "file-size": "5MB"}
    run_program(
        "gridftp-transfer",
        *(f"--{name}={value}" for name, value in scenario.items()),
        f"--trace={tmp_path}",
    )
    traces = engine.js("lab.laboratory.record(value, { begin: 0, end: 1000 })", scenario)
    for name in ("cwnd", "queue", "drops"):
        text = (tmp_path / f"{name}.csv").read_text(encoding="utf-8")
        assert text.count("\n") > 10
        assert traces[name] == text, name


def test_a_refusal_is_the_programs_own(engine: Lab, programs: Path) -> None:
    for scenario in ({"bandwidth": "apples"}, {"bandwith": "1Gbps"}, {"window": "1B"},
                     {"sessions": [{}, {"mode": "x"}]}):  # fmt: skip
        ours = engine.js("lab.laboratory.load(value).catch(({ message }) => message)", scenario)
        command = [programs / "gridftp-transfer", "--batch=-"]
        line = json.dumps(scenario) + "\n"
        done = subprocess.run(command, input=line, capture_output=True, text=True, check=False)
        assert ours == json.loads(done.stdout)["reason"]
