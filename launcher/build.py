"""The programs: what they are built of, against which ns-3, and whether they are up to date."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from pathlib import Path
from typing import Any, Iterable, NamedTuple

from . import sources
from .messages import APT_LINE, UserError, say
from .packages import installed
from .places import BUILD, CURRENT, ROOT, VENV, VENV_PYTHON, read_state, write_whole
from .processes import logged, only_one
from .progress import Progress
from .revision import commit, version

# Where an ns-3 has its libraries: a source tree that was built, or an installation prefix.
LIBRARIES = ("build/lib", "lib64", "lib", "lib/x86_64-linux-gnu")

WAF = """
import os, waflib
from waflib import Context, Scripting
Scripting.waf_entry_point(os.getcwd(), Context.WAFVERSION, os.path.dirname(waflib.__path__[0]))
"""


class Target(NamedTuple):
    """One build: against which ns-3, into which folder."""

    ns3: Path
    folder: Path
    # What a changed value of makes everything built so far useless.
    identity: dict[str, Any]

    @property
    def programs(self) -> Path:
        """Where the programs are."""
        return self.folder / "bin"

    @property
    def sanitized(self) -> Path:
        """Where the test runner with AddressSanitizer and UBSan is."""
        return self.folder / "sanitized/bin"


def find_compiler() -> str:
    """The path of the C++ compiler that waf will find."""
    for name in [os.environ.get("CXX", "").split(" ")[0], "g++", "c++", "clang++"]:
        found = name and shutil.which(name)
        if found:
            return os.path.realpath(found)
    raise UserError(f"no C++ compiler found; run: {APT_LINE}")


def target(path: Path | None) -> Target:
    """The build against the ns-3 at `path`, or against the wheel in .venv."""
    compiler = find_compiler()
    about = os.stat(compiler)
    identity: dict[str, Any] = {
        "root": str(ROOT),
        "compiler": [compiler, about.st_mtime_ns, about.st_size],
        "flags": [os.environ.get(name, "") for name in ("CXX", "CXXFLAGS", "LINKFLAGS")],
    }
    if path is None:
        name = "wheel"
        ns3 = next(VENV.glob("lib/python3*/site-packages/ns3"), VENV / "ns3")
        identity["ns3"] = [str(ns3), installed().get("groups", {}).get("ns3")]
    else:
        name = f"{path.name}-{digest(str(path))[:8]}"
        identity["ns3"] = [[str(core), core.stat().st_mtime_ns] for core in core_libraries(path)]
        ns3 = path
    return Target(ns3, BUILD / name, identity)


def core_libraries(path: Path) -> list[Path]:
    """The libraries by which an ns-3 is recognised; a rebuilt ns-3 has new ones."""
    found = [file for lib in LIBRARIES for file in sorted(path.glob(f"{lib}/libns3*-core*.so"))]
    if not found:
        places = ", ".join(LIBRARIES)
        raise UserError(
            f"no ns-3 in '{path}': libns3*-core*.so is in none of {places}"
            " (./gridftp build --ns3 wheel goes back to the ns-3 package)",
            2,
        )
    return found


def digest(text: str) -> str:
    """A short name for a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def state_of(folders: Iterable[Path]) -> str:
    """Changes whenever a source in these folders is added, removed or written to."""
    entries = []
    for file in sources.files(folders):
        about = file.stat()
        entries.append(f"{file} {about.st_mtime_ns} {about.st_size}")
    return digest("\n".join(entries))


def need_build(goal: Target, tests: bool = False, sanitize: bool = False) -> None:
    """Have the programs up to date; costs a few milliseconds when they are.

    The test runner and the module's examples, a good part of the work, only if `tests`; the runner
    of the module with sanitizers, more of it, only if `sanitize`.
    """
    wanted = {
        "identity": digest(json.dumps(goal.identity)),
        "wscript": digest((ROOT / "wscript").read_text(encoding="utf-8")),
        "rooms": digest((ROOT / sources.ROOMS_FILE).read_text(encoding="utf-8")),
        "sources": state_of([ROOT / sources.PROGRAMS, *sources.folders(*sources.LIBRARY)]),
        "version": version(),
        "commit": commit(),
    }
    if tests or sanitize:
        wanted["tests"] = state_of([ROOT / sources.EXAMPLES, *sources.folders("test")])
    if sanitize:
        wanted["sanitized"] = wanted["tests"]
    if not is_built(goal, wanted):
        with only_one():
            if not is_built(goal, wanted):
                build(goal, wanted)
    if not CURRENT.is_symlink() or os.readlink(CURRENT) != goal.folder.name:
        link = BUILD / f"current.{os.getpid()}"
        link.symlink_to(goal.folder.name)
        link.replace(CURRENT)


def is_built(goal: Target, wanted: dict[str, str]) -> bool:
    """Whether the last complete build in the folder was made of the same."""
    have = read_state(goal.folder / "gridftp-built.json")
    return all(have.get(key) == value for key, value in wanted.items())


def build(goal: Target, wanted: dict[str, str]) -> None:
    """Configure where needed, then compile and link what has changed."""
    stamp = goal.folder / "gridftp-built.json"
    configured = goal.folder / "gridftp-configured.json"
    configuration = {key: wanted[key] for key in ("identity", "wscript")}
    have = read_state(configured)
    if goal.folder.exists() and have.get("identity") != configuration["identity"]:
        shutil.rmtree(goal.folder)
    goal.folder.mkdir(parents=True, exist_ok=True)
    log = BUILD / f"{goal.folder.name}.log"
    log.write_text("", encoding="utf-8")
    built = read_state(stamp)
    if any(wanted.get(key) != value for key, value in built.items()):
        stamp.unlink(missing_ok=True)
    # Else something is added to what is there, which is used meanwhile

    environment = {
        **os.environ,
        "GRIDFTP_COMMIT": wanted["commit"],
        "NO_LOCK_IN_RUN": "1",
        "NO_LOCK_IN_TOP": "1",
        "NOCOLOR": "1",
    }
    waf = [str(VENV_PYTHON), "-c", WAF, f"--top={ROOT}", f"--out={goal.folder}"]
    started = time.monotonic()
    if have != configuration:
        configured.unlink(missing_ok=True)
        options = [f"--ns3={goal.ns3}"]
        logged([*waf, "configure", *options], log, "the configuration failed", environment)
        write_whole(configured, json.dumps(configuration))
    options = [] if "tests" in wanted else ["--programs-only"]
    options += ["--sanitize"] if "sanitized" in wanted else []
    options.append(f"--jobs={len(os.sched_getaffinity(0))}")
    progress = Progress(goal.folder.name)
    logged([*waf, "-v", "build", *options], log, "the build failed", environment, progress)
    if progress.steps:
        say(f"built in {time.monotonic() - started:.0f} s (build/{goal.folder.name})")
    write_whole(stamp, json.dumps(wanted))
