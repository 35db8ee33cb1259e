"""Archives that are the same byte for byte when they are made of the same."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from lab.wasm import zipped

from .tree import Entry


def packed(entries: Iterable[Entry], time: int) -> bytes:
    """Return a compressed tar archive.

    Nothing of the machine, of whoever makes it or of when is in it: entries are sorted, belong to
    root, and have one of two modes and the same time. What compresses is Python's zlib, of which
    all but rebuilt ones (zlib-ng) give the same bytes.

    Args:
        entries: the files; folders come of their paths.
        time: of every entry, in seconds since 1970.

    Raises:
        ValueError: two files have the same path.
    """
    files = list(entries)
    by_path: dict[str, Entry | None] = {entry.path: entry for entry in files}
    if len(by_path) != len(files):
        raise ValueError("two files of an archive have the same path")
    for entry in files:
        for folder in PurePosixPath(entry.path).parents:
            if folder.name:
                by_path.setdefault(folder.as_posix(), None)
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, entry in sorted(by_path.items()):
            about = _about(path, entry, time)
            archive.addfile(about, io.BytesIO(entry.data) if entry else None)
    return zipped(stream.getvalue())


def sums(files: Mapping[str, bytes]) -> bytes:
    """Return what `sha256sum --check` reads, by name in order."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items()]
    return "".join(sorted(lines, key=lambda line: line.split()[1])).encode()


def _about(path: str, entry: Entry | None, time: int) -> tarfile.TarInfo:
    about = tarfile.TarInfo(path)
    about.uname = about.gname = "root"
    about.mtime = time
    about.mode = 0o644
    if entry is None:
        about.type = tarfile.DIRTYPE
    else:
        about.size = len(entry.data)
    if entry is None or entry.executable:
        about.mode = 0o755
    return about
