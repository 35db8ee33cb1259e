"""Folders that a command writes whole, for any static web server."""

from __future__ import annotations

from pathlib import Path

from ..errors import UserError


def refuse_foreign(verb: str, folder: Path, mark: str) -> None:
    """Refuse a folder with files that no export has written.

    Args:
        verb: the command that exports.
        folder: the folder to write.
        mark: name of a file that every export writes; a folder with it may be overwritten.

    Raises:
        UserError: the folder contains other files, and not the mark.
    """
    if folder.exists() and not (folder / mark).is_file() and any(folder.iterdir()):
        raise UserError(
            f"gridftp {verb}: --export: '{folder}' contains files of something else; "
            "allowed: a new folder, an empty one, or one of an earlier export"
        )
