"""A copy of the repository in which mutants are tried, one after the other."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from .mutant import Mutant

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "build", "results", "__pycache__", ".*_cache", "node_modules"
)

WAF = (
    "import os, waflib\n"
    "from waflib import Context, Scripting\n"
    "folder = os.path.dirname(waflib.__path__[0])\n"
    "Scripting.waf_entry_point(os.getcwd(), Context.WAFVERSION, folder)"
)

LIVED = "lived"
# It lived the module's suites, and was not tried on pytest.
UNNOTICED = "not noticed by the suites"
INVALID = "does not compile"

SUITES = ("gridftp", "gridftp-long")
PYTEST = ["-P", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
# The recorded results (tests/golden): of the segment engine within seconds, of engine ns3 within
# minutes.
GOLDEN = ["-P", "-m", "tests.golden", "--engine"]
FAST, SLOW = "segment", "ns3"

ENGINES = ("tests/engines",)
PACKAGES = (
    "tests/analysis",
    "tests/papers",
    "tests/experiments",
    "tests/readings",
    "tests/spec",
    "tests/transfers",
)


# Mutants may ask for memory without an end.
MEMORY_KB = 6_000_000


@dataclass
class Limits:
    """How long what is tried may take, s; longer is as good as noticed.

    Attributes:
        build: of a copy.
        golden: the recorded results of an engine.
        suite: each of the module's.
        python: all that is asked of pytest for one mutant.
        files: what each file of pytest takes without a mutant.
    """

    build: float = 1200
    golden: float = 1200
    suite: float = 600
    python: float = 1200
    files: dict[str, float] = field(default_factory=dict)

    def learn(self, suite: float) -> None:
        """Take the time (s) that the suite needs without a mutant; these run beside others."""
        self.suite = 30 + 4 * suite


class TreeError(Exception):
    """The copy does not build or pass as it is; the message says where to look."""


class Worker:
    """A copy with its own build."""

    def __init__(self, root: Path, place: Path, ns3: Path, limits: Limits) -> None:
        self._root = root
        self._tree = place / "tree"
        self._out = place / "out"
        self._log = place / "log"
        self._ns3 = ns3
        self._limits = limits

    def prepare(self) -> None:
        """Bring the copy to the state of the repository, build it and see that it passes.

        Raises:
            TreeError: it does not build, or fails.
        """
        self._out.mkdir(parents=True, exist_ok=True)
        if self._tree.exists():
            shutil.rmtree(self._tree)
        shutil.copytree(self._root, self._tree, ignore=LEFT_OUT, symlinks=True)
        self._log.write_text("", encoding="utf-8")
        built = self._waf("configure", f"--ns3={self._ns3}") and self._waf("build", "--jobs=1")
        if not built:
            raise TreeError(f"the sources do not build as they are; see {self._log}")
        self.check_golden(FAST)
        started = time.monotonic()
        if not self._suite():
            raise TreeError(f"the suites fail as they are; see {self._log}")
        self._limits.learn(time.monotonic() - started)

    def judge(self, mutant: Mutant, suites_alone: bool, lived_them: bool) -> tuple[str, float]:
        """Try a mutant.

        Args:
            mutant: what to change.
            suites_alone: ask neither the recorded results nor pytest.
            lived_them: it is known that the suites do not notice it.

        Returns:
            what noticed it, "golden", "suite" or "pytest", or LIVED, UNNOTICED or INVALID; and how
            long that took, s.
        """
        started = time.monotonic()
        source = self._tree / mutant.file
        text = source.read_text(encoding="utf-8")
        source.write_text(mutant.apply(text), encoding="utf-8")
        try:
            if source.suffix == ".py":
                verdict = self._judge_pytest(self._files(source.stem))
            else:
                verdict = self._judge_cxx(suites_alone, lived_them)
        finally:
            source.write_text(text, encoding="utf-8")
        return verdict, time.monotonic() - started

    def check_golden(self, engine: str) -> None:
        """See that the recorded results are those of the copy as it is.

        Raises:
            TreeError: they are not.
        """
        if not self._golden(engine):
            raise TreeError(f"recorded results of {engine} differ as they are; see {self._log}")

    def check(self, group: tuple[str, ...]) -> None:
        """See that pytest passes as it is, and what each of its files takes.

        Args:
            group: folders of tests.

        Raises:
            TreeError: it fails.
        """
        report = self._out / "pytest.xml"
        if not self._pytest(group, f"--junitxml={report}"):
            raise TreeError(f"pytest fails as it is in {' '.join(group)}; see {self._log}")
        for case in ElementTree.parse(report).iter("testcase"):
            file = case.get("classname", "").replace(".", "/") + ".py"
            taken = self._limits.files.get(file, 0)
            self._limits.files[file] = taken + float(case.get("time", 0))

    def _files(self, name: str) -> tuple[str, ...]:
        """All tests of the packages, for a mutant of a module: the first to notice it ends them.

        Those that speak of the module come first, and then those that are done soon.
        """
        word = re.compile(rf"\b{re.escape(name)}\b")
        paths = [path for group in PACKAGES for path in (self._tree / group).rglob("test_*.py")]
        found = []
        for path in paths:
            file = str(path.relative_to(self._tree))
            speaks = word.search(path.read_text(encoding="utf-8"))
            found.append((not speaks, self._limits.files.get(file, 0), file))
        return tuple(file for *_, file in sorted(found))

    def _judge_cxx(self, suites_alone: bool, lived_them: bool) -> str:
        if not self._waf("build", "--jobs=1"):
            return INVALID
        if not suites_alone and not self._golden(FAST):
            return "golden"
        if not lived_them and not self._suite():
            return "suite"
        return UNNOTICED if suites_alone else self._judge_slowly()

    def _judge_slowly(self) -> str:
        verdict = self._judge_pytest(ENGINES, PACKAGES)
        return "golden" if verdict == LIVED and not self._golden(SLOW) else verdict

    def _golden(self, engine: str) -> bool:
        """Whether the recorded results of an engine are those of the copy."""
        return self._run([sys.executable, *GOLDEN, engine], self._limits.golden)

    def _suite(self) -> bool:
        runner = [self._out / "bin/gridftp-test-runner", "--stop-on-failure"]
        # ns-3 names a temporary folder after the second, so that runners that start together share
        # it unless each has a place of its own.
        place = {"TMP": str(self._out)}
        return all(
            self._run([*runner, f"--suite={name}"], self._limits.suite, **place) for name in SUITES
        )

    def _judge_pytest(self, *groups: tuple[str, ...]) -> str:
        return LIVED if all(map(self._pytest, groups)) else "pytest"

    def _pytest(self, paths: tuple[str, ...], *words: str) -> bool:
        return self._run([sys.executable, *PYTEST, *words, *paths], self._limits.python)

    def _waf(self, *words: str) -> bool:
        command = [sys.executable, "-c", WAF, f"--top={self._tree}", f"--out={self._out}"]
        return self._run([*command, *words], self._limits.build)

    def _run(self, command: list[str | Path], seconds: float, **variables: str) -> bool:
        """Run a command in the copy; whether it ended in time and well."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._tree),
            "GRIDFTP_BUILD_DIR": str(self._out / "bin"),
            "NO_LOCK_IN_RUN": "1",
            "NO_LOCK_IN_TOP": "1",
            **variables,
        }
        with self._log.open("a", encoding="utf-8") as log:
            process = subprocess.Popen(
                ["sh", "-c", f'ulimit -v {MEMORY_KB}; exec "$@"', "sh", *map(str, command)],
                cwd=self._tree,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                return process.wait(timeout=seconds) == 0
            except subprocess.TimeoutExpired:
                return False
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
