"""Compares the Linux stack with the running kernel, ACK by ACK.

`GRIDFTP_BUILD_DIR=build/current/bin .venv/bin/python -m tests.packetdrill.witness 1 30`: a random
remote host talks to the socket under test; packetdrill, which has to be installed, then replays its
ACKs on the kernel, and the variables of both sockets are compared behind each of them. Needs root.
As timers of the kernel expire at its ticks, each scenario is tried up to five times.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path as FilePath

from .drill import Drill
from .peer import Block, Path, Peer

NAMES = (
    "tcpi_snd_cwnd", "tcpi_snd_ssthresh", "tcpi_ca_state", "tcpi_unacked", "tcpi_sacked",
    "tcpi_lost", "tcpi_retrans", "tcpi_total_retrans", "tcpi_reordering",
)  # fmt: skip

_WINDOW = 2000  # of the peer's ACKs, in units of 128 bytes
_SYN_US = 100  # what packetdrill adds to the RTT of the handshake
_WRITTEN_US = 180  # from the end of the handshake to the write
_READ_US = 30  # from an ACK to the reading of variables
_START_US = 250  # packetdrill begins this long behind a tick
_LONGEST_US = 3_000_000
_MOST_ACKS = 120
_TRIES = 5

_SETUP = """--tolerance_usecs=1000000

`sysctl -q net.ipv4.tcp_wmem="4096 262144 4194304"
sysctl -q net.ipv4.tcp_slow_start_after_idle=0 net.ipv4.tcp_timestamps=0`

