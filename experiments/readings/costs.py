"""The costs of the host model that readings tell something about, and what each is a cost of.

The names are those of the options of a host (``--sender-NAME``, ``--receiver-NAME``). What a client
costs when it connects is none of them: a run of seconds has one client.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .modules import APPLICATION, DRIVER, FILE_SYSTEM, RPC, TCP
from .reading import Rates


@dataclass(frozen=True)
class Cost:
    """A cost.

    Attributes:
        name: of the model's parameter.
        module: whose CPU time it is.
        rate: how often it comes up per second; None where the files do not tell.
        of: what it is a cost of, one of them.
        is_rate: the parameter is how many bits per second a core does, not the time for one.
        varied_by: readings that tell it apart from others.
        told_by: the file that tells how often it comes up.
    """

    name: str
    module: str
    rate: Callable[[Rates], float | None]
    of: str
    is_rate: bool
    varied_by: str
    told_by: str


_IPERF3 = "iperf3 -J (the size of its calls)"

COSTS = (
    Cost(
        "packet-cpu", DRIVER, lambda rates: rates.packets, "packet in or out", False,
        "a different number of packets per interrupt and of ACKs per packet (ethtool -C, -K gro)",
        "sadf -n DEV",
    ),
    Cost(
        "segment-cpu", TCP, lambda rates: rates.segments, "packet with data", False,
        "a different payload of packets (MTU, iperf3 -M)", "sadf -n DEV",
    ),
    Cost(
        "call-cpu", APPLICATION, lambda rates: rates.calls, "system call", False,
        "a different size of calls (iperf3 -l)", _IPERF3,
    ),
    Cost(
        "copy-rate", TCP, lambda rates: rates.payload, "byte of data", True,
        "a different payload of packets (MTU, iperf3 -M)", "sadf -n DEV",
    ),
    Cost(
        "ack-cpu", TCP, lambda rates: rates.acks, "packet without data", False,
        "a different number of ACKs per packet with data (ethtool -K gro)", "sadf -n DEV",
    ),
    Cost(
        "stream-cpu", TCP, lambda rates: rates.switches,
        "packet that follows one of another connection", False,
        "a different number of data connections (iperf3 -P)", "iperf3 -J or ss -ti",
    ),
    Cost(
        "interrupt-cpu", DRIVER, lambda rates: rates.interrupts, "interrupt of the interface",
        False, "a different number of packets per interrupt (ethtool -C)",
        "sadf -I ALL (the interrupts of devices)",
    ),
    Cost(
        "file-rate", FILE_SYSTEM, lambda rates: rates.file_bytes, "byte of a file", True,
        "a different size of blocks", "sadf -d",
    ),
    Cost(
        "file-cpu", FILE_SYSTEM, lambda rates: rates.blocks, "block of a file", False,
        "a different size of blocks", f"sadf -d and {_IPERF3}",
    ),
    Cost(
        "rpc-cpu", RPC, lambda rates: rates.rpcs, "RPC", False,
        "a different number of bytes per RPC (rsize and wsize of the mount)", "sadf -n NFS",
    ),
)  # fmt: skip
"""Where readings do not tell costs apart, the first of them gets the time."""
