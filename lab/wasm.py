"""Makes engine.wasm: the module's core and ``lab/engine`` as WebAssembly."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from experiments.programs.program import locate
from launcher.sources import lab_files

from . import folders

FLAGS = (
    "-target",
    "wasm32-wasi",
    "-mexec-model=reactor",
    "-std=c++20",
    # Smaller than -O3 with its own threshold: the page has a bound
    "-O2",
    "-mllvm",
    "-inline-threshold=150",
    "-fno-exceptions",
    "-fno-rtti",
    "-s",
    "-Wall",
    "-Wextra",
    "-Werror",
)

_COMMIT = """\
extern const char* const g_labVersion;
extern const char* const g_labCommit;
const char* const g_labVersion = "{version}";
const char* const g_labCommit = "{commit}";
"""


def make() -> Path:
    """Compile the engine if anything of it has changed, and return where it is.

    Raises:
        ProgramError: the compiler fails.
    """
    built = folders.BUILD / "engine.wasm"
    mark = folders.BUILD / "engine.made-of"
    provenance = locate("gridftp-transfer").provenance
    about = _COMMIT.format(version=provenance["version"], commit=provenance["commit"])
    sources = [str(file) for file in lab_files(".cc")]
    state = folders.digest(lab_files(), *FLAGS, about)
    if built.is_file() and folders.is_made(mark, state):
        return built
    print(
        "gridftp lab: compiling the engine for the browser (two minutes the first time; "
        "log in build/lab/engine.log)",
        file=sys.stderr,
        flush=True,
    )
    # In a file of its own: all others stay in the compiler's cache when only the commit changes
    commit = folders.BUILD / "lab-commit.cc"
    commit.write_text(about, encoding="utf-8")
    part = folders.BUILD / "engine.part.wasm"
    includes = [f"-I{folder}" for folder in dict.fromkeys(file.parent for file in lab_files(".h"))]
    standard = folders.BUILD / "standard.h"
    standard.write_text(standard_headers(lab_files()), encoding="utf-8")
    parsed = standard.with_suffix(".pch")
    _compile(["-x", "c++-header", str(standard), "-o", str(parsed)])
    _compile(["-include-pch", str(parsed), *includes, *sources, str(commit), "-o", str(part)])
    part.chmod(0o644)
    part.replace(built)
    mark.write_text(state, encoding="utf-8")
    return built


def standard_headers(files: Iterable[Path]) -> str:
    """Return a header that includes what these sources include of the standard library.

    To parse it once takes a third of what it takes in each of them.
    """
    names = {
        name
        for file in files
        for name in re.findall(r"^#include (<\w+>)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    return "".join(f"#include {name}\n" for name in sorted(names))


def _compile(words: list[str]) -> None:
    cache = str(folders.BUILD / "compiler-cache")
    folders.logged(
        [sys.executable, "-m", "ziglang", "c++", *FLAGS, *words],
        folders.BUILD / "engine.log",
        "the compilation of the engine",
        env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache},
        cwd=folders.BUILD,
    )
