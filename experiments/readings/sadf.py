"""``sadf -j``: what sar has recorded of a host.

All layouts of sysstat from 10.0.3 on are read (its json_stats.c, sadf_misc.c and CHANGES): up to
11.4 with ``sysdata-version``, up to 11.1.3 with ``cpu-load-all`` under -u ALL, up to 11.5.6 with
sectors alone of disks, from 12.2 on with ``timezone``, from 12.5.6 on with interrupts of each core,
from 12.7.1 on with ``tz`` in place of ``utc``.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ..spec.places import Place
from .disks import Choice, choose
from .json_nodes import Node, read_json
from .texts import quoted

TOOL = "sadf -j FILE -- -A"

ALL = "all"
"""The row of all cores together."""

_MOST_PACKETS = 1.5e9
"""Packets per second of the smallest size at 1 Tbit/s; also of interrupts and calls. A counter of
32 bits that wraps in an interval of a second has more."""

_MOST_KILOBYTES = 200e6
"""kB per second of 1.6 Tbit/s, the fastest interfaces and more than any device of blocks."""

_WRAPS = 2.0**32

_MOST_SHARES = 105
"""Percent that the shares of a core's time may add up to; old versions round each of them."""


@dataclass(frozen=True)
class Core:
    """A core in one interval, as shares of the time.

    Attributes:
        busy: anything but idle, waiting for disks, or taken by a hypervisor for other machines.
        kernel: in the kernel, interrupts included.
    """

    busy: float
    kernel: float


@dataclass(frozen=True)
class Interface:
    """A network interface in one interval, per second."""

    packets_in: float
    packets_out: float
    bytes_in: float
    bytes_out: float


@dataclass(frozen=True)
class Backlog:
    """A core's queue of packets that came in, per second.

    Attributes:
        packets: taken from it.
        dropped: lost as it was full (net.core.netdev_max_backlog).
        squeezed: times that packets were left when the core's turn was over.
        handed: interrupts by which other cores told this one of packets in it (RPS).
    """

    packets: float
    dropped: float
    squeezed: float
    handed: float


@dataclass(frozen=True)
class Sample:
    """One interval.

    Attributes:
        at: its time in the file.
        end_s: when it ended, seconds since 1970 UTC.
        interval_s: how long it was.
        cores: those that were online, by number.
        interfaces: by name; none where they were not asked for.
        interrupts: of devices per second; None where they were not asked for, or their sum alone.
        backlogs: by core; none where they were not asked for.
        read: bytes from disks per second; None where they were not asked for.
        written: bytes to disks per second, as ``read``.
        nfs_calls: RPCs of the NFS client per second; None where they were not asked for.
        memory: used share; None where it was not asked for.
    """

    at: Place = field(compare=False)
    end_s: float
    interval_s: float
    cores: Mapping[str, Core]
    interfaces: Mapping[str, Interface]
    interrupts: float | None
    backlogs: tuple[Backlog, ...]
    read: float | None
    written: float | None
    nfs_calls: float | None
    memory: float | None

    @property
    def line(self) -> int:
        """Of the file."""
        return self.at.line

    @property
    def start_s(self) -> float:
        """When it began, seconds since 1970 UTC."""
        return self.end_s - self.interval_s


@dataclass(frozen=True)
class Sadf:
    """One file of ``sadf -j``.

    Attributes:
        path: the file.
        host: the name that the host gives itself.
        cores: how many it has.
        samples: in order of time, at least one.
        disks: the devices of blocks whose bytes count.
        is_per_core: whether cores have rows of their own; if not, each has the mean of all.
    """

    path: Path
    host: str
    cores: int
    samples: tuple[Sample, ...]
    disks: Choice
    is_per_core: bool


def read_sadf(path: Path) -> Sadf:
    """Read a file that ``sadf -j`` printed.

    Raises:
        UserError: anything is wrong with it, as ``FILE:LINE: what``.
    """
    return parse_sadf(path, read_json(path, TOOL))


