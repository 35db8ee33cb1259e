"""``./gridftp lab``: the lab in a browser, or written out for any static host."""

from __future__ import annotations

import argparse

from experiments.programs.draft import LAB_PORT
from experiments.terminal.arguments import Parser, page_address, user_path

from . import notebook_start, site
from .serve import serve

_LARGEST_PORT = 65_535


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status."""
    parser = Parser("lab", "Serve the lab: TCP congestion control, live in a browser.")
    parser.add_argument(
        "--export",
        type=user_path,
        metavar="DIR",
        help="write the static site to this folder and exit",
    )
    parser.add_argument(
        "--manual",
        type=page_address,
        metavar="ADDRESS",
        help="address of the manual that the exported site links to, relative to the site: "
        "such as ../manual for an exported manual, or https://...",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=LAB_PORT,
        metavar="N",
        help=f"port to serve at (default: {LAB_PORT}; 0: any free port)",
    )
    parser.add_argument("--open", action="store_true", help="open the lab in the browser")
    parser.add_argument("--notebook", action="store_true", help="start a marimo notebook instead")
    options = parser.parse_args(arguments)
    if options.manual is not None and options.export is None:
        parser.error("--manual: only for an exported site; allowed: with --export")
    if options.notebook:
        if options.export is not None:
            parser.error("--notebook: cannot be exported; allowed: without --export")
        notebook_start.start(options.port, options.open)
    if options.export is not None:
        site.export(options.export, options.manual)
        print(f"gridftp lab: the site is in {options.export}")
        return 0
    folder = site.make()
    try:
        serve(folder, options.port, options.open)
    except KeyboardInterrupt:
        print()
    return 0


def _port(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value <= _LARGEST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 65535")
    return value
