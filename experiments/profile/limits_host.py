"""Limits that hosts set: storage, CPU, operating system, network interface.

What a host is like is told by options that begin with its end, ``sender-`` or ``receiver-``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..programs.amounts import (
    percent,
    power_of_two,
    rate,
    said_rate,
    said_size,
    size,
    time,
    two_digits,
)
from .case import Case
from .limit import HEADROOM, Limit, Options

JUMBO = 9000
"""Bytes of the packets of Ethernet with large frames."""

_MOST_CORES = 256

ENDS = ("sender", "receiver")


# ---- Storage --------------------------------------------------------------------------------


def _storage(end: str, use: str, host: str, letter: str) -> Limit:
    """Return the limit that an end's storage is.

    Args:
        end: prefix of its options.
        use: what results call its use.
        host: whose it is.
        letter: that stands for it.
    """

    def lift(case: Case) -> list[Options]:
        return [] if case.scenario[end] == "memory" else [{end: "memory"}]

    def told(case: Case) -> Mapping[str, Any]:
        return case.session.get("storage", {}).get(use, {})

    def evidence(case: Case) -> str:
        busy = told(case).get("busy_s", 0) / case.duration_s / case.stripes[host]
        return (
            f"the {end} ({case.scenario[end]}) is busy {percent(min(busy, 1))} of the time with "
            f"{told(case).get('requests', 0)} requests, {told(case).get('seeks', 0)} of them seeks"
        )

    def advice(case: Case, free_bps: float) -> list[Options]:
        scenario = case.scenario
        faster = rate(two_digits(HEADROOM * free_bps))
        quick = {f"{end}-rate": faster}
        if scenario[f"{end}_total_rate_bps"]:
            quick[f"{end}-total-rate"] = faster
        seeks = 2 * told(case).get("seeks", 0) > told(case).get("requests", 0)
        calls = [_larger_calls(case, end)] if scenario[end] == "nfs" else []
        if not case.has_chunks:
            one = [{"tool-streams": "1"}] if seeks and case.connections > 1 else []
            return [*calls, *one, quick]
        deeper = {f"{end}-depth": str(min(scenario[f"{end}_depth"] * 4, 64))}
        larger = {"block-size": size(min(scenario["block_size_bytes"] * 4, 1 << 26))}
        fewer = [{"parallelism": "1"}] if seeks and scenario["mode"] == "fixed" else []
        return [deeper, larger, *calls, *fewer, quick, {**quick, **deeper, **larger}]

    return Limit(f"{end} storage", letter, "storage", lift, evidence, advice)


def _larger_calls(case: Case, end: str) -> Options:
    """Return a network file system with larger RPCs (its rsize and wsize), and more at a time."""
    scenario = case.scenario
    larger = min(4 * scenario[f"{end}_rpc_bytes"], 1 << 20)
    return {
        f"{end}-rpc": size(max(larger, scenario[f"{end}_rpc_bytes"])),
        f"{end}-slots": str(min(4 * scenario[f"{end}_slots"], 1024)),
    }


# ---- What both CPUs do with data, as one option has it --------------------------------------


def _work(name: str, letter: str, part: str, set_by: str, lifted: Options, *slow: str) -> Limit:
    """Return the limit that one kind of work of both hosts' CPUs is.

    Args:
        name: of the limit.
        letter: that stands for it.
        part: what results call its time.
        set_by: key of the scenario that is 0 where there is no such work.
        lifted: options without it.
        slow: options that say how fast it is done, rates; without any it is advised to do without.
    """

    def lift(case: Case) -> list[Options]:
        return [lifted] if case.scenario[set_by] else []

    def evidence(case: Case) -> str:
        shares = (f"{percent(_share(case, end, part))} of the {end}'s CPU time" for end in ENDS)
        return f"this work takes {' and '.join(shares)}"

    def advice(case: Case, free_bps: float) -> list[Options]:
        return [{option: rate(two_digits(HEADROOM * free_bps)) for option in slow}] if slow else []

    return Limit(name, letter, "CPU", lift, evidence, advice)


def _host(case: Case, end: str) -> Mapping[str, Any]:
    """Return what is measured of the hosts of an end."""
    return case.session.get("host", {}).get(end, {})


def _share(case: Case, end: str, part: str) -> float:
    """Return the share of the time of an end's hosts that one kind of work takes."""
    return _host(case, end).get(part, 0) / case.duration_s / case.stripes[end]


