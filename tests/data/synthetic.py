"""Results made up for tests: any chunk sequence in the shape a simulation program prints."""

from __future__ import annotations

from typing import Any

PAPER_SCENARIO: dict[str, Any] = {
    "bandwidth_bps": 100e6,
    "delay_s": 0.01,
    "queue_packets": 100,
    "window_bytes": 65536,
    "packet_size_bytes": 1500,
    "file_size_bytes": 10_000_000_000,
    "chunk_size_bytes": 100_000_000,
    "eta": 0.8,
    "gamma": 2.0,
    "alpha": 1.0,
    "beta": 0.5,
    "mode": "mi",
    "parallelism": 1,
    "initial_parallelism": 1,
    "max_parallelism": 1024,
    "rtt_samples": 10,
    "seed": 1,
    "run": 1,
    "engine": "ns3",
}


def make(
    mode: str,
    chunks: list[tuple[int, float, int]],
    gap_s: float = 0.06,
    begin_s: float = 0.3,
    **scenario: Any,
) -> dict[str, Any]:
    """Return a result whose chunks are the given (N, goodput in Mbit/s, next N).

    All chunks have the scenario's chunk size but the last, which has what is left. ``gap_s`` lies
    between chunks; ``begin_s`` is the simulated time at which the first one starts.
    """
    resolved = {**PAPER_SCENARIO, "mode": mode, **scenario}
    size, chunk_size = resolved["file_size_bytes"], resolved["chunk_size_bytes"]
    resolved["sessions"] = [dict(resolved)]
    resolved["background"] = []
    rows = []
    now = begin_s
    for index, (parallelism, mbps, following) in enumerate(chunks):
        left = size - index * chunk_size
        count = left if index == len(chunks) - 1 else chunk_size
        end = now + count * 8 / (mbps * 1e6)
        rows.append(
            {
                "index": index,
                "start_s": now,
                "end_s": end,
                "bytes": count,
                "parallelism": parallelism,
                "next_parallelism": following,
                "goodput_bps": mbps * 1e6,
                "rtt_s": 0.0201,
                "window_bytes": resolved["window_bytes"],
                "valid": True,
            }
        )
        now = end + gap_s
    duration = rows[-1]["end_s"] - rows[0]["start_s"]
    session = {
        "tool": "gridftp",
        "bytes": size,
        "start_s": rows[0]["start_s"],
        "duration_s": duration,
        "goodput_bps": size * 8 / duration,
        "status": "done",
        "reason": None,
        "gridftp": {
            "chunks": rows,
            "final_parallelism": rows[-1]["parallelism"],
            "settled_at_s": None,
        },
        "tcp": {
            "segments": -(-size // 1460),
            "retransmissions": 0,
            "timeouts": 0,
            "window_bytes": resolved["window_bytes"],
        },
    }
    return {
        "schema": 2,
        "status": "done",
        "reason": None,
        "scenario": resolved,
        "engine": resolved["engine"],
        "provenance": {
            "version": "0",
            "commit": "0",
            "ns3_version": "0",
            "build_profile": "made up",
            "compiler": "made up",
            "command": "made up",
        },
        "sessions": [session],
        "background": [],
        "links": [
            {
                "name": "bottleneck",
                "utilisation": 0.9,
                "drops": 0,
                "mean_queue_packets": 1.0,
                "max_queue_packets": 2,
            }
        ],
        "cost": {"wall_s": 1.0, "events": 1, "peak_rss_bytes": 1},
    }


def path(levels: list[int], goodput: dict[int, float], count: int) -> list[tuple[int, float, int]]:
    """Return ``count`` chunks with the given parallelisms, the last of which repeats for ever."""
    used = [levels[min(i, len(levels) - 1)] for i in range(count + 1)]
    return [(used[i], goodput[used[i]], used[i + 1]) for i in range(count)]
