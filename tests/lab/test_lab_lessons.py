"""The lessons of the lab: every claim against the engine; how a lesson that is wrong is refused."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from experiments.errors import UserError
from experiments.profile.inquire import inquire
from experiments.programs.program import Program
from lab.claims import Claim
from lab.evidence import NativeEvidence, command_line
from lab.exercises import Find
from lab.lessons import Lesson, lesson_paths, lessons_json, load_lesson, load_lessons, resolve_all
from lab.measures import Bounds
from lab.predictions import Choices, Curve, Number

LESSONS = load_lessons()
CLAIMS = [(lesson, claim) for lesson in LESSONS for claim in lesson.claims]
KINDS = {Choices, Number, Curve}

each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
each_claim = pytest.mark.parametrize(
    ("lesson", "claim"), CLAIMS, ids=[f"{lesson.id}-{claim.id}" for lesson, claim in CLAIMS]
)


@pytest.fixture(scope="module")
def program(programs: Path) -> Program:
    return Program(programs / "gridftp-transfer")


@pytest.fixture(scope="module")
def evidence(program: Program) -> NativeEvidence:
    return NativeEvidence(program)


# --- The shipped lessons


def test_there_are_six_or_more_with_every_kind_of_prediction() -> None:
    numbers = [lesson.number for lesson in LESSONS]
    assert len(numbers) >= 6
    assert numbers == list(range(1, len(numbers) + 1)), "the numbers go on without a gap"
    assert {type(lesson.prediction) for lesson in LESSONS} == KINDS


@each_lesson
def test_it_is_short(lesson: Lesson) -> None:
    assert 5 <= lesson.minutes <= 8, f"{lesson.path}: minutes {lesson.minutes:g}, not 5 to 8"


@each_claim
def test_claim(lesson: Lesson, claim: Claim, evidence: NativeEvidence) -> None:
    assert claim.holds(evidence), f"{claim.text} Measured: {claim.values(evidence)}"


@each_claim
def test_text_tells_what_was_measured(
    lesson: Lesson, claim: Claim, evidence: NativeEvidence
) -> None:
    """Numbers in braces are the engine's, and no text tells bounds in their place."""
    assert claim.measured(evidence) == claim.marked, claim.text
    if any(condition.bounds.equals is None for condition in claim.conditions):
        said = f"{claim.text} Measured: {claim.values(evidence)}; in the text it goes in braces"
        assert claim.marked or not re.search(r"\d", claim.text), said


@each_lesson
def test_scenarios_resolve(lesson: Lesson, program: Program) -> None:
    resolve_all([lesson], program)


@each_lesson
def test_the_scene_is_as_long_as_the_run(lesson: Lesson, evidence: NativeEvidence) -> None:
    sessions = evidence.result(lesson.scenario)["sessions"]
    end = max(session["start_s"] + session["duration_s"] for session in sessions)
    assert lesson.start < lesson.stop <= end + 1
    assert [mark.t for mark in lesson.marks] == sorted(mark.t for mark in lesson.marks)


@each_lesson
def test_right_prediction_is_the_engines(lesson: Lesson, evidence: NativeEvidence) -> None:
    prediction = lesson.prediction
    if isinstance(prediction, Choices):
        check_choices(prediction, evidence, f"{lesson.path}: prediction")
    elif isinstance(prediction, Number):
        right = prediction.right(evidence)
        assert prediction.minimum < right < prediction.maximum
        assert prediction.accepts(right, evidence)
        assert not prediction.accepts(right * (1 + 2 * prediction.near), evidence)
    else:
        assert all(0 <= value <= prediction.maximum for value in prediction.right(evidence))


def check_choices(asked: Choices, evidence: NativeEvidence, what: str) -> None:
    """The conditions of the choice marked as right hold, and those of no other."""
    marked = [choice.text for choice in asked.choices if choice.right]
    found = [choice.text for choice in asked.choices if choice.holds(evidence)]
    assert found == marked, f"{what}: marked as right {marked}; by its conditions {found}"


@each_lesson
def test_exercise_can_be_solved_and_is_not_solved_yet(
    lesson: Lesson, evidence: NativeEvidence
) -> None:
    task = lesson.exercise.task
    assert lesson.exercise.help
    if isinstance(task, Find):
        assert not task.solved_at_start(evidence)
        assert task.solution_holds(evidence)
        assert set(task.solution) <= set(task.change)
    elif isinstance(task, Number):
        right = task.right(evidence)
        assert task.minimum < right < task.maximum
        assert task.accepts(right, evidence)
    else:
        check_choices(task, evidence, f"{lesson.path}: exercise")