# ---- CPU by module --------------------------------------------------------------------------

_COSTS = ("interrupt-cpu", "packet-cpu", "segment-cpu", "ack-cpu", "stream-cpu",
          "connection-cpu", "call-cpu", "file-cpu", "rpc-cpu")  # fmt: skip
"""Times that a host's CPU takes for one of something."""

_RATES = ("copy-rate", "file-rate")
"""How fast a host's CPU moves bytes; 0 for at once."""


def _key(end: str, option: str) -> str:
    """Return the key under which a scenario has an option of a host."""
    unit = "s" if option in _COSTS else "bps"
    return f"{end}_{option.replace('-', '_')}_{unit}"


def _module(
    end: str,
    module: str,
    letter: str,
    part: str,
    options: Sequence[str],
    easier: _Easier,
    within: str = "",
) -> Limit:
    """Return the limit that a module of an end's CPU is.

    Args:
        end: whose CPU it is.
        module: its name.
        letter: that stands for it.
        part: what results call its time.
        options: what it costs, by the names of options without their end.
        easier: what a user could do beside more cores and a faster CPU.
        within: as `Limit.within`.
    """

    def costly(case: Case) -> list[str]:
        return [option for option in options if case.scenario.get(_key(end, option))]

    def lift(case: Case) -> list[Options]:
        free = {f"{end}-{o}": "0ms" if o in _COSTS else "0Mbps" for o in costly(case)}
        return [free] if free else []

    def evidence(case: Case) -> str:
        cores = _host(case, end).get("cpu_cores_s", [])
        busiest = max(cores, default=0) / case.duration_s
        return (
            f"the {end}'s {module} takes {percent(_share(case, end, part))} of a core; the busiest "
            f"of {len(cores)} cores is busy {percent(min(busiest, 1))} of the time; the peak load "
            "of "
            f"the whole CPU is {percent(_host(case, end).get('cpu_peak_load', 0))}"
        )

    def advice(case: Case, free_bps: float) -> list[Options]:
        del free_bps
        more = _twice_the_cores(case, end)
        faster = {f"{end}-{option}": _half_as_slow(case, end, option) for option in costly(case)}
        return [*easier(case, end), more, faster, {**more, **faster}]

    return Limit(f"{end} CPU: {module}", letter, "CPU", lift, evidence, advice, within=within)


_Easier = Callable[[Case, str], Sequence[Options]]
"""Changes for a module of an end's CPU."""


