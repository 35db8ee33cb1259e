"""What the notebook asks of the programs, always through the launcher, ``./gridftp``."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

LAUNCHER = Path(__file__).resolve().parent.parent / "gridftp"

Options = Mapping[str, str]
"""Option texts by option name, as on the command line: only what differs from the defaults."""

TRACES = ("cwnd", "queue", "drops")
"""The tables that a traced run writes."""


class LauncherError(Exception):
    """The launcher refuses its input, or a transfer fails: one line that tells why."""


def describe() -> dict[str, dict[str, Any]]:
    """Return the rows of the option table by option name.

    Raises:
        LauncherError: the launcher cannot set up what it needs.
    """
    rows = json.loads(_call("run", "--describe"))["options"]
    return {row["name"]: row for row in rows}


def run(options: Options) -> dict[str, Any]:
    """Simulate one scenario and return its result, as ``run --json`` prints it.

    Raises:
        LauncherError: an option is refused, or the transfer fails.
    """
    return _result(_call("run", *words(options), "--json"))


def trace(options: Options) -> tuple[dict[str, Any], dict[str, pd.DataFrame]]:
    """Simulate one scenario and return its result and its traces, by `TRACES`.

    Raises:
        LauncherError: as for `run`.
    """
    with tempfile.TemporaryDirectory(prefix="gridftp-") as folder:
        result = _result(_call("run", *words(options), "--json", f"--trace={folder}"))
        return result, {name: pd.read_csv(Path(folder, f"{name}.csv")) for name in TRACES}


def batch(scenarios: Iterable[Options]) -> list[dict[str, Any]]:
    """Simulate many scenarios in one process and return their results, in their order.

    Raises:
        LauncherError: as for `run`, of the first that is refused or fails.
    """
    lines = "".join(f"{json.dumps(dict(scenario))}\n" for scenario in scenarios)
    return [_result(line) for line in _call("run", "--batch=-", given=lines).splitlines()]


def optimum(options: Options) -> dict[str, Any]:
    """Return the best parallelism of a path, as ``optimum --json`` prints it.

    With ``stack`` "classic" the fluid model answers, Eq. (1); else transfers are simulated.

    Raises:
        LauncherError: an option is refused.
    """
    return json.loads(_call("optimum", *words(options), "--json"))


def words(options: Options) -> list[str]:
    """Return options as words of a command line."""
    return [f"--{name}={value}" for name, value in options.items()]


def parse(text: str) -> dict[str, str]:
    """Return the options that a line of words ``--name=value`` names.

    Raises:
        LauncherError: a word is of another kind.
    """
    options = {}
    for word in text.split():
        name, equals, value = word.removeprefix("--").partition("=")
        if not (word.startswith("--") and name and equals):
            raise LauncherError(f"'{word}' is no option; allowed: words such as --name=value")
        options[name] = value
    return options


def _call(*arguments: str, given: str = "") -> str:
    """Run the launcher to its end and return what it printed."""
    done = subprocess.run(
        [sys.executable, str(LAUNCHER), *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    # A result says itself what went wrong in a transfer.
    if done.returncode and not done.stdout.startswith("{"):
        lines = done.stderr.strip().splitlines()
        raise LauncherError(lines[-1] if lines else f"exit status {done.returncode}")
    return done.stdout


def _result(text: str) -> dict[str, Any]:
    """Return a result that is one."""
    result = json.loads(text)
    if result["status"] != "done":
        raise LauncherError(f"{result['status']}: {result['reason']}")
    return result
