"""Lessons: Markdown files that ask, let watch, explain and check; read here, shown by the page.

A lesson is a file `lab/lessons/<number>-<name>.md`: TOML between two lines `+++`, then Markdown.
A teacher adds one by writing such a file; `pytest tests/lab/test_lab_lessons.py` checks it against
the engine. All of it, with everything that may be left out marked (o)::

    +++
    title = "The sawtooth"
    minutes = 6                    # for the reader
    topic = "How do losses look?"  # (o) the question that the list puts it below, with others
    learn = "What cwnd does"       # (o) what one learns, for the list
    paper = "ito"                  # (o) the paper that it is about, by its folder in papers/
    view = "whole"                 # what the charts show: "whole", "last:SECONDS", "span:FROM:TO"
    charts = ["cwnd", "queue"]     # (o) which charts are there, from the top; else all
    speed = 0.25                   # simulated seconds in a second
    start = 0.4                    # (o) where the player begins, s; else 0
    stop = 12                      # where it pauses, s

    [scenario]                     # options, as on the command line; only what is not the default
    mode = "fixed"
    window = "256KiB"
    [[scenario.sessions]]          # (o) every session; the first one is empty
    [[scenario.sessions]]
    mode = "aimd"
    [[scenario.background]]        # (o) plain TCP
    start = "0s"
    [[scenario.faults]]            # (o) what goes wrong
    kind = "dtp-dies"
    at = "6s"

    [[mark]]                       # a text that appears while the scenario plays
    t = 0.79                       # when, s
    text = "The buffer is full."

    [prediction]                   # asked before anything moves: one of three kinds
    kind = "choice"
    [[prediction.choice]]          # each with conditions, of which those of one choice hold
    text = "one of them"
    when = [{ trace = "connections-per-loss", from = 1, to = 4, below = 2.5 }]
    [[prediction.choice]]
    right = true                   # what the explanation is written for; a test holds it
    text = "nearly all"            # against the engine, and the page asks the engine
    when = [{ trace = "connections-per-loss", from = 1, to = 4, above = 5.5 }]

    [prediction]
    kind = "number"                # the right one is what the engine gives
    measure = "sessions.0.goodput_bps"
    unit = "Mbit/s"
    per-unit = 1e6                 # (o) what one of the unit is in the measure's own; else 1
    minimum = 0                    # what the field takes, in that unit
    maximum = 100
    near = 0.1                     # farther from it than this share is not right

    [prediction]
    kind = "curve"                 # drawn by hand, then overlaid with what the engine gives
    over = "parallelism"           # an option: a run for each value. Or "time"
    at = ["1", "2", "4", "8"]      # its values; for "time" so many seconds, as numbers
    scenario = { mode = "fixed" }  # (o) what the runs have otherwise than [scenario]
    measure = "sessions.0.goodput_bps"    # for "time": trace = "cwnd-at" or "queue-at"
    label-x = "N, connections"
    label-y = "Goodput"
    unit = "Mbit/s"
    per-unit = 1e6                 # (o)
    maximum = 110                  # of the axis
    near = 0.1

    [exercise]
    kind = "find"                  # by changing options. Or "number" or "choice", as above
    scenario = { delay = "20ms" }  # (o) what it begins with, otherwise than [scenario]
    change = ["window"]            # the options that may be changed
    goal = [                       # with unit and per-unit (o) the page shows what came out
      { text = "no packet lost", measure = "links.0.drops", equals = 0 },
    ]
    solution = { window = "256KiB" }    # one that reaches it
    help = ["First ...", "Then ..."]    # after each wrong answer the next one

    [[claim]]                      # what the text says and the engine can show
    id = "one-connection"
    text = "One connection gets {25.4} Mbit/s."    # {...}: what is measured (below)
    per-unit = 1e6                 # (o) of the measured number
    measure = "sessions.0.goodput_bps"
    between = [25e6, 26e6]
    runs = [1, 2, 3]               # (o) must be so with each of these as option `run`
    +++

    ## Question
    ## Prediction
    ## Watch
    ## What happened
    {{one-connection}} It is because ...
    ## Exercise

All five sections, in this order. `{{id}}` in one of them stands for a claim's text. HTML is shown
as it is written.

A claim tells what was measured, not what its bounds allow: the number in its text is in braces, and
a test holds it against the engine, digit by digit as it is written. (o) `per-unit` is what one of
it is in the measure's own unit (1460 for segments, 0.01 for percent of a ratio), and (o) `minus`
what is taken off first: with 1 a ratio of 1.48 is "{48} % more", one of 0.96 "{4} % less". Of
several runs it is the number of each, or two of them are the least and the largest. A claim with
digits in its text that is not bounded by `equals` needs one.

A condition is a measure, perhaps divided by another, with one of the bounds `between = [a, b]`,
`above = a`, `below = a` (these three include their ends) and `equals = a`. A measure is

- `measure`: a path into the result of `run --json`; a number picks from a list, `*` takes all of
  it, with one of max, min, mean, sum, count, list or changes (the list without repetitions) before
  the path: `"changes sessions.0.gridftp.chunks.*.parallelism"`. Terms are added with ` + `.
- or `trace`: a word for what the traces of `run --trace` say between the seconds `from` and `to`,
  or `at` one of them; (o) of one `session` or `connection` only; (o) drops less than `gap` seconds
  apart (0.25) are one loss event. The words:

  - `drops`: how many packets the queue refused; `first-drop`: when the first one, s
  - `connections-with-drops`: how many connections these were of
  - `loss-events`: how many; `loss-interval`: s from the beginning of one to that of the next, the
    median; `connections-per-loss`: how many connections lose in one, on average
  - `cwnd-at`, `largest-cwnd`, `smallest-cwnd`: bytes
  - `queue-at`, `largest-queue`: packets
  - `cut-share`: a new ssthresh over the cwnd just before it, the median

- (o) `scenario`: options that are otherwise for it than in the lesson, or in the exercise.
- (o) `ratio-to = { ... }`: what it is divided by, with the same keys, of the same scenario but for
  what its own `scenario` says; without `measure` and `trace` it is the same measure.

`lessons_json()` is the file lessons.json of the page: a list of `{id, number, title, minutes,
topic, learn, paper, scenario, view, charts, speed, start, stop, marks: [{t, text}],
printed: {handout, answers}, parts: {question, prediction, watch, explanation, exercise},
prediction, exercise, claims: [{id, text}]}`.
Parts and all texts of marks, choices and help are HTML; `view` is as `laboratory.load()` takes it.
Measures are `{measure, scenario}` or `{trace, window: {begin, end, gap, session, connection},
scenario}`, conditions the same with `bounds: {low, high, equals}` and `ratioTo`; a scenario is
complete there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.papers import papers
from experiments.errors import UserError
from experiments.programs.program import Program
from experiments.programs.resolve import resolve_lines
from experiments.spec.places import Place, line_numbers

from .claims import Claim, read_claim
from .exercises import Exercise, read_exercise
from .lesson_keys import Keys, Scenario
from .lesson_text import read_parts, render_line
from .predictions import Prediction, read_prediction

FOLDER = Path(__file__).parent / "lessons"

_NAME = re.compile(r"(?P<number>\d+)-(?P<id>[a-z0-9]+(?:-[a-z0-9]+)*)\.md")
_SYNTAX = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)")
_FENCE = "+++"
_KEYS = (
    "title", "minutes", "topic", "learn", "paper", "view", "charts", "speed", "start", "stop",
    "scenario", "mark", "prediction", "exercise", "claim",
)  # fmt: skip
_FURTHER = "Further lessons"
_VIEWS = '"whole", "last:SECONDS", "span:FROM:TO"'


@dataclass(frozen=True)
class Mark:
    """A text that appears while the scenario plays.

    Attributes:
        t: when, s.
        text: as HTML.
    """

    t: float
    text: str


@dataclass(frozen=True)
class Lesson:
    """A lesson; the docstring of this module says what each part is.

    Attributes:
        id: the file's name without number and ending.
        path: the file.
        charts: names of those that are shown; empty: all.
        parts: HTML by the section's name in lessons.json.
    """

    id: str
    number: int
    path: Path
    title: str
    minutes: float
    topic: str
    learn: str
    paper: str | None
    view: dict[str, Any]
    charts: tuple[str, ...]
    speed: float
    start: float
    stop: float
    scenario: Scenario
    marks: tuple[Mark, ...]
    prediction: Prediction
    exercise: Exercise
    claims: tuple[Claim, ...]
    parts: dict[str, str]

    def scenarios(self) -> list[Scenario]:
        """Return every scenario that it speaks of."""
        measures = [measure for claim in self.claims for measure in claim.measures()]
        own = [self.scenario, *self.prediction.scenarios(), *self.exercise.scenarios()]
        return own + [measure.scenario for measure in measures]

    @property
    def printed(self) -> dict[str, str]:
        """Where in the site what is printed of it is: `handout`, and `answers` for teachers."""
        stem = f"handout/{self.number}-{self.id}"
        return {"handout": f"{stem}.html", "answers": f"{stem}-answers.html"}

    def as_json(self) -> dict[str, Any]:
        """Return it as it stands in lessons.json."""
        return {
            "id": self.id,
            "number": self.number,
            "title": self.title,
            "minutes": self.minutes,
            "topic": self.topic,
            "learn": self.learn,
            "paper": self.paper,
            "scenario": self.scenario,
            "view": self.view,
            "charts": self.charts,
            "speed": self.speed,
            "start": self.start,
            "stop": self.stop,
            "marks": [vars(mark) for mark in self.marks],
            "printed": self.printed,
            "parts": self.parts,
            "prediction": self.prediction.as_json(),
            "exercise": self.exercise.as_json(),
            "claims": [{"id": claim.id, "text": claim.text} for claim in self.claims],
        }


def lesson_paths(folder: Path = FOLDER) -> list[Path]:
    """Return the files of the lessons, in the order of their numbers.

    Raises:
        UserError: a file is not named as a lesson, two have one number or one name, or there is
            none.
    """
    paths = sorted(folder.glob("*.md"), key=lambda path: _identify(path)[0])
    if not paths:
        raise UserError(f"{folder}: no lesson is there; allowed: files <number>-<name>.md")
    for what in (0, 1):
        seen: dict[int | str, Path] = {}
        for path in paths:
            key = _identify(path)[what]
            if key in seen:
                raise UserError(f'{path}: "{key}" is also that of {seen[key].name}')
            seen[key] = path
    return paths


def load_lessons(folder: Path = FOLDER) -> list[Lesson]:
    """Return the lessons of a folder, in the order of their numbers.

    Raises:
        UserError: anything is wrong in one of them, as ``FILE:LINE: what``.
    """
    return [load_lesson(path) for path in lesson_paths(folder)]


def load_lesson(path: Path) -> Lesson:
    """Read one lesson.

    Raises:
        UserError: anything is wrong in it, as ``FILE:LINE: what``.
    """
    number, name = _identify(path)
    front, body, line = _split(path)
    keys = _parse(path, front).only(*_KEYS)
    scenario = keys.scenario("scenario")
    stop = keys.number("stop", 0)
    start = keys.number("start", 0, stop, default=0)
    claims = _claims(keys, scenario)
    return Lesson(
        id=name,
        number=number,
        path=path,
        title=keys.text("title"),
        minutes=keys.number("minutes", 1, 60),
        topic=keys.text("topic", default=_FURTHER),
        learn=keys.text("learn", default=None) or "",
        paper=keys.one_of("paper", list(papers()), default=None),
        view=_view(keys),
        charts=tuple(keys.texts("charts", default=())),
        speed=keys.number("speed", 1e-4, 1e4),
        start=start,
        stop=stop,
        scenario=scenario,
        marks=tuple(_mark(mark, start, stop) for mark in keys.tables("mark")),
        prediction=read_prediction(keys.table("prediction"), scenario),
        exercise=read_exercise(keys.table("exercise"), scenario),
        claims=claims,
        parts=read_parts(path, body, line, {claim.id: claim.text for claim in claims}),
    )


def lessons_json(lessons: Iterable[Lesson]) -> list[dict[str, Any]]:
    """Return what lessons.json holds."""
    return [lesson.as_json() for lesson in lessons]


def resolve_all(lessons: Iterable[Lesson], program: Program) -> None:
    """Have the program check every scenario of the lessons, without simulating it.

    Raises:
        UserError: it refuses one; the text names the file.
        ProgramError: it does not answer.
    """
    for lesson in lessons:
        try:
            resolve_lines(program, lesson.scenarios())
        except UserError as error:
            raise UserError(f"{lesson.path}: {error}") from None


def _identify(path: Path) -> tuple[int, str]:
    """Return number and name of a lesson's file."""
    found = _NAME.fullmatch(path.name)
    if not found:
        raise UserError(f"{path}: not a lesson's name; allowed: <number>-<name>.md, as 7-sack.md")
    return int(found["number"]), found["id"]


