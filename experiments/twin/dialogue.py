"""When a transfer began and ended, by what ``globus-url-copy -dbg`` prints as it happens."""

from __future__ import annotations

import re
from dataclasses import dataclass

TRANSFER_COMMANDS = ("ESTO ", "STOR ", "ERET ", "RETR ")
COMPLETE = "226 "

_WINDOW = re.compile(r"\bsnd_wnd:(\d+)")
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


def largest_window(printed: str) -> int | None:
    """Return the largest window, in bytes, of which ``ss -tin`` tells that a peer offers it."""
    return max(map(int, _WINDOW.findall(printed)), default=None)
