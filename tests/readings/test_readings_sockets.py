"""The output of ss in the forms that people have, of which none is an empty table."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from made_up_sockets import ENTRY, FORMS, HEADER, INFO, LATER
from test_readings_report import cells, printed

from experiments.__main__ import main
from experiments.errors import UserError
from experiments.readings.report import describe
from experiments.readings.sockets import Connection, Sockets, parse_sockets


def parse(text: str) -> Sockets:
    return parse_sockets(Path("x"), text)


def one(text: str) -> Connection:
    (found,) = parse(text).connections
    return found


def refusal(text: str) -> str:
    with pytest.raises(UserError) as error:
        parse(text)
    return str(error.value)


def through_files(tmp_path: Path, text: str) -> Sockets:
    """Return what a file of this text is read as, as by the command line."""
    file = tmp_path / "run.ss.txt"
    file.write_text(text, encoding="utf-8")
    (run,) = describe([file]).runs
    assert run.sockets is not None
    return run.sockets


@pytest.mark.parametrize("name", FORMS)
def test_forms(tmp_path: Path, name: str) -> None:
    (found,) = through_files(tmp_path, FORMS[name]).connections
    assert (found.local, found.peer) == ("192.0.2.1:5000", "198.51.100.2:6000")
    assert (found.rtt_s, found.min_rtt_s) == pytest.approx((0.1015, 0.1001))
    assert (found.cwnd, found.mss, found.rcv_space) == (120, 1448, 14480)
    assert (found.bytes_acked, found.bytes_received, found.segs_in) == (5000000, 0, 1800)
    assert (found.busy_s, found.rwnd_limited_s, found.sndbuf_limited_s) == (2.0, 0.5, 0.02)
    assert (found.delivery_rate_bps, found.retransmissions) == (28.5e6, 1)
    assert found.congestion == "cubic"


@pytest.mark.parametrize(
    ("stamp", "seconds"),
    [
        ("1700000000.250000 ", "1700000010.250000 "),
        ("1700000000 ", "1700000010 "),
        ("13:00:59 ", "13:01:09 "),
        ("23:59:55 ", "00:00:05 "),
        ("[13:00:59.5] ", "[13:01:09.5] "),
        ("2026-01-15T13:00:00+01:00 ", "2026-01-15T13:00:10+01:00 "),
        ("2026-01-15 13:00:00.5 ", "2026-01-15 13:00:10.5 "),
        ("Jan 15 13:00:00 ", "Jan 15 13:00:10 "),
        ("00:00:01: ", "00:00:11: "),
        ("0.000123 ", "10.000123 "),
        ("1700000000123 ", "1700000010123 "),
        ("1700000000123456789 ", "1700000010123456789 "),
        ("1700000000,", "1700000010,"),
    ],
)
def test_times_in_front_of_lines(tmp_path: Path, stamp: str, seconds: str) -> None:
    looks = [(stamp, INFO), (seconds, LATER)]
    text = "".join(
        f"{time}{line}\n"
        for time, info in looks
        for line in (HEADER.rstrip(), ENTRY, f"\t {info}", "")
    )
    sockets = through_files(tmp_path, text)
    (found,) = sockets.connections
    assert (found.cwnd, found.bytes_acked) == (240, 17500000)
    first, last = sockets.samples_of(found)
    assert last.time_s - first.time_s == pytest.approx(10)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Thu Jan 15 13:00:00 UTC 2026", "Thu Jan 15 13:00:10 UTC 2026"),
        ("Thu Jan 15 01:00:00 PM CET 2026", "Thu Jan 15 01:00:10 PM CET 2026"),
        ("Thu, 15 Jan 2026 13:00:00 +0000", "Thu, 15 Jan 2026 13:00:10 +0000"),
        ("=== 13:00:00 ===", "=== 13:00:10 ==="),
        ("1700000000.123456789", "1700000010.123456789"),
        ("2026-01-15 13:00:00", "2026-01-15 13:00:10"),
    ],
)
def test_dates_between_samples(tmp_path: Path, first: str, second: str) -> None:
    text = f"{first}\n{HEADER}{ENTRY}\n\t {INFO}\n\n{second}\n{HEADER}{ENTRY}\n\t {LATER}\n"
    file = tmp_path / "run.txt"
    file.write_text(text, encoding="utf-8")
    # 12.5 MB in 10 s.
    row = cells(printed(describe([file])), "run", "2")
    assert row == ["run", "2", "10", "10.0", "101.5/101.5/101.5", "120/180/240", "0",
                   "198.51.100.2:6000"]  # fmt: skip


def test_samples_without_times(tmp_path: Path) -> None:
    text = f"{HEADER}{ENTRY}\n\t {INFO}\n{HEADER}{ENTRY}\n\t {LATER}\n"
    file = tmp_path / "run.txt"
    file.write_text(text, encoding="utf-8")
    assert cells(printed(describe([file])), "run", "2")[2:4] == ["-", "-"]


def test_addresses_of_ipv6() -> None:
    text = (
        f"{HEADER}ESTAB 0 0 [fe80::1%eth0]:5000 [fe80::2]:6000\n\t {INFO}\n"
        f"ESTAB 0 0 [2001:db8::1]:ssh [2001:db8::2]:6001\n\t {INFO}\n"
        f"ESTAB 0 0 ::ffff:192.0.2.1:5000 ::ffff:192.0.2.2:6002\n\t {INFO}\n"
        f"ESTAB 0 0 [::1]%lo:5000 [::1]:6003\n\t {INFO}\n"
    )
    assert [(x.local, x.peer) for x in parse(text).connections] == [
        ("[fe80::1%eth0]:5000", "[fe80::2]:6000"),
        ("[2001:db8::1]:ssh", "[2001:db8::2]:6001"),
        ("::ffff:192.0.2.1:5000", "::ffff:192.0.2.2:6002"),
        ("[::1]%lo:5000", "[::1]:6003"),
    ]
    assert one(f"0 0 [::1]:5000 [::1]:6003\n\t {INFO}\n").peer == "[::1]:6003"


def test_information_of_an_old_kernel(tmp_path: Path) -> None:
    text = (
        "State      Recv-Q Send-Q      Local Address:Port          Peer Address:Port\n"
        "ESTAB      0      0               192.0.2.1:ssh          198.51.100.9:50000\n"
        "\t ts sack cubic wscale:7,7 rto:204 rtt:1.5/0.75 cwnd:10 send 22.1Mbps rcv_space:14600\n"
        "ESTAB      0      23168           192.0.2.1:5000         198.51.100.2:6000\n"
        "\t bic wscale:7,7 rto:204 rtt:1.2e+03/4.5 ato:40 cwnd:22 ssthresh:20\n"
    )
    file = tmp_path / "old.txt"
    file.write_text(text, encoding="utf-8")
    report = describe([file])
    first, second = report.runs[0].sockets.data()
    assert (first.rtt_s, first.cwnd, first.mss, first.delivery_rate_bps) == (0.0015, 10, None, None)
    assert (second.rtt_s, second.cwnd, second.congestion) == (1.2, 22, "bic")
    shown = printed(report)
    assert cells(shown, "old", "1.5")[2:] == ["10", "-", "14600", "-", "-", "-"]
    assert cells(shown, "old", "1200")[2:] == ["22", "-", "-", "-", "-", "-"]
    assert cells(shown, "old", "198.51.100.2:6000")[2:] == ["bic", "-", "-", "-", "0"]
    (note,) = [note for note in report.notes if "did not print" in note]
    assert note.startswith("old: ss did not print bytes_acked and bytes_received (Linux 4.1")
    assert note.endswith("all 2 connections are shown")


@pytest.mark.parametrize("width", [60, 80, 100, 132])
def test_lines_that_a_terminal_wrapped(width: int) -> None:
    lines = [HEADER.rstrip(), f'{ENTRY} users:(("iperf3",pid=1234,fd=5)) timer:(on,200ms,0)',
             f"         {INFO}", ENTRY.replace("6000", "6001"), f"         {LATER}"]  # fmt: skip
    hard = [line[at : at + width] for line in lines for at in range(0, len(line), width)]
    soft = [part for line in lines for part in textwrap.wrap(line, width, drop_whitespace=False)]
    for cut in (hard, soft):
        first, second = parse("\n".join(cut) + "\n").connections
        assert (first.cwnd, first.bytes_acked, first.min_rtt_s) == (120, 5000000, 0.1001)
        assert (second.peer, second.cwnd) == ("198.51.100.2:6001", 240)
        assert (first.busy_s, second.delivery_rate_bps) == (2.0, 28.5e6)


def test_what_a_connection_carried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "[b]run.txt"
    file.write_text(FORMS["ss -tin"], encoding="utf-8")
    assert main(["profile", "--readings", str(file)]) == 0
    out = capsys.readouterr().out
    assert cells(out, "[b]run", "101.5")[2:] == ["120", "1448", "14480", "25%", "1%", "28.5"]
    assert cells(out, "[b]run", "198.51.100.2:6000")[2:] == ["cubic", "100.1", "5", "0", "1"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEADER, "x:1: has no connection in state ESTAB; allowed: ss -tin during a transfer"),
        (f"{HEADER}{ENTRY}\n{ENTRY}\n", "x:2: has no TCP information on its connections (2); "
         "allowed: ss -tin, whose option -i prints it"),
        ("Recv-Q Send-Q Local Address:Port Peer Address:Port\n0 0 192.0.2.1:1 192.0.2.2:2\n",
         "x:2: has no TCP information on its connections (1); allowed: ss -tin, whose option -i"),
        (f"{HEADER}{ENTRY}\n\t skmem:(r0,rb131072,t0,tb87040,f0,w0,o0,bl0,d0)\n",
         "x:2: has no TCP information on its connections (1); allowed: ss -tin, whose option -i"),
        (f"\t {INFO}\n\t {INFO}\n",
         "x:1: is TCP information without the line of its connection before it; allowed"),
        (f"{HEADER}{ENTRY}\n\t {INFO}\n\t {INFO}\n",
         "x:4: is TCP information without the line of its connection"),
        (f"{HEADER}{ENTRY}\n\t {INFO}\nestab 0 0 192.0.2.1:5000\n", "x:4: \"estab 0 0 192.0.2.1"),
        (f"{HEADER}ESTAB 0 0 192.0.2.1\n\t {INFO}\n", 'x:2: "ESTAB 0 0 192.0.2.1" is not a line'),
        (f"{HEADER}{ENTRY}\n\t cubic rto:204 rtt:1/2\n",
         'x:3: "cwnd" is missing; allowed: the complete output of ss -ti'),
        (f"{HEADER}{ENTRY}\n\t {INFO}", "x:3: ends in the middle of a line; allowed: a complete"),
        ("Active Internet connections (w/o servers)\nProto Recv-Q Send-Q Local Address  State\n"
         "tcp  0  0 192.0.2.1:22  192.0.2.2:5000  ESTABLISHED\n",
         "x:1: is the output of netstat, which has no information on TCP; allowed: the output of "
         "ss -tin"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, told: str) -> None:
    assert refusal(text).startswith(told)


def test_netstat_is_named(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_text("tcp  0  0 192.0.2.1:22  192.0.2.2:5000  ESTABLISHED\n", encoding="utf-8")
    with pytest.raises(UserError, match="x:1: is the output of netstat"):
        describe([file])


@pytest.mark.parametrize("last", ["user@host:~$ ", "[root@host ~]# ", "^C", "-----", "$ exit"])
def test_a_last_line_that_is_not_of_ss_may_lack_its_end(last: str) -> None:
    text = f"{HEADER}{ENTRY}\n\t {INFO}\n"
    assert parse(text + last).connections == parse(text).connections


@pytest.mark.parametrize("last", ["E", "ESTAB 0", "SYN-", "\t", "\t cubic rt", "tcp   ESTAB 0"])
def test_a_last_line_of_ss_that_is_cut_short_is_refused(last: str) -> None:
    assert refusal(f"{HEADER}{ENTRY}\n\t {INFO}\n{last}").startswith("x:4: ends in the middle of")


def refusal_of(file: Path) -> str | None:
    """Return what is said of a file; None if it is shown, which has a table then."""
    try:
        report = describe([file])
    except UserError as error:
        return str(error)
    assert "┃" in printed(report)
    return None


@pytest.mark.parametrize(
    "piece", ["a:", " ", "ESTAB ", "users:((", "0 0 a:b ", "[1] ", "1.1 ", "\\W"]
)
def test_long_lines_take_no_longer_than_they_are(tmp_path: Path, piece: str) -> None:
    file = tmp_path / "file"
    text = f"{HEADER}{ENTRY}\n\t {INFO}\n"
    file.write_text(f"{text}ESTAB 0 0 {piece * 50_000}\n{piece * 50_000}x\n", encoding="utf-8")
    refusal_of(file)
