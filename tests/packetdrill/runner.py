"""Runs a script on the socket under test."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from .calls import Calls
from .code import AssertionFailedError, Evaluator
from .drill import Drill, RefusedError
from .reader import read_script
from .script import (
    Call,
    Code,
    Command,
    Event,
    NotApplicableError,
    Packet,
    Script,
    ScriptError,
    Time,
    TimeKind,
)
from .shell import read_commands
from .tokens import U16
from .wire import Wire, differences

# Defaults of packetdrill
_TOLERANCE_US = 4000
_TOLERANCE_PERCENT = 12.5
# In a real run nothing happens at once: what comes behind an event comes this much later, us. It
# decides what is simultaneous in the script only
_EVENT_US = 60
# packetdrill lets a script begin this long behind a tick of the kernel's clock, us
_START_US = 250
# The kernels for which scripts are written have HZ = 1000
_TICK_NS = 1_000_000
# How long it waits for a segment beyond its time, us
_PATIENCE_US = 2_000_000
# A segment at any time has to leave within this, us
_LONGEST_US = 3600 * 1_000_000

# Options of packetdrill that change nothing here, or are read
_KNOWN_OPTIONS = {
    "tolerance_usecs", "tolerance_percent", "tcp_ts_ecr_scaled", "tcp_ts_tick_usecs", "ip_version",
    "bind_port", "connect_port", "remote_ip", "local_ip", "gateway_ip", "netmask_ip", "speed",
    "send_omit_free", "verbose", "non_fatal", "mss",
}  # fmt: skip


class Verdict(Enum):
    """What running a script gave."""

    PASSED = "pass"
    FAILED = "FAIL"
    NOT_APPLICABLE = "not applicable"
    MALFORMED = "BAD SCRIPT"


@dataclass(frozen=True)
class Outcome:
    """The verdict on a script; the text says why, and is empty where it passed."""

    path: Path
    verdict: Verdict
    text: str = ""


class MismatchError(Exception):
    """The socket does something else than the script; the message says on which line and what."""


@dataclass
class _Blocked:
    """A system call that has not returned yet."""

    event: Event
    call: Call
    end: int
    """When it has to return, us."""


class Run:
    """One script on one socket."""

    def __init__(self, script: Script, drill: Drill) -> None:
        self._script = script
        self._drill = drill
        self._wire = Wire()
        self._calls = Calls(drill, self._set)
        self._code = Evaluator()
        self._blocked: _Blocked | None = None
        self._now = 0  # us, of the script
        self._last: tuple[Event, int] | None = None  # the last event and its time
        self._mss = int(script.options.get("mss", U16))
        self._is_merged = False  # a segment larger than --mss has come
        self._tolerance = int(script.options.get("tolerance_usecs", _TOLERANCE_US))
        self._percent = float(script.options.get("tolerance_percent", _TOLERANCE_PERCENT))

    def run(self) -> None:
        """Run it.

        Raises:
            MismatchError: the socket does something else.
            NotApplicableError: the script needs what is not modelled.
        """
        unknown = sorted(set(self._script.options) - _KNOWN_OPTIONS)
        if unknown:
            raise NotApplicableError(1, f"option --{unknown[0]}")
        if self._script.options.get("ip_version", "ipv4") != "ipv4":
            raise NotApplicableError(1, "IPv6")
        self._set("tick_ns", (str(_TICK_NS),), 1)
        if self._script.setup:
            line, command = self._script.setup
            self._command(command, line)
        for event in self._script.events:
            try:
                self._handle(event)
            except RefusedError as error:
                raise NotApplicableError(event.line, str(error)) from None
        if self._blocked:
            self._wait_for_call()

    def _handle(self, event: Event) -> None:
        base = self._base(event)
        start = base + event.time.start
        action = event.action
        if isinstance(action, Call) and self._blocked:
            self._wait_for_call()
        if isinstance(action, Packet) and not action.inbound:
            self._expect(event, action, base)
        else:
            self._advance(max(self._now, start))
            self._check_time(event, start, None, self._now, "expected this event")
            self._act(event, action, base)
            self._look_at_call()
        self._now += _EVENT_US
        self._last = event, start

    def _base(self, event: Event) -> int:
        """What the times of an event count from, us."""
        if event.time.kind is TimeKind.ABSOLUTE:
            return 0
        if self._last and _arrives(self._last[0]) and _arrives(event):
            return self._last[1]
        return self._now

    def _act(self, event: Event, action: Packet | Call | Command | Code, base: int) -> None:
        if isinstance(action, Packet):
            self._is_merged = self._is_merged or action.size > self._mss
            self._calls.make_listener()
            if self._drill.is_closed():
                raise NotApplicableError(event.line, "a segment for a connection that has ended")
            self._drill.do("segment", *self._wire.arriving(action, event.line))
        elif isinstance(action, Call):
            self._call(event, action, base)
        elif isinstance(action, Command):
            self._command(action, event.line)
        else:
            self._calls.make_listener()
            try:
                self._code.execute(action.text, event.line, self._drill.info())
            except AssertionFailedError as error:
                raise MismatchError(f"{event.line}: {error}") from None

    def _command(self, command: Command, line: int) -> None:
        for name, values in read_commands(command.text, self._script.path.parent, line):
            self._set(name, values, line)

    def _set(self, name: str, values: tuple[str, ...], line: int) -> None:
        try:
            self._drill.do("set", name, *values)
        except RefusedError as error:
            raise NotApplicableError(line, str(error)) from None

    # Time

    def _advance(self, until: int) -> None:
        """Let the socket's timers expire that are due before a time, us."""
        self._drill.do("run", (_START_US + until) * 1000)
        self._now = until
        self._look_at_call()

    def _check_time(
        self, event: Event, start: int, end: int | None, actual: int, what: str
    ) -> None:
        if event.time.kind is TimeKind.ANY:
            return
        tolerance = float(self._tolerance)
        if self._last:
            tolerance = max(tolerance, (start - self._last[1]) * self._percent / 100)
        latest = start if end is None else end
        if not start - tolerance <= actual <= latest + tolerance:
            expected = f"{start / 1e6:.6f}" + ("" if end is None else f" to {end / 1e6:.6f}")
            raise MismatchError(
                f"{event.line}: {what} at {expected} s, with a tolerance of"
                f" {tolerance / 1e6:.6f} s; got it at {actual / 1e6:.6f} s"
            )

    # Segments

    def _expect(self, event: Event, expected: Packet, base: int) -> None:
        if expected.window is not None and self._is_merged:
            raise NotApplicableError(event.line, "the window behind segments that GRO has merged")
        time = _shifted(event.time, base)
        patience = _LONGEST_US
        if time.kind is not TimeKind.ANY:
            patience = max(time.start, time.end or 0, self._now) - self._now + _PATIENCE_US
        if not self._drill.sent:
            # A timer at the very end still counts
            self._drill.do("wait", (_START_US + self._now + patience) * 1000 + 1)
        shown = f"{event.line}: expected {expected} at {time.start / 1e6:.6f} s"
        if not self._drill.sent:
            raise MismatchError(f"{shown}; got no segment within {patience / 1e6:.6f} s")
        actual = self._wire.leaving(self._drill.sent, expected)
        left = actual.time // 1000 - _START_US
        self._now = max(self._now, left)
        self._look_at_call()
        is_last = actual.end == 1 + self._calls.written
        wrong = differences(expected, actual.packet, is_last)
        if wrong:
            got = f"{actual.packet} at {left / 1e6:.6f} s"
            raise MismatchError(f"{shown}; got {got}: other {', '.join(wrong)}")
        self._check_time(event, time.start, time.end, left, f"expected {expected}")

    # System calls

    def _call(self, event: Event, call: Call, base: int) -> None:
        result = self._calls.make(call, event.line)
        if result is not None and call.end is None:
            self._check_result(event, call, result)
        elif call.end is None:
            raise MismatchError(
                f"{event.line}: {call.name}() blocks, and the script has no end of it"
            )
        elif result is not None:
            self._check_returned(_Blocked(event, call, base + call.end), result)
        else:
            self._blocked = _Blocked(event, call, base + call.end)

    def _look_at_call(self) -> None:
        if self._blocked:
            result = self._calls.resume(self._blocked.call, self._blocked.event.line)
            if result is not None:
                blocked, self._blocked = self._blocked, None
                self._check_returned(blocked, result)

    def _wait_for_call(self) -> None:
        assert self._blocked
        blocked = self._blocked
        self._advance(max(self._now, blocked.end + self._tolerance))
        if self._blocked:
            raise MismatchError(
                f"{blocked.event.line}: {blocked.call.name}() does not return in time"
            )

    def _check_returned(self, blocked: _Blocked, result: tuple[int, str | None]) -> None:
        self._check_result(blocked.event, blocked.call, result)
        what = f"expected {blocked.call.name}() to return"
        self._check_time(
            blocked.event, blocked.end, None, self._drill.now // 1000 - _START_US, what
        )

    @staticmethod
    def _check_result(event: Event, call: Call, result: tuple[int, str | None]) -> None:
        expected = call.result if call.result is not ... else result[0]
        errno = call.errno if call.errno is None or hasattr(os, "strerror") else None
        if result[0] != expected or (result[1] or errno) != errno:
            got = f"{result[0]}{f' {result[1]}' if result[1] else ''}"
            wanted = f"{expected}{f' {errno}' if errno else ''}"
            raise MismatchError(f"{event.line}: expected {call.name}() = {wanted}; got {got}")


def _arrives(event: Event) -> bool:
    return isinstance(event.action, Packet) and event.action.inbound


def _shifted(time: Time, base: int) -> Time:
    return Time(time.kind, base + time.start, None if time.end is None else base + time.end)


def run_script(path: Path, programs: Path) -> Outcome:
    """Run a script.

    Args:
        path: of the script.
        programs: folder of the built programs.
    """
    try:
        script = read_script(path)
        with Drill(programs) as drill:
            Run(script, drill).run()
    except ScriptError as error:
        return Outcome(path, Verdict.MALFORMED, str(error))
    except OSError as error:
        return Outcome(path, Verdict.MALFORMED, f"{path}: {error.strerror or error}")
    except NotApplicableError as error:
        return Outcome(path, Verdict.NOT_APPLICABLE, str(error))
    except MismatchError as error:
        return Outcome(path, Verdict.FAILED, f"{path}:{error}")
    return Outcome(path, Verdict.PASSED)
