"""What `./gridftp test` does: style, the module's ns-3 suites, the same under sanitizers, pytest.

The suites, and the build with sanitizers, go on beside pytest, which leaves cores idle. Mutants,
which take hours, only where they are asked for.

Every check is counted, a suite's test cases and pytest's tests one by one, and the last line says
`N passed, N failed`. The exit status is 1 if any failed or a part that was asked for counted none.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from launcher import sources
from launcher.ns3_tree import DRAWN_SUITES, DRAWS, EXTENSIVE_DRAWS, read_report

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(sys.executable).parent


class Runner(NamedTuple):
    """A test runner: where it is, and what of it is run without --extensive."""

    # The variable of the environment that has its folder.
    folder: str
    suites: tuple[str, ...]
    # What tests in C++ draw of what they can, %, see CountDraws().
    draws: int


# A quarter shows what is broken for many; --extensive and mutants run the rest, and gridftp-long.
# Few draws show what sanitizers look for.
RUNNERS = {
    "cpp": Runner("GRIDFTP_BUILD_DIR", ("gridftp",), DRAWS),
    "sanitize": Runner("GRIDFTP_SANITIZE_DIR", ("gridftp",), 8),
}
EXTENSIVE_SUITES = ("gridftp", "gridftp-long")
# Stack use after return takes a fifth of the time, and the compiler warns of most cases. Short call
# stacks of allocations and a small quarantine of freed memory save a third.
ASAN_USUAL = "detect_stack_use_after_return=0:malloc_context_size=3:quarantine_size_mb=32"
ASAN_EXTENSIVE = "detect_stack_use_after_return=1"
# A suite that takes longer than this (s) hangs.
PATIENCE = 3600

CLANG_FORMAT = "clang-format"


@dataclass
class Count:
    """Passed and failed checks so far."""

    passed: int = 0
    failed: int = 0

    def add(self, passed: int, failed: int) -> None:
        """Count more of them."""
        self.passed += passed
        self.failed += failed


def run(command: list[str | Path], **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command from the repository's root, its two outputs as one text."""
    try:
        return subprocess.run(
            [str(word) for word in command],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, f"no end after {PATIENCE} s\n")


def check(count: Count, commands: dict[str, list[str | Path]]) -> None:
    """Count commands, by name, which say nothing worth showing unless they fail."""

    def timed(command: list[str | Path]) -> tuple[subprocess.CompletedProcess[str], float]:
        started = time.monotonic()
        return run(command), time.monotonic() - started

    # Each takes one core
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        done = pool.map(timed, commands.values())
        for name, (result, seconds) in zip(commands, done, strict=True):
            tell(name, result.returncode == 0, f"{seconds:.1f} s")
            if result.returncode:
                brief = unformatted if name == CLANG_FORMAT else str
                print(brief(result.stdout), end="")
            count.add(result.returncode == 0, result.returncode != 0)


def unformatted(complaints: str) -> str:
    """The files that clang-format would change, and how to let it."""
    files = dict.fromkeys(re.findall(r"^(.*?):\d+:\d+: error", complaints, re.MULTILINE))
    names = [str(Path(file).relative_to(ROOT)) for file in files]
    fix = ".venv/bin/clang-format -i"
    return f"put right by: {fix} {' '.join(names)}\n" if names else complaints


def tell(name: str, good: bool, detail: str) -> None:
    """One line per check."""
    print(f"{'ok  ' if good else 'FAIL'}  {name} ({detail})", flush=True)


