"""The rooms of the Python packages: each imports from those before it alone."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from conftest import ROOT


def rooms(package: str) -> list[str]:
    """Return the rooms in the order that the package's docstring gives."""
    text = import_module(package).__doc__ or ""
    told = re.search(r"those before it: (.*?)\.\n", text, re.DOTALL)
    assert told, f"{package} does not name its rooms"
    return re.findall(r"``(\w+)``", told[1])


def imported(file: Path) -> Iterator[str]:
    """Yield the modules that a file of the repository imports, by their whole names."""
    package = file.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, [base, node.module]))
            yield from (f"{module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("package", ["experiments", "analysis"])
def test_no_room_imports_from_one_after_it(package: str) -> None:
    order = rooms(package)
    assert sorted(order) == sorted(
        folder.name for folder in (ROOT / package).iterdir() if (folder / "__init__.py").exists()
    )
    back = [
        f"{file.relative_to(ROOT)} imports {module}"
        for place, room in enumerate(order)
        for file in sorted((ROOT / package / room).glob("*.py"))
        for module in imported(file)
        if module.startswith(f"{package}.") and module.split(".")[1] in order[place + 1 :]
    ]
    assert back == []


def test_reading_results_starts_no_program() -> None:
    back = [
        f"{file.relative_to(ROOT)} imports {module}"
        for file in (ROOT / "analysis").rglob("*.py")
        for module in imported(file)
        if module.split(".")[0] in ("experiments", "lab", "subprocess")
    ]
    assert back == []


@pytest.mark.parametrize("package", ["experiments", "analysis", "tests"])
def test_no_folder_holds_more_than_thirty_sources(package: str) -> None:
    folders = {file.parent for file in (ROOT / package).rglob("*.py")}
    assert [f for f in folders if len(list(f.glob("*.py"))) > 30] == []


@pytest.mark.parametrize("verb", ["sweep", "profile", "store"])
def test_what_needs_no_tables_starts_without_them(verb: str) -> None:
    code = (
        f"import sys, experiments.__main__, experiments.verbs.{verb}\n"
        "sys.exit(' '.join({'pandas', 'numpy', 'matplotlib'} & sys.modules.keys()) or 0)"
    )
    started = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (started.returncode, started.stderr) == (0, "")
