"""A run at one end of it: what several tools told of it, as rates and CPU time per second."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ..errors import UserError
from .iperf3.model import Iperf3, refuse_unfit
from .modules import shares
from .perf_report import PerfReport
from .sadf import Core, Interface, Sadf, Sample
from .sockets import Connection, Sockets
from .texts import wrong

SENDER, RECEIVER, IDLE = "sender", "receiver", "idle"

HEADERS = 66
"""Of a segment with timestamps, as Linux sends it: Ethernet 14, IP 20, TCP 32 bytes."""

ONE_WAY = 0.8
"""Of an interface's bytes go in the direction of a transfer's data, or more; ACKs the other way."""

ON_DISK = 0.1
"""Of the bytes that move come from disks or go there, or more, where files are what moves; less is
what any host reads and writes."""

PACKETS_PER_INTERRUPT = 1000
"""More than interfaces are set to wait for; where there are so many, the few interrupts that
devices cause are those of disks."""

LOOPBACK = "lo"


@dataclass(frozen=True)
class Run:
    """The files of one run at one end."""

    name: str
    sadf: Sadf | None = None
    perf: PerfReport | None = None
    iperf3: Iperf3 | None = None
    sockets: Sockets | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """All files there are."""
        parts = (self.sadf, self.perf, self.iperf3, self.sockets)
        return tuple(part.path for part in parts if part is not None)


@dataclass(frozen=True)
class Rates:
    """What costs CPU time, per second; None where no file tells it.

    Attributes:
        packets: in and out.
        interrupts: of the interface, as far as those of all devices tell, see
            `with_interrupts_alike`.
        segments: packets with data.
        acks: packets without data.
        payload: bytes of data.
        calls: system calls that move data.
        switches: packets of another data connection than the one before them. None of the tools
            counts these; of N connections whose packets mix at random it is (N - 1) / N of all.
        file_bytes: from disks at the sender, to disks at the receiver.
        blocks: of the file.
        rpcs: of the NFS client.
    """

    packets: float
    interrupts: float | None
    segments: float
    acks: float
    payload: float
    calls: float | None
    switches: float | None
    file_bytes: float | None
    blocks: float | None
    rpcs: float | None


@dataclass(frozen=True)
class Reading:
    """A run at one end of it.

    Attributes:
        name: of the run.
        files: where it was read from.
        host: the name that the host gives itself.
        end: `SENDER`, `RECEIVER`, or `IDLE` where nothing was transferred.
        seconds: the time that it covers.
        core_busy: share of that time in which each core was busy.
        peak: largest share of all cores that was busy in an interval.
        kernel: share of the cores' time that they spent in the kernel.
        goodput_bps: bits of data per second of the transfer.
        streams: data connections; None where no file tells it.
        call_bytes: what a system call moves; None where no file tells it.
        interface: the busiest one.
        dropped: packets lost in the queue of a core per second; None where no file tells it.
        handed: interrupts per second by which cores handed packets to others (RPS); None where no
            file tells it.
        rates: what costs CPU time.
        modules: CPU seconds per second by module; None where there is no file of perf, which is
            taken to have sampled all cores (perf record -a) for as long as the reading is.
        connections: as ss showed them, data connections alone.
        notes: what is to be known of it, sentences.
        iperf3: what iperf3 told of the run.
        is_own: the CPU time is that of the transfer's processes, and of nothing else.
        is_per_core: whether `core_busy` has each core's own time; if not, the mean of all.
    """

    name: str
    files: tuple[Path, ...]
    host: str
    end: str
    seconds: float
    core_busy: tuple[float, ...]
    peak: float
    kernel: float
    goodput_bps: float
    streams: int | None
    call_bytes: int | None
    interface: str
    dropped: float | None
    handed: float | None
    rates: Rates
    modules: Mapping[str, float] | None
    connections: tuple[Connection, ...]
    notes: tuple[str, ...]
    iperf3: Iperf3 | None = None
    is_own: bool = False
    is_per_core: bool = True

    @property
    def busy(self) -> float:
        """CPU seconds per second, of all cores."""
        return sum(self.core_busy)


def read_run(run: Run) -> Reading:
    """Return the reading of a run that has a file of sadf.

    Raises:
        UserError: its files are not of one run at one end.
    """
    sadf = run.sadf
    if sadf is None:
        raise ValueError(f"{run.name} has no file of sadf")
    if run.iperf3 is not None:
        refuse_unfit(run.iperf3)
    samples = covering(sadf, run.iperf3)
    seconds = sum(one.interval_s for one in samples)
    interface, packets, moved = _traffic(sadf, samples)
    end = _end(run, samples[0], moved)
    payload = _payload(run, sadf, end, packets, moved, seconds)
    rates, notes = _rates(run, samples, end, packets, payload)
    if run.iperf3 is not None and run.iperf3.start_s is None:
        notes = (
            *notes,
            f"{run.name}: iperf3 printed no time of day (-V or -J does), so all samples of sadf "
            "count as samples of the run",
        )
    busy = _mean_of_cores(samples)
    iperf3 = run.iperf3
    connections = run.sockets.data() if run.sockets else ()
    modules = None
    if run.perf:
        modules = {name: one * sum(busy) for name, one in shares(run.perf).modules.items()}
    return Reading(
        name=run.name,
        files=run.files,
        host=sadf.host,
        end=end,
        seconds=seconds,
        core_busy=busy,
        peak=max(_mean([core.busy for core in one.cores.values()]) for one in samples),
        kernel=over_time(samples, [kernel_share(one) for one in samples]),
        goodput_bps=iperf3.goodput_bps if iperf3 else payload * 8,
        streams=_streams(run),
        call_bytes=iperf3.call_bytes if iperf3 else None,
        interface=interface,
        dropped=of_backlogs(samples, "dropped"),
        handed=of_backlogs(samples, "handed"),
        rates=rates,
        modules=modules,
        connections=connections,
        notes=(*notes, *_notes_of_sadf(run.name, sadf, samples)),
        iperf3=iperf3,
        is_per_core=sadf.is_per_core,
    )


def _notes_of_sadf(name: str, sadf: Sadf, samples: tuple[Sample, ...]) -> list[str]:
    notes = []
    moved = any(one.read or one.written for one in samples) or not sadf.disks.is_clear
    if moved and sadf.disks.note():
        notes.append(f"{name}: {sadf.disks.note()}")
    if not sadf.is_per_core:
        notes.append(
            f"{name}: sadf printed the CPU time of all cores together, so the busiest core is "
            "unknown; sadf -j FILE -- -A prints each core"
        )
    return notes


def kernel_share(sample: Sample) -> float:
    """Return the share of its cores' time that they spent in the kernel."""
    return _mean([core.kernel for core in sample.cores.values()])


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def over_time(samples: tuple[Sample, ...], values: list[float]) -> float:
    """Return the mean over the time of all samples."""
    total = sum(one.interval_s for one in samples)
    return sum(v * s.interval_s for v, s in zip(values, samples, strict=True)) / total


