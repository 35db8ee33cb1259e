"""What files of sadf, perf, iperf3 and ss say, of a real run.

``readings/`` has those of iperf3 with four connections from one network namespace to another on a
machine of two cores on which a compiler was running, cut down: a line for each function of iperf3
and the threads of the kernel (perf report --comms), four kinds of interrupts, no intervals.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import made_up_readings as made_up
import pytest
from made_up_readings import MadeUp

from experiments.readings.iperf3 import read_iperf3
from experiments.readings.json_nodes import line_of
from experiments.readings.modules import IDLE, OTHER, RULES, Rule, Shares, module_of, shares
from experiments.readings.perf_report import Row, parse_perf_report, read_perf_report
from experiments.readings.reading import Reading
from experiments.readings.report import describe
from experiments.readings.sadf import Backlog, Core, Interface, read_sadf
from experiments.readings.sockets import parse_sockets, read_sockets
from experiments.spec.places import Keys

FILES = Path(__file__).parent / "samples"


def test_sadf() -> None:
    sadf = read_sadf(FILES / "p4-sender.sadf.json")
    assert (sadf.host, sadf.cores, len(sadf.samples)) == ("sender.example", 2, 6)
    one = sadf.samples[1]
    # 2026-01-15 13:00:03 UTC.
    assert (one.line, one.start_s, one.end_s) == (45, 1768482002, 1768482003)
    assert one.cores == {
        "0": Core(1.0, pytest.approx(0.1616)),
        "1": Core(1.0, pytest.approx(0.8)),
    }
    kb = 1024
    assert one.interfaces["eth0"] == Interface(7442, 34801, 479.66 * kb, 51194.18 * kb)
    # Of interrupt 42; 24 has none, and LOC is the timer of a core.
    assert one.interrupts == 1
    assert one.backlogs == (Backlog(4086, 0, 0, 0), Backlog(38296, 0, 0, 0))
    assert (one.read, one.written, one.nfs_calls) == (0, 0, 0)
    assert one.memory == pytest.approx(0.046)


def test_sadf_with_fewer_reports_has_nothing_of_what_is_not_told(tmp_path: Path) -> None:
    data = made_up.sadf(MadeUp())
    for sample in data["sysstat"]["hosts"][0]["statistics"]:
        del sample["network"], sample["interrupts"]
        for core in sample["cpu-load"]:
            # As with -u in place of -u ALL, where irq and soft are a part of system.
            core["user"], core["system"] = core.pop("usr"), core.pop("sys")
            del core["irq"], core["soft"]
        # As from sysstat 12.7.4 on.
        del sample["timestamp"]["utc"]
        sample["timestamp"]["tz"] = "UTC"
    file = tmp_path / "few.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    one = read_sadf(file).samples[3]
    assert (one.interfaces, one.backlogs) == ({}, ())
    assert (one.interrupts, one.read, one.nfs_calls, one.memory) == (None, None, None, None)
    assert one.cores["0"].kernel == pytest.approx(one.cores["0"].busy) != 0


def test_time_for_disks_and_other_machines_is_not_busy(tmp_path: Path) -> None:
    data = made_up.sadf(MadeUp(cores=1))
    load = {"usr": 20, "nice": 5, "sys": 10, "iowait": 8, "steal": 7, "irq": 1, "soft": 4}
    for sample in data["sysstat"]["hosts"][0]["statistics"]:
        sample["cpu-load"] = [{"cpu": "all", **load, "idle": 45}, {"cpu": "0", **load, "idle": 45}]
    file = tmp_path / "one.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert read_sadf(file).samples[0].cores == {"0": Core(pytest.approx(0.4), pytest.approx(0.15))}


def test_iperf3_of_both_ends() -> None:
    client = read_iperf3(FILES / "p4-sender.iperf3.json")
    assert client.sends
    assert (client.version, client.streams, client.call_bytes) == ("iperf 3.12", 4, 131072)
    assert (client.mss_bytes, client.retransmissions, client.congestion) == (1448, 15, "cubic")
    assert (client.start_s, client.bytes) == (1768482002, 200278016)
    assert client.goodput_bps == pytest.approx(200278016 * 8 / 4.000231)
    server = read_iperf3(FILES / "p4-receiver.iperf3.json")
    assert not server.sends
    assert (server.streams, server.bytes, server.mss_bytes) == (4, 200278016, None)
    assert server.retransmissions is None


def test_ss_of_both_ends() -> None:
    sender = read_sockets(FILES / "p4-sender.ss.txt")
    # The control connection carried 207 bytes.
    assert len(sender.connections) == 5
    assert [one.line for one in sender.data()] == [4, 6, 8, 10]
    one = sender.data()[0]
    assert (one.local, one.peer) == ("192.0.2.1:52200", "192.0.2.2:5301")
    assert (one.cwnd, one.mss, one.rcv_space) == (245, 1448, 14480)
    assert one.rtt_s == pytest.approx(0.072e-3)
    assert (one.bytes_acked, one.data_segs_out, one.segs_in) == (27263014, 18929, 5302)
    assert (one.busy_s, one.rwnd_limited_s, one.sndbuf_limited_s) == (0.076, 0, 0)
    assert one.delivery_rate_bps == 2802580640
    received = read_sockets(FILES / "p4-receiver.ss.txt").data()
    assert [one.bytes_received for one in received] == [27394085] * 4
    assert received[0].rcv_space == 257800


def test_ss_in_other_forms() -> None:
    # -O: all in one line, here of a kernel on a path that the receiver and the buffer limit.
    info = (
        "cubic wscale:7,7 rto:304 rtt:101.5/0.25 mss:1448 cwnd:120 bytes_acked:5000000 "
        "delivery_rate 28.5Mbps busy:2000ms rwnd_limited:500ms(25.0%) sndbuf_limited:20ms(1.0%)"
    )
    head = 'ESTAB 0 0 10.0.0.1:5 10.0.0.2:6 users:(("iperf3",pid=12,fd=5))'
    (one,) = parse_sockets(Path("x"), f"{head} {info}\n").connections
    assert (one.rtt_s, one.cwnd, one.delivery_rate_bps) == (0.1015, 120, 28.5e6)
    assert (one.busy_s, one.rwnd_limited_s, one.sndbuf_limited_s) == (2.0, 0.5, 0.02)
    # Of several looks the last one counts; a connection that is opening has no window of note.
    looks = f"State Recv-Q\n{head}\n\t{info}\nSYN-SENT 0 1 10.0.0.1:7 10.0.0.2:6\n\tcubic cwnd:1\n"
    again = looks.replace("bytes_acked:5000000", "bytes_acked:9000000")
    (one,) = parse_sockets(Path("x"), looks + again).connections
    assert one.bytes_acked == 9000000


def test_perf_report() -> None:
    report = read_perf_report(FILES / "p4-sender.perf.txt")
    assert (report.event, len(report.rows)) == ("cpu-clock", 204)
    first = Row(12, 0.1508, "iperf3", "[kernel.kallsyms]", "_raw_spin_unlock_irqrestore")
    assert report.rows[0] == first
    # Shares are told in two decimals.
    assert report.covered == pytest.approx(1, abs=0.005)
    found = shares(report)
    assert found.other == 0
    assert sum(found.modules.values()) == pytest.approx(1)
    assert found.modules["tcp"] == pytest.approx(0.518, abs=0.001)
    assert found.modules["driver"] == pytest.approx(0.099, abs=0.001)
    assert found.modules["rpc"] == 0


CHILDREN = """\
# Samples: 10K of event 'cycles:ppp'
#
# Children      Self       Samples  Command      Shared Object      Symbol
# ........  ........  ............  ...........  .................  ..............
#
    99.00%    50.00%          5000  swapper      [kernel.vmlinux]   [k] intel_idle
    40.00%    30.00%          3000  iperf3       [tg3]              [k] tg3_start_xmit
    20.00%    15.00%          1500  globus-grid  globus-gridftp-se  [.] main
     5.00%     5.00%           500  sshd         [kernel.vmlinux]   [k] _copy_to_iter
