"""Files of transfer logs: recognised, decompressed, read in bounded memory."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TextIO

from ..errors import UserError
from ..text_files import DamagedError, open_file, open_text, wrong
from . import fts, gridftp_log
from .fts import objects, records
from .gridftp_log import TransferLog
from .records import Tally, Transfers, sort_in

HEAD = 1 << 20
"""Characters in which a file shows what it is."""

LONGEST_LINE = 1 << 14
"""Characters of a line; the server writes less than 4,096."""

Advance = Callable[[int], None]
"""Is called with the bytes of a file that have been read since it was called last."""

_PART = 1 << 13

_LOG = re.compile(
    r"(?:DATE|START)=\d{8,}\S* .*NBYTES=|NL\.EVNT=FTP_INFO|event=globus-gridftp-server\."
    r"|^\[\d+\] \w{3} \w{3} +\d+ [\d:]{8} \d{4} :: ",
    re.MULTILINE,
)
_JSON = re.compile(r"\s*(?:(?:CO|ST|SS|OP)[ \t]*)?[{\[]")
_FTS = re.compile(
    r'"(?:t_final_transfer_state|tr_timestamp_(?:start|complete)|file_state|tx_duration|source_surl'
    r'|transfer_id|job_state|throughput_ema|filesize_avg)"\s*:|"topic"\s*:\s*"fts_raw'
)


def are_transfer_logs(files: Sequence[Path]) -> bool:
    """Return whether files are transfer logs, by what they begin with.

    Raises:
        UserError: some are and some are not, or a file cannot be read.
    """
    kinds = [_kind(path) for path in files]
    if not any(kinds) or all(kinds):
        return any(kinds)
    other = files[kinds.index(None)]
    log = next(path for path, kind in zip(files, kinds, strict=True) if kind)
    raise wrong(
        other,
        1,
        f"is not a transfer log, but {log.name} is; allowed: only transfer logs, or none of them",
    )


def read_transfers(
    files: Sequence[Path], advance: Advance = lambda count: None
) -> tuple[Transfers, list[Tally]]:
    """Read transfer logs.

    Args:
        files: of `are_transfer_logs`.
        advance: shows progress.

    Returns:
        All transfers that have a rate, and a count of everything else for each file.

    Raises:
        UserError: a file cannot be read, or has no transfer at all, not even a failed one.
    """
    transfers = Transfers()
    return transfers, [_read(path, transfers, advance) for path in files]


def _kind(path: Path) -> str | None:
    """Return the kind of a transfer log; None for any other file."""
    numbered = path.with_name(path.name.rpartition("#")[0] or "#")
    if not os.path.lexists(path) and os.path.isfile(numbered):
        return None  # FILE#2 is the second run of a benchmark in FILE
    try:
        with open_file(path, keep=True) as raw:
            return _kind_of(path, raw)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None


def _kind_of(path: Path, raw: IO[bytes]) -> str | None:
    with open_text(path, raw) as text:
        head = _head(text)
    is_json = _JSON.match(head) is not None
    if is_json and _FTS.search(head) and "NL.EVNT=" not in head:
        return fts.KIND
    return gridftp_log.KIND if _LOG.search(head) else None


def _head(text: TextIO) -> str:
    """Return the beginning of a text, as far as it is undamaged."""
    parts: list[str] = []
    with suppress(DamagedError):
        while len(parts) < HEAD // _PART and (part := text.read(_PART)):
            parts.append(part)
    return "".join(parts)


def _read(path: Path, transfers: Transfers, advance: Advance) -> Tally:
    tally = Tally(path, _kind(path) or gridftp_log.KIND)
    try:
        with open_file(path) as raw, open_text(path, raw) as text:
            # The length of a pipe is not known beforehand.
            shown = _Shown(raw, advance if path.is_file() else lambda count: None)
            try:
                if tally.kind == fts.KIND:
                    _read_fts(text, transfers, tally, shown)
                else:
                    _read_log(text, transfers, tally, shown)
            except DamagedError as error:
                tally.cut = f"is damaged or truncated after line {tally.lines} ({error.reason})"
            shown.all()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    _refuse_empty(tally)
    return tally


class _Shown:
    """Reports how far a file has been read."""

    def __init__(self, raw: IO[bytes], advance: Advance) -> None:
        self._raw, self._advance = raw, advance
        self._last = 0

    def some(self) -> None:
        """Report what has been read since the last call."""
        at = self._raw.tell()
        if at > self._last:
            self._advance(at - self._last)
            self._last = at

    def all(self) -> None:
        """Report the rest."""
        self._raw.seek(0, io.SEEK_END)
        self.some()


def _lines(text: TextIO) -> Iterator[str]:
    """Yield lines without what ends them; of one that is too long, its beginning."""
    while line := text.readline(LONGEST_LINE):
        if len(line) == LONGEST_LINE and line[-1] != "\n":
            while (rest := text.readline(LONGEST_LINE)) and rest[-1] != "\n":
                pass
        yield line.rstrip("\r\n")


def _read_log(text: TextIO, transfers: Transfers, tally: Tally, shown: _Shown) -> None:
    log = TransferLog()
    for line in _lines(text):
        tally.lines += 1
        if tally.lines % 16384 == 0:
            shown.some()
        try:
            record = log.record(line)
        except ValueError as error:
            tally.add_bad(tally.lines, str(error))
            continue
        if record is None:
            tally.other += 1
        else:
            sort_in(record, transfers, tally)
            if record.is_behind_a_cut:
                tally.add_bad(
                    tally.lines, "is truncated, and another line follows without a line feed"
                )


def _read_fts(text: TextIO, transfers: Transfers, tally: Tally, shown: _Shown) -> None:
    for line, value in objects(text):
        if isinstance(value, str):
            tally.lines += 1
            tally.add_bad(line, value)
            continue
        for record in records(value):
            tally.lines += 1
            if tally.lines % 4096 == 0:
                shown.some()
            if isinstance(record, str):
                tally.add_bad(line, record)
            elif record is None:
                tally.other += 1
            else:
                sort_in(record, transfers, tally)


def _refuse_empty(tally: Tally) -> None:
    """Refuse a file without a transfer; the error names what the file contains instead."""
    seen = tally.transfers + tally.empty + tally.instant + tally.listings + tally.failed.total()
    if seen:
        return
    needed = "allowed: lines with DATE=, START= and NBYTES=, as -log-transfer writes them"
    if tally.kind == fts.KIND:
        needed = "allowed: transfer complete messages, or jobs with their files"
    if tally.bad:
        line, fault = tally.bad_shown[0]
        raise wrong(tally.path, line, f"{fault}, and no other line is a transfer; {needed}")
    if tally.cut:
        raise wrong(tally.path, tally.lines + 1, f"{tally.cut}; allowed: a complete file")
    raise wrong(tally.path, 1, f"has no transfer in {tally.lines} lines; {needed}")
