"""Whether a store still holds what was written into it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.read.stored import DamagedError, unpacked

from .store import DONE, Store, digest_of


@dataclass(frozen=True)
class Damage:
    """A run whose row is not what was written.

    Attributes:
        key: of the run.
        told: what is wrong, for a person.
        again: whether it can be simulated again: its options and its scenario are whole.
    """

    key: str
    told: str
    again: bool


def damages(store: Store) -> Iterator[Damage]:
    """Yield the damaged runs of a store.

    A run's key is a hash of its scenario and its sources, its digest one of what was measured, and
    its result has a checksum: a changed bit in any of them is found.
    """
    rows = store.query("SELECT key, line, scenario, sources, state, result, digest FROM run")
    for key, line, scenario, sources, state, packed, digest in rows:
        told = _of_scenario(key, line, scenario, sources)
        if told:
            yield Damage(key, told, again=False)
        elif state == DONE and (told := _of_result(key, scenario, packed, digest)):
            yield Damage(key, told, again=True)


def _of_scenario(key: str, line: str, scenario: str, sources: str) -> str:
    try:
        json.loads(line)
        whole = hashlib.sha256(f"{scenario}\0{sources}".encode()).hexdigest() == key
    except ValueError as error:
        return f"the options are damaged ({error})"
    return "" if whole else "the scenario is damaged (it does not match its key)"


def _of_result(key: str, scenario: str, packed: bytes, digest: str) -> str:
    try:
        data = unpacked(packed, "")
    except DamagedError as error:
        return str(error).removeprefix(": ")
    if digest_of(data) != digest:
        return "the result is damaged (it does not match its digest)"
    return ""