"""


def test_perf_report_with_more_columns_and_idle_cores() -> None:
    report = parse_perf_report(Path("x"), CHILDREN)
    assert [row.share for row in report.rows] == pytest.approx([0.5, 0.3, 0.15, 0.05])
    # Of the half in which cores were busy.
    assert shares(report) == Shares(
        {
            "application": pytest.approx(0.3),
            "tcp": 0,
            "driver": pytest.approx(0.6),
            "file_system": 0,
            "rpc": 0,
        },
        pytest.approx(0.1),
    )


@pytest.mark.parametrize(
    ("command", "where", "symbol", "module"),
    [
        # The modules of FTPProfiler's Table 6 (Luu and others), whoever's time they run in.
        ("globus-gridftp-", "[mbcache]", "mb_cache_entry_get", "file_system"),
        ("nfsd", "[nfs]", "nfs_writepages", "file_system"),
        ("kworker/u8:2", "[sunrpc]", "rpc_execute", "rpc"),
        ("cc1", "[tcp_cubic]", "bictcp_cong_avoid", "tcp"),
        ("swapper", "[tg3]", "tg3_poll", "driver"),
        # Built into the kernel.
        ("iperf3", "[kernel.kallsyms]", "tcp_v4_rcv", "tcp"),
        ("cc1", "[kernel.kallsyms]", "__tcp_transmit_skb", "tcp"),
        ("cc1", "[kernel.kallsyms]", "napi_gro_receive", "driver"),
        ("cc1", "[kernel.kallsyms]", "tcp_gro_receive", "driver"),
        ("iperf3", "[kernel.kallsyms]", "_copy_from_iter", "tcp"),
        ("globus-gridftp-", "[kernel.kallsyms]", "filemap_get_pages", "file_system"),
        ("kworker/u8:1", "[kernel.kallsyms]", "xprt_transmit", "rpc"),
        ("ksoftirqd/1", "[kernel.kallsyms]", "_raw_spin_lock", "driver"),
        ("iperf3", "[kernel.kallsyms]", "_raw_spin_lock", "application"),
        ("globus-url-copy", "libc.so.6", "memcpy", "application"),
        ("iperf3", "[kernel.kallsyms]", "kmem_cache_alloc_node_noprof", "tcp"),
        ("iperf3", "[kernel.kallsyms]", "___slab_alloc", "tcp"),
        ("iperf3", "[kernel.kallsyms]", "native_write_msr", "driver"),
        ("iperf3", "[kernel.kallsyms]", "__smp_call_single_queue", "driver"),
        # What others do with copies and files is theirs.
        ("cc1", "[kernel.kallsyms]", "native_write_msr", OTHER),
        ("cc1", "[kernel.kallsyms]", "___slab_alloc", OTHER),
        ("cc1", "[kernel.kallsyms]", "_copy_to_iter", OTHER),
        ("cc1", "[kernel.kallsyms]", "filemap_get_pages", OTHER),
        ("tcp_dump", "tcp_dump", "tcp_main", OTHER),
        ("gridftp-transfe", "gridftp-transfer", "main", OTHER),
        ("swapper", "[kernel.kallsyms]", "pv_native_safe_halt", IDLE),
        ("swapper/3", "[kernel.vmlinux]", "intel_idle", IDLE),
    ],
)
def test_the_module_of_a_function(command: str, where: str, symbol: str, module: str) -> None:
    assert module_of(Row(1, 0.1, command, where, symbol)) == module


def test_the_last_rule_takes_all() -> None:
    assert RULES[-1] == Rule(OTHER, why=RULES[-1].why)
    assert all(rule.why for rule in RULES)


def real(end: str) -> Reading:
    files = sorted(FILES.glob(f"p4-{end}.*"))
    (reading,) = describe(files).readings
    return reading


def test_a_real_run_at_both_ends() -> None:
    sender, receiver = real("sender"), real("receiver")
    assert (sender.end, receiver.end) == ("sender", "receiver")
    # All six samples may be of the run, which took four seconds.
    assert sender.seconds == receiver.seconds == 6
    assert sender.rates.payload == receiver.rates.payload == pytest.approx(200278016 / 6)
    assert sender.rates.calls == pytest.approx(200278016 / 6 / 131072)
    assert (sender.streams, receiver.streams) == (4, 4)
    # 383 + 34801 + 34731 + 34586 + 34592 packets went out, and as many had come in by then or the
    # second after; 10 bytes of options and 1448 of data in each.
    assert sender.rates.segments == pytest.approx(139093 / 6)
    assert receiver.rates.segments == pytest.approx(139093 / 6, rel=1e-3)
    assert sender.rates.payload / sender.rates.segments == pytest.approx(1448, rel=0.01)
    assert sender.rates.packets == sender.rates.segments + sender.rates.acks
    # Four connections, at random: three of four packets follow one of another.
    assert sender.rates.switches == pytest.approx(sender.rates.packets * 0.75)
    # 7 interrupts in six seconds with 28,226 packets in each are none of the interface.
    assert sender.rates.interrupts == 0
    assert sender.rates.file_bytes == 0
    assert sum(sender.modules.values()) == pytest.approx(sender.busy)
    assert receiver.modules is None
    assert [one.cwnd for one in sender.connections] == [245, 225, 245, 245]
    assert (sender.dropped, sender.handed) == (0, 0)


def test_packets_handed_to_other_cores_are_counted_over_all_of_them(tmp_path: Path) -> None:
    text = (FILES / "p4-sender.sadf.json").read_text(encoding="utf-8")
    file = tmp_path / "p4-sender.sadf.json"
    for core, handed in (("all", 9.0), ("0", 2.0), ("1", 7.0)):
        row = rf'("cpu": "{core}", "total": [0-9.]+, .*"rx_rps": )0\.00'
        text = re.sub(row, rf"\g<1>{handed:.2f}", text)
    file.write_text(text, encoding="utf-8")
    rest = [FILES / "p4-sender.iperf3.json", FILES / "p4-sender.perf.txt"]
    report = describe([file, *rest])
    (one,) = report.readings
    assert (one.handed, one.rates.interrupts) == (9, 0)
    # Devices cause too few: a cost is fitted to those between cores.
    assert report.fits[0].readings[0].rates.interrupts == 9


def test_segments_that_the_interface_cuts_are_counted_as_on_the_wire(tmp_path: Path) -> None:
    files = made_up.write(tmp_path, "run", MadeUp(payload=90e6, mss=9000))
    text = files[2].read_text(encoding="utf-8")
    files[2].write_text(text.replace("9000", "1500"), encoding="utf-8")
    report = describe(files)
    # Eight of ten seconds.
    assert report.readings[0].rates.segments == pytest.approx(90e6 / 1500 * 0.8)
    (note,) = report.notes
    assert "counted packets have 9000 bytes of data, segments 1500" in note


def test_files_are_put_together_by_their_names(tmp_path: Path) -> None:
    one = made_up.write(tmp_path, "one", MadeUp())
    two = made_up.write(tmp_path, "two", MadeUp(payload=30e6))
    report = describe([two[2], one[0], one[1], two[0], one[2], two[1]])
    assert [(run.name, run.files) for run in report.runs] == [
        ("two", tuple(two)),
        ("one", tuple(one)),
    ]
    # One of each are of one run whatever they are called.
    moved = [file.rename(tmp_path / name) for file, name in zip(one, "abc", strict=True)]
    (run,) = describe(moved).runs
    assert run.files == tuple(moved)


def test_a_run_without_sadf_is_told_and_not_fitted() -> None:
    report = describe([FILES / "p4-sender.iperf3.json", FILES / "p4-sender.ss.txt"])
    assert (report.readings, report.fits) == ((), ())
    assert report.notes == ("p4-sender: without a file of sadf, so no costs are fitted to it",)


TRICKY = """{"a": [
  1, {"b{": "}]\\" ,:",
      "c": []},
  [[], [
     true]]
],
"a,b"
 :
 null, "d": {},
"e": -1.5e3}
"""


def test_lines_of_json() -> None:
    json.loads(TRICKY)
    expected: dict[Keys, int] = {
        (): 1, ("a",): 1, ("a", 0): 2, ("a", 1): 2, ("a", 1, "b{"): 2, ("a", 1, "c"): 3,
        ("a", 2): 4, ("a", 2, 0): 4, ("a", 2, 1): 4, ("a", 2, 1, 0): 5,
        ("a,b",): 7, ("d",): 9, ("e",): 10,
    }  # fmt: skip
    assert {keys: line_of(TRICKY, keys) for keys in expected} == expected
    for keys in (("c",), ("a", 3), ("a", 1, "b"), ("d", "x"), ("a", 0, 0), ("a", "b{")):
        with pytest.raises(KeyError):
            line_of(TRICKY, keys)
    assert line_of('{"a": 1,\n"a": 2}', ("a",)) == 2


def test_lines_of_any_json() -> None:
    draw = random.Random(4)

    def value(depth: int) -> Any:
        kind = draw.randrange(5 if depth < 4 else 3)
        if kind < 3:
            return [draw.randrange(99), '"]}', None][kind]
        if kind == 3:
            return [value(depth + 1) for _ in range(draw.randrange(4))]
        return {
            draw.choice("abcdef{,") + str(n): value(depth + 1) for n in range(draw.randrange(4))
        }

    def places(data: Any, keys: Keys = ()) -> list[Keys]:
        here = [keys]
        if isinstance(data, dict | list):
            inner = data.items() if isinstance(data, dict) else enumerate(data)
            for key, one in inner:
                here += places(one, (*keys, key))
        return here

    for _ in range(200):
        data = value(0)
        # With an indent every place begins a line, and lines come in the order of places.
        text = json.dumps(data, indent=1)
        lines = [line_of(text, place) for place in places(data)]
        assert lines == sorted(set(lines))
