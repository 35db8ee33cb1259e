"""Limits that random delays set: jitter, reordering, the random processing time of hosts."""

from __future__ import annotations

from ..programs.amounts import percent, said_rate, time
from .case import Case
from .changes import more_connections, other_controls, smaller_windows
from .limit import Limit, Options

_JUMBO = 9000
"""Bytes of the packets of Ethernet with large frames."""

_CONNECTIONS = (2, 4, 8, 16)
"""Factors: TCP takes three duplicate ACKs for a loss, and then only one of N windows is halved."""


def _sent_again(case: Case) -> str:
    """Return which share of the segments TCP took for lost, and how many the queue dropped."""
    tcp, drops = case.session["tcp"], case.link["drops"]
    share = percent(tcp["retransmissions"] / max(1, tcp["segments"]))
    return (
        f"{share} of {tcp['segments']} segments are retransmitted; the queue drops {drops} packets"
    )


# ---- Jitter ---------------------------------------------------------------------------------


def _has_jitter(case: Case) -> bool:
    return case.scenario.get("delay_jitter_s", 0) > 0


def _overtakes(case: Case) -> bool:
    return case.scenario["delay_jitter_order"] == "free"


def _lift_jitter(case: Case) -> list[Options]:
    return [{"delay-jitter": "0ms"}] if _has_jitter(case) else []


def _show_jitter(case: Case) -> str:
    scenario = case.scenario
    packet_s = 8 * scenario["packet_size_bytes"] / scenario["bandwidth_bps"]
    varies = (
        f"delays vary by {scenario['delay_jitter_s'] * 1e3:.3g} ms "
        f"({scenario['delay_jitter_distribution']})"
    )
    if not _overtakes(case):
        return f"{varies} without reordering; the RTT is {case.round_trip_s * 1e3:.3g} ms; " + (
            _sent_again(case)
        )
    return (
        f"{varies} and a packet takes {packet_s * 1e3:.3g} ms, so packets overtake others; "
        f"{_sent_again(case)}"
    )


def _advise_jitter(case: Case, free_bps: float) -> list[Options]:
    """Return the same jitter without overtaking, and what copes with packets that overtake."""
    del free_bps
    in_order = [{"delay-jitter-order": "fifo"}] if _overtakes(case) else []
    return [
        *in_order,
        *smaller_windows(case),
        *other_controls(case),
        *more_connections(case, *_CONNECTIONS),
    ]


# ---- Reordering -----------------------------------------------------------------------------


def _lift_reordering(case: Case) -> list[Options]:
    return [{"reorder": "0"}] if case.scenario.get("reorder", 0) > 0 else []


def _show_reordering(case: Case) -> str:
    return f"{percent(case.scenario['reorder'])} of the packets overtake others; " + (
        _sent_again(case)
    )


def _advise_reordering(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    return [*other_controls(case), *more_connections(case, *_CONNECTIONS)]


# ---- Hosts ----------------------------------------------------------------------------------


def _lift_overhead(case: Case) -> list[Options]:
    return [{"host-overhead": "0ms"}] if case.scenario.get("host_overhead_s", 0) > 0 else []


def _show_overhead(case: Case) -> str:
    most_s = case.scenario["host_overhead_s"]
    limit = 2 / most_s * 8 * case.scenario["packet_size_bytes"]
    return (
        f"a host waits up to {most_s * 1e3:.3g} ms before it sends a packet, half of this on "
        f"average: {said_rate(limit)} at most"
    )


def _advise_overhead(case: Case, free_bps: float) -> list[Options]:
    """Return larger packets, and a host that is fast enough."""
    packet = case.scenario["packet_size_bytes"]
    larger = [{"packet-size": f"{_JUMBO}B"}] if packet < _JUMBO else []
    return [*larger, {"host-overhead": time(min(
        8 * packet / free_bps, case.scenario["host_overhead_s"] / 2
    ))}]  # fmt: skip


# ---- The table ------------------------------------------------------------------------------

VARIATION_LIMITS: tuple[Limit, ...] = (
    Limit("jitter", "J", "loss", _lift_jitter, _show_jitter, _advise_jitter, parts=("tcp",)),
    Limit(
        "reordering",
        "R",
        "loss",
        _lift_reordering,
        _show_reordering,
        _advise_reordering,
        parts=("tcp",),
    ),
    Limit("host overhead", "H", "host", _lift_overhead, _show_overhead, _advise_overhead),
)
"""Limits that random delays set, in the order of `LIMITS`."""
