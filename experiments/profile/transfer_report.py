"""Reports of transfer logs: rates, the limits on a given path, a sweep, text or JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any

from rich.console import Console
from rich.table import Table

from analysis.files import write_atomically

from ..errors import UserError
from ..programs.amounts import percent, said_size
from ..programs.program import Program
from ..terminal import present
from ..terminal.progress import PLAIN_INTERVAL_S, CostProgress
from ..transfer_logs.files import read_transfers
from ..transfer_logs.groups import Group, groups_of
from ..transfer_logs.records import UNKNOWN, Tally
from .judge import THRESHOLD
from .transfer_path import Compared, Path, compare, path_of
from .transfer_spec import spec_text

ROWS = 12
"""Groups that are shown and simulated."""


@dataclass(frozen=True)
class Asked:
    """Options of a report of transfer logs.

    Attributes:
        files: the logs.
        words: options of the path, ``--bandwidth=1Gbps`` and the like.
        round_trip: in place of ``--delay``; None where it is not given.
        rows: groups that are shown and simulated, those with the most transfers.
        spec: the sweep to write; None for none.
        is_json: print JSON in place of tables.
        jobs: simulations at a time.
        threshold: as `judge.THRESHOLD`.
    """

    files: Sequence[File]
    words: Sequence[str] = ()
    round_trip: str | None = None
    rows: int = ROWS
    spec: File | None = None
    is_json: bool = False
    jobs: int = 1
    threshold: float = THRESHOLD

    @property
    def has_path(self) -> bool:
        """Whether the path is given."""
        return bool(self.words) or self.round_trip is not None


def report(asked: Asked, locate: Callable[[], Program]) -> int:
    """Read transfer logs and report them; return the exit status, 0.

    Args:
        asked: options of the report.
        locate: returns the program that simulates; called only where one is needed.

    Raises:
        UserError: a file is no transfer log, an option is wrong.
        ProgramError: a simulation failed.
    """
    _refuse_suffix(asked.spec)
    out, err = present.standard_output(), present.standard_error()
    program = locate() if asked.has_path or asked.spec else None
    path = None if program is None else path_of(program, asked.words, asked.round_trip)
    transfers, tallies = _read(asked.files, err)
    groups = groups_of(transfers)
    _print_bad(err, tallies)
    text = None
    if asked.spec is not None and program is not None and path is not None:
        text = _spec(asked, program, path, groups)
    shown = shown_of(groups, asked.rows)
    compared: list[Compared] = []
    if asked.has_path and program is not None and path is not None and shown:
        present.say(
            err, f"Simulating {len(shown)} of {len(groups)} groups, with each limit lifted in turn"
        )
        compared = compare(program, path, shown, asked.jobs, asked.threshold, _Counter(err).show)
    if asked.is_json:
        out.file.write(json.dumps(as_json(tallies, groups, shown, compared, path), indent=1) + "\n")
    else:
        print_report(out, tallies, groups, shown, compared, path)
    if asked.spec is not None and text is not None:
        write_atomically({asked.spec: text.encode()})
        if not asked.is_json:
            present.say(out, "A spec of these transfers for ./gridftp sweep:")
            present.print_files(out, [asked.spec])
    return 0


class _Counter:
    """Prints the number of completed simulations as time passes; their total is unknown."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last = time.monotonic()

    def show(self, count: int) -> None:
        """Print the number of those that are done, at most every `PLAIN_INTERVAL_S`."""
        now = time.monotonic()
        if now - self._last >= PLAIN_INTERVAL_S:
            self._last = now
            present.say(self._console, f"{count} simulations completed")


def _refuse_suffix(spec: File | None) -> None:
    if spec is not None and spec.suffix != ".toml":
        raise UserError(
            f"gridftp profile: --sweep: {spec.name!r} has another suffix; allowed: .toml"
        )


def _spec(asked: Asked, program: Program, path: Path, groups: Sequence[Group]) -> str:
    if not groups:
        raise UserError(
            f"gridftp profile: --sweep: no transfer of {asked.files[0].name} has a rate; allowed: "
            "logs of completed transfers"
        )
    return spec_text(program, asked.files, path, groups)


