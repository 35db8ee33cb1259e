"""Made-up transfers with one limit planted in each, or none: does the profiler find it?

Each kind of `KINDS` makes a transfer whose path would carry several times what one thing lets
through. Draws are the same everywhere.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..programs.amounts import rate, size, time
from .judge import Finding
from .limit import Options

NOTHING = "none"
"""What is planted where nothing limits a transfer but its own beginning."""

_ENDS = ("source", "sink")
_PACKET = 1500
_ACK_BYTES = 42
"""Of an ACK on a link: headers of IPv4 and TCP, and two bytes of the link."""

_SECONDS = 5.0
"""How long a transfer takes, about."""

_LARGEST_FILE = 4e7
"""Bytes: what is faster takes a shorter time."""


@dataclass(frozen=True)
class Path:
    """A path, and a transfer that it is wide enough for.

    Attributes:
        bandwidth_bps: of the bottleneck.
        round_trip_s: with empty queues.
        connections: of the transfer.
        share: of the bandwidth that is left where something is planted.
    """

    bandwidth_bps: float
    round_trip_s: float
    connections: int
    share: float

    @property
    def product_bytes(self) -> float:
        """The bandwidth-delay product."""
        return self.bandwidth_bps * self.round_trip_s / 8

    @property
    def window_bytes(self) -> float:
        """A TCP window of each connection with which they fill the path, and half of its queue."""
        return 2 * max(self.product_bytes, 40 * _PACKET) / self.connections

    @property
    def planted_bps(self) -> float:
        """What something planted lets through."""
        return self.share * self.bandwidth_bps

    def options(self, bps: float) -> dict[str, str]:
        """Return a transfer that is as good as free of limits for some seconds at a rate."""
        held = max(self.product_bytes, 40 * _PACKET)
        count = min(bps * _SECONDS / 8, _LARGEST_FILE)
        file = size(max(count, 100 * self.product_bytes * bps / self.bandwidth_bps))
        return {
            "mode": "fixed",
            "bandwidth": rate(self.bandwidth_bps),
            "delay": time(self.round_trip_s / 2),
            "access-delay": "0ns",
            "queue": f"{math.ceil(3 * held / _PACKET)}p",
            "parallelism": str(self.connections),
            "window": size(self.window_bytes),
            "file-size": file,
            "chunk-size": file,
            "block-size": "64KiB",
        }


@dataclass(frozen=True)
class Planted:
    """A transfer with a known limit.

    Attributes:
        limit: its name, or `NOTHING`.
        line: of a batch.
    """

    limit: str
    line: Options


Kind = Callable[[Path, random.Random], Planted | None]
"""Plants something on a path; None where the path is not one for it."""


# ---- Kinds ----------------------------------------------------------------------------------


def _network(path: Path, draw: random.Random) -> Planted:
    held = max(path.product_bytes, 40 * _PACKET)
    wide = {"window": size(draw.uniform(4, 5) * held / path.connections)}
    queue = {"queue": f"{math.ceil(5 * held / _PACKET)}p"}
    return Planted("network", {**path.options(path.bandwidth_bps), **wide, **queue})


def _window(path: Path, draw: random.Random) -> Planted | None:
    window = path.share * path.product_bytes / path.connections
    if window < 4 * _PACKET:
        return None
    moves = draw.random() < 0.5 and window >= 65536
    small = {"window": size(window)}
    if moves:
        small = {"buffers": "linux-receiver", "window": "64KiB", "max-buffer": size(window)}
    return Planted("window", {**path.options(path.planted_bps), **small})


def _loss(path: Path, draw: random.Random) -> Planted | None:
    # Mathis and others: a connection of TCP Reno gets 1.22 segments per round trip, over sqrt(p).
    segments = path.planted_bps * path.round_trip_s / 8 / _PACKET / path.connections
    share = (1.22 / segments) ** 2
    if not 5e-4 < share < 0.01:
        return None
    options = path.options(path.planted_bps)
    file = size(max(60 / share * _PACKET, _LARGEST_FILE / 4))
    lossy = {"random-loss": f"{share:.6f}", "file-size": file, "chunk-size": file}
    return Planted("loss", {**options, **lossy})


def _storage(end: str) -> Callable[[Path, random.Random], Planted]:
    def plant(path: Path, draw: random.Random) -> Planted:
        slow = {end: "disk", f"{end}-rate": rate(path.planted_bps)}
        if draw.random() < 0.3:
            shared = {end: "parallel", f"{end}-rate": rate(path.bandwidth_bps)}
            slow = {**shared, f"{end}-total-rate": rate(path.planted_bps)}
        return Planted(f"{end} storage", {**path.options(path.planted_bps), **slow})

    return plant


def _cpu(path: Path, draw: random.Random) -> Planted:
    del draw
    slow = {"cpu-rate": rate(path.planted_bps)}
    return Planted("CPU: bytes", {**path.options(path.planted_bps), **slow})


def _buffers(end: str, fixed: str, moving: str, overhead: int) -> Kind:
    """Return what plants an operating system's limit of socket buffers.

    Args:
        end: whose it is.
        fixed: option that limits buffers that are asked for.
        moving: option that limits those that move.
        overhead: bytes of a buffer that moves for each byte of its window.
    """

    def plant(path: Path, draw: random.Random) -> Planted | None:
        window = path.share * path.product_bytes / path.connections
        if window < 4 * _PACKET:
            return None
        options = path.options(path.planted_bps)
        limit = {f"{end}-{fixed}": size(window / (2 if end == "sender" else 1))}
        if draw.random() < 0.5 and window >= 65536:
            options |= {"buffers": "linux-receiver", "max-buffer": options["window"],
                        "window": "64KiB"}  # fmt: skip
            limit = {f"{end}-{moving}": size(overhead * window)}
        return Planted(f"{end} OS buffers", {**options, **limit})

    return plant


def _backlog(path: Path, draw: random.Random) -> Planted | None:
    delay = draw.uniform(0.2e-3, 1e-3)
    together = path.planted_bps * delay / 8 / _PACKET
    if together < 3 or path.round_trip_s < 10 * delay:
        return None
    held = {"receiver-interrupt-delay": time(delay), "receiver-backlog": f"{together:.0f}p"}
    return Planted("receiver backlog", {**path.options(path.planted_bps), **held})


def _module(end: str, module: str) -> Kind:
    """Return what plants a slow module of an end's CPU."""

    def plant(path: Path, draw: random.Random) -> Planted:
        options = path.options(path.planted_bps)
        cost = _COSTS[module](path.planted_bps, draw)
        slow = {f"{end}-{option}": value for option, value in cost.items()}
        if module in _STORAGE:
            storage = "source" if end == "sender" else "sink"
            slow |= {storage: _STORAGE[module], f"{storage}-rate": rate(4 * path.bandwidth_bps)}
        return Planted(f"{end} CPU: {module}", {**options, **slow})

    return plant


