"""Files in other encodings, compressed, from pipes, or of something else."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
import threading
import zlib
from pathlib import Path

import made_up_readings as made_up
import pytest
from made_up_readings import MadeUp

from experiments import text_files
from experiments.errors import UserError
from experiments.readings.content import Content
from experiments.readings.other_tools import other_tool
from experiments.readings.report import describe
from experiments.text_files import read_text_file

TEXT = "Überhaupt:\n1 € = 2\n"


def packed(content: bytes) -> bytes:
    """Return the content compressed with gzip, the same at any time of day."""
    return gzip.compress(content, mtime=0)


ENCODED = {
    "UTF-8": TEXT.encode(),
    "UTF-8 with a mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "CRLF": TEXT.replace("\n", "\r\n").encode(),
    "CR": TEXT.replace("\n", "\r").encode(),
    "UTF-16-LE with a mark": b"\xff\xfe" + TEXT.encode("utf-16-le"),
    "UTF-16-BE with a mark": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "UTF-16-LE of Windows": b"\xff\xfe" + TEXT.replace("\n", "\r\n").encode("utf-16-le"),
    "UTF-16-LE": TEXT.replace("Ü", "u").encode("utf-16-le"),
    "UTF-16-BE": TEXT.replace("Ü", "u").encode("utf-16-be"),
    "UTF-32-LE with a mark": b"\xff\xfe\0\0" + TEXT.encode("utf-32-le"),
    "UTF-32-BE with a mark": b"\0\0\xfe\xff" + TEXT.encode("utf-32-be"),
    "UTF-32-LE": TEXT.replace("Ü", "u").encode("utf-32-le"),
    "UTF-32-BE": TEXT.replace("Ü", "u").encode("utf-32-be"),
    "gzip": packed(TEXT.encode()),
    "gzip, two members": packed(TEXT[:4].encode()) + packed(TEXT[4:].encode()),
    "gzip with zeros behind": packed(TEXT.encode()) + bytes(512),
    "bzip2": bz2.compress(TEXT.encode()),
    "xz": lzma.compress(TEXT.encode()),
    "lzma": lzma.compress(TEXT.encode(), format=lzma.FORMAT_ALONE),
    "xz, two streams": lzma.compress(TEXT[:4].encode()) + lzma.compress(TEXT[4:].encode()),
    "xz over gzip": lzma.compress(packed(TEXT.encode())),
    "UTF-16 in gzip": packed(b"\xff\xfe" + TEXT.encode("utf-16-le")),
}


def refused(path: Path) -> str:
    with pytest.raises(UserError) as error:
        read_text_file(path, "text")
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix(f"{path}")


@pytest.mark.parametrize("name", ENCODED)
def test_encodings(tmp_path: Path, name: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(ENCODED[name])
    # Without a mark the first two characters have to be ASCII.
    is_guessed = name in ("UTF-16-LE", "UTF-16-BE", "UTF-32-LE", "UTF-32-BE")
    assert read_text_file(file, "text") == (TEXT.replace("Ü", "u") if is_guessed else TEXT)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (ENCODED["gzip"][:-5], ":1: is compressed with gzip, and damaged or truncated; allowed: a"),
        (ENCODED["xz"][:-9], ":1: is compressed with xz, and damaged or truncated"),
        (ENCODED["bzip2"][:-3], ":1: is compressed with bzip2, and damaged or truncated"),
        (ENCODED["gzip"][:20] + b"?" + ENCODED["gzip"][21:], ":1: is compressed with gzip, and"),
        (ENCODED["gzip"] + b"more", ":1: is compressed with gzip, and damaged"),
        (packed(packed(ENCODED["gzip"])), ":1: is compressed more than 2 times"),
        (b"\x28\xb5\x2f\xfd\x04", ":1: is compressed with zstd; allowed: the text, as zstd -d"),
        (b"PK\x03\x04\x14", ":1: is a zip archive; allowed: a file from it, as unzip -p prints it"),
        (packed(bytes(257) + b"ustar\0"), ":1: is a tar archive; allowed: a file from it"),
        (packed(b"\x28\xb5\x2f\xfd\x04"), ":1: is compressed with zstd"),
        (b"\x7fELF\2\1", ":1: is a program; allowed: a file of text"),
        (b"\xd4\xc3\xb2\xa1\2\0", ":1: is a packet capture (pcap); allowed: a file of text"),
        (b"\xff\xfea\0\n\0b", ":2: is not UTF-16; allowed: text"),
        (b"\xef\xbb\xbfa\n\xff", ":2: is not UTF-8; allowed: text"),
        (b"a\nb\0", ":2: is not a text; allowed: text"),
        ("a\n\0b".encode("utf-16"), ":2: is not a text; allowed: text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_text(tmp_path: Path, content: bytes, told: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    assert refused(file).startswith(told)


def bomb(unit: bytes, megabytes: int) -> bytes:
    """Return gzip data that decompresses to a number of megabytes of a unit."""
    packer = zlib.compressobj(9, wbits=31)
    one = unit * (1_000_000 // len(unit))
    return b"".join(packer.compress(one) for _ in range(megabytes)) + packer.flush()


def test_a_bomb_takes_little_memory(tmp_path: Path) -> None:
    file = tmp_path / "bomb"
    file.write_bytes(bomb(b" ", 200))
    assert file.stat().st_size < 400_000
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from experiments.text_files import read_text_file\n"
        "try:\n    read_text_file(Path(sys.argv[1]), 'text')\n"
        "except Exception as error:\n    print(error)\n"
        "from damage import most_kb\n"
        "print(most_kb())\n"
    )
    root = Path(text_files.__file__).parents[1]
    ran = subprocess.run(
        [sys.executable, "-c", code, str(file)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root), str(root / "tests/tools")))},
        capture_output=True,
        text=True,
        check=True,
    )
    told, kilobytes = ran.stdout.splitlines()
    assert "is compressed with gzip, and its " in told
    assert told.endswith("allowed: a shorter text, 100 MB at most")
    assert int(kilobytes) < 400_000


def test_xz_that_asks_for_more_memory_than_any_text_needs(tmp_path: Path) -> None:
    file = tmp_path / "file"
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28, "mode": lzma.MODE_FAST}]
    try:
        file.write_bytes(lzma.compress(b"a", filters=filters))
    except MemoryError:
        pytest.skip("this machine has too little memory to make one")
    assert "is compressed with xz, and damaged" in refused(file)


def test_files_that_do_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "MOST_BYTES", 3_000_000)
    assert "has more than 3 MB; allowed: a shorter file" in refused(Path("/dev/zero"))
    monkeypatch.setattr(text_files, "PATIENCE_S", 0.05)
    end, writer = os.pipe()
    assert refused(Path(f"/dev/fd/{end}")).startswith(": nothing came for 0 s; allowed: a file, or")
    os.close(writer)
    os.close(end)


def test_pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    end, writer = os.pipe()

    def write() -> None:
        for part in (TEXT[:5], TEXT[5:]):
            os.write(writer, part.encode())
        os.close(writer)

    thread = threading.Thread(target=write)
    thread.start()
    assert read_text_file(Path(f"/dev/fd/{end}"), "text") == TEXT
    thread.join()
    os.close(end)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    monkeypatch.setattr(text_files, "PATIENCE_S", 0.05)
    assert refused(fifo).startswith(": nothing came for 0 s; allowed")


def test_what_is_no_file(tmp_path: Path) -> None:
    assert refused(tmp_path) == ": Is a directory"
    assert refused(tmp_path / "none") == ": No such file or directory"


def test_readings_in_other_encodings(tmp_path: Path) -> None:
    plain = made_up.write(tmp_path, "plain", MadeUp())
    expected = describe(plain)
    turn = (
        packed,
        lambda text: text.decode().replace("\n", "\r\n").encode("utf-16"),
        lambda text: lzma.compress(b"\xef\xbb\xbf" + text),
    )
    other = [tmp_path / f"other.{number}" for number in range(3)]
    for file, before, change in zip(other, plain, turn, strict=True):
        file.write_bytes(change(before.read_bytes()))
    found = describe(other)
    assert [one.rates for one in found.readings] == [one.rates for one in expected.readings]
    assert found.readings[0].modules == expected.readings[0].modules


def sysstat(**statistics: object) -> str:
    host = {"nodename": "x", "number-of-cpus": 4, "date": "06/01/20", "statistics": [statistics]}
    return json.dumps({"sysstat": {"hosts": [host]}})


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        (sysstat(timestamp="12:53:21", **{"cpu-load": []}), "mpstat -o JSON"),
        (sysstat(timestamp="12:53:21", **{"sum-interrupts": []}), "mpstat -o JSON"),
        (sysstat(**{"avg-cpu": {}, "disk": []}), "iostat -o JSON"),
        (sysstat(disk=[]), "iostat -o JSON"),
        (sysstat(timestamp="x", **{"task-cpu-load": []}), "pidstat -o JSON"),
        (sysstat(tape=[]), "tapestat -o JSON"),
        (sysstat(), "a tool of sysstat other than sadf"),
        ('[{"ifname": "eth0", "rx": 9}]', "ethtool --json or ip -j"),
        ('[{"ifindex": 1, "ifname": "lo"}]', "ip -j"),
        ('[{"kind": "netem", "handle": "1:"}]', "tc -j"),
        ('{"kernel": {"TcpInSegs": 1}}', "nstat -j or ifstat -j"),
        ('{"fio version": "fio-3.33", "jobs": []}', "fio --output-format=json"),
        ('{"counter-value": "1", "event": "cycles"}\n{"counter-value": "2"}', "perf stat -j"),
        ('{"schema": 2, "scenario": {}}', "./gridftp run --json"),
        ("Linux 5.10.0 (host) \t01/15/2026 \t_x86_64_\t(4 CPU)\n\n12:00:01 AM  IFACE\n",
         "sar as text; sadf -j FILE -- -A prints it as JSON"),
        ("Linux 5.10.0 (host) \t01/15/2026 \t_x86_64_\t(4 CPU)\n\n12:00 UID   PID  %usr\n",
         "pidstat; for a file: sadf -j FILE -- -A"),
        ("# hostname;interval;timestamp;CPU;%user\nh;1;2026-01-15 12:00:01 UTC;-1;0.1\n",
         "sadf -d; sadf -j FILE -- -A prints it as JSON"),
        ("host\t1\t1768482000\tcpu0\t%user\t0.50\n",
         "sadf -p; sadf -j FILE -- -A prints it as JSON"),
        ('<?xml version="1.0"?>\n<!DOCTYPE sysstat>\n<sysstat>\n',
         "sadf -x; sadf -j FILE -- -A prints it as JSON"),
        ("<!DOCTYPE html>\n<html>", "a web server: a page of HTML"),
        ("\n Performance counter stats for 'system wide':\n\n", "perf stat"),
        ("Samples: 3K of event 'cycles:P', Event count (approx.): 1\n  Children      Self\n",
         "perf report on a screen; perf report --stdio has all"),
        ("iperf3  1234 [001] 12.345678:     250000 cpu-clock:  ffff tcp_sendmsg\n", "perf script"),
        ("procs -----------memory---------- ---swap--\n", "vmstat"),
        ("Active Internet connections (w/o servers)\nProto Recv-Q\n", "netstat"),
        ("NIC statistics:\n     rx_packets: 1\n", "ethtool -S"),
        ("1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536\n", "ip"),
        ("net.core.rmem_max = 212992\n",
         "sysctl, which --sender-host and --receiver-host read"),
        ('{"metadata": {"NAME": "rrul"}, "results": {}, "x_values": []}', "flent"),
        ('{"succeeded": true, "error": null, "intervals": []}', "pscheduler (perfSONAR)"),
        ("Submitting task...\nTask URL:\n", "pscheduler (perfSONAR)"),
        ("* Stream ID 5\nInterval       Throughput     Retransmits\n", "pscheduler (perfSONAR)"),
        ('{"log": "iperf 3.9\\n", "stream": "stdout", "time": "t"}\n',
         "a container's log as JSON; its text: jq -rj .log"),
        ('{"Type": "TestResult", "RemoteAddr": "192.0.2.1"}', "ethr"),
        ("Using destination: 192.0.2.1, ip: 192.0.2.1, port: 8888\n", "ethr"),
        ("- - - - - -\n[ ID ]   Protocol    Interval      Bits/s\n", "ethr"),
        ("NTTTCP for Linux 1.4.0\n", "ntttcp"),
        ('<?xml version="1.0"?>\n<ntttcps computername="x">\n', "ntttcp"),
        ('{"type": "result", "isp": "x", "download": {}}', "speedtest"),
        ('{"report": {"mtr": {}, "hubs": []}}', "mtr --json"),
        ('[{"_index": "packets", "_source": {}}]', "tshark -T json"),
        ('[{"netid": "tcp", "state": "ESTAB"}]', "jc --ss; ss -tin itself"),
        ("MIGRATED TCP STREAM TEST from 0.0.0.0 port 0\n", "netperf"),
        ("OMNI Send TEST from 0.0.0.0 port 0\nTHROUGHPUT=941.42\n", "netperf"),
        ("tcp_bw:\n    bw  =  1.17 GB/sec\n", "qperf"),
        (" 1121.2500 MB /  10.00 sec =  940.5 Mbps 5 %TX 20 %RX 0 retrans\n", "nuttcp"),
        ("PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n", "ping"),
        ("sockperf: == version #3.7 == \n", "sockperf"),
        ("fio-3.28\nStarting 1 process\n", "fio"),
        ("1000+0 records in\n1000+0 records out\n", "dd"),
        ("# HELP node_cpu_seconds_total Seconds.\n", "an exporter of Prometheus"),
        ("#<--------CPU--------><----------Disks----------->\n", "collectl"),
        ("anything else\n", None),
        ("[1, 2]", None),
        ("[[{}]]", None),
        ('{"a": 1}', None),
        ('{"sysstat": [3]}', None),
    ],
)  # fmt: skip
def test_other_tools_are_named(tmp_path: Path, text: str, tool: str | None) -> None:
    assert other_tool(Content(Path("x"), text)) == tool
    if tool is not None:
        file = tmp_path / "file"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UserError) as error:
            describe([file])
        told = (
            f"{file}:1: is the output of {tool}; allowed: output of sadf -j, perf report --stdio, "
        )
        assert str(error.value).startswith(told)
