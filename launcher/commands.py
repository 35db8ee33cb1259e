"""The commands of ./gridftp: what each needs set up, and which program runs it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Callable, NamedTuple

from .build import Target, core_libraries, find_compiler, need_build, target
from .messages import UserError, say
from .ns3_tree import OPTION as TREE_OPTION
from .ns3_tree import test_in_tree
from .packages import build_groups, need_packages, pins
from .places import NS3_PATH, ROOT, VENV_PYTHON, chosen_ns3, write_whole
from .processes import become
from .revision import clean_commit

MODULES = {
    "reproduce": "experiments.verbs.reproduce",
    "sweep": "experiments.verbs.sweep",
    "profile": "experiments.verbs.profile",
    "store": "experiments.verbs.store",
    "plot": "experiments.verbs.plot",
    "report": "experiments.verbs.report",
    "bench": "experiments.verbs.bench",
    "bench --lab": "lab.bench",
    "bench --instructions": "experiments.bench.instructions",
    "compare": "experiments.verbs.compare",
    "twin": "experiments.verbs.twin",
    "optimum": "experiments.verbs.optimum",
    "learn": "experiments.verbs.learn",
    "lab": "lab.verb",
    "manual": "manual.verb",
    "release": "release.verb",
}
"""Commands that Python runs, through `experiments/__main__.py`, and the module of each."""


class Command(NamedTuple):
    """One row of `./gridftp --help`.

    Attributes:
        run: executes the command with the words that follow its name; does not return where
            another program takes over the process.
        summary: one line for `./gridftp --help`.
        details: follows the summary in the command's own --help.
        program: name of the program in scratch/ that prints the options, "experiments" if Python
            prints them, or "" if `details` lists them all.
    """

    run: Callable[[list[str]], None]
    summary: str
    details: str
    program: str = ""


def ready(groups: tuple[str, ...] = ()) -> Target:
    """Install packages and build programs where they are missing or outdated."""
    find_compiler()
    ns3 = chosen_ns3()
    need_packages((*build_groups(ns3), *groups))
    goal = target(ns3)
    need_build(goal)
    return goal


def start_program(name: str) -> Callable[[list[str]], None]:
    """Return how a command starts one of the programs in scratch/."""

    def run(arguments: list[str]) -> None:
        become(ready().programs / name, arguments)

    return run


def python_environment(goal: Target) -> dict[str, str]:
    """Return the environment in which Python finds the programs."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "GRIDFTP_BUILD_DIR": str(goal.programs)}


def extras(command: str, words: list[str]) -> tuple[str, ...]:
    """Return the groups of optional packages that a command needs with these words."""
    if command == "release":
        # The bill of materials reads the licences of all installed packages.
        return tuple(pins(None))
    lab_bench = command == "bench --lab"
    notebook = command == "lab" and "--notebook" in words
    asked = {
        "browser": lab_bench,
        "dask": command in ("sweep", "profile")
        and any(word.split("=")[0] == "--dask" for word in words),
        "lab": lab_bench or (command == "lab" and not notebook),
        "learning": command == "learn",
        "manual": command == "manual",
        "notebook": notebook,
        "parquet": (command, *words[:1]) == ("store", "export")
        and any(word.endswith(".parquet") for word in words),
    }
    return tuple(group for group, wanted in asked.items() if wanted)


def start_experiments(command: str) -> Callable[[list[str]], None]:
    """Return how a command of the experiments package starts.

    It runs in the user's working directory, so that relative paths are resolved there. -P keeps
    modules in that directory out of the search path.
    """

    def run(arguments: list[str]) -> None:
        goal = ready(("python", *extras(command, arguments)))
        words = ["-P", "-m", "experiments", command, *arguments]
        become(VENV_PYTHON, words, python_environment(goal))

    return run


def run_optimum(arguments: list[str]) -> None:
    """Compute the best N of a path; with --figure, Python draws it."""
    figure = any(word == "--figure" or word.startswith("--figure=") for word in arguments)
    starter = start_experiments("optimum") if figure else start_program("gridftp-optimum")
    starter(arguments)


def run_bench(arguments: list[str]) -> None:
    """Measure the simulator's speed; --lab and --instructions select other measurements."""
    kind = next((word for word in arguments if word in ("--lab", "--instructions")), None)
    rest = [word for word in arguments if word != kind]
    start_experiments(f"bench {kind}" if kind else "bench")(rest)


def run_release(arguments: list[str]) -> None:
    """Refuse uncommitted changes before anything is built, then make the archives."""
    clean_commit()
    start_experiments("release")(arguments)


def run_dask(arguments: list[str]) -> None:
    """Start Dask's own command; its workers find the experiments package and the programs."""
    environment = python_environment(ready(("python", "dask")))
    environment["DASK_DISTRIBUTED__WORKER__PRELOAD"] = "experiments.cluster.dask_worker"
    become(VENV_PYTHON, ["-P", "-m", "dask", *arguments], environment)


