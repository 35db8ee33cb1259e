"""The launcher: help, refusals, set-up that survives interruption, builds that happen once.

Set-up is tried in a small copy of the repository with packages made here, from a folder instead
of an index: a waflib that copies scripts instead of compiling, and an ns3 that is empty.
"""

from __future__ import annotations

import ast
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pip
import pytest

ROOT = Path(__file__).resolve().parents[2]
VERBS = [
    "reproduce",
    "run",
    "optimum",
    "sweep",
    "dask",
    "store",
    "plot",
    "report",
    "bench",
    "compare",
    "lab",
    "build",
    "test",
]

# Its builds are counted in build/count. A source that says "broken" fails, one with "slow" waits.
FAKE_WAF = """
import os, sys, time
from pathlib import Path

def waf_entry_point(folder, version, wafdir):
    top, out = (a.split("=")[1] for a in sys.argv if a.startswith(("--top=", "--out=")))
    if "configure" in sys.argv:
        return
    with open(Path(top, "build/count"), "a") as file:
        file.write("x")
    source = Path(top, "scratch/gridftp-transfer.cc").read_text()
    print("[1/1] Compiling scratch/gridftp-transfer.cc", flush=True)
    if "broken" in source:
        print("gridftp-transfer.cc:1:1: error: broken")
        print("Build failed")
        sys.exit(1)
    if "--programs-only" not in sys.argv:
        Path(out, "with-tests").touch()
    if "slow" in source:
        Path(top, "build/started").touch()
        time.sleep(2)
    program = Path(out, "bin/gridftp-transfer")
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text('#!/bin/sh\\necho "$PWD:$*"\\nexit 7\\n')
    program.chmod(0o755)
"""

# Say what they were started with.
FAKE_EXPERIMENTS = "import sys\nprint(*sys.argv[1:])\n"
FAKE_DASK = """
import os, sys
print(*sys.argv[1:], os.environ["DASK_DISTRIBUTED__WORKER__PRELOAD"])
print(os.environ["GRIDFTP_BUILD_DIR"], os.environ["PYTHONPATH"].split(":")[0])
"""

# Read by every Python that the sandbox starts. Unpacking pip into each .venv takes most of the time
# of a set-up: here the pip of this Python is linked there instead.
QUICK_VENV = f"""
import os, sys
if sys.orig_argv[1:3] == ["-m", "venv"]:
    import venv
    def link_pip(self, context):
        lib = f"{{context.env_dir}}/lib/python{sys.version_info[0]}.{sys.version_info[1]}"
        os.symlink({str(Path(pip.__file__).parent)!r}, f"{{lib}}/site-packages/pip")
    venv.EnvBuilder._setup_pip = link_pip
"""


def make_wheel(folder: Path, name: str, version: str, files: dict[str, str]) -> None:
    """A package that pip can install from a folder."""
    info = f"{name}-{version}.dist-info"
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
        record = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
        wheel.writestr(f"{info}/RECORD", record)


@dataclass
class Sandbox:
    """A copy of what the launcher needs of the repository, with an environment of its own."""

    root: Path
    wheels: Path
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, str(self.root / "gridftp"), *arguments]

    def launch(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments),
            cwd=self.root.parent,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.root.parent,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def write_source(self, text: str) -> None:
        (self.root / "scratch/gridftp-transfer.cc").write_text(text, encoding="utf-8")

    def builds(self) -> int:
        count = self.root / "build/count"
        return len(count.read_text(encoding="utf-8")) if count.exists() else 0

    def wait_for_build(self) -> None:
        end = time.monotonic() + 30
        while not (self.root / "build/started").exists():
            assert time.monotonic() < end, "no build has started"
            time.sleep(0.02)