@each_claim
def test_without_what_was_measured_no_claim_holds(
    lesson: Lesson, claim: Claim, evidence: NativeEvidence
) -> None:
    """Bounds beside the measured values: the same evaluation says no."""
    for condition in claim.conditions:
        value = condition.value(evidence)
        assert condition.bounds.hold(value)
        assert not replace(condition, bounds=beside(value)).holds(evidence)


def beside(value: Any) -> Bounds:
    if isinstance(value, list):
        return Bounds(equals=[*value, 1])
    return Bounds(low=value + 1e-6 + abs(value) * 1e-6)


# A smaller file by default: it is the steady state after slow start that is profiled.
@pytest.mark.parametrize("size", ["50MB", pytest.param("400MB", marks=pytest.mark.extensive)])
def test_the_profiler_says_what_the_lesson_on_hosts_says(program: Program, size: str) -> None:
    lesson = next(lesson for lesson in LESSONS if lesson.id == "idle-network")
    spec = tomllib.loads(lesson.path.with_suffix(".toml").read_text(encoding="utf-8"))
    assert spec["fixed"] == lesson.scenario
    assert spec["fixed"]["file-size"] == "400MB"
    (finding,) = inquire(program, [{**lesson.scenario, "file-size": size, "chunk-size": size}])
    assert finding.limits == ("receiver CPU: TCP",)
    assert finding.advised.options == {"packet-size": "9000B"}


def test_a_false_claim_fails(evidence: NativeEvidence, tmp_path: Path) -> None:
    claims = [
        'text = "x"\nmeasure = "sessions.0.goodput_bps"\nbetween = [26e6, 27e6]',
        'text = "x"\nmeasure = "sessions.0.goodput_bps"\nabove = 26e6',
        'text = "x"\nmeasure = "links.0.drops"\nequals = 1',
        'text = "x"\ntrace = "drops"\nfrom = 0\nto = 5\nabove = 1',
        'text = "x"\nmeasure = "changes sessions.0.gridftp.chunks.*.parallelism"\nequals = [1, 2]',
        'text = "x"\nmeasure = "sessions.0.goodput_bps"\nbelow = 0.9\n'
        'ratio-to = { scenario = { bandwidth = "1Gbps" } }',
        # One of two runs is enough to make it false.
        'text = "x"\nmeasure = "scenario.run"\nruns = [1, 2]\nequals = 1',
    ]
    tables = "".join(f'[[claim]]\nid = "c{i}"\n{text}\n' for i, text in enumerate(claims))
    lesson = load_lesson(write(tmp_path, with_claims(tables)))
    held = [claim.holds(evidence) for claim in lesson.claims]
    assert held == [True] + [False] * len(claims)  # the lesson's own is true


def test_a_marked_number_that_is_not_the_engines(evidence: NativeEvidence, tmp_path: Path) -> None:
    told = [
        ("It gets {25.4} Mbit/s.", "per-unit = 1e6\n", ("25.4",)),
        ("It gets {25} Mbit/s.", "per-unit = 1e6\n", ("25",)),
        ("It gets {26} Mbit/s.", "per-unit = 1e6\n", ("25",)),
        ("It gets {25,380,000} bit/s.", "", ("25,380,231",)),
        ("{61} % more than 15.8.", "per-unit = 15.8e4\nminus = 15.8e6\n", ("61",)),
        ("{0} to {1} Mbit/s.", "per-unit = 1e6\nruns = [1, 2]\n", ("25", "25")),
        ("In each run {25} Mbit/s.", "per-unit = 1e6\nruns = [1, 2]\n", ("25",)),
    ]
    measured = 'measure = "sessions.0.goodput_bps"\nbetween = [25e6, 26e6]\n'
    tables = "".join(
        f'[[claim]]\nid = "c{place}"\ntext = "{text}"\n{more}{measured}'
        for place, (text, more, _) in enumerate(told)
    )
    _, *claims = load_lesson(write(tmp_path, with_claims(tables))).claims
    assert [claim.measured(evidence) for claim in claims] == [numbers for *_, numbers in told]
    assert [claim.text for claim in claims[:2]] == ["It gets 25.4 Mbit/s.", "It gets 25 Mbit/s."]
    assert [claim.marked == claim.measured(evidence) for claim in claims] == [
        True, True, False, False, True, False, True
    ]  # fmt: skip


