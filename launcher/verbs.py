"""The verbs: what each needs, and who does it."""

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
"""What Python does, through `experiments/__main__.py`, and the module that does it."""


class Verb(NamedTuple):
    """One row of `./gridftp --help`."""

    run: Callable[[list[str]], None]
    summary: str
    # What follows the summary in the verb's own --help.
    details: str
    # Who knows the rest of the options: a program, or the experiments package.
    program: str = ""


def ready(groups: tuple[str, ...] = ()) -> Target:
    """Packages and programs, up to date."""
    find_compiler()
    ns3 = chosen_ns3()
    need_packages((*build_groups(ns3), *groups))
    goal = target(ns3)
    need_build(goal)
    return goal


def start_program(name: str) -> Callable[[list[str]], None]:
    """A verb that is one of the programs in scratch/."""

    def run(arguments: list[str]) -> None:
        become(ready().programs / name, arguments)

    return run


def python_environment(goal: Target) -> dict[str, str]:
    """What the Python side is told: where the programs are."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "GRIDFTP_BUILD_DIR": str(goal.programs)}


def extras(verb: str, words: list[str]) -> tuple[str, ...]:
    """The groups of optional packages that the words after a verb ask for."""
    if verb == "release":
        # The licences of all of them are told by themselves.
        return tuple(pins(None))
    lab_bench = verb == "bench --lab"
    notebook = verb == "lab" and "--notebook" in words
    asked = {
        "browser": lab_bench,
        "dask": verb in ("sweep", "profile")
        and any(word.split("=")[0] == "--dask" for word in words),
        "lab": lab_bench or (verb == "lab" and not notebook),
        "learning": verb == "learn",
        "manual": verb == "manual",
        "notebook": notebook,
        "parquet": (verb, *words[:1]) == ("store", "export")
        and any(word.endswith(".parquet") for word in words),
    }
    return tuple(group for group, wanted in asked.items() if wanted)


def start_experiments(verb: str) -> Callable[[list[str]], None]:
    """A verb of the experiments package.

    It starts in the user's folder, so that relative paths mean what they say. -P keeps modules
    that happen to lie there out of the search path.
    """

    def run(arguments: list[str]) -> None:
        goal = ready(("python", *extras(verb, arguments)))
        command = ["-P", "-m", "experiments", verb, *arguments]
        become(VENV_PYTHON, command, python_environment(goal))

    return run


def verb_optimum(arguments: list[str]) -> None:
    """The best N of a path: numbers from the program, a figure from the experiments package."""
    figure = any(word == "--figure" or word.startswith("--figure=") for word in arguments)
    starter = start_experiments("optimum") if figure else start_program("gridftp-optimum")
    starter(arguments)


def verb_bench(arguments: list[str]) -> None:
    """The simulator's speed; --lab and --instructions, not passed on, name benches of their own."""
    kind = next((word for word in arguments if word in ("--lab", "--instructions")), None)
    rest = [word for word in arguments if word != kind]
    start_experiments(f"bench {kind}" if kind else "bench")(rest)


def verb_release(arguments: list[str]) -> None:
    """Archives of a commit, refused before anything is built where something is in none."""
    clean_commit()
    start_experiments("release")(arguments)


def verb_dask(arguments: list[str]) -> None:
    """Dask's own command, whose workers find the experiments package and the programs."""
    environment = python_environment(ready(("python", "dask")))
    environment["DASK_DISTRIBUTED__WORKER__PRELOAD"] = "experiments.cluster.dask_worker"
    become(VENV_PYTHON, ["-P", "-m", "dask", *arguments], environment)


def verb_build(arguments: list[str]) -> None:
    """Build, and change the ns-3 to build against."""
    sanitize, path = False, None
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name == "--ns3":
            path = value if equals else next(words, "")
            if not path:
                raise UserError("build --ns3: a path is missing, or the word wheel", 2)
        elif word == "--sanitize":
            sanitize = True
        else:
            raise UserError(f"build: '{word}' is not an option, --ns3 and --sanitize are", 2)
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


def verb_test(arguments: list[str]) -> None:
    """All tests, in tests/checks.py, which builds by calling this launcher; or those in a tree."""
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


