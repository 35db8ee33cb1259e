"""The text of iperf3, of clients and servers, as people have it."""

from __future__ import annotations

import re
from pathlib import Path

import made_up_readings as made_up
import pytest
from made_up_iperf3 import BOTH, HEAD, INTERVALS, PLAIN, SERVER, SEVERAL, SUMS, VERBOSE
from made_up_readings import MadeUp
from test_readings_iperf3 import rates, refusal, run, runs
from test_readings_report import cells, printed

from experiments.readings.iperf3 import read_iperf3
from experiments.readings.iperf3.text import is_iperf3_text
from experiments.readings.report import describe


def test_a_client() -> None:
    one = run(PLAIN)
    assert (one.sends, one.streams, one.retransmissions, one.line) == (True, 1, 4, 1)
    assert rates(one.flows[0]) == pytest.approx((893, 877))
    assert one.duration_s == 3.04
    assert [x.bps for x in one.flows[0].intervals] == pytest.approx([839e6, 940e6, 900e6])
    assert [x.retransmissions for x in one.flows[0].intervals] == [3, 0, 1]
    assert one.flows[0].streams[0].cwnd_bytes == 1.25 * 2**20
    assert (one.call_bytes, one.start_s, one.failure, one.notes) == (None, None, "", ())


def test_a_client_alone_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    file.write_text(PLAIN, encoding="utf-8")
    text = printed(describe([file]))
    assert cells(text, "run", "sends", "1")[3:7] == ["3.04", "893.0", "877.0", "4"]
    assert cells(text, "run", "sends", "3")[3:] == ["1", "839.0", "900.0", "940.0", "3"]


@pytest.mark.parametrize(
    "stamp",
    [
        "Fri Nov 27 15:00:00 2026 ",
        "15:00:00 ",
        "[2026-11-27 15:00:00.123456] ",
        "1795791600.5 ",
        "site A:  ",
        "\x1b[0m",
    ],
)
def test_what_is_in_front_of_lines_is_skipped(stamp: str) -> None:
    stamped = "".join(f"{stamp}{line}" for line in PLAIN.splitlines(keepends=True))
    assert run(stamped).flows == run(PLAIN).flows


def test_the_last_line_of_a_copy_may_lack_its_end() -> None:
    assert run(PLAIN.rstrip("\n")).flows == run(PLAIN).flows
    assert run(PLAIN[: PLAIN.index("receiver") + 8]).flows == run(PLAIN).flows
    cut = PLAIN[: PLAIN.index("receiver") - 4]
    assert refusal(cut) == "x:11: ends in the middle of a line; allowed: a complete file"


def test_colours_and_cursors_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "run.txt"
    coloured = PLAIN.replace("[  5]", "\x1b[32m[  5]\x1b[0m").replace("sec", "\x1b[1;31msec\x1b[K")
    file.write_text(f"\x1b]0;title\x07\x1b[2J{coloured}", encoding="utf-8")
    assert read_iperf3(file).flows == run(PLAIN).flows


@pytest.mark.parametrize("width", range(58, 84))
def test_rows_that_a_terminal_has_wrapped(width: int) -> None:
    lines = (PLAIN + BOTH).split("\n")
    wrapped = [line[at : at + width] for line in lines for at in range(0, len(line) or 1, width)]
    assert max(map(len, wrapped)) == min(width, max(map(len, lines)))
    assert [one.flows for one in runs("\n".join(wrapped))] == [
        one.flows for one in runs(PLAIN + BOTH)
    ]


@pytest.mark.parametrize("indent", ["", "    "])
def test_rows_that_a_mail_program_has_wrapped(indent: str) -> None:
    for text in (PLAIN, SEVERAL, BOTH):
        wrapped = re.sub(r" +(sender|receiver|\(omitted\))$", rf"\n{indent}\1", text, flags=re.M)
        wrapped = re.sub(r" +([\d.]+ KBytes) *$", rf"\n{indent}\1", wrapped, flags=re.M)
        assert len(wrapped.splitlines()) > len(text.splitlines()) + 2
        assert run(wrapped).flows == run(text).flows