def test_marked_as_right_but_not_so(evidence: NativeEvidence, tmp_path: Path) -> None:
    path = write(tmp_path, GOOD.replace("right = true\n", "").replace("#", "right = true\n#", 1))
    prediction = load_lesson(path).prediction
    assert isinstance(prediction, Choices)
    held = [choice.holds(evidence) for choice in prediction.choices]
    assert held == [False, True]
    assert held != [choice.right for choice in prediction.choices]


# --- What the page is given


def test_json_is_plain_and_complete() -> None:
    lessons = json.loads(json.dumps(lessons_json(load_lessons())))
    assert [lesson["id"] for lesson in lessons] == [lesson.id for lesson in LESSONS]
    parts = ["question", "prediction", "watch", "explanation", "exercise"]
    for lesson in lessons:
        assert list(lesson["parts"]) == parts
        assert "{{" not in "".join(lesson["parts"].values())
        assert all(text.startswith("<") for text in lesson["parts"].values())
        # The page asks the engine which answer is right.
        assert '"right"' not in json.dumps(lesson)


def test_html_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD.replace("Why?", "<script>alert(1)</script> <b>x</b>"))
    question = load_lesson(path).parts["question"]
    assert "<script" not in question
    assert "&lt;script&gt;" in question
    assert "<b>" not in question


# --- Lessons that are wrong

GOOD = """\
+++
title = "A lesson"
minutes = 5
view = "last:2.5"
speed = 1
stop = 20
[scenario]
mode = "fixed"
file-size = "100MB"
[[mark]]
t = 1
text = "Now"
[prediction]
kind = "choice"
[[prediction.choice]]
text = "more"
when = [{ measure = "links.0.drops", above = 1 }]
# another
[[prediction.choice]]
right = true
text = "none"
when = [{ measure = "links.0.drops", equals = 0 }]
[exercise]
kind = "number"
measure = "sessions.0.goodput_bps"
unit = "Mbit/s"
per-unit = 1e6
minimum = 0
maximum = 100
near = 0.1
help = ["Think."]
[[claim]]
id = "quarter"
text = "It gets a quarter."
measure = "sessions.0.goodput_bps"
between = [25e6, 26e6]
+++
## Question
Why?
## Prediction
What?
## Watch
This.
## What happened
{{quarter}}
## Exercise
Do.
"""


def with_claims(tables: str) -> str:
    return GOOD.replace("+++\n## Question", f"{tables}+++\n## Question")


