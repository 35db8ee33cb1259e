"""Logged transfers on a path that the user gives: what the simulation predicts, and what limits it.

Each group of a log is simulated with its streams, stripes, buffer and size, and profiled as any
other transfer is (`judge`): without each of its limits in turn. The logs know nothing of the path;
its options are the user's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import UserError
from ..programs.amounts import LARGEST_BUFFER, any_size, percent, said_rate, said_size, size, time
from ..programs.option_table import OptionTable
from ..programs.path import round_trip_s
from ..programs.program import Program
from ..programs.resolve import answers_to, refused
from ..spec.matrix import AUTO_TUNED, STACK
from ..terminal.arguments import user_path
from ..transfer_logs.groups import Group
from .case import LINUX, offered_bytes, product_bytes, refuse_other_tools
from .inquire import inquire
from .judge import THRESHOLD, Finding

FROM_THE_LOGS = (
    "mode", "parallelism", "stripes", "file-size", "chunk-size", "files", "file-sizes",
)  # fmt: skip
"""Options whose values the logs have."""

FITS = 0.8
"""A measured rate fits the simulation where neither is less than this share of the other."""

TOO_FAST = 1.05
"""A group this many times faster than its fixed windows allow had windows that grew."""

LARGEST_SIMULATED = 2 * 10**9
"""Most bytes of a simulated transfer, or `PRODUCTS` bandwidth-delay products if these are more. A
longer transfer has the same rate."""

PRODUCTS = 100

START_UP = "start-up"
"""Limit of a short transfer: it ends while its windows still grow, and lifting any other single
limit gains nothing."""

START_UP_ROUND_TRIPS = 100
"""Most round trips of a short transfer."""


@dataclass(frozen=True)
class Path:
    """The path, as the user gives it.

    Attributes:
        options: option texts by name; empty where nothing is known of it.
        scenario: a transfer over it, resolved, in SI numbers.
    """

    options: Mapping[str, str]
    scenario: Mapping[str, Any]

    @property
    def round_trip_s(self) -> float:
        """Round-trip time with empty queues, s."""
        return round_trip_s(self.scenario)


@dataclass(frozen=True)
class Compared:
    """A group of transfers next to its simulation.

    Attributes:
        group: of the log.
        finding: of the simulation; None where there is none.
        is_auto_tuned: its buffers are simulated as the operating system tunes them.
        has_grown: the log has a buffer that is too small for the measured rate.
        reason: why it is not simulated; empty if it is.
    """

    group: Group
    finding: Finding | None
    is_auto_tuned: bool
    has_grown: bool
    reason: str = ""

    @property
    def predicted_bps(self) -> float | None:
        """Rate of the simulation."""
        return None if self.finding is None else self.finding.case.goodput_bps

    @property
    def ratio(self) -> float | None:
        """Measured median as a share of the simulated rate."""
        predicted = self.predicted_bps
        return self.group.median_bps / predicted if predicted else None

    @property
    def limit(self) -> str:
        """What limits the transfer on this path, by the simulation."""
        if self.finding is None:
            return ""
        if not self.finding.limits and self._round_trips <= START_UP_ROUND_TRIPS:
            return START_UP
        return self.finding.name

    @property
    def evidence(self) -> str:
        """Numbers that show the limit, and why the measured rate may differ."""
        if self.finding is None:
            return self.reason
        lasts = ""
        if self.limit == START_UP:
            lasts = f"the transfer lasts {self._round_trips:.3g} RTTs"
        return "; ".join(filter(None, [lasts, *self.finding.evidence, self._remark()]))

    @property
    def _round_trips(self) -> float:
        """Of the path while the simulated transfer lasts."""
        return self.finding.case.duration_s / self.finding.case.round_trip_s if self.finding else 0

    def _remark(self) -> str:
        ratio, group = self.ratio or 0, self.group
        parts = []
        if self.has_grown:
            parts.append(
                f"windows of {said_size(group.setting.buffer)} cannot carry "
                f"{said_rate(group.median_bps)}: the buffers were auto-tuned"
            )
        if ratio < FITS:
            parts.append(
                f"the measured rate is {percent(ratio)} of the simulated one: {self._slower()}"
            )
        elif ratio > 1 / FITS:
            parts.append(
                f"the measured rate is {ratio:.2g} times the simulated one: the path is faster or "
                "shorter or loses less than given"
            )
        return "; ".join(parts)

    def _slower(self) -> str:
        group = self.group
        causes = []
        if group.at_once > 1.5:
            causes.append(f"{group.at_once:.1f} transfers at a time share the path")
        if group.resent:
            causes.append(f"{percent(group.resent)} of the segments were retransmitted")
        causes.append("storage, CPU or other traffic, which the given path does not have")
        return ", ".join(causes)


def path_of(program: Program, words: Sequence[str], round_trip: str | None) -> Path:
    """Return the path that words of a command line describe.

    Args:
        program: that simulates, and knows the options.
        words: ``--bandwidth=1Gbps`` and the like.
        round_trip: in place of ``--delay``, as ``50ms``.

    Raises:
        UserError: one of them is no option, or none that logs leave open.
    """
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not equals:
            raise UserError(
                f"gridftp profile: unrecognized arguments: {word}; allowed: an option of the path "
                "such as --bandwidth=1Gbps"
            )
        if name in FROM_THE_LOGS:
            raise UserError(
                f"gridftp profile: --{name}: its value comes from the logs; allowed: options of "
                "the "
                "path, of TCP and of hosts"
            )
        if name in options:
            raise UserError(f"gridftp profile: --{name} is given twice; allowed: once")
        options[name] = value
    table = OptionTable.read(program.object("--describe"))
    options = {name: _as_seen_by_the_user(table, name, text) for name, text in options.items()}
    if round_trip is not None:
        if "delay" in options:
            raise UserError("gridftp profile: --rtt: sets --delay, too; allowed: one of them")
        options["delay"] = _delay(program, options, round_trip)
    if options and STACK not in options:
        options = _with_stack(program, options)
    scenario = program.resolve(*_words(options))
    for name in options:
        if name not in table or table[name].kind == "list":
            raise UserError(
                f"gridftp profile: --{name} is not an option of the path; allowed: options of the "
                "path, of TCP and of hosts"
            )
    refuse_other_tools("gridftp profile", scenario)
    return Path(options, scenario)


def _with_stack(program: Program, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options with hosts of today, where these model all that is given."""
    today = {STACK: LINUX, **options}
    (answer,) = answers_to(program, [today])
    return dict(options) if refused(answer) else today


