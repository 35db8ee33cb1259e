"""``sadf -j``: what sar has recorded of a host.

Read is the layout of sysstat 12.2 to 12.7 (Debian 12 has 12.6, Debian 13 and Ubuntu 24.04 have 12.6
and 12.7), which names no version of itself: a header with ``timezone``, which 11.5 to 12.0 do not
have, and without ``sysdata-version``, which all up to 11.4 have (CHANGES of sysstat).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from .json_nodes import Node, read_json

TOOL = "sadf -j FILE -- -A"

_VERSIONS = "the layout of sysstat 12.2 to 12.7"


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
        line: of the file.
        end_s: when it ended, seconds since 1970 UTC.
        interval_s: how long it was.
        cores: by number.
        interfaces: by name; none where they were not asked for.
        interrupts: of devices per second; None where they were not asked for, or their sum alone.
        backlogs: by core; none where they were not asked for.
        read: bytes from disks per second; None where they were not asked for.
        written: bytes to disks per second, as ``read``.
        nfs_calls: RPCs of the NFS client per second; None where they were not asked for.
        memory: used share; None where it was not asked for.
    """

    line: int
    end_s: float
    interval_s: float
    cores: tuple[Core, ...]
    interfaces: Mapping[str, Interface]
    interrupts: float | None
    backlogs: tuple[Backlog, ...]
    read: float | None
    written: float | None
    nfs_calls: float | None
    memory: float | None

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
    """

    path: Path
    host: str
    cores: int
    samples: tuple[Sample, ...]


def read_sadf(path: Path) -> Sadf:
    """Read a file that ``sadf -j`` printed.

    Raises:
        UserError: anything is wrong with it, as ``FILE:LINE: what``.
    """
    return parse_sadf(path, read_json(path, TOOL))


def parse_sadf(path: Path, top: Node) -> Sadf:
    """Return what `read_sadf` does from the JSON itself."""
    sysstat = top["sysstat"]
    _refuse_version(sysstat)
    hosts = sysstat["hosts"].items()
    if len(hosts) != 1:
        raise sysstat["hosts"].at.error(f'"hosts" are {len(hosts)}; allowed: one')
    host = hosts[0]
    _refuse_version(host)
    if "timezone" not in host:
        raise host.at.error(
            f'"timezone" is missing, as with sysstat 11.5 to 12.0; allowed: {_VERSIONS}'
        )
    statistics = host["statistics"]
    samples = tuple(_sample(node) for node in statistics.items())
    if not samples:
        raise statistics.at.error('"statistics" is empty; allowed: one interval or more')
    _refuse_disorder(statistics, samples)
    cores = host["number-of-cpus"].whole(1)
    return Sadf(path, host["nodename"].text(), cores, samples)


def _refuse_version(node: Node) -> None:
    version = node.find("sysdata-version")
    if version is not None:
        raise version.at.error(
            f'"sysdata-version" is {version.value}, that of sysstat 11.4 or older; '
            f"allowed: {_VERSIONS}, which has none"
        )


def _refuse_disorder(statistics: Node, samples: tuple[Sample, ...]) -> None:
    cores = len(samples[0].cores)
    for number, (one, after) in enumerate(itertools.pairwise(samples), 1):
        at = statistics.at / number / "timestamp"
        if after.end_s <= one.end_s:
            raise at.error("is no later than the one before; allowed: intervals in order of time")
        if len(after.cores) != cores:
            raise at.error(f"has {len(after.cores)} cores, {cores} before; allowed: always as many")


def _sample(node: Node) -> Sample:
    stamp = node["timestamp"]
    network, disks = node.find("network"), node.find("disk")
    devices = network.find("net-dev") if network else None
    softnet = network.find("softnet") if network else None
    calls = network.find("net-nfs", "call") if network else None
    memory = node.find("memory", "memused-percent")
    return Sample(
        line=stamp.at.line,
        end_s=_seconds(stamp),
        interval_s=stamp["interval"].number(1),
        cores=_cores(node["cpu-load"]),
        interfaces={one["iface"].text(): _interface(one) for one in _all(devices)},
        interrupts=_interrupts(node),
        backlogs=tuple(_backlog(one) for one in _all(softnet) if one["cpu"].text() != "all"),
        read=_kilobytes(disks, "rkB"),
        written=_kilobytes(disks, "wkB"),
        nfs_calls=None if calls is None else calls.number(),
        memory=None if memory is None else memory.number(0, 100) / 100,
    )


def _all(node: Node | None) -> list[Node]:
    return [] if node is None else node.items()


def _seconds(stamp: Node) -> float:
    # Up to 12.7.3 "utc" is 1 for UTC, then "tz" is its name.
    zone = stamp.find("tz") or stamp["utc"]
    if zone.value not in (1, "UTC"):
        raise zone.at.bad(zone.value, "UTC, as without -t and -T of sadf")
    text = f"{stamp['date'].text()} {stamp['time'].text()}"
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise stamp.at.bad(text, "a date and a time") from None


def _cores(load: Node) -> tuple[Core, ...]:
    cores = tuple(_core(one) for one in load.items() if one["cpu"].text() != "all")
    if not cores:
        raise load.at.error('"cpu-load" has no core of its own; allowed: all, as with -P ALL')
    return cores


def _core(node: Node) -> Core:
    def share(*names: str) -> float:
        found = (node.find(name) for name in names)
        return sum(one.number(0, 100) for one in found if one is not None) / 100

    idle = node["idle"].number(0, 100) / 100
    # "system" has interrupts in it, "sys" (-u ALL) has not.
    kernel = share("sys", "irq", "soft") if "sys" in node else node["system"].number(0, 100) / 100
    return Core(max(0.0, 1 - idle - share("iowait", "steal")), kernel)


def _interface(node: Node) -> Interface:
    return Interface(
        packets_in=node["rxpck"].number(),
        packets_out=node["txpck"].number(),
        bytes_in=node["rxkB"].number() * 1024,
        bytes_out=node["txkB"].number() * 1024,
    )


def _interrupts(node: Node) -> float | None:
    """Return how many interrupts devices caused: those with numbers; others are the kernel's."""
    rows = [one for one in _all(node.find("interrupts")) if one["intr"].text().isdigit()]
    # Up to sysstat 12.4 the sum of all cores is called "value".
    told = [(one.find("all") or one["value"]).number() for one in rows]
    return sum(told) if told else None


def _backlog(node: Node) -> Backlog:
    return Backlog(
        packets=node["total"].number(),
        dropped=node["dropd"].number(),
        squeezed=node["squeezd"].number(),
        handed=node["rx_rps"].number(),
    )


def _kilobytes(disks: Node | None, key: str) -> float | None:
    return None if disks is None else sum(one[key].number() for one in disks.items()) * 1024