def write(folder: Path, text: str, name: str = "1-lesson.md") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_good_lesson(tmp_path: Path) -> None:
    lesson = load_lesson(write(tmp_path, GOOD))
    assert lesson.view == {"kind": "last", "seconds": 2.5}
    assert lesson.parts["explanation"] == "<p>It gets a quarter.</p>\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("+++\n", "", 1, "a lesson begins with TOML"),
        ("minutes = 5", "minutes = ", 3, "Invalid value"),
        ("minutes = 5", 'minutes = "5"', 3, '"minutes": "5" is not allowed; allowed: a number fr'),
        ("minutes = 5", "minutes = 500", 3, '"minutes": 500 is not allowed'),
        ("minutes = 5", "minuts = 5", 3, 'did you mean "minutes"'),
        ("minutes = 5\n", "", 1, '"minutes" is missing'),
        ('"last:2.5"', '"last"', 4, 'allowed: "whole", "last:SECONDS", "span:FROM:TO"'),
        ('"last:2.5"', '"span:2:1"', 4, '"view": "span:2:1" is not allowed'),
        ("speed = 1", "speed = 0", 5, '"speed": 0 is not allowed'),
        ("stop = 20", "stop = 20\nstart = 21", 7, '"start": 21 is not allowed'),
        ('mode = "fixed"', "mode = 4", 8, "allowed: a text, as on the command line"),
        ("t = 1", "t = 21", 11, '"t": 21 is not allowed; allowed: a number from 0 to 20'),
        ("t = 1", "time = 1", 11, '"time" is unknown here'),
        ('kind = "choice"', 'kind = "guess"', 14, "allowed: choice, number, curve"),
        ('kind = "choice"', 'kind = "choice"\nunit = "s"', 15, '"unit" is unknown here'),
        ("right = true\n", "", 15, "allowed: two or more, one of them with right = true"),
        ("above = 1", "above = 1, below = 2", 17, "exactly one of between, equals, above, below"),
        ("equals = 0", 'equals = 0, runs = "x"', 22, '"runs" is unknown here'),
        ('"links.0.drops"', '"links.0.*"', 17, "before a path with a *"),
        ('"links.0.drops"', '"average links.0.*"', 17, "one of max, min, mean"),
        ('"links.0.drops"', '"drops"', 17, "allowed: paths as"),
        ('measure = "links.0.drops"', 'trace = "losses"', 17, "allowed: drops, first-drop"),
        ('measure = "links.0.drops"', 'trace = "drops"', 17, '"from" is missing'),
        ('"links.0.drops", above', '"links.0.drops", to = 2, above', 17, 'goes with "trace"'),
        ('help = ["Think."]', "help = []", 31, '"help": an empty list is not allowed'),
        ("near = 0.1", "near = 2", 30, '"near": 2 is not allowed'),
        ('id = "quarter"', 'id = "A quarter"', 33, "small letters, digits and hyphens"),
        ("a quarter.", "{a quarter}.", 34, "allowed: one measured number, as {26.2}"),
        ("a quarter.", "{25} to {26}.", 34, "with runs the least and the largest"),
        ("[25e6, 26e6]", "[25e6, 26e6]\nminus = 1", 37, "goes with a measured number"),
        ("[25e6, 26e6]", "[26e6, 25e6]", 36, "is above"),
        ("[25e6, 26e6]", "[25e6]", 36, "allowed: a list of 2 numbers"),
        ("{{quarter}}", "{{quater}}", 45, 'there is no claim "quater"; did you mean "quarter"'),
        ("## Watch\nThis.\n", "", 38, "allowed: Question, Prediction, Watch, What happened, Ex"),
        ("## Watch", "## Question", 42, 'section "Question" is there twice'),
        ("Why?", "", 38, 'section "Question" is empty'),
        ("## Question", "Before\n## Question", 38, "text before the first section"),
    ],
)
def test_wrong_lesson(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        load_lesson(path)
    text = str(caught.value)
    assert text.startswith(f"{path}:{line}: "), text
    assert message in text
    assert "\n" not in text


def test_two_claims_of_one_name(tmp_path: Path) -> None:
    claim = '[[claim]]\nid = "quarter"\ntext = "x"\nmeasure = "links.0.drops"\nequals = 0\n'
    with pytest.raises(UserError, match='"quarter" is there twice'):
        load_lesson(write(tmp_path, with_claims(claim)))


def test_wrong_option_names_the_file(tmp_path: Path, program: Program) -> None:
    path = write(tmp_path, GOOD.replace('mode = "fixed"', 'mod = "fixed"'))
    with pytest.raises(UserError, match=r"1-lesson\.md: .*mod"):
        resolve_all([load_lesson(path)], program)


@pytest.mark.parametrize("name", ["lesson.md", "1-Lesson.md", "one-lesson.md", "1-.md"])
def test_wrong_name(tmp_path: Path, name: str) -> None:
    write(tmp_path, GOOD, name)
    with pytest.raises(UserError, match="not a lesson's name"):
        lesson_paths(tmp_path)


def test_names_and_numbers_come_once(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no lesson is there"):
        lesson_paths(tmp_path)
    for name in ("2-b.md", "10-a.md"):
        write(tmp_path, GOOD, name)
    assert [path.name for path in lesson_paths(tmp_path)] == ["2-b.md", "10-a.md"]
    write(tmp_path, GOOD, "3-a.md")
    with pytest.raises(UserError, match=r'10-a\.md: "a" is also that of 3-a\.md'):
        lesson_paths(tmp_path)


def test_command_line_of_a_scenario() -> None:
    scenario = {"mode": "mi", "sessions": [{}, {"mode": "aimd", "start": "1s"}],
                "background": [{"start": "0s"}]}  # fmt: skip
    words = ["--mode=mi", "--session=mode=aimd,start=1s", "--background=start=0s"]
    assert command_line(scenario) == words
    for wrong in ({"sessions": [{"mode": "mi"}]}, {"sessions": []}, {"background": [{}]}):
        with pytest.raises(UserError, match="allowed: "):
            command_line(wrong)
