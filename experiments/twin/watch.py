"""Samples of the sender's sockets while data flow: what receivers offer, and cwnd over time."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from ..errors import ProgramError
from .dialogue import congestion_windows, offered_windows
from .namespaces import inside, last_words, started

SAMPLE_S = 0.05
"""Pause between two samples. ``ss`` itself takes a few milliseconds more."""

MARK = "end of sample"
LOOP = f'while ss "$@"; do echo "{MARK}"; sleep {SAMPLE_S}; done'
"""One shell in the namespace for all samples: a new ``nsenter`` for each would disturb the path."""


@dataclass
class Samples:
    """What the data connections of a sender showed.

    Attributes:
        windows: bytes that receivers offered, one for each connection and sample.
        times_s: when at least one data connection was there, by ``time.monotonic()``.
        cwnd_bytes: at these times, the sum of the congestion windows of all connections.
    """

    windows: list[int] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    cwnd_bytes: list[int] = field(default_factory=list)

    def add(self, printed: str, now_s: float) -> None:
        """Add what one call of ``ss -tin`` printed.

        Args:
            printed: two lines for each connection.
            now_s: current time.
        """
        self.windows += offered_windows(printed)
        windows = congestion_windows(printed)
        if windows:
            self.times_s.append(now_s)
            self.cwnd_bytes.append(sum(windows))

    def cwnd(self) -> dict[str, Any]:
        """Return cwnd over time as JSON data: ``time_s`` since the first sample, and ``bytes``."""
        first_s = self.times_s[0] if self.times_s else 0.0
        return {
            "time_s": [round(at_s - first_s, 3) for at_s in self.times_s],
            "bytes": self.cwnd_bytes,
        }


async def watch(pid: int, port: int, samples: Samples) -> None:
    """Sample the established data connections in a network namespace until cancelled.

    Args:
        pid: a process in the namespace of the sender.
        port: of the control connection, which is left out.
        samples: gets them.

    Raises:
        ProgramError: ``ss`` fails.
    """
    data = f"( sport != :{port} and dport != :{port} )"
    loop = ["sh", "-c", LOOP, "sh", "-Htin", "state", "established", data]
    pipe = asyncio.subprocess.PIPE
    async with started(inside(pid, *loop), stdout=pipe, stderr=pipe) as process:
        lines: list[str] = []
        while line := (await process.stdout.readline()).decode():
            if line.rstrip() == MARK:
                samples.add("".join(lines), time.monotonic())
                lines = []
            else:
                lines.append(line)
        raise ProgramError(f"ss fails in a namespace: {await last_words(process)}")
