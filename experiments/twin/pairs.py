"""Client and server programs of a transfer: Globus's or ours."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ProgramError
from ..programs.program import locate
from . import needs
from .dialogue import Dialogue

GLOBUS, OURS = "globus", "ours"
KINDS = (GLOBUS, OURS)

PORT = 2811
SERVER_USER = "nobody"

MEMORY = "/dev/shm"
"""A file system in memory: transfers from and to it wait for no disk."""


@dataclass(frozen=True)
class Pair:
    """Programs of a transfer.

    Attributes:
        client: "globus" for globus-url-copy, "ours" for gridftp-client.
        server: "globus" for globus-gridftp-server, "ours" for gridftp-server.
        folder: where files are that our programs read and write.
    """

    client: str
    server: str
    folder: Path

    @property
    def client_name(self) -> str:
        """Name of the client program."""
        return "gridftp-client" if self.client == OURS else "globus-url-copy"

    @property
    def server_name(self) -> str:
        """Name of the server program."""
        return "gridftp-server" if self.server == OURS else "globus-gridftp-server"

    def server_command(self, address: str, scenario: Mapping[str, Any]) -> list[str]:
        """Return the command line of a server that anybody may use.

        Args:
            address: IPv4 address on which it listens.
            scenario: resolved.
        """
        block = f"{scenario['block_size_bytes']:.0f}"
        if self.server == OURS:
            return [
                str(locate("gridftp-server").path),
                str(self.folder),
                *(f"--address={address}", f"--port={PORT}", f"--block-size={block}B"),
                *("--writable", "--quiet"),
            ]
        return [
            str(needs.find("globus-gridftp-server")),
            *("-c", "/dev/null", "-p", str(PORT), "-data-interface", address),
            *("-aa", "-anonymous-user", SERVER_USER),
            *("-blocksize", block),
        ]

    def client_command(
        self, scenario: Mapping[str, Any], server: str, parallelism: int, words: Sequence[str]
    ) -> list[str]:
        """Return the command line of a client that moves the file, without a disk.

        Args:
            scenario: resolved.
            server: IPv4 address of the server.
            parallelism: N, of a client that does not choose it.
            words: mode and other options of our client, if it chooses N.
        """
        upload = scenario["direction"] != "download"
        remote = f"ftp://{server}:{PORT}{self._remote_path(upload)}"
        if self.client == GLOBUS:
            size = str(file_bytes(scenario))
            ends = ["file:///dev/zero", remote] if upload else [remote, "file:///dev/null"]
            return [
                str(needs.find("globus-url-copy")),
                *("-dbg", "-p", str(parallelism), "-len", size),
                *(["-tcp-bs", _window(scenario)] if needs.asks_for(scenario) else []),
                *("-bs", f"{scenario['block_size_bytes']:.0f}"),
                *ends,
            ]
        ends = ["put", str(self.folder / "source"), remote] if upload else ["get", remote]
        return [
            str(locate("gridftp-client").path),
            *(ends if upload else [*ends, "/dev/null"]),
            *(["--window=" + _window(scenario) + "B"] if needs.asks_for(scenario) else []),
            *("--json", "--progress=off"),
            *(words or (f"--parallelism={parallelism}", "--mode=fixed")),
        ]

    def _remote_path(self, upload: bool) -> str:
        """Return the path of the file at the server."""
        if self.server == OURS:
            return "/target" if upload else "/source"
        if upload:
            return "/dev/null"
        # A client of ours asks for the size first, which /dev/zero does not have
        return "/dev/zero" if self.client == GLOBUS else str(self.folder / "source")


class Listener:
    """Reads what a client prints, and finds when the file was moved."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair
        self._dialogue = Dialogue()
        self._lines: list[str] = []

    def hear(self, line: str, now_s: float) -> None:
        """Take a line that the client has just printed."""
        if self._pair.client == GLOBUS:
            self._dialogue.hear(line, now_s)
        else:
            self._lines.append(line)

    def measured(self, status: int | None) -> dict[str, Any]:
        """Return ``duration_s``, and of our client ``chunks``, as JSON data.

        Args:
            status: exit status of the client.

        Raises:
            ProgramError: it has not moved the file.
        """
        name = self._pair.client_name
        if self._pair.client == GLOBUS:
            duration_s = self._dialogue.duration_s
            if status or duration_s is None:
                why = self._dialogue.failure or f"exit status {status}"
                raise ProgramError(f"{name} did not move the file: {why}")
            return {"duration_s": duration_s}
        begin = next((at for at, line in enumerate(self._lines) if line.startswith("{")), None)
        if status or begin is None:
            why = self._lines[-1].strip() if self._lines else f"exit status {status}"
            raise ProgramError(f"{name} did not move the file: {why}")
        chunks = json.loads("".join(self._lines[begin:]))["chunks"]
        return {"duration_s": chunks[-1]["end_s"] - chunks[0]["start_s"], "chunks": chunks}


@contextlib.contextmanager
def folder_with_source(scenario: Mapping[str, Any]) -> Iterator[Path]:
    """Make a folder in memory with a file ``source`` of the scenario's size, without content."""
    place = MEMORY if os.path.isdir(MEMORY) else None
    with tempfile.TemporaryDirectory(prefix="gridftp-twin-", dir=place) as name:
        folder = Path(name)
        folder.chmod(0o755)
        with (folder / "source").open("wb") as file:
            file.truncate(file_bytes(scenario))
        yield folder


def file_bytes(scenario: Mapping[str, Any]) -> int:
    """Return the size of the file, bytes."""
    return int(scenario["file_size_bytes"])


def _window(scenario: Mapping[str, Any]) -> str:
    return f"{scenario['window_bytes']:.0f}"