def parse_sadf(path: Path, top: Node) -> Sadf:
    """Return what `read_sadf` does from the JSON itself."""
    hosts = top["sysstat"]["hosts"].items()
    if len(hosts) != 1:
        raise top["sysstat"]["hosts"].at.error(f'"hosts" has {len(hosts)} entries; allowed: one')
    host = hosts[0]
    cores = host["number-of-cpus"].whole(1)
    statistics = host["statistics"]
    # sadf rounds intervals to seconds; 0 is one of less than half a second.
    nodes = [one for one in statistics.items() if one["timestamp"]["interval"].number()]
    choice = _choose(nodes)
    is_per_core = any(_has_own(one) for one in nodes)
    samples = tuple(_sample(one, choice, 0 if is_per_core else cores) for one in nodes)
    if not samples:
        raise statistics.at.error('"statistics" is empty; allowed: at least one interval')
    _refuse_disorder(nodes, samples)
    return Sadf(path, host["nodename"].text(), cores, samples, choice, is_per_core)


def _refuse_disorder(nodes: list[Node], samples: tuple[Sample, ...]) -> None:
    for node, (one, after) in zip(nodes[1:], itertools.pairwise(samples), strict=True):
        if after.end_s <= one.end_s:
            raise node["timestamp"].at.error(
                "is not later than the interval before; allowed: intervals in order of time"
            )


def _sample(node: Node, choice: Choice, cores: int) -> Sample:
    """Return an interval.

    Args:
        node: of the list of statistics.
        choice: the devices of blocks that count.
        cores: how many the row of all cores stands for; 0: cores have rows of their own.
    """
    stamp = node["timestamp"]
    interval = stamp["interval"].number(1)
    network, disks = node.find("network"), node.find("disk")
    devices = network.find("net-dev") if network else None
    softnet = network.find("softnet") if network else None
    calls = network.find("net-nfs", "call") if network else None
    memory = node.find("memory", "memused-percent")
    of_cores = _cores_together(node, cores) if cores else _cores(node)
    return Sample(
        at=stamp.at,
        end_s=_seconds(stamp),
        interval_s=interval,
        cores=of_cores,
        interfaces={one["iface"].text(): _interface(one, interval) for one in _all(devices)},
        interrupts=_interrupts(node, interval),
        backlogs=tuple(_backlog(one, interval) for one in _all(softnet) if not _is_all(one)),
        read=_of_disks(disks, choice, "rkB", "rd_sec"),
        written=_of_disks(disks, choice, "wkB", "wr_sec"),
        nfs_calls=None if calls is None else _count(calls, interval),
        memory=None if memory is None else memory.number(0, 100) / 100,
    )


def _all(node: Node | None) -> list[Node]:
    return [] if node is None else node.items()


def _seconds(stamp: Node) -> float:
    # Up to sysstat 12.6 "utc" is 1 for UTC; from 12.7.1 on "tz" is its name.
    zone = stamp.find("tz") or stamp["utc"]
    if zone.value not in (1, "UTC"):
        raise zone.at.bad(zone.value, "UTC: call sadf without -t and -T")
    text = f"{stamp['date'].text()} {stamp['time'].text()}"
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise stamp.at.bad(text, "a date and a time") from None


def _load(node: Node) -> Node:
    # Up to sysstat 11.1.3 -u ALL has a name of its own.
    return node.find("cpu-load-all") or node["cpu-load"]


def _is_all(row: Node) -> bool:
    return row["cpu"].text() == ALL


def _has_own(node: Node) -> bool:
    """Return whether an interval has rows of single cores."""
    return any(not _is_all(row) for row in _load(node).items())


def _cores(node: Node) -> dict[str, Core]:
    """Return the cores that were online: of one that was not, old versions print zeros alone."""
    load = _load(node)
    rows = {row["cpu"].text(): row for row in load.items() if not _is_all(row)}
    found = {name: _core(row) for name, row in rows.items()}
    cores = {name: core for name, core in found.items() if core is not None}
    if not cores:
        raise load.at.error('"cpu-load" has no single core; allowed: all cores, as with -P ALL')
    return cores


def _cores_together(node: Node, cores: int) -> dict[str, Core]:
    """Return each core with the mean of all."""
    load = _load(node)
    rows = load.items()
    mean = _core(rows[0]) if rows else None
    if mean is None:
        raise load.at.error('"cpu-load" is empty; allowed: all cores, as with -P ALL')
    return {str(number): mean for number in range(cores)}