def _twice_the_cores(case: Case, end: str) -> Options:
    cores = min(2 * case.scenario[f"{end}_cores"], _MOST_CORES)
    return {f"{end}-cores": str(cores), f"{end}-queues": str(max(1, cores // 2))}


def _half_as_slow(case: Case, end: str, option: str) -> str:
    """Return a cost of a CPU twice as fast."""
    value = case.scenario[_key(end, option)]
    return time(value / 2) if option in _COSTS else rate(2 * value)


def _larger_packets(case: Case) -> list[Options]:
    return [{"packet-size": f"{JUMBO}B"}] if case.scenario["packet_size_bytes"] < JUMBO else []


def _easier_driver(case: Case, end: str) -> list[Options]:
    """Return fewer interrupts, as with ``ethtool -C``, and fewer packets."""
    delay = max(4 * case.scenario[f"{end}_interrupt_delay_s"], 100e-6)
    together = {f"{end}-interrupt-delay": time(delay)}
    interrupts = case.scenario[f"{end}_interrupt_cpu_s"] > 0
    return [*([together] if interrupts else []), *_larger_packets(case)]


def _easier_tcp(case: Case, end: str) -> list[Options]:
    """Return fewer packets, fewer connections to change between, and fewer to set up."""
    many = case.scenario["mode"] == "fixed" and case.parallelism > 1
    mixed = case.scenario.get(f"{end}_stream_cpu_s", 0) > 0
    fresh = case.scenario["data_channels"] == "fresh"
    set_up = case.scenario.get(f"{end}_connection_cpu_s", 0) > 0
    return [
        *([{"parallelism": "1"}] if many and mixed else []),
        *([{"data-channels": "cached"}] if fresh and set_up else []),
        *_larger_packets(case),
    ]


def _easier_application(case: Case, end: str) -> list[Options]:
    """Return larger calls."""
    block = case.scenario["block_size_bytes"]
    calls = case.scenario[f"{end}_call_size_bytes"]
    whole = [{f"{end}-call-size": size(block)}] if 0 < calls < block else []
    larger = min(4 * block, 1 << 26)
    return [*whole, {f"{end}-call-size": "0B", "block-size": size(larger)}]


def _easier_files(case: Case, end: str) -> list[Options]:
    """Return larger blocks."""
    del end
    return [{"block-size": size(min(4 * case.scenario["block_size_bytes"], 1 << 26))}]


def _easier_calls(case: Case, end: str) -> list[Options]:
    """Return fewer RPCs for the same bytes."""
    return [_larger_calls(case, "source" if end == "sender" else "sink")]


def _modules(end: str) -> tuple[Limit, ...]:
    first, storage = end[0], "source storage" if end == "sender" else "sink storage"
    return (
        _module(end, "driver", f"{first}D", "cpu_driver_s",
                ("interrupt-cpu", "packet-cpu"), _easier_driver),
        _module(end, "TCP", f"{first}T", "cpu_tcp_s",
                ("segment-cpu", "ack-cpu", "stream-cpu", "connection-cpu", "copy-rate"),
                _easier_tcp),
        _module(end, "application", f"{first}A", "cpu_calls_s",
                ("call-cpu",), _easier_application),
        _module(end, "file system", f"{first}F", "cpu_file_system_s",
                ("file-cpu", "file-rate"), _easier_files, storage),
        _module(end, "RPC", f"{first}R", "cpu_rpc_s", ("rpc-cpu",), _easier_calls, storage),
    )  # fmt: skip


# ---- The operating system -------------------------------------------------------------------

SYSCTL: Mapping[str, str] = {
    "rmem-max": "net.core.rmem_max = {}",
    "wmem-max": "net.core.wmem_max = {}",
    "tcp-rmem-max": "net.ipv4.tcp_rmem = 4096 131072 {}",
    "tcp-wmem-max": "net.ipv4.tcp_wmem = 4096 16384 {}",
    "backlog": "net.core.netdev_max_backlog = {}",
}
"""Lines of sysctl.conf, by the options of a host that they stand for. The first two values of
tcp_rmem and tcp_wmem are Linux's own."""


def _buffers(end: str, letter: str, options: Sequence[str]) -> Limit:
    """Return the limit that an operating system's settings for socket buffers are.

    Args:
        end: whose it is.
        letter: that stands for it.
        options: that limit buffers, by names without their end; those that sysctl sets come first.
    """
    keys = {option: f"{end}_{option.replace('-', '_')}_bytes" for option in options}

    def told(case: Case) -> list[str]:
        return [option for option in options if case.scenario.get(keys[option])]

    def lift(case: Case) -> list[Options]:
        """Return buffers for the path, of which half may be overhead, and any buffers."""
        if not told(case):
            return []
        fits = power_of_two(2 * case.product_bytes / case.connections)
        wide = {o: max(fits, int(case.scenario[keys[o]])) for o in told(case)}
        return [
            {f"{end}-{option}": f"{count}B" for option, count in wide.items()},
            {f"{end}-{option}": "0B" for option in wide},
        ]

    def evidence(case: Case) -> str:
        limits = (f"{option} {said_size(case.scenario[keys[option]])}" for option in told(case))
        return (
            f"the {end} sets {', '.join(limits)}: each of {case.connections} windows is at most "
            f"{said_size(case.window_bytes)}; the bandwidth-delay product is "
            f"{said_size(case.product_bytes)}"
        )

    def advice(case: Case, free_bps: float) -> list[Options]:
        del free_bps
        each = case.product_bytes / case.connections
        counts = dict.fromkeys(power_of_two(factor * each) for factor in (1, 2, 4, 16))
        raised = [option for option in told(case) if option in SYSCTL]
        return [{f"{end}-{option}": f"{count}B" for option in raised} for count in counts]

    return Limit(f"{end} OS buffers", letter, "window", lift, evidence, advice, parts=("tcp",))


def _backlog(end: str) -> Limit:
    """Return the limit that an operating system's queue of packets from the network is."""

    def lift(case: Case) -> list[Options]:
        return [{f"{end}-backlog": "0p"}] if case.scenario.get(f"{end}_backlog_packets") else []

    def evidence(case: Case) -> str:
        host = _host(case, end)
        return (
            f"the {end}'s backlog of {case.scenario[f'{end}_backlog_packets']} packets drops "
            f"{host.get('backlog_drops', 0)} of {host.get('packets_in', 0)}"
        )

    def advice(case: Case, free_bps: float) -> list[Options]:
        del free_bps
        have = case.scenario[f"{end}_backlog_packets"]
        return [{f"{end}-backlog": f"{n}p"} for n in (1000, 2500, 30_000, 250_000) if n > have]

    return Limit(
        f"{end} backlog", f"{end[0]}B", "host", lift, evidence, advice,
        is_met=lambda case: _host(case, end).get("backlog_drops", 0) > 0,
    )  # fmt: skip


# ---- The network interface ------------------------------------------------------------------


def _interrupts(end: str) -> Limit:
    """Return the limit that packets wait for others before they interrupt."""

    def delay_s(case: Case) -> float:
        return case.scenario.get(f"{end}_interrupt_delay_s", 0)

    def lift(case: Case) -> list[Options]:
        return [{f"{end}-interrupt-delay": "0ms"}] if delay_s(case) else []

    def evidence(case: Case) -> str:
        host = _host(case, end)
        together = host.get("packets_in", 0) / max(1, host.get("interrupts", 0))
        return (
            f"packets wait up to {delay_s(case) * 1e3:.3g} ms at the {end} for an interrupt, which "
            f"serves {together:.1f} packets; the RTT is {case.round_trip_s * 1e3:.3g} ms"
        )

    def advice(case: Case, free_bps: float) -> list[Options]:
        del free_bps
        return [{f"{end}-interrupt-delay": time(delay_s(case) / n)} for n in (4, 16)]

    return Limit(f"{end} interrupts", f"{end[0]}I", "host", lift, evidence, advice)


def _interface(end: str) -> Limit:
    """Return the limit that the rate of a network interface is."""

    def lift(case: Case) -> list[Options]:
        return [{f"{end}-nic": "0Mbps"}] if case.scenario.get(f"{end}_nic_bps") else []

    def evidence(case: Case) -> str:
        nic = case.scenario[f"{end}_nic_bps"]
        return f"the {end}'s interface of {said_rate(nic)} carries {said_rate(case.goodput_bps)}"

    def advice(case: Case, free_bps: float) -> list[Options]:
        return [{f"{end}-nic": rate(two_digits(HEADROOM * free_bps))}]

    return Limit(f"{end} interface", f"{end[0]}N", "network", lift, evidence, advice)


# ---- The table ------------------------------------------------------------------------------

HOST_LIMITS: tuple[Limit, ...] = (
    _buffers("sender", "sO", ("wmem-max", "tcp-wmem-max")),
    _buffers("receiver", "rO", ("rmem-max", "tcp-rmem-max", "tcp-rmem-default")),
    *map(_backlog, ENDS),
    *_modules("sender"),
    *_modules("receiver"),
    # Behind the modules: memory needs no file system.
    _storage("source", "read", "sender", "S"),
    _storage("sink", "write", "receiver", "D"),
    _work("CPU: bytes", "Cb", "cpu_data_s", "cpu_rate_bps", {"cpu-rate": "0Mbps"}, "cpu-rate"),
    _work(
        "CPU: checksums", "Ci", "cpu_protection_s", "integrity_rate_bps",
        {"integrity-rate": "0Mbps"}, "integrity-rate",
    ),
    _work(
        "CPU: encryption", "Ce", "cpu_protection_s", "confidentiality_rate_bps",
        {"confidentiality-rate": "0Mbps"}, "confidentiality-rate",
    ),
    _work(
        "CPU: module", "Cm", "cpu_modules_s", "processing_rate_bps",
        {"processing-rate": "0Mbps"}, "processing-rate",
    ),
    _work("CPU: requests", "Cr", "cpu_requests_s", "request_cpu_s", {"request-cpu": "0ms"}),
    *map(_interrupts, ENDS),
    *map(_interface, ENDS),
)  # fmt: skip
"""Limits of hosts, in the order of `LIMITS`."""
