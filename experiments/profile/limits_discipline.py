"""Limits that a queue discipline sets which drops packets before its queue is full."""

from __future__ import annotations

import math
from collections.abc import Callable

from .case import Case
from .changes import more_connections
from .limit import Limit, Options


def _drops(case: Case) -> bool:
    """Return whether the queue drops packets."""
    return case.link["drops"] > 0


def _lift_discipline(name: str) -> Callable[[Case], list[Options]]:
    """Return how a queue discipline is lifted: the queue drops what does not fit."""

    def lift(case: Case) -> list[Options]:
        has_it = case.scenario.get("queue_discipline", "drop-tail") == name
        return [{"queue-discipline": "drop-tail"}] if has_it else []

    return lift


def _show_delay_target(name: str, key: str) -> Callable[[Case], str]:
    """Return the evidence of a discipline that keeps the time that packets wait near a target."""

    def show(case: Case) -> str:
        link, scenario = case.link, case.scenario
        return (
            f"{name} drops {link['drops']} packets to keep the queueing delay near "
            f"{scenario[key] * 1e3:.3g} ms (RTT {case.round_trip_s * 1e3:.3g} ms); the longest "
            f"queue has {link['max_queue_packets']} packets of {scenario['queue_packets']}"
        )

    return show


def _advise_delay_target(
    option: str, key: str, *interval: tuple[str, str]
) -> Callable[[Case, float], list[Options]]:
    """Return the advice for such a discipline.

    More connections need shorter queues, marks in place of drops cost no retransmission, and the
    interval of CoDel is to be a round trip.

    Args:
        option: for the target.
        key: of its value in a scenario.
        interval: the option for the interval, and the key of its value.
    """

    def advise(case: Case, free_bps: float) -> list[Options]:
        del free_bps
        trip = case.round_trip_s
        target = max(2 * case.scenario[key], trip / 4)
        longer = {
            name: f"{trip * 1.5e3:.3g}ms" for name, of in interval if case.scenario[of] < trip
        }
        marks = [] if case.scenario.get("ecn") else [{"ecn": "on"}]
        return [
            *marks,
            *([longer] if longer else []),
            {**longer, option: f"{target * 1e3:.3g}ms"},
            *more_connections(case, 2, 4),
            {"queue-discipline": "drop-tail"},
        ]

    return advise


def _show_red(case: Case) -> str:
    link, scenario = case.link, case.scenario
    return (
        f"RED drops {link['drops']} packets; it starts at an average queue of "
        f"{scenario['red_min_threshold_packets']:.3g} packets, and the queue holds "
        f"{scenario['queue_packets']}; the longest queue has {link['max_queue_packets']}"
    )


def _advise_red(case: Case, free_bps: float) -> list[Options]:
    """Return thresholds for the path, the larger one three times the other, and no RED."""
    del free_bps
    queue = case.scenario["queue_packets"]
    product = math.ceil(case.product_bytes / case.scenario["packet_size_bytes"])
    most = max(min(queue, 2 * product), 6)
    return [
        {"red-min-threshold": f"{most // 3}p", "red-max-threshold": f"{most}p"},
        {"queue-discipline": "drop-tail"},
    ]


DISCIPLINE_LIMITS: tuple[Limit, ...] = (
    Limit(
        "RED", "Z", "loss", _lift_discipline("red"), _show_red, _advise_red,
        is_met=_drops, parts=("tcp",),
    ),
    Limit(
        "CoDel", "Zc", "loss", _lift_discipline("codel"),
        _show_delay_target("CoDel", "codel_target_s"),
        _advise_delay_target(
            "codel-target", "codel_target_s", ("codel-interval", "codel_interval_s")
        ),
        is_met=_drops, parts=("tcp",),
    ),
    Limit(
        "FQ-CoDel", "Zf", "loss", _lift_discipline("fq-codel"),
        _show_delay_target("FQ-CoDel", "codel_target_s"),
        _advise_delay_target(
            "codel-target", "codel_target_s", ("codel-interval", "codel_interval_s")
        ),
        is_met=_drops, parts=("tcp",),
    ),
    Limit(
        "PIE", "Zp", "loss", _lift_discipline("pie"),
        _show_delay_target("PIE", "pie_target_s"),
        _advise_delay_target("pie-target", "pie_target_s"),
        is_met=_drops, parts=("tcp",),
    ),
)  # fmt: skip
"""Limits of queue disciplines, in the order of `LIMITS`."""