def pins(waf: str = "2.1.4") -> str:
    """A pyproject.toml with the parts that the launcher reads."""
    return (
        '[project]\ndependencies = ["rich==1.0"]\n[dependency-groups]\ndev = []\n'
        'dask = ["dask==1.0", "click==3.0"]\nparquet = ["pyarrow==2.0"]\n'
        'lab = ["ziglang==1.0"]\n'
        # What several groups need is in each of them.
        'notebook = ["marimo==1.0", "click==3.0"]\nbrowser = ["playwright==1.0"]\n'
        f'[tool.gridftp]\nns3 = ["ns3==3.44.post0"]\nwaf = ["waflib=={waf}"]\n'
    )


@pytest.fixture
def fresh(tmp_path: Path) -> Sandbox:
    """A sandbox as after git clone."""
    root, wheels = tmp_path / "clone", tmp_path / "wheels"
    (root / "scratch").mkdir(parents=True)
    (root / "experiments").mkdir()
    (root / "experiments/__main__.py").write_text(FAKE_EXPERIMENTS, encoding="utf-8")
    wheels.mkdir()
    for version in ("2.1.4", "2.1.5"):
        waf = {
            "waflib/__init__.py": "",
            "waflib/Context.py": f"WAFVERSION = '{version}'\n",
            "waflib/Scripting.py": FAKE_WAF,
        }
        make_wheel(wheels, "waflib", version, waf)
    make_wheel(wheels, "ns3", "3.44.post0", {"ns3/lib64/libns3.44-core.so": ""})
    make_wheel(wheels, "dask", "1.0", {"dask/__init__.py": "", "dask/__main__.py": FAKE_DASK})
    make_wheel(wheels, "pyarrow", "2.0", {"pyarrow/__init__.py": ""})
    make_wheel(wheels, "click", "3.0", {"click/__init__.py": ""})
    for name in ("rich", "marimo", "playwright", "ziglang"):
        make_wheel(wheels, name, "1.0", {f"{name}/__init__.py": ""})
    (root / "gridftp").write_bytes((ROOT / "gridftp").read_bytes())
    (root / "launcher").mkdir()
    for file in (ROOT / "launcher").glob("*.py"):
        (root / "launcher" / file.name).write_bytes(file.read_bytes())
    for room in ("core", "test"):
        (root / "contrib/gridftp" / room).mkdir(parents=True)
        (root / "contrib/gridftp" / room / f"{room}.cc").touch()
    (root / "contrib/gridftp/rooms.txt").write_text("core:\ntest:\n", encoding="utf-8")
    (root / "wscript").touch()
    (root / "pyproject.toml").write_text(pins(), encoding="utf-8")
    compilers = tmp_path / "bin"
    compilers.mkdir()
    (compilers / "g++").write_text("#!/bin/sh\n", encoding="utf-8")
    (compilers / "g++").chmod(0o755)
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(QUICK_VENV, encoding="utf-8")
    sandbox = Sandbox(root, wheels)
    sandbox.environment = {
        "PYTHONPATH": str(site),
        "PATH": f"{compilers}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "PIP_CONFIG_FILE": os.devnull,
    }
    sandbox.write_source("fine")
    return sandbox


@pytest.fixture
def ready(fresh: Sandbox) -> Sandbox:
    """A sandbox that is set up and built."""
    done = fresh.launch("build")
    assert done.returncode == 0, done.stderr
    assert fresh.builds() == 1
    return fresh


def refused(done: subprocess.CompletedProcess[str], *words: str, status: int = 1) -> None:
    """One line on standard error with these words, nothing on standard output."""
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    assert re.fullmatch(r"gridftp: [^\n]+\n", done.stderr), done.stderr
    for word in words:
        assert word in done.stderr


def pretend(fresh: Sandbox, code: str) -> dict[str, str]:
    """Variables under which every Python runs `code` first, and PATH has a compiler only."""
    folder = fresh.root.parent / "pretend"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(code, encoding="utf-8")
    return {"PYTHONPATH": str(folder), "PATH": str(fresh.root.parent / "bin")}