VERBS = {
    "reproduce": Verb(
        start_experiments("reproduce"),
        "everything the papers show: build, simulate, draw, judge",
        "Figures, their data, the claims, report.html and a page for each paper go to results/.\n"
        "--quick does the first figure of each paper, in some minutes. --check compares with\n"
        "the numbers that are shipped.",
        "experiments",
    ),
    "run": Verb(
        start_program("gridftp-transfer"),
        "simulate one scenario; a table for people, --json for programs",
        "Example: ./gridftp run --mode=mi --file-size=1GB --json",
        "gridftp-transfer",
    ),
    "optimum": Verb(
        verb_optimum,
        "the best number of connections for a path: simulated, or by the fluid model",
        "With --figure FILE the curve is drawn (PNG, PDF or SVG).",
        "gridftp-optimum",
    ),
    "sweep": Verb(
        start_experiments("sweep"),
        "simulate what SPEC.toml declares, and keep it",
        "Goes on where it was interrupted. Specs are in papers/*/sweeps; one of your own is a\n"
        "copy with other values.",
        "experiments",
    ),
    "profile": Verb(
        start_experiments("profile"),
        "which limit holds each transfer of SPEC.toml, and what to change",
        "Lifts each limit of a transfer in turn (network, window, loss, storage, CPU), names the\n"
        "one without which goodput rises most, and tries what it advises. Kept as a sweep is.",
        "experiments",
    ),
    "dask": Verb(
        verb_dask,
        "a scheduler or a worker of Dask, for sweeps on several machines",
        "  ./gridftp dask scheduler\n"
        "  ./gridftp dask worker tcp://HOST:8786\n"
        "  ./gridftp sweep SPEC.toml --dask tcp://HOST:8786\n\n"
        "What follows `dask` goes to Dask's own command, which tells its options so:\n"
        "  ./gridftp dask -- worker --help",
    ),
    "store": Verb(
        start_experiments("store"),
        "what is kept of sweeps: list, show, retry, export, check, gc",
        "The store is results/store.sqlite, or --store FILE.",
        "experiments",
    ),
    "plot": Verb(
        start_experiments("plot"),
        "draw the figures from results at hand, without simulating",
        "Results are made by ./gridftp reproduce and ./gridftp sweep.",
        "experiments",
    ),
    "report": Verb(
        start_experiments("report"),
        "pages of claims, figures and provenance from results at hand",
        "Writes results/report.html, with the claims of all papers, and results/report/, a page\n"
        "for each paper; simulates nothing.",
        "experiments",
    ),
    "bench": Verb(
        verb_bench,
        "the simulator's speed, as ratios",
        "Both engines, ns-3's BulkSend and, where Debian's package ns2 is installed, ns-2: ratios\n"
        "within one run, so that they mean the same on every machine. Takes some minutes.\n"
        "--lab is for the engine in a browser, and the frames of its page. --instructions counts\n"
        "what engine segment executes, with Debian's package valgrind; --baseline PROGRAM, the\n"
        "gridftp-transfer of another build, is then counted beside it.",
        "experiments",
    ),
    "compare": Verb(
        start_experiments("compare"),
        "both engines on a grid of paths: do they agree?",
        "Three hours of processor time; --part takes less than a minute.",
        "experiments",
    ),
    "twin": Verb(
        start_experiments("twin"),
        "the real GridFTP programs over the simulated path, beside both engines",
        "Needs root, and Debian's packages globus-gridftp-server-progs and\n"
        "globus-gass-copy-progs. Client and server run in network namespaces on Linux's own TCP,\n"
        "the path between them in ns-3 in real time. Nothing of it is left, however it ends.",
        "experiments",
    ),
    "learn": Verb(
        start_experiments("learn"),
        "run a Python script whose learner tunes transfers (Gymnasium)",
        "Example: ./gridftp learn my_agent.py, which begins with\n"
        "  from experiments.learning import GridFtpTuningEnv\n"
        "contrib/gridftp/doc/gridftp-tuning.rst, A learner, has a whole script.",
    ),
    "lab": Verb(
        start_experiments("lab"),
        "watch and poke congestion control in a browser; lessons",
        "The engine runs in the page. --export DIR writes the static site, for any host;\n"
        "--notebook is for those who prefer one (marimo).",
        "experiments",
    ),
    "manual": Verb(
        start_experiments("manual"),
        "the manual as one searchable site, made and checked",
        "README and contrib/gridftp/doc by Sphinx, to build/manual or --export DIR. To read it,\n"
        "no network is needed. A warning or a link that leads nowhere is a failure.",
        "experiments",
    ),
    "build": Verb(
        verb_build,
        "(re)build only; --ns3 PATH to use another ns-3",
        """\
options:
  --ns3 PATH    build against this ns-3 from now on: a source tree that was built
                (./ns3 configure && ./ns3 build) or an installation prefix
  --ns3 wheel   go back to the ns-3 package in .venv
  --sanitize    the test runner with AddressSanitizer and UBSan, too""",
    ),
    "release": Verb(
        verb_release,
        "archives of the commit that is checked out, for others",
        "The whole tree with the built lab, the ns-3 module alone, a bill of materials\n"
        "(CycloneDX) and SHA256SUMS, the same byte for byte from every clone, to\n"
        "build/release or --export DIR. Needs git, and nothing that is in no commit.",
        "experiments",
    ),
    "test": Verb(
        verb_test,
        "all tests; the last line counts them",
        """\
options (without any: everything):
  --style       formatting and lint of all languages
  --cpp         the module's ns-3 test suites
  --sanitize    the same suites under AddressSanitizer and UBSan
  --python      pytest; words after -- go to it: --python -- -k launcher
  --extensive   with the test cases that take long
  --ns3-tree PATH  instead: build the module in this ns-3 source tree (3.44 or newer), with the
                ns-3 modules that it needs alone and warnings as errors, and run its suites; the
                tree stays as it is. Needs cmake; --extensive runs the drawn suites, too
  --packetdrill DIR  scripts of packetdrill (*.pkt) below a folder, or one script, on the Linux
                stack; doc/explanation/packetdrill.md
  --mutants     whether the tests notice one-line changes of the sources; takes hours, goes on
                where it was interrupted; words after -- are --cpp N, --python N, --only FILE""",
    ),
}
