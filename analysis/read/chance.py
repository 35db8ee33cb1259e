"""Whether anything in a scenario is random."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CHANCE = frozenset(
    {
        "start_jitter_s",
        "random_loss",
        "reverse_random_loss",
        "loss",
        "load",
        "delay_jitter_s",
        "reorder",
        "host_overhead_s",
    }
)
"""Keys that draw at random where they are above 0, wherever in a scenario they are."""


def has_chance(scenario: Mapping[str, Any]) -> bool:
    """Return whether anything of a scenario is drawn while it is simulated, as far as is known."""
    return (
        _draws(scenario)
        or scenario.get("tool") == "udt"  # decreases at random
        or scenario.get("mode") == "external"  # may do what it likes
        or scenario.get("queue_discipline") in ("red", "pie")  # drop at random
        or scenario.get("file_sizes", "fixed") != "fixed"
    )


def _draws(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(
            (key in _CHANCE and isinstance(one, int | float) and one > 0)
            or (key == "tool" and one == "udt")
            or _draws(one)
            for key, one in value.items()
        )
    return any(map(_draws, value)) if isinstance(value, list) else False
