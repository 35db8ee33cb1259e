"""Makes engine.wasm: the module's core and ``lab/engine`` as WebAssembly."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from experiments.programs.program import locate
from launcher.sources import lab_files

from . import folders

FLAGS = (
    "-target",
    "wasm32-wasi",
    "-mexec-model=reactor",
    "-std=c++20",
    "-O3",
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
    command = [sys.executable, "-m", "ziglang", "c++", *FLAGS, *includes]
    cache = str(folders.BUILD / "compiler-cache")
    folders.logged(
        [*command, *sources, str(commit), "-o", str(part)],
        folders.BUILD / "engine.log",
        "the compilation of the engine",
        env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache},
        cwd=folders.BUILD,
    )
    part.chmod(0o644)
    part.replace(built)
    mark.write_text(state, encoding="utf-8")
    return built