def _driver(bps: float, draw: random.Random) -> Options:
    """Return the driver of a CPU that carries so much: a packet and its ACK for each segment."""
    del draw
    return {"packet-cpu": time(_PACKET * 8 / bps / 2)}


def _tcp(bps: float, draw: random.Random) -> Options:
    segment, copied = {"segment-cpu": time(_PACKET * 8 / bps)}, {"copy-rate": rate(bps)}
    return draw.choice([segment, copied])


def _application(bps: float, draw: random.Random) -> Options:
    block = int(draw.choice([16, 64])) << 10
    return {"call-cpu": time(block * 8 / bps), "call-size": size(block)}


def _files(bps: float, draw: random.Random) -> Options:
    block, copied = {"file-cpu": time((64 << 10) * 8 / bps)}, {"file-rate": rate(bps)}
    return draw.choice([block, copied])


def _calls(bps: float, draw: random.Random) -> Options:
    del draw
    return {"rpc-cpu": time((32 << 10) * 8 / bps)}  # of an RPC as large as by default


_STORAGE = {"file system": "disk", "RPC": "nfs"}
"""What is stored on where a module is to have work."""

_COSTS: Mapping[str, Callable[[float, random.Random], Options]] = {
    "driver": _driver,
    "TCP": _tcp,
    "application": _application,
    "file system": _files,
    "RPC": _calls,
}
"""What a module costs that carries so much, by options of a host without its end."""


def _interface(end: str) -> Kind:
    def plant(path: Path, draw: random.Random) -> Planted:
        del draw
        slow = {f"{end}-nic": rate(path.planted_bps)}
        return Planted(f"{end} interface", {**path.options(path.planted_bps), **slow})

    return plant


