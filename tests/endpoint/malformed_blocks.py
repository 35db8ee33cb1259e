"""Bytes of MODE E data connections in which a header is wrong (GFD.20, Section 3), for tests."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from dataclasses import dataclass

HEADER = struct.Struct(">BQQ")
"""Descriptor, count of payload bytes, offset in the file; big endian."""

EOF, EOD, CLOSE = 64, 8, 4
UNKNOWN = (1, 2, 16, 32, 128)
"""Bits of the descriptor that GFD.20 does not have, or that no endpoint here asks for."""

ALLOCATED = 100
"""Bytes that the transfers announce with ALLO."""

END = HEADER.pack(EOF | EOD, 0, 1)


@dataclass(frozen=True)
class Kind:
    """A way to be wrong.

    Attributes:
        reason: words of the server's reply.
        make: makes the bytes.
    """

    reason: str
    make: Callable[[random.Random], bytes]


def block(offset: int, payload: bytes, descriptor: int = 0) -> bytes:
    """Return a block."""
    return HEADER.pack(descriptor, len(payload), offset) + payload


def unknown_bits(generator: random.Random) -> bytes:
    """Return a header with a bit that does not exist."""
    bits = generator.choice(UNKNOWN) | generator.choice((0, EOD, EOF, EOF | EOD))
    return HEADER.pack(bits, generator.randrange(200), generator.randrange(1, 200))


def overflowing(generator: random.Random) -> bytes:
    """Return a header of a block that ends beyond 64 bits."""
    room = 2 ** generator.randrange(1, 64)
    return HEADER.pack(generator.choice((0, EOD)), generator.randrange(room, 2**64), 2**64 - room)


def huge_count(generator: random.Random) -> bytes:
    """Return a block of at least 2^63 bytes, of which some follow."""
    payload = generator.randbytes(generator.randrange(300))
    return HEADER.pack(0, generator.randrange(2**63, 2**64), 0) + payload


def far_away(generator: random.Random) -> bytes:
    """Return a block behind the largest file that is allowed."""
    offset = 2 ** generator.randrange(20, 64)
    return block(offset, generator.randbytes(generator.randrange(1, 300)))


def end_with_payload(generator: random.Random) -> bytes:
    """Return an EOF with payload, whose offset would have two meanings."""
    count = generator.choice((1, 17, 2**40, 2**63, 2**64 - 1))
    return HEADER.pack(EOF | generator.choice((0, EOD)), count, 1)


def two_ends_of_file(generator: random.Random) -> bytes:
    """Return several EOFs."""
    return b"".join(HEADER.pack(EOF, 0, generator.randrange(1, 2**64)) for _ in range(3))


def after_the_end(generator: random.Random) -> bytes:
    """Return an EOD with more behind it."""
    return HEADER.pack(EOF | EOD, 0, 2**40) + generator.randbytes(generator.randrange(1, 100))


def twice(generator: random.Random) -> bytes:
    """Return a block that arrives twice."""
    payload = generator.randbytes(generator.randrange(1, ALLOCATED))
    return 2 * block(0, payload) + END


def with_gap(generator: random.Random) -> bytes:
    """Return a block behind the bytes that were announced."""
    offset = generator.randrange(ALLOCATED + 1, 500_000)
    return block(offset, generator.randbytes(generator.randrange(1, 300))) + END


def cut_off(generator: random.Random) -> bytes:
    """Return part of a header."""
    return HEADER.pack(0, 1, 0)[: generator.randrange(1, HEADER.size)]


CLOSED = "data connection closed before its end of data"

KINDS = (
    Kind("has bits other than EOF", unknown_bits),
    Kind("closes (4) without EOD", lambda _: HEADER.pack(CLOSE, 0, 0)),
    Kind("ends beyond 64 bits", overflowing),
    Kind(CLOSED, huge_count),
    Kind("the data cannot be stored", far_away),
    Kind("block with EOF carries", end_with_payload),
    Kind("announces 0 EODs", lambda _: HEADER.pack(EOF | EOD, 0, 0)),
    Kind(f"closed after 1 of {2**40} ends", lambda _: HEADER.pack(EOF | EOD, 0, 2**40)),
    Kind("second EOF on one connection", two_ends_of_file),
    Kind("data after the end of data", after_the_end),
    Kind("arrived twice", twice),
    Kind(f"of {ALLOCATED} bytes arrived in", with_gap),
    Kind(CLOSED, cut_off),
)


def make_malformed(generator: random.Random) -> tuple[bytes, str]:
    """Return bytes of a connection, perhaps after a good block, and words of the server's reply."""
    kind = generator.choice(KINDS)
    good = block(0, generator.randbytes(generator.randrange(1, 50)))
    return generator.choice((b"", good)) + kind.make(generator), kind.reason
