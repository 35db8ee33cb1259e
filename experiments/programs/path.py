"""What a scenario says of its path, which no program prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def round_trip_s(scenario: Mapping[str, Any]) -> float:
    """Return the round-trip time of the data's path, with empty queues: of both directions.

    Args:
        scenario: resolved, in SI numbers.
    """
    reverse_s = scenario.get("reverse_delay_s", scenario["delay_s"])  # older results lack it
    return scenario["delay_s"] + reverse_s + 4 * scenario["access_delay_s"]
