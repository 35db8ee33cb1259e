"""`./gridftp test --ns3-tree`: the module in an ns-3 source tree, tried with a tree that is none.

The stand-in of cmake records how it was called and makes a test runner that prints a report.
"""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from launcher_sandbox import Sandbox, refused
from patience import PATIENCE

from launcher.ns3_tree import DRAWS, MARKS, SETTINGS, read_report
from launcher.progress import CMAKE_STEP

RULES = "engines: compared by the TCP rules of ns-3 3.48"
GOOD = f"""\
PASS gridftp 1.500 s
  PASS {RULES} 0.000 s
  PASS bytes: exact 1.500 s
"""
BAD = """\
FAIL gridftp 1.500 s
  PASS bytes: exact 0.500 s
  FAIL bytes: in order 1.000 s
    test="a" actual="1" limit="2"
"""

# Configures; or builds, which takes long where there is a file "slow".
CMAKE = """#!/bin/sh
echo "$*" >> "{folder}/calls"
case "$1" in
-S) if test -e "{folder}/unfit"; then echo "CMake Error: unfit"; exit 1; fi
    mkdir -p "$4"
    exit 0;;
esac
echo "[1/2] Building CXX object contrib/gridftp/core/a.cc.o"
if test -e "{folder}/slow"; then sleep 600 & echo $! > "{folder}/compiler"; wait; fi
if test -e "{folder}/broken"; then echo "a.cc:1:1: error: broken [-Werror]"; exit 1; fi
utils="$2/../build/utils"
mkdir -p "$utils"
runner="$utils/ns3.48-test-runner-default"
echo '#!/bin/sh' > "$runner"
echo 'echo "$GRIDFTP_TEST_DRAWS" >> "{folder}/draws"' >> "$runner"
echo 'cat "{folder}/report"; exit $(cat "{folder}/status")' >> "$runner"
chmod +x "$runner"
"""


class Stand:
    """A tree with the marks of ns-3, and a cmake, next to a sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.folder = sandbox.root.parent / "stand in"
        self.tree = self.folder / "ns-3.48"
        for mark in (*MARKS, "scratch/CMakeLists.txt", "contrib/other/CMakeLists.txt"):
            file = self.tree / mark
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        (self.tree / "VERSION").write_text("3.48\n", encoding="utf-8")
        (self.tree / "build").mkdir()
        (self.tree / ".lock-ns3_linux_build").touch()
        self.report(GOOD)
        cmake = sandbox.root.parent / "bin/cmake"
        cmake.write_text(CMAKE.format(folder=self.folder), encoding="utf-8")
        cmake.chmod(0o755)

    def report(self, text: str, status: int = 0) -> None:
        """What the suites will print, and their exit status."""
        (self.folder / "report").write_text(text, encoding="utf-8")
        (self.folder / "status").write_text(str(status), encoding="utf-8")

    def test(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the launcher."""
        return self.sandbox.launch("test", "--ns3-tree", str(self.tree), *words, **environment)

    def made(self) -> Path:
        """The tree that was made for it."""
        (folder,) = (self.sandbox.root / "build").glob("ns3-tree-ns-3.48-????????")
        return folder / "tree"


@pytest.fixture
def stand(fresh: Sandbox) -> Stand:
    """A tree, and a sandbox in which nothing is set up."""
    return Stand(fresh)


def test_it_builds_what_the_module_needs_and_counts_the_cases(stand: Stand) -> None:
    before = sorted(stand.tree.rglob("*"))
    done = stand.test()
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == RULES
    assert lines[1].startswith("suite gridftp: 2 passed, 0 failed, ")
    assert lines[3].startswith("suite gridftp-long: 2 passed, 0 failed, ")
    assert lines[-1] == "ns-3 3.48: no warnings, 4 passed, 0 failed"
    configure, build = (stand.folder / "calls").read_text(encoding="utf-8").splitlines()
    for name, value in SETTINGS.items():
        assert f"-D{name}={value}" in configure
    assert "--target test-runner" in build
    assert (stand.folder / "draws").read_text(encoding="utf-8") == f"{DRAWS}\n{DRAWS}\n"
    # Nothing was written to the tree, and nothing was set up for other commands
    assert sorted(stand.tree.rglob("*")) == before
    assert not (stand.sandbox.root / ".venv").exists()


def test_its_own_tree_has_links_to_the_other_and_this_module_alone(stand: Stand) -> None:
    stand.test()
    made = stand.made()
    assert (made / "src").readlink() == stand.tree / "src"
    assert (made / "contrib/gridftp").readlink() == stand.sandbox.root / "contrib/gridftp"
    assert [entry.name for entry in (made / "contrib").iterdir()] == ["gridftp"]
    assert [entry.name for entry in (made / "scratch").iterdir()] == ["CMakeLists.txt"]
    assert not (made / "build").is_symlink()
    assert not (made / ".lock-ns3_linux_build").exists()
    # What comes to the tree, or goes from it, does so here
    (stand.tree / "CHANGES.md").touch()
    stand.test()
    assert (made / "CHANGES.md").exists()
    (stand.tree / "CHANGES.md").unlink()
    stand.test()
    assert not (made / "CHANGES.md").is_symlink()


def test_a_module_of_the_same_name_in_the_tree_is_left_alone(stand: Stand) -> None:
    own = stand.tree / "contrib/gridftp/CMakeLists.txt"
    own.parent.mkdir()
    own.write_text("mine", encoding="utf-8")
    done = stand.test()
    assert done.returncode == 0
    assert f"'{own.parent}' is left out" in done.stderr
    assert own.read_text(encoding="utf-8") == "mine"


