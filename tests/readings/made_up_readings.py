"""Files of sadf, perf, iperf3 and ss as they would be on a host whose costs are known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

START_S = 1_768_482_000
"""2026-01-15 13:00:00 UTC."""

SECONDS = 8
"""How long iperf3 ran; sar began a second before it and ended two seconds after."""

COSTS_NS = {
    "packet-cpu": 400.0,
    "interrupt-cpu": 1500.0,
    "segment-cpu": 700.0,
    "copy-rate": 0.25,
    "ack-cpu": 300.0,
    "stream-cpu": 150.0,
    "call-cpu": 9000.0,
    "rpc-cpu": 25000.0,
}
"""CPU time for one, ns; of a byte in place of a rate."""

ROWS = {
    "driver": ("ksoftirqd/0", "[tg3]", "tg3_poll_work"),
    "tcp": ("iperf3", "[kernel.kallsyms]", "tcp_sendmsg_locked"),
    "application": ("iperf3", "iperf3", "iperf_send"),
    "rpc": ("kworker/u4:1", "[sunrpc]", "rpc_execute"),
    "other": ("cc1plus", "cc1plus", "push_to_top_level"),
}
"""A function of each module."""

MODULES = {
    "packet-cpu": "driver",
    "interrupt-cpu": "driver",
    "segment-cpu": "tcp",
    "copy-rate": "tcp",
    "ack-cpu": "tcp",
    "stream-cpu": "tcp",
    "call-cpu": "application",
    "rpc-cpu": "rpc",
}


@dataclass(frozen=True)
class MadeUp:
    """What went on at the sender, per second while iperf3 ran."""

    payload: float = 60e6
    mss: int = 1448
    acks_per_segment: float = 0.5
    per_interrupt: float = 10.0
    call_bytes: int = 131072
    streams: int = 1
    rpcs: float = 0.0
    other: float = 0.05
    cores: int = 4

    @property
    def segments(self) -> float:
        """Packets with data."""
        return self.payload / self.mss

    def amounts(self) -> dict[str, float]:
        """Return how often each cost comes up."""
        packets = self.segments * (1 + self.acks_per_segment)
        return {
            "packet-cpu": packets,
            "interrupt-cpu": packets / self.per_interrupt,
            "segment-cpu": self.segments,
            "copy-rate": self.payload,
            "ack-cpu": self.segments * self.acks_per_segment,
            "stream-cpu": packets * (1 - 1 / self.streams),
            "call-cpu": self.payload / self.call_bytes,
            "rpc-cpu": self.rpcs,
        }

    def cpu(self) -> dict[str, float]:
        """Return CPU seconds per second by module."""
        sums = {"other": self.other}
        for name, amount in self.amounts().items():
            module = MODULES[name]
            sums[module] = sums.get(module, 0.0) + amount * COSTS_NS[name] * 1e-9
        return sums


def sadf(one: MadeUp, host: str = "sender.example") -> dict[str, Any]:
    """Return what sadf -j prints of it, with an end on which other programs alone are."""
    quiet = MadeUp(payload=0.0, other=one.other, cores=one.cores)
    samples = [_sample(0, quiet)]
    samples += [_sample(second, one) for second in range(1, 1 + SECONDS)]
    samples += [_sample(second, quiet) for second in (1 + SECONDS, 2 + SECONDS)]
    header = {"nodename": host, "number-of-cpus": one.cores, "timezone": "UTC"}
    return {"sysstat": {"hosts": [{**header, "statistics": samples}]}}


def _sample(second: int, one: MadeUp) -> dict[str, Any]:
    amounts, busy = one.amounts(), sum(one.cpu().values()) / one.cores
    load = {"nice": 0, "sys": 100 * busy, "iowait": 0, "steal": 0, "irq": 0, "soft": 0}
    out, back = one.segments, one.segments * one.acks_per_segment
    time = f"13:{second // 60:02}:{second % 60:02}"
    return {
        "timestamp": {"date": "2026-01-15", "time": time, "utc": 1, "interval": 1},
        "cpu-load": [
            {"cpu": str(core), "usr": 0, **load, "idle": 100 - 100 * busy}
            for core in range(one.cores)
        ],
        "interrupts": [
            {"intr": "sum", "all": amounts["interrupt-cpu"] + 4000},
            {"intr": "24", "all": amounts["interrupt-cpu"]},
        ],
        "network": {
            "net-dev": [
                {"iface": "lo", "rxpck": 3, "txpck": 3, "rxkB": 1, "txkB": 1},
                {
                    "iface": "eth0",
                    "rxpck": back,
                    "txpck": out,
                    "rxkB": back * 66 / 1024,
                    "txkB": out * (one.mss + 66) / 1024,
                },
            ],
            "net-nfs": {"call": one.rpcs},
        },
    }


def perf(one: MadeUp) -> str:
    """Return what perf report --stdio prints of it, from a second before to a second after it."""
    cpu = one.cpu()
    cpu["other"] *= (SECONDS + 2) / SECONDS
    total = sum(cpu.values())
    rows = [
        f"{100 * cpu.get(module, 0.0) / total:9.5f}%  {command:12}  {where:17}  [k] {symbol}"
        for module, (command, where, symbol) in ROWS.items()
    ]
    head = [
        "# Samples: 40K of event 'cycles'",
        "#",
        "# Overhead  Command       Shared Object      Symbol",
        f"# {'.' * 8}  {'.' * 12}  {'.' * 17}  {'.' * 20}",
        "#",
    ]
    return "\n".join([*head, *rows, ""])


def iperf3(one: MadeUp) -> dict[str, Any]:
    """Return what iperf3 -J prints of it as a client."""
    total = {"seconds": SECONDS, "bytes": round(one.payload * SECONDS)}
    test = {"protocol": "TCP", "num_streams": one.streams, "blksize": one.call_bytes, "reverse": 0}
    start = {
        "version": "iperf 3.12",
        "timestamp": {"timesecs": START_S},
        "connecting_to": {"host": "192.0.2.2"},
        "tcp_mss_default": one.mss,
        "test_start": test,
    }
    return {"start": start, "end": {"sum_sent": total, "sum_received": total}}


def write(folder: Path, name: str, one: MadeUp, host: str = "sender.example") -> list[Path]:
    """Write the files of a run and return them: sadf's, perf's and iperf3's."""
    texts: Mapping[str, str] = {
        "sadf.json": json.dumps(sadf(one, host), indent=1),
        "perf.txt": perf(one),
        "iperf3.json": json.dumps(iperf3(one), indent=1),
    }
    for suffix, text in texts.items():
        (folder / f"{name}.{suffix}").write_text(text, encoding="utf-8")
    return [folder / f"{name}.{suffix}" for suffix in texts]


DIFFERENT = {
    "plain": MadeUp(),
    "jumbo": MadeUp(payload=110e6, mss=8948, per_interrupt=4),
    "small": MadeUp(payload=30e6, mss=536, acks_per_segment=0.4, per_interrupt=30),
    "calls": MadeUp(payload=50e6, call_bytes=8192, per_interrupt=16),
    "streams": MadeUp(payload=55e6, streams=8, acks_per_segment=0.9),
    "two": MadeUp(payload=70e6, streams=2, acks_per_segment=0.1, rpcs=900),
    "many": MadeUp(payload=20e6, streams=16, mss=1200, call_bytes=65536, rpcs=300),
}
"""Runs that differ in all that tells costs apart."""
