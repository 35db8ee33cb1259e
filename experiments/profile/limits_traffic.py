"""Limits that the reverse direction, other traffic and faults set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..programs.amounts import percent, rate, said_rate, two_digits
from .case import Case
from .changes import more_connections
from .limit import HEADROOM, Limit, Options

_IP_AND_TCP = 40
"""Bytes of the headers of IPv4 and TCP: an ACK is nothing else."""

_SHORT_QUEUE = 10
"""Packets of a queue that drops ACKs before they wait long; later ACKs acknowledge the same."""


# ---- The direction of the ACKs --------------------------------------------------------------


def _direction(case: Case) -> str:
    """Return the direction of the data over the bottleneck, upload or download.

    A third-party transfer crosses it as an upload does.
    """
    return "download" if case.scenario["direction"] == "download" else "upload"


def _others(case: Case, is_forward: bool) -> list[Mapping[str, Any]]:
    """Return the background connections in the direction of the data, or in the other one."""
    same = [
        (one["direction"] == _direction(case)) == is_forward
        for one in case.scenario.get("background", [])
    ]
    return [
        one for one, is_one in zip(case.scenario.get("background", []), same, strict=True) if is_one
    ]


def _counted(others: Sequence[Mapping[str, Any]]) -> str:
    return f"{len(others)} background connection" + ("s" if len(others) > 1 else "")


def _wider(case: Case) -> Options:
    """Return a reverse direction as fast as the forward one and without random loss."""
    scenario = case.scenario
    options = {}
    if scenario.get("reverse_bandwidth_bps", scenario["bandwidth_bps"]) < scenario["bandwidth_bps"]:
        options["reverse-bandwidth"] = rate(scenario["bandwidth_bps"])
    if scenario.get("reverse_random_loss", 0):
        options["reverse-random-loss"] = "0"
    return options


def _lift_reverse(case: Case) -> list[Options]:
    wider = _wider(case)
    empty = {"background": _others(case, True)} if _others(case, False) else {}
    ways = [wider, {**wider, **empty}]
    return [way for number, way in enumerate(ways) if way and way not in ways[:number]]


def _show_reverse(case: Case) -> str:
    scenario = case.scenario
    shown = []
    if _wider(case):
        reverse_bps, size = scenario["reverse_bandwidth_bps"], scenario["packet_size_bytes"]
        acks = reverse_bps / (_IP_AND_TCP + scenario["link_header_bytes"]) / 8
        data_bps = acks * scenario["delayed_ack_segments"] * (size - _IP_AND_TCP) * 8
        shown.append(
            f"the reverse direction of {said_rate(reverse_bps)} carries the ACKs of "
            f"{said_rate(data_bps)} if it drops none"
        )
    if others := _others(case, False):
        shown.append(f"the ACKs share the reverse direction with the data of {_counted(others)}")
    if len(case.result["links"]) > 1:
        link = case.result["links"][1]
        shown.append(
            f"it is busy {percent(link['utilisation'])} of the time, its mean queue is "
            f"{link['mean_queue_packets']:.3g} packets, and it drops {link['drops']}"
        )
    return "; ".join(shown)


def _advise_reverse(case: Case, free_bps: float) -> list[Options]:
    """Return fewer ACKs, ACKs that wait less, both, and a faster reverse direction."""
    scenario = case.scenario
    fewer = {"delayed-ack": "2"} if scenario["delayed_ack_segments"] == 1 else {}
    long = scenario["reverse_queue_packets"] > _SHORT_QUEUE
    short = {"reverse-queue": f"{_SHORT_QUEUE}p"} if long else {}
    early = {"reverse-queue-discipline": "red"}
    share = free_bps / case.goodput_bps * HEADROOM * scenario["reverse_bandwidth_bps"]
    faster = {"reverse-bandwidth": rate(two_digits(share))}
    ways = [fewer, early, short, {**fewer, **early}, {**fewer, **short}, faster]
    return [way for way in ways if way]


# ---- Other traffic --------------------------------------------------------------------------


def _lift_traffic(case: Case) -> list[Options]:
    return [{"background": _others(case, False)}] if _others(case, True) else []


def _show_traffic(case: Case) -> str:
    shared = case.result.get("background", [])
    pairs = zip(case.scenario["background"], shared, strict=True)
    carried = sum(
        one["goodput_bps"] or 0 for spec, one in pairs if spec["direction"] == _direction(case)
    )
    return (
        f"{_counted(_others(case, True))} in the same direction carry {said_rate(carried)} and the "
        f"transfer {said_rate(case.goodput_bps)}; the link of "
        f"{said_rate(case.scenario['bandwidth_bps'])} is busy "
        f"{percent(case.link['utilisation'])} of the time"
    )


def _advise_traffic(case: Case, free_bps: float) -> list[Options]:
    """Return more connections, which take a larger share, and a faster link."""
    faster = case.scenario["bandwidth_bps"] * min(free_bps / case.goodput_bps, 2)
    return [*more_connections(case, 2, 4, 8), {"bandwidth": rate(two_digits(faster))}]


# ---- Faults ---------------------------------------------------------------------------------


def _lift_faults(case: Case) -> list[Options]:
    return [{"faults": []}] if case.scenario.get("faults") else []


def _show_faults(case: Case) -> str:
    shown = (
        f"{fault['kind']} at {fault['at_s']:.3g} s"
        + (f" for {fault['for_s']:.3g} s" if fault["for_s"] else "")
        for fault in case.scenario["faults"]
    )
    attempts = 1 + len(case.session.get("restarts") or [])
    return f"{', '.join(shown)}; the transfer takes {case.duration_s:.3g} s; attempts: {attempts}"


def _advise_faults(case: Case, free_bps: float) -> list[Options]:
    """Return limits of waits and new attempts with which a fault is noticed early."""
    del free_bps
    retries = str(max(20, case.scenario["retries"]))
    early = {"stall-timeout": "5s", "retries": retries, "retry-wait": "1s"}
    return [early, {**early, "keepalive": "10s"}]


# ---- The table ------------------------------------------------------------------------------

TRAFFIC_LIMITS: tuple[Limit, ...] = (
    Limit(
        "faults",
        "E",
        "application",
        _lift_faults,
        _show_faults,
        _advise_faults,
        parts=("gridftp",),
    ),
    Limit(
        "reverse direction",
        "B",
        "network",
        _lift_reverse,
        _show_reverse,
        _advise_reverse,
        parts=("tcp",),
    ),
    Limit("other traffic", "C", "network", _lift_traffic, _show_traffic, _advise_traffic),
)
"""Limits of the reverse direction, other traffic and faults, in the order of `LIMITS`."""