def test_extensive_runs_the_drawn_suites_and_draws_all(stand: Stand) -> None:
    stand.report("gridftp-drawn-a\ngridftp\ngridftp-drawn-b\nother\n" + GOOD)
    done = stand.test("--extensive")
    assert re.findall(r"^suite (\S+):", done.stdout, re.MULTILINE) == [
        "gridftp",
        "gridftp-long",
        "gridftp-drawn-a",
        "gridftp-drawn-b",
    ]
    # The first line is of the list
    draws = (stand.folder / "draws").read_text(encoding="utf-8").split("\n")
    assert draws[1:] == ["100"] * 4 + [""]


def test_cases_that_fail_are_shown_and_counted(stand: Stand) -> None:
    stand.report(BAD, status=1)
    done = stand.test()
    assert done.returncode == 1
    assert "suite gridftp: 1 passed, 1 failed, " in done.stdout
    assert '    test="a" actual="1" limit="2"\n' in done.stdout
    assert "PASS" not in done.stdout
    assert done.stdout.endswith("ns-3 3.48: no warnings, 2 passed, 2 failed\n")


@pytest.mark.parametrize(("text", "status"), [("", 0), ("", 139), (GOOD, 134)])
def test_a_runner_that_crashes_or_runs_nothing_has_failed(
    stand: Stand, text: str, status: int
) -> None:
    stand.report(text, status)
    done = stand.test()
    assert done.returncode == 1
    assert f"exit status {status}" in done.stdout


@pytest.mark.parametrize(
    ("mark", "says"),
    [("broken", "error: broken [-Werror]"), ("unfit", "CMake Error: unfit")],
)
def test_what_stops_a_build_is_shown(stand: Stand, mark: str, says: str) -> None:
    (stand.folder / mark).touch()
    done = stand.test()
    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr
    last = done.stderr.splitlines()[-1]
    assert re.fullmatch(r"gridftp: the \w+ failed \(all of it: build/ns3-tree-\S+\.log\)", last)


def test_ctrl_c_ends_it_and_what_it_has_started(stand: Stand) -> None:
    (stand.folder / "slow").touch()
    running = stand.sandbox.start("test", f"--ns3-tree={stand.tree}")
    end = time.monotonic() + PATIENCE
    compiler = stand.folder / "compiler"
    while not (compiler.exists() and compiler.read_text(encoding="utf-8").endswith("\n")):
        assert time.monotonic() < end
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=PATIENCE)
    assert (running.returncode, output) == (130, "")
    assert "Traceback" not in errors
    started = Path("/proc", compiler.read_text(encoding="utf-8").strip(), "stat")
    while started.exists() and started.read_text(encoding="utf-8").split(") ")[1][0] != "Z":
        assert time.monotonic() < end, "what it has started goes on"
        time.sleep(0.02)
    (stand.folder / "slow").unlink()
    assert stand.test().returncode == 0


def test_bad_input_is_one_line(stand: Stand) -> None:
    launch = stand.sandbox.launch
    refused(launch("test", "--ns3-tree"), "path", "missing", status=2)
    refused(launch("test", "--ns3-tree="), "path", "missing", status=2)
    nowhere = str(stand.folder / "nowhere")
    refused(launch("test", "--ns3-tree", nowhere), nowhere, "VERSION", status=2)
    refused(stand.test("--style"), "'--style'", "--extensive", status=2)
    (stand.tree / "src/internet/CMakeLists.txt").unlink()
    refused(stand.test(), str(stand.tree), "src/internet/CMakeLists.txt", status=2)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("3.43", ("ns-3 3.43", "too old", "3.44")),
        ("3.9", ("too old",)),
        ("4.0", ("'4.0'",)),
        ("", ("''",)),
        ("3.44 and more", ("not a version",)),
    ],
)
def test_a_version_that_will_not_do_is_refused(
    stand: Stand, version: str, words: tuple[str, ...]
) -> None:
    (stand.tree / "VERSION").write_text(version, encoding="utf-8")
    refused(stand.test(), *words, status=2)
    assert not (stand.sandbox.root / "build").exists()


@pytest.mark.parametrize("version", ["3.44", "3.44-RC1", "3.49.1", "3-dev", "3.100"])
def test_a_version_that_will_do_is_taken(stand: Stand, version: str) -> None:
    (stand.tree / "VERSION").write_text(f"{version}\n", encoding="utf-8")
    done = stand.test()
    assert done.stdout.endswith(f"ns-3 {version}: no warnings, 4 passed, 0 failed\n")


def test_without_cmake_it_says_what_to_install(stand: Stand) -> None:
    (stand.sandbox.root.parent / "bin/cmake").unlink()
    only = str(stand.sandbox.root.parent / "bin")
    refused(stand.test(PATH=only), "cmake", "sudo apt install cmake")


def test_only_the_deepest_lines_of_a_report_are_counted() -> None:
    assert read_report(GOOD) == (2, 0)
    assert read_report(BAD) == (1, 1)
    assert read_report("noise\n") == (0, 0)


def test_steps_of_ninja_and_of_make_are_seen() -> None:
    ninja = CMAKE_STEP.match("[42/369] Building CXX object src/core/main.cc.o")
    make = CMAKE_STEP.match("[  7%] Building CXX object src/core/main.cc.o")
    assert ninja
    assert make
    assert ninja.groups() == ("42", "369", "Building", "src/core/main.cc.o")
    assert make.groups() == ("7", "", "Building", "src/core/main.cc.o")
    assert not CMAKE_STEP.match("-- Configuring done")
