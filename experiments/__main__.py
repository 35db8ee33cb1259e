"""``python -m experiments VERB ARGUMENTS``, as the launcher ``gridftp`` calls it."""

from __future__ import annotations

import importlib
import sys

from analysis.read.results import ResultError

from .errors import ProgramError, UserError

VERBS = {
    "reproduce": "experiments.verbs.reproduce",
    "sweep": "experiments.verbs.sweep",
    "store": "experiments.verbs.store",
    "plot": "experiments.verbs.plot",
    "report": "experiments.verbs.report",
    "bench": "experiments.verbs.bench",
    "compare": "experiments.verbs.compare",
    "optimum": "experiments.verbs.optimum",
    "lab": "lab.verb",
    "bench --lab": "lab.bench",
    "bench --instructions": "experiments.bench.instructions",
}
"""The verbs, and the module of each."""


def main(arguments: list[str]) -> int:
    """Run one verb and return its exit status: 2 for bad input, 1 for failure, 130 for Ctrl-C."""
    if not arguments or arguments[0] not in VERBS:
        given = repr(arguments[0]) if arguments else "nothing"
        print(f"gridftp: {given} is not one of {', '.join(VERBS)}", file=sys.stderr)
        return 2
    try:
        # Each verb imports what it needs: --help does not wait for the drawing library.
        return importlib.import_module(VERBS[arguments[0]]).main(arguments[1:])
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    except (ProgramError, ResultError) as error:
        print(f"gridftp {arguments[0]}: {error}", file=sys.stderr)
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
