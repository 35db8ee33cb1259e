"""``python -m experiments COMMAND ARGUMENTS``, as the launcher ``gridftp`` calls it."""

from __future__ import annotations

import importlib
import sqlite3
import sys

from analysis.read.results import ResultError
from launcher.commands import MODULES

from .errors import ProgramError, UserError


def main(arguments: list[str]) -> int:
    """Run a command; return its exit status: 2 for bad input, 1 for failure, 130 for Ctrl-C."""
    if not arguments or arguments[0] not in MODULES:
        given = repr(arguments[0]) if arguments else "nothing"
        print(f"gridftp: {given} is not a command; allowed: {', '.join(MODULES)}", file=sys.stderr)
        return 2
    try:
        # Each command imports what it needs: --help does not wait for the drawing library.
        return importlib.import_module(MODULES[arguments[0]]).main(arguments[1:])
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    except (ProgramError, ResultError) as error:
        print(f"gridftp {arguments[0]}: {error}", file=sys.stderr)
        return 1
    except sqlite3.DatabaseError as error:
        print(
            f"gridftp {arguments[0]}: cannot read the store: {error}; examine it: ./gridftp store "
            "check",
            file=sys.stderr,
        )
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"gridftp {arguments[0]}: {where}{error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"gridftp {arguments[0]}: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
