"""What is found of transfers, as the rows of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.profile import NONE, Change, Detail, Row

from ..programs.amounts import percent, said_file, said_rate, said_size
from .case import Case, path_bps
from .cells import Cell
from .judge import Finding, Tried
from .limit import Options
from .limits import BY_NAME, LIMITS
from .limits_host import ENDS, SYSCTL

Found = tuple[Cell, Finding | None]
"""A transfer with what is found of it; None where it failed."""

Used = tuple[str, Sequence[str], Sequence[Sequence[str]]]
"""A table of what a transfer used: its title, headings and rows."""


def told(options: Options) -> list[str]:
    """Return changed options as the command line takes them, or as lines of sysctl.conf."""
    return [_told(name, value) for name, value in options.items()]


_LISTS = {"background": "background", "faults": "fault"}
"""Lists of a batch, with the options that add to them."""


def _told(name: str, value: Any) -> str:
    if name in _LISTS:
        return f"only {len(value)} --{_LISTS[name]}" if value else f"no --{_LISTS[name]}"
    end, _, own = name.partition("-")
    if end not in ENDS or own not in SYSCTL or value in ("0B", "0p"):
        return f"--{name}={value}"
    return f"{end}: {SYSCTL[own].format(value.rstrip('Bp'))};"


def rows(found: Sequence[Found]) -> list[Row]:
    """Return a row for each transfer."""
    return [_failed(cell) if finding is None else _row(cell, finding) for cell, finding in found]


def _failed(cell: Cell) -> Row:
    return Row(cell.number, cell.axes, "failed", None, "", [], "", 0.0, [], None)


def _row(cell: Cell, finding: Finding) -> Row:
    limits = [BY_NAME[name] for name in finding.limits]
    rate = said_rate(finding.case.goodput_bps)
    return Row(
        cell.number,
        cell.axes,
        rate,
        finding.case.goodput_bps,
        finding.name,
        [limit.letter for limit in limits] or [NONE],
        limits[0].family if limits else "",
        finding.gain,
        finding.evidence,
        None if finding.advised is None else change(finding.advised),
    )


def change(tried: Tried, name: str = "") -> Change:
    """Return a change as a report has it.

    Args:
        tried: the change.
        name: what it is called, before its options.
    """
    return Change(
        [*([name] if name else []), *told(tried.options)],
        said_rate(tried.goodput_bps),
        tried.goodput_bps,
        tried.gain,
    )


def legend() -> list[tuple[str, str, str]]:
    """Return letter, name and family of each limit."""
    return [(limit.letter, limit.name, limit.family) for limit in LIMITS]


def changes(found: Sequence[Found]) -> Iterator[tuple[int, str, Change]]:
    """Yield all changes that were simulated, with the number of the transfer and their kind."""
    for cell, finding in found:
        if finding is not None:
            for one in finding.lifted:
                yield cell.number, one.what, change(one)
            for one in finding.candidates:
                yield cell.number, "advice", change(one)


def most_to_gain(found: Sequence[Found]) -> Found | None:
    """Return the transfer that a change would help most; None where nothing is known of any."""
    known = [one for one in found if one[1] is not None]
    return max(known, key=lambda one: one[1].advised.gain if one[1].advised else 0, default=None)


def about(found: Sequence[Found], threshold: float) -> list[str]:
    """Return sentences on what was simulated.

    Args:
        found: the transfers.
        threshold: a limit is named from this gain on.
    """
    known = [finding for _, finding in found if finding is not None]
    if not known:
        return ["No transfer was completed."]
    scenario, tried = known[0].case.scenario, sum(1 for _ in changes(found))
    return [
        f"This profile has {len(known)} transfers of {said_file(scenario['file_size_bytes'])}, and "
        f"{tried} simulations of them with one change each. Each limit of a transfer is lifted "
        "separately. The limit without which goodput rises most is named, if the gain is more than "
        f"{percent(threshold)}. If only lifting several limits together raises goodput, and each "
        "of "
        "them holds the transfer with all others lifted, all of them are named. The advice was "
        "simulated, too.",
        f"The first transfer: {_path(known[0].case)}.",
    ]


def _path(case: Case) -> str:
    scenario = case.scenario
    loss = scenario["random_loss"]
    return (
        f"a path of {said_rate(path_bps(scenario))} with a round-trip time of "
        f"{case.round_trip_s * 1e3:.4g} ms (bandwidth-delay product "
        f"{said_size(case.product_bytes)}), a queue of {scenario['queue_packets']} packets, "
        + (f"a random loss of {loss:g}, " if loss else "")
        + (f"TCP {scenario['tcp']}" if "tcp" in case.session else f"tool {scenario['tool']}")
    )


def detail(cell: Cell, finding: Finding, pictures: Sequence[tuple[bytes, str]] = ()) -> Detail:
    """Return more of one transfer.

    Args:
        cell: the transfer.
        finding: what is found of it.
        pictures: SVG of its samples, each with a caption.
    """
    return Detail(
        cell.number,
        [change(one, f"{one.what.removeprefix('without ')}:") for one in finding.lifted],
        [change(one) for one in finding.candidates],
        list(_used(finding.case)),
        pictures,
    )


def _used(case: Case) -> Iterator[Used]:
    """Yield what a transfer used, a table for each kind of thing."""
    yield "Network", ("", ""), list(_network(case))
    if storage := case.session.get("storage"):
        headings = ("", "busy", "requests", "seeks", "bytes")
        yield "Storage", headings, list(_storage(case, storage))
    if host := case.session.get("host"):
        yield "CPU, share of one core", ("", *host), list(_cpu(case, host))
        if counts := list(_counts(host)):
            yield "Packets", ("", *host), counts


def _network(case: Case) -> Iterator[Sequence[str]]:
    link = case.link
    yield "bottleneck busy", percent(link["utilisation"])
    yield "packets dropped by its queue", f"{link['drops']:,}"
    yield "packets in its queue, mean", f"{link['mean_queue_packets']:.3g}"
    yield "packets in its queue, largest number", f"{link['max_queue_packets']:,}"
    again, sent, word = case.resent
    yield word, f"{sent:,}"
    yield f"{word} retransmitted", f"{again:,}"
    if tcp := case.session.get("tcp"):
        yield "timeouts", f"{tcp['timeouts']:,}"
        yield "largest TCP window of a connection", said_size(case.window_bytes)
    drops = case.session.get("udp", {}).get("receiver_drops")
    if drops is not None:
        yield "datagrams dropped by a receiver while it stores data", f"{drops:,}"


def _storage(case: Case, storage: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    hosts = case.stripes
    for use, end in (("read", "sender"), ("write", "receiver")):
        if use in storage:
            told = storage[use]
            busy = told["busy_s"] / case.duration_s / hosts[end]
            yield (
                use, percent(min(busy, 1)), f"{told['requests']:,}", f"{told['seeks']:,}",
                said_size(told["bytes"]),
            )  # fmt: skip


def _cpu(case: Case, host: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    """Yield the share of the time in which a CPU did each kind of work, at each end."""
    hosts = case.stripes
    for key in _keys(host, "_s"):
        name = key.removeprefix("cpu_").removesuffix("_s").replace("_", " ")
        told = (use.get(key, 0) for use in host.values())
        # Of cores: the busiest one.
        times = (max(value, default=0) if isinstance(value, list) else value for value in told)
        shares = (t / case.duration_s / hosts[end] for t, end in zip(times, host, strict=True))
        yield name if key != _CORES else "busiest core", *map(percent, shares)


_CORES = "cpu_cores_s"


def _counts(host: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    """Yield what was counted at each end."""
    for key in _keys(host, ""):
        told = [use.get(key) for use in host.values()]
        if not key.endswith("_s") and any(isinstance(value, int) for value in told):
            counts = ("" if value is None else f"{value:,}" for value in told)
            yield key.replace("_", " "), *counts


def _keys(host: Mapping[str, Any], end: str) -> list[str]:
    """Return the keys of what is measured of hosts that end so, in their order."""
    return list(dict.fromkeys(key for use in host.values() for key in use if key.endswith(end)))
