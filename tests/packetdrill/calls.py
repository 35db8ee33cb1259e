"""The system calls of scripts, on the one socket under test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .drill import Drill, RefusedError
from .script import Call, NotApplicableError

# Options of sockets that change nothing of what a script sees
_WITHOUT_EFFECT = {"SO_REUSEADDR", "SO_REUSEPORT", "SO_KEEPALIVE", "IP_FREEBIND", "IP_RECVERR"}
_WITHOUT_EFFECT |= {"IP_TOS", "IP_MTU_DISCOVER"}
# Options that are settings of the socket under test, by the names of the program
_SETTINGS = {"SO_RCVBUF": "SO_RCVBUF", "SO_SNDBUF": "SO_SNDBUF", "TCP_MAXSEG": "mss"}
_SETTINGS["SO_MAX_PACING_RATE"] = "SO_MAX_PACING_RATE"
# Flags of send() and recv() that change nothing here
_HARMLESS_FLAGS = {0, "0", "MSG_DONTWAIT", "MSG_NOSIGNAL"}

Result = tuple[int, str | None]


@dataclass
class Descriptor:
    """A file descriptor of the script."""

    is_listener: bool = False
    is_connection: bool = False
    blocks: bool = True
    writes: bool = True
    reads: bool = True


class Calls:
    """Makes the calls of one script.

    Attributes:
        drill: the socket.
        set: changes a setting of the host: name and values, line of the script.
        written: bytes written so far.
    """

    def __init__(self, drill: Drill, change: Callable[[str, tuple[str, ...], int], None]) -> None:
        self.drill = drill
        self.set = change
        self.written = 0
        self._open: dict[int, Descriptor] = {}
        self._is_made = False
        self._is_accepted = False
        self._listens = False
        self._aborts = False
        self._no_delay = False
        self._given: dict[str, int] = {}  # options before the socket is made
        self._makes: dict[str, Callable[[Call, int], Result | None]] = {
            "socket": self._socket,
            "bind": lambda *_: (0, None),
            "listen": self._listen,
            "accept": self._accept,
            "connect": self._connect,
            "setsockopt": self._setsockopt,
            "getsockopt": self._getsockopt,
            "fcntl": self._fcntl,
            "ioctl": self._ioctl,
            "read": self._read,
            "recv": self._read,
            "write": self._write,
            "send": self._write,
            "sendto": self._write,
            "shutdown": self._shutdown,
            "close": self._close,
        }

    def make(self, call: Call, line: int) -> Result | None:
        """Begin a call.

        Returns:
            Its result and errno, or None while it blocks: then ask `resume`.

        Raises:
            NotApplicableError: the call is not modelled.
        """
        if call.name not in self._makes:
            raise NotApplicableError(line, f"system call {call.name}()")
        return self._makes[call.name](call, line)

    resume = make
    """Look again whether a call that blocks has its result."""

    def _descriptor(self, call: Call, line: int) -> Descriptor:
        number = call.arguments[0] if call.arguments else None
        if not isinstance(number, int) or number not in self._open:
            raise NotApplicableError(line, f"{call.name}() of a descriptor that is not open")
        return self._open[number]

    def _connection(self, call: Call, line: int) -> Descriptor:
        descriptor = self._descriptor(call, line)
        if not descriptor.is_connection:
            raise NotApplicableError(line, f"{call.name}() of a socket that is not connected")
        return descriptor

    def _socket(self, call: Call, line: int) -> Result:
        if "SOCK_STREAM" not in str(call.arguments) or "MPTCP" in str(call.arguments):
            raise NotApplicableError(line, "a socket that is not of TCP")
        if not isinstance(call.result, int):
            raise NotApplicableError(line, "socket() with such a result")
        self._open[call.result] = Descriptor(blocks="SOCK_NONBLOCK" not in str(call.arguments))
        return call.result, None

    def make_listener(self) -> None:
        """Make the socket that listens; called before its first segment, behind its options.

        Raises:
            RefusedError: there is none.
        """
        if self._listens and not self._is_made:
            self._make_socket("listen")

    def _make_socket(self, command: str) -> None:
        self._is_made = True
        self.drill.do(command)
        if self._no_delay:
            self.drill.do("nodelay", 1)

    def _listen(self, call: Call, line: int) -> Result:
        self._refuse_second(line)
        self._descriptor(call, line).is_listener = True
        self._listens = True
        return 0, None

    def _refuse_second(self, line: int) -> None:
        if self._listens or self._is_made:
            raise NotApplicableError(line, "a second connection")

    def _accept(self, call: Call, line: int) -> Result | None:
        listener = self._descriptor(call, line)
        if not listener.is_listener or not isinstance(call.result, int):
            raise NotApplicableError(line, "accept() of a socket that does not listen")
        if self._is_accepted and call.result >= 0:
            raise NotApplicableError(line, "a second connection")
        if self.drill.connected_at is None or self._is_accepted:
            return None if listener.blocks else (-1, "EAGAIN")
        self._is_accepted = True
        self._open[call.result] = Descriptor(is_connection=True)
        return call.result, None

    def _connect(self, call: Call, line: int) -> Result | None:
        descriptor = self._descriptor(call, line)
        if not descriptor.is_connection:
            self._refuse_second(line)
            descriptor.is_connection = True
            self._make_socket("connect")
            return None if descriptor.blocks else (-1, "EINPROGRESS")
        if self.drill.failure is not None:
            return -1, self.drill.failure
        if self.drill.connected_at is None:
            return None if descriptor.blocks else (-1, "EALREADY")
        return 0, None

    def _setsockopt(self, call: Call, line: int) -> Result:
        descriptor = self._descriptor(call, line)
        option = call.arguments[2]
        value = call.arguments[3]
        number = value[0] if isinstance(value, list) and len(value) == 1 else value
        if option in _WITHOUT_EFFECT:
            return 0, None
        if option == "TCP_NODELAY":
            self._set_no_delay(number)
        elif option == "SO_LINGER" and isinstance(number, dict):
            if number.get("onoff") and number.get("linger") == 0:
                self._aborts = True
        elif option == "TCP_CONGESTION" and not self._is_made:
            self.set("tcp_congestion_control", (str(number).strip('"'),), line)
        elif option in _SETTINGS and not self._is_made:
            self._given[option] = number
            self.set(_SETTINGS[option], (str(number),), line)
        elif option == "SO_SNDBUF" and descriptor.is_connection:
            pass  # it bounds what write() takes, and write() takes what the script says
        else:
            raise NotApplicableError(line, f"setsockopt() of {option}")
        return 0, None

    def _set_no_delay(self, value: Any) -> None:
        self._no_delay = bool(value)
        if self._is_made:
            self.drill.do("nodelay", int(self._no_delay))

    def _getsockopt(self, call: Call, line: int) -> Result:
        self._descriptor(call, line)
        option, wanted = call.arguments[2], call.arguments[3]
        if option == "SO_ERROR" and not self.drill.failure:
            value = 0
        elif option == "TCP_MAXSEG" and self._is_made:
            value = self.drill.info()["tcpi_snd_mss"]
        elif option in self._given:
            value = self._given[option]
        else:
            raise NotApplicableError(line, f"getsockopt() of {option}")
        return (0, None) if wanted == [value] else (value, "value of the option")

    def _fcntl(self, call: Call, line: int) -> Result:
        descriptor = self._descriptor(call, line)
        if call.arguments[1] == "F_SETFL":
            descriptor.blocks = "O_NONBLOCK" not in str(call.arguments[2])
            return 0, None
        if call.arguments[1] == "F_GETFL":
            return 2 | (0 if descriptor.blocks else 0o4000), None
        raise NotApplicableError(line, f"fcntl() of {call.arguments[1]}")

    def _ioctl(self, call: Call, line: int) -> Result:
        self._connection(call, line)
        readable = self.drill.info()["readable"]
        if call.arguments[1] not in ("SIOCINQ", "FIONREAD") or not isinstance(
            call.arguments[2], list
        ):
            raise NotApplicableError(line, f"ioctl() of {call.arguments[1]}")
        if call.arguments[2] != [readable]:
            return readable, "bytes to read"
        return 0, None

    def _read(self, call: Call, line: int) -> Result | None:
        descriptor = self._connection(call, line)
        self._check_flags(call, line)
        size = call.arguments[2]
        if call.arguments[1] is not ... or not isinstance(size, int):
            raise NotApplicableError(line, f"{call.name}() into such a buffer")
        info = self.drill.info()
        taken = min(size, info["readable"])
        if taken > 0:
            self.drill.do("read", taken)
            return taken, None
        if self.drill.failure is not None:
            return -1, self.drill.failure
        if info["fin"] or not descriptor.reads:
            return 0, None
        return None if descriptor.blocks else (-1, "EAGAIN")

    def _write(self, call: Call, line: int) -> Result:
        descriptor = self._connection(call, line)
        self._check_flags(call, line)
        size = call.arguments[2]
        if call.arguments[1] is not ... or not isinstance(size, int):
            raise NotApplicableError(line, f"{call.name}() of such a buffer")
        if not descriptor.writes or self.drill.failure is not None:
            return -1, "EPIPE"
        if call.result != size or call.end is not None:
            raise NotApplicableError(line, f"{call.name}() that waits for the send buffer")
        self.written += size
        self.drill.do("write", size)
        return size, None

    @staticmethod
    def _check_flags(call: Call, line: int) -> None:
        flags = call.arguments[3] if len(call.arguments) > 3 else 0
        if not set(str(flags).split("|")) <= {str(flag) for flag in _HARMLESS_FLAGS}:
            raise NotApplicableError(line, f"{call.name}() with {flags}")

    def _shutdown(self, call: Call, line: int) -> Result:
        descriptor = self._connection(call, line)
        how = str(call.arguments[1])
        if "WR" in how and descriptor.writes:
            descriptor.writes = False
            self.drill.do("close")
        if how in ("SHUT_RD", "SHUT_RDWR"):
            descriptor.reads = False
        return 0, None

    def _close(self, call: Call, line: int) -> Result:
        descriptor = self._descriptor(call, line)
        del self._open[call.arguments[0]]
        if not descriptor.is_connection:
            return 0, None
        # As the kernel's tcp_close(): data that nobody will read end it with a RST
        if self._aborts or self.drill.info()["readable"] > 0:
            self.drill.do("abort")
        elif descriptor.writes:
            self.drill.do("close")
        return 0, None


__all__ = ["Calls", "RefusedError", "Result"]
