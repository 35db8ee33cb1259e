"""One transfer of the real client and server over the simulated path."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ProgramError
from ..programs.program import Program
from . import needs
from .dialogue import counters
from .namespaces import (
    Process,
    call,
    host_values,
    inside,
    last_words,
    line_of,
    namespace,
    pace,
    set_up,
    started,
)
from .pairs import PORT, Listener, Pair, file_bytes
from .watch import Samples, watch

PATH_FIRST = ("chrt", "--fifo", "10")
HOSTS_NEXT = ("chrt", "--fifo", "5")
"""Before all ordinary processes of the machine: what the simulated path does is due at a time, and
hosts that wait for others to compute would be other hosts than those of the engines."""

PIPE = asyncio.subprocess.PIPE


@dataclass(frozen=True)
class Setting:
    """What all transfers of a twin have in common.

    Attributes:
        network: the program that is the path.
        words: options of the scenario, as it takes them.
        scenario: that they resolve to.
        tcp: what Linux calls its congestion control.
        pair: client and server.
    """

    network: Program
    words: Sequence[str]
    scenario: Mapping[str, Any]
    tcp: str
    pair: Pair


async def transfer(
    setting: Setting, parallelism: int, run: int, limit_s: float, words: Sequence[str] = ()
) -> dict[str, Any]:
    """Move the file once; return what was measured, as JSON data.

    Args:
        setting: of all transfers.
        parallelism: data connections, of a client that does not choose N.
        run: of the path's random numbers: another one loses other packets at random.
        limit_s: seconds after which it has failed.
        words: further options of our client, such as the mode.

    Returns:
        ``goodput_bps`` and ``duration_s``, from the transfer command to its final reply;
        ``command_s`` of the whole client; ``chunks`` of our client; ``window_bytes`` that receivers
        offered, the median of samples (None: not seen); ``cwnd`` of all connections over time, as
        `Samples.cwnd` has it;
        ``retransmissions`` and ``timeouts`` of the sender's TCP;
        ``drops`` and ``max_queue_packets`` of the bottleneck; and how late the simulated path was,
        ``late`` with ``mean_s``, ``p99_s``, ``max_s``.

    Raises:
        ProgramError: a program fails, or it takes too long.
        UserError: no namespace can be made.
    """
    async with contextlib.AsyncExitStack() as stack:
        path_words = [*setting.words, f"--run={run}"]
        path = setting.network.command("twin-client", "twin-server", *path_words)
        alone = [*PATH_FIRST, "unshare", "--net", *path]
        network = await stack.enter_async_context(started(alone, stdout=PIPE, stderr=PIPE))
        hosts = json.loads(await line_of(network, needs.NETWORK))["hosts"]
        pids = [await stack.enter_async_context(namespace()) for _ in hosts]
        addresses = [host["address"] for host in hosts]
        for pid, host, peer in zip(pids, hosts, reversed(addresses), strict=True):
            await set_up(pid, network.pid, host, host_values(setting.scenario, setting.tcp, peer))
            await pace(pid, host, setting.scenario)
        await stack.enter_async_context(_server(pids[1], addresses[1], setting))
        sender = pids[1] if setting.scenario["direction"] == "download" else pids[0]
        command = setting.pair.client_command(setting.scenario, addresses[1], parallelism, words)
        measured = await _client(pids[0], sender, setting.pair, command, limit_s)
        measured |= counters(Path(f"/proc/{sender}/net"))
        measured["goodput_bps"] = 8 * file_bytes(setting.scenario) / measured["duration_s"]
        return {**measured, **await _end_of(network)}


@contextlib.asynccontextmanager
async def _server(pid: int, address: str, setting: Setting) -> Any:
    """Start the server in a namespace; it is listening when this goes on."""
    command = setting.pair.server_command(address, setting.scenario)
    # It starts itself anew for each client, in a session of its own: a namespace for processes is
    # what ends all of them.
    boxed = [*HOSTS_NEXT, "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", *command]
    quiet = asyncio.subprocess.DEVNULL
    async with started(inside(pid, *boxed), stdout=quiet, stderr=PIPE) as process:
        listening = ["ss", "-Hltn", "sport", "=", f":{PORT}"]
        while not (await call(pid, *listening)).strip():
            if process.returncode is not None:
                raise ProgramError(f"{setting.pair.server_name} ended: {await last_words(process)}")
            await asyncio.sleep(0.02)
        yield process


async def _client(
    pid: int, sender: int, pair: Pair, command: list[str], limit_s: float
) -> dict[str, Any]:
    """Run the client to its end, and look at the sender's sockets meanwhile."""
    listener = Listener(pair)
    samples = Samples()
    begun = time.monotonic()
    words = inside(pid, *HOSTS_NEXT, *command)
    async with started(words, stdout=PIPE, stderr=asyncio.subprocess.STDOUT) as process:
        watching = asyncio.create_task(watch(sender, PORT, samples))
        try:
            await asyncio.wait_for(_listen(process, listener), limit_s)
        except TimeoutError:
            raise ProgramError(f"{pair.client_name} did not end within {limit_s:.0f} s") from None
        finally:
            watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watching
    took = time.monotonic() - begun
    return {
        **listener.measured(process.returncode),
        "command_s": took,
        "window_bytes": statistics.median(samples.windows) if samples.windows else None,
        "cwnd": samples.cwnd(),
    }


async def _listen(process: Process, listener: Listener) -> None:
    while line := await process.stdout.readline():
        listener.hear(line.decode(errors="replace"), time.monotonic())
    await process.wait()


async def _end_of(network: Process) -> dict[str, Any]:
    """End the path; return what it tells of itself."""
    network.send_signal(signal.SIGTERM)
    told = json.loads(await line_of(network, needs.NETWORK))
    bottleneck = told["bottleneck"]
    return {
        **{key: bottleneck[key] for key in ("drops", "max_queue_packets")},
        "late": told["late"],
    }