def run_build(arguments: list[str]) -> None:
    """Build; --ns3 selects the ns-3 to build against."""
    sanitize, path = False, None
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name == "--ns3":
            path = value if equals else next(words, "")
            if not path:
                raise UserError(
                    "build --ns3: its value is missing; allowed: a path, or the word wheel", 2
                )
        elif word == "--sanitize":
            sanitize = True
        else:
            raise UserError(f"build: '{word}' is not an option; allowed: --ns3, --sanitize", 2)
    find_compiler()
    if path is None:
        ns3 = chosen_ns3()
    elif path == "wheel":
        ns3 = None
    else:
        ns3 = Path(path).expanduser().resolve()
        core_libraries(ns3)
    need_packages(build_groups(ns3))
    goal = target(ns3)
    need_build(goal, tests=True, sanitize=sanitize)
    if ns3:
        write_whole(NS3_PATH, f"{ns3}\n")
    elif NS3_PATH.exists():
        NS3_PATH.unlink()
    say(f"the programs are in {goal.programs.relative_to(ROOT)}")


def run_test(arguments: list[str]) -> None:
    """Run tests/checks.py, which builds by calling this launcher, or the tests in an ns-3 tree."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if any(word.partition("=")[0] == TREE_OPTION for word in own):
        sys.exit(test_in_tree(arguments))
    find_compiler()
    ns3 = chosen_ns3()
    optional = ["dask", "lab", "parquet", "notebook", "browser", "learning", "manual", "release"]
    if "--mutants" in arguments:
        optional.append("mutants")
    need_packages((*build_groups(ns3), "python", "dev", *optional))
    goal = target(ns3)
    environment = python_environment(goal)
    environment["GRIDFTP_NS3"] = str(goal.ns3)
    environment["GRIDFTP_SANITIZE_DIR"] = str(goal.sanitized)
    become(VENV_PYTHON, ["-P", str(ROOT / "tests" / "checks.py"), *arguments], environment)


FIRST_STEPS = {
    "run": Command(
        start_program("gridftp-transfer"),
        "simulate one scenario; prints a table, or JSON with --json",
        "Example: ./gridftp run --mode=mi --file-size=1GB --json",
        "gridftp-transfer",
    ),
    "optimum": Command(
        run_optimum,
        "find the best number of connections for a path",
        "Simulates hosts of today; with --stack=classic, evaluates the fluid model of Ito et al.\n"
        "--figure FILE draws the curve (PNG, PDF or SVG).",
        "gridftp-optimum",
    ),
    "reproduce": Command(
        start_experiments("reproduce"),
        "reproduce the papers: simulate, draw every figure, judge every claim",
        "Writes figures, their data, report.html and a page for each paper to results/.\n"
        "--quick draws the first figure of each paper, in some minutes. --check compares the\n"
        "results with the shipped numbers.",
        "experiments",
    ),
    "lab": Command(
        start_experiments("lab"),
        "watch congestion control in the browser, with lessons",
        "The simulator runs inside the page. --export DIR writes a static site for any web\n"
        "server; --notebook opens a marimo notebook instead.",
        "experiments",
    ),
    "manual": Command(
        start_experiments("manual"),
        "build the manual: one searchable site",
        "Sphinx builds README.md and contrib/gridftp/doc into build/manual, or --export DIR. You\n"
        "can read the site offline. Any warning or dead link is an error.",
        "experiments",
    ),
}

EXPERIMENTS = {
    "sweep": Command(
        start_experiments("sweep"),
        "run and store all simulations that SPEC.toml declares",
        "An interrupted sweep resumes. Example specs are in papers/*/sweeps; copy one and change\n"
        "its values.",
        "experiments",
    ),
    "profile": Command(
        start_experiments("profile"),
        "find what limits each transfer of SPEC.toml, and what to change",
        "Removes one limit at a time (network, window, loss, storage, CPU), names the limit whose\n"
        "removal raises goodput most, and simulates the advice. Runs are stored, as in a sweep.",
        "experiments",
    ),
    "plot": Command(
        start_experiments("plot"),
        "draw the figures from stored results, without simulating",
        "./gridftp reproduce and ./gridftp sweep produce the results.",
        "experiments",
    ),
    "report": Command(
        start_experiments("report"),
        "write the report from stored results, without simulating",
        "Writes results/report.html with the claims of all papers, and a page for each paper in\n"
        "results/report/.",
        "experiments",
    ),
    "store": Command(
        start_experiments("store"),
        "manage stored results: list, show, retry, export, check, gc",
        "The store is results/store.sqlite, or --store FILE.",
        "experiments",
    ),
    "learn": Command(
        start_experiments("learn"),
        "train and run a tuner in Python (Gymnasium)",
        "Example: ./gridftp learn my_agent.py, which begins with\n"
        "  from experiments.learning import GridFtpTuningEnv\n"
        "The section 'A learner' of contrib/gridftp/doc/gridftp-tuning.rst has a complete script.",
    ),
    "dask": Command(
        run_dask,
        "start a Dask scheduler or worker, for sweeps on several machines",
        "  ./gridftp dask scheduler\n"
        "  ./gridftp dask worker tcp://HOST:8786\n"
        "  ./gridftp sweep SPEC.toml --dask tcp://HOST:8786\n\n"
        "All words after `dask` go to Dask's own command. It lists its options with\n"
        "  ./gridftp dask -- worker --help",
    ),
}

REAL_TRANSFERS = {
    "client": Command(
        start_program("gridftp-client"),
        "move a file from or to a real GridFTP server, with a tuner",
        "Examples: ./gridftp client get ftp://127.0.0.1:2811/file --mode=mi-plus\n"
        "          ./gridftp client put file ftp://127.0.0.1:2811/file --mode=fixed\n"
        "The client of the simulations on this host's TCP. Anonymous FTP, without GSI; it does\n"
        "not replace globus-url-copy.",
        "gridftp-client",
    ),
    "server": Command(
        start_program("gridftp-server"),
        "serve one folder to GridFTP clients, read-only unless asked",
        "Example: ./gridftp server FOLDER --writable\n"
        "Listens on 127.0.0.1 unless --address is given; Ctrl-C stops it. The server of the\n"
        "simulations on this host's TCP. It does not replace globus-gridftp-server.",
        "gridftp-server",
    ),
}

CHECKS = {
    "test": Command(
        run_test,
        "run all tests; the last line counts them",
        """\
