"""Makes engine.wasm.gz: the module's core and ``lab/engine`` as WebAssembly, compressed."""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
from collections.abc import Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

from experiments.programs.program import locate
from launcher.joined import units
from launcher.sources import lab_files

from . import folders

FLAGS = (
    "-target",
    "wasm32-wasi",
    "-mexec-model=reactor",
    "-std=c++20",
    # As fast as -O3 with its own threshold, and smaller
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

UNIT_BYTES = 360_000
"""Of sources that are compiled as one: a tenth less to do than with half as many."""

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
    built = folders.BUILD / "engine.wasm.gz"
    mark = folders.BUILD / "engine.made-of"
    provenance = locate("gridftp-transfer").provenance
    about = _COMMIT.format(version=provenance["version"], commit=provenance["commit"])
    state = folders.digest(lab_files(), *FLAGS, about)
    if built.is_file() and folders.is_made(mark, state):
        return built
    print(
        "gridftp lab: compiling the engine for the browser (a minute or two the first time; "
        "logs in build/lab)",
        file=sys.stderr,
        flush=True,
    )
    # In a file of its own: all others stay in the compiler's cache when only the commit changes
    commit = folders.BUILD / "lab-commit.cc"
    commit.write_text(about, encoding="utf-8")
    part = folders.BUILD / "engine.part.wasm"
    # One call of the compiler takes its sources one after the other
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        # The libraries of C and C++, which the first program that is linked has made
        made = pool.submit(_compile, "libraries", [str(commit), "-o", str(part)])
        objects = _objects(pool)
        made.result()
    _compile("engine", [*objects, str(commit), "-o", str(part)])
    compress(part, built)
    part.unlink()
    mark.write_text(state, encoding="utf-8")
    return built


def _objects(pool: Executor) -> list[str]:
    """Compile the sources, several as one; return the objects."""
    shared = folders.BUILD / "standard.h"
    shared.write_text(standard_headers(lab_files()), encoding="utf-8")
    parsed = shared.with_suffix(".pch")
    _compile("standard", ["-x", "c++-header", str(shared), "-o", str(parsed)])
    includes = [f"-I{folder}" for folder in dict.fromkeys(file.parent for file in lab_files())]
    words = ["-include-pch", str(parsed), *includes, "-c"]

    def compiled(name: str, text: str) -> str:
        unit = folders.BUILD / f"{name}.cc"
        unit.write_text(text, encoding="utf-8")
        built = str(unit.with_suffix(".o"))
        _compile(name, [*words, str(unit), "-o", built])
        return built

    texts = [unit.text for unit in units(lab_files(".cc"), UNIT_BYTES, lab_files(".h"))]
    names = [f"unit-{number}" for number in range(1, len(texts) + 1)]
    return list(pool.map(compiled, names, texts))


def compress(file: Path, built: Path) -> None:
    """Write a file as gzip, the same bytes for the same contents: no name, no time.

    A reader has to download a third then, from any static host. The page decompresses it.
    """
    part = built.with_suffix(".part")
    part.write_bytes(zipped(file.read_bytes()))
    part.replace(built)


def zipped(data: bytes) -> bytes:
    """Return data as gzip, the same bytes for the same data with every Python: no name, no time.

    (`gzip.compress` of 3.11 and 3.12 has zlib's operating system in the header, that of 3.13 none.)
    """
    stream = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, stream, mtime=0) as file:
        file.write(data)
    return stream.getvalue()


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


def _compile(name: str, words: list[str]) -> None:
    cache = str(folders.BUILD / "compiler-cache")
    folders.logged(
        [sys.executable, "-m", "ziglang", "c++", *FLAGS, *words],
        folders.BUILD / f"{name}.log",
        "the compilation of the engine",
        env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache},
        cwd=folders.BUILD,
    )
