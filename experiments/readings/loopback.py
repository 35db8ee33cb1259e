"""A run over the loopback interface: one host is both ends, and its readings are told apart here.

The loopback interface counts each packet once in and once out, data and ACKs together. What the
processes of either end took, iperf3 tells. The kernel's work on a packet is done by the core that
sends it, up to the socket of the other end (loopback_xmit(), netif_rx()), in the process that was
there: so it is in the CPU time of whichever end sent the data or the ACK.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .iperf3.model import Iperf3, refuse_unfit
from .reading import (
    HEADERS,
    LOOPBACK,
    RECEIVER,
    SENDER,
    Rates,
    Reading,
    Run,
    covering,
    kernel_share,
    of_backlogs,
    over_time,
    read_run,
)
from .texts import wrong

LARGEST = 65536 - HEADERS
"""Data of a packet that the kernel hands over the loopback interface, whose MTU is 65536 bytes."""


def readings_of(run: Run) -> tuple[Reading, ...]:
    """Return the readings of a run that has a file of sadf: of loopback one of either end.

    Raises:
        UserError: its files are not of one run, or tell too little of one over loopback.
    """
    if run.iperf3 is not None and run.iperf3.is_loopback:
        return _read_loopback(run, run.iperf3)
    return (read_run(run),)


def _read_loopback(run: Run, iperf3: Iperf3) -> tuple[Reading, Reading]:
    sadf = run.sadf
    if sadf is None:
        raise ValueError(f"{run.name} has no file of sadf")
    refuse_unfit(iperf3)
    samples = covering(sadf, iperf3)
    line = samples[0].line
    if any(LOOPBACK not in one.interfaces for one in samples):
        what = f'"net-dev" has no {LOOPBACK}, over which iperf3 ({iperf3.path.name}) ran'
        raise wrong(sadf.path, line, f"{what}; allowed: all interfaces, as with sadf -j FILE -- -A")
    if iperf3.cpu is None:
        what = (
            '"cpu_utilization_percent" is missing, which distinguishes the endpoints of a loopback'
        )
        raise wrong(iperf3.path, 1, f"{what}; allowed: the complete output of iperf3 -J")
    if iperf3.call_bytes is None:
        what = "the size of calls is missing, which limits the size of packets on a loopback"
        raise wrong(iperf3.path, iperf3.line, f"{what}; allowed: the output of iperf3 -J or -V")
    seconds = iperf3.duration_s
    payload = iperf3.bytes / seconds
    # Nothing else runs over it: all that is counted is of the run, however long the samples are
    longer = sum(one.interval_s for one in samples) / seconds
    lo = [one.interfaces[LOOPBACK] for one in samples]
    packets = over_time(samples, [one.packets_out for one in lo]) * longer
    counted = over_time(samples, [one.bytes_out for one in lo]) * longer
    if payload > 1.02 * counted or packets == 0:
        raise wrong(
            sadf.path,
            line,
            f"has {counted * seconds:.0f} bytes on {LOOPBACK}, fewer than the {iperf3.bytes} of "
            f"iperf3 ({iperf3.path.name}); allowed: files of one run",
        )
    # One that is held to a rate has sent each call's data when the next one comes
    most = min(LARGEST, iperf3.call_bytes) if iperf3.target_bps else LARGEST
    segments = _data_packets(packets, payload, most)
    streams = iperf3.streams
    rates = Rates(
        packets=packets,
        interrupts=0.0,
        segments=segments,
        acks=packets - segments,
        payload=payload,
        calls=payload / iperf3.call_bytes,
        switches=packets * (1 - 1 / streams),
        file_bytes=0.0,
        blocks=0.0,
        rpcs=0.0,
    )

    def of(end: str, busy: float) -> Reading:
        return Reading(
            name=run.name,
            files=run.files,
            host=sadf.host,
            end=end,
            seconds=seconds,
            core_busy=(busy,),
            peak=min(1.0, busy),
            kernel=over_time(samples, [kernel_share(one) for one in samples]),
            goodput_bps=iperf3.goodput_bps,
            streams=streams,
            call_bytes=iperf3.call_bytes,
            interface=LOOPBACK,
            dropped=of_backlogs(samples, "dropped"),
            handed=of_backlogs(samples, "handed"),
            rates=rates,
            modules=None,
            connections=run.sockets.data() if run.sockets else (),
            notes=(),
            iperf3=iperf3,
            is_own=True,
        )

    sends, receives = iperf3.cpu
    return of(SENDER, sends), of(RECEIVER, receives)


def of_loopback(readings: Sequence[Reading]) -> list[str]:
    """Return what is to be known of the readings over loopback among others, sentences."""
    names = list(dict.fromkeys(one.name for one in readings if one.interface == LOOPBACK))
    if not names:
        return []
    return [
        f"{', '.join(names)}: over loopback, so one host is both endpoints; the CPU time of each "
        "endpoint is that of its process, as iperf3 reports it; samples of perf are not used"
    ]


def _data_packets(packets: float, payload: float, most: int) -> float:
    """Return how many of the packets per second carry data.

    One ACK comes for a whole number of them: the number for which they are nearest to what their
    sum tells, where none is larger than `most`.

    Args:
        packets: data and ACKs, per second.
        payload: bytes of data per second.
        most: bytes of data of a packet.
    """
    acks = max(0.0, packets - payload / most)
    per_ack = max(1, round((packets - acks) / acks)) if acks else math.inf
    while math.isfinite(per_ack) and (1 + 1 / per_ack) * payload / packets > most:
        per_ack += 1
    return packets / (1 + 1 / per_ack)
