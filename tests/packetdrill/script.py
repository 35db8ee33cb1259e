"""What a script consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any


class ScriptError(Exception):
    """A script is malformed; the message is one line with file and line number."""

    def __init__(self, place: object, line: int, message: str) -> None:
        super().__init__(f"{place}:{line}: {message}")


class NotApplicableError(Exception):
    """A script needs something that is not modelled; the message names it."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")


class TimeKind(Enum):
    """How the time of an event is given."""

    ABSOLUTE = "absolute"
    RELATIVE = "relative"
    ANY = "any"


@dataclass(frozen=True)
class Time:
    """When an event happens, us; `end` is None unless the script gives a range."""

    kind: TimeKind
    start: int = 0
    end: int | None = None


@dataclass(frozen=True)
class Options:
    """The TCP options of a segment by their meaning; padding and order are not kept."""

    mss: int | None = None
    wscale: int | None = None
    sackok: bool = False
    timestamp: tuple[int, int] | None = None
    """TSval and TSecr."""
    sack: tuple[tuple[int, int], ...] = ()
    """Left and right edges."""

    def __str__(self) -> str:
        """As a script has them, without padding."""
        parts = [] if self.mss is None else [f"mss {self.mss}"]
        parts += ["sackOK"] if self.sackok else []
        if self.timestamp is not None:
            parts.append("TS val {} ecr {}".format(*self.timestamp))
        parts += [] if self.wscale is None else [f"wscale {self.wscale}"]
        if self.sack:
            parts.append(" ".join(["sack", *(f"{left}:{right}" for left, right in self.sack)]))
        return f"<{','.join(parts)}>" if parts else ""


@dataclass(frozen=True)
class Packet:
    """A segment that arrives, or one that is expected to leave."""

    inbound: bool
    flags: str
    """Letters of S, F, R, P, E, W and `.` for ACK."""
    seq: int
    size: int
    ack: int | None
    window: int | None
    """As in the header; None: not given."""
    options: Options | None
    """None: any."""
    ecn: str | None = None
    """noecn, ect0, ect1, ect01 or ce; None: any."""

    def __str__(self) -> str:
        """As a script has it, without its direction."""
        ecn = f"[{self.ecn}] " if self.ecn else ""
        text = f"{ecn}{self.flags or '-'} {self.seq}:{self.seq + self.size}({self.size})"
        text += "" if self.ack is None else f" ack {self.ack}"
        text += "" if self.window is None else f" win {self.window}"
        options = "<...>" if self.options is None else str(self.options)
        return f"{text} {options}".rstrip()


@dataclass(frozen=True)
class Call:
    """A system call."""

    name: str
    arguments: tuple[Any, ...]
    """Integers, names as text, lists, dicts; `...` is Ellipsis."""
    result: Any
    errno: str | None
    end: int | None
    """When a call that blocks returns, us, with the base of the event's time; None: at once."""


@dataclass(frozen=True)
class Command:
    """What a shell runs."""

    text: str


@dataclass(frozen=True)
class Code:
    """Python code with assertions."""

    text: str


@dataclass(frozen=True)
class Event:
    """A line of a script."""

    line: int
    time: Time
    action: Packet | Call | Command | Code


@dataclass
class Script:
    """A whole script."""

    path: Path
    options: dict[str, str] = field(default_factory=dict)
    """Without the dashes; the value is empty where there is none."""
    setup: tuple[int, Command] | None = None
    """Line and command before the first event."""
    events: list[Event] = field(default_factory=list)
