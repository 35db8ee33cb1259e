"""Reads a command's arguments: errors in one line, paths as the user means them."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from ..errors import UserError

USER_CWD = "GRIDFTP_USER_CWD"

ROOT = Path(__file__).resolve().parents[2]
"""The repository."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises a `UserError` of one line."""

    def __init__(self, verb: str, description: str, **more: object) -> None:
        super().__init__(
            prog=f"gridftp {verb}", description=description, allow_abbrev=False, **more
        )

    def error(self, message: str) -> NoReturn:
        """Raise the message as one line."""
        text = " ".join(message.removeprefix("argument ").split())
        raise UserError(f"{self.prog}: {text}")


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if not 1 <= value <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 10000")
    return value


def user_path(text: str) -> Path:
    """Return a path, resolved against the user's working directory."""
    if not text or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a path; allowed: a file or folder")
    return Path(os.environ.get(USER_CWD) or Path.cwd(), Path(text).expanduser())


def page_address(text: str) -> str:
    """Return the address of the first page of a site, which names its file, so that disks have it.

    Args:
        text: the page or its folder, whole or relative to the page that is to link to it.
    """
    address = urlsplit(text)
    if not text.strip() or address.query or address.fragment:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not the address of a site; allowed: a folder, or a URL without ? and #"
        )
    return text if text.endswith(".html") else f"{text.rstrip('/')}/index.html"


def add_jobs(parser: Parser) -> None:
    """Add ``--jobs``."""
    cores = len(os.sched_getaffinity(0))
    parser.add_argument(
        "--jobs",
        type=positive,
        default=cores,
        metavar="N",
        help=f"simulations at the same time (default: the number of cores, {cores} here)",
    )


def add_results(parser: Parser) -> None:
    """Add ``--results``; `results_of` returns the folder."""
    parser.add_argument(
        "--results",
        type=user_path,
        metavar="DIR",
        help="folder for the results (default: that of --store, else results/ in the repository)",
    )


def results_of(options: argparse.Namespace) -> Path:
    """Return the folder of the results: what --results names, else where --store is."""
    store = getattr(options, "store", None)
    default = ROOT / "results" if store is None else store.parent
    return getattr(options, "results", None) or default


def add_store(parser: Parser) -> None:
    """Add ``--store``; `store_of` returns the file."""
    parser.add_argument(
        "--store",
        type=user_path,
        metavar="FILE",
        help="file in which simulations are stored (default: store.sqlite in the results)",
    )


def store_of(options: argparse.Namespace) -> Path:
    """Return the store: what --store names, else the one in the folder of the results."""
    return options.store or results_of(options) / "store.sqlite"


def add_figures(parser: Parser, known: list[int]) -> None:
    """Add ``--figure``, with one or more numbers."""

    def figure(text: str) -> int:
        if text not in map(str, known):
            numbers = ", ".join(map(str, known))
            raise argparse.ArgumentTypeError(f"{text!r} is not one of {numbers}")
        return int(text)

    parser.add_argument(
        "--figure",
        type=figure,
        action="extend",
        nargs="+",
        metavar="N",
        help=f"only figures with these numbers ({', '.join(map(str, known))})",
    )
