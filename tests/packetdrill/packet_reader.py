"""Reads the segments of a script."""

from __future__ import annotations

from dataclasses import replace

from .script import Call, NotApplicableError, Options, Packet
from .tokens import U16, U32, Tokens

_FLAGS = frozenset("SFRPEW.")
_ECN = ("noecn", "ect0", "ect1", "ect01", "ce")
_OTHERS = {
    "icmp": "ICMP",
    "udp": "UDP",
    "udplite": "UDP",
    "sctp": "SCTP",
    "gre": "GRE",
    "GREv0": "GRE",
    "mpls": "MPLS",
    "ipv4": "IP in IP",
    "ipv6": "IP in IP",
    "encap": "PSP",
}
_OTHER_OPTIONS = {
    "FO": "TCP Fast Open",
    "FOEXP": "TCP Fast Open",
    "md5": "TCP MD5 signatures",
    "ECN": "accurate ECN",
}


class PacketReader(Tokens):
    """Reads `< P. 1:1001(1000) ack 1 win 257 <nop,nop,TS val 1 ecr 2>` and the like."""

    @staticmethod
    def is_expected(action: Packet | Call) -> bool:
        """Whether this is a segment that has to leave."""
        return isinstance(action, Packet) and not action.inbound

    def packet(self) -> Packet:
        """Read a segment from its direction on.

        Raises:
            ScriptError: it is malformed.
            NotApplicableError: it is no segment of TCP, or has what is not modelled.
        """
        inbound = self.take().text == "<"
        ecn = self._ip_field()
        self._refuse(_OTHERS)
        if self.next.kind == "INTEGER":
            raise NotApplicableError(self.next.line, "a segment with ports of its own")
        flags = self._flags()
        seq, size = self._range()
        ack = self.integer("ack") if self.accept("ack") else None
        window = self.integer("win", 0, U16) if self.accept("win") else None
        if self.accept("urg"):
            raise NotApplicableError(self.next.line, "urgent data")
        options = self._options(inbound)
        if ack is None and "." in flags and inbound:
            ack = 0
        if inbound and window is None:
            raise self.error("a segment that arrives has to have a window: win N")
        return Packet(inbound, flags, seq, size, ack, window, options, ecn)

    def _refuse(self, others: dict[str, str]) -> None:
        if self.next.kind == "WORD" and self.next.text in others:
            raise NotApplicableError(self.next.line, others[self.next.text])

    def _ip_field(self) -> str | None:
        if not self.accept("[", "("):
            return None
        if self.next.text not in _ECN:
            raise NotApplicableError(self.next.line, f"'{self.next.text}' of the IP header")
        ecn = self.take().text
        if not self.accept("]", ")"):
            raise NotApplicableError(self.next.line, f"'{self.next.text}' of the IP header")
        return ecn

    def _flags(self) -> str:
        if self.accept("-"):
            return ""
        flags = self.take().text if self.next.kind in ("WORD", "FLOAT") else ""
        if any(letter.isdigit() for letter in flags) or "A" in flags:
            raise NotApplicableError(self.next.line, "flags of accurate ECN")
        if self.next.kind == "FLOAT":
            raise NotApplicableError(self.next.line, "flags of accurate ECN")
        flags += "." if self.accept(".") else ""
        if not flags:
            raise self.error(f"'{self.next.text}' are no flags of TCP")
        if "U" in flags:
            raise NotApplicableError(self.next.line, "urgent data")
        if not set(flags) <= _FLAGS:
            raise self.error(f"'{flags}' are no flags of TCP: S, F, R, P, E, W and .")
        return flags

    def _range(self) -> tuple[int, int]:
        start = self.integer("sequence number")
        self.expect(":")
        end = self.integer("sequence number")
        self.expect("(")
        size = self.integer("size", 0, U16)
        if (end - start) & U32 != size:
            raise self.error(f"{start}:{end} does not have {size} bytes")
        self.expect(")")
        return start, size

    def _options(self, inbound: bool) -> Options | None:
        options = Options()
        # The next event may begin with a direction only behind its time
        if not self.accept("<"):
            return options
        if self.next.kind == "ELLIPSIS":
            if inbound:
                raise self.error("<...> is for segments that leave (>) only")
            self.take()
            self.expect(">")
            return None
        while True:
            options = self._option(options)
            if not self.accept(","):
                break
        self.expect(">")
        return options

    def _option(self, options: Options) -> Options:
        self._refuse(_OTHER_OPTIONS)
        if self.accept("nop", "eol"):
            return options
        if self.accept("sackOK"):
            return replace(options, sackok=True)
        if self.accept("mss"):
            return replace(options, mss=self.integer("mss", 0, U16))
        if self.accept("wscale"):
            return replace(options, wscale=self.integer("wscale", 0, 255))
        if self.accept("TS"):
            self.expect("val")
            value = self.integer("TS val")
            self.expect("ecr")
            return replace(options, timestamp=(value, self.integer("TS ecr")))
        if self.accept("sack"):
            blocks = []
            while self.next.kind == "INTEGER":
                left = self.integer("sack")
                self.expect(":")
                blocks.append((left, self.integer("sack")))
            return replace(options, sack=tuple(blocks))
        raise self.error(f"'{self.next.text}' is no TCP option")
