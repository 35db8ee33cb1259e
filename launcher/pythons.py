"""Which Python is used: this one, or another one of the machine."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys

from .messages import APT_LINE, UserError
from .places import ROOT, VENV_PYTHON, chosen_ns3

OLDEST_PYTHON = (3, 11)
# The newest with a wheel of ns3 at the version that pyproject.toml pins.
NEWEST_WHEEL_PYTHON = (3, 13)


def dotted(version: tuple[int, ...]) -> str:
    """(3, 11) as "3.11"."""
    return ".".join(map(str, version))


def ask_python(command: str) -> tuple[tuple[int, ...], bool] | None:
    """Version of a Python and whether it can make virtual environments; None if it does not run."""
    code = (
        "import sys, importlib.util as u\n"
        "print(*sys.version_info[:2], int(all(map(u.find_spec, ('venv', 'ensurepip')))))"
    )
    try:
        answer = subprocess.run(
            [command, "-c", code], capture_output=True, text=True, timeout=60, check=True
        )
        major, minor, able = map(int, answer.stdout.split())
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return (major, minor), bool(able)


def find_python(newest: tuple[int, ...] | None) -> str:
    """A Python from OLDEST_PYTHON to `newest` that can make .venv: this one, else from PATH."""
    if newest:
        allowed = f"Python {dotted(OLDEST_PYTHON)} to {dotted(newest)}"
        way_out = ", or build ns-3 from source and run ./gridftp build --ns3 PATH"
    else:
        allowed = f"Python {dotted(OLDEST_PYTHON)} or newer"
        way_out = ""
    last = newest[1] if newest else OLDEST_PYTHON[1] + 9
    names = [f"python3.{minor}" for minor in range(last, OLDEST_PYTHON[1] - 1, -1)]
    found = []
    unable = None
    # The real path: in a virtual environment, which may be the .venv about to be replaced, use
    # the Python behind it.
    for command in [os.path.realpath(sys.executable), *names, "python3"]:
        answer = ask_python(command) if shutil.which(command) else None
        if answer is None:
            continue
        version, able = answer
        if version < OLDEST_PYTHON or (newest and version > newest):
            found.append(dotted(version))
        elif able:
            return command
        else:
            unable = version
    if unable:
        raise UserError(
            f"Python {dotted(unable)} lacks its module venv; run: {APT_LINE}"
            f" (or install python{dotted(unable)}-venv)"
        )
    here = f"found {', '.join(dict.fromkeys(found))}" if found else "found none"
    raise UserError(f"{allowed} is required, {here}; run: {APT_LINE}{way_out}")


def restart_on_suitable_python() -> None:
    """Go on under Python 3.11 or newer, if this is older."""
    if sys.version_info >= OLDEST_PYTHON:
        return
    command = str(VENV_PYTHON)
    if not VENV_PYTHON.exists():
        other_ns3 = chosen_ns3() or any(word.startswith("--ns3") for word in sys.argv)
        command = find_python(None if other_ns3 else NEWEST_WHEEL_PYTHON)
    os.execvp(command, [command, str(ROOT / "gridftp"), *sys.argv[1:]])


def check_wheel_platform() -> None:
    """The wheel is compiled code."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise UserError(
            "the ns-3 package supports Linux on x86-64 only, this machine is "
            f"{platform.system()} on {platform.machine()}; "
            "build ns-3 from source and run ./gridftp build --ns3 PATH"
        )
