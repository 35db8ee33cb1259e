"""What the programs and the kernel tell of a transfer: its begin and end, windows, counters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

TRANSFER_COMMANDS = ("ESTO ", "STOR ", "ERET ", "RETR ")
COMPLETE = "226 "

_WINDOW = re.compile(r"\bsnd_wnd:(\d+)")
_SEGMENT = re.compile(r"\bmss:(\d+)")
_CWND = re.compile(r"\bcwnd:(\d+)")
_FAILURE = re.compile(r"^(?:error: |globus_\w+: |[45]\d\d[ -])")


@dataclass
class Dialogue:
    """What a client and a server have said so far.

    A result of an engine counts from the first transfer command to its last final reply; so does
    this.

    Attributes:
        begun_s: when the client sent its transfer command, by the caller's clock; None: not yet.
        ended_s: when it had the reply that all has arrived; None: not yet.
        failure: the last line that tells of one, or nothing.
    """

    begun_s: float | None = None
    ended_s: float | None = None
    failure: str = ""

    def hear(self, line: str, now_s: float) -> None:
        """Take a line that the client has just printed."""
        if self.begun_s is None and line.startswith(TRANSFER_COMMANDS):
            self.begun_s = now_s
        elif self.begun_s is not None and line.startswith(COMPLETE):
            self.ended_s = now_s
        elif _FAILURE.match(line):
            self.failure = line.strip()

    @property
    def duration_s(self) -> float | None:
        """Seconds from the transfer command to its final reply; None: it is not complete."""
        if self.begun_s is None or self.ended_s is None:
            return None
        return self.ended_s - self.begun_s


def offered_windows(printed: str) -> list[int]:
    """Return the windows, in bytes, of which ``ss -tin`` tells that the peers offer them now."""
    return [int(number) for number in _WINDOW.findall(printed)]


def congestion_windows(printed: str) -> list[int]:
    """Return cwnd of each connection that ``ss -tin`` prints, in bytes; Linux counts segments."""
    lines = [(_SEGMENT.search(line), _CWND.search(line)) for line in printed.splitlines()]
    return [int(mss[1]) * int(cwnd[1]) for mss, cwnd in lines if mss and cwnd]


def counters(folder: Path) -> dict[str, int]:
    """Return ``retransmissions`` and ``timeouts`` of all TCP in a network namespace so far.

    Args:
        folder: ``net`` of a process in it, below ``/proc``.

    Raises:
        OSError: the process is gone.
        KeyError: the kernel does not count them.
    """
    return {
        "retransmissions": _counted(folder / "snmp", "Tcp")["RetransSegs"],
        "timeouts": _counted(folder / "netstat", "TcpExt")["TCPTimeouts"],
    }


def _counted(file: Path, group: str) -> dict[str, int]:
    """Return a group's counters: the kernel prints a line of names, and one of values."""
    lines = file.read_text(encoding="ascii").splitlines()
    names, values = (line.split()[1:] for line in lines if line.startswith(f"{group}:"))
    return dict(zip(names, map(int, values), strict=True))
