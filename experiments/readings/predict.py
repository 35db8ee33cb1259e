"""What rate the model gives runs that its hosts were not fitted to: each is simulated.

Of a run only what was asked for is taken over: connections, size of calls, the rate that it was
held to; the round-trip time, and the payload of packets where that was asked for, too (iperf3 -M).
Costs, and what else the kernel chose, are those of the other runs: segments per ACK, and over
loopback the data of a packet.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from ..programs.program import Program
from .host_file import host_file
from .left_out import LeftOut
from .reading import LOOPBACK, RECEIVER, SENDER, Reading

HEADERS = 40
"""Of a packet of the model, IP and TCP, bytes."""

LARGEST = 65535
"""Packet of the model, bytes."""

UNLIMITED = "1000Gbps"
"""Of links that are no limit."""

RTT_S = 1e-4
"""Where iperf3 does not tell it."""

FIRST_BYTES = 200_000_000
"""Of a file from which the rate is told roughly, so that the next one takes `LONG_S`."""

LONG_S = 1.0
MOST_BYTES = 10_000_000_000


@dataclass(frozen=True)
class Prediction:
    """A run, measured and simulated.

    Attributes:
        name: of the run.
        measured_bps: goodput.
        predicted_bps: goodput with the hosts fitted to the other runs.
        is_held: the run was held to a rate that it reached in the simulation.
        options: of the simulation, without those of the hosts.
    """

    name: str
    measured_bps: float
    predicted_bps: float
    is_held: bool
    options: tuple[str, ...]

    @property
    def error(self) -> float:
        """What is predicted is this share of what was measured too much, or too little."""
        return self.predicted_bps / self.measured_bps - 1


def predict(
    program: Program, senders: Sequence[LeftOut], receivers: Sequence[LeftOut]
) -> list[Prediction]:
    """Return a prediction of each run that was left out at both of its ends.

    Raises:
        ProgramError: a simulation failed.
    """
    found = []
    for sender in senders:
        receiver = next((one for one in receivers if _is_same_run(sender, one)), None)
        if receiver is not None:
            found.append(_simulate(program, sender, receiver))
    return found


def _is_same_run(one: LeftOut, other: LeftOut) -> bool:
    here, there = one.reading.iperf3, other.reading.iperf3
    return here is not None and there is not None and here.cookie == there.cookie != ""


def _simulate(program: Program, sender: LeftOut, receiver: LeftOut) -> Prediction:
    options = _options(sender)
    with tempfile.TemporaryDirectory() as folder:
        for one in (sender, receiver):
            file = Path(folder) / f"{one.reading.end}.conf"
            file.write_text(host_file(one.fit))
            options += [f"--{one.reading.end}-host={file}"]
        rate = _goodput(program, options, FIRST_BYTES)
        rate = _goodput(program, options, min(MOST_BYTES, int(rate / 8 * LONG_S) + FIRST_BYTES))
    told = sender.reading
    target = told.iperf3.target_bps * (told.streams or 1) if told.iperf3 else 0
    plain = tuple(option for option in options if "-host=" not in option)
    return Prediction(
        told.name, told.goodput_bps, rate, bool(target) and rate >= 0.98 * target, plain
    )


def _goodput(program: Program, options: Sequence[str], size: int) -> float:
    sizes = (f"--file-size={size}B", f"--chunk-size={size}B")
    return program.object(*options, *sizes, "--json")["sessions"][0]["goodput_bps"]


def _options(sender: LeftOut) -> list[str]:
    """Return what is simulated, but for the hosts and the file."""
    one, others = sender.reading, sender.fit.readings
    iperf3 = one.iperf3
    sizes = () if iperf3.call_bytes is None else (iperf3.call_bytes,)
    payload = round(_data_of_packet(one, others))
    packet = min(LARGEST, payload + HEADERS)
    per_ack = max(1, round(median(_per_ack(other) for other in others)))
    target = iperf3.target_bps * (one.streams or 1)
    # What the bottleneck carries of this is the packets' headers, too, its own two bytes included
    bottleneck = f"{round(target * (packet + 2) / (packet - HEADERS))}bps" if target else UNLIMITED
    return [
        "--mode=fixed",
        f"--parallelism={one.streams or 1}",
        f"--packet-size={packet}B",
        f"--delayed-ack={per_ack}",
        "--min-rto=1s",
        "--initial-window=10",
        f"--bandwidth={bottleneck}",
        f"--access-bandwidth={UNLIMITED}",
        "--access-delay=0s",
        f"--delay={max(1, round((iperf3.rtt_s or RTT_S) / 2 * 1e9))}ns",
        "--queue=1000000p",
        "--window=4MiB",
        *(f"--{end}-call-size={size}B" for end in (SENDER, RECEIVER) for size in sizes),
    ]


def _data_of_packet(one: Reading, others: Sequence[Reading]) -> float:
    if one.interface != LOOPBACK:
        return one.rates.payload / one.rates.segments
    return median(other.rates.payload / other.rates.segments for other in others)


def _per_ack(one: Reading) -> float:
    return one.rates.segments / one.rates.acks if one.rates.acks else 1.0
