"""Files of text as people have them: compressed, in UTF-16, from a pipe, or something else.

Contract: every reader of files that users bring calls `read_text_file`, or for files of any length
`open_text`, and so reads all that they do and refuses the rest with one line. They take bounded
memory and time, whatever the file is.
"""

from __future__ import annotations

import bz2
import codecs
import io
import lzma
import os
import select
import stat
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol, TextIO, cast

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
_PART = 1 << 16
_HEAD = 512
_XZ_MEMORY = 128 << 20
"""xz -9 takes 65 MiB."""

_NAMED = (
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd; allowed: the text, as zstd -d prints it"),
    (b"\x04\x22\x4d\x18", "is compressed with lz4; allowed: the text, as lz4 -d prints it"),
    (b"\x1f\x9d", "is compressed with compress; allowed: the text, as zcat prints it"),
    (b"PK\x03\x04", "is a zip archive; allowed: a file from it, as unzip -p prints it"),
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


class DamagedError(UserError):
    """Compressed content that is damaged or cut short.

    Attributes:
        reason: what the library of the compression says.
    """

    def __init__(self, path: Path, packing: str, reason: str) -> None:
        what = f"is compressed with {packing}, and damaged or truncated"
        super().__init__(f"{path}:1: {what}; allowed: a complete file")
        self.reason = reason


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
    with open_file(path) as raw:
        content = bytearray()
        with _unpacked(path, raw, named, MOST_BYTES) as stream:
            while part := _read_part(path, stream):
                content += part
                if len(content) > MOST_BYTES:
                    raise _too_long(path)
    text = _decoded(path, content, allowed)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise wrong(path, line, f"is not a text; allowed: {allowed}")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    return text.replace("\r\n", "\n")


@contextmanager
def open_text(path: Path, raw: IO[bytes]) -> Iterator[TextIO]:
    """Yield the text of a file of any length, decompressed and decoded as it is read.

    What is no character becomes a mark of replacement; reading raises `DamagedError` behind the
    last byte that could be decompressed.

    Args:
        path: for messages.
        raw: of `open_file`, read from its beginning.

    Raises:
        UserError: it is no text, or so little compressed content becomes too much.
    """
    raw.seek(0)
    with _unpacked(path, raw) as stream:
        try:
            head = stream.peek(_HEAD)[:_HEAD]
        except DamagedError:
            head = b""
        encoding, length = _encoding(head)
        stream.read(length)
        yield io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="\n")


_COPIES: dict[Path, IO[bytes]] = {}
"""Of pipes that `open_file` was asked to keep, until it opens them again."""


