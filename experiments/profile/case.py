"""One transfer that is profiled: its scenario, its result, and what follows from both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analysis.read.results import MAIN_SESSION, chunks_of, total_goodput_bps

from ..errors import UserError
from ..programs.path import round_trip_s

LINUX = "linux"
"""The stack of hosts of today."""

_WINDOW_SHARE = 5 / 8
"""Window of a receive buffer on Linux, as a share of its memory: 1,448 of 2,304 bytes of memory of
a received segment are data, and the kernel counts in 256ths."""

TOOL = "gridftp"
"""The tool whose transfers have chunks and tuners."""


def refuse_other_tools(origin: str, scenario: Mapping[str, Any]) -> None:
    """Refuse a transfer of another tool: transfer logs are those of GridFTP.

    Args:
        origin: what specifies the transfer, for the message.
        scenario: resolved.

    Raises:
        UserError: it is of another tool.
    """
    if scenario["tool"] != TOOL:
        raise UserError(
            f'{origin}: "tool": "{scenario["tool"]}" is not profiled; allowed: "{TOOL}"'
        )


@dataclass(frozen=True)
class Case:
    """One transfer as it is, with all of its limits.

    Attributes:
        scenario: resolved, in SI numbers.
        result: of it.
    """

    scenario: Mapping[str, Any]
    result: Mapping[str, Any]

    @property
    def goodput_bps(self) -> float:
        """Of all sessions."""
        return total_goodput_bps(self.result)

    @property
    def session(self) -> Mapping[str, Any]:
        """What is measured of the session that stands for the transfer."""
        return self.result["sessions"][MAIN_SESSION]

    @property
    def duration_s(self) -> float:
        """Of that session."""
        return self.session["duration_s"]

    @property
    def link(self) -> Mapping[str, Any]:
        """What is measured of the bottleneck of the network."""
        return self.result["links"][0]

    @property
    def round_trip_s(self) -> float:
        """Of the path, with empty queues."""
        return round_trip_s(self.scenario)

    @property
    def product_bytes(self) -> float:
        """The bandwidth-delay product of the path."""
        return product_bytes(self.scenario)

    @property
    def queue_bytes(self) -> float:
        """What fits into the queue of the bottleneck."""
        return self.scenario["queue_packets"] * self.scenario["packet_size_bytes"]

    @property
    def is_today(self) -> bool:
        """Whether its hosts have the kernel's TCP, whose buffers sysctl limits."""
        return self.scenario.get("stack") == LINUX

    @property
    def is_tuned(self) -> bool:
        """Whether windows tune themselves."""
        return self.scenario["buffers"] != "fixed"

    @property
    def window_bytes(self) -> float:
        """The largest TCP window of a connection, as far as buffers came."""
        if self.is_today and not self.is_tuned:
            return offered_bytes(self.scenario, self.scenario["window_bytes"])
        peak = self.session.get("buffers", {}).get("receive_peak_bytes")
        if not peak:
            return self.scenario["window_bytes"]
        return peak * _WINDOW_SHARE if self.is_today else peak

    @property
    def has_chunks(self) -> bool:
        """Whether GridFTP moves the file."""
        return "gridftp" in self.session

    @property
    def parallelism(self) -> int:
        """The most connections that a pair of hosts had."""
        if not self.has_chunks:
            return self.scenario["tool_streams"] if "tcp" in self.session else 1
        chunks = chunks_of(self.result)[MAIN_SESSION]
        return max((chunk["parallelism"] for chunk in chunks), default=1)

    @property
    def resent(self) -> tuple[int, int, str]:
        """What was sent again, of how many: segments, or datagrams with file data, and the word."""
        part, sent, word = ("tcp", "segments", "segments")
        if part not in self.session:
            part, sent, word = ("udp", "packets", "datagrams")
        counts = self.session[part]
        return counts["retransmissions"], counts[sent], word

    @property
    def stripes(self) -> dict[str, int]:
        """How many hosts each end has."""
        return stripes(self.scenario)

    @property
    def connections(self) -> int:
        """The most data connections at a time, where each pair of hosts has its own."""
        return self.parallelism * max(self.stripes.values())


def offered_bytes(scenario: Mapping[str, Any], window: float) -> float:
    """Return the window that a receiver offers whose program asks for a buffer.

    Args:
        scenario: resolved.
        window: size that the program asks for.
    """
    # The kernel doubles what a program asks for
    return window * (2 * _WINDOW_SHARE if scenario.get("stack") == LINUX else 1)


def stripes(scenario: Mapping[str, Any]) -> dict[str, int]:
    """Return how many hosts each end of a scenario has."""
    senders, receivers = scenario["stripes"].split("x")
    return {"sender": int(senders), "receiver": int(receivers)}


def path_bps(scenario: Mapping[str, Any]) -> float:
    """Return the rate of the narrowest part of a scenario's path, from host to host."""
    rates = [scenario["bandwidth_bps"]]
    for end, hosts in stripes(scenario).items():
        each = [scenario["access_bandwidth_bps"], scenario.get(f"{end}_nic_bps")]
        rates.append(hosts * min(filter(None, each)))
    if scenario["limit_rate_bps"]:
        rates.append(scenario["limit_rate_bps"])
    return min(rates)


def product_bytes(scenario: Mapping[str, Any]) -> float:
    """Return the bandwidth-delay product of a scenario's path."""
    return path_bps(scenario) * round_trip_s(scenario) / 8
