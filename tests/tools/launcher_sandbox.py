"""Where the launcher is tried: a small copy of the repository, and packages made here.

They come from a folder instead of an index: a waflib that copies scripts instead of compiling, an
ns3 that is empty, and the uv that has installed this Python's own packages.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pip
import pytest
from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
# Its builds are counted in build/count. A source that says "broken" fails, one with "slow" waits
# for build/go-on, or for the end of what has started it.
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
        parent = os.getppid()
        Path(top, "build/started").touch()
        while not Path(top, "build/go-on").exists():
            if os.getppid() != parent:
                sys.exit(1)
            time.sleep(0.02)
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


def make_wheel(folder: Path, name: str, version: str, files: dict[str, str | bytes]) -> None:
    """A package that can be installed from a folder."""
    info = f"{name}-{version}.dist-info"
    files = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o100755 << 16
            wheel.writestr(entry, content)
        record = "".join(f"{path},,\n" for path in [*files, f"{info}/RECORD"])
        wheel.writestr(f"{info}/RECORD", record)


@dataclass
class Sandbox:
    """A copy of what the launcher needs of the repository, with an environment of its own."""

    root: Path
    wheels: Path
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, *arguments: str) -> list[str]:
        """The words that start the launcher."""
        return [sys.executable, str(self.root / "gridftp"), *arguments]

    def launch(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the launcher to its end."""
        return subprocess.run(
            self.command(*arguments),
            cwd=self.root.parent,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the launcher."""
        return subprocess.Popen(
            self.command(*arguments),
            cwd=self.root.parent,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def write_source(self, text: str) -> None:
        """Write the one source that is compiled."""
        (self.root / "scratch/gridftp-transfer.cc").write_text(text, encoding="utf-8")

    def builds(self) -> int:
        """How often something was built."""
        count = self.root / "build/count"
        return len(count.read_text(encoding="utf-8")) if count.exists() else 0

    def let_build_go_on(self) -> None:
        """End the slow build, and each one from now on."""
        (self.root / "build/go-on").touch()

    def hold_builds(self) -> None:
        """Have slow builds wait again."""
        for name in ("go-on", "started"):
            (self.root / "build" / name).unlink(missing_ok=True)

    def wait_for_build(self) -> None:
        """Wait until a slow build has started."""
        end = time.monotonic() + PATIENCE
        while not (self.root / "build/started").exists():
            assert time.monotonic() < end, "no build has started"
            time.sleep(0.02)


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all packages."""
    folder = tmp_path_factory.mktemp("wheels")
    uv = Path(sys.executable).with_name("uv").read_bytes()
    make_wheel(folder, "uv", "1.0", {"uv-1.0.data/scripts/uv": uv})
    for version in ("2.1.4", "2.1.5"):
        waf: dict[str, str | bytes] = {
            "waflib/__init__.py": "",
            "waflib/Context.py": f"WAFVERSION = '{version}'\n",
            "waflib/Scripting.py": FAKE_WAF,
        }
        make_wheel(folder, "waflib", version, waf)
    make_wheel(folder, "ns3", "3.44.post0", {"ns3/lib64/libns3.44-core.so": ""})
    make_wheel(folder, "dask", "1.0", {"dask/__init__.py": "", "dask/__main__.py": FAKE_DASK})
    make_wheel(folder, "pyarrow", "2.0", {"pyarrow/__init__.py": ""})
    make_wheel(folder, "click", "3.0", {"click/__init__.py": ""})
    for name in (
        "cyclonedx",
        "rich",
        "gymnasium",
        "marimo",
        "playwright",
        "sphinx",
        "ziglang",
    ):
        make_wheel(folder, name, "1.0", {f"{name}/__init__.py": ""})
    return folder


def lock(wheels: Path) -> str:
    """A packages.lock of these packages."""
    lines = []
    for wheel in sorted(wheels.iterdir()):
        name, version = wheel.name.split("-")[:2]
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        lines.append(f"{name}=={version} \\\n    --hash=sha256:{digest}\n")
    return "".join(lines)


def pins(waf: str = "2.1.4") -> str:
    """A pyproject.toml with the parts that the launcher reads."""
    return (
        '[project]\ndependencies = ["rich==1.0"]\n[dependency-groups]\ndev = []\n'
        'dask = ["dask==1.0", "click==3.0"]\nparquet = ["pyarrow==2.0"]\n'
        'lab = ["ziglang==1.0"]\nlearning = ["gymnasium==1.0"]\n'
        # What several groups need is in each of them.
        'notebook = ["marimo==1.0", "click==3.0"]\nbrowser = ["playwright==1.0"]\n'
        'manual = ["sphinx==1.0"]\n'
        'release = ["cyclonedx==1.0"]\n'
        f'[tool.gridftp]\nuv = ["uv==1.0"]\nns3 = ["ns3==3.44.post0"]\nwaf = ["waflib=={waf}"]\n'
    )


def made_in(folder: Path, wheels: Path) -> Sandbox:
    """A sandbox as after git clone, in an empty folder."""
    root, own = folder / "clone", folder / "wheels"
    own.mkdir()
    for wheel in wheels.iterdir():
        (own / wheel.name).symlink_to(wheel)
    (root / "scratch").mkdir(parents=True)
    (root / "experiments").mkdir()
    (root / "experiments/__main__.py").write_text(FAKE_EXPERIMENTS, encoding="utf-8")
    (root / "gridftp").write_bytes((ROOT / "gridftp").read_bytes())
    (root / "launcher").mkdir()
    for file in (ROOT / "launcher").glob("*.py"):
        (root / "launcher" / file.name).write_bytes(file.read_bytes())
    for room in ("core", "test"):
        (root / "contrib/gridftp" / room).mkdir(parents=True)
        (root / "contrib/gridftp" / room / f"{room}.cc").touch()
    (root / "contrib/gridftp/rooms.txt").write_text("core:\ntest:\n", encoding="utf-8")
    (root / "wscript").touch()
    (root / "CITATION.cff").write_text("version: 0.9.0\n", encoding="utf-8")
    (root / "pyproject.toml").write_text(pins(), encoding="utf-8")
    (root / "launcher/packages.lock").write_text(lock(wheels), encoding="utf-8")
    compilers = folder / "bin"
    compilers.mkdir()
    (compilers / "g++").write_text("#!/bin/sh\n", encoding="utf-8")
    (compilers / "g++").chmod(0o755)
    site = folder / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(QUICK_VENV, encoding="utf-8")
    sandbox = Sandbox(root, own)
    sandbox.environment = {
        "PYTHONPATH": str(site),
        "PATH": f"{compilers}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(own),
        "PIP_CONFIG_FILE": os.devnull,
        "UV_OFFLINE": "1",
        "UV_FIND_LINKS": str(own),
        "UV_CACHE_DIR": str(folder / "cache"),
    }
    sandbox.write_source("fine")
    return sandbox


@pytest.fixture
def fresh(tmp_path: Path, wheels: Path) -> Sandbox:
    """A sandbox as after git clone."""
    return made_in(tmp_path, wheels)


@pytest.fixture(scope="session")
def first_ready(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Sandbox, Path]:
    """A sandbox that is set up and built, and a copy of its folder, which stays as it is."""
    folder = tmp_path_factory.mktemp("ready") / "folder"
    folder.mkdir()
    sandbox = made_in(folder, wheels)
    done = sandbox.launch("build")
    assert done.returncode == 0, done.stderr
    assert sandbox.builds() == 1
    return sandbox, folder.rename(folder.with_name("copy"))


@pytest.fixture
def ready(first_ready: tuple[Sandbox, Path], tmp_path: Path) -> Iterator[Sandbox]:
    """A sandbox that is set up and built.

    Each is a copy where the first one was: a set-up takes longer than most of what is tested, and
    is for one folder.
    """
    sandbox, copy = first_ready
    folder = sandbox.root.parent
    shutil.copytree(copy, folder, symlinks=True)
    yield Sandbox(sandbox.root, sandbox.wheels, {**sandbox.environment})
    # Away at once, although a process that was killed may still write there
    folder.rename(tmp_path / "used")


# Under which nothing can be installed.
NOTHING = {"PIP_FIND_LINKS": os.devnull, "UV_FIND_LINKS": os.devnull}


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
