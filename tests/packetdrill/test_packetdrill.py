"""Scripts of our own on the Linux stack, and the reader that runs them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packetdrill.code import AssertionFailedError, Evaluator
from tests.packetdrill.reader import read_script
from tests.packetdrill.runner import Outcome, Verdict, run_script
from tests.packetdrill.script import (
    Call,
    NotApplicableError,
    Options,
    Packet,
    ScriptError,
    Time,
    TimeKind,
)
from tests.packetdrill.shell import read_commands

SCRIPTS = sorted(Path(__file__).with_name("scripts").glob("*.pkt"))

SERVER = """0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
+0 bind(3, ..., ...) = 0
+0 listen(3, 1) = 0
+0 < S 0:0(0) win 65535 <mss 1000,sackOK,nop,nop,nop,wscale 7>
+0 > S. 0:0(0) ack 1 <...>
+.1 < . 1:1(0) ack 1 win 1000
+0 accept(3, ..., ...) = 4
"""


def run_text(text: str, folder: Path, programs: Path) -> Outcome:
    """Run a script that is given as text."""
    path = folder / "script.pkt"
    path.write_text(text, encoding="utf-8")
    return run_script(path, programs)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_own_script_passes(path: Path, programs: Path) -> None:
    assert run_script(path, programs) == Outcome(path, Verdict.PASSED)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_own_script_notices_other_segments(path: Path, programs: Path, tmp_path: Path) -> None:
    """Each expected segment in turn is one position further on: the script has to fail there."""
    text = path.read_text(encoding="utf-8")
    expected = re.compile(r"(> [^\n]*?)(\d+):(\d+)\((\d+)\)")
    for found in expected.finditer(text):
        if re.match(r"> (?:\[\w+\] )?S", found[1]):
            continue  # it defines where the numbers of the others begin
        start, end = int(found[2]) + 1, int(found[3]) + 1
        other = f"{found[1]}{start}:{end}({found[4]})"
        outcome = run_text(text[: found.start()] + other + text[found.end() :], tmp_path, programs)
        line = text.count("\n", 0, found.start()) + 1
        assert outcome.verdict is Verdict.FAILED
        assert outcome.text.startswith(f"{tmp_path / 'script.pkt'}:{line}: expected ")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("+0 > P. 1:1001(1000) ack 2", "other ack"),
        ("+0 > F. 1:1001(1000) ack 1", "other flags"),
        ("+0 > . 1:1001(1000) ack 1", "other flags"),
        ("+0 > P. 1:1001(1000) ack 1 <nop,nop,TS val 1 ecr 1>", "other options"),
        ("+0 > P. 1:1001(1000) ack 1 <nop,nop,sack 1:2>", "other options"),
        ("+0 > P. 1:1001(1000) ack 1 win 1", "other window"),
        ("+0 > [ect0] P. 1:1001(1000) ack 1", "other ecn"),
        ("+0 > P. 1:501(500) ack 1", "other size"),
        ("+.1 > P. 1:1001(1000) ack 1", "with a tolerance of 0.0125"),
        ("+.1~+.2 > P. 1:1001(1000) ack 1", "to 0.3"),
        ("+0 > P. 1:1001(1000) ack 1\n+0 > P. 1:1001(1000) ack 1", "got it at 0.40"),
        ("+0 %{ assert tcpi_snd_cwnd == 11 }%", "tcpi_snd_cwnd is 10"),
        ("+0 read(4, ..., 1000) = 10", "blocks"),
        ("+0...0.2 read(4, ..., 1000) = 10", "does not return in time"),
        ("+0 shutdown(4, SHUT_WR) = -1 EPIPE (Broken pipe)", "got 0"),
    ],
)
def test_difference_is_shown(line: str, text: str, programs: Path, tmp_path: Path) -> None:
    outcome = run_text(f"{SERVER}+0 write(4, ..., 1000) = 1000\n{line}\n", tmp_path, programs)
    assert outcome.verdict is Verdict.FAILED
    assert text in outcome.text
    assert "\n" not in outcome.text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("+0 < U. 1:1(0) ack 1 win 1", "urgent data"),
        ("+0 < S0. 1:1(0) ack 1 win 1", "flags of accurate ECN"),
        ("+0 < icmp unreachable [1:1(0)]", "ICMP"),
        ("+0 < sctp: DATA[flgs=BE]", "SCTP"),
        ("+0 < . 1:1(0) ack 1 win 1 <FO abcd1234>", "TCP Fast Open"),
        ("+0 < . 1:1(0) ack 1 win 1 <md5 0123>", "TCP MD5 signatures"),
        ("+0 setsockopt(4, SOL_TCP, TCP_USER_TIMEOUT, [1], 4) = 0", "of TCP_USER_TIMEOUT"),
        ("+0 sendfile(4, 5, [0], 10) = 10", "system call sendfile()"),
        ("+0 send(4, ..., 10, MSG_ZEROCOPY) = 10", "send() with MSG_ZEROCOPY"),
        ("+0 write(4, ..., 1000) = 500", "waits for the send buffer"),
        ("+0 `ethtool -K tun0 tso off`", "command 'ethtool -K tun0 tso off'"),
        ("+0 `sysctl -q net.ipv4.tcp_recovery=0`", "modelled is 1 only"),
        ("+0 `sysctl -q net.ipv4.tcp_unheard=0`", "tcp_unheard: not modelled"),
        ("+0 %{ assert tcpi_pmtu == 1500 }%", "'tcpi_pmtu' is not modelled"),
        ("+0 %{ import os }%", "Import is not allowed"),
        ("+0 socket(..., SOCK_DGRAM, IPPROTO_UDP) = 5", "not of TCP"),
    ],
)
def test_not_modelled(line: str, reason: str, programs: Path, tmp_path: Path) -> None:
    outcome = run_text(f"{SERVER}{line}\n", tmp_path, programs)
    assert outcome.verdict is Verdict.NOT_APPLICABLE
    assert reason in outcome.text


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "there is no event"),
        ("1 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3\n", 1, "the first event has to be at time 0"),
        ("0 socket(..., SOCK_STREAM, IPPROTO_TCP)\n", 2, "'=' is missing"),
        ("0 `true`\nfoo\n", 2, "'foo' is not a time"),
        ("0 `true`\n-1 `true`\n", 2, "the time -1 is negative"),
        ("0 `true`\n* `true`\n", 2, "* is for segments that leave"),
        ("0 `true`\n+0~+1 `true`\n", 2, "a range of times is for segments that leave"),
        ("0 `true`\n+2~+1 > . 1:1(0) ack 1\n", 2, "ends before it begins"),
        ("0 `true`\n2 `true`\n1 `true`\n", 3, "time goes backwards"),
        ("0 `true`\n+0 < . 1:1(0) ack 1\n", 3, "has to have a window"),
        ("0 `true`\n+0 < . 1:3(1) ack 1 win 1\n", 2, "1:3 does not have 1 bytes"),
        ("0 `true`\n+0 < Q. 1:1(0) ack 1 win 1\n", 2, "'Q.' are no flags of TCP"),
        ("0 `true`\n+0 < . 1:1(0) ack 1 win 65536\n", 2, "win: 65536 is not between 0 and 65535"),
        ("0 `true`\n+0 < . 1:1(0) ack 1 win 1 <...>\n", 2, "<...> is for segments that leave"),
        ("0 `true`\n+0 > . 1:1(0) ack 1 <foo>\n", 2, "'foo' is no TCP option"),
        ("0 `true`\n+0 > . 1:1(0) ack 1 <mss>\n", 2, "mss: '>' is not a number"),
        ("0 `true\n", 1, "this command does not end"),
        ("0 %{ assert 1\n", 1, "this code does not end"),
        ("0 `true`\n/* open\n", 2, "this comment does not end"),
    ],
)
def test_malformed(text: str, line: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "script.pkt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError) as caught:
        read_script(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_reader(tmp_path: Path) -> None:
    path = tmp_path / "script.pkt"
    path.write_text(
        "// comment\n# another one\n--tolerance_usecs=7\n--define=SIZE=100\n"
        "0...0.2 accept(3, ..., ...) = 4 /* a\ncomment */\n"
        "0.01~0.02 > [ect0] PW. 1:101(SIZE) ack 9 <nop,nop,TS val 1 ecr 2,nop,nop,sack 3:4 5:6>\n"
        "+.5 < - 4294967295:0(1) win 7\n"
        '+0 poll([{fd=4, events=POLLIN|POLLOUT, revents=0}], 1, "a" "b"...) = -1 EAGAIN (A b)\n',
        encoding="utf-8",
    )
    script = read_script(path)
    assert script.options == {"tolerance_usecs": "7"}
    first, second, third, fourth = script.events
    assert first.action == Call("accept", (3, ..., ...), 4, None, 200_000)
    assert second.time == Time(TimeKind.ABSOLUTE, 10_000, 20_000)
    options = Options(timestamp=(1, 2), sack=((3, 4), (5, 6)))
    assert second.action == Packet(False, "PW.", 1, 100, 9, None, options, "ect0")
    assert second.line == 7
    assert third.time == Time(TimeKind.RELATIVE, 500_000)
    assert third.action == Packet(True, "", 4294967295, 1, None, 7, Options())
    assert isinstance(fourth.action, Call)
    assert fourth.action.arguments[0] == [{"fd": 4, "events": "POLLIN|POLLOUT", "revents": 0}]
    assert fourth.action.errno == "EAGAIN"


def test_shell(tmp_path: Path) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "common/defaults.sh").write_text(
        "#!/bin/bash\n# one\nip tcp_metrics flush all > /dev/null 2>&1\n"
        'sysctl -q net.ipv4.tcp_rmem="4096 540000 $((15*1024*1024))"\n'
        "tc qdisc add dev tun0 root pfifo\n"
    )
    text = (
        "./common/defaults.sh\nsysctl -q net/ipv4/tcp_sack=0 net.ipv4.tcp_fack=0; "
        "./set_sysctls.py /proc/sys/net/ipv4/tcp_reordering=5 \\\n"
        " /proc/sys/net/ipv4/tcp_frto=0 # no\n"
        "ip route change 192.0.2.0/24 dev tun0 initcwnd 4 rto_min 50ms"
        " && echo 1 > /proc/sys/net/ipv4/tcp_ecn"
    )
    assert [tuple(setting) for setting in read_commands(text, tmp_path, 1)] == [
        ("tcp_rmem", ("4096", "540000", "15728640")),
        ("tcp_sack", ("0",)),
        ("tcp_reordering", ("5",)),
        ("tcp_frto", ("0",)),
        ("initcwnd", ("4",)),
        ("rto_min", ("50",)),
        ("tcp_ecn", ("1",)),
    ]
    for command in ("rm -rf /", "./missing.sh", 'sysctl x="$((1**9))"', "echo 'open"):
        with pytest.raises(NotApplicableError, match="line 3: command"):
            list(read_commands(command, tmp_path, 3))


def test_code() -> None:
    evaluator = Evaluator()
    evaluator.execute("x = 2 ** 3 if False else 7\ny = x << 2; print('%d' % y)", 1, {})
    evaluator.execute("assert 27 < y <= tcpi_rtt and min(x, 9) == 7, 'no'", 2, {"tcpi_rtt": 28})
    evaluator.execute("if tcpi_rtt > 1: x = (1, 2)\nassert x == (1, 2)", 3, {"tcpi_rtt": 28})
    with pytest.raises(AssertionFailedError, match="tcpi_rtt == 1: tcpi_rtt is 28"):
        evaluator.execute("assert tcpi_rtt == 1", 4, {"tcpi_rtt": 28})
    for text in ("assert (", "1 / 0", "x = 1 << 99999", "y = 1 + ''"):
        with pytest.raises(AssertionFailedError):
            evaluator.execute(text, 5, {})
    for text in (
        "open('x')",
        "''.join",
        "2 ** 9",
        "import os",
        "'a' * 9",
        "lambda: 1",
        "eval('1')",
    ):
        with pytest.raises(NotApplicableError, match="line 6: code: "):
            evaluator.execute(text, 6, {})


@pytest.mark.parametrize(
    ("scripts", "status", "last"),
    [
        ({}, 2, "no *.pkt"),
        ({"a.pkt": SERVER}, 0, "packetdrill: 1 passed, 0 failed, 0 not applicable"),
        ({"a.pkt": f"{SERVER}+0 splice(4) = 0\n"}, 1, "0 passed, 0 failed, 1 not applicable"),
        (
            {"a.pkt": SERVER, "b/c.pkt": "0 foo", "d.pkt": f"{SERVER}+0 splice(4) = 0\n"},
            1,
            "packetdrill: 1 passed, 1 failed, 1 not applicable",
        ),
    ],
)
def test_command(
    scripts: dict[str, str], status: int, last: str, root: Path, tmp_path: Path
) -> None:
    for name, text in scripts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tests.packetdrill", tmp_path]
    done = subprocess.run(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == status
    assert last in done.stdout.splitlines()[-1]
