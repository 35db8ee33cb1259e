"""`./gridftp COMMAND`: finds the command, prints help, reports errors."""

from __future__ import annotations

import os
import signal
import sys

from . import sources
from .commands import COMMANDS, GROUPS
from .messages import UserError, say
from .packages import installed
from .places import CURRENT, ROOT, VENV_PYTHON
from .processes import become
from .pythons import restart_on_suitable_python


def show_help() -> None:
    """Print all commands by group, what a newcomer does first at the top."""
    width = max(map(len, COMMANDS))
    print("usage: ./gridftp COMMAND [OPTION...]")
    for title, commands in GROUPS.items():
        print(f"\n{title}:")
        for name, command in commands.items():
            print(f"  {name:<{width}}  {command.summary}")
    print("\n./gridftp COMMAND --help lists the options of a command. The first use of a command")
    print("installs and builds what it needs, in this folder. To begin: ./gridftp run")


def show_command_help(name: str) -> None:
    """Print a command's help, then that of its program, where this is built already."""
    command = COMMANDS[name]
    text = f"{name}: {command.summary}\n\n{command.details}\n"
    if command.program == "experiments" and "python" in installed().get("groups", {}):
        print(text)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        become(VENV_PYTHON, ["-P", "-m", "experiments", name, "--help"], environment)
    program = CURRENT / "bin" / command.program
    if command.program and program.is_file():
        print(text)
        become(program, ["--help"])
    print(f"usage: ./gridftp {name} [OPTION...]\n\n{text}", end="")
    if command.program:
        print("\nRun ./gridftp build first to see the options here.")


def main(arguments: list[str]) -> None:
    """Run the command that the arguments name.

    Raises:
        UserError: there is no such command, or it refuses its options.
    """
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        show_help()
        return
    name, rest = arguments[0], arguments[1:]
    if name not in COMMANDS:
        import difflib

        close = difflib.get_close_matches(name, COMMANDS, 1)
        hint = f", did you mean '{close[0]}'?" if close else f"; allowed: {', '.join(COMMANDS)}"
        raise UserError(f"'{name}' is not a command{hint}", 2)
    own = rest[: rest.index("--")] if "--" in rest else rest
    if "--help" in own or own[:1] == ["-h"]:
        show_command_help(name)
        return
    restart_on_suitable_python()
    COMMANDS[name].run(rest)


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
