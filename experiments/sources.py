"""What an engine is made of: a hash of the sources that are compiled into it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from .arguments import ROOT
from .programs import Program

_CORE = ("contrib/gridftp/core/*", "scratch/gridftp-transfer.cc", "scratch/*.h")
_NS3 = ("contrib/gridftp/model/*", "contrib/gridftp/helper/*", "scratch/gridftp-transfer-ns3.cc")


@cache
def engine_hash(program: Program, engine: str) -> str:
    """Return the hash of the sources that the engine compiles, the same on every machine.

    With engine ns3, ns-3's version and the build profile count too; a change of the README, of
    a test or of another engine does not.

    Raises:
        OSError: a source cannot be read.
        ProgramError: the program does not tell which ns-3 it was built against.
    """
    digest = hashlib.sha256()
    for path in _sources(_CORE if engine == "segment" else (*_CORE, *_NS3)):
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    if engine != "segment":
        about = program.provenance
        digest.update(f"{about['ns3_version']}\0{about['build_profile']}".encode())
    return digest.hexdigest()


def _sources(patterns: Iterable[str]) -> list[Path]:
    """Return the sources that match, in an order that does not depend on the machine."""
    return sorted(
        path for pattern in patterns for path in ROOT.glob(pattern) if path.suffix in (".cc", ".h")
    )