def _as_seen_by_the_user(table: OptionTable, name: str, text: str) -> str:
    """Return the value of an option; of a file, its whole path."""
    if name not in table or not table[name].may_be_file or not text or "\0" in text:
        return text
    file = user_path(text)
    return str(file) if os.path.isfile(file) else text


def _words(options: Mapping[str, str]) -> list[str]:
    return [f"--{name}={value}" for name, value in options.items()]


def _delay(program: Program, options: Mapping[str, str], round_trip: str) -> str:
    """Return the delay of the bottleneck with which the path has a round-trip time.

    Where the options have a delay of the other direction, that is a part of the round trip.
    """
    try:
        wanted = program.resolve(f"--delay={round_trip}")["delay_s"]
    except UserError as error:
        raise UserError(str(error).replace("--delay", "--rtt")) from None
    scenario = program.resolve(*_words(options))
    links = 4 * scenario["access_delay_s"]
    if "reverse-delay" in options:
        least = scenario["reverse_delay_s"] + links
        what, other = "--reverse-delay and the access links", "--reverse-delay or --access-delay"
        delay = wanted - least
    else:
        least, delay = links, (wanted - links) / 2
        what, other = "the access links", "--access-delay"
    if delay < 0 and time(delay) != time(0):
        raise UserError(
            f"gridftp profile: --rtt={round_trip} is less than the RTT of {what}; allowed: "
            f"{time(least)} or more, or another {other}"
        )
    return time(max(0.0, delay))


def compare(
    program: Program,
    path: Path,
    groups: Sequence[Group],
    jobs: int,
    threshold: float = THRESHOLD,
    simulated: Callable[[int], None] = lambda count: None,
) -> list[Compared]:
    """Return each group next to its simulation.

    Args:
        program: that simulates.
        path: what it is simulated over.
        groups: of the logs.
        jobs: simulations at a time.
        threshold: as `judge.THRESHOLD`.
        simulated: is called with the number of simulations that are done.

    Raises:
        UserError: the program refuses one.
        ProgramError: it does not do what it should.
    """
    lines = [_line(path, group) for group in groups]
    reasons = refusals(program, lines)
    accepted = [line for line, reason in zip(lines, reasons, strict=True) if not reason]
    findings = iter(inquire(program, accepted, jobs, threshold, simulated))
    found = []
    for group, reason in zip(groups, reasons, strict=True):
        finding = None if reason else next(findings)
        if finding is None and not reason:
            reason = "the simulated transfer does not complete"
        grown = has_grown(path, group)
        found.append(Compared(group, finding, is_auto_tuned(path, group), grown, reason))
    return found


def refusals(program: Program, lines: Sequence[Mapping[str, str]]) -> list[str]:
    """Return why each line cannot be simulated; empty where it can.

    Args:
        program: that simulates.
        lines: of a batch.
    """
    if not lines:
        return []
    answers = answers_to(program, lines)
    return [f"not simulated: {one['reason']}" if refused(one) else "" for one in answers]


def has_grown(path: Path, group: Group) -> bool:
    """Return whether a group is faster than windows of the logged buffer can be on the path.

    A server logs the buffer that its socket has when the connection begins. Where nobody asked
    for one, that is the default from which Linux tunes it.
    """
    if group.setting.buffer <= 0 or not path.options:
        return False
    offered = offered_bytes(path.scenario, group.setting.buffer)
    limit = 8 * group.connections * offered / path.round_trip_s
    return group.median_bps > TOO_FAST * limit


def is_auto_tuned(path: Path, group: Group) -> bool:
    """Return whether a group's buffers are simulated as the operating system tunes them."""
    return group.setting.buffer <= 0 or has_grown(path, group)


def options_of(path: Path, group: Group) -> dict[str, str]:
    """Return the options for what the logs say of a group, its size left out."""
    one = group.setting
    options = {"parallelism": str(one.streams), "stripes": f"{one.stripes}x{one.stripes}"}
    if is_auto_tuned(path, group):
        return {**options, "buffers": AUTO_TUNED}
    window = min(max(one.buffer, path.scenario["packet_size_bytes"]), LARGEST_BUFFER)
    return {**options, "buffers": "fixed", "window": size(window)}


def line_of(path: Path, group: Group, moved: int) -> dict[str, str]:
    """Return a transfer of a group as a line of a batch.

    Args:
        path: what it is simulated over; its own buffers hold where the logs have none.
        group: of the logs.
        moved: bytes.
    """
    size_text = any_size(moved)
    own = {"mode": "fixed", **options_of(path, group), "file-size": size_text}
    own["chunk-size"] = size_text
    auto = own["buffers"] == AUTO_TUNED
    return {**own, **path.options} if auto else {**path.options, **own}


def _line(path: Path, group: Group) -> dict[str, str]:
    most = max(LARGEST_SIMULATED, round(PRODUCTS * product_bytes(path.scenario)))
    return line_of(path, group, min(group.size, most))
