"""The Python packages in .venv: those that pyproject.toml pins, as far as they are needed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any, Iterable

from .messages import UserError, say
from .places import (
    BUILD,
    ROOT,
    VENV,
    VENV_MARK,
    VENV_PYTHON,
    VENV_STAMP,
    read_state,
    write_whole,
)
from .processes import logged, only_one
from .pythons import NEWEST_WHEEL_PYTHON, ask_python, check_wheel_platform, dotted, find_python

LOCK = ROOT / "launcher" / "packages.lock"
RENEW = "run .venv/bin/python -m launcher.lock"

_LOCKED = re.compile(r"^(?P<pin>[\w.-]+==[\w.]+)( \\\n +--hash=sha256:[0-9a-f]+)+\n", re.M)


def build_groups(ns3: Path | None) -> tuple[str, ...]:
    """The packages that a build needs."""
    return ("waf",) if ns3 else ("waf", "ns3")


def pins(groups: tuple[str, ...] | None) -> dict[str, list[str]]:
    """The exact packages of these groups, or of all: "waf", "ns3", "python" (experiments), ..."""
    import tomllib  # from 3.11 on, so not at the top

    with open(ROOT / "pyproject.toml", "rb") as file:
        data = tomllib.load(file)
    known = {
        **data["tool"]["gridftp"],
        **data["dependency-groups"],
        "python": data["project"]["dependencies"],
    }
    return known if groups is None else {group: known[group] for group in groups}


def installed() -> dict[str, Any]:
    """What .venv holds; empty if it has to be made, again or for the first time."""
    stamp = read_state(VENV_STAMP)
    # A moved folder breaks the scripts in it; a Python that was removed breaks all of it.
    usable = stamp.get("root") == str(ROOT) and VENV_PYTHON.exists()
    return stamp if usable else {}


def need_packages(groups: tuple[str, ...]) -> None:
    """Have the packages of these groups in .venv, exactly as pinned."""
    if "ns3" in groups:
        check_wheel_platform()
    wanted = pins(groups)
    if missing_packages(wanted):
        with only_one():
            install_packages(wanted)


def missing_packages(wanted: dict[str, list[str]]) -> dict[str, list[str]]:
    """The groups that .venv does not hold as pinned."""
    have = installed().get("groups", {})
    return {group: names for group, names in wanted.items() if have.get(group) != names}


def install_packages(wanted: dict[str, list[str]]) -> None:
    """Bring .venv to the pinned state; from scratch where it is incomplete."""
    missing = missing_packages(wanted)
    if not missing:
        return
    newest = NEWEST_WHEEL_PYTHON if "ns3" in wanted else None
    log = BUILD / "setup.log"
    stamp = installed()
    if not stamp or (newest and tuple(stamp["python"]) > newest):
        stamp = make_venv(newest, log)
        missing = missing_packages(wanted)
    VENV_STAMP.unlink(missing_ok=True)
    known = pins(None)
    groups = {name: known[name] for name in stamp["groups"] if name in known}
    groups.update(wanted)
    names = [name.split("==")[0] for group in missing.values() for name in group]
    say(f"installing {', '.join(dict.fromkeys(names))}")
    chosen = BUILD / "packages.txt"
    write_whole(chosen, hashed(pin for group in groups.values() for pin in group))
    # The lists are complete, so nothing is left to be resolved, now or in a year.
    sync = [str(VENV / "bin/uv"), "pip", "sync", "--require-hashes", "--no-build", "--no-progress"]
    sync += [f"--python={VENV_PYTHON}", str(chosen)]
    logged(sync, log, "the installation of Python packages failed")
    stamp["groups"] = groups
    write_whole(VENV_STAMP, json.dumps(stamp, indent=1))


def make_venv(newest: tuple[int, ...] | None, log: Path) -> dict[str, Any]:
    """Replace .venv by one with nothing but uv, which installs the rest; return its stamp."""
    python = find_python(newest)
    remove_venv()
    VENV_MARK.parent.mkdir()
    VENV_MARK.touch()
    version = ask_python(python)
    assert version
    say(f"setting up .venv with Python {dotted(version[0])} (once; log in build/setup.log)")
    log.write_text("", encoding="utf-8")
    logged([python, "-m", "venv", str(VENV)], log, "the set-up of .venv failed")
    first = BUILD / "packages.txt"
    write_whole(first, hashed(pins(("uv",))["uv"]))
    pip = [str(VENV_PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--no-deps"]
    pip += ["--require-hashes", "--only-binary=:all:", "--progress-bar=off", "--no-input"]
    logged([*pip, f"--requirement={first}"], log, "the installation of uv failed")
    return {"root": str(ROOT), "python": version[0], "groups": {}}


def hashed(wanted: Iterable[str]) -> str:
    """Requirements of these pins, with the hashes that packages.lock has of them.

    uv checks them, so that a package comes as it was when it was pinned, wherever it comes from.
    """
    text = LOCK.read_text(encoding="utf-8")
    known = {found["pin"]: found[0] for found in _LOCKED.finditer(text)}
    lines = []
    for pin in dict.fromkeys(wanted):
        if pin not in known:
            raise UserError(f"{LOCK.relative_to(ROOT)} has no hashes of {pin}: {RENEW}")
        lines.append(known[pin])
    return "".join(lines)


def remove_venv() -> None:
    """Delete .venv, if this launcher has made it."""
    if not VENV.exists() and not VENV.is_symlink():
        return
    if not VENV_MARK.exists() and (VENV.is_symlink() or any(VENV.iterdir())):
        raise UserError(
            "the folder .venv was not made by ./gridftp, which needs this name; rename or remove it"
        )
    shutil.rmtree(VENV)
