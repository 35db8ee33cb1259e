"""What a scenario says of its path, which no program prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def round_trip_s(scenario: Mapping[str, Any]) -> float:
    """Return the round-trip time of the data's path, with empty queues.

    Args:
        scenario: resolved, in SI numbers.
    """
    return 2 * (scenario["delay_s"] + 2 * scenario["access_delay_s"])