0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
+0 setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0
+0 setsockopt(3, SOL_TCP, TCP_CONGESTION, "{congestion}", {length}) = 0
+0 bind(3, ..., ...) = 0
+0 listen(3, 1) = 0
+0 < S 0:0(0) win 65535 <mss 1000,sackOK,nop,nop,nop,wscale 7>
+0 > S. 0:0(0) ack 1 <...>
+{rtt:.3f} < . 1:1(0) ack 1 win {window}
+0 accept(3, ..., ...) = 4
+0 write(4, ..., {bytes}) = {bytes}
"""


@dataclass(frozen=True)
class Scenario:
    """A transfer of some segments of 1000 bytes over a path."""

    seed: int
    path: Path
    congestion: str
    segments: int


@dataclass(frozen=True)
class Step:
    """An ACK, when it arrives, us, and the variables of the socket behind it."""

    time: int
    ack: int
    blocks: list[Block]
    values: list[int]


def sample(seed: int) -> Scenario:
    """Return a random scenario."""
    sampler = random.Random(seed)
    path = Path(
        rtt=sampler.choice([23, 41, 77, 103]) * 1000,  # no multiples of a tick, which are ties
        loss=sampler.choice([0.02, 0.05, 0.1, 0.2, 0.3]),
        reordering=sampler.choice([0, 0, 0.05, 0.15]),
        ack_loss=sampler.choice([0, 0, 0.1]),
    )
    congestion = sampler.choice(["cubic", "cubic", "reno"])
    return Scenario(seed, path, congestion, sampler.choice([10, 20, 40, 60]))


def simulate(scenario: Scenario, programs: FilePath) -> list[Step]:
    """Let the random peer talk to the socket under test."""
    peer = Peer(scenario.path, random.Random(scenario.seed))
    steps: list[Step] = []
    with Drill(programs) as drill:
        _open(drill, scenario)
        end = _now(drill) + _LONGEST_US
        while len(steps) < _MOST_ACKS:
            while drill.sent:
                sent = drill.sent.popleft()
                peer.send(sent, sent.time // 1000 - _START_US)
            at = peer.get_time()
            drill.do("wait", (min(at or end, end) + _START_US) * 1000)
            if drill.sent:
                continue
            if at is None or at >= end:
                break
            acknowledged = peer.acknowledge(at)
            if acknowledged:
                steps.append(_acknowledge(drill, at, *acknowledged))
    return steps


def _now(drill: Drill) -> int:
    return drill.now // 1000 - _START_US


def _open(drill: Drill, scenario: Scenario) -> None:
    for name, values in (
        ("tcp_congestion_control", [scenario.congestion]),
        ("tcp_wmem", [4096, 262144, 4194304]),
        ("tcp_slow_start_after_idle", [0]),
    ):
        drill.do("set", name, *values)
    drill.do("listen")
    drill.do("run", (_START_US + 240) * 1000)
    drill.do("segment", "flags=S", "seq=0", "window=65535", "mss=1000", "sackok=1")
    drill.do("run", drill.now + (scenario.path.rtt + _SYN_US) * 1000)
    drill.do("segment", "flags=.", "seq=1", "ack=1", f"window={_WINDOW << 7}")
    drill.sent.clear()
    drill.do("run", drill.now + _WRITTEN_US * 1000)
    drill.do("write", scenario.segments * 1000)


def _acknowledge(drill: Drill, at: int, ack: int, blocks: list[Block]) -> Step:
    sack = ",".join(f"{start}:{end}" for start, end in blocks)
    fields = ["flags=.", "seq=1", f"ack={ack}", f"window={_WINDOW << 7}"]
    drill.do("segment", *fields, *([f"sack={sack}"] if sack else []))
    drill.do("run", (at + _READ_US + _START_US) * 1000)
    info = drill.info()
    return Step(at, ack, blocks, [info[name] for name in NAMES])


def make_script(scenario: Scenario, steps: list[Step]) -> str:
    """Return the script with which packetdrill replays the ACKs and prints the variables."""
    text = _SETUP.format(
        congestion=scenario.congestion,
        length=len(scenario.congestion),
        rtt=scenario.path.rtt / 1e6,
        window=_WINDOW,
        bytes=scenario.segments * 1000,
    )
    for step in steps:
        blocks = " ".join(f"{start}:{end}" for start, end in step.blocks)
        sack = f" <sack {blocks},nop,nop>" if blocks else ""
        text += f"{step.time / 1e6:.6f} < . 1:1(0) ack {step.ack} win {_WINDOW}{sack}\n"
        text += f'+0 %{{ print("values", {", ".join(NAMES)}) }}%\n'
    return text


def replay(script: str, packetdrill: str) -> list[list[int]]:
    """Run a script on the kernel, in a network namespace of its own; return what it prints."""
    with tempfile.NamedTemporaryFile("w", suffix=".pkt") as file:
        file.write(script)
        file.flush()
        command = ["unshare", "-n", packetdrill, "--send_omit_free", "--ip_version=ipv4", file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    lines = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("values ")]
    if not lines:
        raise SystemExit(f"witness: packetdrill: {done.stderr.strip() or done.returncode}")
    return [[int(word) for word in words] for words in lines]


def compare(scenario: Scenario, steps: list[Step], packetdrill: str) -> str:
    """Return the first difference of the try with the fewest, or nothing."""
    script = make_script(scenario, steps)
    best, shown = -1, ""
    for _ in range(_TRIES):
        kernel = replay(script, packetdrill)
        pairs = list(zip(steps, kernel, strict=False))
        wrong = next((i for i, (step, row) in enumerate(pairs) if step.values != row), None)
        if wrong is None and len(kernel) == len(steps):
            return ""
        at = len(kernel) if wrong is None else wrong
        if at > best:
            best = at
            row = kernel[at] if at < len(kernel) else "nothing"
            shown = f"ACK {at + 1} of {len(steps)}: {steps[at].values}, kernel {row}"
    return shown


def main(words: list[str]) -> int:
    """Compare a range of scenarios."""
    parser = argparse.ArgumentParser(prog="python -m tests.packetdrill.witness")
    parser.add_argument("first", type=int, help="first scenario: any number")
    parser.add_argument("last", type=int, help="last scenario")
    parser.add_argument("--packetdrill", default="packetdrill", help="its path (default: in PATH)")
    options = parser.parse_args(words)
    if os.geteuid() != 0 or not shutil.which(options.packetdrill):
        missing = "root" if os.geteuid() != 0 else f"'{options.packetdrill}'"
        print(f"witness: {missing} is missing; packetdrill needs root", file=sys.stderr)
        return 2
    programs = FilePath(os.environ["GRIDFTP_BUILD_DIR"])
    equal = 0
    seeds = range(options.first, options.last + 1)
    print(f"values: {', '.join(NAMES)}")
    for seed in seeds:
        scenario = sample(seed)
        steps = simulate(scenario, programs)
        difference = compare(scenario, steps, options.packetdrill) if steps else ""
        equal += not difference
        print(f"{seed:<6} {difference or f'equal, {len(steps)} ACKs'}", flush=True)
    print(f"witness: {equal} of {len(seeds)} scenarios are equal behind every ACK")
    return 0 if equal == len(seeds) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
