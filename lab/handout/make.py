"""Writes handouts and answer sheets, anew only where what they are made of has changed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from experiments.programs.option_table import OptionTable
from experiments.programs.program import Program

from .. import folders
from ..evidence import NativeEvidence
from ..lessons import Lesson
from .answers import Source, answers
from .frame import ANSWERS, HANDOUT, name_of
from .sheet import handout

FOLDER = folders.BUILD / "handout"


def make(lessons: Sequence[Lesson], program: Program, engine: Path) -> list[Path]:
    """Return the pages of the lessons, made if they are not.

    Args:
        lessons: all of them.
        program: gridftp-transfer, which simulates what the answers tell.
        engine: the lab's, made of the same sources: while it is the same, so are the answers.

    Raises:
        UserError: the program refuses a scenario of a lesson.
        ProgramError: it does not answer.
    """
    sources = sorted([*folders.LAB.glob("*.py"), *Path(__file__).parent.glob("*.py")])
    state = folders.digest([*sources, *(lesson.path for lesson in lessons), engine])
    mark = FOLDER / "made-of"
    if not folders.is_made(mark, state):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        _write(lessons, program)
        mark.write_text(state, encoding="utf-8")
    return sorted(FOLDER.glob("*.html"))


def _write(lessons: Sequence[Lesson], program: Program) -> None:
    options = OptionTable.read(program.object("--describe"))
    for lesson in lessons:
        # One lesson's results at a time: traces are large
        source = Source(options, NativeEvidence(program))
        texts = {HANDOUT: handout(lesson, options), ANSWERS: answers(lesson, source)}
        for kind, text in texts.items():
            (FOLDER / name_of(lesson, kind)).write_text(text, encoding="utf-8")