def test_sums_of_several_runs_without_their_headings() -> None:
    sums = "".join(line for line in PLAIN.splitlines(keepends=True) if "er\n" in line)
    assert sums.count("\n") == 2
    first, second = runs(sums + sums.replace("893", "700").replace("877", "650"))
    assert (rates(first.flows[0]), first.retransmissions) == (pytest.approx((893, 877)), 4)
    assert (rates(second.flows[0]), second.line) == (pytest.approx((700, 650)), 3)
    of_all = "".join(line for line in SEVERAL.splitlines(keepends=True) if "[SUM]   0.00-2" in line)
    assert [rates(one.flows[0]) for one in runs(of_all * 3)] == [pytest.approx((670, 671))] * 3
    both = "".join(line for line in BOTH.splitlines(keepends=True) if "er\n" in line)
    assert [len(one.flows) for one in runs(both * 2)] == [2, 2]


def test_intervals_behind_sums_are_of_another_run() -> None:
    rows = "".join(line for line in PLAIN.splitlines(keepends=True) if line.startswith("[  5]  "))
    first, second = runs(rows * 2)
    assert (len(first.flows[0].intervals), len(second.flows[0].intervals)) == (3, 3)
    assert first.flows == second.flows


PROMPTS = ("user@host:~$ ", "[root@host ~]# ", "^C", "- - - - - - -", "$ exit", "% ")


@pytest.mark.parametrize("last", [*PROMPTS, "iperf Don", "   "])
def test_a_last_line_that_is_no_row_may_lack_its_end(last: str) -> None:
    assert run(PLAIN + last).flows == run(PLAIN).flows
    assert run(HEAD + INTERVALS + last).flows == run(HEAD + INTERVALS).flows


@pytest.mark.parametrize(
    "last",
    [
        "[  5]   3.00-4.00   sec   107 MBytes   900 Mbits/sec    1    376 KBytes",
        "[  5]   0.00-3.00   sec   107 MBytes   900 Mbits/sec    1             sender",
    ],
)
def test_a_complete_last_row_may_lack_its_end(last: str) -> None:
    text = HEAD + INTERVALS + last
    assert run(text).flows == run(f"{text}\n").flows != run(HEAD + INTERVALS).flows


def test_a_last_row_of_a_receiver_may_lack_its_end() -> None:
    text = SERVER[: SERVER.index("471 Mbits/sec") + len("471 Mbits/sec")]
    assert run(text).flows == run(f"{text}\n").flows


@pytest.mark.parametrize("length", [1, 3, 5, 9, 22, 30, 37, 40, 52, 57, 60, 65, 70])
def test_a_last_row_that_is_cut_short_is_refused(length: int) -> None:
    row = "[  5]   3.00-4.00   sec   107 MBytes   900 Mbits/sec    1    376 KBytes"
    told = refusal(HEAD + INTERVALS + row[:length])
    assert told == "x:8: ends in the middle of a line; allowed: a complete file"


def test_rows_alone_do_not_show_who_sends() -> None:
    """Both endpoints print these; which one, only a heading, Retr or the sums show."""
    rows = (
        "[  5]   0.00-1.00   sec   100 MBytes   839 Mbits/sec\n"
        "[  5]   1.00-2.00   sec   112 MBytes   940 Mbits/sec\n"
    )
    assert refusal(rows) == (
        "x:1: the rows do not show which endpoint printed them: heading, retransmissions and sums "
        "are missing; allowed: the complete output of iperf3"
    )
    heading = "[ ID] Interval           Transfer     Bitrate\n"
    assert not run(heading + rows).sends
    assert run(HEAD + rows).sends
    assert run(rows.replace("bits/sec", "bits/sec    0    376 KBytes")).sends


@pytest.mark.parametrize(
    "line",
    [
        "sudo: iperf3: command not found",
        "-bash: line 1: iperf3: command not found",
        "sh: 1: iperf3: not found",
        "/usr/bin/iperf3: Permission denied",
        "bash: /opt/iperf3: No such file or directory",
        "iperf3: error while loading shared libraries: libiperf.so.0: cannot open",
    ],
)
def test_what_a_shell_prints_is_no_run(line: str) -> None:
    assert not is_iperf3_text(f"{line}\n")
    assert is_iperf3_text("iperf3: error - unable to connect to server: Connection refused\n")
    assert is_iperf3_text("iperf3: interrupt - the client has terminated\n")
    assert run(f"{line}\n{PLAIN}").flows == run(PLAIN).flows


