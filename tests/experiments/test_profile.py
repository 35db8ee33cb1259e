"""Which limit is named from made-up results, and what is said of it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Any

import pytest
from conftest import ROOT
from manual_pages import manual

from analysis.profile import COLORS
from experiments.profile.case import Case
from experiments.profile.judge import ALL, AS_IS, Finding, Inquiry
from experiments.profile.limits import BY_NAME, LIMITS
from experiments.profile.limits_host import HOST_LIMITS
from experiments.profile.report import told
from experiments.programs import amounts

SCENARIO: Mapping[str, Any] = {
    "access_bandwidth_bps": 10_000_000_000,
    "access_delay_s": 0.0,
    "bandwidth_bps": 100_000_000,
    "block_size_bytes": 1 << 20,
    "buffers": "fixed",
    "chunk_size_bytes": 10_000_000,
    "confidentiality_rate_bps": 0,
    "cpu_rate_bps": 0,
    "data_channels": "fresh",
    "delay_s": 0.04,
    "file_size_bytes": 10_000_000,
    "files": 1,
    "integrity_rate_bps": 0,
    "initial_window_segments": 1,
    "limit_rate_bps": 0,
    "max_buffer_bytes": 1 << 24,
    "mode": "fixed",
    "packet_size_bytes": 1500,
    "parallelism": 2,
    "path_schedule": "none",
    "pipelining": 1,
    "processing_rate_bps": 0,
    "queue_packets": 100,
    "random_loss": 0,
    "read_rate_bps": 0,
    "request_cpu_s": 0,
    "sink": "memory",
    "sink_depth": 2,
    "sink_total_rate_bps": 0,
    "source": "memory",
    "source_depth": 2,
    "source_total_rate_bps": 0,
    "stripes": "1x1",
    "tcp": "reno",
    "window_bytes": 250_000,
    "write_rate_bps": 0,
}
"""A path of 100 Mbit/s and 80 ms, which holds 1,000,000 bytes; windows of 500,000 together."""

DISKS = {"source": "disk", "sink": "disk"}


def result(mbps: float, drops: int = 0, utilisation: float = 0.5) -> dict[str, Any]:
    """Return what a transfer of so much goodput measures."""
    use = {"requests": 10, "seeks": 0, "busy_s": 1.5, "bytes": 10_000_000}
    return {
        "sessions": [
            {
                "goodput_bps": mbps * 1e6,
                "duration_s": 2.0,
                "gridftp": {"chunks": [{"parallelism": 2}]},
                "tcp": {"segments": 1000, "retransmissions": 10, "timeouts": 3},
                "storage": {"read": use, "write": use},
            }
        ],
        "links": [{"utilisation": utilisation, "drops": drops, "mean_queue_packets": 1.0,
                   "max_queue_packets": 9}],
    }  # fmt: skip


def profiled(
    mbps: Mapping[str, float | None], drops: int = 0, utilisation: float = 0.5, **scenario: Any
) -> tuple[Finding | None, list[str]]:
    """Return what is found of a transfer, and all that was simulated for it.

    Args:
        mbps: goodput of what is tried, by the beginning of its label, the longest one that there
            is; None where the program refuses it; `AS_IS` for all else.
        drops: packets that the queue refuses.
        utilisation: of the bottleneck.
        scenario: of the transfer, beside `SCENARIO`.
    """
    known: dict[str, Any] = {}
    while True:
        inquiry = Inquiry({**SCENARIO, **scenario}, known)
        lacking = [label for label in inquiry.wanted() if label not in known]
        if not lacking:
            return inquiry.finding(), list(known)
        for label in lacking:
            near = max((key for key in mbps if label.startswith(key)), key=len, default=AS_IS)
            known[label] = None if mbps[near] is None else result(mbps[near], drops, utilisation)


def test_what_raises_goodput_most_is_named() -> None:
    found, _ = profiled({AS_IS: 40, "without window": 80, "without network": 50, ALL: 80})
    assert (found.limits, found.name) == (("window",), "window")
    assert found.gain == pytest.approx(1.0)
    assert found.evidence == (
        "2 x 244 KiB per RTT of 80 ms are 50 Mbit/s, of which 80 % is used; "
        "the bandwidth-delay product is 977 KiB",
    )
    assert {one.what: round(one.gain, 9) for one in found.lifted} == {
        "without window": 1.0, "without parallelism": 0.0, "without network": 0.25,
    }  # fmt: skip


def test_an_idle_link_is_not_what_limits() -> None:
    # Twice the rate moves the moments at which TCP loses packets, here for the better. Of its own
    # it can save half of the time in which the link transmits: 0.24 / (2 - 0.24) = 14 %
    idle = {AS_IS: 24, "without network": 60, "without overshoot": 40, ALL: 80}
    found, _ = profiled(idle, drops=300, utilisation=0.24, window_bytes=1 << 23)
    assert found.limits == ("overshoot",)
    assert found.evidence == (
        "windows grow to 8 MiB each and overflow the queue, which drops 300 packets; 10 segments "
        "are retransmitted with 3 timeouts; the link is idle 76 % of the time",
    )
    # A busy link can gain all of that
    assert profiled(idle, drops=300, utilisation=0.99)[0].limits == ("network",)


def test_overshoot_is_tried_where_packets_are_dropped() -> None:
    better = {AS_IS: 24, "without overshoot": 40, "advice": 38}
    wide = {"window_bytes": 1 << 23, "queue_packets": 400}
    found, tried = profiled(better, drops=300, **wide)
    assert found.limits == ("overshoot",)
    # The path holds 1,000,000 bytes, half of the queue 300,000: of two connections each half
    assert found.advised.options == {"window": "650000B"}
    assert "without overshoot, 4" in tried  # two windows, two congestion controls
    assert profiled(better, drops=0, **wide)[0].limits == ()
    cubic, tried = profiled(better, drops=300, tcp="cubic", **wide)
    assert cubic.limits == ("overshoot",)
    assert "without overshoot, 4" not in tried  # one congestion control is left


def test_nothing_is_named_below_the_threshold() -> None:
    found, tried = profiled({AS_IS: 40, "without network": 41.9, ALL: 41.9})
    assert (found.limits, found.name, found.gain, found.advised) == ((), "none", 0.0, None)
    assert found.evidence == (
        "lifting all limits together gains 4.8%: 2 connections are set up and their windows grow",
    )
    assert not [label for label in tried if label.startswith("advice")]


def test_of_two_that_give_the_same_the_particular_one_is_named() -> None:
    both = {AS_IS: 40, "without source storage": 79, "without network": 80, ALL: 80}
    assert profiled(both, **DISKS)[0].limits == ("source storage",)


def test_limits_that_hide_each_other_are_named_together() -> None:
    hidden = {
        AS_IS: 40,
        ALL: 90,
        "all but": 90,
        "all but source storage": 41,
        "all but sink storage": 49,
        "without source storage and sink storage": 85,
        "advice, 3": 80,
        "advice": 50,
    }
    found, tried = profiled(hidden, **DISKS)
    # 49 is less than a fifth of the way from 40 to 90, the third disk that would be 50.1 is not.
    assert found.limits == ("source storage", "sink storage")
    assert found.gain == pytest.approx(85 / 40 - 1)
    assert "all but network lifted" in tried
    assert found.advised.options == {"source-rate": "110Mbps", "sink-rate": "110Mbps"}
    hidden["all but sink storage"] = 50.1
    assert profiled(hidden, **DISKS)[0].limits == ("source storage",)


def test_one_that_holds_it_alone_is_enough_where_another_is_near() -> None:
    near = {AS_IS: 80, ALL: 190, "all but": 190, "all but network": 95, "all but window": 90}
    near["without window"] = 95
    assert profiled(near)[0].limits == ("window",)
    near["all but window"] = 120  # of the 110 that all are worth, more than a fifth
    assert profiled(near)[0].limits == ("network",)


def test_what_would_hold_it_next_is_changed_with_it() -> None:
    next_one = {
        AS_IS: 40,
        ALL: 90,
        "all but": 90,
        "all but source storage": 41,
        "without source storage and queue": 80,
        "advice": 70,
    }
    found, tried = profiled(next_one, **DISKS)
    assert found.limits == ("source storage",)
    assert found.gain == pytest.approx(1.0)
    assert found.evidence[1:] == (
        "lifting this alone gains nothing, because queue is the next limit",
    )
    assert set(found.advised.options) == {"source-depth", "queue"}
    assert "without source storage and network" in tried
    # where that gives nothing either, nothing is advised
    next_one |= {"without source storage and queue": 41, "advice": 39}
    found, _ = profiled(next_one, **DISKS)
    assert (found.limits, found.advised) == (("source storage",), None)


def test_one_that_gives_a_third_of_all_is_enough() -> None:
    enough = {AS_IS: 40, ALL: 99, "without network": 60}
    found, tried = profiled(enough)
    assert found.limits == ("network",)
    assert not [label for label in tried if label.startswith("all but")]


def test_more_connections_are_no_cause_where_there_is_another() -> None:
    other = {AS_IS: 40, "without parallelism": 80, "without loss": 60, ALL: 80}
    assert profiled(other, random_loss=0.001)[0].limits == ("loss",)
    other["without loss"] = 59
    assert profiled(other, random_loss=0.001)[0].limits == ("parallelism",)


def test_the_queue_is_a_limit_where_it_refuses_packets() -> None:
    lossy = {AS_IS: 40, "without queue": 80, ALL: 80}
    found, tried = profiled(lossy)
    assert "queue" not in found.limits
    assert "without queue" not in tried
    found, _ = profiled(lossy, drops=7)
    assert found.limits == ("queue",)
    assert "7 packets do not fit into the queue of 100" in found.evidence[0]


DIRECTIONS = {
    "background": [],
    "delayed_ack_segments": 1,
    "direction": "upload",
    "link_header_bytes": 2,
    "reverse_bandwidth_bps": 1_000_000,
    "reverse_queue_packets": 100,
}
"""A reverse direction of 1 Mbit/s."""

UP, DOWN = ({"direction": one, "load": 0} for one in ("upload", "download"))


def told_of(name: str, **scenario: Any) -> tuple[list[Any], str, list[str]]:
    """Return how a limit is lifted, what shows it, and what is advised at 90 Mbit/s without it."""
    measured = result(30, drops=4)
    measured["links"].append({"utilisation": 0.9, "drops": 7, "mean_queue_packets": 50.0})
    measured["background"] = [{"goodput_bps": 20e6} for _ in scenario.get("background", [])]
    case, limit = Case({**SCENARIO, **DIRECTIONS, **scenario}, measured), BY_NAME[name]
    advised = [" ".join(told(options)) for options in limit.advice(case, 90e6)]
    return list(limit.lift(case)), limit.evidence(case), advised


def test_the_reverse_direction_is_as_fast_as_the_other_and_empty_without_the_limit() -> None:
    # 1 Mbit/s are 2976 ACKs of 42 bytes a second, each of which acknowledges 1460 bytes
    lifted, shown, advised = told_of("reverse direction")
    assert lifted == [{"reverse-bandwidth": "100Mbps"}]
    assert shown.startswith("the reverse direction of 1 Mbit/s carries the ACKs of 34.8 Mbit/s if")
    assert shown.endswith("90 % of the time, its mean queue is 50 packets, and it drops 7")
    assert advised == [
        "--delayed-ack=2",
        "--reverse-queue-discipline=red",
        "--reverse-queue=10p",
        "--delayed-ack=2 --reverse-queue-discipline=red",
        "--delayed-ack=2 --reverse-queue=10p",
        "--reverse-bandwidth=3800kbps",
    ]
    wider = {"reverse-bandwidth": "100Mbps"}
    both, *_ = told_of("reverse direction", background=[UP, DOWN], reverse_random_loss=0.1)
    lossless = {**wider, "reverse-random-loss": "0"}
    assert both == [lossless, {**lossless, "background": [UP]}]
    equal, shown, _ = told_of(
        "reverse direction", background=[UP, DOWN], direction="download",
        reverse_bandwidth_bps=100_000_000,
    )  # fmt: skip
    assert equal == [{"background": [DOWN]}]
    assert shown.startswith("the ACKs share the reverse direction with the data of 1 background ")


def test_other_traffic_is_that_in_the_direction_of_the_data() -> None:
    lifted, shown, advised = told_of("other traffic", background=[UP, DOWN, UP])
    assert lifted == [{"background": [DOWN]}]
    assert shown.startswith(
        "2 background connections in the same direction carry 40 Mbit/s and the transfer 30 Mbit/s;"
    )
    assert advised == [
        "--parallelism=4", "--parallelism=8", "--parallelism=16", "--bandwidth=200Mbps",
    ]  # fmt: skip
    assert BY_NAME["other traffic"].lift(Case({**SCENARIO, **DIRECTIONS}, result(30))) == []


def test_what_remains_of_other_traffic_after_two_lifts_is_what_remains_after_both() -> None:
    scenario = {**DIRECTIONS, "background": [UP, DOWN], "reverse_bandwidth_bps": 10**8}
    asked: dict[str, Any] = {}
    measured = {**result(30), "background": [{"goodput_bps": 1}] * 2}
    inquiry = Inquiry({**SCENARIO, **scenario}, asked)
    while lacking := {n: o for n, o in inquiry.wanted().items() if n not in asked}:
        asked.update(dict.fromkeys(lacking, measured))
        inquiry = Inquiry({**SCENARIO, **scenario}, asked)
    assert inquiry.wanted()[ALL]["background"] == []


def test_packets_that_overtake_are_a_limit_of_their_own() -> None:
    free = {
        "delay_jitter_s": 0.002,
        "delay_jitter_distribution": "uniform",
        "delay_jitter_order": "free",
    }
    lifted, shown, advised = told_of("jitter", **free)
    assert lifted == [{"delay-jitter": "0ms"}]
    assert shown == (
        "delays vary by 2 ms (uniform) and a packet takes 0.12 ms, so packets overtake others; "
        "1 % of 1000 segments are retransmitted; the queue drops 4 packets"
    )
    assert advised[0] == "--delay-jitter-order=fifo"
    _, shown, advised = told_of("jitter", **{**free, "delay_jitter_order": "fifo"})
    assert "overtake" not in shown
    assert "--delay-jitter-order=fifo" not in advised
    lifted, shown, _ = told_of("reordering", reorder=0.25)
    assert lifted == [{"reorder": "0"}]
    assert shown.startswith("25 % of the packets overtake others; ")
    # 10 are sent again, of which the queue has dropped 4 or 6: is it the queue?
    overtaken = {**SCENARIO, "reorder": 0.25}
    for name in ("queue", "overshoot"):
        assert not BY_NAME[name].is_met(Case(overtaken, result(30, drops=4)))
        assert BY_NAME[name].is_met(Case(overtaken, result(30, drops=6)))
        assert BY_NAME[name].is_met(Case(SCENARIO, result(30, drops=1)))


def test_a_link_that_is_idle_most_of_the_time_is_no_limit() -> None:
    found, asked = profiled({AS_IS: 40, "without network": 60}, utilisation=0.49)
    assert found.name == "none"
    assert "without network" not in asked
    found, _ = profiled({AS_IS: 40, "without network": 60}, utilisation=0.51)
    assert found.name == "network"


@pytest.mark.parametrize(
    ("name", "scenario", "lifted", "shown", "first"),
    [
        (
            # 65,536 bytes in 80 ms are 6.55 Mbit/s, for each of two connections
            "send buffer", {"send_buffer_bytes": 65536}, {"send-buffer": "0B"},
            "2 send buffers of 64 KiB per RTT of 80 ms: 13.1 Mbit/s at most; the bandwidth-delay "
            "product is 977 KiB",
            "--send-buffer=512KiB",
        ),
        (
            "send buffer", {"send_pool_bytes": 262144}, {"send-pool": "0B"},
            "a send pool of 256 KiB per RTT of 80 ms: 26.2 Mbit/s at most; the bandwidth-delay "
            "product is 977 KiB",
            "--send-pool=2MiB",
        ),
        (
            # one packet of 1500 bytes in 0.5 ms
            "host overhead", {"host_overhead_s": 0.001}, {"host-overhead": "0ms"},
            "a host waits up to 1 ms before it sends a packet, half of this on average: 24 Mbit/s "
            "at most",
            "--packet-size=9000B",
        ),
        (
            "RED", {"queue_discipline": "red", "red_min_threshold_packets": 5},
            {"queue-discipline": "drop-tail"},
            "RED drops 4 packets; it starts at an average queue of 5 packets, and the queue holds "
            "100; the longest queue has 9",
            "--red-min-threshold=33p --red-max-threshold=100p",
        ),
        (
            # 9 packets of 1500 bytes; twice 5 ms is less than a quarter of 80 ms
            "CoDel",
            {"queue_discipline": "codel", "codel_target_s": 0.005, "codel_interval_s": 0.1,
             "ecn": True},
            {"queue-discipline": "drop-tail"},
            "CoDel drops 4 packets to keep the queueing delay near 5 ms (RTT 80 ms); the longest "
            "queue has 9 packets of 100",
            "--codel-target=20ms",
        ),
        (
            # The interval is to be longer than a round trip
            "FQ-CoDel",
            {"queue_discipline": "fq-codel", "codel_target_s": 0.005, "codel_interval_s": 0.02,
             "ecn": True},
            {"queue-discipline": "drop-tail"},
            "FQ-CoDel drops 4 packets to keep the queueing delay near 5 ms (RTT 80 ms); the "
            "longest queue has 9 packets of 100",
            "--codel-interval=120ms",
        ),
        (
            "PIE", {"queue_discipline": "pie", "pie_target_s": 0.015, "ecn": False},
            {"queue-discipline": "drop-tail"},
            "PIE drops 4 packets to keep the queueing delay near 15 ms (RTT 80 ms); the longest "
            "queue has 9 packets of 100",
            "--ecn=on",
        ),
        (
            "faults", {"faults": [{"kind": "link-down", "at_s": 5, "for_s": 20}], "retries": 0},
            {"faults": []},
            "link-down at 5 s for 20 s; the transfer takes 2 s; attempts: 1",
            "--stall-timeout=5s --retries=20 --retry-wait=1s",
        ),
    ],
)  # fmt: skip
def test_what_else_limits_a_path(
    name: str, scenario: dict[str, Any], lifted: dict[str, Any], shown: str, first: str
) -> None:
    got = told_of(name, **scenario)
    assert (got[0], got[1], got[2][0]) == ([lifted], shown, first)
    assert BY_NAME[name].lift(Case(SCENARIO, result(40))) == []


def test_lists_of_which_nothing_remains_are_told_in_words() -> None:
    assert told({"background": [], "faults": []}) == ["no --background", "no --fault"]
    assert told({"background": [UP]}) == ["only 1 --background"]


def test_what_is_refused_or_fails_counts_as_tried() -> None:
    found, _ = profiled({AS_IS: 40, "without window": None, "without network": 60, ALL: None})
    assert found.limits == ("network",)
    assert "without window" not in {one.what for one in found.lifted}
    assert profiled({AS_IS: None})[0] is None


def test_the_easiest_change_that_is_nearly_the_best_is_advised() -> None:
    changes = {AS_IS: 40, "without window": 80, ALL: 80, "advice": 75}
    found, _ = profiled(changes)
    assert told(found.advised.options) == ["--window=490KiB"]
    assert [" ".join(told(one.options)) for one in found.candidates] == [
        "--window=490KiB", "--window=512KiB", "--window=2MiB", "--parallelism=4",
    ]  # fmt: skip
    found, _ = profiled({**changes, "advice": 60, "advice, 2": 80})
    assert found.advised.gain == pytest.approx(1.0)


def test_where_no_advice_helps_it_is_to_do_without_the_limit() -> None:
    found, _ = profiled({AS_IS: 40, "without source": 80, ALL: 80, "advice": 39}, **DISKS)
    assert told(found.advised.options) == ["--source=memory"]
    assert found.advised.gain == pytest.approx(1.0)


HOST = {
    "receiver_cores": 2,
    "receiver_backlog_packets": 300,
    "receiver_interrupt_cpu_s": 5e-6,
    "receiver_interrupt_delay_s": 0.0,
    "receiver_packet_cpu_s": 4e-6,
    "receiver_rmem_max_bytes": 131072,
}


def host_case() -> Case:
    """Return a transfer to a host that takes 2 s, of which its driver works 0.9 on one core."""
    measured = result(40)
    measured["sessions"][0]["buffers"] = {"receive_peak_bytes": 131072}
    measured["sessions"][0]["host"] = {
        "sender": {},
        "receiver": {
            "cpu_driver_s": 0.9, "cpu_tcp_s": 0.2, "cpu_cores_s": [1.1, 0.0],
            "cpu_peak_load": 0.5, "packets_in": 1000, "backlog_drops": 20,
        },
    }  # fmt: skip
    return Case({**SCENARIO, **HOST}, measured)


@pytest.mark.parametrize(
    ("name", "lifted", "shown", "advised"),
    [
        (
            "receiver CPU: driver",
            [{"receiver-interrupt-cpu": "0ms", "receiver-packet-cpu": "0ms"}],
            "the receiver's driver takes 45 % of a core; the busiest of 2 cores is busy 55 % of "
            "the "
            "time; the peak load of the whole CPU is 50 %",
            ["--receiver-interrupt-delay=100us", "--packet-size=9000B",
             "--receiver-cores=4 --receiver-queues=2",
             "--receiver-interrupt-cpu=2500ns --receiver-packet-cpu=2us",
             "--receiver-cores=4 --receiver-queues=2 --receiver-interrupt-cpu=2500ns "
             "--receiver-packet-cpu=2us"],
        ),
        (
            "receiver backlog",
            [{"receiver-backlog": "0p"}],
            "the receiver's backlog of 300 packets drops 20 of 1000",
            [f"receiver: net.core.netdev_max_backlog = {count};"
             for count in (1000, 2500, 30000, 250000)],
        ),
        (
            # two windows that hold 1,000,000 bytes together, each in a buffer twice as large
            "receiver OS buffers",
            [{"receiver-rmem-max": "1048576B"}, {"receiver-rmem-max": "0B"}],
            "the receiver sets rmem-max 128 KiB: each of 2 windows is at most 128 KiB; the "
            "bandwidth-delay product is 977 KiB",
            [f"receiver: net.core.rmem_max = {count};" for count in (2**19, 2**20, 2**21, 2**23)],
        ),
    ],
)  # fmt: skip
def test_what_a_host_limits(
    name: str, lifted: list[dict[str, str]], shown: str, advised: list[str]
) -> None:
    case, limit = host_case(), BY_NAME[name]
    assert limit.is_met(case)
    assert limit.lift(case) == lifted
    assert limit.evidence(case) == shown
    assert [" ".join(told(options)) for options in limit.advice(case, 80e6)] == advised


def test_a_host_that_costs_nothing_limits_nothing() -> None:
    case = Case(SCENARIO, result(40))
    assert [limit.name for limit in HOST_LIMITS if limit.lift(case)] == []


def test_what_sysctl_sets_is_told_as_its_line() -> None:
    options = {"receiver-rmem-max": "4194304B", "sender-backlog": "30000p", "window": "4MiB",
               "receiver-cores": "2", "sender-tcp-wmem-max": "0B"}  # fmt: skip
    assert told(options) == [
        "receiver: net.core.rmem_max = 4194304;",
        "sender: net.core.netdev_max_backlog = 30000;",
        "--window=4MiB",
        "--receiver-cores=2",
        "--sender-tcp-wmem-max=0B",
    ]


def test_the_documented_limits_are_those_there_are() -> None:
    table = manual().partition(".. csv-table:: Limits\n")[2].partition("\n\nThe profiler works")[0]
    named = re.findall(r"^   ``([^`]+)``, ", table, re.MULTILINE)
    both = [name.replace("END", end) for name in named for end in ("sender", "receiver")]
    assert sorted(set(both)) == sorted(BY_NAME)


def test_the_manual_shows_the_matrix_that_is_shipped() -> None:
    (shown,) = re.findall(r"such a matrix::\n\n(.*?)\n\n\S", manual(), re.DOTALL)
    shipped = (ROOT / "contrib/gridftp/examples/server.toml").read_text(encoding="utf-8")
    assert textwrap.dedent(shown).strip() == shipped.strip()


def test_the_table_of_limits_tells_them_apart() -> None:
    assert len({limit.letter for limit in LIMITS}) == len(LIMITS) == len(BY_NAME)
    assert {limit.family for limit in LIMITS} <= COLORS.keys()


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (lambda: amounts.size(4 << 20), "4MiB"),
        (lambda: amounts.size(1000.2), "1001B"),
        (lambda: amounts.rate(2.5e9), "2500Mbps"),
        (lambda: amounts.rate(1234567), "1234567bps"),
        (lambda: amounts.time(0.0125), "12500us"),
        (lambda: amounts.time(1e-9), "1ns"),
        (lambda: str(amounts.power_of_two(1_000_000)), str(1 << 20)),
        (lambda: str(amounts.power_of_two(1 << 40)), str(1 << 30)),
        (lambda: str(amounts.two_digits(1_234_567)), "1300000"),
        (lambda: str(amounts.two_digits(7)), "7"),
        (lambda: amounts.said_rate(93_328_184), "93.3 Mbit/s"),
        (lambda: amounts.said_rate(999_700_000), "1 Gbit/s"),
        (lambda: amounts.said_rate(0.5), "0.5 bit/s"),
        (lambda: amounts.said_size(65536), "64 KiB"),
        (lambda: amounts.said_size(1023 * 1024), "1023 KiB"),
        (lambda: amounts.said_file(200_000_000), "200 MB"),
        (lambda: amounts.percent(0.0123), "1.2 %"),
    ],
)
def test_amounts_are_written_as_options_take_them(asked: Any, text: str) -> None:
    assert asked() == text


def tool_result(mbps: float, blasts: tuple[int, ...] = (), **more: Any) -> dict[str, Any]:
    """Return what a transfer by datagrams of so much goodput measures."""
    made = result(mbps, drops=7)
    session = made["sessions"][0]
    del session["gridftp"], session["tcp"]
    udp = {"packets": 1000, "retransmissions": 20, "duplicates": 0, "reports": 9}
    session["udp"] = {**udp, "blasts": list(blasts), **more}
    return made


UDT: Mapping[str, Any] = {
    **SCENARIO,
    "mode": "mi",
    "tool": "udt",
    "tool_payload_bytes": 1250,
    "tool_rate_bps": 10_000_000,
    "tool_streams": 1,
    "tool_udt_buffer_packets": 100,
    "tool_udt_flight_packets": 25_600,
}


def test_a_tool_of_datagrams_has_its_own_limits() -> None:
    inquiry = Inquiry({**UDT, "random_loss": 0.01, "sink": "disk"}, {AS_IS: tool_result(8)})
    wanted = set(inquiry.wanted())
    lifted = {label.removeprefix("without ") for label in wanted if label.startswith("without")}
    # no window, queue or connections of TCP, no chunks
    assert lifted == {"sink storage", "flow window", "loss", "network"}
    assert inquiry.wanted()["without flow window"] == {
        "tool-udt-buffer": "400", "tool-udt-flight": "102400",
    }  # fmt: skip


def test_a_flow_window_is_told_in_packets_and_as_a_rate() -> None:
    case = Case(UDT, tool_result(8))
    # 100 x 1250 bytes in 80 ms
    assert BY_NAME["flow window"].evidence(case) == (
        "at most 100 packets are unacknowledged: 12.5 Mbit/s with an RTT of 80 ms"
    )
    assert BY_NAME["loss"].evidence(case) == (
        "2 % of 1000 datagrams are retransmitted; the queue drops 7 packets"
    )


def test_blasts_are_limited_by_their_rate() -> None:
    case = Case({**UDT, "tool": "rbudp"}, tool_result(9, blasts=(900, 100)))
    assert BY_NAME["blast rate"].lift(case) == [
        {"tool-rate": "83333334bps"},
        {"tool-rate": "20Mbps"},
    ]
    assert BY_NAME["blast rate"].evidence(case) == "the tool sends 2 blasts at 10 Mbit/s"
    assert BY_NAME["flow window"].lift(case) == []
    assert BY_NAME["blast rate"].lift(Case(UDT, tool_result(9))) == []


def test_a_disk_of_a_tool_is_to_be_faster_and_no_deeper() -> None:
    case = Case({**UDT, "sink": "disk"}, tool_result(8))
    assert BY_NAME["sink storage"].advice(case, 40e6) == [{"sink-rate": "50Mbps"}]
