"""Runs what checks the page's sources: ``python -m lab.tools biome|tsc ARGUMENTS``."""

from __future__ import annotations

import os
import subprocess
import sys

from experiments.errors import ProgramError

from . import folders, library


def main(arguments: list[str]) -> int:
    """Install the tools if they are not there, run one in ``lab/``, and return its status."""
    try:
        with folders.only_one():
            commands = library.make_tools()
    except ProgramError as error:
        print(f"gridftp lab: {error}", file=sys.stderr)
        return 1
    # tsc is started by node, which need not be on the machine
    path = os.pathsep.join([str(library.node() / "bin"), os.environ.get("PATH", "")])
    command = [str(commands[arguments[0]]), *arguments[1:]]
    return subprocess.run(command, cwd=folders.LAB, env={**os.environ, "PATH": path}).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