def _read(files: Sequence[File], err: Console) -> tuple[Any, list[Tally]]:
    total = max(1, sum(file.stat().st_size for file in files))
    with CostProgress(err, total) as shown:
        return read_transfers(files, lambda count: shown.advance(count, "of the logs read"))


def shown_of(groups: Sequence[Group], rows: int) -> list[Group]:
    """Return the groups with the most transfers, in their order."""
    most = sorted(groups, key=lambda group: -group.count)[:rows]
    kept = {id(group) for group in most}
    return [group for group in groups if id(group) in kept]


# ---- For people -----------------------------------------------------------------------------


def print_report(
    out: Console,
    tallies: Sequence[Tally],
    groups: Sequence[Group],
    shown: Sequence[Group],
    compared: Sequence[Compared],
    path: Path | None,
) -> None:
    """Print the rates of the logs, and the limits of their transfers on a path."""
    for tally in tallies:
        present.say(out, summary(tally))
    if not groups:
        present.say(out, "No transfer has a rate.")
        return
    out.print(_rates_table(shown))
    if rest := len(groups) - len(shown):
        left = sum(group.count for group in groups) - sum(group.count for group in shown)
        present.say(
            out, f"{rest} more groups with {left:,} transfers: show them with --rows=N or --json"
        )
    if compared and path is not None:
        out.print(_limits_table(compared, path))
    else:
        present.say(
            out,
            "The logs do not describe the path. To see what limits the transfers, give "
            "--bandwidth, "
            "--rtt, --queue, --random-loss",
        )


def _print_bad(err: Console, tallies: Sequence[Tally]) -> None:
    for tally in tallies:
        for line, fault in tally.bad_shown:
            present.say(err, f"{tally.path}:{line}: {fault}")
        if more := tally.bad - len(tally.bad_shown):
            present.say(err, f"{tally.path}: {more:,} more bad lines")
        if tally.cut:
            present.say(err, f"{tally.path}: {tally.cut}")


def summary(tally: Tally) -> str:
    """Return the contents of a file in one sentence."""
    codes = ", ".join(f"{code}: {count:,}" for code, count in sorted(tally.failed.items()))
    left_out = [
        f"{count:,} {one if count == 1 else several}"
        for count, one, several in (
            (tally.failed.total(), f"failed ({codes})", f"failed ({codes})"),
            (tally.listings, "directory listing", "directory listings"),
            (tally.empty, "of 0 bytes", "of 0 bytes"),
            (tally.instant, "that ends when it starts", "that end when they start"),
            (tally.bad, "bad line", "bad lines"),
            (tally.other, "line about something else", "lines about something else"),
        )
        if count
    ]
    text = f"{tally.path.name}: {tally.kind}, {tally.transfers:,} transfers"
    if left_out:
        text += f"; left out: {', '.join(left_out)}"
    if tally.no_streams:
        text += f"; {tally.no_streams:,} without a number of streams, counted as 1"
    if tally.whole_operation:
        text += f"; {tally.whole_operation:,} with times that include preparation and checksums"
    return text


def _rates_table(groups: Sequence[Group]) -> Table:
    columns: list[tuple[str, Callable[[Group], str]]] = [
        ("from", lambda one: one.setting.source),
        ("to", lambda one: one.setting.destination),
        ("streams", lambda one: str(one.setting.streams)),
        ("stripes", lambda one: str(one.setting.stripes)),
        ("buffer", lambda one: buffer_text(one.setting.buffer)),
        ("size", lambda one: one.sizes),
        ("transfers", lambda one: f"{one.count:,}"),
        ("25 %", lambda one: _mbps(one.low_bps)),
        ("median", lambda one: _mbps(one.median_bps)),
        ("75 %", lambda one: _mbps(one.high_bps)),
        ("sent again", lambda one: "-" if one.resent is None else percent(one.resent)),
        ("at a time", lambda one: f"{one.at_once:.1f}"),
    ]
    dull = {"stripes"} if all(one.setting.stripes == 1 for one in groups) else set()
    dull |= {"sent again"} if all(one.resent is None for one in groups) else set()
    table = Table(title="Rates, Mbit/s", title_justify="left")
    table.add_column("", justify="right")
    shown = [(name, text) for name, text in columns if name not in dull]
    for name, _ in shown:
        left = name in ("from", "to")
        table.add_column(name, justify="left" if left else "right", overflow="fold")
    for number, one in enumerate(groups, 1):
        table.add_row(str(number), *(_plain(text(one)) for _, text in shown))
    return table


