"""What claims and exercises measure: in Python, and the same in the lab's page."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from experiments.errors import UserError
from experiments.programs.program import Program
from lab import library
from lab.measures import Bounds, Condition, Measure, look_up
from lab.traces import WORDS, Traces, Window


@pytest.fixture(scope="module")
def program(programs: Path) -> Program:
    return Program(programs / "gridftp-transfer")


RESULT = {
    "sessions": [
        {"chunks": [{"n": 1}, {"n": 2}, {"n": 2}, {"n": 1}], "g": 3.5},
        {"chunks": [], "g": 0.5},
    ],
    "links": [{"drops": 7}],
}


MEASURES = [
    ("links.0.drops", 7),
    ("sessions.1.g", 0.5),
    ("sessions.1.g + links.0.drops", 7.5),
    ("max sessions.0.chunks.*.n", 2),
    ("min sessions.0.chunks.*.n", 1),
    ("mean sessions.0.chunks.*.n", 1.5),
    ("sum sessions.*.g", 4.0),
    ("count sessions.0.chunks.*.n", 4),
    ("list sessions.*.g", [3.5, 0.5]),
    ("changes sessions.0.chunks.*.n", [1, 2, 1]),
    ("max sessions.*.chunks.*.n", 2),
]


@pytest.mark.parametrize(("measure", "value"), MEASURES)
def test_measure(measure: str, value: Any) -> None:
    assert look_up(RESULT, measure) == value


@pytest.mark.parametrize(
    "measure", ["links.0.loss", "sessions.2.g", "sessions.x.g", "max sessions.1.chunks.*.n"]
)
def test_measure_that_is_not_there(measure: str) -> None:
    with pytest.raises(UserError, match=r"is not in the result|has no values"):
        look_up(RESULT, measure)


def test_division_by_nothing_holds_nothing() -> None:
    class Empty:
        def result(self, scenario: Mapping[str, Any]) -> Mapping[str, Any]:
            return {"links": [{"drops": 0}]}

    drops = Measure("links.0.drops", None, {})
    condition = Condition(drops, drops, Bounds(low=0))
    assert condition.value(Empty()) is None
    assert not condition.holds(Empty())


def table(columns: str, rows: str) -> pd.DataFrame:
    names = columns.split()
    values = [[math.nan if word == "-" else float(word) for word in row.split()]
              for row in rows.split(",")]  # fmt: skip
    return pd.DataFrame(values, columns=names)


CWND = "time_s session chunk connection cwnd_bytes ssthresh_bytes"
TRACES = Traces(
    cwnd=table(
        CWND,
        "0 0 0 0 100 -, 0 0 0 1 100 -, 1 0 0 0 400 -, 2 0 0 0 400 200, 2 0 0 0 200 200,"
        "3 1 0 0 50 -, 4 0 0 0 300 90, 4 0 0 0 90 90, 5 0 0 0 150 90",
    ),
    queue=table("time_s packets", "0 0, 1 5, 2 9, 3 1"),
    drops=table(
        "time_s session chunk connection sequence",
        "1 0 0 0 5, 1.1 0 0 1 7, 1.2 0 0 1 8, 3 0 0 0 9, 3.05 - - - -, 7 1 0 0 3",
    ),
)
EXPECTED = {
    "drops": [6, 3, 5],
    "first-drop": [1, 1, 1],
    "connections-with-drops": [3, 2, 2],
    "loss-events": [3, 1, 2],
    "loss-interval": [3, math.nan, 2],
    "connections-per-loss": [4 / 3, 2, 1.5],
    "cwnd-at": [150, 400, 150],
    "queue-at": [1, 5, 1],
    "largest-cwnd": [400, 400, 400],
    "smallest-cwnd": [50, 400, 90],
    "largest-queue": [9, 5, 9],
    "cut-share": [0.4, math.nan, 0.4],
}
WINDOWS = [Window(0, 8), Window(0.5, 1.5), Window(0.5, 5, session=0, connection=0)]
"""All; a part; one connection. What a queue refused of no connection counts where none is named."""


def expected(word: str) -> list[float]:
    """Of the third window drops count for connection 0 only."""
    one_connection = {
        "drops": 2, "connections-with-drops": 1, "loss-events": 2, "connections-per-loss": 1,
    }  # fmt: skip
    return [*EXPECTED[word][:2], one_connection.get(word, EXPECTED[word][2])]


@pytest.mark.parametrize("word", WORDS)
def test_word_of_traces(word: str) -> None:
    values = [float(WORDS[word](TRACES, window)) for window in WINDOWS]
    assert values == pytest.approx(expected(word), nan_ok=True)


@pytest.fixture(scope="module")
def in_page(root: Path) -> Callable[[str, str], Any]:
    """A function that has a module of the page work something out, under the lab's Node."""
    node = str(library.node() / "bin/node")

    def work_out(module: str, expression: str) -> Any:
        path = (root / "lab/page/lessons" / module).as_uri()
        script = f"import * as it from {json.dumps(path)};"
        script += f"console.log(JSON.stringify({expression}));"
        words = [node, "--input-type=module", "-"]  # read, since it is too long for an argument
        done = subprocess.run(words, input=script, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return work_out


def test_the_page_has_the_same_words(in_page: Callable[[str, str], Any]) -> None:
    tables = {name: getattr(TRACES, name).to_csv(index=False) for name in vars(TRACES)}
    windows = json.dumps([vars(window) for window in WINDOWS])
    found = in_page(
        "lesson-traces.js",
        f"((traces) => Object.entries(it.WORDS).map(([word, measure]) =>"
        f"[word, {windows}.map((window) => measure(traces, window))]))"
        f"(it.readTraces({json.dumps(tables)}))",
    )
    assert [word for word, _ in found] == list(WORDS)
    for word, values in found:
        plain = [math.nan if value is None else value for value in values]  # JSON has no NaN
        assert plain == pytest.approx(expected(word), nan_ok=True), word


def test_the_page_has_the_same_measures(in_page: Callable[[str, str], Any]) -> None:
    texts = [measure for measure, _ in MEASURES]
    look = f"{json.dumps(texts)}.map((text) => it.lookUp({json.dumps(RESULT)}, text))"
    assert in_page("lesson-measures.js", look) == [value for _, value in MEASURES]


def test_the_page_has_the_same_bounds(in_page: Callable[[str, str], Any]) -> None:
    bounds = [{"low": 1, "high": 2}, {"low": 1}, {"high": 2}, {"equals": 1}, {"equals": [1, 2]}]
    values = [0, 1, 1.5, 2, 3, None, [1, 2], [1, 2, 1]]
    numbers = [value for value in values if not isinstance(value, list)]
    cases = [(b, v) for b in bounds for v in (values if "equals" in b else numbers)]
    held = in_page("lesson-measures.js", f"{json.dumps(cases)}.map(([b, v]) => it.within(b, v))")
    assert held == [Bounds(**bounds).hold(value) for bounds, value in cases]
    assert {True, False} == set(held)


def test_the_page_sees_what_else_was_changed(
    in_page: Callable[[str, str], Any], program: Program
) -> None:
    def other(words: list[str], allowed: list[str]) -> list[str]:
        before, after = program.resolve("--mode=fixed"), program.resolve("--mode=fixed", *words)
        options = program.object("--describe")["options"]
        given = ",".join(json.dumps(value) for value in (before, after, allowed, options))
        return in_page("lesson-exercise.js", f"it.changedElsewhere({given})")

    assert other(["--bandwidth=20Gbps"], ["bandwidth"]) == []
    assert other(["--bandwidth=20Gbps", "--queue=7p"], ["bandwidth"]) == ["queue"]
    assert other(["--window=128KiB"], ["window"]) == []
    assert other(["--window=128KiB"], ["parallelism"]) == ["window"]
    assert other(["--background=start=1s"], ["window"]) == ["background"]