def _access(path: Path, draw: random.Random) -> Planted:
    del draw
    slow = {"access-bandwidth": rate(path.planted_bps)}
    return Planted("access links", {**path.options(path.planted_bps), **slow})


def _jitter(path: Path, draw: random.Random) -> Planted:
    """Plant jitter with which packets overtake others: each varies by that of many packets."""
    options = path.options(path.planted_bps)
    packet_s = 8 * _PACKET / path.bandwidth_bps
    jitter = max(20 * packet_s, draw.uniform(0.1, 0.3) * path.round_trip_s)
    return Planted("jitter", {**options, "delay-jitter": time(jitter)})


def _reordering(path: Path, draw: random.Random) -> Planted:
    # Three packets in a row that overtake are three duplicate ACKs.
    share = {"reorder": f"{draw.uniform(0.3, 0.6):.4f}", "reorder-correlation": "0.5"}
    return Planted("reordering", {**path.options(path.planted_bps), **share})


def _reverse(path: Path, draw: random.Random) -> Planted:
    """Plant a reverse direction that carries the ACKs of a part of the forward one."""
    slow = path.planted_bps * _ACK_BYTES / _PACKET
    queue = f"{math.ceil(3 * max(path.product_bytes, 40 * _PACKET) / _PACKET)}p"
    line = {"reverse-bandwidth": rate(slow), "reverse-queue": queue}
    if draw.random() < 0.5:
        line["reverse-random-loss"] = "0.001"
    return Planted("reverse direction", {**path.options(path.planted_bps), **line})


def _traffic(path: Path, draw: random.Random) -> Planted:
    load = {"background": [{"load": f"{draw.uniform(0.6, 0.85):.3f}"}]}
    return Planted("other traffic", {**path.options(path.planted_bps), **load})


def _overhead(path: Path, draw: random.Random) -> Planted:
    del draw
    slow = {"host-overhead": time(2 * _PACKET * 8 / path.planted_bps)}
    return Planted("host overhead", {**path.options(path.planted_bps), **slow})


def _send_buffer(path: Path, draw: random.Random) -> Planted | None:
    held = path.share * path.product_bytes
    if held / path.connections < 4 * _PACKET:
        return None
    small = {"send-buffer": size(held / path.connections)}
    if draw.random() < 0.5:
        small = {"send-pool": size(held)}
    return Planted("send buffer", {**path.options(path.planted_bps), **small})


def _fault(path: Path, draw: random.Random) -> Planted:
    options = path.options(path.bandwidth_bps)
    login_s = 12 * path.round_trip_s
    down = {"kind": "link-down", "at": time(login_s + draw.uniform(0.02, 0.1)), "for": "20s"}
    return Planted("faults", {**options, "faults": [down]})


def _nothing(path: Path, draw: random.Random) -> Planted:
    file = size(draw.uniform(2_000, 60_000))
    options = path.options(path.bandwidth_bps)
    roomy = {"window": "1MiB", "queue": "1000p", "file-size": file, "chunk-size": file}
    return Planted(NOTHING, {**options, **roomy})


KINDS: Mapping[str, Kind] = {
    "network": _network,
    "window": _window,
    "loss": _loss,
    "source storage": _storage("source"),
    "sink storage": _storage("sink"),
    "CPU: bytes": _cpu,
    "access links": _access,
    "sender OS buffers": _buffers("sender", "wmem-max", "tcp-wmem-max", 1),
    "receiver OS buffers": _buffers("receiver", "rmem-max", "tcp-rmem-max", 2),
    "receiver backlog": _backlog,
    **{
        f"{end} CPU: {module}": _module(end, module)
        for module in _COSTS
        for end in ("sender", "receiver")
    },
    **{f"{end} interface": _interface(end) for end in ("sender", "receiver")},
    "jitter": _jitter,
    "reordering": _reordering,
    "reverse direction": _reverse,
    "other traffic": _traffic,
    "host overhead": _overhead,
    "send buffer": _send_buffer,
    "faults": _fault,
    NOTHING: _nothing,
}
"""What can be planted, by name."""


