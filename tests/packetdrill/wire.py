"""Between the segments of a script and those of the socket, whose positions start at 0."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import NamedTuple

from .drill import Sent
from .script import NotApplicableError, Options, Packet
from .tokens import U16, U32

# The header has as many bits for it (RFC 7323)
_MOST_SCALE = 14


class Actual(NamedTuple):
    """A segment that left, as a script writes it, and when it did, ns."""

    packet: Packet
    time: int
    end: int
    """Position behind its last byte."""


class Wire:
    """The numbers of one connection.

    As in packetdrill, a SYN has the sequence number that the script gives it, and all numbers of
    other segments count from the SYN of their direction.
    """

    def __init__(self) -> None:
        self._first_local: int | None = None
        self._first_remote: int | None = None
        self._scale_in = 0  # of windows that arrive
        self._scale_out = 0  # of windows that leave
        self._highest_out = 0
        self._highest_in = 0
        self._stamps: dict[int, int] = {}  # TSval of the script: that of the socket
        self._first_stamps: tuple[int, int] | None = None

    def arriving(self, packet: Packet, line: int) -> list[str]:
        """Return the fields of a segment that arrives, for the program.

        Raises:
            NotApplicableError: it has what the socket cannot be given.
        """
        assert packet.window is not None
        assert packet.options is not None
        is_syn = "S" in packet.flags
        local, remote = 0, 0
        if is_syn:
            if self._first_remote is None:
                self._first_remote = packet.seq
            local, remote = self._first_local or 0, self._first_remote
            self._scale_in = min(packet.options.wscale or 0, _MOST_SCALE)
            if packet.options.wscale is None:
                self._scale_out = 0
        seq = self._position(packet.seq - remote, self._highest_in, line)
        self._highest_in = max(self._highest_in, seq + packet.size)
        scale = 0 if is_syn else self._scale_in
        fields = [f"flags={packet.flags}", f"seq={seq}", f"size={packet.size}"]
        if packet.ack is not None and "." in packet.flags:
            ack = self._position(packet.ack - local, self._highest_out, line)
            fields.append(f"ack={ack}")
        fields.append(f"window={packet.window << scale}")
        fields += [f"mss={packet.options.mss}"] if packet.options.mss is not None else []
        fields += ["sackok=1"] if packet.options.sackok else []
        fields += self._stamp(packet, line)
        if packet.options.sack:
            blocks = [
                ":".join(str(self._position(edge, self._highest_out, line)) for edge in block)
                for block in packet.options.sack
            ]
            fields.append(f"sack={','.join(blocks)}")
        fields += ["ect=1"] if packet.ecn in ("ect0", "ect1", "ce") else []
        fields += ["ce=1"] if packet.ecn == "ce" else []
        return fields

    def leaving(self, sent: deque[Sent], expected: Packet) -> Actual:
        """Take what is to meet an expectation from the segments that left.

        As packetdrill does, segments that follow each other are joined until they are as long as
        the script has it.
        """
        parts = [sent.popleft()]
        size = parts[0].size
        while size < expected.size and sent and _follows(parts[-1], sent[0]):
            parts.append(sent.popleft())
            size += parts[-1].size
        first, last = parts[0], parts[-1]
        self._highest_out = max(self._highest_out, first.seq + size)
        local, remote = 0, 0
        if "S" in first.flags:
            if self._first_local is None:
                self._first_local = expected.seq
            local, remote = self._first_local, self._first_remote or 0
            if expected.options is not None:
                self._scale_out = expected.options.wscale or 0
        flags = "".join(f for f in last.flags if f not in "W.") + (
            "W" if "W" in first.flags else ""
        )
        has_ack = "." in last.flags
        packet = Packet(
            inbound=False,
            flags=flags + ("." if has_ack else ""),
            seq=(local + first.seq) & U32,
            size=size,
            ack=(remote + last.ack) & U32 if has_ack else None,
            window=self._window(last, expected),
            options=self._options(last, expected),
            ecn=None if expected.ecn is None else "ect0" if first.is_ect else "noecn",
        )
        return Actual(packet, last.time, first.seq + size)

    def _window(self, last: Sent, expected: Packet) -> int | None:
        if expected.window is None:
            return None
        return min(last.window if "S" in last.flags else last.window >> self._scale_out, U16)

    def _options(self, last: Sent, expected: Packet) -> Options | None:
        if expected.options is None:
            self._note_stamps(last, None)
            return None
        wanted = expected.options.timestamp
        self._note_stamps(last, wanted)
        return Options(
            mss=last.mss,
            # How a window is encoded is not the socket's business
            wscale=expected.options.wscale if "S" in last.flags else None,
            sackok=last.is_sackok,
            # packetdrill compares that it is there, not its value
            timestamp=None if last.timestamp is None else wanted or last.timestamp,
            sack=tuple((left & U32, right & U32) for left, right in last.sack),
        )

    def _note_stamps(self, last: Sent, wanted: tuple[int, int] | None) -> None:
        if last.timestamp is not None and wanted is not None:
            self._stamps[wanted[0]] = last.timestamp[0]
            self._first_stamps = self._first_stamps or (wanted[0], last.timestamp[0])

    def _stamp(self, packet: Packet, line: int) -> list[str]:
        assert packet.options is not None
        if packet.options.timestamp is None:
            return []
        value, echo = packet.options.timestamp
        if "." in packet.flags and echo in self._stamps:
            echo = self._stamps[echo]
        elif "." in packet.flags and self._first_stamps is not None:
            echo = (echo - self._first_stamps[0] + self._first_stamps[1]) & U32
        elif "." in packet.flags:
            raise NotApplicableError(line, f"TS ecr {echo}: no segment with a TS val came before")
        return ["ts=1", f"tsval={value}", f"tsecr={echo}"]

    @staticmethod
    def _position(number: int, near: int, line: int) -> int:
        """Return the position that a sequence number of 32 bits means."""
        offset = (number - near) & U32
        position = near + (offset if offset <= U32 // 2 else offset - U32 - 1)
        if position < 0:
            raise NotApplicableError(line, "a sequence number before the SYN's")
        return position


def _follows(one: Sent, other: Sent) -> bool:
    same = one.time == other.time and one.ack == other.ack
    return same and other.seq == one.seq + one.size and other.size > 0


def differences(expected: Packet, actual: Packet, is_last: bool) -> list[str]:
    """Return in what a segment is not the expected one.

    Args:
        expected: of the script.
        actual: of the socket.
        is_last: whether it ends with the last byte written. PSH is compared there and where there
            are no data; elsewhere Linux sets it by how its buffers divide the stream.
    """
    if actual.size > 0 and not is_last:
        expected = replace(expected, flags=expected.flags.replace("P", ""))
        actual = replace(actual, flags=actual.flags.replace("P", ""))
    names = ["flags", "seq", "size", "ack"]
    names += [] if expected.window is None else ["window"]
    names += [] if expected.options is None else ["options"]
    names += [] if expected.ecn in (None, "ect01") else ["ecn"]
    wrong = [name for name in names if not _equal(name, expected, actual)]
    if expected.ecn == "ect01" and actual.ecn == "noecn":
        wrong.append("ecn")
    return wrong


def _equal(name: str, expected: Packet, actual: Packet) -> bool:
    one, other = getattr(expected, name), getattr(actual, name)
    if name == "flags":
        return set(one) == set(other)
    if name == "ack" and "." not in expected.flags:
        return True
    return bool(one == other)