# ---- help and refusals --------------------------------------------------------------------------


def test_help_lists_every_verb_and_no_other(fresh: Sandbox) -> None:
    done = fresh.launch("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r"^  (\w+) ", done.stdout, re.MULTILINE) == VERBS
    assert fresh.launch().stdout == done.stdout
    assert not (fresh.root / ".venv").exists()


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_that_sets_nothing_up(fresh: Sandbox, verb: str) -> None:
    done = fresh.launch(verb, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: ./gridftp {verb} [OPTION...]\n\n{verb}: ")
    assert not (fresh.root / ".venv").exists()


def test_help_of_a_built_program_is_passed_on(ready: Sandbox) -> None:
    done = ready.launch("run", "--help")
    assert done.stdout.startswith("run: simulate one scenario")
    assert done.stdout.endswith(f"{ready.root.parent}:--help\n")


def test_an_unknown_verb_is_refused_with_a_suggestion(fresh: Sandbox) -> None:
    refused(fresh.launch("reprodcue"), "'reprodcue'", "did you mean 'reproduce'?", status=2)
    refused(fresh.launch("xyzzy"), "'xyzzy'", *VERBS, status=2)


def test_bad_options_of_build_are_refused(fresh: Sandbox) -> None:
    refused(fresh.launch("build", "--fast"), "'--fast'", "--ns3", "--sanitize", status=2)
    refused(fresh.launch("build", "--ns3"), "--ns3", "path", status=2)
    refused(fresh.launch("build", "--ns3", "nowhere"), "nowhere'", status=2)
    refused(fresh.launch("build", f"--ns3={fresh.wheels}"), str(fresh.wheels), status=2)
    assert not (fresh.root / ".venv").exists()


def test_without_a_compiler_it_says_what_to_install(fresh: Sandbox) -> None:
    empty = fresh.root.parent / "empty"
    empty.mkdir()
    for verb in ("run", "build", "test", "reproduce"):
        refused(fresh.launch(verb, PATH=str(empty)), "C++ compiler", "sudo apt install git g++")


@pytest.mark.parametrize(("here", "minor"), [("3.9", 9), ("3.14", 14)])
def test_without_a_suitable_python_it_says_what_helps(
    fresh: Sandbox, here: str, minor: int
) -> None:
    old = pretend(fresh, f"import sys\nsys.version_info = (3, {minor}, 0, 'final', 0)\n")
    done = fresh.launch("run", **old)
    refused(done, "Python 3.11 to 3.13", f"here is {here}", "sudo apt install", "--ns3 PATH")


def test_a_python_without_venv_says_what_to_install(fresh: Sandbox) -> None:
    bare = pretend(fresh, "import sys\nsys.modules['ensurepip'] = None\n")
    refused(fresh.launch("run", **bare), "venv", "sudo apt install", "python3-venv")


def test_a_machine_without_a_wheel_says_what_helps(fresh: Sandbox) -> None:
    arm = pretend(fresh, "import platform\nplatform.machine = lambda: 'aarch64'\n")
    refused(fresh.launch("run", **arm), "Linux on aarch64", "--ns3 PATH")


PARTS = [ROOT / "gridftp", *sorted((ROOT / "launcher").glob("*.py"))]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_it_parses_on_python_3_8(part: Path) -> None:
    ast.parse(part.read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_it_needs_the_standard_library_only(part: Path) -> None:
    tree = ast.parse(part.read_text(encoding="utf-8"))
    names = {
        alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        (node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    assert names <= {*sys.stdlib_module_names, "launcher"}


# ---- set-up -------------------------------------------------------------------------------------


def test_the_first_run_sets_up_and_builds_and_the_second_does_neither(fresh: Sandbox) -> None:
    first = fresh.launch("run", "--mode=mi", "a b")
    assert first.stdout == f"{fresh.root.parent}:--mode=mi a b\n"
    assert first.returncode == 7
    assert "setting up .venv" in first.stderr
    assert fresh.builds() == 1
    # Nothing may be installed any more.
    second = fresh.launch("run", PIP_FIND_LINKS=os.devnull)
    assert (second.stdout, second.stderr) == (f"{fresh.root.parent}:\n", "")
    assert (second.returncode, fresh.builds()) == (7, 1)


@pytest.mark.parametrize(
    ("words", "groups"),
    [
        (["sweep", "a.toml", "--dask", "local"], "dask"),
        (["sweep", "--dask=tcp://host:8786", "a.toml"], "dask"),
        (["sweep", "a.toml", "--store=dask"], ""),
        (["store", "export", "fig05", "runs.parquet"], "parquet"),
        (["store", "export", "fig05", "runs.csv"], ""),
        (["store", "list", "x.parquet"], ""),
        (["lab", "--port=0"], "lab"),
        (["lab", "--notebook"], "notebook"),
        (["bench", "--lab"], "browser lab"),
        (["bench", "--instructions"], ""),
    ],
)
def test_optional_packages_are_installed_when_they_are_asked_for(
    ready: Sandbox, words: list[str], groups: str
) -> None:
    done = ready.launch(*words)
    assert done.stdout == f"{' '.join(words)}\n", done.stderr
    stamp = json.loads((ready.root / ".venv/gridftp-setup.json").read_text(encoding="utf-8"))
    assert stamp["groups"].keys() - {"waf", "ns3", "python"} == set(groups.split())
    # Nothing may be installed any more.
    assert ready.launch(*words, PIP_FIND_LINKS=os.devnull).stderr == ""


def test_tests_have_all_optional_packages(ready: Sandbox) -> None:
    (ready.root / "tests").mkdir()
    everything = "import click, dask, marimo, playwright, pyarrow, rich, ziglang"
    (ready.root / "tests/checks.py").write_text(everything, encoding="utf-8")
    assert ready.launch("test").returncode == 0


def test_dask_is_started_where_it_finds_the_programs(ready: Sandbox) -> None:
    done = ready.launch("dask", "worker", "tcp://host:8786", "--nthreads=4")
    assert done.stdout.splitlines() == [
        "worker tcp://host:8786 --nthreads=4 experiments.cluster.dask_worker",
        f"{ready.root / 'build/wheel/bin'} {ready.root}",
    ], done.stderr


def test_an_interrupted_set_up_is_repaired(ready: Sandbox) -> None:
    # As a power cut during pip leaves it: no stamp, and a package without half of its files.
    (ready.root / ".venv/gridftp-setup.json").unlink()
    (broken,) = ready.root.glob(".venv/lib/python3*/site-packages/waflib/Scripting.py")
    broken.write_text("half a fi", encoding="utf-8")
    ready.write_source("fine again")
    done = ready.launch("run")
    assert done.returncode == 7, done.stderr
    assert ready.builds() == 2


def test_a_failed_installation_shows_why_and_is_taken_up_again(fresh: Sandbox) -> None:
    wheel = next(fresh.wheels.glob("ns3-*"))
    wheel.rename(fresh.root / wheel.name)
    failed = fresh.launch("run")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "No matching distribution found for ns3==3.44.post0" in failed.stderr
    assert failed.stderr.endswith("failed (all of it: build/setup.log)\n")
    (fresh.root / wheel.name).rename(wheel)
    assert fresh.launch("run").returncode == 7


def test_changed_pins_are_installed(ready: Sandbox) -> None:
    (ready.root / "pyproject.toml").write_text(pins(waf="2.1.5"), encoding="utf-8")
    assert ready.launch("run").returncode == 7
    stamp = json.loads((ready.root / ".venv/gridftp-setup.json").read_text(encoding="utf-8"))
    assert stamp["groups"]["waf"] == ["waflib==2.1.5"]
    (installed,) = ready.root.glob(".venv/lib/python3*/site-packages/waflib-*")
    assert installed.name == "waflib-2.1.5.dist-info"


def test_a_folder_that_was_moved_is_set_up_again(ready: Sandbox) -> None:
    moved = Sandbox(ready.root.with_name("moved"), ready.wheels, ready.environment)
    ready.root.rename(moved.root)
    done = moved.launch("run")
    assert done.returncode == 7
    assert "setting up .venv" in done.stderr


def test_a_venv_of_somebody_else_is_left_alone(fresh: Sandbox) -> None:
    (fresh.root / ".venv").mkdir()
    (fresh.root / ".venv/mine").touch()
    refused(fresh.launch("run"), ".venv was not made by ./gridftp")
    assert (fresh.root / ".venv/mine").exists()


# ---- build --------------------------------------------------------------------------------------


def test_only_a_changed_source_is_a_reason_to_build(ready: Sandbox) -> None:
    (ready.root / "README.md").touch()
    ready.launch("run")
    assert ready.builds() == 1
    ready.write_source("changed")
    ready.launch("run")
    assert ready.builds() == 2
    (ready.root / "scratch/new.h").touch()
    ready.launch("run")
    assert ready.builds() == 3


def test_tests_are_compiled_by_build_and_not_by_run(fresh: Sandbox) -> None:
    compiled = fresh.root / "build/wheel/with-tests"
    assert fresh.launch("run").returncode == 7
    assert not compiled.exists()
    assert fresh.launch("build").returncode == 0
    assert compiled.exists()
    # A changed test is no reason for `run` to build, but one for `build`.
    (fresh.root / "contrib/gridftp/test/new.cc").touch()
    fresh.launch("run")
    assert fresh.builds() == 2
    fresh.launch("build")
    assert fresh.builds() == 3


def test_a_failed_build_shows_the_compiler_and_is_tried_again(ready: Sandbox) -> None:
    ready.write_source("broken")
    for _ in range(2):
        done = ready.launch("run")
        assert (done.returncode, done.stdout) == (1, "")
        assert "gridftp-transfer.cc:1:1: error: broken\n" in done.stderr
        assert "Compiling" not in done.stderr
        assert done.stderr.endswith("the build failed (all of it: build/wheel.log)\n")
    ready.write_source("fine")
    assert ready.launch("run").returncode == 7


def test_two_at_once_build_once(ready: Sandbox) -> None:
    ready.write_source("slow")
    first = ready.start("run", "first")
    ready.wait_for_build()
    second = ready.start("run", "second")
    assert first.communicate(timeout=30)[0].endswith("first\n")
    output, errors = second.communicate(timeout=30)
    assert output.endswith("second\n")
    assert "waiting for another ./gridftp" in errors
    assert ready.builds() == 2


def test_the_lock_of_a_launcher_that_died_holds_nobody_up(ready: Sandbox) -> None:
    ready.write_source("slow")
    first = ready.start("run")
    ready.wait_for_build()
    first.kill()
    first.communicate()
    ready.write_source("fine")
    done = ready.launch("run")
    assert done.returncode == 7
    assert "waiting" not in done.stderr


def test_a_lock_that_is_held_is_waited_for(ready: Sandbox) -> None:
    ready.write_source("changed")
    with open(ready.root / "build/launcher.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = ready.start("run")
        assert waiting.stderr
        assert "waiting for another" in waiting.stderr.readline()
        assert ready.builds() == 1
    waiting.communicate(timeout=30)
    assert (waiting.returncode, ready.builds()) == (7, 2)


def test_ctrl_c_ends_it_cleanly(ready: Sandbox) -> None:
    ready.write_source("slow")
    running = ready.start("run")
    ready.wait_for_build()
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=30)
    assert (running.returncode, output) == (130, "")
    assert "Traceback" not in errors
    assert ready.launch("run").returncode == 7
