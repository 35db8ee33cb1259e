"""Files of text as people have them: compressed, in UTF-16, from a pipe, or something else.

Contract: every reader of files that users bring calls `read_text_file`, and so reads all that it
does and refuses the rest with one line. It takes bounded memory and time, whatever the file is.
"""

from __future__ import annotations

import bz2
import codecs
import lzma
import os
import select
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from .errors import UserError

MOST_BYTES = 100_000_000
"""Of a text. The values that are read from it take some times as much memory."""

MOST_RATIO = 200
"""Bytes of text for a compressed one; texts of tools have up to a hundred, bombs a thousand."""

ALWAYS_BYTES = 10_000_000
"""Of a text that is allowed whatever the ratio is."""

MOST_LAYERS = 2
"""Times that a text may be compressed, one over the other."""

PATIENCE_S = 60.0
"""How long a pipe may be silent."""

_CHUNK = 1 << 20
_XZ_MEMORY = 128 << 20
"""xz -9 takes 65 MiB."""

_NAMED = (
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd; allowed: the text, as zstd -d prints it"),
    (b"\x04\x22\x4d\x18", "is compressed with lz4; allowed: the text, as lz4 -d prints it"),
    (b"\x1f\x9d", "is compressed with compress; allowed: the text, as zcat prints it"),
    (b"PK\x03\x04", "is a zip archive; allowed: a file of it, as unzip -p prints it"),
    (b"PK\x05\x06", "is an empty zip archive; allowed: a file of text"),
    (b"7z\xbc\xaf\x27\x1c", "is a 7z archive; allowed: a file of it"),
    (b"Rar!", "is a rar archive; allowed: a file of it"),
    (b"\x7fELF", "is a program; allowed: a file of text"),
    (b"%PDF-", "is a PDF; allowed: a file of text"),
    (b"\x89PNG", "is a picture; allowed: a file of text"),
    (b"SQLite format 3", "is a database of SQLite; allowed: a file of text"),
    (b"\x0a\x0d\x0d\x0a", "is a packet capture (pcapng); allowed: a file of text"),
    (b"\xd4\xc3\xb2\xa1", "is a packet capture (pcap); allowed: a file of text"),
    (b"\xa1\xb2\xc3\xd4", "is a packet capture (pcap); allowed: a file of text"),
)
_TAR = 257, b"ustar"

_MARKS = (
    # That of UTF-32 begins as that of UTF-16.
    (codecs.BOM_UTF8, "UTF-8"),
    (codecs.BOM_UTF32_LE, "UTF-32-LE"),
    (codecs.BOM_UTF32_BE, "UTF-32-BE"),
    (codecs.BOM_UTF16_LE, "UTF-16-LE"),
    (codecs.BOM_UTF16_BE, "UTF-16-BE"),
)

Named = tuple[tuple[bytes, str], ...]
"""How files begin that are no text, and what to say of them."""


def wrong(path: Path, line: int, what: str) -> UserError:
    """Return the error of something at a line of a file, from 1."""
    return UserError(f"{path}:{line}: {what}")


def read_text_file(path: Path, allowed: str, named: Named = ()) -> str:
    """Return the text of a file, with lines that end with a line feed.

    Compressed ones (gzip, bzip2, xz, lzma) are decompressed; UTF-8, UTF-16 and UTF-32 are decoded,
    with or without a mark of their byte order.

    Args:
        path: the file; a pipe is read to its end.
        allowed: what such a file should be, for messages.
        named: further beginnings of files that are no text.

    Raises:
        UserError: it cannot be read, is too large or is no text.
    """
    content = _unpacked(path, _read(path), named)
    text = _decoded(path, content, allowed)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise wrong(path, line, f"is no text; allowed: {allowed}")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return text.replace("\r\n", "\n")


def _read(path: Path) -> bytearray:
    content = bytearray()
    try:
        # A pipe without a writer is empty, in place of waiting for one.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            while part := _part(path, handle):
                content += part
                if len(content) > MOST_BYTES:
                    raise UserError(
                        f"{path}: has more than {MOST_BYTES // 1_000_000} MB; allowed: a shorter "
                        "file, such as of the time of a run alone"
                    )
        finally:
            os.close(handle)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    return content


