"""Serves the site on this machine alone."""

from __future__ import annotations

import functools
import http.server
import sys
import webbrowser
from pathlib import Path
from typing import Any

from experiments.errors import UserError
from experiments.programs.draft import LAB_HOST


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, quietly; the browser asks each time whether they have changed.

    Connections stay open, and no answer waits for the ACK of its header (RFC 896).
    """

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


class _Server(http.server.ThreadingHTTPServer):
    """Says nothing of a browser that leaves before it has all it asked for."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def server(folder: Path, port: int) -> http.server.ThreadingHTTPServer:
    """Return a server of a folder, listening on loopback.

    Args:
        folder: of the site.
        port: 0 takes any that is free.

    Raises:
        UserError: the port is taken.
    """
    handler = functools.partial(_Handler, directory=str(folder))
    try:
        return _Server((LAB_HOST, port), handler)
    except OSError as error:
        raise UserError(
            f"gridftp lab: --port {port}: {error.strerror}; allowed: a port that is free, "
            "or 0 for any"
        ) from None


def serve(folder: Path, port: int, show: bool) -> None:
    """Serve until Ctrl-C.

    Args:
        folder: of the site.
        port: see `server`.
        show: whether to open the page in the user's browser.
    """
    with server(folder, port) as running:
        address = f"http://{LAB_HOST}:{running.server_address[1]}/"
        print(f"gridftp lab: {address} (Ctrl-C ends it)", flush=True)
        if show:
            webbrowser.open(address)
        running.serve_forever()
