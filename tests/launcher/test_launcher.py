"""The launcher: help, refusals, and what it needs itself."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest
from launcher_sandbox import Sandbox, pretend, refused

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = [
    "run",
    "optimum",
    "reproduce",
    "lab",
    "manual",
    "sweep",
    "profile",
    "plot",
    "report",
    "store",
    "learn",
    "dask",
    "client",
    "server",
    "test",
    "compare",
    "twin",
    "bench",
    "build",
    "release",
]


def test_help_lists_every_command_and_no_other(fresh: Sandbox) -> None:
    done = fresh.launch("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"^  (\w+) ", done.stdout, re.MULTILINE) == COMMANDS
    assert fresh.launch().stdout == done.stdout
    assert not (fresh.root / ".venv").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_that_sets_nothing_up(fresh: Sandbox, command: str) -> None:
    done = fresh.launch(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: ./gridftp {command} [OPTION...]\n\n{command}: ")
    assert not (fresh.root / ".venv").exists()


def test_help_of_a_built_program_is_passed_on(ready: Sandbox) -> None:
    done = ready.launch("run", "--help")
    assert done.stdout.startswith("run: simulate one scenario")
    assert done.stdout.endswith(f"{ready.root.parent}:--help\n")


def test_an_unknown_command_is_refused_with_a_suggestion(fresh: Sandbox) -> None:
    refused(fresh.launch("reprodcue"), "'reprodcue'", "did you mean 'reproduce'?", status=2)
    refused(fresh.launch("xyzzy"), "'xyzzy'", *COMMANDS, status=2)


def test_bad_options_of_build_are_refused(fresh: Sandbox) -> None:
    refused(fresh.launch("build", "--fast"), "'--fast'", "--ns3", "--sanitize", status=2)
    refused(fresh.launch("build", "--ns3"), "--ns3", "path", status=2)
    refused(fresh.launch("build", "--ns3", "nowhere"), "nowhere'", status=2)
    refused(fresh.launch("build", f"--ns3={fresh.wheels}"), str(fresh.wheels), status=2)
    assert not (fresh.root / ".venv").exists()


def test_without_a_compiler_it_says_what_to_install(fresh: Sandbox) -> None:
    empty = fresh.root.parent / "empty"
    empty.mkdir()
    for command in ("run", "build", "test", "reproduce"):
        refused(fresh.launch(command, PATH=str(empty)), "C++ compiler", "sudo apt install git g++")


@pytest.mark.parametrize(("here", "minor"), [("3.9", 9), ("3.14", 14)])
def test_without_a_suitable_python_it_says_what_helps(
    fresh: Sandbox, here: str, minor: int
) -> None:
    old = pretend(fresh, f"import sys\nsys.version_info = (3, {minor}, 0, 'final', 0)\n")
    done = fresh.launch("run", **old)
    refused(done, "Python 3.11 to 3.13", f"found {here}", "sudo apt install", "--ns3 PATH")


def test_a_python_without_venv_says_what_to_install(fresh: Sandbox) -> None:
    bare = pretend(fresh, "import sys\nsys.modules['ensurepip'] = None\n")
    refused(fresh.launch("run", **bare), "venv", "sudo apt install", "python3-venv")


def test_a_machine_without_a_wheel_says_what_helps(fresh: Sandbox) -> None:
    arm = pretend(fresh, "import platform\nplatform.machine = lambda: 'aarch64'\n")
    refused(fresh.launch("run", **arm), "Linux on aarch64", "--ns3 PATH")


PARTS = [ROOT / "gridftp", *sorted((ROOT / "launcher").glob("*.py"))]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_it_parses_on_python_3_8(part: Path) -> None:
    ast.parse(part.read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_it_needs_the_standard_library_only(part: Path) -> None:
    tree = ast.parse(part.read_text(encoding="utf-8"))
    names = {
        alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        (node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 0
    }
    assert names <= {*sys.stdlib_module_names, "launcher"}
