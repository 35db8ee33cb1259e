"""Makes engine.wasm: ``contrib/gridftp/core`` and ``lab/engine`` as WebAssembly."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from experiments.programs import locate

from . import folders

CORE = folders.ROOT / "contrib" / "gridftp" / "core"
ENGINE = folders.LAB / "engine"

OF_THE_SYSTEM = {"gridftp-cost", "gridftp-segment-engine", "gridftp-trace-files"}
"""Sources of the core that need a file system or a process: what writes traces, counts memory."""

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


def sources() -> list[Path]:
    """Return the C++ sources of the engine."""
    core = [file for file in sorted(CORE.glob("*.cc")) if file.stem not in OF_THE_SYSTEM]
    return [*core, *sorted(ENGINE.glob("*.cc"))]


def make() -> Path:
    """Compile the engine if anything of it has changed, and return where it is.

    Raises:
        ProgramError: the compiler fails.
    """
    built = folders.BUILD / "engine.wasm"
    mark = folders.BUILD / "engine.made-of"
    provenance = locate("gridftp-transfer").provenance
    about = _COMMIT.format(version=provenance["version"], commit=provenance["commit"])
    headers = [*sorted(CORE.glob("*.h")), *sorted(ENGINE.glob("*.h"))]
    state = folders.digest([*sources(), *headers], *FLAGS, about)
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
    command = [sys.executable, "-m", "ziglang", "c++", *FLAGS, f"-I{CORE}", f"-I{ENGINE}"]
    cache = str(folders.BUILD / "compiler-cache")
    folders.logged(
        [*command, *map(str, sources()), str(commit), "-o", str(part)],
        folders.BUILD / "engine.log",
        "the compilation of the engine",
        env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache},
        cwd=folders.BUILD,
    )
    part.chmod(0o644)
    part.replace(built)
    mark.write_text(state, encoding="utf-8")
    return built
