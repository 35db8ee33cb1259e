"""Runs of iperf3 as JSON, JSON stream and text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

REAL = Path(__file__).parent / "samples" / "p4-sender.iperf3.json"

REFUSED = "error - unable to connect to server: Connection refused"


def real() -> dict[str, Any]:
    """Return the JSON of a client that sent 200,278,016 bytes over four connections in 4 s."""
    return json.loads(REAL.read_text(encoding="utf-8"))


def both_ways() -> dict[str, Any]:
    """Return it as of --bidir with two connections each way, as versions before 3.11 print it."""
    data = real()
    for pair in data["end"]["streams"][2:]:
        for one in pair.values():
            one["sender"] = False
            one["bytes"] = 25_000_000
    # The second of two equal keys is what a reader of JSON gets.
    for key in ("sum_sent", "sum_received"):
        data["end"][key]["bytes"] = 50_000_000
    return data


def failed() -> dict[str, Any]:
    """Return the JSON of a client that could not connect."""
    return {"start": {"connected": []}, "intervals": [], "end": {}, "error": REFUSED}


def interval(second: int, megabytes: int, *, is_omitted: bool = False) -> dict[str, Any]:
    """Return an interval of one stream with an RTT of 2000 us and as many more as its second."""
    one = {
        "socket": 5, "start": second, "end": second + 1, "seconds": 1.0,
        "bytes": megabytes * 10**6, "bits_per_second": megabytes * 8e6, "retransmits": second,
        "snd_cwnd": 14480, "rtt": 2000 + second, "omitted": is_omitted, "sender": True,
    }  # fmt: skip
    return {"streams": [one], "sum": one}


def events(data: dict[str, Any]) -> list[str]:
    """Return the lines of --json-stream: four intervals, of which -O omits the first."""
    made = [{"event": "start", "data": data["start"]}]
    for second, megabytes in enumerate((1, 4, 2, 3)):
        made.append(
            {"event": "interval", "data": interval(second, megabytes, is_omitted=not second)}
        )
    made.append({"event": "end", "data": data["end"]})
    return [json.dumps(one, separators=(",", ":")) for one in made]


HEAD = """\
Connecting to host 192.0.2.2, port 5201
[  5] local 192.0.2.1 port 40000 connected to 192.0.2.2 port 5201
"""

# iperf3 has spaces at the ends of lines.
INTERVALS = """\
[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec   112 MBytes   941 Mbits/sec    0    376 KBytes       (omitted)
[  5]   0.00-1.00   sec   100 MBytes   839 Mbits/sec    3   1.25 MBytes
[  5]   1.00-2.00   sec   112 MBytes   940 Mbits/sec    0    376 KBytes
[  5]   2.00-3.00   sec   107 MBytes   900 Mbits/sec    1    376 KBytes
""".replace("Bytes\n", "Bytes       \n")

SUMS = """\
- - - - - - - - - - - - - - - - - - - - - - - - -
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-3.00   sec   319 MBytes   893 Mbits/sec    4             sender
[  5]   0.00-3.04   sec   318 MBytes   877 Mbits/sec                  receiver

iperf Done.
"""

PLAIN = HEAD + INTERVALS + SUMS

SEVERAL = """\
Connecting to host server.example, port 5201
Reverse mode, remote host server.example is sending
[  5] local 192.0.2.1 port 40000 connected to 192.0.2.2 port 5201
[  7] local 192.0.2.1 port 40002 connected to 192.0.2.2 port 5201
[ ID] Interval           Transfer     Bitrate
[  5]   0.00-1.00   sec  60.0 MBytes   503 Mbits/sec
[  7]   0.00-1.00   sec  20.0 MBytes   168 Mbits/sec
[SUM]   0.00-1.00   sec  80.0 MBytes   671 Mbits/sec
- - - - - - - - - - - - - - - - - - - - - - - - -
[  5]   1.00-2.00   sec  60.0 MBytes   503 Mbits/sec
[  7]   1.00-2.00   sec  20.0 MBytes   168 Mbits/sec
[SUM]   1.00-2.00   sec  80.0 MBytes   672 Mbits/sec
- - - - - - - - - - - - - - - - - - - - - - - - -
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-2.04   sec   122 MBytes   502 Mbits/sec    5             sender
[  5]   0.00-2.00   sec   120 MBytes   503 Mbits/sec                  receiver
[  7]   0.00-2.04   sec  41.0 MBytes   169 Mbits/sec    2             sender
[  7]   0.00-2.00   sec  40.0 MBytes   168 Mbits/sec                  receiver
[SUM]   0.00-2.04   sec   163 MBytes   670 Mbits/sec    7             sender
[SUM]   0.00-2.00   sec   160 MBytes   671 Mbits/sec                  receiver

iperf Done.
"""

BOTH = """\
Connecting to host 192.0.2.2, port 5201
[ ID][Role] Interval           Transfer     Bitrate         Retr  Cwnd
[  5][TX-C]   0.00-1.00   sec  11.2 MBytes  94.1 Mbits/sec    2    376 KBytes
[  7][RX-C]   0.00-1.00   sec  10.0 MBytes  83.9 Mbits/sec
- - - - - - - - - - - - - - - - - - - - - - - - -
[ ID][Role] Interval           Transfer     Bitrate         Retr
[  5][TX-C]   0.00-1.00   sec  11.2 MBytes  94.2 Mbits/sec    2             sender
[  5][TX-C]   0.00-1.04   sec  11.0 MBytes  88.7 Mbits/sec                  receiver
[  7][RX-C]   0.00-1.00   sec  10.3 MBytes  86.4 Mbits/sec    9             sender
[  7][RX-C]   0.00-1.04   sec  10.0 MBytes  80.7 Mbits/sec                  receiver

iperf Done.
"""

SERVER = """\
-----------------------------------------------------------
Server listening on 5201 (test #1)
-----------------------------------------------------------
Accepted connection from 192.0.2.1, port 40000
[  5] local 192.0.2.2 port 5201 connected to 192.0.2.1 port 40002
[ ID] Interval           Transfer     Bitrate
[  5]   0.00-1.00   sec  56.1 MBytes   471 Mbits/sec
[  5]   1.00-1.04   sec  2.24 MBytes   470 Mbits/sec
- - - - - - - - - - - - - - - - - - - - - - - - -
[ ID] Interval           Transfer     Bitrate
[  5]   0.00-1.04   sec  58.4 MBytes   472 Mbits/sec                  receiver
-----------------------------------------------------------
Server listening on 5201 (test #2)
-----------------------------------------------------------
Accepted connection from 192.0.2.1, port 40010
[  5] local 192.0.2.2 port 5201 connected to 192.0.2.1 port 40012
[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-1.00   sec   112 MBytes   941 Mbits/sec    1    376 KBytes
- - - - - - - - - - - - - - - - - - - - - - - - -
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-1.04   sec   116 MBytes   938 Mbits/sec    1             sender
-----------------------------------------------------------
Server listening on 5201 (test #3)
-----------------------------------------------------------
iperf3: the client has unexpectedly closed the connection
-----------------------------------------------------------
Server listening on 5201 (test #4)
-----------------------------------------------------------
"""

VERBOSE = """\
iperf 3.9
Linux client.example 5.10.0-28-amd64 #1 SMP Debian x86_64
Control connection MSS 1448
Time: Thu, 15 Jan 2026 13:00:00 GMT
Connecting to host 192.0.2.2, port 5201
      Cookie: abcdefghijklmnopqrstuvwxyz234567
      TCP MSS: 1448 (default)
[  5] local 192.0.2.1 port 40000 connected to 192.0.2.2 port 5201
Starting Test: protocol: TCP, 1 streams, 65536 byte blocks, omitting 1 seconds, 3 second test, tos 0
{intervals}- - - - - - - - - - - - - - - - - - - - - - - - -
Test Complete. Summary Results:
[ ID] Interval           Transfer     Bitrate         Retr
[  5]   0.00-3.00   sec   319 MBytes   893 Mbits/sec    4             sender
[  5]   0.00-3.04   sec   318 MBytes   877 Mbits/sec                  receiver
CPU Utilization: local/sender 3.5% (0.1%u/3.4%s), remote/receiver 12.5% (1.0%u/11.5%s)
snd_tcp_congestion bbr
rcv_tcp_congestion cubic

iperf Done.
""".replace("{intervals}", INTERVALS)

FORMS = (
    PLAIN,
    SEVERAL,
    BOTH,
    SERVER,
    VERBOSE,
    json.dumps(both_ways(), indent=1),
    "\n".join(events(real())) + "\n",
    json.dumps(real()) + "\n" + json.dumps(failed()) + "\n",
)
"""Of each kind of file one."""