@pytest.mark.parametrize(
    ("transfer", "rate", "mbps"),
    [
        ("1.10 GBytes", " 943 Mbits/sec", 943),
        ("1.10 GBytes", "0.94 Gbits/sec", 940),
        ("1126 MBytes", "0.11 GBytes/sec", 1126 * 2**20 * 8 / 10e6),
        (" 112 KBytes", "91.8 Kbits/sec", 0.0918),
        ("1153024 KBytes", "115302 KBytes/sec", 115302 * 1024 * 8 / 1e6),
        ("1.13 TBytes", " 991 Gbits/sec", 991_000),
        ("2.00 MBytes", "1677722 bits/sec", 1.677722),
        ("1.10 GBytes", " 112 MBytes/sec", 112 * 2**20 * 8 / 1e6),
    ],
)
def test_units(transfer: str, rate: str, mbps: float) -> None:
    row = f"[  5]   0.00-10.00  sec  {transfer}  {rate}"
    text = HEAD + f"{row}    0             sender\n{row}                  receiver\n"
    assert rates(run(text).flows[0]) == pytest.approx((mbps, mbps), rel=1e-6)


def test_several_streams_of_a_client_that_receives() -> None:
    flow = run(SEVERAL).flows[0]
    assert (flow.sends, flow.count, flow.retransmissions) == (False, 2, 7)
    assert rates(flow) == pytest.approx((670, 671))
    assert [one.bps for one in flow.intervals] == pytest.approx([671e6, 672e6])
    assert [one.retransmissions for one in flow.streams] == [5, 2]
    # (503 + 168)^2 / 2 / (503^2 + 168^2)
    assert flow.fairness() == pytest.approx(671**2 / 2 / (503**2 + 168**2), rel=1e-4)


def test_both_directions() -> None:
    out, back = run(BOTH).flows
    assert (out.sends, back.sends) == (True, False)
    assert rates(out) == pytest.approx((94.2, 88.7))
    assert rates(back) == pytest.approx((86.4, 80.7))
    assert (out.retransmissions, back.retransmissions) == (2, 9)
    assert [one.bps for one in back.intervals] == pytest.approx([83.9e6])


def test_the_runs_of_a_server() -> None:
    first, second, third = runs(SERVER)
    assert (first.sends, first.line, rates(first.flows[0])) == (
        False,
        4,
        (None, pytest.approx(472)),
    )
    assert [one.bps for one in first.flows[0].full_intervals()] == pytest.approx([471e6])
    assert (second.sends, rates(second.flows[0])) == (True, (pytest.approx(938), None))
    assert second.goodput_bps == pytest.approx(938e6)
    assert (third.flows, third.line) == ((), 25)
    assert third.failure == '"the client has unexpectedly closed the connection"'


def test_a_server_before_3_7_prints_0_for_what_it_does_not_know() -> None:
    zero = "0.00 Bytes  0.00 bits/sec"
    head = "Accepted connection from 192.0.2.1, port 40000\n"
    gets = head + (
        f"[  5]   0.00-10.04  sec  {zero}                  sender\n"
        "[  5]   0.00-10.04  sec  9.41 GBytes  8.05 Gbits/sec                  receiver\n"
    )
    assert rates(run(gets).flows[0]) == (None, pytest.approx(8050))
    sends = head + (
        "[  5]   0.00-10.04  sec  9.41 GBytes  8.05 Gbits/sec    0             sender\n"
        f"[  5]   0.00-10.04  sec  {zero}                  receiver\n"
    )
    one = run(sends)
    assert (one.sends, rates(one.flows[0])) == (True, (pytest.approx(8050), None))


def test_verbose() -> None:
    one = run(VERBOSE)
    assert (one.version, one.start_s, one.call_bytes) == ("iperf 3.9", 1768482000.0, 65536)
    assert (one.omit_s, run(PLAIN).omit_s) == (1, 0)
    assert (one.mss_bytes, one.cookie[:4], one.congestion) == (1448, "abcd", "bbr")
    assert one.cpu == pytest.approx((0.035, 0.125))
    assert rates(one.flows[0]) == pytest.approx((893, 877))


def test_the_output_of_the_server_in_that_of_the_client_is_no_second_run() -> None:
    server = SERVER[SERVER.index("Accepted") : SERVER.index("receiver") + 9]
    text = PLAIN.replace("\niperf Done.", f"\nServer output:\n{server}\n\niperf Done.")
    assert run(text).flows == run(PLAIN).flows
    assert len(runs(text + PLAIN)) == 2


