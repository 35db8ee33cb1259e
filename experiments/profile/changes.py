"""Changes that a user could make against several limits."""

from __future__ import annotations

import math

from ..programs.amounts import size
from .case import Case
from .limit import Options

_MOST_CONNECTIONS = 1024


def more_connections(case: Case, *factors: float) -> list[Options]:
    """Return the options for so many times the connections, none where a tuner decides."""
    if case.has_chunks and case.scenario["mode"] != "fixed":
        return []
    option = "parallelism" if case.has_chunks else "tool-streams"
    have = case.scenario.get(option.replace("-", "_"))
    if have is None:
        return []  # of a tool with a single connection
    wanted = [min(math.ceil(have * factor), _MOST_CONNECTIONS) for factor in factors]
    return [{option: str(count)} for count in dict.fromkeys(wanted) if count > have]


def smaller_windows(case: Case) -> list[Options]:
    """Return windows with which the connections fill the path, and half the queue or none of it."""
    option = "window" if not case.is_tuned or case.is_today else "max-buffer"
    totals = (case.product_bytes + case.queue_bytes / 2, case.product_bytes)
    fitting = [math.ceil(total / case.connections) for total in totals]
    least = case.scenario["packet_size_bytes"] if option == "window" else (
        case.scenario["window_bytes"]
    )  # fmt: skip
    asked = {"buffers": "fixed"} if case.is_tuned and case.is_today else {}
    return [{**asked, option: size(one)} for one in fitting if least <= one < case.window_bytes]


def other_controls(case: Case) -> list[Options]:
    """Return congestion controls that come back faster after a loss."""
    names = ("cubic", "bbr") if case.is_today else ("cubic", "highspeed")
    return [{"tcp": name} for name in names if name != case.scenario["tcp"]]