def open_file(path: Path, keep: bool = False) -> IO[bytes]:
    """Return a file that is open, without a buffer; of a pipe, which is read to its end, a copy.

    Args:
        path: the file, a pipe or a device.
        keep: whether the next call has to return the same content of a pipe: it can be read once.

    Raises:
        UserError: it cannot be read; a pipe is silent for too long or has too much.
    """
    try:
        if path in _COPIES:
            copy = _COPIES[path] if keep else _COPIES.pop(path)
        elif stat.S_ISREG(path.stat().st_mode):
            return path.open("rb", buffering=0)
        else:
            copy = _copy(path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    if keep:
        _COPIES[path] = copy
    copy.seek(0)
    return os.fdopen(os.dup(copy.fileno()), "rb", buffering=0) if keep else copy


def _copy(path: Path) -> IO[bytes]:
    copy = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (the caller closes it)
    count = 0
    # A pipe without a writer is empty, in place of waiting for one.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        while part := _part(path, handle):
            copy.write(part)
            count += len(part)
            if count > MOST_BYTES:
                raise _too_long(path)
    except BaseException:
        copy.close()
        raise
    finally:
        os.close(handle)
    return copy


def _too_long(path: Path) -> UserError:
    return UserError(
        f"{path}: has more than {MOST_BYTES // 1_000_000} MB; allowed: a shorter file, such as one "
        "of the time of a single run"
    )


def _read_part(path: Path, stream: io.BufferedReader) -> bytes:
    try:
        return stream.read(_CHUNK)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None


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


def _unpacked(
    path: Path, raw: IO[bytes], named: Named = (), most: int | None = None
) -> io.BufferedReader:
    """Return what is compressed in a file, or the file itself, to be read from its beginning.

    Args:
        path: for messages.
        raw: the file.
        named: further beginnings of files that are refused.
        most: bytes of a text; None: as many as the ratio allows.
    """
    size = os.fstat(raw.fileno()).st_size
    limit = max(ALWAYS_BYTES, MOST_RATIO * size)
    limit = limit if most is None else min(most, limit)
    stream = io.BufferedReader(cast("io.RawIOBase", raw), _CHUNK)
    for _ in range(MOST_LAYERS + 1):
        try:
            head = stream.peek(_HEAD)
        except DamagedError:
            head = b""
        for magic, what in (*named, *_NAMED):
            if head.startswith(magic):
                raise wrong(path, 1, what)
        if head[_TAR[0] : _TAR[0] + len(_TAR[1])] == _TAR[1]:
            raise wrong(path, 1, "is a tar archive; allowed: a file from it, as tar -xO prints it")
        packing = next((one for one in _PACKINGS if head.startswith(one.magic)), None)
        if packing is None:
            return stream
        layer = _Layer(path, packing, stream, size, limit)
        stream = io.BufferedReader(layer, _CHUNK)
    raise wrong(path, 1, f"is compressed more than {MOST_LAYERS} times; allowed: the text itself")


class _Layer(io.RawIOBase):
    """What is compressed in a file: one stream after the other."""

    def __init__(
        self, path: Path, packing: _Packing, source: io.BufferedReader, size: int, most: int
    ) -> None:
        self._path, self._packing, self._source = path, packing, source
        self._size, self._most, self._count = size, most, 0
        self._unpacker: _Unpacker | None = None
        self._rest = b""
        self._error: UserError | None = None
        self._part = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        # As much as there is: the first bytes show what a content is.
        filled = 0
        while filled < len(buffer) and (self._part or self._fill(filled)):
            length = min(len(buffer) - filled, len(self._part))
            buffer[filled : filled + length] = self._part[:length]
            self._part = self._part[length:]
            filled += length
        return filled

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()

    def _fill(self, filled: int) -> bool:
        """Get the next part; return whether there is one. An error waits for the bytes before."""
        try:
            if self._error is not None:
                raise self._error
            self._part = memoryview(self._next())
        except UserError as error:
            self._error = error
            if not filled:
                raise
        return bool(self._part)

    def _next(self) -> bytes:
        """Return the next part, empty at the end."""
        try:
            part = self._decompress()
        except (EOFError, OSError, zlib.error, lzma.LZMAError, MemoryError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # of the system
            reason = str(error) or type(error).__name__
            raise DamagedError(self._path, self._packing.name, reason) from None
        self._count += len(part)
        if self._count > self._most:
            raise wrong(
                self._path,
                1,
                f"is compressed with {self._packing.name}, and its {self._size} bytes decompress "
                "to "
                f"more than {self._most}; allowed: a shorter text, {MOST_BYTES // 1_000_000} MB "
                "at most",
            )
        return part

    def _decompress(self) -> bytes:
        while self._unpacker is not None or self._begin():
            unpacker = self._unpacker
            if unpacker is None:
                break
            part = unpacker.decompress(self._rest, _CHUNK)
            self._rest = getattr(unpacker, "unconsumed_tail", b"")
            if unpacker.eof:
                self._rest, self._unpacker = unpacker.unused_data, None
            elif not part and not self._rest:
                self._rest = self._source.read1(_PART)
                if not self._rest:
                    raise EOFError("its end is missing")
            if part:
                return part
        return b""

    def _begin(self) -> bool:
        """Begin the next stream; return whether there is one."""
        # Zeros may fill the last block of a tape.
        self._rest = self._rest.lstrip(b"\0")
        while not self._rest:
            more = self._source.read1(_PART)
            if not more:
                return False
            self._rest = more.lstrip(b"\0")
        self._unpacker = self._packing.unpacker()
        return True


def _decoded(path: Path, content: bytearray, allowed: str) -> str:
    encoding, length = _encoding(content[:_HEAD])
    del content[:length]
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(encoding, errors="replace")
        line = before.count("\n") + 1
        name = encoding.rsplit("-", 1)[0] if encoding.endswith("E") else encoding
        raise wrong(path, line, f"is not {name}; allowed: {allowed}") from None


def _encoding(head: bytes | bytearray) -> tuple[str, int]:
    """Return the encoding of a text by how it begins, and the bytes of its mark."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name, len(mark)
    return _guessed(head), 0


def _guessed(content: bytes | bytearray) -> str:
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
