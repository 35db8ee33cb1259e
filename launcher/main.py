"""`./gridftp VERB`: finds the verb, tells its help, reports what stops it."""

from __future__ import annotations

import os
import signal
import sys

from . import sources
from .messages import UserError, say
from .packages import installed
from .places import CURRENT, ROOT, VENV_PYTHON
from .processes import become
from .pythons import restart_on_suitable_python
from .verbs import VERBS


def show_help() -> None:
    """Every verb."""
    width = max(map(len, VERBS))
    print("usage: ./gridftp VERB [OPTION...]\n")
    for name, verb in VERBS.items():
        print(f"  {name:<{width}}  {verb.summary}")
    print("\n./gridftp VERB --help tells the options. What a verb needs is set up on first use.")


def show_verb_help(name: str) -> None:
    """A verb's own help; above that of the program behind it, where it is there already."""
    verb = VERBS[name]
    told = f"{name}: {verb.summary}\n\n{verb.details}\n"
    if verb.program == "experiments" and "python" in installed().get("groups", {}):
        print(told)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        become(VENV_PYTHON, ["-P", "-m", "experiments", name, "--help"], environment)
    program = CURRENT / "bin" / verb.program
    if verb.program and program.is_file():
        print(told)
        become(program, ["--help"])
    print(f"usage: ./gridftp {name} [OPTION...]\n\n{told}", end="")
    if verb.program:
        print("\nThe options are listed here after ./gridftp build.")


def main(arguments: list[str]) -> None:
    """Do what the command line says."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        show_help()
        return
    name, rest = arguments[0], arguments[1:]
    if name not in VERBS:
        import difflib

        close = difflib.get_close_matches(name, VERBS, 1)
        hint = f", did you mean '{close[0]}'?" if close else f": {', '.join(VERBS)}"
        raise UserError(f"'{name}' is not a verb{hint}", 2)
    own = rest[: rest.index("--")] if "--" in rest else rest
    if "--help" in own or own[:1] == ["-h"]:
        show_verb_help(name)
        return
    restart_on_suitable_python()
    VERBS[name].run(rest)


def run(arguments: list[str]) -> None:
    """`main`, with one line for the user and an exit status where it fails."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main(arguments)
    except UserError as error:
        say(str(error))
        sys.exit(error.status)
    except sources.SourceError as error:
        say(str(error))
        sys.exit(1)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # `./gridftp --help | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except OSError as error:
        # no space, no permission
        say(f"{error.filename or 'system error'}: {error.strerror or error}")
        sys.exit(1)
