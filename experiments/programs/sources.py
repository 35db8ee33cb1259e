"""What an engine is made of: a hash of the sources that are compiled into it."""

from __future__ import annotations

import hashlib
from functools import cache

from launcher.sources import engine_files

from ..terminal.arguments import ROOT
from .program import Program


@cache
def engine_hash(program: Program, engine: str) -> str:
    """Return the hash of the sources that the engine compiles, the same on every machine.

    With engine ns3, ns-3's version and the build profile count too; a change of the README, of
    a test or of another engine does not.

    Raises:
        OSError: a source cannot be read.
        SourceError: the list of sources does not fit the folders.
        ProgramError: the program does not tell which ns-3 it was built against.
    """
    digest = hashlib.sha256()
    for path in engine_files(engine):
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    if engine != "segment":
        about = program.provenance
        digest.update(f"{about['ns3_version']}\0{about['build_profile']}".encode())
    return digest.hexdigest()
