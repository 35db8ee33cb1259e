"""What goes over the control connections of engine ns3, byte by byte, and all ports.

`results/dialogues/NAME.tsv` has a line for each of the first scenarios of `scenarios/NAME.jsonl`
that have GridFTP alone and that a command line can say. The numbers of a result do not see a
command that says something else in as many bytes, nor the port of a connection; these lines do.
They are read from the captures of the hosts (`--pcap`), which engine ns3 alone writes.
"""

from __future__ import annotations

import hashlib
import json
import struct
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from decimal import Decimal
from pathlib import Path
from typing import Any

from experiments.programs.draft import draft_of
from experiments.programs.option_table import OptionTable

from . import recorded

RESULTS = recorded.RESULTS / "dialogues"
MOST = 4
"""Scenarios of each file: their captures are of all packets of the hosts."""

_CONTROL_PORT = 2811
_SYN, _ACK = 0x02, 0x10
_UNITS = {"_s": "s", "_bytes": "B", "_bps": "bps", "_packets": "p", "_segments": ""}
_FILE_HEADER, _PACKET_HEADER, _PPP_HEADER = 24, 16, 2
_TCP = 6


@dataclass(frozen=True)
class Row:
    """A line of a file of dialogues.

    Attributes:
        scenario: its number in the file, from 1.
        ports: digest of both ports of all TCP connections of each host, in the order of their SYNs.
        connections: their number, at all hosts together.
        lines: of the control connections, at all hosts together.
        text: digest of their bytes, connection by connection, each direction by itself.
    """

    scenario: str
    ports: str
    connections: str
    lines: str
    text: str


HEADING = "\t".join(field.name for field in fields(Row))


@dataclass(frozen=True)
class Segment:
    """A TCP segment of a capture."""

    source: tuple[bytes, int]
    target: tuple[bytes, int]
    sequence: int
    flags: int
    payload: bytes


def segments_of(capture: bytes) -> Iterator[Segment]:
    """Yield the TCP segments of a capture of ns-3: pcap with PPP frames of IPv4 packets."""
    at = _FILE_HEADER
    while at < len(capture):
        (size,) = struct.unpack_from("<8xI", capture, at)
        packet = capture[at + _PACKET_HEADER + _PPP_HEADER : at + _PACKET_HEADER + size]
        at += _PACKET_HEADER + size
        if packet[9] != _TCP:
            continue
        header = (packet[0] & 15) * 4
        (length,) = struct.unpack_from(">H", packet, 2)
        source, target, sequence = struct.unpack_from(">HHI", packet, header)
        offset = header + (packet[header + 12] >> 4) * 4
        yield Segment(
            (packet[12:16], source),
            (packet[16:20], target),
            sequence,
            packet[header + 13],
            packet[offset:length],
        )


def connections_of(capture: bytes) -> list[tuple[int, int]]:
    """Return the ports of the connections of a capture, in the order of their SYNs."""
    opened = [one for one in segments_of(capture) if one.flags & (_SYN | _ACK) == _SYN]
    return list(dict.fromkeys((one.source[1], one.target[1]) for one in opened))


def texts_of(capture: bytes) -> list[bytes]:
    """Return what each endpoint of a control connection sent, in the order of the first segments.

    A capture has each segment as often as it was sent; the sequence numbers say which is which.
    """
    streams: dict[tuple[tuple[bytes, int], tuple[bytes, int]], dict[int, bytes]] = defaultdict(dict)
    for one in segments_of(capture):
        if _CONTROL_PORT in (one.source[1], one.target[1]):
            known = streams[one.source, one.target]
            known.update((one.sequence + i, bytes([byte])) for i, byte in enumerate(one.payload))
    return [b"".join(known[place] for place in sorted(known)) for known in streams.values()]


def simulate(name: str, programs: Path, most: int = MOST) -> Iterator[Row]:
    """Run the first scenarios of a file with captures.

    Raises:
        RuntimeError: a run was refused or crashed.
    """
    program = programs / recorded.PROGRAMS["ns3"]
    table = _table(programs)
    for number, line in enumerate(recorded.scenarios(name, "ns3")[:most], 1):
        scenario = json.loads(line)
        if any("tool" in one for one in [scenario, *scenario["sessions"]]):
            continue  # without a control connection of FTP
        draft = draft_of(_sayable(scenario), table)
        if draft is None:
            continue
        with tempfile.TemporaryDirectory(prefix="gridftp-golden-") as folder:
            words = [f"--{option}={text}" for option, text in draft.given()]
            done = subprocess.run(
                [program, *words, "--json", f"--pcap={folder}/x"],
                capture_output=True,
                text=True,
                check=False,
            )
            if not done.stdout:
                raise RuntimeError(f"{name}:{number}: {done.stderr[-300:]}")
            yield _row(number, [file.read_bytes() for file in sorted(Path(folder).iterdir())])


def _sayable(scenario: dict[str, Any]) -> dict[str, Any]:
    """Return a scenario without what has no option, and with its lists as a command line has them.

    No option says whose list of files a session has.
    """
    lists = {
        name: [dict(map(_option, item.items())) for item in scenario[name]]
        for name in ("sessions", "background", "faults")
        if scenario.get(name)
    }
    for session in lists["sessions"]:
        session.pop("files-of", None)
    return {**scenario, **lists}


def _option(item: tuple[str, Any]) -> tuple[str, str]:
    """Return a key with its number in SI units as the option and its text."""
    key, value = item
    if isinstance(value, bool):
        return key.replace("_", "-"), "on" if value else "off"
    if isinstance(value, str):
        return key.replace("_", "-"), value
    number = f"{Decimal(str(value)):f}"
    for suffix, unit in _UNITS.items():
        if key.endswith(suffix):
            return key.removesuffix(suffix).replace("_", "-"), number + unit
    return key.replace("_", "-"), number


def _row(number: int, captures: list[bytes]) -> Row:
    ports = [connections_of(capture) for capture in captures]
    texts = [texts_of(capture) for capture in captures]
    return Row(
        str(number),
        _digest(repr(ports).encode()),
        str(sum(len(some) for some in ports)),
        str(sum(text.count(b"\n") for some in texts for text in some)),
        _digest(repr(texts).encode()),
    )


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _table(programs: Path) -> OptionTable:
    described = subprocess.run(
        [programs / recorded.PROGRAMS["segment"], "--describe"],
        capture_output=True,
        text=True,
        check=True,
    )
    return OptionTable.read(json.loads(described.stdout))


def read(name: str) -> list[Row]:
    """Return what is recorded for a file of scenarios, [] if nothing is."""
    file = RESULTS / f"{name}.tsv"
    if not file.exists():
        return []
    return [Row(*line.split("\t")) for line in file.read_text(encoding="utf-8").splitlines()[1:]]


def write(name: str, rows: list[Row]) -> None:
    """Record the dialogues of a file of scenarios."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    lines = [HEADING, *("\t".join(astuple(row)) for row in rows)]
    (RESULTS / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences(name: str, rows: list[Row], most: int = MOST) -> list[str]:
    """Return a line for each dialogue that is not the recorded one, of the first `most`."""
    old = [row for row in read(name) if int(row.scenario) <= most]
    if len(old) != len(rows):
        return [f"dialogues {name}: {len(rows)} scenarios; recorded: {len(old)}"]
    return [
        f"dialogues {name}:{new.scenario}: "
        + ", ".join(
            f"{field.name} {getattr(before, field.name)} -> {getattr(new, field.name)}"
            for field in fields(Row)
            if getattr(before, field.name) != getattr(new, field.name)
        )
        for before, new in zip(old, rows, strict=True)
        if before != new
    ]
