"""Which tool printed a file that no reader reads, so that a message can name it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .content import Content

_SYSSTAT = (
    # pidstat: the first letters of its tables (pidstat.c), before those of mpstat.
    (re.compile(r"(?:task|child)-.*|kernel-tables"), "pidstat -o JSON"),
    (re.compile(r"avg-cpu"), "iostat -o JSON"),
    (re.compile(r"(?:node|sum|individual|soft)-.*|cpu-load"), "mpstat -o JSON"),
    (re.compile(r"filesystem"), "cifsiostat -o JSON"),
    (re.compile(r"tape"), "tapestat -o JSON"),
    (re.compile(r"disk"), "iostat -o JSON"),
)
"""Members of the statistics of tools of sysstat other than sadf."""

_OBJECTS = (
    ("fio version", "fio --output-format=json"),
    ("lscpu", "lscpu -J"),
    ("blockdevices", "lsblk -J"),
    ("kernel", "nstat -j or ifstat -j"),
    ("counter-value", "perf stat -j"),
    ("linux-perf-json-version", "perf data convert --to-json"),
    ("irtt", "irtt"),
    ("x_values", "flent"),
    ("succeeded", "pscheduler (perfSONAR)"),
    ("ntttcps", "ntttcp"),
    ("RemoteAddr", "ethr"),
    ("isp", "speedtest"),
    ("bytes_received", "speedtest-cli --json"),
    ("hubs", "mtr --json"),
    ("report", "mtr --json"),
    ("stream", "a container's log as JSON; its text: jq -rj .log"),
    ("scenario", "./gridftp run --json"),
    ("metrics", "k6 or another tool of measurements"),
)
"""Members of objects that tools print."""

_ROWS = (
    ("ifindex", "ip -j"),
    ("ifname", "ethtool --json or ip -j"),
    ("handle", "tc -j"),
    ("_index", "tshark -T json"),
    ("netid", "jc --ss; ss -tin itself"),
    ("counter-value", "perf stat -j"),
)
"""Members of the first item of lists that tools print."""

_HEADER = r"\s*Linux \S+ \(.*\)\s.*"
"""With which text of all tools of sysstat begins."""

_TEXTS = tuple(
    (re.compile(pattern, re.MULTILINE), name)
    for pattern, name in (
        (rf"{_HEADER}\n\s*\n.*\b(?:UID|PID)\b", "pidstat; for a file: sadf -j FILE -- -A"),
        (rf"{_HEADER}\n\s*\n.*CPU +%usr +%nice +%sys", "mpstat; for a file: sadf -j FILE -- -A"),
        (rf"{_HEADER}\n(?:\s*\n)+(?:avg-cpu|Device)", "iostat; for a file: sadf -j FILE -- -A"),
        (rf"{_HEADER}\((?:\d+) CPU\)", "sar as text; sadf -j FILE -- -A prints it as JSON"),
        (rf"{_HEADER}\n\s*\n.*(?:CPU|IFACE|DEV|runq-sz|proc/s|kbmemfree)",
         "sar as text; sadf -j FILE -- -A prints it as JSON"),
        (r"# hostname;interval;timestamp", "sadf -d; sadf -j FILE -- -A prints it as JSON"),
        (r"\S+\t\d+\t\d{9,}\t\S+\t[%\w/]+\t", "sadf -p; sadf -j FILE -- -A prints it as JSON"),
        (r"\s*<\?xml[\s\S]*?<sysstat", "sadf -x; sadf -j FILE -- -A prints it as JSON"),
        (r"System activity data file:", "sadf -H; sadf -j FILE -- -A prints the data as JSON"),
        (r"\s*<svg|\s*<\?xml[\s\S]*?<svg", "a program that draws (SVG)"),
        (r"\s*<(?i:(?:!doctype )?html)", "a web server: a page of HTML"),
        (r"\s*Performance counter stats for", "perf stat"),
        (r"\s*Samples: \S+ +of events? '", "perf report on a screen; perf report --stdio has all"),
        (r"# Event '", "perf diff"),
        (r"\s*Percent \|", "perf annotate"),
        (r".{1,16} +\d+(?:/\d+)? +(?:\[\d+\] )?\d+\.\d+: +(?:\d+ )?\S+:", "perf script"),
        (r"procs -+memory", "vmstat"),
        (r"top - \d", "top"),
        (r"Active Internet connections", "netstat"),
        (r"(?:Ip|IcmpMsg|Tcp):\n +", "netstat -s"),
        (r"#kernel\n", "nstat"),
        (r"\d+: [\w.@-]+: <[A-Z,_]*>", "ip"),
        (r"NIC statistics:", "ethtool -S"),
        (r"(?:Settings|Features|Ring parameters|Coalesce parameters) for \S+:", "ethtool"),
        (r"[\w.:-]+(?:: flags=|\s+Link encap:)", "ifconfig"),
        (r"qdisc \w+ ", "tc -s qdisc"),
        (r"Inter-\|\s+Receive", "/proc/net/dev"),
        (r"cpu +\d+ \d+ \d+", "/proc/stat"),
        (r" +CPU0(?: +CPU\d+)*\s*\n", "/proc/interrupts"),
        (r"-+\n(?:Client connecting to|Server listening on) .*TCP port", "iperf 2"),
        (r"(?:MIGRATED )?TCP (?:STREAM|SENDFILE|MAERTS|RR)", "netperf"),
        (r"OMNI (?:Send|Receive)|THROUGHPUT(?:_UNITS)?=", "netperf"),
        (r"(?:tcp|udp|sctp|sdp|r[cd]|u[cd])_(?:\w+_)?(?:bw|lat|mr):\s*$", "qperf"),
        (r"\s*\d+\.\d+ MB / +\d+\.\d+ sec = +\d", "nuttcp"),
        (r"NTTTCP for Linux|\s*(?:<\?xml.*\s*)?<ntttcp", "ntttcp"),
        (r"Using destination: |(?:- )+-?\s*\[ *ID *\]\s+Protocol", "ethr"),
        (r"Submitting task\.\.\.|\* Stream ID \d", "pscheduler (perfSONAR)"),
        (r"PING \S+ ?\(", "ping"),
        (r"sockperf: ", "sockperf"),
        (r"fio-\d|\S+: \(g=\d+\): rw=", "fio"),
        (r"\d+\+\d+ records in", "dd"),
        (r"# (?:HELP|TYPE) \w+ ", "an exporter of Prometheus"),
        (r"#<-+CPU", "collectl"),
        (r'"(?:pcp-)?[Dd]stat ', "dstat"),
        (r"AAA,progname,", "nmon"),
        (r"\d\d:\d\d:\d\d\.\d+ IP6? ", "tcpdump"),
        (r"[\w.-]+ = \S", "sysctl, which --sender-host and --receiver-host read"),
    )
)  # fmt: skip


def other_tool(content: Content) -> str | None:
    """Return the tool, other than those of the readers, that printed a file; None if unknown.

    Raises:
        UserError: the text begins as JSON does and is none.
    """
    if not content.is_json:
        return next((name for begin, name in _TEXTS if begin.match(content.text)), None)
    value = content.first.value
    if isinstance(value, list):
        row = value[0] if value and isinstance(value[0], dict) else {}
        return next((name for key, name in _ROWS if key in row), None)
    if not isinstance(value, dict):
        return None
    if "sysstat" in value:
        return _of_sysstat(value["sysstat"])
    return next((name for key, name in _OBJECTS if key in value), None)


def _of_sysstat(value: Any) -> str | None:
    """Return which tool of sysstat printed JSON: those other than sadf have a date of the host."""
    host = _first(_member(value, "hosts"))
    if "date" not in host or "file-date" in host:
        return None
    keys = list(_first(_member(host, "statistics")))
    found = (name for begin, name in _SYSSTAT if any(begin.fullmatch(key) for key in keys))
    return next(found, "a tool of sysstat other than sadf")


def _member(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _first(value: Any) -> Mapping[str, Any]:
    """Return the first item of a list where that is an object; else an empty one."""
    item = value[0] if isinstance(value, list) and value else None
    return item if isinstance(item, dict) else {}
