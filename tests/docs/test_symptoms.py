"""The page from symptoms to causes: its commands work, and it has the words to search for."""

from __future__ import annotations

import re
import shlex
import textwrap
import tomllib

import pytest
from conftest import ROOT, Runner

from experiments.profile.inquire import inquire
from experiments.programs.program import locate

PAGE = (ROOT / "contrib/gridftp/doc/how-to/symptoms.md").read_text(encoding="utf-8")

COMMANDS = [shlex.split(line) for line in re.findall(r"`\./gridftp ([^`]+)`", PAGE)]

PROGRAMS = {"run": ("gridftp-transfer", "--resolve"), "optimum": ("gridftp-optimum",)}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_that_shows_a_symptom_is_accepted(words: list[str], run_program: Runner) -> None:
    program, *more = PROGRAMS[words[0]]
    done = run_program(program, *words[1:], *more)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "word",
    ["bufferbloat", "ping", "ADSL", "ACK compression", "out of order", "reordering", "packet loss",
     "policer", "small files", "stalled at 100 %", "hangs", "NAT", "firewall", "idle timeout",
     "MTU black hole", "crawls", "unfair", "starves"],
)  # fmt: skip
def test_what_people_search_for_is_on_the_page(word: str) -> None:
    assert word in PAGE


def test_the_profile_on_the_page_finds_what_it_says(programs: object) -> None:
    (shown,) = re.findall(r"    title = .*?\n\n(?=Then)", PAGE, re.DOTALL)
    shipped = (ROOT / "contrib/gridftp/examples/slow-acks.toml").read_text(encoding="utf-8")
    assert textwrap.dedent(shown).strip() == shipped.strip()
    block = tomllib.loads(shipped)["block"][0]
    (found,) = inquire(locate("gridftp-transfer"), [{"run": 1, **block["fixed"]}])
    assert found is not None
    assert found.name == "reverse direction"
    assert found.advised is not None
    assert found.advised.options == {"reverse-queue": "10p"}
    assert found.advised.gain > 0.5
