"""Limits that the network, TCP and the protocol set."""

from __future__ import annotations

import math

from ..programs.amounts import (
    LARGEST_BUFFER,
    percent,
    power_of_two,
    rate,
    said_rate,
    said_size,
    size,
    two_digits,
)
from ..spec.numbers import Quantity
from .case import Case
from .changes import more_connections, other_controls, smaller_windows
from .limit import HEADROOM, Limit, Options
from .limits_discipline import DISCIPLINE_LIMITS

_LARGEST_RATE = 10**12
_LARGEST_ACCESS = 10**13
_LARGEST_QUEUE = 1_000_000
_BUSY = 0.5
"""Share of the time."""

_INITIAL_WINDOW = 10
"""Segments: the initial window of RFC 6928, which Linux has."""


# ---- Application ----------------------------------------------------------------------------


def _lift_streams(case: Case) -> list[Options]:
    limited = [word for word in ("read", "write") if case.scenario[f"{word}_rate_bps"]]
    return [{f"{word}-rate": "0Mbps" for word in limited}] if limited else []


def _show_streams(case: Case) -> str:
    rates = [case.scenario[f"{word}_rate_bps"] for word in ("read", "write")]
    least = min(value for value in rates if value)
    return (
        f"{case.connections} connections with {said_rate(least)} each have "
        f"{said_rate(least * case.connections)}"
    )


def _advise_streams(case: Case, free_bps: float) -> list[Options]:
    return more_connections(case, free_bps / case.goodput_bps)


# ---- Losses ---------------------------------------------------------------------------------


def _lift_loss(case: Case) -> list[Options]:
    return [{"random-loss": "0"}] if case.scenario["random_loss"] else []


def _show_loss(case: Case) -> str:
    again, sent, word = case.resent
    timeouts = case.session.get("tcp", {}).get("timeouts")
    after = "" if timeouts is None else f" with {timeouts} timeouts"
    return (
        f"{percent(again / max(1, sent))} of {sent} {word} are retransmitted{after}; the queue "
        f"drops {case.link['drops']} packets"
    )