def style(count: Count, options: argparse.Namespace) -> None:
    """Formatting and lint; of the extensive ones, headers of core/, one by one.

    That core/ needs no ns-3 and no exceptions, the build sees, which gives it neither; that each
    header includes what it needs, tests/launcher/test_includes.py sees, as far as it can tell.
    """
    lab_tool = [sys.executable, "-P", "-m", "lab.tools"]
    pages = [".", "../analysis/report"]
    commands = {
        CLANG_FORMAT: [TOOLS / "clang-format", "--dry-run", "-Werror", *sources.all_files()],
        "ruff check": [TOOLS / "ruff", "check", "."],
        "ruff format": [TOOLS / "ruff", "format", "--check", "."],
        "biome: the lab's page, the report's": [
            *lab_tool, "biome", "check", "--error-on-warnings", *pages,
        ],
        "tsc: the lab's page, the report's": [*lab_tool, "tsc", "-p", "."],
    }  # fmt: skip
    check(count, commands)

    if options.extensive:
        files = sources.files(sources.folders("core"), ".h")
        bad = unfit_alone(files)
        tell("core/ alone", not bad, f"{len(files)} headers, each by itself")
        print(*bad, sep="", end="")
        count.add(len(files) - len(bad), len(bad))


def unfit_alone(files: list[Path]) -> list[str]:
    """What the compiler says of those headers of core/ that do not do by themselves.

    Each is compiled, as the build compiles several sources at once, where few headers come first.
    The standard library's are parsed once for all of them, which halves the time; that each header
    includes those it needs, tests/launcher/test_includes.py sees.
    """
    flags = ["-std=c++20", "-fno-exceptions", "-Wall", "-Wextra", "-Werror"]
    compiler = [*os.environ.get("CXX", "g++").split(), *flags]
    includes = [f"-I{folder}" for folder in sources.folders("core")]
    standard = {
        line for file in files for line in re.findall(r"^#include <\w+>", file.read_text(), re.M)
    }
    with tempfile.TemporaryDirectory(prefix="gridftp-test-") as scratch:
        parsed = Path(scratch, "standard.h")
        parsed.write_text("\n".join([*sorted(standard), ""]))
        run([*compiler, "-x", "c++-header", parsed, "-o", f"{parsed}.gch"])
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            # -include, as a header that is compiled itself is warned of its #pragma once
            command = [*compiler, *includes, "-fsyntax-only", "-x", "c++", "-include", parsed]
            results = pool.map(lambda file: run([*command, "-include", file, os.devnull]), files)
            return [result.stdout for result in results if result.returncode]


class Beside:
    """What goes on beside the other parts, one job after the other; told of in the end.

    A part that has its work done here is not over before finish().

    Attributes:
        stopped: whether jobs are to begin nothing more.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1)
        self._others: list[subprocess.Popen[bytes]] = []
        self._jobs: list[Future[None]] = []
        self._told: list[Callable[[], None]] = []
        self.stopped = False

    def start(self, job: Callable[[], object]) -> None:
        """Do this once the jobs before it are done."""

        def unless_stopped() -> None:
            if not self.stopped:
                job()

        self._jobs.append(self._pool.submit(unless_stopped))

    def wait_for(self, process: subprocess.Popen[bytes]) -> None:
        """Wait for this one, too, in the end; whoever needs what it makes tells if it failed."""
        self._others.append(process)

    def tell(self, name: str, good: bool, detail: str, shown: str = "") -> None:
        """Tell in the end, when nothing else is shown, and show this, too."""

        def later() -> None:
            tell(name, good, detail)
            print(shown, end="")

        self._told.append(later)

    def finish(self) -> None:
        """Wait for all of it, and tell what it gave."""
        for process in self._others:
            process.wait()
        for job in self._jobs:
            job.result()
        for later in self._told:
            later()

    def stop(self) -> None:
        """Begin nothing more: what has begun has had the signal that this process had."""
        self.stopped = True
        self._pool.shutdown(cancel_futures=True)


def run_suites(count: Count, options: argparse.Namespace, label: str) -> None:
    """Run the suites of a runner, which has to have them."""
    of = RUNNERS[label]
    runner = Path(os.environ[of.folder], "gridftp-test-runner")
    has = run([runner, "--list"]).stdout.split()
    names, draws = of.suites, of.draws
    if options.extensive:
        drawn = [name for name in has if name.startswith(DRAWN_SUITES)]
        names, draws = (*EXTENSIVE_SUITES, *(drawn or [DRAWN_SUITES])), EXTENSIVE_DRAWS
    for name in names:
        if options.beside.stopped:
            return
        title = f"{label}: suite {name}"
        if name not in has:
            detail = f"the runner has: {' '.join(has) or 'none'}"
            options.beside.tell(title, False, detail)
            count.add(0, 1)
            continue
        with tempfile.TemporaryDirectory(prefix="gridftp-test-") as scratch:
            result = run(
                [runner, f"--suite={name}", "--verbose", f"--tempdir={scratch}"],
                ASAN_OPTIONS=ASAN_EXTENSIVE if options.extensive else ASAN_USUAL,
                UBSAN_OPTIONS="print_stacktrace=1",
                GRIDFTP_TEST_DRAWS=str(draws),
            )
        passed, failed = read_report(result.stdout)
        if result.returncode and not failed:
            failed = 1  # a crash, or a complaint of a sanitizer
        shown = f"{result.stdout}exit status {result.returncode}\n" if failed else ""
        options.beside.tell(
            title, not failed and passed > 0, f"{passed} passed, {failed} failed", shown
        )
        count.add(passed, failed)


def build(count: Count, label: str, *options: str) -> bool:
    """Have the programs; a build that fails is a failed check."""
    good, detail, shown = built(*options)
    tell(f"{label}: build", good, detail)
    print(shown, end="")
    count.add(good, not good)
    return good


def built(*options: str) -> tuple[bool, str, str]:
    """Build: whether it could be done, how long it took, and what it said if it failed."""
    started = time.monotonic()
    result = run([sys.executable, ROOT / "gridftp", "build", *options])
    good = result.returncode == 0
    return good, f"{time.monotonic() - started:.1f} s", "" if good else result.stdout


def cpp(count: Count, options: argparse.Namespace) -> None:
    """The module's suites."""
    if build(count, "cpp"):
        options.beside.start(lambda: run_suites(count, options, "cpp"))


