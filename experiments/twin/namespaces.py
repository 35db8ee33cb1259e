"""Processes in network namespaces of their own, of which none outlives this one.

No namespace here has a name, and no tap is persistent: the kernel takes each away with the last
process in it. And each process is killed when ours ends, however that comes about (``setpriv
--pdeathsig``), so that nothing is left even after SIGKILL.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from ..errors import ProgramError, UserError
from . import needs

START_S = 20.0
"""Seconds that a program has to start on a busy machine."""

HOLD = ("sh", "-c", "echo; exec sleep infinity")
"""A process that says when it is in its namespace, and stays there."""

Process = asyncio.subprocess.Process


@contextlib.asynccontextmanager
async def started(command: Sequence[str], **more: Any) -> AsyncIterator[Process]:
    """Start a program that is killed, with all that it has started, when the block is left.

    Args:
        command: program and arguments.
        more: of ``asyncio.create_subprocess_exec``.
    """
    process = await asyncio.create_subprocess_exec(
        *("setpriv", "--pdeathsig", "KILL", *command),
        **{"stdin": asyncio.subprocess.DEVNULL, **more},
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def line_of(process: Process, what: str) -> str:
    """Return the next line that a process prints.

    Raises:
        ProgramError: it prints none, or not in time.
    """
    try:
        line = await asyncio.wait_for(process.stdout.readline(), START_S)
    except TimeoutError:
        raise ProgramError(f"{what} printed nothing for {START_S:g} s") from None
    if not line:
        raise ProgramError(f"{what} ended: {await last_words(process)}")
    return line.decode()


async def last_words(process: Process) -> str:
    """Return the last line that a process that has ended wrote on standard error."""
    said = (await process.stderr.read()).decode(errors="replace").strip().splitlines()
    return said[-1] if said else "it gave no reason"


def inside(pid: int, *command: str) -> list[str]:
    """Return the command in the network namespace of a process."""
    return ["nsenter", f"--net=/proc/{pid}/ns/net", *command]


async def call(pid: int, *command: str) -> str:
    """Run a command in the network namespace of a process; return what it prints.

    Raises:
        ProgramError: it fails.
    """
    pipe = asyncio.subprocess.PIPE
    async with started(inside(pid, *command), stdout=pipe, stderr=pipe) as process:
        printed = await process.stdout.read()
        if await process.wait():
            raise ProgramError(f"{command[0]} fails in a namespace: {await last_words(process)}")
    return printed.decode()


@contextlib.asynccontextmanager
async def namespace() -> AsyncIterator[int]:
    """Make a network namespace; give the process that is in it.

    Raises:
        UserError: this root may not.
    """
    pipe = asyncio.subprocess.PIPE
    async with started(["unshare", "--net", *HOLD], stdout=pipe, stderr=pipe) as process:
        try:
            await line_of(process, "unshare")
        except ProgramError as error:
            raise UserError(f"{needs.PREFIX}no network namespace can be made: {error}") from None
        yield process.pid


SET_UP = """
ip link set lo up
ip link set "$tap" address "$mac" arp off mtu "$mtu"
if [ -e /proc/sys/net/ipv6/conf/all ]; then
    echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6
fi
ip address add "$address/30" dev "$tap"
ip link set "$tap" up
ip neighbour add "$gateway" lladdr "$gateway_mac" dev "$tap" nud permanent
ip route add "$peer" via "$gateway" dev "$tap" initcwnd "$initial_window" rto_min "$min_rto" \
    quickack "$quickack"
cd /proc/sys/net/ipv4
echo "$tcp" > tcp_congestion_control
echo "$sack" > tcp_sack
echo "$timestamps" > tcp_timestamps
echo "$ecn" > tcp_ecn
echo 1 > tcp_no_metrics_save
"""
"""A host's side of its tap. The simulated link carries IPv4 alone, so nobody may ask for addresses
(ARP), and there is one route, so that a name that cannot be looked up is not waited for. What Linux
has learned of a path in one transfer is not used in the next one."""


async def set_up(
    pid: int, network: int, host: Mapping[str, str], values: Mapping[str, str]
) -> None:
    """Give a namespace its tap, its addresses and its TCP.

    Args:
        pid: of a process in it.
        network: process in the namespace where the tap is now.
        host: of it, as ``gridftp-twin-network`` prints it.
        values: of the other variables of `SET_UP`.

    Raises:
        ProgramError: that fails.
    """
    await call(network, "ip", "link", "set", host["tap"], "netns", str(pid))
    words = [f"{name}={value}" for name, value in {**host, **values}.items()]
    await call(pid, "env", *words, "sh", "-ec", SET_UP)


async def pace(pid: int, host: Mapping[str, str], scenario: Mapping[str, Any]) -> None:
    """Have the kernel space the packets of a host out, where the scenario asks for it.

    Args:
        pid: of a process in the host's namespace, which `set_up` has prepared.
        host: as for `set_up`.
        scenario: resolved.

    Raises:
        ProgramError: the queueing discipline cannot be installed.
    """
    words = needs.pacing(scenario)
    if words:
        await call(pid, "tc", "qdisc", "replace", "dev", host["tap"], "root", *words)


def host_values(scenario: Mapping[str, Any], tcp: str, peer: str) -> dict[str, str]:
    """Return the variables of `SET_UP` that follow from a scenario.

    Args:
        scenario: resolved.
        tcp: what Linux calls its congestion control.
        peer: address of the other host.
    """
    return {
        "peer": peer,
        "tcp": tcp,
        "mtu": f"{scenario['packet_size_bytes']:.0f}",
        "initial_window": f"{scenario['initial_window_segments']:.0f}",
        "min_rto": f"{scenario['min_rto_s'] * 1e3:.0f}ms",
        "quickack": str(int(scenario["delayed_ack_segments"] == 1)),
        "sack": str(int(scenario["sack"])),
        "timestamps": str(int(scenario["timestamps"])),
        "ecn": str(int(scenario.get("ecn", False))),
    }
