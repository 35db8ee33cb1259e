"""Folders that a verb writes whole, for any static host."""

from __future__ import annotations

from pathlib import Path

from ..errors import UserError


def refuse_foreign(verb: str, folder: Path, mark: str) -> None:
    """Have nothing written over that somebody else has put into a folder.

    Args:
        verb: that was asked for an export.
        folder: where to.
        mark: name of a file that says of a folder that it is ours to write over.

    Raises:
        UserError: the folder holds something else.
    """
    if folder.exists() and not (folder / mark).is_file() and any(folder.iterdir()):
        raise UserError(
            f"gridftp {verb}: --export: '{folder}' holds something else; "
            "allowed: a new folder, an empty one, or one of an earlier export"
        )
