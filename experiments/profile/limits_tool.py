"""Limits that tools which send datagrams set themselves: a rate, a window."""

from __future__ import annotations

from ..programs.amounts import rate, said_rate, two_digits
from .case import Case
from .limit import HEADROOM, Limit, Options

_LARGEST_RATE = 10**13
_LARGEST_WINDOW = 1 << 24


def _lift_blasts(case: Case) -> list[Options]:
    """Return the rate of the path, and twice the rate as it is, of a tool that sends in rounds."""
    if not case.session["udp"]["blasts"]:
        return []
    have = case.scenario["tool_rate_bps"]
    payload, packet = case.scenario["tool_payload_bytes"], case.scenario["packet_size_bytes"]
    fitting = (case.scenario["bandwidth_bps"] * min(payload / packet, 0.95), 2 * have)
    return [{"tool-rate": rate(min(one, _LARGEST_RATE))} for one in fitting if one > have]


def _show_blasts(case: Case) -> str:
    blasts = case.session["udp"]["blasts"]
    return f"the tool sends {len(blasts)} blasts at {said_rate(case.scenario['tool_rate_bps'])}"


def _advise_blasts(case: Case, free_bps: float) -> list[Options]:
    faster = {"tool-rate": rate(two_digits(HEADROOM * free_bps))}
    return [*_lift_blasts(case), faster]


def _window_keys(case: Case) -> list[str]:
    """Return the keys of a tool's own window and buffer, counted in packets."""
    begin = f"tool_{case.scenario['tool']}_"
    keys = (f"{begin}flight_packets", f"{begin}buffer_packets")
    return [key for key in keys if key in case.scenario]


def _lift_flight(case: Case) -> list[Options]:
    """Return four times the window and the buffer, of a tool that has them."""
    keys = _window_keys(case)
    options = {
        key.removesuffix("_packets").replace("_", "-"): str(
            min(4 * case.scenario[key], _LARGEST_WINDOW)
        )
        for key in keys
    }
    return [options] if options else []


def _show_flight(case: Case) -> str:
    packets = min(case.scenario[key] for key in _window_keys(case))
    bits = 8 * packets * case.scenario["tool_payload_bytes"]
    return (
        f"at most {packets} packets are unacknowledged: {said_rate(bits / case.round_trip_s)} with "
        f"an RTT of {case.round_trip_s * 1e3:.3g} ms"
    )


def _advise_flight(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    return _lift_flight(case)


TOOL_LIMITS: tuple[Limit, ...] = (
    Limit(
        "blast rate", "G", "application", _lift_blasts, _show_blasts, _advise_blasts,
        parts=("udp",),
    ),
    Limit(
        "flow window", "Y", "window", _lift_flight, _show_flight, _advise_flight, parts=("udp",)
    ),
)  # fmt: skip
"""Limits of tools, in the order of `LIMITS`."""