options (without any: all of style, cpp, sanitize and python):
  --style       formatting and lint of all languages
  --cpp         the module's ns-3 test suites
  --sanitize    the same suites under AddressSanitizer and UBSan
  --python      pytest; words after -- are passed on: --python -- -k launcher
  --extensive   also the test cases that take long
  --ns3-tree PATH  instead: build the module in this ns-3 source tree (3.44 or newer) with only
                the ns-3 modules that it needs and warnings as errors, and run its suites. The
                tree is not changed. Needs cmake; --extensive adds the random suites
  --packetdrill DIR  run packetdrill scripts (*.pkt below a folder, or one file) on the Linux
                stack; see contrib/gridftp/doc/explanation/packetdrill.md
  --mutants     check that the tests detect one-line changes of the sources; takes hours,
                resumes where it stopped; words after -- are --cpp N, --python N, --only FILE""",
    ),
    "compare": Command(
        start_experiments("compare"),
        "check that both engines agree on a grid of paths",
        "Takes three hours of CPU time; --part takes less than a minute.",
        "experiments",
    ),
    "twin": Command(
        start_experiments("twin"),
        "run real GridFTP programs over the emulated path, next to both engines",
        "Needs root, and Debian's packages globus-gridftp-server-progs and\n"
        "globus-gass-copy-progs. Client and server run in network namespaces on Linux's own TCP;\n"
        "ns-3 emulates the path between them in real time. Everything is removed at the end.",
        "experiments",
    ),
    "bench": Command(
        run_bench,
        "measure the simulator's speed, as ratios",
        "Compares both engines, ns-3's BulkSend and, with Debian's package ns2, ns-2. Ratios\n"
        "within one run are comparable between machines. Takes some minutes.\n"
        "--lab measures the engine in a browser and the frame rate of its page. --instructions\n"
        "counts the instructions of engine segment, with Debian's package valgrind; with\n"
        "--baseline PROGRAM also those of gridftp-transfer of another build.",
        "experiments",
    ),
}

INSTALLATION = {
    "build": Command(
        run_build,
        "build the programs; --ns3 PATH selects another ns-3",
        """\
options:
  --ns3 PATH    build against this ns-3 from now on: a source tree that was built
                (./ns3 configure && ./ns3 build) or an installation prefix
  --ns3 wheel   return to the ns-3 package in .venv
  --sanitize    build the test runner with AddressSanitizer and UBSan, too""",
    ),
    "release": Command(
        run_release,
        "make the archives of a release from the current commit",
        "Writes the whole tree with the built lab, the ns-3 module alone, a bill of materials\n"
        "(CycloneDX) and SHA256SUMS to build/release or --export DIR. Every clone produces the\n"
        "same bytes. Needs git and a working tree without uncommitted changes.",
        "experiments",
    ),
}

GROUPS = {
    "Start here": FIRST_STEPS,
    "Your own experiments": EXPERIMENTS,
    "Real transfers": REAL_TRANSFERS,
    "Checks": CHECKS,
    "Installation": INSTALLATION,
}
"""The commands as `./gridftp --help` groups them."""

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}