def _advise_loss(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    if "tcp" not in case.session:
        return []
    return [*other_controls(case), *more_connections(case, 2, 4, 8, 16)]


def _overflows(case: Case) -> bool:
    """Return whether the queue drops packets, and these are why TCP sends segments again.

    Where packets overtake others, TCP sends segments again that nobody has dropped.
    """
    drops, tcp = case.link["drops"], case.session["tcp"]
    overtakes = case.scenario.get("reorder", 0) > 0 or (
        case.scenario.get("delay_jitter_s", 0) > 0 and case.scenario["delay_jitter_order"] == "free"
    )
    return drops > 0 and not (overtakes and tcp["retransmissions"] > 2 * drops)


def _lift_queue(case: Case) -> list[Options]:
    packet = case.scenario["packet_size_bytes"]
    windows = case.window_bytes * case.connections
    fitting = (case.product_bytes, 4 * max(case.product_bytes, windows))
    wanted = (min(math.ceil(count / packet) + 1, _LARGEST_QUEUE) for count in fitting)
    return [{"queue": f"{count}p"} for count in wanted if count > case.scenario["queue_packets"]]


def _show_queue(case: Case) -> str:
    link, tcp = case.link, case.session["tcp"]
    return (
        f"{link['drops']} packets do not fit into the queue of {case.scenario['queue_packets']} "
        f"(bandwidth-delay product {said_size(case.product_bytes)}), {tcp['timeouts']} timeouts; "
        f"the link is busy {percent(link['utilisation'])} of the time"
    )


def _advise_queue(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    return [*smaller_windows(case), *_lift_queue(case)]


def _lift_overshoot(case: Case) -> list[Options]:
    """Return windows that do not overflow the queue, and congestion controls that recover faster.

    A larger queue is a limit of its own. Where windows are smaller than the path, the windows are
    what limits.
    """
    return [*smaller_windows(case), *other_controls(case)]


def _show_overshoot(case: Case) -> str:
    link, tcp = case.link, case.session["tcp"]
    return (
        f"windows grow to {said_size(case.window_bytes)} each and overflow the queue, which drops "
        f"{link['drops']} packets; {tcp['retransmissions']} segments are retransmitted with "
        f"{tcp['timeouts']} timeouts; the link is idle {percent(1 - link['utilisation'])} of the "
        "time"
    )


def _advise_overshoot(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    initial = case.scenario["initial_window_segments"] < _INITIAL_WINDOW
    window = [{"initial-window": str(_INITIAL_WINDOW)}] if initial else []
    return [*smaller_windows(case), *other_controls(case), *_lift_queue(case), *window]


# ---- TCP's window ---------------------------------------------------------------------------


def _lift_window(case: Case) -> list[Options]:
    """Return windows that fill the path, half its queue, too, those of a faster path, huge ones.

    Where the kernel tunes them, they end at the third values of tcp_rmem and tcp_wmem.
    """
    if case.is_today and case.is_tuned:
        return [dict.fromkeys(_MAXIMA, size(LARGEST_BUFFER))]
    product, half_queue = case.product_bytes, case.queue_bytes / 2
    wanted = (product, product + half_queue, 2 * product + half_queue, 16 * product)
    each = [min(math.ceil(total / case.connections), LARGEST_BUFFER) for total in wanted]
    option = "window" if case.scenario["buffers"] == "fixed" else "max-buffer"
    if option == "max-buffer" and case.scenario.get("receiver_tcp_rmem_max_bytes"):
        return []  # it is the operating system's that counts
    return [{option: size(window), "send-buffer": "0B"} for window in each if window > _most(case)]


_MAXIMA = ("receiver-tcp-rmem-max", "sender-tcp-wmem-max")
"""Options for the largest buffers that Linux gives."""


def _most(case: Case) -> float:
    """Return how large windows are, or may become."""
    if case.scenario["buffers"] == "fixed":
        return case.scenario["window_bytes"]
    return case.scenario["max_buffer_bytes"]


def _show_window(case: Case) -> str:
    if case.is_today and case.is_tuned:
        return (
            f"{case.connections} connections carry {said_rate(case.goodput_bps)} with an RTT of "
            f"{case.round_trip_s * 1e3:.3g} ms and buffers up to tcp_rmem and tcp_wmem; the "
            f"bandwidth-delay product is {said_size(case.product_bytes)}"
        )
    limit = 8 * case.connections * case.window_bytes / case.round_trip_s
    return (
        f"{case.connections} x {said_size(case.window_bytes)} per RTT of "
        f"{case.round_trip_s * 1e3:.3g} ms are {said_rate(limit)}, of which "
        f"{percent(case.goodput_bps / limit)} is used; the bandwidth-delay product is "
        f"{said_size(case.product_bytes)}"
    )


def _advise_window(case: Case, free_bps: float) -> list[Options]:
    product, queue = case.product_bytes, case.queue_bytes
    fits = two_digits(product / case.connections / 1024) * 1024
    powers = (power_of_two(total / case.connections) for total in (product, 2 * product + queue))
    windows = dict.fromkeys(min(window, LARGEST_BUFFER) for window in (fits, *powers))
    if case.is_today and case.is_tuned:
        # Half of the memory may be overhead, and what is sent waits for its ACK
        wanted = [power_of_two(factor * fits) for factor in (4, 8, 16)]
        maxima = [dict.fromkeys(_MAXIMA, size(min(one, LARGEST_BUFFER))) for one in wanted]
        return [*maxima, *more_connections(case, free_bps / case.goodput_bps)]
    larger = [size(window) for window in windows if window > _most(case)]
    option = "window" if case.scenario["buffers"] == "fixed" else "max-buffer"
    more = more_connections(case, free_bps / case.goodput_bps)
    follows = {"send-buffer": "0B"} if case.scenario.get("send_buffer_bytes", 0) else {}
    return [*({option: text, **follows} for text in larger), *more]


# ---- Send buffers ---------------------------------------------------------------------------


def _lift_send_buffer(case: Case) -> list[Options]:
    limited = [name for name in _SEND_BUFFERS if case.scenario.get(_SEND_BUFFERS[name], 0)]
    return [dict.fromkeys(limited, "0B")] if limited else []


_SEND_BUFFERS = {"send-buffer": "send_buffer_bytes", "send-pool": "send_pool_bytes"}
"""Options that limit send buffers, with their keys."""


def _show_send_buffer(case: Case) -> str:
    each, pool = (case.scenario.get(key, 0) for key in _SEND_BUFFERS.values())
    held = each * case.connections or pool
    limit = said_rate(8 * held / case.round_trip_s)
    what = (
        f"{case.connections} send buffers of {said_size(each)}" if each else
        f"a send pool of {said_size(pool)}"
    )  # fmt: skip
    return (
        f"{what} per RTT of {case.round_trip_s * 1e3:.3g} ms: {limit} at most; the "
        f"bandwidth-delay product is {said_size(case.product_bytes)}"
    )


def _advise_send_buffer(case: Case, free_bps: float) -> list[Options]:
    """Return buffers for the path: what is sent stays in them for a round trip until its ACK."""
    del free_bps
    product, both = case.product_bytes, case.product_bytes + case.queue_bytes
    changes: list[Options] = []
    for total in (product, both, 2 * both):
        if case.scenario.get("send_buffer_bytes", 0):
            changes.append({"send-buffer": size(power_of_two(total / case.connections))})
        elif case.scenario.get("send_pool_bytes", 0):
            changes.append({"send-pool": size(power_of_two(2 * total))})
    return changes


def _lift_tuning(case: Case) -> list[Options]:
    """Return windows that are there from the beginning."""
    if case.scenario["buffers"] == "fixed":
        return []
    product, half_queue = case.product_bytes, case.queue_bytes / 2
    each = (math.ceil(total / case.connections) for total in (product, product + half_queue))
    return [
        {"buffers": "fixed", "window": size(min(window, LARGEST_BUFFER)), "send-buffer": "0B"}
        for window in each
    ]


def _show_tuning(case: Case) -> str:
    return (
        f"windows begin with {said_size(case.scenario['window_bytes'])} and grow to "
        f"{said_size(case.window_bytes)}; the bandwidth-delay product is "
        f"{said_size(case.product_bytes)}"
    )


def _advise_tuning(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    fits = power_of_two(case.product_bytes / case.connections)
    return [{"buffers": "fixed", "window": size(fits)}]


# ---- Chunks and files -----------------------------------------------------------------------


def _lift_chunks(case: Case) -> list[Options]:
    scenario = case.scenario
    if scenario["mode"] != "fixed" or scenario["chunk_size_bytes"] >= scenario["file_size_bytes"]:
        return []
    return [{"chunk-size": size(scenario["file_size_bytes"])}]


def _show_chunks(case: Case) -> str:
    chunks = case.session["gridftp"]["chunks"]
    state = "cached" if case.scenario["data_channels"] == "cached" else "new for each chunk"
    return (
        f"{len(chunks)} chunks of {said_size(case.scenario['chunk_size_bytes'])}, each with an RTT "
        f"of {case.round_trip_s * 1e3:.3g} ms for its command; connections are {state}"
    )


def _advise_chunks(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    return [{"data-channels": "cached"}, *_lift_chunks(case)]


def _lift_files(case: Case) -> list[Options]:
    if case.scenario["files"] == 1 or case.scenario["pipelining"] > 1:
        return []
    return [{"pipelining": "16", "data-channels": "cached"}]


def _show_files(case: Case) -> str:
    count = case.scenario["files"]
    return (
        f"{count} files in {case.duration_s:.3g} s, "
        f"{case.duration_s / count / case.round_trip_s:.1f} RTTs each"
    )


def _advise_files(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    return _lift_files(case)


# ---- Parallelism and the network ------------------------------------------------------------


def _lift_parallelism(case: Case) -> list[Options]:
    return more_connections(case, 2)


def _show_parallelism(case: Case) -> str:
    return f"{2 * case.connections} connections carry more than {case.connections}"


def _advise_parallelism(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    return more_connections(case, 2, 4, 8)


def _lift_network(case: Case) -> list[Options]:
    """Return the same bottleneck at twice the rate, and at twice each rate where that changes."""
    scenario = case.scenario
    options = {"bandwidth": rate(min(2 * scenario["bandwidth_bps"], _LARGEST_RATE))}
    if ":" in scenario["path_schedule"]:
        options["path-schedule"] = _twice_as_fast(scenario["path_schedule"])
    return [options]


def _twice_as_fast(schedule: str) -> str:
    """Return the rows of a path that changes, with twice the rates."""
    rows = []
    for row in schedule.split(","):
        parts = row.split(":")
        if len(parts) == 3:
            was = Quantity.read(parts[1])
            parts[1] = str(Quantity(was.number * 2, was.unit))
        rows.append(":".join(parts))
    return ",".join(rows)


def _show_network(case: Case) -> str:
    link = case.link
    return (
        f"the link of {said_rate(case.scenario['bandwidth_bps'])} is busy "
        f"{percent(link['utilisation'])} of the time, and its queue drops {link['drops']} packets"
    )


def _most_of_network(case: Case) -> float:
    """Return what twice the rate can gain: half of the time in which the link transmits."""
    busy = case.link["utilisation"]
    return busy / (2 - busy)


def _is_busy(case: Case) -> bool:
    """Return whether the link transmits most of the time; a link that is idle limits nothing."""
    return case.link["utilisation"] >= _BUSY


def _advise_network(case: Case, free_bps: float) -> list[Options]:
    del free_bps
    return _lift_network(case)


def _access_bps(case: Case) -> float:
    """Return the rate of the access links of that end which has the fewest."""
    return case.scenario["access_bandwidth_bps"] * min(case.stripes.values())


def _lift_access(case: Case) -> list[Options]:
    if _access_bps(case) >= 2 * case.scenario["bandwidth_bps"]:
        return []
    wider = min(4 * case.scenario["access_bandwidth_bps"], _LARGEST_ACCESS)
    return [{"access-bandwidth": rate(wider)}]


def _show_access(case: Case) -> str:
    return (
        f"access links of {said_rate(case.scenario['access_bandwidth_bps'])} each, "
        f"{said_rate(_access_bps(case))} together, carry {said_rate(case.goodput_bps)}"
    )


def _advise_access(case: Case, free_bps: float) -> list[Options]:
    hosts = min(case.stripes.values())
    return [{"access-bandwidth": rate(two_digits(HEADROOM * free_bps / hosts))}]


def _lift_rate(case: Case) -> list[Options]:
    return [{"limit-rate": "0bps"}] if case.scenario["limit_rate_bps"] else []


def _show_rate(case: Case) -> str:
    limit = case.scenario["limit_rate_bps"]
    return (
        f"a {case.scenario['limit_kind']} of {said_rate(limit)} at the {case.scenario['limit_at']}"
    )


def _advise_rate(case: Case, free_bps: float) -> list[Options]:
    del case
    return [{"limit-rate": rate(two_digits(HEADROOM * free_bps))}]


# ---- The table ------------------------------------------------------------------------------

PATH_LIMITS: tuple[Limit, ...] = (
    Limit(
        "reads and writes", "A", "application", _lift_streams, _show_streams, _advise_streams,
        parts=("gridftp",),
    ),
    Limit("loss", "L", "loss", _lift_loss, _show_loss, _advise_loss),
    *DISCIPLINE_LIMITS,
    Limit(
        "queue", "Q", "loss", _lift_queue, _show_queue, _advise_queue, is_met=_overflows,
        parts=("tcp",),
    ),
    Limit(
        "overshoot", "O", "loss", _lift_overshoot, _show_overshoot, _advise_overshoot,
        is_met=_overflows, parts=("tcp",),
    ),
    Limit(
        "send buffer", "U", "window", _lift_send_buffer, _show_send_buffer, _advise_send_buffer,
        parts=("tcp",),
    ),
    Limit("window", "W", "window", _lift_window, _show_window, _advise_window, parts=("tcp",)),
    Limit(
        "auto-tuning", "T", "window", _lift_tuning, _show_tuning, _advise_tuning,
        is_remedy=True, parts=("tcp",),
    ),
    Limit(
        "chunks", "K", "protocol", _lift_chunks, _show_chunks, _advise_chunks, parts=("gridftp",)
    ),
    Limit("files", "F", "protocol", _lift_files, _show_files, _advise_files, parts=("gridftp",)),
    Limit(
        "parallelism", "P", "protocol", _lift_parallelism, _show_parallelism, _advise_parallelism,
        is_remedy=True, parts=("tcp",),
    ),
    Limit("rate limit", "V", "network", _lift_rate, _show_rate, _advise_rate),
    Limit("access links", "X", "network", _lift_access, _show_access, _advise_access),
    Limit(
        "network", "N", "network", _lift_network, _show_network, _advise_network,
        is_met=_is_busy, most_gain=_most_of_network,
    ),
)  # fmt: skip
"""Limits of the path and of what goes over it, in the order of `LIMITS`."""
