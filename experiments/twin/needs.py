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
    "chrt": "util-linux",
    "nsenter": "util-linux",
    "setpriv": "util-linux",
    "unshare": "util-linux",
}
"""Programs, and the Debian package of each."""

LINUX_TCP = {"reno": "reno", "newreno": "reno", "cubic": "cubic", "highspeed": "highspeed"}
"""What Linux calls a TCP of ours. It has one Reno, which recovers as NewReno (RFC 6582)."""


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
            f"{PREFIX}root may not do this here ({why}); allowed: no container, or a privileged one"
        )
    return network


def find(name: str) -> str | None:
    """Return the path of a program, also of one for the administrator, which root may not see."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def check_tcp(scenario: Mapping[str, Any]) -> str:
    """Return what Linux calls the scenario's congestion control.

    Args:
        scenario: resolved.

    Raises:
        UserError: Linux has no such one here, or grants no such buffers.
    """
    asked = scenario["tcp"]
    has = (SYSCTL / "ipv4/tcp_allowed_congestion_control").read_text(encoding="ascii").split()
    known = [name for name, linux in LINUX_TCP.items() if linux in has]
    if asked not in known:
        raise UserError(
            f"{PREFIX}--tcp={asked} is not in net.ipv4.tcp_allowed_congestion_control; allowed "
            f"here: {', '.join(known)}"
        )
    window = scenario["window_bytes"]
    for name in ("rmem_max", "wmem_max"):
        most = int((SYSCTL / "core" / name).read_text(encoding="ascii"))
        if window > most:
            raise UserError(
                f"{PREFIX}--window={window:.0f}B is above net.core.{name}; allowed: at most "
                f"{most}B, or a larger one by sysctl"
            )
    return LINUX_TCP[asked]
