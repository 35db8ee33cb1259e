"""Damage to files, for tests that every reader survives it: anything that can become of a file."""

from __future__ import annotations

import bz2
import copy
import gzip
import json
import lzma
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

MOST_BYTES = 400_000
"""Of a damaged file."""

_NUMBERS = (
    "-1", "-0.0", "0", "1e400", "-1e400", "NaN", "Infinity", "9" * 30, "9" * 5000, "4294967295.00",
    "18446744073709551615", "0x7f", "1e-400", "1,5", "1_000", "٣", "²", "", '"x"', "true", "null",
    "99999999999999999999e99", "2147483648", "1.7976931348623157e308", "5e-324",
)  # fmt: skip
_TEXTS = (
    "\ud800", "\0", "\x1b[31m", "\u202e", "[bold]", "[/]", "%", "{}", "a" * 5000, "\n", "\r", "",
    "é", "\N{MATHEMATICAL FRAKTUR CAPITAL U}", "../../etc/passwd", "$(id)", "\\",
    "\N{ZERO WIDTH NO-BREAK SPACE}", "\x85", "\u2028",
)  # fmt: skip
_BYTES = b'{}[]",:;=%#|\t\x01\x00\r\n\\\xff\xc3(*.-+ '
_VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 10**400, -(10**30), 2**63, 1e308, -1e308, 0.5, "", "\ud800",
    "x" * 300, [], {}, [[]], [{}], {"": 1}, "all", "eth0", 4294967295.0, float("nan"), float("inf"),
)  # fmt: skip

Damage = Callable[[bytes, Random], bytes]


def damaged(seeds: Sequence[bytes], some: Random) -> bytes:
    """Return one of the seeds, damaged in one to four ways.

    Args:
        seeds: files that are read, at least one.
        some: what is random.
    """
    content = some.choice(seeds)
    for _ in range(some.choice((1, 1, 1, 2, 3, 4))):
        if content:
            content = some.choice(_DAMAGES)(content, some)[:MOST_BYTES]
    if some.random() < 0.1:
        content = some.choice(seeds) + content
    return content if some.random() < 0.9 else _wrapped(content, some)


def most_kb() -> int:
    """Return the most memory that this process has had, in KiB.

    getrusage() returns in ru_maxrss the memory of the process that started this one, if it had
    more.
    """
    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))


def _lines(change: Callable[[list[bytes], int, Random], None]) -> Damage:
    """Return a damage of the lines of a file from one that is done at a random line."""

    def damage(content: bytes, some: Random) -> bytes:
        lines = content.splitlines(keepends=True)
        change(lines, some.randrange(len(lines)), some)
        return b"".join(lines)

    return damage


def _lose(lines: list[bytes], at: int, some: Random) -> None:
    del lines[at : at + some.choice((1, 1, 2, 20))]


def _double(lines: list[bytes], at: int, some: Random) -> None:
    lines[at:at] = lines[some.randrange(len(lines)) :][: some.choice((1, 1, 3, 30))]


def _repeat(lines: list[bytes], at: int, some: Random) -> None:
    lines[at:at] = [lines[at]] * min(some.choice((10, 1000)), 1 + MOST_BYTES // len(lines[at]))


def _swap(lines: list[bytes], at: int, some: Random) -> None:
    other = some.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]


def _shuffle(lines: list[bytes], at: int, some: Random) -> None:
    words = lines[at].split(b" ")
    some.shuffle(words)
    lines[at] = b" ".join(words)


def _drop_word(lines: list[bytes], at: int, some: Random) -> None:
    words = lines[at].split(b" ")
    del words[some.randrange(len(words))]
    lines[at] = b" ".join(words)


def _number(lines: list[bytes], at: int, some: Random) -> None:
    found = list(re.finditer(rb"-?\d+(?:\.\d+)?", lines[at]))
    if found:
        one = some.choice(found)
        new = some.choice(_NUMBERS).encode()
        lines[at] = lines[at][: one.start()] + new + lines[at][one.end() :]


def _all_numbers(lines: list[bytes], at: int, some: Random) -> None:
    new = some.choice([number for number in _NUMBERS if len(number) < 50]).encode()
    lines[at] = re.sub(rb"\d+(?:\.\d+)?", lambda _: new, lines[at])


def _text(lines: list[bytes], at: int, some: Random) -> None:
    place = some.randrange(len(lines[at]) + 1)
    new = some.choice(_TEXTS).encode(errors="surrogatepass")
    lines[at] = lines[at][:place] + new + lines[at][place + some.choice((0, 1, 5)) :]


def _space(lines: list[bytes], at: int, some: Random) -> None:
    old, new = some.choice(((b" ", b"\t"), (b"  ", b" "), (b" ", b"  "), (b"\n", b"\r\n")))
    lines[at] = lines[at].replace(old, new)


def _cut(content: bytes, some: Random) -> bytes:
    at = some.randrange(len(content))
    return content[:at] if some.random() < 0.7 else content[at:]


def _bytes(content: bytes, some: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(some.choice((1, 1, 2, 10))):
        at = some.randrange(len(changed))
        new = some.choice(_BYTES) if some.random() < 0.7 else some.randrange(256)
        changed[at : at + some.choice((0, 1, 1, 1))] = bytes([new])
    return bytes(changed)


def _json(content: bytes, some: Random) -> bytes:
    """Change values of JSON and keep it JSON."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return _bytes(content, some)
    for _ in range(some.choice((1, 1, 2, 8))):
        data = _changed(data, some)
    return json.dumps(data, indent=some.choice((None, 1))).encode()


def _changed(data: Any, some: Random) -> Any:
    if not isinstance(data, dict | list) or not data or some.random() < 0.05:
        return copy.deepcopy(some.choice(_VALUES))
    key = some.choice(list(data)) if isinstance(data, dict) else some.randrange(len(data))
    kind = some.random()
    if kind < 0.1:
        del data[key]
    elif kind < 0.15 and isinstance(data, dict):
        data[some.choice(("", "x", "cpu", key.upper()))] = data.pop(key)
    elif kind < 0.2 and isinstance(data, list):
        data.insert(key, data[some.randrange(len(data))])
    elif kind < 0.25:
        data[key] = [data[key]]
    else:
        data[key] = _changed(data[key], some)
    return data


def _nested(content: bytes, some: Random) -> bytes:
    at, depth = some.randrange(len(content)), some.choice((50, 990, 5000, 100_000))
    begin, end = some.choice(((b"[", b"]"), (b'{"a":', b"}")))
    return content[:at] + begin * depth + b"1" + end * depth + content[at:]


def _wrapped(content: bytes, some: Random) -> bytes:
    """Compress or encode a file, and damage what comes of it at times."""
    text = content.decode(errors="replace")
    packed = some.choice((
        lambda content: gzip.compress(content, mtime=0),
        bz2.compress,
        lambda _: lzma.compress(content, preset=0),
        lambda _: text.encode("utf-16", errors="replace"),
        lambda _: text.encode("utf-16-be", errors="replace"),
        lambda _: text.encode("latin-1", errors="replace"),
        lambda _: b"\xef\xbb\xbf" + content,
        lambda _: gzip.compress(gzip.compress(content, mtime=0), mtime=0),
    ))(content)  # fmt: skip
    return _bytes(packed, some) if packed and some.random() < 0.5 else packed


_DAMAGES: tuple[Damage, ...] = (
    *map(
        _lines,
        (
            _lose, _double, _repeat, _swap, _shuffle, _drop_word, _number, _number, _all_numbers,
            _text, _space,
        ),
    ),
    _cut, _bytes, _bytes, _json, _json, _json, _nested,
)  # fmt: skip
