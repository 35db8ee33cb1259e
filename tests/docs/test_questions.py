"""README for somebody who has a question: what to type stands on its first page, and works."""

from __future__ import annotations

import functools
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Runner

from experiments.__main__ import main
from launcher.commands import COMMANDS

README = (ROOT / "README.md").read_text(encoding="utf-8")

ROWS = re.findall(r"^\| ([^|]+) \| `([^`|]+)` \| ([^|]+) \| \[[^]]+\]\(([^)]+)\) \|$", README, re.M)

QUESTIONS = [
    "Which N for my path?",
    "Is AIMD fairer?",
    "Why is my transfer slow?",
    "Does more buffer help?",
    "RBUDP or GridFTP?",
    "Show my class the sawtooth",
    "Sweep on a cluster",
    "Use it in my ns-3 tree",
    "Add my tuner",
    "Cite it",
]


def test_each_question_is_on_the_first_page() -> None:
    assert [question for question, *_ in ROWS] == QUESTIONS
    assert len(README.splitlines()) <= 120


@pytest.mark.parametrize(("question", "page"), [(row[0], row[3]) for row in ROWS])
def test_what_is_behind_a_question_goes_on_with_commands(question: str, page: str) -> None:
    if page.startswith("#"):
        titles = re.findall(r"^## (.*)$", README, re.M)
        assert page[1:] in [title.lower().replace(" ", "-") for title in titles]
    else:
        commands = re.findall(r"^    (?:\./|cp )", (ROOT / page).read_text(encoding="utf-8"), re.M)
        assert commands, question


@pytest.fixture(scope="module")
def run_optimum(run_program: Runner) -> Runner:
    """Return a function that runs gridftp-optimum, the same command only once."""
    return functools.cache(functools.partial(run_program, "gridftp-optimum"))


@pytest.fixture
def accept(
    run_program: Runner,
    run_optimum: Runner,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> Callable[[list[str]], None]:
    """Try a command without doing what takes long."""

    def try_it(words: list[str]) -> None:
        verb, rest = words[1], words[2:]
        assert verb in COMMANDS
        if verb == "run":
            done = run_program("gridftp-transfer", *rest, "--resolve")
            assert (done.returncode, done.stderr) == (0, "")
        elif verb == "optimum":
            done = run_optimum(*rest)
            assert (done.returncode, done.stderr) == (0, "")
        elif verb in ("sweep", "profile"):
            assert main([verb, *rest, "--dry-run", f"--store={tmp_path / 'store.sqlite'}"]) == 0
            assert " simulations, 0 done" in capsys.readouterr().out
        else:
            with pytest.raises(SystemExit):
                main([verb, "--help"])
            told = capsys.readouterr().out
            assert [word for word in rest if word not in told] == []

    return try_it


@pytest.mark.parametrize(("question", "command"), [row[:2] for row in ROWS])
def test_the_command_is_accepted(
    question: str, command: str, accept: Callable[[list[str]], None]
) -> None:
    words = shlex.split(command)
    if words[0] == "./gridftp":
        accept(words)
    elif words[0] == "cp":
        assert (ROOT / words[2] / "CMakeLists.txt").is_file(), question
    else:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("cff-version: ")


def test_what_a_command_is_said_to_show_is_what_it_shows(
    run_program: Runner, run_optimum: Runner
) -> None:
    said = {question: (shlex.split(command)[2:], text) for question, command, text, _ in ROWS}
    options, text = said["Which N for my path?"]
    shown = run_optimum(*options).stdout
    best, goodput_of_best, single = re.search(
        r"connections +(\d+),.*goodput +([\d.]+) .*one connection +([\d.]+)", shown, re.S
    ).groups()
    assert text == (
        f"{best} connections: {float(goodput_of_best):.0f} Mbit/s; one: {float(single):.0f} Mbit/s"
    )

    def goodput(*options: str) -> str:
        shown = run_program("gridftp-transfer", *options).stdout
        found = re.search(r"goodput ([\d.]+) Mbit/s", shown)
        return f"{float(found[1]):.1f}"

    options, text = said["Does more buffer help?"]
    fixed = [word for word in options if not word.startswith("--buffers")] + ["--window=64KiB"]
    assert text == f"{goodput(*options)} Mbit/s; with 64 KiB {goodput(*fixed)}"
    options, text = said["RBUDP or GridFTP?"]
    stack = [word for word in options if word.startswith("--stack")]
    four = goodput(*stack, "--mode=fixed", "--parallelism=4", "--file-size=100MB")
    assert text == f"{goodput(*options)} Mbit/s; GridFTP with N = 4: {four}"


def test_ci_does_what_the_readme_says() -> None:
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert ci.splitlines()[-1] == "exec ./gridftp test"
    assert "`./gridftp test`" in README
    (install,) = re.findall(r"^    sudo apt install (.*)$", README, re.M)
    assert [package for package in install.split() if package not in ci] == []