def test_a_log_of_several_clients() -> None:
    log = (
        f"=== 1\n{PLAIN}=== 2\niperf3: error - the server is busy running a test. try again later\n"
    )
    first, second, third = runs(log + VERBOSE)
    assert [one.line for one in (first, second, third)] == [2, 16, 21]
    assert second.failure.startswith('"error - the server is busy')
    assert third.version == "iperf 3.9"


def test_a_run_without_sums() -> None:
    one = run(HEAD + INTERVALS)
    # 839, 940 and 900 Mbit/s in a second each were sent.
    assert rates(one.flows[0]) == (pytest.approx((839 + 940 + 900) / 3), None)
    assert (one.retransmissions, one.failure) == (4, "the sums at its end are missing")
    cut = (
        HEAD
        + INTERVALS
        + SUMS.replace("318 MBytes   877 M", "0.00 Bytes  0.00 ").replace(
            "\niperf Done.", "iperf3: interrupt - the client has terminated"
        )
    )
    one = run(cut)
    assert rates(one.flows[0]) == (pytest.approx(893), None)
    assert one.failure == '"interrupt - the client has terminated"'


def test_a_client_whose_receiver_got_nothing() -> None:
    text = PLAIN.replace("318 MBytes   877 M", "0.00 Bytes  0.00 ")
    assert rates(run(text).flows[0]) == (pytest.approx(893), 0)


def test_systems_that_count_no_retransmissions() -> None:
    text = PLAIN.replace("   Retr  Cwnd", "").replace("         Retr", "")
    for end in ("    3   1.25 MBytes", "    0    376 KBytes", "    1    376 KBytes"):
        text = text.replace(end, "")
    one = run(text.replace("sec    4 ", "sec      "))
    assert (one.sends, one.retransmissions) == (True, None)
    assert rates(one.flows[0]) == pytest.approx((893, 877))


def test_a_table_without_what_stands_before_it() -> None:
    one = run(INTERVALS + SUMS)
    assert (one.sends, rates(one.flows[0])) == (True, pytest.approx((893, 877)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            PLAIN.replace("Bitrate         Retr  Cwnd", "Bitrate         Total Datagrams"),
            "x:3: the run uses UDP; allowed: TCP",
        ),
        (VERBOSE.replace("protocol: TCP", "protocol: SCTP"), "x:9: the run uses SCTP; allowed"),
        (PLAIN.replace("839 Mbits/sec", "839 Mbits"), 'x:5: "[  5]   0.00-1.00   sec   100 '),
        (PLAIN.replace("893 Mb", "893 Qb"), "is not a row of iperf3's table of a TCP run; allowed"),
        (HEAD, "x:1: the run failed: its table has no row; allowed: a run that completed"),
        (
            "Client connecting to 192.0.2.2, TCP port 5001\nTCP window size: 85.0 KByte\n",
            "x:1: is the output of iperf 2, another program; allowed: the output of iperf3",
        ),
        ("[ ID] Interval       Transfer     Bandwidth\n"
         "[  3]  0.0-10.0 sec  1.10 GBytes   943 Mbits/sec\n",
         "x:1: is the output of iperf 2, another program; allowed"),
        ("[  1] 0.0000-10.0052 sec  1.10 GBytes   943 Mbits/sec\n",
         "x:1: is the output of iperf 2, another program; allowed"),
        ("20260115130000,192.0.2.1,40000,192.0.2.2,5001,3,0.0-10.0,1181116416,944000000\n",
         "x:1: is the output of iperf 2, another program; allowed"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, told: str) -> None:
    assert told in refusal(text)


def test_text_and_sadf(tmp_path: Path) -> None:
    """Rates are those of iperf3, costs of calls unknown."""
    sadf = made_up.write(tmp_path, "run", MadeUp(payload=111e6, mss=8948))[0]
    file = tmp_path / "run.iperf3.txt"
    file.write_text(PLAIN, encoding="utf-8")
    report = describe([sadf, file])
    (reading,) = report.readings
    assert (reading.streams, reading.call_bytes, reading.rates.calls) == (1, None, None)
    assert reading.goodput_bps == pytest.approx(877e6)
    assert any("iperf3 printed no time of day" in note for note in report.notes)
    # With -V the samples are those of the run: it began at 13:00:00.
    file.write_text(VERBOSE, encoding="utf-8")
    (reading,) = describe([sadf, file]).readings
    assert (reading.seconds, reading.call_bytes) == (6, 65536)
    assert reading.rates.calls == pytest.approx(877e6 / 8 * 3.04 / 6 / 65536)
