"""What a twin needs of the machine, and whether it is there; checked before anything is made."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import ProgramError, UserError
from ..programs.program import Program, locate

PREFIX = "gridftp twin: "

NETWORK = "gridftp-twin-network"
"""The simulated path in real time, one of our programs."""

TUN = Path("/dev/net/tun")
SYSCTL = Path("/proc/sys/net")

TRIAL = ("chrt", "--fifo", "10", "unshare", "--net", "true")
"""What root may do, but not in each container."""

PACKAGES = {
    "globus-gridftp-server": "globus-gridftp-server-progs",
    "globus-url-copy": "globus-gass-copy-progs",
    "ip": "iproute2",
    "ss": "iproute2",
    "tc": "iproute2",
    "chrt": "util-linux",
    "nsenter": "util-linux",
    "setpriv": "util-linux",
    "unshare": "util-linux",
}
"""Programs, and the Debian package of each."""

LINUX_TCP = {"reno": "reno", "newreno": "reno", "cubic": "cubic", "highspeed": "highspeed"}
"""What Linux calls a TCP of the classic stack. It has one Reno, which recovers as NewReno
(RFC 6582)."""

TODAY_TCP = {"cubic": "cubic", "reno": "reno", "bbr": "bbr"}
"""The same of the Linux stack. Version 3 of BBR is not in Linux."""

PACING_TRIAL = ("unshare", "--net", "tc", "qdisc", "add", "dev", "lo", "root", "fq")
"""Whether the kernel has the queueing discipline fq; loads its module where it can be loaded."""


def check_machine() -> Program:
    """Refuse a machine on which there can be no twin; return the program that is its path.

    Raises:
        UserError: something is missing; the line says what, and how to come by it.
    """
    if not sys.platform.startswith("linux"):
        raise UserError(f"{PREFIX}needs Linux, for network namespaces and taps")
    if os.geteuid() != 0:
        raise UserError(
            f"{PREFIX}needs root, for network namespaces and taps; allowed: sudo ./gridftp twin"
        )
    if not TUN.exists() or not stat.S_ISCHR(TUN.stat().st_mode):
        raise UserError(f"{PREFIX}{TUN} is missing; allowed: a kernel with its module tun")
    missing = [name for name in PACKAGES if not find(name)]
    if missing:
        packages = dict.fromkeys(PACKAGES[name] for name in missing)
        raise UserError(
            f"{PREFIX}missing: {', '.join(missing)}; run: apt install {' '.join(packages)}"
        )
    try:
        network = locate(NETWORK)
    except ProgramError as error:
        raise UserError(f"{PREFIX}{error}, against an ns-3 with its module tap-bridge") from None
    tried = subprocess.run(TRIAL, capture_output=True, text=True, check=False)
    if tried.returncode:
        why = " ".join(tried.stderr.split())
        raise UserError(
            f"{PREFIX}root lacks rights here ({why}); allowed: no container, or a privileged one"
        )
    return network


def find(name: str) -> str | None:
    """Return the path of a program, also of one for the administrator, which root may not see."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def is_of_today(scenario: Mapping[str, Any]) -> bool:
    """Return whether hosts use all that the kernel's TCP has (``--stack=linux``)."""
    return bool(scenario.get("stack") == "linux")


def asks_for(scenario: Mapping[str, Any]) -> bool:
    """Return whether programs ask for windows; otherwise the kernel sizes them."""
    return bool(scenario.get("buffers", "fixed") == "fixed")


def pacing(scenario: Mapping[str, Any]) -> list[str]:
    """Return the queueing discipline that paces a host, as words of ``tc qdisc``; or nothing."""
    rate_bps = scenario.get("pacing_rate_bps", 0)
    if rate_bps:
        return ["fq", "maxrate", f"{rate_bps:.0f}bit"]
    return ["fq"] if scenario.get("pacing") == "fq" else []


def check_tcp(scenario: Mapping[str, Any]) -> str:
    """Return what Linux calls the scenario's congestion control.

    Args:
        scenario: resolved.

    Raises:
        UserError: this Linux lacks it, does not grant it to namespaces, or grants no such buffers;
            the line names the command that does.
    """
    linux = _congestion_control(scenario)
    if asks_for(scenario):
        _check_window(scenario["window_bytes"])
    if pacing(scenario):
        _check_pacing()
    return linux


def _congestion_control(scenario: Mapping[str, Any]) -> str:
    asked = scenario["tcp"]
    names = TODAY_TCP if is_of_today(scenario) else LINUX_TCP
    if asked not in names:
        raise UserError(
            f"{PREFIX}--tcp={asked} is not a congestion control of Linux; allowed: "
            f"{', '.join(names)}"
        )
    linux = names[asked]
    grants = _control("allowed").split()
    if linux in grants:
        return linux
    known = [name for name, of_linux in names.items() if of_linux in grants]
    load = "" if linux in _control("available").split() else f"modprobe tcp_{linux} && "
    raise UserError(
        f"{PREFIX}--tcp={asked} is not in net.ipv4.tcp_allowed_congestion_control; allowed "
        f"here: {', '.join(known)}; to grant it: {load}sysctl -w "
        f"net.ipv4.tcp_allowed_congestion_control='{' '.join([*grants, linux])}'"
    )


def _control(kind: str) -> str:
    """Return the congestion controls that the kernel has (available) or grants (allowed)."""
    file = SYSCTL / f"ipv4/tcp_{kind}_congestion_control"
    return file.read_text(encoding="ascii")


def _check_window(window: float) -> None:
    for name in ("rmem_max", "wmem_max"):
        most = int((SYSCTL / "core" / name).read_text(encoding="ascii"))
        if window > most:
            raise UserError(
                f"{PREFIX}--window={window:.0f}B is above net.core.{name}; allowed: at most "
                f"{most}B; for more: sysctl -w net.core.{name}={window:.0f}"
            )


def buffer_limits() -> dict[str, list[int]]:
    """Return ``tcp_rmem`` and ``tcp_wmem``, within which the kernel sizes windows, in bytes."""
    names = ("tcp_rmem", "tcp_wmem")
    texts = [(SYSCTL / "ipv4" / name).read_text(encoding="ascii") for name in names]
    return {
        name: [int(word) for word in text.split()] for name, text in zip(names, texts, strict=True)
    }


def _check_pacing() -> None:
    tried = subprocess.run(PACING_TRIAL, capture_output=True, text=True, check=False)
    if tried.returncode:
        raise UserError(
            f"{PREFIX}--pacing=fq and --pacing-rate need the queueing discipline fq, which the "
            "kernel "
            "has not loaded; to load it: modprobe sch_fq"
        )
