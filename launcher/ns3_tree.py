"""Build the module in an ns-3 source tree, with those modules that it needs, and run its suites.

The tree is only read. A folder of build/ has links to everything in it, and a contrib of its own
with a link to this repository's module: what ns-3's CMake writes goes there. A second run compiles
what has changed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from . import joined, sources
from .build import digest, find_compiler
from .messages import UserError, say
from .places import BUILD, ROOT
from .processes import follow, logged, only_one
from .progress import CMAKE_STEP, Progress

OPTION = "--ns3-tree"
FIRST_MINOR = 44
"""The module needs ns-3.44 or newer."""

SUITES = ("gridftp", "gridftp-long")
DRAWN_SUITES = "gridftp-drawn-"
"""With --extensive, all suites that begin so, too."""
DRAWS, EXTENSIVE_DRAWS = 25, 100
"""Of the random transfers of a suite, %, see CountDraws()."""

MARKS = ("VERSION", "CMakeLists.txt", "src/core/CMakeLists.txt", "src/internet/CMakeLists.txt")
"""What an ns-3 source tree has."""

NOT_LINKED = ("build", "cmake-cache", "contrib", "scratch", ".git")
"""What of the tree is its own: what it was built to, other people's modules and programs."""

SETTINGS = {
    "CMAKE_BUILD_TYPE": "default",
    "NS3_ASSERT": "ON",
    "NS3_LOG": "ON",
    "NS3_TESTS": "ON",
    "NS3_EXAMPLES": "OFF",
    "NS3_PYTHON_BINDINGS": "OFF",
    "NS3_ENABLED_MODULES": "gridftp",
    "NS3_FILTER_MODULE_EXAMPLES_AND_TESTS": "gridftp",
    # What ns-3's own sources warn of with this compiler is not the module's affair
    "NS3_WARNINGS": "ON",
    "NS3_WARNINGS_AS_ERRORS": "OFF",
    "GRIDFTP_STRICT": "ON",
}

# What a test runner prints with --verbose of a suite or of a case, indented by its depth.
REPORT = re.compile(r"(?P<indent> *)(?P<status>PASS|FAIL) (?P<name>.*) [0-9.]+ s")
# The case whose name says which rules the engines are compared by.
RULES = re.compile(r" *\w+ (engines: compared by .*) [0-9.]+ s")
MOST_SHOWN = 40
"""Lines that are shown of a suite that fails."""


def read_report(text: str) -> tuple[int, int]:
    """Passed and failed test cases: the lines that no deeper line follows."""
    lines = [found for line in text.splitlines() if (found := REPORT.fullmatch(line))]
    depths = [len(line["indent"]) for line in lines] + [0]
    leaves = [line for i, line in enumerate(lines) if depths[i + 1] <= depths[i]]
    failed = sum(line["status"] == "FAIL" for line in leaves)
    return len(leaves) - failed, failed


def parse(words: list[str]) -> tuple[Path, bool]:
    """The tree and whether --extensive is asked for, from the words after `test`."""
    path, extensive = "", False
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name == OPTION:
            path = value if equals else next(rest, "")
        elif word == "--extensive":
            extensive = True
        else:
            raise UserError(f"test {OPTION}: '{word}' is not an option; allowed: --extensive", 2)
    if not path:
        raise UserError(f"test {OPTION}: the path of an ns-3 source tree is missing", 2)
    return Path(path).expanduser().resolve(), extensive


def read_version(tree: Path) -> str:
    """The version of an ns-3 source tree, such as 3.48 or 3-dev; refused where it is none."""
    missing = next((mark for mark in MARKS if not (tree / mark).is_file()), None)
    if missing:
        raise UserError(f"no ns-3 source tree in '{tree}': {missing} is missing", 2)
    version = (tree / "VERSION").read_text(encoding="utf-8", errors="replace").strip()
    found = re.fullmatch(r"3(?:\.(\d+)(?:\.\d+)?)?(?:-\w+)?", version)
    if not found:
        raise UserError(f"'{tree}/VERSION' has '{version[:40]}', which is not a version of ns-3", 2)
    if found[1] and int(found[1]) < FIRST_MINOR:
        allowed = f"allowed: 3.{FIRST_MINOR} and newer"
        raise UserError(f"ns-3 {version} in '{tree}' is too old for the module; {allowed}", 2)
    return version


def link(tree: Path, folder: Path) -> Path:
    """A tree in `folder` that has what `tree` has, but for contrib, where this module is."""
    copy = folder / "tree"
    for place in ("contrib", "scratch"):
        (copy / place).mkdir(parents=True, exist_ok=True)
    wanted = {
        copy / entry.name: entry
        for entry in tree.iterdir()
        if entry.name not in NOT_LINKED and not entry.name.startswith(".lock-ns3")
    }
    wanted[copy / "contrib/gridftp"] = ROOT / sources.MODULE
    wanted[copy / "scratch/CMakeLists.txt"] = tree / "scratch/CMakeLists.txt"
    for place in (copy, copy / "contrib", copy / "scratch"):
        for entry in place.iterdir():
            if entry.is_symlink() and (entry not in wanted or entry.readlink() != wanted[entry]):
                entry.unlink()
    for entry, target in wanted.items():
        if not entry.is_symlink():
            entry.symlink_to(target)
    return copy


