"""Every document against the repository: each command that it shows, each path that it names."""

from __future__ import annotations

import functools
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import manual_pages
import pytest
from conftest import ROOT, Runner

MODULE = ROOT / "contrib/gridftp"

# Made by ./gridftp, the last one in an archive alone, and no place for documentation.
GENERATED = ("build", "results", "site")
TREES = [entry for entry in ROOT.iterdir() if entry.name[0] != "." and entry.name not in GENERATED]
FILES = [file for tree in TREES for file in ([tree] if tree.is_file() else tree.rglob("*"))]
DOCUMENTS = sorted(file for file in FILES if file.suffix in (".md", ".rst"))
each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)


def commands(document: Path, *programs: str) -> Iterator[list[str]]:
    """The options of every command in a document that starts one of the programs."""
    text = document.read_text(encoding="utf-8").replace("\\\n", " ")
    names = "|".join(re.escape(name) for name in programs)
    for found in re.finditer(rf"(?:{names})((?: +--[^\s`]+(?: +[a-z-]+=[^\s`]+)?)+)", text):
        yield shlex.split(found[1])


@pytest.fixture(scope="module")
def launcher_commands() -> list[str]:
    """Return the commands that ./gridftp --help lists."""
    help_text = subprocess.run(
        [sys.executable, ROOT / "gridftp", "--help"], capture_output=True, text=True, check=True
    ).stdout
    found = re.findall(r"^  ([\w-]+)  ", help_text, re.M)
    assert "run" in found
    return found


@each_document
def test_launcher_commands_exist(document: Path, launcher_commands: list[str]) -> None:
    named = re.findall(r"\./gridftp +([a-z][\w-]*)", document.read_text(encoding="utf-8"))
    assert sorted(set(named) - set(launcher_commands)) == []


@pytest.fixture(scope="module")
def run_optimum(run_program: Runner) -> Runner:
    """Return a function that runs gridftp-optimum, once for each command of several documents."""
    return functools.cache(functools.partial(run_program, "gridftp-optimum"))


@each_document
def test_documented_commands_are_accepted(
    document: Path, run_program: Runner, run_optimum: Runner
) -> None:
    for options in commands(document, "./gridftp run", "gridftp-transfer"):
        if any(word.startswith("--batch") for word in options):
            continue  # its scenarios are in a file
        done = run_program("gridftp-transfer", *options, "--resolve")
        assert done.returncode == 0, done.stderr
    for options in commands(document, "./gridftp optimum", "gridftp-optimum"):
        if not any(word.startswith(("--figure", "--csv")) for word in options):
            done = run_optimum(*options)
            assert done.returncode == 0, done.stderr


def paths(text: str) -> Iterator[str]:
    """What is a path of this repository in code spans and links.

    Those are names with a suffix of sources, names that end with a slash or start with a folder of
    the repository, and targets of links. Not: what a run makes, ns-3's own files, and names with a
    <placeholder>.
    """
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not re.match(r"\w+:", target):
            yield target
    suffixes = "cc|h|py|md|rst|toml|tcl|txt|json|cff"
    top = "|".join(re.escape(tree.name) for tree in TREES if tree.is_dir())
    for span in re.findall(r"``([^`]+)``|`([^`\n]+)`", text):
        for word in "".join(span).split():
            token = word.strip(",;:()").removesuffix(".").removeprefix("./")
            if not re.fullmatch(
                rf"[\w.*-]+(/[\w.*-]+)*(/|\.({suffixes}))|({top})(/[\w.*-]+)+", token
            ):
                continue
            foreign = (*(f"{name}/" for name in GENERATED), ".venv/", "src/")
            if token.startswith(foreign) or re.match("ns3/(?!gridftp)", token):
                continue
            yield token.removeprefix("ns3/")


@each_document
def test_paths_exist(document: Path) -> None:
    names = {file.name for file in FILES}
    missing = [
        path
        for path in paths(document.read_text(encoding="utf-8"))
        if not any(next(base.glob(path), None) for base in (ROOT, MODULE, document.parent))
        and ("/" in path or path not in names)
    ]
    assert missing == []


def test_paths_are_found_in_text() -> None:
    text = (
        "``core/a.h``, `b.py`, see [c](doc/c.png#x) and ``./tests/``; ``results/fig3.json``, "
        "[ns-3](https://www.nsnam.org), ``contrib/gridftp/core``, ``src/core/model/d.h``, "
        "``bit/s``, ``core/<name>.cc``, ``ns3/gridftp-e.h``, ``ns3/core-module.h``"
    )
    found = ["doc/c.png", "core/a.h", "b.py", "tests/", "contrib/gridftp/core", "gridftp-e.h"]
    assert list(paths(text)) == found


@pytest.mark.parametrize(
    "document", [*manual_pages.PAGES, MODULE / "doc/adding.md"], ids=lambda f: f.name
)
def test_the_module_s_documents_are_ascii(document: Path) -> None:
    assert document.read_text(encoding="utf-8").isascii()
