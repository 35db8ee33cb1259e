"""Files of sadf and iperf3 as they would be of runs over the loopback of a host of known costs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from made_up_readings import START_S

SECONDS = 5
"""How long iperf3 ran; sar began two seconds before it and ended a second after."""

PACKET_NS, BYTE_NS, CALL_NS = 4000.0, 0.1, 2000.0
"""CPU time of the sender for a packet, either way, a byte and a call."""

RECEIVER = 0.5
"""CPU time of the receiver, of that of the sender."""


@dataclass(frozen=True)
class Loop:
    """What went on per second; no packet is larger than 65,470 bytes of data."""

    payload: float
    size: int
    per_ack: int
    call_bytes: int
    streams: int = 1
    target_bps: int = 0

    @property
    def packets(self) -> float:
        """Data and ACKs."""
        return self.payload / self.size * (1 + 1 / self.per_ack)

    @property
    def busy(self) -> float:
        """Share of a core that the sender takes."""
        calls = self.payload / self.call_bytes
        return 1e-9 * (self.packets * PACKET_NS + self.payload * BYTE_NS + calls * CALL_NS)


def full(size: int, per_ack: int, call_bytes: int, streams: int = 1) -> Loop:
    """Return a run that fills the core of the sender."""
    one = Loop(1.0, size, per_ack, call_bytes, streams)
    return Loop(1 / one.busy, size, per_ack, call_bytes, streams)


RUNS = {
    "large": full(65000, 3, 131072),
    "calls": full(64000, 2, 8192),
    "small": full(50000, 2, 65536),
    "streams": full(60000, 4, 131072, streams=4),
    "slow": Loop(125e6, 30000, 2, 32768, target_bps=1_000_000_000),
    "twice": full(52000, 1, 16384),
}
"""Runs that differ in all that tells costs apart."""


def sadf(one: Loop) -> dict[str, Any]:
    """Return what sadf -j prints of it: other programs have half of one of two cores."""
    quiet = {"rxpck": 0, "txpck": 0, "rxkB": 0, "txkB": 0}
    kb = (one.payload + one.packets * 66) / 1024
    busy = {"rxpck": one.packets, "txpck": one.packets, "rxkB": kb, "txkB": kb}
    samples = [
        {
            "timestamp": {
                "date": "2026-01-15", "time": f"12:59:{second}" if second > 9 else
                f"13:00:{second:02}", "utc": 1, "interval": 1,
            },
            "cpu-load": [
                {"cpu": str(core), "usr": 50, "nice": 0, "sys": 0, "iowait": 0, "steal": 0,
                 "irq": 0, "soft": 0, "idle": 50}
                for core in range(2)
            ],
            "network": {
                "net-dev": [
                    {"iface": "lo", **(busy if 1 <= second <= SECONDS else quiet)},
                    {"iface": "eth0", "rxpck": 5, "txpck": 5, "rxkB": 1, "txkB": 1},
                ],
            },
        }
        for second in (59, 0, *range(1, SECONDS + 2))
    ]  # fmt: skip
    header = {"nodename": "host.example", "number-of-cpus": 2, "timezone": "UTC"}
    return {"sysstat": {"hosts": [{**header, "statistics": samples}]}}


def iperf3(one: Loop, name: str) -> dict[str, Any]:
    """Return what iperf3 -J prints of it as a client."""
    total = {"seconds": SECONDS, "bytes": round(one.payload * SECONDS)}
    test = {
        "protocol": "TCP", "num_streams": one.streams, "blksize": one.call_bytes, "reverse": 0,
        "target_bitrate": one.target_bps // one.streams,
    }  # fmt: skip
    start = {
        "connected": [{"local_host": "127.0.0.1", "remote_host": "127.0.0.1"}] * one.streams,
        "version": "iperf 3.12",
        "timestamp": {"timesecs": START_S},
        "connecting_to": {"host": "127.0.0.1"},
        "cookie": name,
        "tcp_mss_default": 32768,
        "test_start": test,
    }
    cpu = {"host_total": 100 * one.busy, "remote_total": 100 * RECEIVER * one.busy}
    end = {
        "streams": [{"sender": {"min_rtt": 80}, "receiver": {}}] * one.streams,
        "sum_sent": total,
        "sum_received": total,
        "cpu_utilization_percent": cpu,
    }
    return {"start": start, "end": end}


def write(folder: Path, runs: dict[str, Loop]) -> list[Path]:
    """Write the files of runs and return them."""
    files = []
    for name, one in runs.items():
        for tool, made in (("sadf", sadf(one)), ("iperf3", iperf3(one, name))):
            files.append(folder / f"{name}.{tool}.json")
            files[-1].write_text(json.dumps(made, indent=1), encoding="utf-8")
    return files