def write_units(folder: Path) -> None:
    """The module's sources and tests, several to be compiled at once, which halves the time."""
    folder.mkdir(exist_ok=True)
    headers = sources.files(sources.folders(), ".h")
    tests = sources.ROOT / sources.MODULE / "test"
    of_core = [room for room in sources.folders("test") if room.is_relative_to(tests / "core")]
    others = [room for room in sources.folders("test") if room not in of_core]
    # Names of core are also names of ns-3's, which what includes core alone does not see
    core = sources.ROOT / sources.MODULE / "core"
    core_files = sources.files(sources.folders("core"), ".cc")
    made = {"module-core": joined.core_units(core, core_files, headers)}
    parts = {
        "module-rest": (sources.folders("model", "helper"), joined.MODULE_BYTES),
        "test-core": (of_core, joined.TEST_BYTES),
        "test-rest": (others, joined.TEST_BYTES),
    }
    wanted = {}
    for name, (rooms, most) in parts.items():
        # ns-3 brings its own test runner
        files = [file for file in sources.files(rooms, ".cc") if file.name != "test-runner.cc"]
        made[name] = joined.units(files, most, headers)
    for name, units in made.items():
        for number, unit in enumerate(units, 1):
            wanted[folder / f"{name}-{number}.cc"] = unit.text
    for old in folder.iterdir():
        if old not in wanted:
            old.unlink()
    for file, text in wanted.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def build(copy: Path, log: Path) -> None:
    """Configure and compile; where that fails, show what the compiler says."""
    cache, units = copy / "cmake-cache", copy.parent / "units"
    write_units(units)
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    settings = [f"-D{name}={value}" for name, value in SETTINGS.items()]
    settings.append(f"-DGRIDFTP_UNITS={units}")
    configure = ["cmake", "-S", str(copy), "-B", str(cache), *generator, *settings]
    logged(configure, log, "the configuration failed")
    jobs = str(len(os.sched_getaffinity(0)))
    command = ["cmake", "--build", str(cache), "--target", "test-runner", "--parallel", jobs]
    logged(command, log, "the build failed", progress=Progress(log.stem, CMAKE_STEP))


def find_runner(copy: Path) -> Path:
    """The newest test runner in the tree."""
    found = [
        file
        for file in (copy / "build/utils").glob("ns3*test-runner*")
        if os.access(file, os.X_OK) and file.is_file()
    ]
    if not found:
        raise UserError(f"the build has made no test runner in '{copy}/build/utils'")
    return max(found, key=lambda file: file.stat().st_mtime)


def run_suite(runner: Path, name: str, draws: int, log: Path) -> tuple[int, int]:
    """Run a suite and print what it gave, first by which rules the engines are compared."""
    started = time.monotonic()
    scratch = log.parent / f"{log.stem}-files"
    scratch.mkdir(exist_ok=True)
    command = [str(runner), f"--suite={name}", "--verbose", f"--tempdir={scratch}"]
    status, output = follow(command, log, {**os.environ, "GRIDFTP_TEST_DRAWS": str(draws)})
    shutil.rmtree(scratch, ignore_errors=True)
    passed, failed = read_report("\n".join(output))
    if (status and not failed) or not passed + failed:
        failed += 1
        output.append(f"exit status {status}")
    for line in output:
        if found := RULES.fullmatch(line):
            print(found[1])
    seconds = time.monotonic() - started
    print(f"suite {name}: {passed} passed, {failed} failed, {seconds:.0f} s", flush=True)
    if failed:
        wrong = [line[:300] for line in output if not re.match(r" *PASS ", line)]
        print(*wrong[:MOST_SHOWN], sep="\n")
    return passed, failed


def list_suites(runner: Path, extensive: bool) -> tuple[str, ...]:
    """The names of the suites to run."""
    if not extensive:
        return SUITES
    done = subprocess.run([runner, "--list"], capture_output=True, text=True, check=False)
    return (*SUITES, *(name for name in done.stdout.split() if name.startswith(DRAWN_SUITES)))


def test_in_tree(words: list[str]) -> int:
    """What `./gridftp test --ns3-tree PATH` does; returns the exit status."""
    tree, extensive = parse(words)
    version = read_version(tree)
    find_compiler()
    if not shutil.which("cmake"):
        raise UserError(
            "cmake is missing, which ns-3 is built with: sudo apt install cmake ninja-build"
        )
    if (tree / "contrib/gridftp").exists():
        say(f"'{tree}/contrib/gridftp' is left out: the module of this repository is tested")
    folder = BUILD / f"ns3-tree-{tree.name}-{digest(str(tree))[:8]}"
    folder.mkdir(parents=True, exist_ok=True)
    log = BUILD / f"{folder.name}.log"
    say(f"the module in ns-3 {version}, built in build/{folder.name}")
    with only_one(folder / "lock"):
        log.write_text("", encoding="utf-8")
        copy = link(tree, folder)
        build(copy, log)
        runner = find_runner(copy)
        draws = EXTENSIVE_DRAWS if extensive else DRAWS
        counts = [run_suite(runner, name, draws, log) for name in list_suites(runner, extensive)]
    passed, failed = map(sum, zip(*counts, strict=True))
    print(f"ns-3 {version}: no warnings, {passed} passed, {failed} failed")
    return 1 if failed else 0