def _split(path: Path) -> tuple[str, str, int]:
    """Return front matter and body of a file, and the line where the body begins."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UserError(f"{path}: {why}") from None
    fences = [place for place, line in enumerate(lines) if line.strip() == _FENCE][:2]
    if len(fences) != 2 or fences[0] != 0:
        raise UserError(f"{path}:1: a lesson begins with TOML between two lines {_FENCE}")
    # An empty line in place of the first fence: lines are counted as in the file.
    front = "\n".join(["", *lines[1 : fences[1]], ""])
    return front, "\n".join(lines[fences[1] + 1 :]), fences[1] + 2


def _parse(path: Path, front: str) -> Keys:
    try:
        data = tomllib.loads(front)
    except tomllib.TOMLDecodeError as error:
        found = _SYNTAX.fullmatch(str(error))
        line = found["line"] if found and found["line"] else front.count("\n") + 1
        raise UserError(f"{path}:{line}: {found['what'] if found else error}") from None
    return Keys(data, Place(path, line_numbers(front)))


def _mark(keys: Keys, start: float, stop: float) -> Mark:
    keys.only("t", "text")
    return Mark(keys.number("t", start, stop), render_line(keys.text("text")))


def _view(keys: Keys) -> dict[str, Any]:
    """Return the view as the page has it."""
    text = keys.text("view")
    kind, *rest = text.split(":")
    try:
        numbers = [float(number) for number in rest]
    except ValueError:
        numbers = []
    if text == "whole":
        return {"kind": "whole"}
    if kind == "last" and len(numbers) == 1 and numbers[0] > 0:
        return {"kind": "last", "seconds": numbers[0]}
    if kind == "span" and len(numbers) == 2 and 0 <= numbers[0] < numbers[1]:
        return {"kind": "span", "begin": numbers[0], "end": numbers[1]}
    raise (keys.at / "view").bad(text, _VIEWS)


def _claims(keys: Keys, scenario: Scenario) -> tuple[Claim, ...]:
    claims = tuple(read_claim(claim, scenario) for claim in keys.tables("claim"))
    for place, claim in enumerate(claims):
        if claim.id in [other.id for other in claims[:place]]:
            at = keys.at / "claim" / place / "id"
            raise at.error(f'"id": "{claim.id}" is there twice')
    return claims