def _limits_table(compared: Sequence[Compared], path: Path) -> Table:
    given = " ".join(f"--{name}={text}" for name, text in path.options.items())
    title = f"Limits of the transfers with {given}, RTT {path.round_trip_s * 1e3:.4g} ms (Mbit/s)"
    table = Table(title=_plain(title), title_justify="left")
    for heading in ("", "median", "simulated", "ratio"):
        table.add_column(heading, justify="right")
    table.add_column("limit", overflow="fold", ratio=1)
    table.add_column("what shows it", overflow="fold", ratio=4)
    for number, one in enumerate(compared, 1):
        table.add_row(
            str(number),
            _mbps(one.group.median_bps),
            "-" if one.predicted_bps is None else _mbps(one.predicted_bps),
            "-" if one.ratio is None else f"{one.ratio:.2f}",
            _plain(one.limit or "-"),
            _plain(one.evidence),
        )
    return table


def buffer_text(buffer: int) -> str:
    """Return a logged TCP buffer for people."""
    if buffer == UNKNOWN:
        return "?"
    return "default" if buffer == 0 else said_size(buffer)


def _mbps(bps: float) -> str:
    return f"{bps / 1e6:,.4g}" if bps < 999.95e6 else f"{bps / 1e6:,.0f}"


def _plain(text: str) -> str:
    """Return a text in which brackets are no markup, and nothing moves the cursor."""
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return shown.replace("[", r"\[")


# ---- For programs ---------------------------------------------------------------------------


def as_json(
    tallies: Sequence[Tally],
    groups: Sequence[Group],
    shown: Sequence[Group],
    compared: Sequence[Compared],
    path: Path | None,
) -> dict[str, Any]:
    """Return the report as data: keys with units in their names, rates in bit/s."""
    by_group = {id(group): one for group, one in zip(shown, compared, strict=False)}
    return {
        "files": [dict(_tally_items(tally)) for tally in tallies],
        "path": dict(path.options) if path is not None else {},
        "groups": [_group_json(group, by_group.get(id(group))) for group in groups],
    }


def _tally_items(tally: Tally) -> Iterator[tuple[str, Any]]:
    yield "file", str(tally.path)
    yield "kind", tally.kind
    counts = (
        "lines", "transfers", "listings", "empty", "instant", "no_streams", "whole_operation",
        "other", "bad",
    )  # fmt: skip
    for name in counts:
        yield name, getattr(tally, name)
    yield "failed", dict(tally.failed)
    yield "bad_lines", [{"line": line, "fault": fault} for line, fault in tally.bad_shown]
    yield "cut", tally.cut or None


def _group_json(group: Group, compared: Compared | None) -> Mapping[str, Any]:
    one = group.setting
    data = {
        "from": one.source,
        "to": one.destination,
        "streams": one.streams,
        "stripes": one.stripes,
        "buffer_bytes": None if one.buffer == UNKNOWN else one.buffer,
        "sizes": group.sizes,
        "size_bytes": group.size,
        "transfers": group.count,
        "quartile_1_bps": group.low_bps,
        "median_bps": group.median_bps,
        "quartile_3_bps": group.high_bps,
        "sent_again_share": group.resent,
        "at_a_time": group.at_once,
    }
    if compared is not None:
        data |= {
            "simulated_bps": compared.predicted_bps,
            "measured_over_simulated": compared.ratio,
            "limit": compared.limit or None,
            "evidence": compared.evidence,
            "is_auto_tuned": compared.is_auto_tuned,
        }
    return data