def _part(path: Path, handle: int) -> bytes:
    while True:
        ready, _, _ = select.select([handle], [], [], PATIENCE_S)
        if not ready:
            raise UserError(
                f"{path}: nothing came for {PATIENCE_S:.0f} s; allowed: a file, or a pipe that is "
                "written to and closed"
            )
        try:
            return os.read(handle, _CHUNK)
        except BlockingIOError:
            continue


class _Unpacker(Protocol):
    """What the classes of zlib, bz2 and lzma have in common."""

    eof: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


@dataclass(frozen=True)
class _Packing:
    """A kind of compression: how it begins, and what decompresses a stream of it."""

    name: str
    magic: bytes
    unpacker: Callable[[], _Unpacker]


_PACKINGS = (
    _Packing("gzip", b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    _Packing("bzip2", b"BZh", bz2.BZ2Decompressor),
    _Packing("xz", b"\xfd7zXZ\0", lambda: lzma.LZMADecompressor(memlimit=_XZ_MEMORY)),
    _Packing("lzma", b"\x5d\0\0", lambda: lzma.LZMADecompressor(memlimit=_XZ_MEMORY)),
)


def _unpacked(path: Path, content: bytearray, named: Named) -> bytearray:
    """Return what is compressed in a content, or the content itself."""
    size = len(content)
    most = min(MOST_BYTES, max(ALWAYS_BYTES, MOST_RATIO * size))
    for _ in range(MOST_LAYERS + 1):
        for magic, what in (*named, *_NAMED):
            if content.startswith(magic):
                raise wrong(path, 1, what)
        if content[_TAR[0] : _TAR[0] + len(_TAR[1])] == _TAR[1]:
            raise wrong(path, 1, "is a tar archive; allowed: a file of it, as tar -xO prints it")
        packing = next((one for one in _PACKINGS if content.startswith(one.magic)), None)
        if packing is None:
            return content
        content = _unpack(path, packing, content, most)
    raise wrong(path, 1, f"is compressed more than {MOST_LAYERS} times; allowed: the text itself")


def _unpack(path: Path, packing: _Packing, content: bytearray, most: int) -> bytearray:
    """Return what is compressed in a content: one stream after the other."""
    text = bytearray()
    rest = bytes(content)
    try:
        while rest:
            unpacker = packing.unpacker()
            while not unpacker.eof:
                part = unpacker.decompress(rest, _CHUNK)
                rest = getattr(unpacker, "unconsumed_tail", b"")
                text += part
                if len(text) > most:
                    raise _too_large(path, packing, len(content), most)
                if not part and not rest and not unpacker.eof:
                    raise EOFError
            # Zeros may fill the last block of a tape.
            rest = unpacker.unused_data.lstrip(b"\0")
    except (EOFError, OSError, zlib.error, lzma.LZMAError, MemoryError):
        what = f"is compressed with {packing.name}, and damaged or cut short"
        raise wrong(path, 1, f"{what}; allowed: a complete file") from None
    return text


def _too_large(path: Path, packing: _Packing, size: int, most: int) -> UserError:
    return wrong(
        path,
        1,
        f"is compressed with {packing.name}, and its {size} bytes become more than {most}; "
        f"allowed: a shorter text, {MOST_BYTES // 1_000_000} MB at most",
    )


def _decoded(path: Path, content: bytearray, allowed: str) -> str:
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if encoding is None:
        encoding = _guessed(content)
    else:
        del content[: len("\ufeff".encode(encoding))]
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(encoding, errors="replace")
        line = before.count("\n") + 1
        name = encoding.rsplit("-", 1)[0] if encoding.endswith("E") else encoding
        raise wrong(path, line, f"is not {name}; allowed: {allowed}") from None


def _guessed(content: bytearray) -> str:
    """Return the encoding of a text without a mark: where its first two characters have zeros."""
    zeros = tuple(byte == 0 for byte in content[:8])
    if zeros[:4] == (False, True, False, True):
        return "UTF-16-LE"
    if zeros[:4] == (True, False, True, False):
        return "UTF-16-BE"
    if zeros == (False, True, True, True) * 2:
        return "UTF-32-LE"
    if zeros == (True, True, True, False) * 2:
        return "UTF-32-BE"
    return "UTF-8"
