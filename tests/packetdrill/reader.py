"""Reads a script."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from .calls_reader import CallReader
from .lexer import split
from .packet_reader import PacketReader
from .script import Code, Command, Event, NotApplicableError, Script, ScriptError, Time, TimeKind

MICROSECONDS = 1_000_000


class Reader(PacketReader, CallReader):
    """Reads the tokens of one script."""

    def read(self) -> Script:
        """Return the script.

        Raises:
            ScriptError: it is malformed.
            NotApplicableError: it uses a protocol that is not modelled.
        """
        script = Script(self.path)
        while self.next.kind == "OPTION":
            name = self.take().text[2:]
            value = self._option_value() if self.accept("=") else ""
            if name == "define":
                self.define(*value.partition("=")[::2])
            else:
                script.options[name] = value
        if self.next.kind == "COMMAND":
            token = self.take()
            script.setup = token.line, Command(token.text[1:-1])
        while self.next.kind not in ("END", "COMMAND"):
            script.events.append(self._event())
        if self.next.kind == "COMMAND":
            self.take()  # it cleans up behind the script
        if self.next.kind != "END":
            raise self.error("an event begins with its time")
        if not script.events:
            raise self.error("there is no event")
        self._check_order(script.events)
        return script

    def _check_order(self, events: list[Event]) -> None:
        first = events[0]
        if first.time != Time(TimeKind.ABSOLUTE) and first.time != Time(TimeKind.RELATIVE):
            raise ScriptError(self.path, first.line, "the first event has to be at time 0")
        for before, after in pairwise(events):
            both = {before.time.kind, after.time.kind} == {TimeKind.ABSOLUTE}
            if both and after.time.start < before.time.start:
                raise ScriptError(self.path, after.line, "time goes backwards")

    def _option_value(self) -> str:
        text = self.take().text
        while self.accept("="):
            text += "=" + self.take().text
        return text

    def _event(self) -> Event:
        line = self.next.line
        time = self._time()
        if self.next.text in ("<", ">"):
            action = self.packet()
        elif self.next.kind == "COMMAND":
            action = Command(self.take().text[1:-1])
        elif self.next.kind == "CODE":
            action = Code(self.take().text[2:-2].strip(" \t"))
        else:
            action = self.call()
        expected = not isinstance(action, (Command, Code)) and self.is_expected(action)
        if not expected and (time.kind is TimeKind.ANY or time.end is not None):
            wrong = "*" if time.kind is TimeKind.ANY else "a range of times"
            raise ScriptError(self.path, line, f"{wrong} is for segments that leave (>) only")
        return Event(line, time, action)

    def _time(self) -> Time:
        if self.accept("*"):
            return Time(TimeKind.ANY)
        kind = TimeKind.RELATIVE if self.accept("+") else TimeKind.ABSOLUTE
        start = self.moment()
        if not self.accept("~"):
            return Time(kind, start)
        if kind is TimeKind.RELATIVE:
            self.expect("+")
        end = self.moment()
        if end < start:
            raise self.error("the range of times ends before it begins")
        return Time(kind, start, end)


def read_script(path: Path) -> Script:
    """Read a script from a file.

    Raises:
        ScriptError: it is malformed.
        NotApplicableError: it uses a protocol that is not modelled.
        OSError: the file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ScriptError(path, line, "this is not UTF-8") from None
    return Reader(path, split(text, path)).read()


__all__ = ["NotApplicableError", "ScriptError", "read_script"]