def _over_time_or_none(samples: tuple[Sample, ...], values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return over_time(samples, known) if len(known) == len(values) else None


def of_backlogs(samples: tuple[Sample, ...], name: str) -> float | None:
    """Return the sum over all cores, per second; None where a sample has none."""
    sums = [
        sum(getattr(core, name) for core in one.backlogs) if one.backlogs else None
        for one in samples
    ]
    return _over_time_or_none(samples, sums)


def _mean_of_cores(samples: tuple[Sample, ...]) -> tuple[float, ...]:
    """Return the share of the time in which each core was busy; one that is offline is not."""
    names = dict.fromkeys(name for one in samples for name in one.cores)
    off = Core(0.0, 0.0)
    return tuple(
        over_time(samples, [one.cores.get(name, off).busy for one in samples]) for name in names
    )


def covering(sadf: Sadf, iperf3: Iperf3 | None) -> tuple[Sample, ...]:
    """Return the samples in which any of a run of iperf3 may be; all where its time is unknown.

    Both print times in whole seconds, cut off. What iperf3 counts begins behind the seconds that it
    omits.
    """
    if iperf3 is None or iperf3.start_s is None:
        return sadf.samples
    start = iperf3.start_s + iperf3.omit_s
    end = start + iperf3.duration_s
    first, last = sadf.samples[0], sadf.samples[-1]
    if first.start_s > start or last.end_s < end:
        raise wrong(
            sadf.path,
            first.line,
            f"covers {_clock(first.start_s)} to {_clock(last.end_s)} UTC, and iperf3 "
            f"({iperf3.path.name}) ran from {_clock(start)} to {_clock(end)}; "
            "allowed: sar that starts before the run and ends after it",
        )
    found = [one for one in sadf.samples if one.end_s + 1 > start and one.start_s < end + 1]
    for one, after in itertools.pairwise(found):
        _refuse_gap(sadf, one, after, iperf3)
    return tuple(found)


def _refuse_gap(sadf: Sadf, one: Sample, after: Sample, iperf3: Iperf3) -> None:
    # Both tools round times to seconds, and sar is late by a part of one.
    if after.start_s - one.end_s > max(2.0, 0.1 * after.interval_s):
        raise wrong(
            sadf.path,
            after.line,
            f"has no data from {_clock(one.end_s)} to {_clock(after.start_s)} UTC, as after a "
            f"restart of the host or of sar, and iperf3 ({iperf3.path.name}) ran meanwhile; "
            "allowed: sar without a break during a run",
        )


def _clock(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return f"{seconds:g} s after 1970"


Pair = tuple[float, float]
"""In and out, per second."""


def _traffic(sadf: Sadf, samples: tuple[Sample, ...]) -> tuple[str, Pair, Pair]:
    """Return the busiest interface, its packets and its bytes."""
    found = dict.fromkeys(name for one in samples for name in one.interfaces)
    names = [name for name in found if name != LOOPBACK]
    if not names:
        what = (
            '"net-dev" has no interface but lo; allowed: all interfaces, as with sadf -j FILE -- '
            "-n "
            "DEV; for a run over lo also the JSON of iperf3"
        )
        raise wrong(sadf.path, samples[0].line, what)
    # An interface may be there for a part of the time only (veth).
    none = Interface(0.0, 0.0, 0.0, 0.0)

    def mean(name: str, key: str) -> float:
        return over_time(samples, [getattr(one.interfaces.get(name, none), key) for one in samples])

    best = max(names, key=lambda name: mean(name, "bytes_in") + mean(name, "bytes_out"))
    packets = mean(best, "packets_in"), mean(best, "packets_out")
    return best, packets, (mean(best, "bytes_in"), mean(best, "bytes_out"))


def _end(run: Run, first: Sample, moved: Pair) -> str:
    """Return which end of the transfer this is."""
    sadf, iperf3 = run.sadf, run.iperf3
    total = sum(moved)
    if iperf3 is None and total < 1000:
        return IDLE
    if total == 0 or max(moved) < ONE_WAY * total:
        rates = f"{moved[0]:.0f} bytes/s come in and {moved[1]:.0f} bytes/s go out"
        what = f"{rates}; allowed: a transfer with at least {ONE_WAY:.0%} in one direction"
        raise wrong(sadf.path, first.line, what)
    end = SENDER if moved[1] > moved[0] else RECEIVER
    if iperf3 is not None and iperf3.sends != (end == SENDER):
        other = SENDER if iperf3.sends else RECEIVER
        raise wrong(
            sadf.path,
            first.line,
            f"is from a {end}, and iperf3 ({iperf3.path.name}) from a {other}; "
            "allowed: files of one run at one endpoint",
        )
    return end


def _payload(run: Run, sadf: Sadf, end: str, packets: Pair, moved: Pair, seconds: float) -> float:
    """Return the bytes of data per second of the time that the samples cover."""
    side = 1 if end == SENDER else 0
    if run.iperf3 is None:
        return 0.0 if end == IDLE else max(0.0, moved[side] - HEADERS * packets[side])
    payload = run.iperf3.bytes / seconds
    # Two decimals of each rate and the edges of the time are left out of the comparison.
    if payload > 1.02 * moved[side]:
        raise wrong(
            sadf.path,
            sadf.samples[0].line,
            f"has {moved[side] * seconds:.0f} bytes on the busiest interface, fewer than the "
            f"{run.iperf3.bytes} of iperf3 ({run.iperf3.path.name}); "
            "allowed: files of one run between two hosts",
        )
    return payload


def _rates(
    run: Run, samples: tuple[Sample, ...], end: str, packets: Pair, payload: float
) -> tuple[Rates, tuple[str, ...]]:
    side = 1 if end == SENDER else 0
    counted, acks = packets[side], packets[1 - side]
    segments, notes = _segments(run, counted, payload)
    calls = _per_call(run, payload)
    streams = _streams(run)
    of_disks = [one.read if end == SENDER else one.written for one in samples]
    file_bytes = _over_time_or_none(samples, of_disks)
    if file_bytes is not None and file_bytes < ON_DISK * payload:
        file_bytes = 0.0
    rates = Rates(
        packets=segments + acks,
        interrupts=_interrupts(samples, segments + acks),
        segments=segments,
        acks=acks,
        payload=payload,
        calls=calls,
        switches=(segments + acks) * (1 - 1 / streams) if streams else None,
        file_bytes=file_bytes,
        blocks=_blocks(run, file_bytes),
        rpcs=_over_time_or_none(samples, [one.nfs_calls for one in samples]),
    )
    return rates, notes


def _interrupts(samples: tuple[Sample, ...], packets: float) -> float | None:
    interrupts = _over_time_or_none(samples, [one.interrupts for one in samples])
    few = interrupts is not None and interrupts * PACKETS_PER_INTERRUPT < packets
    return 0.0 if few else interrupts


def _segments(run: Run, counted: float, payload: float) -> tuple[float, tuple[str, ...]]:
    """Return how many segments per second went over the wire.

    Where an interface cuts segments itself (TSO), or puts them together (GRO), drivers may count
    what the kernel has, of up to 64 KB.
    """
    mss = _mss(run)
    if mss is None or payload <= 1.5 * mss * counted:
        return counted, ()
    note = (
        f"{run.name}: counted packets have {payload / counted if counted else 0:.0f} bytes "
        f"of data, segments {mss}, because the interface splits or merges packets (TSO, GRO); "
        "costs are per segment on the wire"
    )
    return payload / mss, (note,)


def _mss(run: Run) -> int | None:
    if run.sockets:
        sizes = [one.mss for one in run.sockets.data() if one.mss is not None]
        return max(sizes, default=None)
    return run.iperf3.mss_bytes if run.iperf3 else None


def _blocks(run: Run, file_bytes: float | None) -> float | None:
    if file_bytes is None:
        return None
    if file_bytes == 0:
        return 0.0
    return _per_call(run, file_bytes)


def _per_call(run: Run, moved: float) -> float | None:
    """Return the system calls that move so many bytes; None where no file has their size."""
    size = run.iperf3.call_bytes if run.iperf3 else None
    return moved / size if size else None


def _streams(run: Run) -> int | None:
    if run.iperf3:
        return run.iperf3.streams
    return len(run.sockets.data()) if run.sockets else None


def with_interrupts_alike(readings: list[Reading]) -> list[Reading]:
    """Return readings of one end whose interrupts are of the same kind.

    Where devices cause too few in one of them, the interface has none (veth, a virtual machine's
    other side): those of the others are of disks, too, however few packets there were. What
    interrupts a core are then other cores that hand packets to it (RPS), if any.
    """
    if all(one.rates.interrupts != 0 for one in readings):
        return readings
    return [
        replace(one, rates=replace(one.rates, interrupts=one.handed or 0.0)) for one in readings
    ]


def refuse_two_hosts(readings: list[Reading]) -> None:
    """Refuse readings of one end that are of two hosts.

    Raises:
        UserError: they are.
    """
    first = readings[0]
    for one in readings[1:]:
        if (one.host, len(one.core_busy)) != (first.host, len(first.core_busy)):
            raise UserError(
                f"{one.files[0]}:1: is from {one.end} {one.host!r} with {len(one.core_busy)} "
                "cores, "
                f"{first.files[0].name} from {first.host!r} with {len(first.core_busy)}; "
                "allowed: readings of one endpoint from one host"
            )