_SHARES = (
    "user", "usr", "nice", "system", "sys", "iowait", "steal", "irq", "soft", "guest", "gnice",
    "idle",
)  # fmt: skip


def _core(row: Node) -> Core | None:
    """Return a core's shares of time; None if they are all 0, as of one that is offline."""
    shares = row.numbers(_SHARES, 0, 100)
    total = sum(shares.values())
    if total > _MOST_SHARES:
        what = f"the shares of its time add up to {total:g} %; allowed: 100 %"
        raise row.at.error(f"CPU {quoted(row['cpu'].text())}: {what}")
    # "system" has interrupts in it, "sys" (-u ALL) has not.
    in_kernel = ("sys", "irq", "soft") if "sys" in shares else ("system",)
    for name in ("idle", in_kernel[0]):
        row[name].number()
    if not total:
        return None

    def share(*names: str) -> float:
        return sum(shares.get(name, 0.0) for name in names) / 100

    return Core(max(0.0, 1 - share("idle") - share("iowait", "steal")), share(*in_kernel))


def _count(node: Node, interval_s: float) -> float:
    """Return a count per second.

    Raises:
        UserError: it is more than can be, or what a counter of 32 bits gives that went back.
    """
    value = node.number(0, _MOST_PACKETS)
    # The interval is known to some 5 hundredths of a second.
    if abs(value * interval_s / _WRAPS - 1) < 0.05 / interval_s:
        allowed = "a rate of events; this value comes from a 32-bit counter that wrapped"
        raise node.at.bad(node.value, allowed)
    return value


def _bytes(node: Node) -> float:
    return node.number(0, _MOST_KILOBYTES) * 1024


def _interface(node: Node, interval_s: float) -> Interface:
    return Interface(
        packets_in=_count(node["rxpck"], interval_s),
        packets_out=_count(node["txpck"], interval_s),
        bytes_in=_bytes(node["rxkB"]),
        bytes_out=_bytes(node["txkB"]),
    )


def _interrupts(node: Node, interval_s: float) -> float | None:
    """Return how many interrupts devices caused: those with numbers; others are the kernel's."""
    rows = [one for one in _all(node.find("interrupts")) if one["intr"].text().isdecimal()]
    # Up to sysstat 12.5.5 the sum of all cores is called "value".
    counts = [_count(one.find("all") or one["value"], interval_s) for one in rows]
    return sum(counts) if counts else None


def _backlog(node: Node, interval_s: float) -> Backlog:
    return Backlog(
        packets=_count(node["total"], interval_s),
        dropped=_count(node["dropd"], interval_s),
        squeezed=_count(node["squeezd"], interval_s),
        handed=_count(node["rx_rps"], interval_s),
    )


def _choose(nodes: list[Node]) -> Choice:
    """Return which devices of blocks count, from what each of them moved in all intervals."""
    moved: dict[str, float] = {}
    for node in nodes:
        seconds = node["timestamp"]["interval"].number()
        for one in _all(node.find("disk")):
            rate = _disk_bytes(one, "rkB", "rd_sec") + _disk_bytes(one, "wkB", "wr_sec")
            name = one["disk-device"].text()
            moved[name] = moved.get(name, 0.0) + rate * seconds
    return choose(moved)


def _disk_bytes(node: Node, kilobytes: str, sectors: str) -> float:
    """Return bytes per second; up to sysstat 11.5.6 there are sectors, of 512 bytes, alone."""
    if kilobytes in node or sectors not in node:
        return _bytes(node[kilobytes])
    return node[sectors].number(0, 2 * _MOST_KILOBYTES) * 512


def _of_disks(disks: Node | None, choice: Choice, kilobytes: str, sectors: str) -> float | None:
    """Return the bytes per second of the disks that count; None where that is not known."""
    if disks is None or not choice.is_clear:
        return None
    counted = (one for one in disks.items() if one["disk-device"].text() in choice.counted)
    return sum(_disk_bytes(one, kilobytes, sectors) for one in counted)
