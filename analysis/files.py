"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path


def write_atomically(files: Mapping[Path, bytes]) -> None:
    """Write every file, or none, each complete from the moment its name exists.

    All contents go to temporary files beside their targets first; only then are they renamed.
    An interrupt or a full disk before the renames leaves the earlier files as they were.

    Raises:
        OSError: a folder or file cannot be written.
    """
    temporary: dict[Path, Path] = {}
    try:
        for target, content in files.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
            temporary[target] = Path(name)
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            temporary[target].chmod(0o666 & ~_umask())
        for target, name in list(temporary.items()):
            name.replace(target)
            del temporary[target]
    finally:
        for name in temporary.values():
            name.unlink(missing_ok=True)


def _umask() -> int:
    """Return the process's file mode mask (mkstemp ignores it and makes files private)."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