def _drawn(draw: random.Random) -> Path:
    """Return a path of 50 Mbit/s to 1 Gbit/s and 5 to 80 ms."""
    return Path(
        round(10 ** draw.uniform(7.7, 9)),
        round(10 ** draw.uniform(-2.3, -1.1), 6),
        draw.choice([1, 2, 4, 8]),
        draw.uniform(0.12, 0.75),
    )


def _decoys(path: Path, draw: random.Random) -> dict[str, str]:
    """Return what looks like a limit, and is fast enough."""
    fast = {f"{end}-rate": rate(draw.uniform(2, 4) * path.bandwidth_bps) for end in _ENDS}
    kinds = {end: draw.choice(["memory", "disk"]) for end in _ENDS}
    cpu = {"cpu-rate": rate(draw.uniform(4, 8) * path.bandwidth_bps)}
    host = draw.choice([{}, *(_fast_host(path, draw, end) for end in ("sender", "receiver"))])
    return {**kinds, **fast, **draw.choice([{}, cpu]), **host}


def _fast_host(path: Path, draw: random.Random, end: str) -> dict[str, str]:
    """Return a host whose every module costs something, and buffers that hold enough."""
    costs = {
        option: value
        for cost in _COSTS.values()
        for option, value in cost(draw.uniform(12, 24) * path.bandwidth_bps, draw).items()
    }
    # Of a buffer that is asked for half is overhead, so that it has the window of Path.options().
    roomy = size(2 * path.window_bytes)
    side = "wmem" if end == "sender" else "rmem"
    system = {"backlog": "10000p", f"{side}-max": roomy, f"tcp-{side}-max": roomy}
    return {f"{end}-{option}": value for option, value in {**costs, **system}.items()}


def plant(count: int, seed: int = 1) -> list[Planted]:
    """Return so many transfers, all kinds in turn."""
    draw = random.Random(seed)
    return [_plant(kind, draw) for kind in itertools.islice(itertools.cycle(KINDS), count)]


def _plant(kind: str, draw: random.Random) -> Planted:
    planted = None
    while planted is None:
        path = _drawn(draw)
        planted = KINDS[kind](path, draw)
    decoys = {} if kind == NOTHING else _decoys(path, draw)
    if "max-buffer" in planted.line:  # which the operating system's would take the place of
        decoys.pop("receiver-tcp-rmem-max", None)
    return Planted(planted.limit, {**decoys, **planted.line})


# ---- What was found -------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """How often the profiler found what was planted.

    Attributes:
        planted: the transfers.
        findings: what was found of each.
    """

    planted: Sequence[Planted]
    findings: Sequence[Finding | None]

    def named(self) -> list[str]:
        """Return what was named of each."""
        return ["failed" if one is None else one.name for one in self.findings]

    def right(self) -> int:
        """Return how often that is what was planted."""
        pairs = zip(self.planted, self.named(), strict=True)
        return sum(one.limit == name for one, name in pairs)

    def unhelpful(self) -> list[Planted]:
        """Return the transfers whose rate the advice does not raise, where a limit was found."""
        return [
            one
            for one, finding in zip(self.planted, self.findings, strict=True)
            if finding is not None
            and finding.limits
            and (finding.advised is None or finding.advised.gain <= 0)
        ]

    def confusion(self) -> str:
        """Return a table: a row for each thing planted, a column for each that was named."""
        counts = Counter(zip((one.limit for one in self.planted), self.named(), strict=True))
        rows = list(dict.fromkeys(one.limit for one in self.planted))
        others = [name for name in dict.fromkeys(self.named()) if name not in rows]
        return "\n".join(_confusion_lines(counts, rows, [*rows, *others]))


def _confusion_lines(
    counts: Mapping[tuple[str, str], int], rows: Sequence[str], columns: Sequence[str]
) -> Iterable[str]:
    width = max(map(len, [*rows, "planted"]))
    heads = [f"{number}" for number in range(1, len(columns) + 1)]
    yield f"{'planted':{width}}  named " + " ".join(f"{head:>3}" for head in heads)
    for row in rows:
        cells = (counts.get((row, column), 0) or "." for column in columns)
        place = columns.index(row) + 1
        yield f"{row:{width}}  {place:>5} " + " ".join(f"{cell:>3}" for cell in cells)
    for number, column in enumerate(columns[len(rows) :], len(rows) + 1):
        yield f"{number} is {column}"
