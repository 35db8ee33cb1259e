"""What many scenarios stand for: all of their options, in SI numbers, without simulating."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ProgramError, UserError
from .option_table import OptionTable
from .program import Program, ended


def resolve_lines(program: Program, lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the complete scenario of each line of a batch.

    Raises:
        UserError: the program refuses one; the text says why and names the line.
        ProgramError: it does not answer each line.
    """
    scenarios = answers_to(program, lines)
    for line, scenario in zip(lines, scenarios, strict=True):
        if refused(scenario):
            raise UserError(f"{scenario['reason']}, in {json.dumps(line)}")
    return scenarios


def refused(answer: Mapping[str, Any]) -> bool:
    """Return whether an answer of `answers_to` is no scenario; its ``reason`` says why."""
    return answer.get("status") == "error"


def answers_to(program: Program, lines: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return what the program says to each line of a batch: a scenario, or why it refuses it.

    What it notes about files, such as settings without effect, goes to standard error.

    Raises:
        ProgramError: it does not answer each line.
    """
    asked = "".join(f"{json.dumps(line)}\n" for line in lines)
    try:
        done = subprocess.run(
            program.command("--batch=-", "--resolve"),
            input=asked, capture_output=True, text=True, check=False,
        )  # fmt: skip
    except OSError as error:
        raise ProgramError(f"{program.path}: {error.strerror}") from None
    sys.stderr.write(done.stderr)
    answers = done.stdout.splitlines()
    if len(answers) != len(lines):
        raise ProgramError(
            f"{program.name} {ended(done.returncode)} after {len(answers)} of {len(lines)} lines"
        )
    return [json.loads(answer) for answer in answers]


def without_files(
    table: OptionTable, line: Mapping[str, Any], scenario: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return a line that needs no file: where one of its values may be a file, all as resolved.

    Whoever simulates it may be on another machine, or come when the file has changed. What a
    file of a topology says of the network is there, too, as far as it is not the default.

    Args:
        table: the options.
        line: of a batch, options as texts.
        scenario: what it resolves to.
    """
    options = {name: table[name] for name in line}
    if not any(option.may_be_file for option in options.values()):
        return line
    # Where words are allowed beside files, a file says more than its option.
    scopes = {
        option.scope
        for name, option in options.items()
        if option.may_be_file and option.choices and line[name] not in option.choices
    }
    if "session" in scopes:
        scopes.add("tcp")  # the file of a host sets options of all connections, too
    options |= {
        name: option
        for name, option in table.options.items()
        if option.scope in scopes
        and (scenario[option.key] != option.usual or option.variant(scenario) is not None)
    }
    return {
        name if option.kind == "list" else option.key: (
            line[name] if option.kind == "list" else scenario[option.key]
        )
        for name, option in options.items()
    }
