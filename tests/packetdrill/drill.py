"""Talks to gridftp-linux-drill, which runs the socket under test."""

from __future__ import annotations

import subprocess
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

PROGRAM = "gridftp-linux-drill"
TCP_CLOSE = 7
"""State of a connection that has ended, of include/net/tcp_states.h."""


class RefusedError(Exception):
    """The program does not obey a command; the message says why."""


@dataclass(frozen=True)
class Sent:
    """A segment that the socket sent; positions count from its SYN on."""

    time: int
    """ns."""
    flags: str
    seq: int
    size: int
    ack: int
    window: int
    """Bytes."""
    is_ect: bool
    mss: int | None = None
    is_sackok: bool = False
    timestamp: tuple[int, int] | None = None
    sack: tuple[tuple[int, int], ...] = ()


class Drill:
    """The program, and what it has reported.

    Attributes:
        now: current time of the socket, ns.
        sent: segments that no expectation of the script has met yet.
        connected_at: when the connection was established, ns.
        failure: the errno with which the connection has ended.
    """

    def __init__(self, programs: Path) -> None:
        self._process = subprocess.Popen(
            [programs / PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.now = 0
        self.sent: deque[Sent] = deque()
        self.connected_at: int | None = None
        self.failure: str | None = None
        self._info: dict[str, int] = {}
        self._is_made = False

    def __enter__(self) -> Drill:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the program."""
        self._process.kill()
        self._process.communicate()

    def do(self, *words: object) -> None:
        """Have the program obey a command.

        Raises:
            RefusedError: it does not.
        """
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(" ".join(map(str, words)) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        for line in self._process.stdout:
            kind, _, rest = line.rstrip("\n").partition(" ")
            if kind == "ok":
                self.now = int(rest)
                self._is_made = self._is_made or words[0] in ("listen", "connect")
                return
            if kind == "refused":
                raise RefusedError(rest)
            self._note(kind, rest)
        status = self._process.wait()
        raise RuntimeError(
            f"{PROGRAM} has ended with status {status} at: {' '.join(map(str, words))}"
        )

    def is_closed(self) -> bool:
        """Whether the connection has ended, so that no socket is left."""
        return self._is_made and self.info()["tcpi_state"] == TCP_CLOSE

    def info(self) -> dict[str, int]:
        """Return the variables of the socket, by their names in the kernel's struct tcp_info."""
        self.do("info")
        return self._info

    def _note(self, kind: str, rest: str) -> None:
        words = rest.split()
        if kind == "sent":
            self.sent.append(_read_sent(words))
        elif kind == "info":
            self._info = {name: int(value) for name, value in _pairs(words)}
        elif kind == "connected":
            self.connected_at = int(words[0])
        elif kind == "failed":
            self.failure = words[1]


def _pairs(words: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (word.partition("=") for word in words)]


def _read_sent(words: list[str]) -> Sent:
    fields = dict(_pairs(words))
    blocks = [block.split(":") for block in fields.get("sack", "").split(",") if block]
    return Sent(
        time=int(fields["time"]),
        flags=fields["flags"],
        seq=int(fields["seq"]),
        size=int(fields["size"]),
        ack=int(fields["ack"]),
        window=int(fields["window"]),
        is_ect=fields["ect"] == "1",
        mss=int(fields["mss"]) if "mss" in fields else None,
        is_sackok=fields.get("sackok") == "1",
        timestamp=(int(fields["tsval"]), int(fields["tsecr"])) if "tsval" in fields else None,
        sack=tuple((int(left), int(right)) for left, right in blocks),
    )