def sanitize(count: Count, options: argparse.Namespace) -> None:
    """The same with AddressSanitizer and UBSan in the module, though not in ns-3."""

    def build_and_run() -> None:
        good, detail, shown = built("--sanitize")
        options.beside.tell("sanitize: build", good, detail, shown)
        count.add(good, not good)
        if good:
            run_suites(count, options, "sanitize")

    options.beside.start(build_and_run)


def python(count: Count, options: argparse.Namespace) -> None:
    """Pytest, which shows its own progress."""
    if not build(count, "python"):
        return
    if not options.words:
        # Many tests wait for the lab's engine; made now, it is there when the first one asks.
        make = [sys.executable, "-P", "-c", "from lab import site; site.make()"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        options.beside.wait_for(subprocess.Popen(make, cwd=ROOT, **quiet))
    with tempfile.TemporaryDirectory(prefix="gridftp-test-") as scratch:
        report = Path(scratch, "pytest.xml")
        # A file at a time each: what a file sets up once is set up once. Two more than there are
        # cores, as many wait for a browser, a clock or another process.
        cores = [f"--numprocesses={len(os.sched_getaffinity(0)) + 2}", "--dist=loadfile"]
        # In their own order few long tests do not all come last
        cores.append("--no-loadscope-reorder")
        # What goes on beside it would else be what all wait for in the end
        command = ["nice", "-n", "5", sys.executable, "-P", "-m", "pytest"]
        command += [f"--junitxml={report}", *cores]
        command += ["-m", ""] if options.extensive else []
        command += options.words
        environment = keep_compiled(Path(scratch, "compiled"), compiled=bool(options.words))
        status = subprocess.run(command, cwd=ROOT, env=environment).returncode
        passed, failed = 0, 0
        if report.is_file():
            for suite in ElementTree.parse(report).iter("testsuite"):
                bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
                passed += int(suite.get("tests", 0)) - bad - int(suite.get("skipped", 0))
                failed += bad
    if status and not failed:
        failed = 1
    tell("pytest", not failed, f"{passed} passed, {failed} failed")
    count.add(passed, failed)


def keep_compiled(folder: Path, compiled: bool) -> dict[str, str]:
    """The environment with compiled modules kept, in this folder where Python is to keep none.

    Tests start hundreds of processes, each of which would compile what it imports. What the tests
    themselves import is compiled here, once, and not by all workers at the same time; unless it is
    `compiled` soon enough, as for a few tests.
    """
    environment = dict(os.environ)
    if environment.pop("PYTHONDONTWRITEBYTECODE", ""):
        environment["PYTHONPYCACHEPREFIX"] = str(folder)
        if compiled:
            return environment
        collect = [sys.executable, "-P", "-m", "pytest", "--collect-only", "--quiet"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(collect, cwd=ROOT, env=environment, check=False, **quiet)
    return environment


def mutants(count: Count, options: argparse.Namespace) -> None:
    """Whether the tests notice one-line changes of the sources; it shows its own progress."""
    if not build(count, "mutants"):
        return
    command = [sys.executable, "-P", "-m", "tests.mutants", *options.words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        last = ""
        for line in process.stdout:
            print(line, end="", flush=True)
            last = line
    found = re.match(r"mutants: (\d+) passed, (\d+) failed", last)
    passed, failed = map(int, found.groups()) if found else (0, 1)
    count.add(passed, failed or int(not passed))  # scripts none of which applies test nothing


def packetdrill(count: Count, options: argparse.Namespace) -> None:
    """Scripts of packetdrill on the Linux stack, those of a folder; see tests/packetdrill."""
    if not build(count, "packetdrill"):
        return
    command = [sys.executable, "-P", "-m", "tests.packetdrill", options.packetdrill]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        last = ""
        for line in process.stdout:
            print(line, end="", flush=True)
            last = line
    found = re.match(r"packetdrill: (\d+) passed, (\d+) failed", last)
    count.add(*map(int, found.groups()) if found else (0, 1))


PARTS: dict[str, Callable[[Count, argparse.Namespace], None]] = {
    "style": style,
    "cpp": cpp,
    "sanitize": sanitize,
    "python": python,
    "mutants": mutants,
}
USUAL = ("style", "cpp", "sanitize", "python")


def main(words: list[str]) -> int:
    """Do the parts asked for, all by default."""
    parser = argparse.ArgumentParser(add_help=False)
    for name in (*PARTS, "extensive"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--packetdrill", nargs="?", const="")
    cut = words.index("--") if "--" in words else len(words)
    options, unknown = parser.parse_known_args(words[:cut])
    if unknown:
        allowed = ", ".join(f"--{name}" for name in (*PARTS, "extensive", "packetdrill"))
        print(f"gridftp: test: '{unknown[0]}' is not one of {allowed}", file=sys.stderr)
        return 2
    options.words = words[cut + 1 :]
    if options.packetdrill is not None and not os.path.exists(options.packetdrill):
        place = options.packetdrill
        wrong = f"'{place}' does not exist" if place else "DIR is missing"
        print(f"gridftp: test --packetdrill: {wrong}; a folder or a script", file=sys.stderr)
        return 2
    chosen = [name for name in PARTS if getattr(options, name)]
    if options.packetdrill:
        options.packetdrill = os.path.abspath(options.packetdrill)
        chosen.append("packetdrill")
    chosen = chosen or list(USUAL)
    # A shell starts its background jobs deaf to Ctrl-C, and tests of Ctrl-C would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    counts = {name: Count() for name in chosen}
    options.beside = Beside()
    started = time.monotonic()
    try:
        for name, count in counts.items():
            ({**PARTS, "packetdrill": packetdrill})[name](count, options)
        options.beside.finish()
    finally:
        options.beside.stop()
    total = Count()
    for name, count in counts.items():
        if not count.passed and not count.failed:
            tell(name, False, "nothing to check")
            count.failed = 1
        total.add(count.passed, count.failed)
    print(f"\n{', '.join(chosen)}: {time.monotonic() - started:.0f} s")
    print(f"{total.passed} passed, {total.failed} failed")
    return 1 if total.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
