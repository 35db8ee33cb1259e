"""Results of schema 1, which stores and files of before keep: made into ones of schema 2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_OF_TCP = ("segments", "retransmissions", "timeouts")


def converted(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result of schema 1 as one of schema 2; every number stays what it is.

    Raises:
        KeyError, IndexError, TypeError: it is not complete.
    """
    scenario = data["scenario"]
    sessions = zip(data["sessions"], scenario["sessions"], strict=True)
    background = zip(data["background"], scenario["background"], strict=True)
    kept = ("status", "reason", "scenario", "engine", "provenance")
    return {
        "schema": 2,
        **{key: data[key] for key in kept},
        "sessions": [_session(one, declared, data["reason"]) for one, declared in sessions],
        "background": [_background(one, declared, data["reason"]) for one, declared in background],
        "links": [{"name": "bottleneck", **data["bottleneck"]}],
        "cost": data["cost"],
    }


def _session(
    session: Mapping[str, Any], declared: Mapping[str, Any], reason: str | None
) -> dict[str, Any]:
    """Return a session; schema 1 says of the run alone why it failed."""
    chunks, summary = session["chunks"], session["summary"]
    moved = sum(chunk["bytes"] for chunk in chunks)
    done = reason is None or moved == declared["file_size_bytes"]
    return {
        "tool": "gridftp",
        "bytes": moved,
        "start_s": chunks[0]["start_s"] if chunks else None,
        "duration_s": summary["duration_s"],
        "goodput_bps": summary["goodput_bps"],
        "status": "done" if done else "failed",
        "reason": None if done else reason,
        "gridftp": {
            "chunks": chunks,
            "final_parallelism": summary["final_parallelism"],
            "settled_at_s": summary["settled_at_s"],
        },
        "tcp": _tcp(summary, declared),
    }


def _background(
    flow: Mapping[str, Any], declared: Mapping[str, Any], reason: str | None
) -> dict[str, Any]:
    failed = reason is not None and reason.startswith("background ")
    return {
        **{key: flow[key] for key in ("bytes", "start_s", "end_s", "goodput_bps")},
        "status": "failed" if failed else "done",
        "reason": reason if failed else None,
        "tcp": _tcp(flow, declared),
    }


def _tcp(counted: Mapping[str, Any], declared: Mapping[str, Any]) -> dict[str, Any]:
    counts = {key: counted[key] for key in _OF_TCP}
    return {**counts, "window_bytes": declared["window_bytes"]}
