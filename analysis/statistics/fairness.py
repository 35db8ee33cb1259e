"""Measures of sharing: Jain's index, harm, and the period in which sessions are comparable.

A session that has ended leaves its share to the others, so goodputs of whole sessions say little:
whoever is slow catches up alone. What is compared is the goodput in the common period, from when
the last session has begun until the first one has ended. Chunks tell it: the part of a chunk that
falls into the period carries its part of the bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Chunks = Sequence[Mapping[str, Any]]
"""The chunks of a session, with ``start_s``, ``end_s`` and ``bytes``, in their order."""


def jain(shares: Sequence[float]) -> float:
    """Return Jain's index, (sum of x)^2 / (n sum of x^2): 1 if all are equal, 1/n if one has all.

    Raises:
        ValueError: there is nothing to share.
    """
    squares = sum(share * share for share in shares)
    if not squares:
        raise ValueError("nothing is shared: no goodput is above 0")
    return sum(shares) ** 2 / (len(shares) * squares)


def harm(alone: float, beside: float) -> float:
    """Return which share of its goodput a connection loses beside another one.

    Args:
        alone: its goodput on the path that it has to itself.
        beside: its goodput beside the other, in the same unit.

    Raises:
        ValueError: it has no goodput alone.
    """
    if not alone > 0:
        raise ValueError(f"goodput alone is {alone}, not above 0")
    return (alone - beside) / alone


def common_period(sessions: Sequence[Chunks]) -> tuple[float, float] | None:
    """Return from when to when all sessions move chunks, in seconds; None if they never do."""
    start = max(chunks[0]["start_s"] for chunks in sessions)
    end = min(chunks[-1]["end_s"] for chunks in sessions)
    return (start, end) if start < end else None


def goodput_within(chunks: Chunks, start: float, end: float) -> float:
    """Return a session's goodput from one time to another, in bits per second."""
    carried = 0.0
    for chunk in chunks:
        inside = min(end, chunk["end_s"]) - max(start, chunk["start_s"])
        if inside > 0:
            carried += chunk["bytes"] * inside / (chunk["end_s"] - chunk["start_s"])
    return 8 * carried / (end - start)
